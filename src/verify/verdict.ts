/** Derives the verdict on a file from its signatures and other problems. */
import type { Remark } from '../locales/remarks.ts'
import type { SubIndication } from '../pki/finding.ts'
import type { SignatureReport, Verdict, VisibleChange } from './report.ts'

/** Exit codes of `signet verify`. Misuse of the command is 2 as well. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  valid: 0,
  'not-valid': 1,
  unreadable: 2,
  'valid-changed': 3,
  'signer-unknown': 4,
  'not-signed': 5,
  'not-checked': 6,
}

/** With these, only the trust in a signer or a time-stamp authority is undetermined. */
const TRUST_SUB_INDICATIONS = new Set<SubIndication | undefined>([
  'NO_CERTIFICATE_CHAIN_FOUND',
  'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'CHAIN_CONSTRAINTS_FAILURE',
  'OUT_OF_BOUNDS_NO_POE',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
])

/** Something about the signature itself is undetermined, not only the trust in its signer. */
export const isUnchecked = ({ indication, subIndication }: Pick<SignatureReport, 'indication' | 'subIndication'>): boolean =>
  indication === 'INDETERMINATE' && !TRUST_SUB_INDICATIONS.has(subIndication)

/** For a signed file. `reasons` are its problems; `changes` follow a signature. */
export function deriveVerdict(
  reasons: readonly Remark[],
  signatures: readonly SignatureReport[],
  changes: readonly VisibleChange[],
): Exclude<Verdict, 'unreadable'> {
  if (reasons.length > 0) return 'not-valid'
  if (signatures.some(({ indication }) => indication === 'TOTAL-FAILED')) return 'not-valid'
  if (signatures.some(isUnchecked)) return 'not-checked'
  // An unknown time-stamp authority only lowers the level.
  const isOpen = ({ kind, indication }: SignatureReport) => kind === 'signature' && indication === 'INDETERMINATE'
  if (signatures.some(isOpen)) return 'signer-unknown'
  return changes.length === 0 ? 'valid' : 'valid-changed'
}
