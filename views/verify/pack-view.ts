/** Puts a report on an evidence pack into words of the reader. Pure. */
import type { CheckOutcome, PackCheck, PackReport } from '../../src/evidence/pack/report.ts'
import { toSafeText } from '../../src/lib/safe-text.ts'
import type { LocalVerifyTexts, PackVerdictKey } from '../../src/locales/local-verify.ts'
import { inWords, type Tone, type VerificationView, verificationView, type Wording } from './report-view.ts'

export interface CheckView {
  outcome: CheckOutcome
  word: string
  /** In the language of remarks. */
  text: string
}

/** Of a pack or a receipt. */
export interface PackView extends VerificationView {
  checks: CheckView[]
  /** Heading of what is said of its signatures. */
  checksOf: string
}

const TONES: Record<PackVerdictKey, Tone> = {
  valid: 'good',
  // Whoever makes a pack chooses the certificate in it.
  validByPack: 'caution',
  notValid: 'bad',
  unknown: 'caution',
  notChecked: 'caution',
}

function verdictKeyOf({ verdict, trustedBy }: PackReport): PackVerdictKey {
  switch (verdict) {
    case 'valid':
      return trustedBy === 'pack' ? 'validByPack' : 'valid'
    case 'not-valid':
      return 'notValid'
    case 'signer-unknown':
      return 'unknown'
    case 'not-checked':
      return 'notChecked'
  }
}

/** What failed is read first. */
const ORDER: readonly CheckOutcome[] = ['failed', 'not-checked', 'passed', 'note']

export function packView(report: PackReport, fileName: string, wording: Wording, { pack, trust }: LocalVerifyTexts): PackView {
  const { texts, time } = wording
  const { details } = texts
  // Of a certificate that only the pack vouches for, nobody says that it is trusted here.
  const own = { ...texts, details: { ...details, trust: { ...details.trust, trusted: trust.pack } } }
  const worded = report.trustedBy === 'pack' ? { ...wording, texts: own } : wording
  const key = verdictKeyOf(report)
  const { heading, sentence, advice } = pack.verdicts[key]
  const title = toSafeText(report.title)
  // The fingerprint is beside the sealed PDF: it is that of this file.
  const { sha256, signatures, additions, remarks } = verificationView(
    { report: report.seal, record: { known: false }, sealer: undefined },
    '',
    worded,
  )
  const who = ({ name, email }: PackReport['people'][number]) =>
    toSafeText(`${name ?? pack.erased}${email === undefined ? '' : ` (${email})`}`)
  return {
    tone: TONES[key],
    heading,
    sentence: sentence(texts.quoted(title)),
    advice,
    fileName,
    title,
    sealer: undefined,
    // Nothing is said of people whom a false pack names.
    people:
      key === 'notValid'
        ? []
        : report.people.map(one => {
            const act = (one.hasSigned ? texts.signedOn : texts.approvedOn)(time(new Date(one.at)))
            return [who(one), `${act} (${toSafeText(detailsOf(one, report, pack).join('; '))})`]
          }),
    peopleSource: pack.source,
    sha256,
    remarks,
    additions,
    changes: [],
    signatures,
    checks: checkViews(report.checks, wording, pack),
    checksOf: pack.sealedFile,
  }
}

/** Of one person who acted, as the command line says them. */
function detailsOf(
  { consentVersion, openedFromApp, ip, deviceKey, entry }: PackReport['people'][number],
  { sealedEntry }: PackReport,
  { person }: LocalVerifyTexts['pack'],
): string[] {
  const isSealed = sealedEntry !== undefined && entry <= sealedEntry.sequence
  return [
    ...(consentVersion === undefined ? [] : [person.consent(consentVersion)]),
    ...(openedFromApp ? [person.openedFromApp] : []),
    ...(ip === undefined ? [] : [person.from(ip)]),
    ...(deviceKey === undefined ? [] : [deviceKey.isUserVerified ? person.deviceKey : person.deviceKeyUnverified]),
    isSealed ? person.sealedEntry(entry) : person.entry(entry),
  ]
}

/** In the order in which they are read. */
export function checkViews(checks: readonly PackCheck[], wording: Wording, { outcomes }: LocalVerifyTexts['pack']): CheckView[] {
  return ORDER.flatMap(outcome => checks.filter(check => check.outcome === outcome)).map(({ outcome, remark }) => ({
    outcome,
    word: outcomes[outcome],
    text: inWords([remark], wording).join(''),
  }))
}
