/** Verify: anybody hands in a PDF and reads whether it is sound, who sealed it and when, and what was changed since. Nothing is kept. */
import { type Judgement, type SignatureShown, VerifyPage } from '../../../views/pages/verify.tsx'
import { refuseFaults } from '../../core/refusal.ts'
import { type Verification, verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { readableTime } from '../../lib/clock-format.ts'
import type { Integrity, SignatureReport, SignerTrust, Verdict } from '../../pdf/order.ts'
import { organisation } from '../../settings/organisation.ts'
import { countAttempt } from '../limits.ts'
import { orFaults, type PageRoute, type Visit } from '../page.tsx'

const SENTENCES: Record<Verdict, string> = {
  valid: 'This file is valid: it is unchanged since it was signed, and the signer is known here.',
  'not-valid': 'This file is not valid. Do not rely on it before you know why.',
  'signer-unknown': 'This file is unchanged since it was signed, but nothing here shows who signed it.',
  'not-signed': 'This file is not signed: nothing shows who made it.',
  'not-checked': 'This file could not be checked completely.',
  unreadable: 'This file cannot be read.',
}

const INTEGRITY: Record<Integrity, string> = {
  intact: 'are unchanged',
  broken: 'are not the ones that were signed',
  'not-checked': 'could not be checked',
}

const TRUST: Record<SignerTrust, string> = {
  trusted: 'is trusted here',
  unknown: 'is not known here',
  revoked: 'was revoked',
  expired: 'had expired',
}

function timeFacts({ time }: SignatureReport, timeZone: string): [string, string][] {
  const readable = (text: string) => readableTime(new Date(text), timeZone)
  const { timestamp, claimedAt } = time
  if (timestamp)
    return [['Time', `${readable(timestamp.at)}, by ${timestamp.authority}${timestamp.trusted ? '' : ' (not trusted here)'}`]]
  return claimedAt ? [['Time', `${readable(claimedAt)}, by the signer’s own clock`]] : []
}

function signatureShown(signature: SignatureReport, index: number, timeZone: string): SignatureShown {
  const { level } = signature
  const facts: [string, string][] = [
    ['By', signature.signer || 'unknown'],
    ['The signed bytes', INTEGRITY[signature.integrity]],
    ['The certificate', TRUST[signature.trust]],
    ...timeFacts(signature, timeZone),
    ...(level ? [['Level', `PAdES ${level}`] as [string, string]] : []),
    ['Fingerprint of the certificate', signature.certificateSha256],
  ]
  const what = signature.kind === 'signature' ? 'Signature' : 'Document time-stamp'
  return { heading: `${what} ${index + 1}`, facts, reasons: signature.reasons }
}

function judgementOf(verification: Verification, fileName: string, timeZone: string): Judgement {
  const { report, record } = verification
  const { verdict } = report
  const isReadable = report.verdict !== 'unreadable'
  return {
    isValid: verdict === 'valid',
    sentence: SENTENCES[verdict],
    fileName,
    record: record.known
      ? `Exactly this file was sealed here; the document was completed on ${readableTime(record.completedAt, timeZone)}.`
      : 'The record of this service does not hold exactly this file.',
    reasons: isReadable ? report.reasons : [`It cannot be read: ${report.reason}.`],
    additions: isReadable ? report.additions : [],
    signatures: isReadable ? report.signatures.map((signature, i) => signatureShown(signature, i, timeZone)) : [],
  }
}

async function page(visit: Visit, faults: { path: string; message: string }[], judgement: Judgement | undefined) {
  const { name } = await organisation(visit.app.db)
  return <VerifyPage frame={visit.frame('Verify')} csrf={visit.csrf} organisation={name} faults={faults} judgement={judgement} />
}

export const verifyPages: PageRoute[] = [
  { method: 'GET', path: '/verify', access: 'public', run: async visit => ({ html: await page(visit, [], undefined) }) },
  {
    method: 'POST',
    path: '/verify',
    access: 'public',
    upload: verifiableBytes,
    run: async visit => {
      const { app, file, whence } = visit
      const result = await orFaults(async () => {
        countAttempt(app, 'verify', whence.ip, 'Too many files were verified from this address. Please wait a minute.')
        if (!file) refuseFaults([{ path: 'file', message: 'must be chosen before it can be verified' }])
        const upload = await app.storage.writeTemporary(file?.bytes ?? new Uint8Array())
        try {
          return await verifyUpload(app, upload, undefined)
        } finally {
          await app.storage.discard(upload.path)
        }
      })
      if ('faults' in result) return { html: await page(visit, result.faults, undefined), status: result.status }
      const { timeZone } = await organisation(app.db)
      return { html: await page(visit, [], judgementOf(result.done, file?.name ?? 'file', timeZone)) }
    },
  },
]
