/** Settings → Seal. Administrators only; what changes the seal asks for the password when that was longer ago. */
import { type OlderCertificate, SealPage, type TestShown } from '../../../views/pages/seal.tsx'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { sealTestPage, testSealKey } from '../../documents/test-page.ts'
import { pageTime } from '../../lib/clock-format.ts'
import type { RevocationReason } from '../../pki/issue-crl.ts'
import { SealKeyError } from '../../pki/seal-key-error.ts'
import type { App } from '../../ports.ts'
import { organisation } from '../../settings/organisation.ts'
import {
  describeSealCertificates,
  importSealCertificate,
  RENEW_DAYS,
  renewSealCertificate,
  type SealCertificate,
} from '../../settings/seal-certificate.ts'
import { revokeSealCertificate } from '../../settings/seal-root.ts'
import { countAttempt } from '../limits.ts'
import { type PageResponse, type PageRoute, runFormAction, type Visit } from '../page.tsx'
import { adminOf, confirmedBy, originOf, settingsUser } from './settings-access.ts'

const HERE = '/settings/seal'
const DAY_MS = 86_400_000

/** More than a PKCS#12 file may have, so that one that is too large is notice beside the field. */
const UPLOAD_BYTES = 4_000_000

const REASON_WORDS: Record<RevocationReason, string> = {
  unspecified: 'no reason given',
  keyCompromise: 'its key may be in other hands',
  superseded: 'replaced by another',
  cessationOfOperation: 'no longer needed',
}

/** What was just done, notice on the page that follows. */
const NOTICES: Record<string, string> = {
  renewed: 'A new certificate seals from now on. The one before is kept.',
  imported: 'A test page sealed with the imported key is valid: its certificate seals from now on. The one before is kept.',
  revoked: 'The certificate is revoked and stands on the revocation list.',
}

