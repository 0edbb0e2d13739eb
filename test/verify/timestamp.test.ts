/** Time-stamps of a seal and document time-stamps: what they prove and what they do not. */
import { describe, expect, test } from 'bun:test'
import { describeReport } from '../../src/verify/describe.ts'
import { makePdf } from '../support/make-pdf.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { type AppendedSignature, cmsBy, opened, STREAM, signedAgain, withField } from './appended.ts'
import { later, reportOf, type Stamper, sealed, stampedAt, stranger, timestamped, tsa } from './long-term.ts'
import { allReasons, expectRefused } from './reports.ts'
import { type TinySealOptions, withRevision } from './tiny-pdf.ts'
import { sha256, signatureValue, testTsa, withUnsigned } from './tokens.ts'

describe('a time-stamp over the signature', () => {
  test('of a trusted authority makes a sealed file B-T, with its time in the report', async () => {
    const report = await reportOf(await sealed(stampedAt(later(1))))
    expect(allReasons(report)).toBe('')
    expect(report).toMatchObject({
      verdict: 'valid',
      additions: [],
      signatures: [
        { level: 'B-T', time: { timestamp: { at: later(1).toISOString(), authority: 'Time Signer', trusted: true } } },
      ],
    })
    expect(describeReport(report)).toContain(`time-stamp   ${later(1).toISOString()} by Time Signer, a trusted authority`)
  })

  test('of an untrusted authority is reported as a claim, without other effect', async () => {
    const report = await reportOf(await sealed(stampedAt(later(1))), { trustsTime: false })
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [{ trust: 'trusted', time: { timestamp: { trusted: false } } }],
    })
    expect(describeReport(report)).toContain('NOT trusted: only a claim')
  })

  test('decides the time at which the certificate must be valid, if it is trusted', async () => {
    const order: Partial<TinySealOptions> = { dictionary: text => text.replace('D:2031', 'D:2039') }
    expect(await reportOf(await sealed(stampedAt(later(1)), order))).toMatchObject({ verdict: 'valid' })
    const claimed = await reportOf(await sealed(stampedAt(later(1)), order), { trustsTime: false })
    expect(claimed).toMatchObject({ verdict: 'signer-unknown', signatures: [{ integrity: 'intact', trust: 'expired' }] })
    expect(allReasons(claimed)).toContain('had expired at the claimed time of signing')
    const early = await reportOf(await sealed(stampedAt(later(-5), testTsa(later(-9)))), {})
    expect(early.signatures[0]?.time.timestamp).toMatchObject({ trusted: false })
  })

  test.each<[string, Stamper, string]>([
    [
      'over another digest',
      cms => withUnsigned(cms, { values: [tsa.token({ digest: sha256(cms), at: later(1) })] }),
      'Time-stamp of the signature:',
    ],
    [
      'that is no token',
      cms => withUnsigned(cms, { values: [sha256(cms)].map(bytes => stampOf(bytes)) }),
      'The token is invalid',
    ],
    ['that occurs twice', cms => twice(cms), 'more than one time-stamp'],
    ['with another unsigned attribute', cms => beside(cms), 'unsigned attributes, which are not verified'],
  ])('%s is refused', async (_, stamp, reason) => {
    const report = await reportOf(await sealed(stamp))
    expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ integrity: 'broken' }] })
    expect(allReasons(report)).toContain(reason)
  })

  const stampOf = (bytes: Uint8Array): Uint8Array =>
    Buffer.concat([Uint8Array.of(0x30, 2 + bytes.length, 4, bytes.length), bytes])
  const token = (cms: Uint8Array, at: Date) => tsa.token({ digest: sha256(signatureValue(cms)), at })
  const twice: Stamper = cms => withUnsigned(cms, { values: [token(cms, later(1)), token(cms, later(2))] })
  const beside: Stamper = cms =>
    withUnsigned(cms, { values: [token(cms, later(1))] }, { type: '1.2.3', values: [stampOf(Buffer.of(1))] })
})

