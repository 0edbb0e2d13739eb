import { describe, expect, test } from 'bun:test'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { issueLeaf, localKey } from '../../src/pki/key.ts'
import { describeReport } from '../../src/verify/describe.ts'
import { useFolder } from '../support/folders.ts'
import { sharedAuthority, type TestAuthority } from '../support/test-pki.ts'
import { verifyBytes, verifyFile } from '../support/written-report.ts'
import { allReasons, expectRefused, reportOf } from './reports.ts'
import { plainPdf, sealTiny, type TinySealOptions } from './tiny-pdf.ts'
import { hasOpenssl, run } from './tools.ts'

const folder = useFolder()

async function sealedBy(authority: TestAuthority, order: Partial<TinySealOptions> = {}): Promise<Buffer> {
  return sealTiny({ base: await plainPdf(), key: authority.key, ...order })
}

describe('origin', () => {
  test('is trusted by the root, or by the sealing certificate itself', async () => {
    const ours = await sharedAuthority()
    const bytes = await sealedBy(ours)
    expect(reportOf(bytes, ours.root.certificateDer).verdict).toBe('valid')
    expect(reportOf(bytes, ours.leaf.certificateDer).verdict).toBe('valid')
  })

  test('by a stranger is reported apart from integrity, and is never valid', async () => {
    const [ours, theirs] = [await sharedAuthority(), await sharedAuthority('ec-p256', 'theirs')]
    const report = reportOf(await sealedBy(theirs), ours.root.certificateDer)
    expect(report).toMatchObject({
      verdict: 'signer-unknown',
      reasons: [],
      signatures: [
        {
          integrity: 'intact',
          trust: 'unknown',
          indication: 'INDETERMINATE',
          subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
          coversWholeFile: true,
        },
      ],
    })
    expect(allReasons(report)).toContain('no path leads from')
  })

  test('by a stranger with our names in the certificates is not trusted', async () => {
    const [ours, theirs] = [await sharedAuthority('ec-p256', 'ours'), await sharedAuthority('rsa-3072', 'ours')]
    const report = reportOf(await sealedBy(theirs), ours.root.certificateDer)
    expect(report.signatures[0]).toMatchObject({
      integrity: 'intact',
      trust: 'unknown',
      signer: 'ours Ωμέγα 株式会社 Seal (TEST)',
    })
  })

  test('no signer is trusted without trusted certificates', async () => {
    const report = reportOf(await sealedBy(await sharedAuthority()))
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [{ integrity: 'intact', trust: 'unknown' }] })
  })

  test('an unverified certificate in the CMS is refused', async () => {
    const [ours, theirs] = [await sharedAuthority(), await sharedAuthority('ec-p256', 'theirs')]
    const key = { ...ours.key, chain: [...ours.key.chain, theirs.root.certificateDer] }
    expectRefused(reportOf(await sealedBy(ours, { key }), ours.root.certificateDer), 'not part of the verified path')
  })

  test('a leaf certificate that issues certificates is not an authority', async () => {
    const ours = await sharedAuthority()
    const now = new Date('2031-03-04T05:06:07Z')
    const below = await issueLeaf(ours.leaf, {
      ...THIS_MACHINE,
      organisation: 'below',
      environment: 'test',
      keyType: 'ec-p256',
      now,
    })
    const key = localKey({ leaf: below, issuers: [ours.leaf.certificateDer, ours.root.certificateDer] }, THIS_MACHINE.threads)
    const report = reportOf(await sealedBy(ours, { key }), ours.root.certificateDer)
    expect(report).toMatchObject({ verdict: 'signer-unknown', signatures: [{ integrity: 'intact', trust: 'unknown' }] })
    expect(allReasons(report)).toContain('no certification authority')
    expect(allReasons(report)).toContain('does not allow signing certificates')
  })

  test('the root itself is not a signing certificate', async () => {
    const ours = await sharedAuthority()
    const report = reportOf(
      await sealedBy(ours, { key: localKey({ leaf: ours.root, issuers: [] }, THIS_MACHINE.threads) }),
      ours.root.certificateDer,
    )
    expect(report.verdict).toBe('signer-unknown')
    expect(allReasons(report)).toContain('neither digitalSignature nor nonRepudiation')
  })
})

