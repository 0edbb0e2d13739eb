/** Settings → Seal, for administrators. Changes ask for the password again. */
import { type EarlierCertificate, SealPage, type TestResult } from '../../../../views/settings/seal.tsx'
import { CONFIRM_PATH, SEAL_PATH } from '../../../core/page-paths.ts'
import { errorAt, errorsIn, Refusal, refuseIfInvalid, validationRefusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { sealTestPage, testSealKey } from '../../../documents/sealing/test-page.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { DAY_MS } from '../../../lib/duration.ts'
import type { AppTexts } from '../../../locales/app.ts'
import { errorText } from '../../../locales/app.ts'
import { REVOCATION_REASONS, type RevocationReason, SealKeyError } from '../../../pki/issue.ts'
import { keyTypeText } from '../../../pki/key.ts'
import { certificateSummary, certificatesOfPem } from '../../../pki/x509.ts'
import {
  describeSealCertificates,
  importSealCertificate,
  RENEW_DAYS,
  type SealCertificate,
} from '../../../settings/seal-certificate.ts'
import { revokeSealCertificate } from '../../../settings/seal-root.ts'
import { readTimestampSettings, type TimestampSettings } from '../../../settings/timestamp-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from './settings-access.ts'
import { rolloutOf } from './timestamps.tsx'

const EXPIRING_SOON_DAYS = 30

/** Higher than the PKCS#12 limit, so that an oversized file still gets an error at its field. */
export const MAX_UPLOAD_BYTES = 4_000_000

type Texts = AppTexts['settings']['seal']
type FormatTime = (moment: Date) => string

/** When a certificate expires, and what has to be done. */
function describeExpiry(
  { expiry: t }: Texts,
  { notAfter, source }: SealCertificate,
  now: Date,
): { expiry: string; isExpiringSoon: boolean } {
  const left = Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS)
  const isExpiringSoon = left < EXPIRING_SOON_DAYS
  const isImported = source === 'imported'
  if (left < 0) return { expiry: `${t.expired(t.days(-left))} ${isImported ? t.importNow : t.renewNow}`, isExpiringSoon }
  const end = left === 0 ? t.today : t.later(t.days(left))
  return { expiry: `${end} ${isImported ? t.importBefore : t.renewed(RENEW_DAYS)}`, isExpiringSoon }
}

function activeView(t: Texts, certificate: SealCertificate, now: Date, time: FormatTime) {
  const { subject, issuer, serial, sha256, algorithm, source, notBefore, notAfter } = certificate
  const facts: [string, string][] = [
    [t.facts.subject, subject],
    [t.facts.issuer, issuer],
    [t.facts.serial, serial],
    [t.facts.fingerprint, sha256],
    [t.facts.algorithm, keyTypeText(algorithm, t.keyWords)],
    [t.facts.validFrom, time(notBefore)],
    [t.facts.validUntil, time(notAfter)],
    [t.facts.source, t.sources[source]],
  ]
  return { facts, ...describeExpiry(t, certificate, now), isOwn: source === 'own' }
}

function earlierView(t: Texts, certificate: SealCertificate, time: FormatTime): EarlierCertificate {
  const { sha256, subject, notBefore, notAfter, source, revokedAt, revocationReason } = certificate
  const why = t.reasons[revocationReason ?? 'unspecified']
  return {
    sha256,
    subject,
    valid: t.validFromTo(time(notBefore), time(notAfter)),
    source: t.earlierSources[source],
    state: revokedAt ? t.revokedOn(time(revokedAt), why) : t.noLongerUsed,
    mayRevoke: source === 'own' && revokedAt === undefined,
  }
}

/** One list per own root. `all` has the newest first: the first root is the current one. */
function revocationListsOf(t: Texts, all: SealCertificate[]): { href: string; text: string }[] {
  const roots = [...new Set(all.flatMap(({ rootId }) => (rootId ? [rootId] : [])))]
  const lists = roots.map((root, i) => (i === 0 ? '/seal.crl' : `/seal.crl?root=${root}`))
  return lists.map((href, i) => ({
    href,
    text: i === 0 ? t.list : t.earlierList(roots[i]?.slice(-6) ?? ''),
  }))
}

/** A URL without its credentials and its query, which may hold a token. */
function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + (pathname === '/' ? '' : pathname)
}

function rootsInWords(t: Pick<Texts, 'noCaFile'>, roots: TimestampSettings['roots']): string {
  if (roots === undefined) return t.noCaFile
  if ('file' in roots) return roots.file
  return certificatesOfPem(roots.pem)
    .map(der => certificateSummary(der).subject)
    .join('; ')
}

