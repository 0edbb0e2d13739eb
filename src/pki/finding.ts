/** What speaks against a signature, each with the indication and sub-indication of EN 319 102-1 §5.1.3. Decides which of several names the result. */

/** Whether a path leads to a certificate that was given as trusted, and why not. */
export type SignerTrust = 'trusted' | 'unknown' | 'revoked' | 'expired'

/** EN 319 102-1 §5.1.3, table 5. */
export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'

/** EN 319 102-1 §5.1.3, table 6: those that occur here. */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  /** A reason that the standard does not name: what is used is not supported here. */
  | 'CUSTOM'

export interface Objection {
  indication: Exclude<Indication, 'TOTAL-PASSED'>
  sub: SubIndication
  /** A sentence. */
  text: string
  /** What it makes of the trust in the signer; undefined where it says nothing of the signer. */
  trust: Exclude<SignerTrust, 'trusted'> | undefined
}

export const totalFailed = (sub: SubIndication, text: string): Objection => ({
  indication: 'TOTAL-FAILED',
  sub,
  text,
  trust: undefined,
})

/** An objection to trusting the signer. */
export const indeterminate = (sub: SubIndication, text: string, trust: Objection['trust'] = 'unknown'): Objection => ({
  indication: 'INDETERMINATE',
  sub,
  text,
  trust,
})

/** An objection to the form of the signature or to what it uses, which says nothing of the signer. */
export const constraint = (sub: SubIndication, text: string): Objection => ({
  indication: 'INDETERMINATE',
  sub,
  text,
  trust: undefined,
})

/** Trust in the signer. A path that is missing comes before what is wrong with a certificate that nobody knows. */
export function trustOf(objections: readonly Objection[]): SignerTrust {
  const order = ['unknown', 'revoked', 'expired'] as const
  return order.find(trust => objections.some(objection => objection.trust === trust)) ?? 'trusted'
}

/** Indication and sub-indication that follow: a failure first, then what cannot be determined of the signature, then of its signer. */
export function resultOf(objections: readonly Objection[]): { indication: Indication; subIndication: SubIndication | undefined } {
  const trust = trustOf(objections)
  const first =
    objections.find(({ indication }) => indication === 'TOTAL-FAILED') ??
    objections.find(objection => objection.trust === undefined) ??
    objections.find(objection => objection.trust === trust)
  return { indication: first?.indication ?? 'TOTAL-PASSED', subIndication: first?.sub }
}