describe('the report', () => {
  test('names the sealing certificate, the field, the claimed time, pages and revisions', async () => {
    const ours = await sharedAuthority('rsa-3072')
    const report = reportOf(
      await sealedBy(ours, { base: await plainPdf({ pages: 3 }), field: 'Seal 7' }),
      ours.root.certificateDer,
    )
    expect(report).toMatchObject({ pageCount: 3, revisions: 2, additions: [], verdict: 'valid' })
    expect(report.signatures).toEqual([
      {
        kind: 'signature',
        field: 'Seal 7',
        subFilter: 'ETSI.CAdES.detached',
        level: 'B-B',
        signer: 'ours Ωμέγα 株式会社 Seal (TEST)',
        indication: 'TOTAL-PASSED',
        subIndication: undefined,
        partsOf: 'B-B',
        levelNotes: [],
        time: { claimedAt: '2031-03-04T05:06:07.000Z', provenAt: undefined, timestamp: undefined },
        certificateSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        coversWholeFile: true,
        integrity: 'intact',
        trust: 'trusted',
        reasons: [],
      },
    ])
  })

  test.each([true, false])('a file without a signature is read, and is not signed (object streams: %p)', async objectStreams => {
    const report = reportOf(await plainPdf({ objectStreams, pages: 2 }))
    expect(report).toMatchObject({
      verdict: 'not-signed',
      signatures: [],
      pageCount: 2,
      revisions: 1,
      reasons: ['The file holds no signature.'],
    })
  })

  test('a sealed file with object streams is valid', async () => {
    const ours = await sharedAuthority()
    expect(
      reportOf(await sealedBy(ours, { base: await plainPdf({ objectStreams: true }) }), ours.root.certificateDer).verdict,
    ).toBe('valid')
  })

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a header alone', '%PDF-1.7\n'],
    ['a startxref to nowhere', '%PDF-1.7\nstartxref\n999999\n%%EOF'],
    ['a startxref to itself', '%PDF-1.7\nstartxref\n9\n%%EOF'],
    [
      'a circle of revisions',
      '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Prev 9 /Root 1 0 R >>\nstartxref\n9\n%%EOF',
    ],
    ['brackets without end', `%PDF-1.7\nxref\ntrailer\n<< /A ${'['.repeat(5000)} >>\nstartxref\n9\n%%EOF`],
  ])('%s is unreadable, in words', (_, text) => {
    const report = verifyBytes(Buffer.from(text), [])
    expect(report).toEqual({ verdict: 'unreadable', reason: expect.any(String) })
    expect(describeReport(report)).toStartWith('CANNOT BE READ: ')
  })

  test('a file is read from disk, and must begin with the document that was sent', async () => {
    const ours = await sharedAuthority()
    const base = await plainPdf()
    const [path, originalPath, otherPath] = [join(folder, 'sealed.pdf'), join(folder, 'original.pdf'), join(folder, 'other.pdf')]
    writeFileSync(path, await sealedBy(ours, { base }))
    writeFileSync(originalPath, base)
    writeFileSync(otherPath, await plainPdf({ pages: 2 }))
    const trust = [ours.rootPem]
    expect(await verifyFile({ path, trust, originalPath })).toMatchObject({ verdict: 'valid', reasons: [] })
    expect(await verifyFile({ path, trust, originalPath: undefined })).toMatchObject({ verdict: 'valid' })
    expect(await verifyFile({ path, trust, originalPath: otherPath })).toMatchObject({
      verdict: 'not-valid',
      reasons: ['The file does not begin with the document that was sent.'],
      signatures: [{ integrity: 'intact', trust: 'trusted' }],
    })
    await expect(verifyFile({ path: join(folder, 'missing.pdf'), trust, originalPath })).rejects.toThrow('ENOENT')
  })
})

