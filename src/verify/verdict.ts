/** The verdict on a file: what follows from its signatures and from what speaks against the file as a whole. Examines nothing itself. */

import type { SubIndication } from '../pki/finding.ts'
import type { SignatureReport, Verdict } from './report.ts'

/** The exit code of `signet verify`; misuse of the command is 2 as well. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  valid: 0,
  'not-valid': 1,
  unreadable: 2,
  'signer-unknown': 4,
  'not-signed': 5,
  'not-checked': 6,
}

/** What leaves nothing open but the trust in a signer or in a time-stamp authority. */
const ABOUT_TRUST = new Set<SubIndication | undefined>([
  'NO_CERTIFICATE_CHAIN_FOUND',
  'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'CHAIN_CONSTRAINTS_FAILURE',
  'OUT_OF_BOUNDS_NO_POE',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
])

/** Something of the signature itself is open, not only who is behind it. */
export const isUnchecked = ({ indication, subIndication }: SignatureReport): boolean =>
  indication === 'INDETERMINATE' && !ABOUT_TRUST.has(subIndication)

/** The verdict on a file that holds a signature. `reasons` speak against the file as a whole; sentences. */
export function verdictOf(reasons: readonly string[], all: readonly SignatureReport[]): Exclude<Verdict, 'unreadable'> {
  if (reasons.length > 0) return 'not-valid'
  if (all.some(({ indication }) => indication === 'TOTAL-FAILED')) return 'not-valid'
  if (all.some(isUnchecked)) return 'not-checked'
  // A time-stamp whose authority is not known only lowers the level.
  const isOpen = ({ kind, indication }: SignatureReport) => kind === 'signature' && indication === 'INDETERMINATE'
  return all.some(isOpen) ? 'signer-unknown' : 'valid'
}
