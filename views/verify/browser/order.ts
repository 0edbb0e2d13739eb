/** What the page asks the verifier in its worker, and what that answers: structured clones. */
import type { PackReport, UnreadablePack } from '../../../src/evidence/pack/report.ts'
import type { ReceiptReport, RefusedReceipt } from '../../../src/evidence/verify-receipt.ts'
import type { FileProblem } from '../../../src/locales/local-verify.ts'
import type { UnreadableReport, VerificationReport } from '../../../src/verify/report.ts'

/** Whose certificates count. PEM; `revocationLists`: DER in base64. */
export interface Trusted {
  trust: readonly string[]
  timestampTrust: readonly string[]
  revocationLists: readonly string[]
}

export const NO_TRUST: Trusted = { trust: [], timestampTrust: [], revocationLists: [] }

/** What a receipt is compared with. */
export interface Beside {
  /** The evidence pack of its document. */
  pack?: Uint8Array<ArrayBuffer>
  /** The sealed PDF. */
  sealed?: Uint8Array<ArrayBuffer>
}

interface FileOrder extends Trusted {
  bytes: Uint8Array<ArrayBuffer>
  /** The validation time, RFC 3339. */
  now: string
}

export type Order =
  | (FileOrder & { kind: 'pdf' })
  | (FileOrder & { kind: 'pack' })
  | (FileOrder & Beside & { kind: 'receipt' })
  | { kind: 'certificates'; bytes: Uint8Array<ArrayBuffer> }

export type Answer =
  | { kind: 'pdf'; report: VerificationReport | UnreadableReport }
  | { kind: 'pack'; report: PackReport | UnreadablePack; sha256: string }
  | { kind: 'receipt'; report: ReceiptReport | RefusedReceipt; sha256: string }
  /** PEM for signers; of a file with authorities beside them, theirs alone. */
  | { kind: 'certificates'; signers: string; all: string; names: string[]; isForTimestamps: boolean }
  | { kind: 'problem'; problem: FileProblem; detail?: string }

export type OrderKind = Order['kind']

/** By the first octets of a file; undefined for none that is verified here. */
export function kindOf(start: Uint8Array): OrderKind | undefined {
  const text = Array.from(start.subarray(0, 1024), octet => String.fromCharCode(octet)).join('')
  if (text.includes('%PDF-')) return 'pdf'
  // A local file header, or the end of an archive without files. APPNOTE §4.3
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return 'pack'
  // RFC 8551 §3.5.3: a signed statement.
  if (/^content-type: *multipart\/signed/im.test(text)) return 'receipt'
  // A SEQUENCE of DER whose length has two octets, as that of every certificate. X.690 §8.1.3
  return text.includes('-----BEGIN ') || text.startsWith('0\x82') ? 'certificates' : undefined
}
