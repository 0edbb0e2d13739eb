/** The levels of seals, the effect of revocations, and that no byte may change. */
import { describe, expect, test } from 'bun:test'
import { createSignedData } from '../../src/pades/cms.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { describeReport } from '../../src/verify/describe.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { ofTheTurn } from '../support/long.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import {
  type DssObjects,
  later,
  type Proofs,
  proofs,
  reportOf,
  sealed,
  stampedAt,
  timestamped,
  tsa,
  withDss,
} from './long-term.ts'
import { allReasons } from './reports.ts'
import { plainPdf, sealTiny } from './tiny-pdf.ts'
import { ocspResponse } from './tokens.ts'

describe('a seal whose CMS lacks a certificate', () => {
  const lacking = async (chainOf: (chain: readonly Uint8Array[]) => readonly Uint8Array[]) => {
    const { key } = await sharedAuthority()
    const cms = (digest: Uint8Array) => createSignedData({ digest, key: { ...key, chain: chainOf(key.chain) } })
    return sealTiny({ base: await plainPdf(), key, cms, contentsBytes: 4000 })
  }
  const verified = async (bytes: Uint8Array) => {
    const { root, leaf } = await sharedAuthority()
    return verifyBytes(
      bytes,
      [root, leaf].map(one => readCertificate(one.certificateDer)),
      [],
      { now: later(1) },
    )
  }

  test('the signer’s: is no B-B, and the report says who cannot verify it', async () => {
    const report = await verified(await lacking(chain => chain.slice(1)))
    expect(report).toMatchObject({ verdict: 'valid', signatures: [{ level: undefined }] })
    expect(describeReport(report)).toContain('The CMS lacks the certificate of its signer, which EN 319 142-1 §6.3 requires')
  })

  test('its issuer’s: is no B-B either', async () => {
    const report = await verified(await lacking(chain => chain.slice(0, 1)))
    expect(report).toMatchObject({ verdict: 'valid', signatures: [{ level: undefined }] })
    expect(describeReport(report)).toMatch(/The CMS lacks the certificate of the issuer CN=.*: whoever does not have it cannot/)
  })

  test('none: is B-B', async () => {
    expect(await verified(await lacking(chain => chain))).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-B' }] })
  })
})

