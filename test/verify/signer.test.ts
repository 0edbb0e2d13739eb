/** Expired and revoked certificates, with and without a proven time. EN 319 102-1 §5.5.4. */
import { describe, expect, test } from 'bun:test'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { describeReport } from '../../src/verify/describe.ts'
import type { SignatureReport } from '../../src/verify/report.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { later, reportOf, sealed, stampedAt, timestamped } from './long-term.ts'
import { allReasons } from './reports.ts'
import { testTsa } from './tokens.ts'

const afterItsEnd = async () => new Date(readCertificate((await sharedAuthority()).leaf.certificateDer).notAfter.getTime() + 1000)

type LocalizedMessage = Pick<SignatureReport<string>, 'trust' | 'indication' | 'subIndication'>
const PASSED: LocalizedMessage = { trust: 'trusted', indication: 'TOTAL-PASSED', subIndication: undefined }

describe('a certificate that has expired since', () => {
  const EXPIRED: LocalizedMessage = { trust: 'expired', indication: 'INDETERMINATE', subIndication: 'OUT_OF_BOUNDS_NO_POE' }

  test('leaves the signer open without a proven time, whatever time the signer claims', async () => {
    const now = await afterItsEnd()
    const report = await reportOf(await sealed(), { now })
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [{ ...EXPIRED, integrity: 'intact' }] })
    expect(allReasons(report)).toContain('no trusted time-stamp shows that the signature was made before')
    expect(await reportOf(await sealed(), { now: later(1) })).toMatchObject({ verdict: 'valid', signatures: [PASSED] })
  })

  test('does not matter after an earlier trusted time-stamp', async () => {
    const now = await afterItsEnd()
    const proven = { provenAt: later(1).toISOString() }
    const lasting = testTsa(later(0), 'Lasting', 7 * 365)
    const authorities = [lasting]
    expect(await reportOf(await sealed(stampedAt(later(1), lasting)), { now, authorities })).toMatchObject({
      verdict: 'valid',
      signatures: [{ ...PASSED, level: 'B-T', time: proven }],
    })
    expect(await reportOf(timestamped(await sealed(), later(1), lasting), { now, authorities })).toMatchObject({
      verdict: 'valid',
      signatures: [{ ...PASSED, time: proven }, {}],
    })
  })

  test('is reported with the certificates to give if the time-stamp authority is unknown', async () => {
    const now = await afterItsEnd()
    const report = await reportOf(await sealed(stampedAt(later(1))), { now, trustsTime: false })
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [{ ...EXPIRED, level: 'B-B' }] })
    const [first] = describeReport(report).split('\n')
    expect(first).toStartWith('UNCHANGED, SIGNER NOT KNOWN: The certificate CN=')
    expect(first).toEndWith('give the certificates of their authorities with --trust-time FILE.')
  })
})

describe('a certificate that was not yet valid', () => {
  test('at the claimed time leaves the signer open', async () => {
    const early = (text: string) => text.replace('D:2031', 'D:2030')
    expect(await reportOf(await sealed(undefined, { dictionary: early }))).toMatchObject({
      verdict: 'signer-unknown',
      signatures: [{ trust: 'unknown', indication: 'INDETERMINATE', subIndication: 'OUT_OF_BOUNDS_NO_POE' }],
    })
  })

  test('at the proven time makes the signature fail', async () => {
    const { root } = await sharedAuthority()
    const authority = testTsa(later(-200))
    const bytes = await sealed(stampedAt(later(-100), authority))
    const trust = [readCertificate(root.certificateDer)]
    expect(verifyBytes(bytes, trust, [readCertificate(authority.root)], { now: later(24) })).toMatchObject({
      verdict: 'not-valid',
      signatures: [{ indication: 'TOTAL-FAILED', subIndication: 'NOT_YET_VALID' }],
    })
  })
})

describe('a certificate that is revoked by a list outside the file', () => {
  const listed = async (at: Date) => {
    const { root, leaf } = await sharedAuthority()
    const revoked = [{ serial: readCertificate(leaf.certificateDer).serial, revokedAt: at, reason: 1 }]
    return [issueRevocationList({ root, thisUpdate: later(3), nextUpdate: later(700), number: 2, revoked })]
  }
  const REVOKED: LocalizedMessage = { trust: 'revoked', indication: 'INDETERMINATE', subIndication: 'REVOKED_NO_POE' }

  test('leaves the signer open without a proven time', async () => {
    const report = await reportOf(await sealed(), { revocationLists: await listed(later(2)) })
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [{ ...REVOKED, integrity: 'intact' }] })
  })

  test('leaves the signer open if the time-stamp is later', async () => {
    const report = await reportOf(await sealed(stampedAt(later(2))), { revocationLists: await listed(later(1)) })
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [REVOKED] })
  })

  test('is only a note after an earlier trusted time-stamp', async () => {
    const report = await reportOf(await sealed(stampedAt(later(1))), { revocationLists: await listed(later(2)) })
    expect(report).toMatchObject({ verdict: 'valid', signatures: [PASSED] })
    expect(report.signatures[0]?.levelNotes.join(' ')).toContain('after the time-stamped time of the signature')
  })

  test('does not count if another authority signed the list', async () => {
    const { leaf } = await sharedAuthority()
    const { root } = await sharedAuthority('ec-p256', 'theirs')
    const revoked = [{ serial: readCertificate(leaf.certificateDer).serial, revokedAt: later(1), reason: 1 }]
    const list = issueRevocationList({ root, thisUpdate: later(3), nextUpdate: later(700), number: 2, revoked })
    expect(await reportOf(await sealed(), { revocationLists: [list] })).toMatchObject({ verdict: 'valid' })
  })
})
