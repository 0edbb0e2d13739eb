/** The verdict on a file: what follows from its signatures and from what speaks against the file as a whole. Examines nothing itself. */
import type { SignatureReport, SubIndication, Verdict } from '../pdf/order.ts'

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

/** The verdict on a file that holds a signature. `reasons` speak against the file as a whole; sentences. */
export function verdictOf(reasons: readonly string[], all: readonly SignatureReport[]): Exclude<Verdict, 'unreadable'> {
  if (reasons.length > 0) return 'not-valid'
  if (all.some(({ indication }) => indication === 'TOTAL-FAILED')) return 'not-valid'
  const open = all.filter(({ indication }) => indication === 'INDETERMINATE')
  if (open.some(({ subIndication }) => !ABOUT_TRUST.has(subIndication))) return 'not-checked'
  // A time-stamp whose authority is not known only lowers the level.
  return open.some(({ kind }) => kind === 'signature') ? 'signer-unknown' : 'valid'
}
