/** Settings → Seal, for administrators. Changes ask for the password again. */
import { type OlderCertificate, SealPage, type TestResult } from '../../../views/pages/seal.tsx'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { sealTestPage, testSealKey } from '../../documents/test-page.ts'
import { pageTime } from '../../lib/clock-format.ts'
import type { RevocationReason } from '../../pki/issue-crl.ts'
import { SealKeyError } from '../../pki/seal-key-error.ts'
import type { App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import {
  describeSealCertificates,
  importSealCertificate,
  RENEW_DAYS,
  renewSealCertificate,
  type SealCertificate,
} from '../../settings/seal-certificate.ts'
import { revokeSealCertificate } from '../../settings/seal-root.ts'
import { countAttempt } from '../limits.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { adminOf, originOf, runConfirmedAction, settingsUser } from './settings-access.ts'

const HERE = '/settings/seal'
const DAY_MS = 86_400_000

/** Above the limit of a PKCS#12 file, so that a larger one gets an error at its field. */
const UPLOAD_BYTES = 4_000_000

const REASONS: Record<RevocationReason, string> = {
  unspecified: 'no reason given',
  keyCompromise: 'the key may be compromised',
  superseded: 'replaced by another',
  cessationOfOperation: 'no longer needed',
}

const NOTICES: Record<string, string> = {
  renewed: 'The certificate was renewed. Documents are sealed with the new one from now on; the earlier one is kept.',
  imported:
    'The certificate was imported and its test page is valid. Documents are sealed with it from now on; the earlier one is kept.',
  revoked: 'The certificate was revoked and added to the revocation list.',
}

const days = (count: number) => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`)

/** When a certificate expires, and what has to be done. */
function lifeOf({ notAfter, source }: SealCertificate, now: Date): { life: string; isNear: boolean } {
  const left = Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS)
  const isNear = left < 30
  const successor = source === 'imported' ? 'Import a new one' : 'Renew it'
  if (left < 0) return { life: `It expired ${days(-left)} ago. ${successor} now.`, isNear }
  const end = left === 0 ? 'It expires within a day' : `It expires in ${days(left)}`
  if (source === 'imported') return { life: `${end}. Import a new one before then.`, isNear }
  return { life: `${end}. It is renewed automatically ${RENEW_DAYS} days before that.`, isNear }
}

function activeView(certificate: SealCertificate, now: Date, timeZone: string) {
  const { subject, issuer, serial, sha256, algorithm, source, notBefore, notAfter } = certificate
  const facts: [string, string][] = [
    ['Subject', subject],
    ['Issuer', issuer],
    ['Serial number', serial],
    ['SHA-256 fingerprint', sha256],
    ['Algorithm', algorithm],
    ['Valid from', pageTime(notBefore, timeZone)],
    ['Valid until', pageTime(notAfter, timeZone)],
    ['Source', source === 'own' ? 'issued here, by the organisation’s own root' : 'imported'],
  ]
  return { facts, ...lifeOf(certificate, now), isOwn: source === 'own' }
}

function olderView(certificate: SealCertificate, timeZone: string): OlderCertificate {
  const { sha256, subject, notBefore, notAfter, source, revokedAt, revocationReason } = certificate
  const why = REASONS[revocationReason ?? 'unspecified']
  return {
    sha256,
    subject,
    valid: `${pageTime(notBefore, timeZone)} to ${pageTime(notAfter, timeZone)}`,
    source: source === 'own' ? 'own' : 'imported',
    state: revokedAt ? `revoked on ${pageTime(revokedAt, timeZone)}: ${why}` : 'no longer used',
    mayRevoke: source === 'own' && revokedAt === undefined,
  }
}

/** One revocation list for each own root. Without a parameter: that of the current root. */
function listsOf(all: SealCertificate[]): { href: string; text: string }[] {
  const roots = [...new Set(all.flatMap(({ rootId }) => (rootId ? [rootId] : [])))]
  const lists = roots.map((root, i) => (i === 0 ? '/seal.crl' : `/seal.crl?root=${root}`))
  return lists.map((href, i) => ({
    href,
    text: i === 0 ? 'Download the revocation list' : `Revocation list of an earlier root (${roots[i]?.slice(-6)})`,
  }))
}

/** An address without its login and its query, which may hold a token. */
function publicAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + (pathname === '/' ? '' : pathname)
}

function timestampFacts({ config }: App): [string, string][] {
  const { authorities, caFile, level, fallback } = config.timestamps
  if (authorities.length === 0) {
    return [
      ['Authorities', 'none: the time in a seal comes from the server’s clock'],
      ['Level', 'PAdES B-B'],
    ]
  }
  return [
    ['Authorities', authorities.map(({ url }) => publicAddress(url)).join(', ')],
    ['Trusted by', caFile === undefined ? 'no CA file set: time-stamps are verified, but their authority is not' : caFile],
    ['Level', `PAdES ${level}`],
    [
      'If no authority answers',
      fallback === 'wait' ? 'sealing waits' : 'the document is sealed without a time-stamp, which is added later',
    ],
  ]
}

interface Shown {
  errors?: ValidationError[]
  status?: number
  asksPassword?: boolean
  test?: TestResult
}

async function page(visit: Visit, { errors = [], status = 200, asksPassword, test }: Shown = {}): Promise<PageResponse> {
  const { confirmed } = adminOf(visit)
  const { app, url } = visit
  const { timeZone } = await readOrganisation(app.db)
  const all = await describeSealCertificates(app.db)
  const active = all.find(({ isActive }) => isActive)
  if (!active) throw new Refusal('storage_unavailable', 'There is no seal certificate yet.', [], 5)
  return {
    html: (
      <SealPage
        context={visit.context('Seal')}
        user={settingsUser(visit)}
        notice={errors.length === 0 ? NOTICES[url.searchParams.get('notice') ?? ''] : undefined}
        errors={errors}
        active={activeView(active, app.now(), timeZone)}
        older={all.filter(one => one !== active).map(one => olderView(one, timeZone))}
        lists={listsOf(all)}
        reasons={Object.entries(REASONS).map(([value, text]) => ({ value, text }))}
        asksPassword={asksPassword ?? !confirmed}
        test={test}
        timestamps={timestampFacts(app)}
      />
    ),
    status,
  }
}

/** Runs a change if the password was entered a short while ago; otherwise asks for it first. */
async function confirmedChange(visit: Visit, notice: string, change: () => Promise<unknown>): Promise<PageResponse> {
  if (!adminOf(visit).confirmed) return { redirect: `/confirm?next=${HERE}` }
  await change()
  return { redirect: `${HERE}?notice=${notice}` }
}

const isReason = (text: string): text is RevocationReason => Object.hasOwn(REASONS, text)

function revoke(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { reason = '' } = visit.form
  if (!isReason(reason)) throw new Refusal('validation_failed', 'Choose a reason for the revocation.')
  return confirmedChange(visit, 'revoked', () => revokeSealCertificate(visit.app, origin, visit.params.id ?? '', reason))
}

/** Shows at its field why a key cannot seal. */
function refuseKey(error: unknown): never {
  if (!(error instanceof SealKeyError)) throw error
  const path = error.message.startsWith('The pass-phrase') ? 'passphrase' : 'file'
  throw new Refusal('validation_failed', error.message, [{ path, message: error.message }])
}

async function importKey(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { app, file, form, client } = visit
  const result = await runConfirmedAction(visit, async () => {
    countAttempt(app, 'import', client.ip, 'Too many files were imported. Please wait a minute.')
    if (!file) refuseIfInvalid([{ path: 'file', message: 'must be chosen first' }])
    const bytes = file?.bytes ?? new Uint8Array()
    return importSealCertificate(app, origin, bytes, form.passphrase ?? '', key => testSealKey(app, key)).catch(refuseKey)
  })
  return 'errors' in result ? page(visit, result) : { redirect: `${HERE}?notice=imported` }
}

async function testPage(visit: Visit): Promise<PageResponse> {
  adminOf(visit)
  const { app, client } = visit
  countAttempt(app, 'test page', client.ip, 'Too many test pages were sealed. Please wait a minute.')
  const result = await sealTestPage(app)
  if ('failure' in result) {
    return page(visit, { test: { isValid: false, sentence: result.failure, missing: [], file: undefined } })
  }
  const { level: goal } = app.config.timestamps
  const { level, missing, file } = result
  const isValid = level === goal
  const reached = isValid ? `It reaches PAdES ${goal}.` : `But it reaches only PAdES ${level}, not ${goal}.`
  const sentence = `The test page was sealed. Its seal is valid and its certificate is trusted here. ${reached}`
  return page(visit, {
    test: { isValid, sentence, missing, file: `data:application/pdf;base64,${Buffer.from(file).toString('base64')}` },
  })
}

export const sealPages: PageRoute[] = [
  { method: 'GET', path: HERE, access: 'session', run: visit => page(visit) },
  { method: 'POST', path: `${HERE}/test`, access: 'session', run: testPage },
  {
    method: 'POST',
    path: `${HERE}/renew`,
    access: 'session',
    run: visit => confirmedChange(visit, 'renewed', () => renewSealCertificate(visit.app, originOf(visit))),
  },
  { method: 'POST', path: `${HERE}/import`, access: 'session', upload: () => UPLOAD_BYTES, run: importKey },
  { method: 'POST', path: `${HERE}/:id/revoke`, access: 'session', run: revoke },
]
