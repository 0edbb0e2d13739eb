/** The public page that verifies a PDF and explains the result. The file is not kept. */
import { type SignatureView, type VerificationView, VerifyPage } from '../../../views/pages/verify.tsx'
import { type ValidationError, validationRefusal } from '../../core/refusal.ts'
import { type Verification, verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { readableTime } from '../../lib/clock-format.ts'
import type { SignerTrust } from '../../pki/finding.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { Integrity, SignatureReport, UnreadableReport, Verdict, VerificationReport } from '../../verify/report.ts'
import { countAttempt } from '../limits.ts'
import { type PageResponse, type PageRoute, runFormAction, signedInUser, type Visit } from '../page.tsx'

/** A verdict in plain language. `signer`: the name in the certificate. */
interface Explanation {
  tone: VerificationView['tone']
  heading: string
  meaning(signer: string): string[]
}

const ASK_AGAIN = 'Ask the sender for the original file, and do not rely on this one until you know what happened.'

const VERDICTS: Record<Exclude<Verdict, 'signer-unknown' | 'not-signed'>, Explanation> = {
  valid: {
    tone: 'good',
    heading: 'Valid',
    meaning: signer => [
      `Nothing in this file was changed after it was signed. The signer’s certificate, ${signer}, is trusted here.`,
    ],
  },
  'not-valid': {
    tone: 'bad',
    heading: 'Not valid',
    meaning: () => [`This file was changed after it was signed, or a signature in it is not genuine. ${ASK_AGAIN}`],
  },
  'not-checked': {
    tone: 'caution',
    heading: 'Not checked',
    meaning: () => [
      'A signature in this file cannot be checked here, or uses an algorithm that is too weak. This does not mean that the file was changed.',
      'Another program may be able to check it. The reasons are listed below.',
    ],
  },
  unreadable: {
    tone: 'caution',
    heading: 'The file cannot be read',
    meaning: () => [
      'The file is not a PDF, or it is damaged or protected by a password. Download it again, or ask the sender to send it again.',
    ],
  },
}

const UNCHANGED = 'Nothing in this file was changed after it was signed.'

const UNTRUSTED: Record<Exclude<SignerTrust, 'trusted'>, Explanation> = {
  unknown: {
    tone: 'caution',
    heading: 'Unchanged, but the signer is unknown',
    meaning: signer => [
      `${UNCHANGED} But the certificate, which names ${signer}, is not trusted here. Anybody can create a certificate with any name.`,
      'Ask the signer for the fingerprint of the certificate, for example by telephone. Compare it with the fingerprint in the technical details below.',
    ],
  },
  revoked: {
    tone: 'caution',
    heading: 'Unchanged, but the certificate was revoked',
    meaning: signer => [
      `${UNCHANGED} But the certificate of ${signer} was revoked, and nothing proves that the signature was made before that.`,
      'Ask the signer whether the file is genuine.',
    ],
  },
  expired: {
    tone: 'caution',
    heading: 'Unchanged, but the certificate has expired',
    meaning: signer => [
      `${UNCHANGED} But the certificate of ${signer} has expired, and no trusted time-stamp proves that the signature was made before that.`,
      'Ask the signer whether the file is genuine.',
    ],
  },
}

const UNSIGNED: Explanation = {
  tone: 'caution',
  heading: 'Not signed',
  meaning: () => [
    'This file has no electronic signature, so nothing shows who made it or whether it was changed. A picture of a signature does not protect a file.',
  ],
}
const ONLY_TIMESTAMPED: Explanation = {
  tone: 'caution',
  heading: 'Not signed, but time-stamped',
  meaning: () => ['A time-stamp proves when a file existed. It does not show who made it.'],
}

function explanationOf(report: VerificationReport | UnreadableReport): Explanation {
  if (report.verdict === 'not-signed') return report.signatures.length === 0 ? UNSIGNED : ONLY_TIMESTAMPED
  if (report.verdict !== 'signer-unknown') return VERDICTS[report.verdict]
  const open = report.signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  return UNTRUSTED[open === undefined || open.trust === 'trusted' ? 'unknown' : open.trust]
}

const INTEGRITY: Record<Integrity, string> = {
  intact: 'Unchanged',
  broken: 'Changed, or not the one that was signed',
  'not-checked': 'Could not be checked',
}

const TRUST: Record<SignerTrust, string> = {
  trusted: 'Trusted here',
  unknown: 'Not trusted here',
  revoked: 'Revoked',
  expired: 'Expired',
}

type Facts = SignatureView['facts']

function timeFacts({ kind, time }: SignatureReport, timeZone: string): Facts {
  const readable = (text: string) => readableTime(new Date(text), timeZone)
  const { timestamp, claimedAt } = time
  const facts: Facts = []
  if (timestamp) {
    const { at, authority, trusted } = timestamp
    facts.push(['Time-stamp', `${readable(at)}, by ${authority}${trusted ? '' : ', which is not trusted here'}`])
  }
  if (claimedAt && kind === 'signature') facts.push(['Time according to the signer', readable(claimedAt)])
  return facts
}

function signatureView(signature: SignatureReport, index: number, timeZone: string): SignatureView {
  const { kind, signer, level, indication, subIndication, certificateSha256 } = signature
  return {
    heading: `${kind === 'signature' ? 'Signature' : 'Document time-stamp'} ${index + 1}`,
    facts: [
      [kind === 'signature' ? 'Signed by' : 'Made by', signer || 'unknown'],
      ['Signed content', INTEGRITY[signature.integrity]],
      ['Certificate', TRUST[signature.trust]],
      ...timeFacts(signature, timeZone),
    ],
    details: [
      ['Fingerprint of the certificate (SHA-256)', certificateSha256 || 'none'],
      ['Result (ETSI EN 319 102-1)', subIndication ? `${indication}, ${subIndication}` : indication],
      ...(kind === 'signature' ? ([['Level', level ? `PAdES ${level}` : 'no PAdES baseline signature']] as Facts) : []),
      ['Field', signature.field || 'none'],
    ],
    reasonsHeading: kind === 'document-timestamp' && indication === 'INDETERMINATE' ? 'Why it is not trusted' : 'Problems',
    reasons: signature.reasons,
    notes: signature.levelNotes,
  }
}

function signerOf(report: VerificationReport | UnreadableReport): string {
  if (report.verdict === 'unreadable') return ''
  const names = report.signatures.filter(({ kind }) => kind === 'signature').map(({ signer }) => `“${signer || 'no name'}”`)
  return [...new Set(names)].join(', ')
}

function verificationView({ report, record }: Verification, fileName: string, timeZone: string): VerificationView {
  const isReadable = report.verdict !== 'unreadable'
  const { tone, heading, meaning } = explanationOf(report)
  return {
    tone,
    heading,
    meaning: meaning(signerOf(report)),
    fileName,
    record: record.known
      ? `Yes. The document was completed on ${readableTime(record.completedAt, timeZone)}.`
      : 'No, not in exactly this form.',
    reasons: isReadable ? report.reasons : [`The file cannot be read: ${report.reason}.`],
    additions: isReadable ? report.additions : [],
    signatures: isReadable ? report.signatures.map((signature, i) => signatureView(signature, i, timeZone)) : [],
  }
}

async function page(visit: Visit, errors: ValidationError[], verification: VerificationView | undefined) {
  const { name } = await readOrganisation(visit.app.db)
  return (
    <VerifyPage
      context={visit.context('Verify')}
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
  return { html: await page(visit, [], verificationView(result.done, visit.file?.name ?? 'file', timeZone)) }
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
    refused: async (visit, refusal) => resultPage(visit, await runFormAction(() => Promise.reject(refusal))),
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
