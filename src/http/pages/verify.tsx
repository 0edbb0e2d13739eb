/** Verify: anybody hands in a PDF and reads whether it is sound, who sealed it and when, and what was changed since. Nothing is kept. */
import { type Judgement, type SignatureShown, VerifyPage } from '../../../views/pages/verify.tsx'
import { refuseFaults } from '../../core/refusal.ts'
import { type Verification, verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { readableTime } from '../../lib/clock-format.ts'
import type { SignatureReport } from '../../pdf/order.ts'
import { organisation } from '../../settings/organisation.ts'
import { countAttempt } from '../limits.ts'
import { orFaults, type PageRoute, type Visit } from '../page.tsx'

const SENTENCES: Record<Judgement['verdict'], string> = {
  sound: 'This file is sound: it is unchanged since it was sealed, and the seal comes from a trusted certificate.',
  'not sound': 'This file is not sound. Do not rely on it before you know why.',
  'not signed': 'This file is not signed: nothing shows who made it or that it is unchanged.',
  unreadable: 'This file cannot be judged.',
}

function verdictOf({ report }: Verification): Judgement['verdict'] {
  if ('unreadable' in report) return 'unreadable'
  if (report.sound) return 'sound'
  return report.signatures.length === 0 ? 'not signed' : 'not sound'
}

function signatureShown(signature: SignatureReport, index: number, timeZone: string): SignatureShown {
  const time = (text: string) => readableTime(new Date(text), timeZone)
  const { timeStamp, claimedAt, level } = signature
  const facts: [string, string][] = [
    ['By', signature.signer || 'unknown'],
    ['The signed bytes', signature.integrity === 'sound' ? 'are unchanged' : 'are not the ones that were signed'],
    ['The certificate', signature.origin === 'trusted' ? 'is trusted here' : 'is not trusted here'],
    ...(timeStamp
      ? [
          ['Time', `${time(timeStamp.at)}, by ${timeStamp.authority}${timeStamp.trusted ? '' : ' (not trusted here)'}`] as [
            string,
            string,
          ],
        ]
      : claimedAt
        ? [['Time', `${time(claimedAt)}, by the signer’s own clock`] as [string, string]]
        : []),
    ...(level ? [['Level', `PAdES ${level}`] as [string, string]] : []),
    ['Fingerprint of the certificate', signature.certificateSha256],
  ]
  const what = signature.kind === 'signature' ? 'Signature' : 'Document time-stamp'
  return { heading: `${what} ${index + 1}`, facts, reasons: signature.reasons }
}

function judgementOf(verification: Verification, fileName: string, timeZone: string): Judgement {
  const { report, record } = verification
  const verdict = verdictOf(verification)
  const isReadable = !('unreadable' in report)
  return {
    verdict,
    sentence: SENTENCES[verdict],
    fileName,
    record: record.known
      ? `Exactly this file was sealed here; the document was completed on ${readableTime(record.completedAt, timeZone)}.`
      : 'The record of this service does not hold exactly this file.',
    reasons: isReadable ? report.reasons : [`It cannot be read: ${report.unreadable}.`],
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
        return verifyUpload(app, file?.bytes ?? new Uint8Array(), undefined)
      })
      if ('faults' in result) return { html: await page(visit, result.faults, undefined), status: result.status }
      const { timeZone } = await organisation(app.db)
      return { html: await page(visit, [], judgementOf(result.done, file?.name ?? 'file', timeZone)) }
    },
  },
]
