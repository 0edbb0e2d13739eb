/** Findings of a validation, their indications and the overall result. EN 319 102-1 §5.1.3. */
import type { Remark } from '../locales/remarks.ts'

/** Whether a certification path leads to a trusted certificate, and if not, why. */
export type SignerTrust = 'trusted' | 'unknown' | 'revoked' | 'expired'

/** EN 319 102-1 §5.1.3, table 5. */
export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'

/** EN 319 102-1 §5.1.3, table 6: the ones this product uses. */
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
  /** Not in the standard: the signature uses something this product does not support. */
  | 'CUSTOM'

export interface Finding {
  indication: Exclude<Indication, 'TOTAL-PASSED'>
  subIndication: SubIndication
  /** A sentence. */
  remark: Remark
  /** The resulting trust in the signer; undefined when the finding is not about the signer. */
  trust: Exclude<SignerTrust, 'trusted'> | undefined
}

export const newFailure = (subIndication: SubIndication, remark: Remark): Finding => ({
  indication: 'TOTAL-FAILED',
  subIndication,
  remark,
  trust: undefined,
})

/** A reason not to trust the signer. */
export const newTrustFinding = (subIndication: SubIndication, remark: Remark, trust: Finding['trust'] = 'unknown'): Finding => ({
  indication: 'INDETERMINATE',
  subIndication,
  remark,
  trust,
})

/** A problem with the form or the algorithms of the signature, independent of the signer. */
export const newSignatureFinding = (subIndication: SubIndication, remark: Remark): Finding => ({
  indication: 'INDETERMINATE',
  subIndication,
  remark,
  trust: undefined,
})

/** A missing path takes precedence: nothing is known about a certificate without one. */
export function deriveTrust(findings: readonly Finding[]): SignerTrust {
  const order = ['unknown', 'revoked', 'expired'] as const
  return order.find(trust => findings.some(finding => finding.trust === trust)) ?? 'trusted'
}

/** The first failure decides, then the first finding on the signature, then on its signer. */
export function deriveIndication(findings: readonly Finding[]): {
  indication: Indication
  subIndication: SubIndication | undefined
} {
  const trust = deriveTrust(findings)
  const first =
    findings.find(({ indication }) => indication === 'TOTAL-FAILED') ??
    findings.find(finding => finding.trust === undefined) ??
    findings.find(finding => finding.trust === trust)
  return { indication: first?.indication ?? 'TOTAL-PASSED', subIndication: first?.subIndication }
}