describe('a document time-stamp', () => {
  test('of an untrusted authority lowers the level, not the verdict', async () => {
    const report = await reportOf(timestamped(await sealed(), later(2), stranger))
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [
        {
          integrity: 'intact',
          trust: 'trusted',
          reasons: [],
          level: 'B-B',
          levelNotes: [expect.stringContaining('does not count. The time-stamp authority is not trusted')],
        },
        { integrity: 'intact', trust: 'unknown' },
      ],
    })
  })

  test('over other bytes is broken', async () => {
    const bytes = timestamped(await sealed(), later(2))
    const other = timestamped(await sealed(), later(2))
    const contentsAt = (file: Buffer) => file.lastIndexOf('/Contents <')
    other.copy(bytes, contentsAt(bytes), contentsAt(other), contentsAt(other) + 6000)
    const report = await reportOf(bytes)
    expect(report).toMatchObject({
      verdict: 'not-valid',
      signatures: [{ integrity: 'intact' }, { integrity: 'broken', indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' }],
    })
  })

  const stampByHand = async (order: Partial<AppendedSignature>) =>
    reportOf(
      await signedAgain(await sealed(), {
        name: 'Time',
        kind: 'DocTimeStamp',
        subFilter: 'ETSI.RFC3161',
        contentsBytes: 3000,
        contents: digest => tsa.token({ digest, at: later(2) }),
        ...order,
      }),
    )

  test('written by hand is valid, so that the refusals below have their own reasons', async () => {
    expect(await stampByHand({})).toMatchObject({ verdict: 'valid', reasons: [] })
  })

  test.each<[string, Partial<AppendedSignature>, RegExp]>([
    [
      'an annotation',
      {
        objects: (o, f) =>
          o
            .set(f.page, `<< /Type /Page /Parent ${f.parent} 0 R /MediaBox [0 0 200 100] /Annots [${f.field} 0 R 90 0 R] >>`)
            .set(90, '<< /Type /Annot /Subtype /FreeText /Rect [0 0 99 99] >>'),
      },
      /an annotation of page 1 \(object 90\) was added/,
    ],
    ['an area on the page', { rect: '0 0 99 99' }, /has an area on a page/],
    ['an appearance', { field: '/AP << /N 90 0 R >>', objects: o => o.set(90, STREAM) }, /has \/AP/],
    [
      'another page',
      { objects: (o, f) => o.set(f.page, `<< /Type /Page /Parent ${f.parent} 0 R /MediaBox [0 0 9 9] >>`) },
      /page 1 \(object \d+\) was changed: .*\/MediaBox/,
    ],
    [
      'a second field',
      { objects: (o, f) => o.set(f.root, withField(o.get(f.root) ?? '', 90)).set(90, '<< /FT /Tx /T (x) /V (y) >>') },
      /more than one form field/,
    ],
    [
      'its field in the place of the seal',
      { objects: (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace(/\/Fields \[\d+ 0 R /, '/Fields [')) },
      /\/Perms \/DocMDP/,
    ],
    ['the type of a signature', { kind: 'Sig' }, /does not allow|\/Type of the signature dictionary/],
    ['a reference in its dictionary', { dictionary: '/Reference 1 0 R' }, /has no new signature/],
    ['the name of the seal', { name: 'Seal' }, /has the name of another/],
  ])('with %s is refused', async (_, order, reason) => {
    expectRefused(await stampByHand(order), reason)
  })

  test('whose widget is added to annotations that two pages share is refused', async () => {
    const page = { more: '/Annots 60 0 R' }
    const shared: Partial<AppendedSignature> = {
      objects: (objects, file) => objects.set(60, `[${file.field} 0 R]`),
      name: 'Time',
      kind: 'DocTimeStamp',
      subFilter: 'ETSI.RFC3161',
      contentsBytes: 3000,
    }
    const contents = (digest: Uint8Array) => tsa.token({ digest, at: later(2) })
    const over = async (pages: (typeof page)[]) =>
      reportOf(
        await signedAgain(await sealed(undefined, { base: makePdf({ pages, objects: { 60: '[]' } }) }), { ...shared, contents }),
      )
    expect(await over([page])).toMatchObject({ verdict: 'valid' })
    expectRefused(await over([page, page]), 'the annotations of page 1 (object 60) was replaced')
  })

  test('proves the time of what it covers, not of a later signature', async () => {
    const approval: Partial<TinySealOptions> = {
      dictionary: text => text.replace(/\/Reference \[.*\]/, ''),
      objects: objects => {
        for (const [number, text] of objects) objects.set(number, text.replace(/\/Perms <<.*?>>/, ''))
      },
    }
    const bytes = timestamped(await sealed(undefined, approval), later(2))
    const report = await reportOf(await signedAgain(bytes, { contents: cmsBy((await sharedAuthority()).key) }))
    expect(allReasons(report)).toBe('')
    expect(report.signatures).toMatchObject([
      { field: 'Seal', level: 'B-T' },
      { kind: 'document-timestamp', time: { timestamp: { trusted: true } } },
      { field: 'Second', level: 'B-B', time: { timestamp: undefined } },
    ])
  })

  test('does not make an earlier change valid', async () => {
    const bytes = await sealed()
    const { page, parent } = opened(bytes)
    const changed = withRevision(
      bytes,
      new Map([[page, `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 9 9] /Resources << >> >>`]]),
    )
    const report = await reportOf(timestamped(changed, later(2)))
    expect(report).toMatchObject({
      verdict: 'not-valid',
      signatures: [{ integrity: 'broken' }, { integrity: 'intact', reasons: [] }],
    })
    expect(report.signatures[0]?.reasons.join('\n')).toMatch(/page 1 .*\/MediaBox/)
  })
})