const days = (count: number) => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`)

/** How long a certificate still lasts, and what has to be done. */
function lifeOf({ notAfter, source }: SealCertificate, now: Date): { life: string; isNear: boolean } {
  const left = Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS)
  const isNear = left < 30
  const successor = source === 'imported' ? 'import its successor' : 'renew it'
  if (left < 0) return { life: `It ended ${days(-left)} ago: ${successor} now.`, isNear }
  const end = left === 0 ? 'It ends within a day' : `It ends in ${days(left)}`
  if (source === 'imported') return { life: `${end}. Import its successor before then.`, isNear }
  return { life: `${end}. A new one is made by itself ${RENEW_DAYS} days before its end.`, isNear }
}

function activeShown(certificate: SealCertificate, now: Date, timeZone: string) {
  const { subject, issuer, serial, sha256, algorithm, source, notBefore, notAfter } = certificate
  const facts: [string, string][] = [
    ['Subject', subject],
    ['Issuer', issuer],
    ['Serial number', serial],
    ['SHA-256 fingerprint', sha256],
    ['Algorithm', algorithm],
    ['Valid from', pageTime(notBefore, timeZone)],
    ['Valid until', pageTime(notAfter, timeZone)],
    ['Source', source === 'own' ? 'made here, under the organisation’s own root' : 'imported'],
  ]
  return { facts, ...lifeOf(certificate, now), isOwn: source === 'own' }
}

function olderShown(certificate: SealCertificate, timeZone: string): OlderCertificate {
  const { sha256, subject, notBefore, notAfter, source, revokedAt, revocationReason } = certificate
  const why = REASON_WORDS[revocationReason ?? 'unspecified']
  return {
    sha256,
    subject,
    valid: `${pageTime(notBefore, timeZone)} to ${pageTime(notAfter, timeZone)}`,
    source: source === 'own' ? 'own' : 'imported',
    state: revokedAt ? `revoked on ${pageTime(revokedAt, timeZone)}: ${why}` : 'seals no longer, kept for its seals',
    mayRevoke: source === 'own' && revokedAt === undefined,
  }
}

/** Of each own root one; the list of the root under which is sealed is the one without a name. */
function listsOf(all: SealCertificate[]): { href: string; text: string }[] {
  const roots = [...new Set(all.flatMap(({ rootId }) => (rootId ? [rootId] : [])))]
  const lists = roots.map((root, i) => (i === 0 ? '/seal.crl' : `/seal.crl?root=${root}`))
  return lists.map((href, i) => ({
    href,
    text: i === 0 ? 'Download the revocation list' : `the list of an earlier root (${roots[i]?.slice(-6)})`,
  }))
}

/** Without what an address may carry besides where it leads: logins and tokens. */
function placeOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + (pathname === '/' ? '' : pathname)
}

function timestampFacts({ config }: App): [string, string][] {
  const { authorities, caFile, level, fallback } = config.timestamps
  if (authorities.length === 0) {
    return [
      ['Authorities', 'none: seals carry the time of this machine’s clock alone'],
      ['Level', 'PAdES B-B'],
    ]
  }
  return [
    ['Authorities', authorities.map(({ url }) => placeOf(url)).join(', ')],
    ['Trusted by', caFile === undefined ? 'nobody: tokens are checked, but no root vouches for who made them' : caFile],
    ['Level', `PAdES ${level}`],
    [
      'When none answers',
      fallback === 'wait' ? 'the seal waits' : 'the seal is made without a time-stamp, which is added later behind its bytes',
    ],
  ]
}

interface Shown {
  errors?: ValidationError[]
  status?: number
  asksPassword?: boolean
  test?: TestShown
}

async function page(visit: Visit, { errors = [], status = 200, asksPassword, test }: Shown = {}): Promise<PageResponse> {
  const { confirmed } = adminOf(visit)
  const { app, url } = visit
  const { timeZone } = await organisation(app.db)
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
        active={activeShown(active, app.now(), timeZone)}
        older={all.filter(one => one !== active).map(one => olderShown(one, timeZone))}
        lists={listsOf(all)}
        reasons={Object.entries(REASON_WORDS).map(([value, text]) => ({ value, text }))}
        asksPassword={asksPassword ?? !confirmed}
        test={test}
        timestamps={timestampFacts(app)}
      />
    ),
    status,
  }
}

/** Runs a change for an administrator who entered the password a short while ago; others are asked for it first. */
async function confirmedChange(visit: Visit, notice: string, change: () => Promise<unknown>): Promise<PageResponse> {
  if (!adminOf(visit).confirmed) return { redirect: `/confirm?next=${HERE}` }
  await change()
  return { redirect: `${HERE}?notice=${notice}` }
}

const isReason = (text: string): text is RevocationReason => Object.hasOwn(REASON_WORDS, text)

function revoke(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { reason = '' } = visit.form
  if (!isReason(reason)) throw new Refusal('validation_failed', 'Choose a reason for the revocation.')
  return confirmedChange(visit, 'revoked', () => revokeSealCertificate(visit.app, origin, visit.params.id ?? '', reason))
}

/** Why a key cannot seal is notice beside what it is about. */
function refuseKey(error: unknown): never {
  if (!(error instanceof SealKeyError)) throw error
  const path = error.message.startsWith('The pass-phrase') ? 'passphrase' : 'file'
  throw new Refusal('validation_failed', error.message, [{ path, message: error.message }])
}

async function importKey(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { app, file, form, client } = visit
  if (!adminOf(visit).confirmed) {
    const confirmed = await runFormAction(() => confirmedBy(visit))
    if ('errors' in confirmed) return page(visit, { ...confirmed, asksPassword: true })
  }
  const result = await runFormAction(async () => {
    countAttempt(app, 'import', client.ip, 'Too many files were imported. Please wait a minute.')
    if (!file) refuseIfInvalid([{ path: 'file', message: 'must be chosen before it can be imported' }])
    const bytes = file?.bytes ?? new Uint8Array()
    return importSealCertificate(app, origin, bytes, form.passphrase ?? '', key => testSealKey(app, key)).catch(refuseKey)
  })
  if ('errors' in result) return page(visit, { ...result, asksPassword: false })
  return { redirect: `${HERE}?notice=imported` }
}

async function testPage(visit: Visit): Promise<PageResponse> {
  adminOf(visit)
  const { app, client } = visit
  countAttempt(app, 'test page', client.ip, 'Too many test pages were sealed. Please wait a minute.')
  const made = await sealTestPage(app)
  if ('failure' in made) return page(visit, { test: { isSound: false, sentence: made.failure, missing: [], file: undefined } })
  const { level: goal } = app.config.timestamps
  const isSound = made.level === goal
  const sound = 'The test page was sealed and is valid: its bytes are unchanged and its certificate is trusted here.'
  const reached = isSound ? `It reaches the level PAdES ${goal}.` : `But it reaches PAdES ${made.level} only, not ${goal}.`
  const file = `data:application/pdf;base64,${Buffer.from(made.file).toString('base64')}`
  return page(visit, { test: { isSound, sentence: `${sound} ${reached}`, missing: made.missing, file } })
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