/** The level, or the parts of one in a form that has none. */
const levelText = ({ sealForm }: AppTexts, { subFilter, level }: Pick<TimestampSettings, 'subFilter' | 'level'>): string =>
  subFilter === 'ETSI.CAdES.detached' ? `PAdES ${level}` : sealForm.level(level)

function timestampFacts(texts: AppTexts, settings: TimestampSettings): [string, string][] {
  const { timestampFacts: names, ...t } = texts.settings.seal
  const { authorities, roots, fallback } = settings
  if (authorities.length === 0) {
    return [
      [names.authorities, t.noAuthorities],
      [names.level, levelText(texts, settings)],
    ]
  }
  return [
    [names.authorities, authorities.map(({ url }) => publicUrl(url)).join(', ')],
    [names.caFile, rootsInWords(t, roots)],
    [names.level, levelText(texts, settings)],
    [names.noAnswer, fallback === 'wait' ? t.waits : t.sealsWithout],
  ]
}

interface PageState extends FormState {
  test?: TestResult
}

export async function page(
  visit: Visit,
  { errors = [], status = 200, asksForPassword, test }: PageState = {},
): Promise<PageResponse> {
  const { app } = visit
  const t = visit.texts.settings.seal
  const time: FormatTime = moment => pageTime(moment, visit.clock)
  const all = await describeSealCertificates(app.db)
  const active = all.find(({ isActive }) => isActive)
  const settings = await readTimestampSettings(app)
  if (!active) throw new Refusal('storage_unavailable', violation('seal_certificate_missing'), [], 5)
  return {
    html: (
      <SealPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        active={activeView(t, active, app.now(), time)}
        earlier={all.filter(one => one !== active).map(one => earlierView(t, one, time))}
        lists={revocationListsOf(t, all)}
        reasons={Object.entries(t.reasons).map(([value, text]) => ({ value, text }))}
        test={test}
        rollout={rolloutOf(active)}
        form={visit.texts.sealForm.names[settings.subFilter] ?? settings.subFilter}
        timestamps={timestampFacts(visit.texts, settings)}
      />
    ),
    status,
  }
}

/** For forms without a password field (cf. `runConfirmedAction`): redirects to a page that asks. */
export async function confirmedChange(visit: Visit, notice: string, change: () => Promise<unknown>): Promise<PageResponse> {
  if (!sessionOf(visit).confirmed) return { redirect: `${CONFIRM_PATH}?next=${SEAL_PATH}` }
  await change()
  return { redirect: `${SEAL_PATH}?notice=${notice}` }
}

const isReason = (text: string): text is RevocationReason => Object.hasOwn(REVOCATION_REASONS, text)

export function revoke(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { reason = '' } = visit.form
  if (!isReason(reason)) throw new Refusal('validation_failed', violation('revocation_reason_missing'))
  return confirmedChange(visit, 'revoked', () => revokeSealCertificate(visit.app, origin, visit.params.id ?? '', reason))
}

/** Reports a key error at the form field that caused it. */
function refuseKey(error: unknown): never {
  if (!(error instanceof SealKeyError)) throw error
  throw validationRefusal([errorAt(error.part, error.violation)])
}

export async function importCertificate(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { app, file, form, client } = visit
  const result = await runConfirmedAction(visit, async () => {
    countAttempt(app, 'import', client.ip, violation('too_many_imports'))
    if (!file) refuseIfInvalid(errorsIn([['file', violation('not_chosen')]]))
    // Never empty: refused above.
    const bytes = file?.bytes ?? new Uint8Array()
    return importSealCertificate(app, origin, bytes, form.passphrase ?? '', key => testSealKey(app, key)).catch(refuseKey)
  })
  return 'errors' in result ? page(visit, result) : { redirect: `${SEAL_PATH}?notice=imported` }
}

export async function runSealTest(visit: Visit): Promise<PageResponse> {
  const { app, client } = visit
  countAttempt(app, 'test page', client.ip, violation('too_many_test_pages'))
  const result = await sealTestPage(app)
  if ('failure' in result) {
    return page(visit, {
      test: {
        reachesLevel: false,
        sentence: errorText(visit.texts, errorAt('main', result.failure)),
        missing: [],
        file: undefined,
      },
    })
  }
  const { subFilter, level, missing, file } = result
  const configured = (await readTimestampSettings(app)).levels[subFilter]
  const reachesLevel = level === configured
  const t = visit.texts.settings.seal
  const text = (one: typeof level) => levelText(visit.texts, { subFilter, level: one })
  const sentence = reachesLevel ? t.testPassed(text(level)) : t.testBelow(text(level), text(configured))
  return page(visit, {
    test: { reachesLevel, sentence, missing, file: `data:application/pdf;base64,${Buffer.from(file).toString('base64')}` },
  })
}
