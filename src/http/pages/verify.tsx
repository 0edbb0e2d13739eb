/** The public page that verifies a PDF and explains the result. The file is not kept. */
import { type SignatureView, type VerificationView, VerifyPage } from '../../../views/pages/verify.tsx'
import { Refusal, type ValidationError, validationRefusal } from '../../core/refusal.ts'
import { type SealRecord, type Verification, verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { readableTime } from '../../lib/clock-format.ts'
import type { AppTexts } from '../../locales/app.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { SignatureReport, UnreadableReport, Verdict, VerificationReport } from '../../verify/report.ts'
import { countAttempt } from '../limits.ts'
import { type PageResponse, type PageRoute, runFormAction, signedInUser, type Visit } from '../page.tsx'

type Texts = AppTexts['verify']
type VerdictKey = keyof Texts['verdicts']

const VERDICTS: Record<Exclude<Verdict, 'signer-unknown' | 'not-signed'>, VerdictKey> = {
  valid: 'valid',
  'not-valid': 'notValid',
  'not-checked': 'notChecked',
  unreadable: 'unreadable',
}

const TONES: Partial<Record<VerdictKey, VerificationView['tone']>> = { valid: 'good', validHere: 'good', notValid: 'bad' }

function verdictKeyOf(report: VerificationReport | UnreadableReport): VerdictKey {
  if (report.verdict === 'not-signed') return report.signatures.length === 0 ? 'notSigned' : 'onlyTimestamped'
  if (report.verdict !== 'signer-unknown') return VERDICTS[report.verdict]
  const open = report.signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  return open === undefined || open.trust === 'trusted' ? 'unknown' : open.trust
}

type Facts = SignatureView['facts']

/** The words of the page, and how it writes times. */
interface Wording {
  texts: Texts
  time(moment: Date): string
  /** Reasons and notes of a report are written in English. */
  translate(reason: string): string
}

function timeFacts({ kind, time }: SignatureReport, { texts, time: readable }: Wording): Facts {
  const { timestamp, claimedAt } = time
  const facts: Facts = []
  if (timestamp) {
    const { at, authority, trusted } = timestamp
    facts.push([texts.time, texts.timeBy(readable(new Date(at)), authority, trusted)])
  }
  if (claimedAt && kind === 'signature') facts.push([texts.claimedTime, readable(new Date(claimedAt))])
  return facts
}

/** Of a file in the record the signature is our seal. People signed before it. */
function signatureView(signature: SignatureReport, index: number, isSeal: boolean, wording: Wording): SignatureView {
  const { texts, translate } = wording
  const { kind, signer, level, indication, subIndication, certificateSha256, integrity, trust } = signature
  const isSignature = kind === 'signature'
  return {
    heading: isSignature ? (isSeal ? texts.seal : texts.signature(index + 1)) : texts.timestamp(index + 1),
    facts: [
      [isSignature ? (isSeal ? texts.sealedBy : texts.signedBy) : texts.madeBy, signer || texts.unknown],
      [texts.content, texts.integrity[integrity]],
      [texts.certificate, texts.trust[trust]],
      ...timeFacts(signature, wording),
    ],
    details: [
      [texts.fingerprint, certificateSha256 || texts.none],
      [texts.result, subIndication ? `${indication}, ${subIndication}` : indication],
      ...(isSignature ? ([[texts.level, level ? `PAdES ${level}` : texts.noLevel]] as Facts) : []),
      [texts.field, signature.field || texts.none],
    ],
    reasonsHeading: !isSignature && indication === 'INDETERMINATE' ? texts.whyNotTrusted : texts.problems,
    reasons: signature.reasons.map(translate),
    notes: signature.levelNotes.map(translate),
  }
}

function signerOf(report: VerificationReport | UnreadableReport, { noName, quoted }: Texts): string {
  if (report.verdict === 'unreadable') return ''
  const names = report.signatures.filter(({ kind }) => kind === 'signature').map(({ signer }) => quoted(signer || noName))
  return [...new Set(names)].join(', ')
}

function peopleOf({ people }: Extract<SealRecord, { known: true }>, { texts, time }: Wording): Facts {
  return people.map(({ name, hasSigned, at }) => [name, (hasSigned ? texts.signedOn : texts.approvedOn)(time(at))])
}

function verificationView({ report, record }: Verification, fileName: string, wording: Wording): VerificationView {
  const { texts, time, translate } = wording
  const isReadable = report.verdict !== 'unreadable'
  const found = verdictKeyOf(report)
  const key = found === 'valid' && record.known ? 'validHere' : found
  const { heading, meaning } = texts.verdicts[key]
  return {
    tone: TONES[key] ?? 'caution',
    heading,
    meaning: meaning(signerOf(report, texts)),
    fileName,
    record: record.known ? texts.recordYes(time(record.completedAt)) : texts.recordNo,
    title: record.known ? record.title : undefined,
    people: record.known ? peopleOf(record, wording) : [],
    reasons: isReadable ? report.reasons.map(translate) : [texts.unreadable(translate(report.reason))],
    additions: isReadable ? report.additions.map(translate) : [],
    signatures: isReadable ? report.signatures.map((signature, i) => signatureView(signature, i, record.known, wording)) : [],
  }
}

async function page(visit: Visit, errors: ValidationError[], verification: VerificationView | undefined) {
  const { name } = await readOrganisation(visit.app.db)
  return (
    <VerifyPage
      context={visit.context(visit.texts.verify.title)}
      user={visit.session && signedInUser(visit, '/verify')}
      csrf={visit.csrf}
      organisation={name}
      errors={errors}
      verification={verification}
    />
  )
}

type Result = Awaited<ReturnType<typeof runFormAction<Verification>>>

async function resultPage(visit: Visit, result: Result): Promise<PageResponse> {
  if ('errors' in result) return { html: await page(visit, result.errors, undefined), status: result.status }
  const { timeZone } = await readOrganisation(visit.app.db)
  const { texts, language, file } = visit
  const wording = {
    texts: texts.verify,
    translate: texts.errors,
    time: (moment: Date) => readableTime(moment, timeZone, language),
  }
  return { html: await page(visit, [], verificationView(result.done, file?.name ?? 'file', wording)) }
}

/** The form names a file that is too large, with the limit in megabytes. */
function ofFile({ app }: Visit, refusal: Refusal): Refusal {
  if (refusal.reason !== 'payload_too_large') return refusal
  const most = Math.floor(verifiableBytes(app) / 1_000_000)
  return new Refusal('validation_failed', refusal.message, [
    { path: 'file', message: `has more than ${most} MB, the most that is verified here; use signet verify for it` },
  ])
}

export const verifyPages: PageRoute[] = [
  { method: 'GET', path: '/verify', access: 'public', run: async visit => ({ html: await page(visit, [], undefined) }) },
  {
    method: 'POST',
    path: '/verify',
    access: 'public',
    upload: verifiableBytes,
    isToDisk: true,
    admit: ({ app, client }) =>
      countAttempt(app, 'verify', client.ip, 'Too many files were verified from this address. Please wait a minute.'),
    refused: async (visit, refusal) => resultPage(visit, await runFormAction(() => Promise.reject(ofFile(visit, refusal)))),
    run: async visit =>
      resultPage(
        visit,
        await runFormAction(async () => {
          const { app, file } = visit
          if (!file?.onDisk) throw validationRefusal([{ path: 'file', message: 'must be chosen first' }])
          return verifyUpload(app, file.onDisk, undefined)
        }),
      ),
  },
]
