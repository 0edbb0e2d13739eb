/** Settings → Audit log → Witness, on both sides. Administrators only. */
import {
  type KnownCertificate,
  WitnessedInstancePage,
  WitnessedPage,
  type WitnessedRow,
  WitnessPage,
} from '../../../../views/audit/witness.tsx'
import { newestCheckpoints } from '../../../audit/checkpoint-queries.ts'
import { SERVICE_ROWS } from '../../../config/service-rows.ts'
import { WITNESS_PATH, WITNESSED_PATH } from '../../../core/page-paths.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { attachment } from '../../../lib/file-names.ts'
import { certificateSummary, certificatesOfPem } from '../../../pki/x509.ts'
import { trustedRoots } from '../../../settings/seal-certificate.ts'
import { pemOf, readServiceSettings } from '../../../settings/service-settings.ts'
import { askWitness, witnessOf, witnessState } from '../../../witness/asking.ts'
import * as manage from '../../../witness/manage.ts'
import { newestWitnessed, type WitnessedInstance, witnessedById, witnessedInstances } from '../../../witness/queries.ts'
import { streamOfChunks } from '../../file-response.ts'
import { confirmedRoute } from '../../frame/confirmed-route.tsx'
import type { FormState, PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'

const MAX_UPLOAD_BYTES = 1_000_000

/** A page, and its form with a certificate. */
export function formRoutes(path: string, show: (visit: Visit) => Promise<PageResponse>, receive: PageRoute['run']): PageRoute[] {
  return [{ method: 'GET', path, access: 'admin', run: visit => show(visit) }, uploadRoute(path, receive)]
}

const uploadRoute = (path: string, run: PageRoute['run']): PageRoute => ({
  ...{ method: 'POST', path, access: 'admin', run },
  upload: () => MAX_UPLOAD_BYTES,
})

/** The page of one witnessed instance, and what follows its path. */
export function instanceRoutes(path: string): PageRoute[] {
  const confirmed = (end: string, run: PageRoute['run']) =>
    confirmedRoute({ method: 'POST', path: `${path}/${end}`, access: 'admin', run }, WITNESSED_PATH)
  return [
    { method: 'GET', path, access: 'admin', run: visit => instancePage(visit) },
    uploadRoute(`${path}/certificate`, replaceCertificate),
    confirmed('anew', anew),
    confirmed('remove', remove),
    { method: 'GET', path: `${path}/statements`, access: 'admin', run: statements },
  ]
}

const describe = (pem: string): KnownCertificate[] =>
  certificatesOfPem(pem).map(der => {
    const { subject, sha256 } = certificateSummary(der)
    return { subject, sha256 }
  })

export async function page(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { app, form, texts } = visit
  const t = texts.witness
  const { witnessUrl, witnessCertificateFile } = await readServiceSettings(app)
  const fixedBy = (source: string, variable: string | undefined) => (source === 'environment' ? variable : undefined)
  const text = errors.length === 0 ? visit.noticeIn(t.notices) : undefined
  const isOn = (await witnessOf(app)) !== undefined
  return {
    html: (
      <WitnessPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={text === undefined ? undefined : { text, isGood: visit.query.notice !== 'failed' }}
        state={await stateOf(visit, isOn)}
        isOn={isOn}
        url={form.witnessUrl ?? witnessUrl.text}
        fixed={{
          url: fixedBy(witnessUrl.source, SERVICE_ROWS.witnessUrl.variable),
          certificate: fixedBy(witnessCertificateFile.source, SERVICE_ROWS.witnessCertificateFile.variable),
        }}
        known={describe((await pemOf(app, witnessCertificateFile.value)) ?? '')}
        own={{
          address: app.config.baseUrl,
          instance: app.instance.id,
          certificates: describe((await trustedRoots(app.db)).join('')),
        }}
      />
    ),
    status,
  }
}

async function stateOf({ app, texts, language, clock }: Visit, isOn: boolean) {
  const t = texts.witness
  if (!isOn) return { tone: 'info', title: t.off, texts: [t.offText] } as const
  const [state, last] = [await witnessState(app), await newestWitnessed(app.db)]
  const [newest] = await newestCheckpoints(app.db, 1)
  const at = last && pageTime(last.witnessedAt ?? last.at, clock)
  const good = last && at ? [t.goodText(last.sequence.toLocaleString(language), at)] : []
  if (state?.failure !== undefined) {
    const failed = [t.failure(pageTime(state.at, clock), texts.storedText(state.failure)), ...(state.disagrees ? [] : [t.again])]
    return {
      tone: state.disagrees ? 'bad' : 'warn',
      title: state.disagrees ? t.disagrees : t.failing,
      texts: [...failed, ...good],
    } as const
  }
  if (good.length === 0 || !newest) return { tone: 'info', title: t.waiting, texts: [t.waitingText] } as const
  return { tone: 'good', title: t.good, texts: good } as const
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form, file } = visit
  const input = { url: form.witnessUrl ?? '', file: file?.bytes }
  const result = await runConfirmedAction(visit, () => manage.saveWitness(app, originOf(visit), input))
  return 'errors' in result ? page(visit, result) : { redirect: `${WITNESS_PATH}?notice=saved` }
}

