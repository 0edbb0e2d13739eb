/** Reports of the verifier, and what tests expect of them. */
import { expect } from 'bun:test'
import { readCertificate } from '../../src/pki/x509.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'

/** `trust`: certificates, DER. */
export function reportOf(bytes: Uint8Array, ...trust: Uint8Array[]): VerificationReport<string> {
  const report = verifyBytes(bytes, trust.map(readCertificate))
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  return report
}

/** Trusts the shared authorities of these names. */
export async function reportByShared(bytes: Uint8Array, names = ['ours']): Promise<VerificationReport<string>> {
  const authorities = await Promise.all(names.map(name => sharedAuthority('ec-p256', name)))
  return reportOf(bytes, ...authorities.map(({ root }) => root.certificateDer))
}

export const allReasons = (report: VerificationReport<string>): string =>
  [...report.reasons, ...report.signatures.flatMap(one => one.reasons)].join('\n')

export function expectRefused(report: VerificationReport<string>, reason: RegExp | string): void {
  expect(report.verdict).toBe('not-valid')
  expect(allReasons(report)).toMatch(reason)
}
