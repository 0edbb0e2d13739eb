/** The public page that verifies a PDF: whether it is valid, who signed it and when, what was changed since, and what to do. Nothing is kept. */
import { type SignatureShown, type VerificationShown, VerifyPage } from '../../../views/pages/verify.tsx'
import { validationRefusal } from '../../core/refusal.ts'
import { type Verification, verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { readableTime } from '../../lib/clock-format.ts'
import type { SignerTrust } from '../../pki/finding.ts'
import { organisation } from '../../settings/organisation.ts'
import type { Integrity, SignatureReport, UnreadableReport, Verdict, VerificationReport } from '../../verify/report.ts'
import { countAttempt } from '../limits.ts'
import { type PageRoute, runFormAction, signedInUser, type Visit } from '../page.tsx'

/** What a verdict means to somebody who knows nothing of signatures, and what to do. `signer`: the name in the certificate. */
interface Words {
  tone: VerificationShown['tone']
  heading: string
  meaning(signer: string): string[]
}

const ASK_AGAIN = 'Ask the sender for the original file, and do not rely on this one before you know what happened.'

const VERDICTS: Record<Exclude<Verdict, 'signer-unknown' | 'not-signed'>, Words> = {
  valid: {
    tone: 'good',
    heading: 'Valid',
    meaning: signer => [`Nothing in this file was changed since it was signed. The signer, ${signer}, is known here.`],
  },
  'not-valid': {
    tone: 'bad',
    heading: 'Not valid',
    meaning: () => [`This file was changed after it was signed, or a signature in it is false. ${ASK_AGAIN}`],
  },
  'not-checked': {
    tone: 'caution',
    heading: 'Not checked',
    meaning: () => [
      'A signature in this file is of a kind that is not supported here, or too weak to prove anything. Nothing is known against the file.',
      'Another program may be able to check it. Below stands what is missing.',
    ],
  },
  unreadable: {
    tone: 'caution',
    heading: 'Cannot be read',
    meaning: () => [
      'This is no PDF, or it is damaged or protected by a password. Download it again, or ask the sender for it again.',
    ],
  },
}

const UNCHANGED = 'Nothing in this file was changed since it was signed.'

const UNTRUSTED: Record<Exclude<SignerTrust, 'trusted'>, Words> = {
  unknown: {
    tone: 'caution',
    heading: 'Unchanged, but the signer is not known',
    meaning: signer => [
      `${UNCHANGED} But this service cannot tell who signed it: it does not know the certificate, which names ${signer}, and anybody can make a certificate with any name.`,
      'Ask the signer, in a way you already trust, for the fingerprint of the certificate. Compare it with the one in the technical details below.',
    ],
  },
  revoked: {
    tone: 'caution',
    heading: 'Unchanged, but the certificate was revoked',
    meaning: signer => [
      `${UNCHANGED} But the certificate of ${signer} was withdrawn, and nothing proves that the signature was made before.`,
      'Ask the signer whether the file is genuine.',
    ],
  },
  expired: {
    tone: 'caution',
    heading: 'Unchanged, but the certificate has expired',
    meaning: signer => [
      `${UNCHANGED} But the certificate of ${signer} has ended, and no trusted time-stamp proves that the signature was made before.`,
      'Ask the signer whether the file is genuine.',
    ],
  },
}

const UNSIGNED: Words = {
  tone: 'caution',
  heading: 'Not signed',
  meaning: () => [
    'Nothing shows who made this file, or whether it was changed. A picture of a signature on a page does not protect a file.',
  ],
}
const ONLY_STAMPED: Words = {
  tone: 'caution',
  heading: 'Not signed, only time-stamped',
  meaning: () => ['A time-stamp shows when a file existed. It does not show who made it.'],
}

function wordsOf(report: VerificationReport | UnreadableReport): Words {
  if (report.verdict === 'not-signed') return report.signatures.length === 0 ? UNSIGNED : ONLY_STAMPED
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
  trusted: 'Known here',
  unknown: 'Not known here',
  revoked: 'Revoked',
  expired: 'Expired',
}

type Facts = SignatureShown['facts']

function timeFacts({ kind, time }: SignatureReport, timeZone: string): Facts {
  const readable = (text: string) => readableTime(new Date(text), timeZone)
  const { timestamp, claimedAt } = time
  const facts: Facts = []
  if (timestamp) {
    const { at, authority, trusted } = timestamp
    facts.push(['Time-stamp', `${readable(at)}, by ${authority}${trusted ? '' : ', which is not known here'}`])
  }
  if (claimedAt && kind === 'signature') facts.push(['Time by the signer’s own clock', readable(claimedAt)])
  return facts
}

function signatureShown(signature: SignatureReport, index: number, timeZone: string): SignatureShown {
  const { kind, signer, level, indication, subIndication, certificateSha256 } = signature
  return {
    heading: `${kind === 'signature' ? 'Signature' : 'Document time-stamp'} ${index + 1}`,
    facts: [
      [kind === 'signature' ? 'Signed by' : 'Made by', signer || 'unknown'],
      ['What was signed', INTEGRITY[signature.integrity]],
      ['Certificate', TRUST[signature.trust]],
      ...timeFacts(signature, timeZone),
    ],
    details: [
      ['Fingerprint of the certificate (SHA-256)', certificateSha256 || 'none'],
      ['Result (ETSI EN 319 102-1)', subIndication ? `${indication}, ${subIndication}` : indication],
      ...(kind === 'signature' ? ([['Level', level ? `PAdES ${level}` : 'no PAdES baseline signature']] as Facts) : []),
      ['Field', signature.field || 'none'],
    ],
    reasonsHeading:
      kind === 'document-timestamp' && indication === 'INDETERMINATE' ? 'Why it does not count' : 'What speaks against it',
    reasons: signature.reasons,
    notes: signature.levelNotes,
  }
}

function signerOf(report: VerificationReport | UnreadableReport): string {
  if (report.verdict === 'unreadable') return ''
  const names = report.signatures.filter(({ kind }) => kind === 'signature').map(({ signer }) => `“${signer || 'nobody'}”`)
  return [...new Set(names)].join(', ')
}

function verificationShown({ report, record }: Verification, fileName: string, timeZone: string): VerificationShown {
  const isReadable = report.verdict !== 'unreadable'
  const { tone, heading, meaning } = wordsOf(report)
  return {
    tone,
    heading,
    meaning: meaning(signerOf(report)),
    fileName,
    record: record.known
      ? `Exactly this file was sealed here. The document was completed on ${readableTime(record.completedAt, timeZone)}.`
      : 'Exactly this file was not sealed here.',
    reasons: isReadable ? report.reasons : [`It cannot be read: ${report.reason}.`],
    additions: isReadable ? report.additions : [],
    signatures: isReadable ? report.signatures.map((signature, i) => signatureShown(signature, i, timeZone)) : [],
  }
}

async function page(visit: Visit, errors: { path: string; message: string }[], verification: VerificationShown | undefined) {
  const { name } = await organisation(visit.app.db)
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

export const verifyPages: PageRoute[] = [
  { method: 'GET', path: '/verify', access: 'public', run: async visit => ({ html: await page(visit, [], undefined) }) },
  {
    method: 'POST',
    path: '/verify',
    access: 'public',
    upload: verifiableBytes,
    isToDisk: true,
    run: async visit => {
      const { app, file, client } = visit
      const result = await runFormAction(async () => {
        countAttempt(app, 'verify', client.ip, 'Too many files were verified from this address. Please wait a minute.')
        if (!file?.onDisk) throw validationRefusal([{ path: 'file', message: 'must be chosen before it can be verified' }])
        return verifyUpload(app, file.onDisk, undefined)
      })
      if ('errors' in result) return { html: await page(visit, result.errors, undefined), status: result.status }
      const { timeZone } = await organisation(app.db)
      return { html: await page(visit, [], verificationShown(result.done, file?.name ?? 'file', timeZone)) }
    },
  },
]