export async function ask(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  countAttempt(app, 'ask witness', visit.client.ip, violation('too_many_tests'))
  const witness = await witnessOf(app)
  const failure = witness && (await askWitness(app, witness))
  return { redirect: `${WITNESS_PATH}?notice=${failure === undefined ? 'asked' : 'failed'}` }
}

/** What the other side enters: a root of this instance, or an imported certificate itself. */
export async function certificateFile({ app }: Visit): Promise<PageResponse> {
  const headers = {
    'content-type': 'application/x-pem-file',
    'content-disposition': attachment(`witness-${app.instance.id}.pem`),
  }
  return { response: new Response((await trustedRoots(app.db)).join(''), { headers }) }
}

// The other side.

function rowOf({ texts, language, clock }: Visit, witnessed: WitnessedInstance): WitnessedRow {
  const t = texts.witness.witnessed.states
  const { id, name, sequence, seenAt, refused, removedAt } = witnessed
  const state = (): WitnessedRow['state'] => {
    if (removedAt) return { tone: 'neutral', text: t.removed }
    if (refused) return { tone: 'bad', text: t.differs }
    return sequence > 0 ? { tone: 'good', text: t.good } : { tone: 'info', text: t.waiting }
  }
  return { id, name, entries: sequence.toLocaleString(language), seen: seenAt && pageTime(seenAt, clock), state: state() }
}

export async function listPage(
  visit: Visit,
  { errors = [], status = 200, asksForPassword }: FormState = {},
): Promise<PageResponse> {
  const { app, form, texts } = visit
  const t = texts.witness.witnessed
  return {
    html: (
      <WitnessedPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        rows={(await witnessedInstances(app.db)).map(each => rowOf(visit, each))}
        name={form.name ?? ''}
      />
    ),
    status,
  }
}

export async function add(visit: Visit): Promise<PageResponse> {
  const { app, form, file } = visit
  const input = { name: form.name ?? '', file: file?.bytes }
  const result = await runConfirmedAction(visit, () => manage.addWitnessed(app, originOf(visit), input))
  return 'errors' in result ? listPage(visit, result) : { redirect: `${WITNESSED_PATH}/${result.done}?notice=added` }
}

async function requireRow({ app, params }: Visit): Promise<WitnessedInstance> {
  const found = await witnessedById(app.db, params.id ?? '')
  if (!found) throw new Refusal('not_found', violation('witnessed_unknown'))
  return found
}

async function instancePage(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { language, texts, clock } = visit
  const witnessed = await requireRow(visit)
  const { name, instance, certificates, addedAt, treeRoot, refused, removedAt } = witnessed
  const t = texts.witness.witnessed
  const row = rowOf(visit, witnessed)
  return {
    html: (
      <WitnessedInstancePage
        context={visit.context(name, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        row={row}
        facts={[
          ...(instance === undefined ? [] : ([[t.facts.instance, <code class="break">{instance}</code>]] as [string, object][])),
          ...describe(certificates).map(({ subject, sha256 }): [string, object] => [
            t.facts.certificate,
            <>
              {subject} <code class="break">{sha256}</code>
            </>,
          ]),
          [t.facts.added, pageTime(addedAt, clock)],
          [t.facts.seen, row.seen ?? t.never],
          [t.facts.entries, row.entries],
          ...(treeRoot === undefined ? [] : ([[t.facts.root, <code class="break">{treeRoot}</code>]] as [string, object][])),
        ]}
        differs={refused && t.differsText(pageTime(refused.at, clock), refused.sequence.toLocaleString(language))}
        isRemoved={removedAt !== undefined}
      />
    ),
    status,
  }
}

async function replaceCertificate(visit: Visit): Promise<PageResponse> {
  const { id } = await requireRow(visit)
  const result = await runConfirmedAction(visit, () =>
    manage.replaceCertificate(visit.app, originOf(visit), id, visit.file?.bytes),
  )
  return 'errors' in result ? instancePage(visit, result) : { redirect: `${WITNESSED_PATH}/${id}?notice=replaced` }
}

async function anew(visit: Visit): Promise<PageResponse> {
  const { id } = await requireRow(visit)
  await manage.beginAnew(visit.app, originOf(visit), id)
  return { redirect: `${WITNESSED_PATH}/${id}?notice=anew` }
}

async function remove(visit: Visit): Promise<PageResponse> {
  const { id } = await requireRow(visit)
  await manage.removeWitnessed(visit.app, originOf(visit), id)
  return { redirect: `${WITNESSED_PATH}/${id}?notice=removed` }
}

async function statements(visit: Visit): Promise<PageResponse> {
  const witnessed = await requireRow(visit)
  const name = `witness-of-${witnessed.instance ?? witnessed.id}.json`
  const headers = { 'content-type': 'application/json', 'content-disposition': attachment(name) }
  return { response: new Response(streamOfChunks(manage.exportStatements(visit.app, witnessed)), { headers }) }
}