describe('the text report', () => {
  test('separates integrity and origin', async () => {
    const [ours, theirs] = [await sharedAuthority(), await sharedAuthority('ec-p256', 'theirs')]
    const good = describeReport(reportOf(await sealedBy(ours), ours.root.certificateDer))
    expect(good).toStartWith('VALID: signed by ours')
    const stranger = describeReport(reportOf(await sealedBy(theirs), ours.root.certificateDer))
    expect(stranger).toStartWith('UNCHANGED, SIGNER NOT KNOWN: ')
    expect(stranger).toContain('integrity    intact')
    expect(stranger).toContain('trust        unknown')
    const none = describeReport(reportOf(await plainPdf()))
    expect(none).toStartWith('NOT SIGNED')
    expect(none).not.toContain('Signature 1')
  })

  test('cannot be rewritten by a name from the file', async () => {
    const ours = await sharedAuthority()
    const words = describeReport(reportOf(await sealedBy(ours, { field: 'a\u001b[2K\rSOUND' }), ours.root.certificateDer))
    expect(words).toContain('(field a?[2K?SOUND)')
    expect(words).not.toContain('\u001b')
  })
})

/** Certificate and private key of a signer in one PEM file for openssl. */
function signerPem(authority: TestAuthority): string {
  const place = mkdtempSync(join(folder, 'signer-'))
  const key = createPrivateKey({ key: Buffer.from(authority.leaf.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  writeFileSync(join(place, 'signer.pem'), `${authority.leafPem}${key.export({ format: 'pem', type: 'pkcs8' })}`)
  return join(place, 'signer.pem')
}

/** A CMS by openssl over the signed bytes, for forms that Signet never writes. */
function opensslCms(signers: TestAuthority[], signed: Uint8Array, ...options: string[]): Uint8Array {
  const path = join(mkdtempSync(join(folder, 'cms-')), 'signed.bin')
  writeFileSync(path, signed)
  const keys = signers.flatMap(signer => ['-signer', signerPem(signer)])
  const made = run(['openssl', 'cms', '-sign', '-binary', '-outform', 'DER', '-in', path, ...keys, ...options])
  if (made.code !== 0) throw new Error(made.text)
  return made.bytes
}

describe.skipIf(!hasOpenssl)('the CMS of other writers (needs openssl)', () => {
  async function reportOnCms(
    options: string[],
    order: Partial<TinySealOptions> = {},
    keyType: 'ec-p256' | 'rsa-3072' = 'rsa-3072',
  ) {
    const ours = await sharedAuthority(keyType)
    const cms = async (_digest: Uint8Array, signed: Uint8Array) => opensslCms([ours], signed, ...options)
    return reportOf(await sealedBy(ours, { cms, contentsBytes: 12_000, ...order }), ours.root.certificateDer)
  }
  const PKCS7 = { subFilter: 'adbe.pkcs7.detached' }

  test.each(['ec-p256', 'rsa-3072'] as const)(
    'is valid with signing-certificate-v2, under adbe.pkcs7.detached (%s)',
    async keyType => {
      expect(await reportOnCms(['-cades', '-md', 'sha256'], PKCS7, keyType)).toMatchObject({
        verdict: 'valid',
        signatures: [{ reasons: [] }],
      })
      expect(await reportOnCms(['-cades', '-md', 'sha512'], PKCS7, keyType)).toMatchObject({ verdict: 'valid' })
    },
  )

  test.each([
    ['no signing-certificate-v2, in PAdES', ['-md', 'sha256'], {}, 'signing-certificate-v2 is missing', 'not-checked', 'intact'],
    [
      'no signed attributes, in PAdES',
      ['-noattr', '-md', 'sha256'],
      {},
      'There are no signed attributes',
      'not-checked',
      'intact',
    ],
    [
      'encapsulated content',
      ['-nodetach', '-cades', '-md', 'sha256'],
      { ...PKCS7, contentsBytes: 40_000 },
      'contains content of its own',
      'not-valid',
      'broken',
    ],
    ['SHA-1', ['-cades', '-md', 'sha1'], PKCS7, 'SHA-1 is too weak', 'not-checked', 'intact'],
    ['MD5', ['-cades', '-md', 'md5'], PKCS7, 'MD5 is too weak', 'not-checked', 'intact'],
    ['RIPEMD-160', ['-cades', '-md', 'ripemd160'], PKCS7, 'not supported (RIPEMD-160)', 'not-checked', 'not-checked'],
    [
      'no certificate',
      ['-nocerts', '-cades', '-md', 'sha256'],
      PKCS7,
      'certificate of the signer is neither in the CMS nor among',
      'not-checked',
      'not-checked',
    ],
  ] as const)('with %s is refused by that name', async (_, options, order, reason, verdict, integrity) => {
    const report = await reportOnCms([...options], order)
    expect(report).toMatchObject({ verdict, signatures: [{ integrity }] })
    expect(allReasons(report)).toContain(reason)
  })

  test('may be written in upper-case digits, but not in mixed case', async () => {
    const ours = await sharedAuthority()
    const cms = async (_digest: Uint8Array, signed: Uint8Array) => opensslCms([ours], signed, '-cades', '-md', 'sha256')
    const bytes = await sealedBy(ours, { ...PKCS7, cms, contentsBytes: 12_000 })
    const from = bytes.lastIndexOf('/Contents <') + '/Contents <'.length
    const digits = bytes.toString('latin1', from, bytes.indexOf('>', from))
    bytes.write(digits.toUpperCase(), from, 'latin1')
    expect(reportOf(bytes, ours.root.certificateDer).verdict).toBe('valid')
    bytes.write(digits.slice(0, 2000), from, 'latin1')
    const report = reportOf(bytes, ours.root.certificateDer)
    expect(report).toMatchObject({ verdict: 'not-checked', signatures: [{ integrity: 'intact' }] })
    expect(allReasons(report)).toContain('mixes upper-case and lower-case')
  })

  test('with two signers is refused', async () => {
    const ours = await sharedAuthority()
    const theirs = await sharedAuthority('ec-p256', 'theirs')
    const cms = async (_digest: Uint8Array, signed: Uint8Array) => opensslCms([ours, theirs], signed, '-md', 'sha256')
    const report = reportOf(await sealedBy(ours, { cms, contentsBytes: 12_000 }), ours.root.certificateDer)
    expect(allReasons(report)).toContain('it has 2 SignerInfo')
  })
})

test('the signed attributes must name the certificate that was used', async () => {
  const ours = await sharedAuthority()
  const order = {
    ...THIS_MACHINE,
    organisation: 'ours',
    environment: 'test',
    keyType: 'ec-p256',
    now: new Date('2031-03-04T05:06:07Z'),
  } as const
  const other = localKey({ leaf: await issueLeaf(ours.root, order), issuers: [ours.root.certificateDer] }, THIS_MACHINE.threads)
  // The CMS is made for one certificate and then contains the other one: it cannot verify.
  const cms = async (digest: Uint8Array) => createSignedData({ digest, key: { ...other, sign: ours.key.sign } })
  const report = reportOf(await sealedBy(ours, { cms }), ours.root.certificateDer)
  expect(report).toMatchObject({
    verdict: 'not-valid',
    signatures: [{ integrity: 'broken', subIndication: 'SIG_CRYPTO_FAILURE' }],
  })
  expect(allReasons(report)).toContain('does not verify with the key of its certificate')
})