describe('levels', () => {
  test('validation data for the whole chain makes it B-LT, and a document time-stamp over that B-LTA', async () => {
    const long = withDss(await sealed(stampedAt(later(1))), await proofs())
    expect(await reportOf(long)).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LT' }] })
    const report = await reportOf(timestamped(long, later(2)))
    expect(allReasons(report)).toBe('')
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [
        { kind: 'signature', level: 'B-LTA', coversWholeFile: false },
        {
          kind: 'document-timestamp',
          level: undefined,
          subFilter: 'ETSI.RFC3161',
          signer: 'Time Signer',
          coversWholeFile: true,
          integrity: 'intact',
          trust: 'trusted',
          time: { timestamp: { at: later(2).toISOString(), trusted: true } },
        },
      ],
    })
    expect(report.additions).toEqual([
      'Revision 3 added validation data (DSS): 4 certificates, 2 revocation lists.',
      'Revision 4 added the document time-stamp "Time-stamp".',
    ])
    expect(describeReport(report)).toStartWith('VALID: signed by ours Ωμέγα 株式会社 Seal (TEST), unchanged since.')
  })

  test('renewal: material and a document time-stamp may follow again and again', async () => {
    const long = withDss(await sealed(stampedAt(later(1))), await proofs())
    const once = timestamped(long, later(2))
    const again = timestamped(withDss(once, { lists: [tsa.list({ at: later(3) })] }), later(4))
    const report = await reportOf(again)
    expect(allReasons(report)).toBe('')
    expect(report).toMatchObject({ verdict: 'valid', revisions: 6, signatures: [{ level: 'B-LTA' }, {}, {}] })
    expect(report.additions).toHaveLength(4)
  })

  test.each<[string, (all: Proofs) => DssObjects, string]>([
    ['the list of the seal’s authority', ({ certificates, lists }) => ({ certificates, lists: lists.slice(1) }), 'Seal'],
    [
      'the list of the time-stamp’s authority',
      ({ certificates, lists }) => ({ certificates, lists: lists.slice(0, 1) }),
      'Time Signer',
    ],
  ])('without %s it stays B-T, and the note names what is missing', async (_, without, name) => {
    const bytes = withDss(await sealed(stampedAt(later(1))), without(await proofs()))
    const report = await reportOf(timestamped(bytes, later(2)))
    expect(report).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-T' }, {}] })
    expect(report.signatures[0]?.levelNotes.join('\n')).toMatch(
      new RegExp(`is incomplete. Missing: a proof that .*${name}.* was not revoked`),
    )
  })

  test('a time-stamp by a certificate that was revoked before proves nothing', async () => {
    const { certificates, lists } = await proofs()
    const list = tsa.list({ at: later(3), revokedAt: later(0.5), reason: 4 })
    const bytes = withDss(await sealed(stampedAt(later(1))), { certificates, lists: [...lists.slice(0, 1), list] })
    const report = await reportOf(timestamped(bytes, later(4)))
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [
        { level: 'B-B', time: { provenAt: undefined, timestamp: { trusted: false } }, reasons: [] },
        { trust: 'revoked' },
      ],
    })
    expect(allReasons(report)).toContain('was revoked on 2031-03-04T05:36:07.000Z, before the time of its token')
    const late = withDss(await sealed(stampedAt(later(1))), {
      certificates,
      lists: [...lists, tsa.list({ at: later(3), revokedAt: later(2), reason: 4 })],
    })
    expect(await reportOf(late)).toMatchObject({ verdict: 'valid', signatures: [{ time: { timestamp: { trusted: true } } }] })
  })

  test('an OCSP response serves like a list; one with status revoked does not', async () => {
    const { root, leaf } = await sharedAuthority()
    const { certificates, lists } = await proofs()
    const order = { issuer: root, certificate: leaf.certificateDer, at: later(1), until: later(700) }
    const dssWith = (response: Uint8Array): DssObjects => ({ certificates, lists: lists.slice(1), responses: [response] })
    const good = withDss(await sealed(stampedAt(later(1))), dssWith(ocspResponse(order)))
    expect(await reportOf(good)).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LT' }] })
    const bad = await reportOf(
      withDss(await sealed(stampedAt(later(1))), dssWith(ocspResponse({ ...order, revokedAt: later(0.5) }))),
    )
    expect(bad).toMatchObject({ verdict: 'signer-unknown', signatures: [{ trust: 'revoked', subIndication: 'REVOKED_NO_POE' }] })
    expect(allReasons(bad)).toContain('was revoked on')
    const theirs = (await sharedAuthority('ec-p256', 'theirs')).root
    const forged = ocspResponse({ ...order, issuer: { ...root, privateKeyPkcs8Der: theirs.privateKeyPkcs8Der } })
    const refused = await reportOf(withDss(await sealed(stampedAt(later(1))), dssWith(forged)))
    expect(refused).toMatchObject({ verdict: 'not-valid', signatures: [{ level: 'B-T' }] })
    expect(allReasons(refused)).toContain('by no authorised responder')
  })

  test('a list that expired before the time-stamp proves nothing', async () => {
    const { certificates, lists } = await proofs()
    const old = tsa.list({ at: later(-9), until: later(-8) })
    const bytes = withDss(await sealed(stampedAt(later(1))), { certificates, lists: [lists[0] ?? old, old] })
    expect(await reportOf(bytes)).toMatchObject({ signatures: [{ level: 'B-T' }] })
  })

  test('a document time-stamp does not cover later material', async () => {
    const bytes = withDss(timestamped(await sealed(stampedAt(later(1))), later(2)), await proofs())
    expect(await reportOf(bytes)).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LT' }, {}] })
  })

  test('a revocation before the time-stamped time leaves the signer open; a later one is only a note', async () => {
    const before = withDss(await sealed(stampedAt(later(1))), await proofs({ revokedAt: later(0.5) }))
    const refused = await reportOf(before)
    expect(refused).toMatchObject({ verdict: 'signer-unknown', signatures: [{ trust: 'revoked', indication: 'INDETERMINATE' }] })
    expect(allReasons(refused)).toContain(`was revoked on ${later(0.5).toISOString()}, before the time-stamped time`)
    const after = withDss(await sealed(stampedAt(later(1))), await proofs({ revokedAt: later(1.5) }))
    const revokedLater = await reportOf(after)
    expect(revokedLater).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LT' }] })
    expect(revokedLater.signatures[0]?.levelNotes.join('\n')).toContain(
      `was revoked on ${later(1.5).toISOString()}, after the time-stamped time`,
    )
    const claimed = await reportOf(after, { trustsTime: false })
    expect(claimed).toMatchObject({
      verdict: 'signer-unknown',
      signatures: [{ trust: 'revoked', subIndication: 'REVOKED_NO_POE' }],
    })
    expect(allReasons(claimed)).toContain('no trusted time-stamp shows that the signature was made before')
  })
})

