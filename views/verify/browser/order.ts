/** What the page asks the verifier in its worker, and what that answers: structured clones. */
import type { PackReport, UnreadablePack } from '../../../src/evidence/pack/report.ts'
import type { FileProblem } from '../../../src/locales/local-verify.ts'
import type { UnreadableReport, VerificationReport } from '../../../src/verify/report.ts'

/** Whose certificates count. PEM; `revocationLists`: DER in base64. */
export interface Trusted {
  trust: readonly string[]
  timestampTrust: readonly string[]
  revocationLists: readonly string[]
}

export const NO_TRUST: Trusted = { trust: [], timestampTrust: [], revocationLists: [] }

export type Order =
  | ({ kind: 'pdf' | 'pack'; bytes: Uint8Array<ArrayBuffer>; now: string } & Trusted)
  | { kind: 'certificates'; bytes: Uint8Array<ArrayBuffer> }

export type Answer =
  | { kind: 'pdf'; report: VerificationReport | UnreadableReport }
  | { kind: 'pack'; report: PackReport | UnreadablePack; sha256: string }
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
  // A SEQUENCE of DER whose length has two octets, as that of every certificate. X.690 §8.1.3
  return text.includes('-----BEGIN ') || text.startsWith('0\x82') ? 'certificates' : undefined
}
