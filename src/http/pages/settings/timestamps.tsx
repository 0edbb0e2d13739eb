/** Settings → Seal → Time-stamps, and the certificate that others install. */
import { createHash } from 'node:crypto'
import type { Rollout } from '../../../../views/settings/seal.tsx'
import { type Answer, type AuthorityValues, TimestampsPage } from '../../../../views/settings/timestamps.tsx'
import { TIMESTAMPS_PATH } from '../../../core/page-paths.ts'
import { violation } from '../../../core/violation.ts'
import { type AuthorityAnswer, askAuthorities } from '../../../documents/sealing/test-page.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { type AppTexts, diagnosisText } from '../../../locales/app.ts'
import type { Diagnosis } from '../../../locales/diagnoses.ts'
import { certificateSummary, certificatesOfPem } from '../../../pki/x509.ts'
import { describeSealCertificate, type SealCertificate } from '../../../settings/seal-certificate.ts'
import { readServiceSettings, type ServiceSettings } from '../../../settings/service-settings.ts'
import { saveTimestampSettings } from '../../../settings/timestamp-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

const MAX_AUTHORITIES = 10
export const MAX_UPLOAD_BYTES = 1_000_000

const withoutQuery = (url: string): string => new URL(url).origin + new URL(url).pathname

/** The fields of the form, then those that are stored, then an empty one. */
function authoritiesOf({ form }: Visit, { tsaUrl }: ServiceSettings): AuthorityValues[] {
  const stored = tsaUrl.value.map(({ url, user, password }) => ({ url, user: user ?? '', hasPassword: password !== undefined }))
  if (form.url1 !== undefined) {
    return enteredAuthorities(form).map(({ url, user }) => ({
      url,
      user,
      hasPassword: stored.some(one => one.hasPassword && one.url === url && one.user === user),
    }))
  }
  // Of the environment nobody typed it here: a query may hold a token.
  if (tsaUrl.source === 'environment') return stored.map(one => ({ ...one, url: withoutQuery(one.url) }))
  return stored.length >= MAX_AUTHORITIES ? stored : [...stored, { url: '', user: '', hasPassword: false }]
}

function enteredAuthorities(form: Visit['form']) {
  const all = Array.from({ length: MAX_AUTHORITIES }, (_, i) => ({
    url: form[`url${i + 1}`],
    user: form[`user${i + 1}`] ?? '',
    password: form[`tsaPassword${i + 1}`] ?? '',
  }))
  return all.flatMap(({ url, ...login }) => (url === undefined ? [] : [{ url, ...login }]))
}

function rootsOf({ tsaCaFile: { value } }: ServiceSettings): { file: string } | { subjects: string[] } {
  if (value && 'file' in value) return value
  return { subjects: certificatesOfPem(value?.pem ?? '').map(der => certificateSummary(der).subject) }
}

interface PageState extends FormState {
  answers?: AuthorityAnswer[]
}

export async function page(visit: Visit, state: PageState = {}): Promise<PageResponse> {
  const { errors = [], status = 200, asksForPassword, answers = [] } = state
  const { app, form, texts } = visit
  const t = texts.timestamps
  const settings = await readServiceSettings(app)
  const isFixed = (name: keyof ServiceSettings) => settings[name].source === 'environment'
  return {
    html: (
      <TimestampsPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        authorities={authoritiesOf(visit, settings)}
        level={form.sealLevel ?? settings.sealLevel.value ?? ''}
        fallback={form.tsaFallback ?? settings.tsaFallback.value}
        fixed={{
          authorities: isFixed('tsaUrl'),
          level: isFixed('sealLevel'),
          fallback: isFixed('tsaFallback'),
          roots: isFixed('tsaCaFile'),
        }}
        roots={rootsOf(settings)}
        isTestable={settings.tsaUrl.value.length > 0}
        answers={answers.map(answer => answerView(visit, answer))}
      />
    ),
    status,
  }
}

function answerView({ texts, clock }: Visit, { url, answer, failure }: AuthorityAnswer): Answer {
  const t = texts.timestamps
  const shown = withoutQuery(url)
  if (!answer) return { url: shown, isGood: false, title: t.failed(failureText(texts, failure)), facts: [] }
  const time = (at: Date) => pageTime(at, clock)
  const facts: [string, string][] = [
    [t.signedBy, answer.subject],
    [t.issuedBy, answer.issuer],
    [t.validUntil, time(answer.notAfter)],
  ]
  return { url: shown, isGood: true, title: t.answered(time(answer.at)), facts }
}

function failureText(texts: AppTexts, { code, params }: Diagnosis): string {
  return diagnosisText(texts, { code, params: { ...params, authority: texts.timestamps.it } } as Diagnosis)
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form, file } = visit
  const origin = originOf(visit)
  const input = {
    authorities: enteredAuthorities(form),
    level: form.sealLevel ?? '',
    fallback: form.tsaFallback ?? 'later',
    roots: file ? file.bytes : form.removeRoots === 'on' ? ('none' as const) : undefined,
  }
  const result = await runConfirmedAction(visit, () => saveTimestampSettings(app, origin, input))
  return 'errors' in result ? page(visit, result) : { redirect: `${TIMESTAMPS_PATH}?notice=saved` }
}

export async function test(visit: Visit): Promise<PageResponse> {
  countAttempt(visit.app, 'test time-stamp', visit.client.ip, violation('too_many_tests'))
  return page(visit, { answers: await askAuthorities(visit.app) })
}

/** The own root. Of an imported one the certificate itself: its issuer certifies others too. */
function certificateToInstall({ chain, source }: SealCertificate): Uint8Array {
  return certificatesOfPem(chain).at(source === 'own' ? -1 : 0) ?? new Uint8Array()
}

const inPairs = (hex: string): string => hex.toUpperCase().replace(/..(?=.)/g, '$&:')

export function rolloutOf(active: SealCertificate): Rollout {
  const der = certificateToInstall(active)
  const { subject, sha256 } = certificateSummary(der)
  const sha1 = createHash('sha1').update(der).digest('hex')
  return { isOwn: active.source === 'own', name: subject, sha256: inPairs(sha256), sha1: inPairs(sha1) }
}

export async function rootFile({ app }: Visit): Promise<PageResponse> {
  const active = await describeSealCertificate(app.db)
  const der = certificateToInstall(active)
  const fileName = active.source === 'own' ? 'signet-root.cer' : 'signet-seal.cer'
  const headers = {
    'content-type': 'application/pkix-cert',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  }
  return { response: new Response(der as Uint8Array<ArrayBuffer>, { headers }) }
}