describe('any single byte', () => {
  const WHITE = new Set([0, 9, 10, 12, 13, 32])

  /**
   * Changes every `step`th byte in three ways. Returns reports other than NOT VALID, with offsets.
   * Other white space in place of white space is not a change.
   */
  async function survivors(bytes: Buffer, { from = 0, step }: { from?: number; step: number }) {
    const trust = [readCertificate((await sharedAuthority()).root.certificateDer)]
    const found: { at: number; report: VerificationReport<string> }[] = []
    for (let at = from; at < bytes.length; at += step) {
      const was = bytes[at] ?? 0
      const others = [was ^ 0x01, was ^ 0x20, 0x41].filter(now => now !== was && !(WHITE.has(was) && WHITE.has(now)))
      for (const now of ofTheTurn(others, at)) {
        bytes[at] = now
        const report = verifyBytes(bytes, trust, [readCertificate(tsa.root)], { now: later(24) })
        if (report.verdict === 'not-valid') continue
        if (report.verdict === 'unreadable') throw new Error(`${at}: ${report.reason}`)
        found.push({ at, report: { ...report, sha256: '' } })
      }
      bytes[at] = was
    }
    return found
  }

  const places = (bytes: Buffer, found: readonly { at: number }[]) =>
    found.map(({ at }) => `${at}: ${bytes.toString('latin1', at - 20, at + 20)}`)

  test('changed in a B-T seal makes it not valid (every 7th byte)', async () => {
    const bytes = await sealed(stampedAt(later(1)), { contentsBytes: 3200 })
    expect(places(bytes, await survivors(bytes, { step: 7 }))).toEqual([])
  }, 120_000)

  test('changed in a B-LTA file makes it not valid (every 37th byte)', async () => {
    const bytes = timestamped(withDss(await sealed(stampedAt(later(1)), { contentsBytes: 3200 }), await proofs()), later(2))
    expect(places(bytes, await survivors(bytes, { step: 37 }))).toEqual([])
  }, 120_000)

  test('changed in uncovered validation data makes it not valid or leaves the report the same (every 5th byte)', async () => {
    const signed = await sealed(stampedAt(later(1)), { contentsBytes: 3200 })
    const bytes = withDss(signed, await proofs())
    const before = await reportOf(bytes)
    const found = await survivors(bytes, { from: signed.length, step: 5 })
    for (const { report } of found) expect(report).toEqual({ ...before, sha256: '' })
    // The others are unused numbers and objects listed twice, never parts of a certificate.
    const text = bytes.toString('latin1')
    const inside = found.filter(({ at }) => text.lastIndexOf('\nstream\n', at) > text.lastIndexOf('endobj', at))
    expect(places(bytes, inside)).toEqual([])
  }, 120_000)
})
