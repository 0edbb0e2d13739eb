/** Unsigned content in CMS of other programs has no effect on the verdict. RFC 5652. */
import { afterAll, describe, expect, test } from 'bun:test'
import { der, derNull, octetString, oid, sequence, smallInteger, TAG, tagged } from '../../src/pki/der.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import {
  attribute,
  type ForeignSigner,
  foreignSigner,
  type HandmadeCms,
  handmadeCms,
  removeForeignSigners,
  signatureByOpenssl,
} from './foreign-signer.ts'
import { plainPdf, sealTiny } from './tiny-pdf.ts'
import { hasOpenssl } from './tools.ts'

afterAll(removeForeignSigners)

const SHA256 = sequence(oid(CMS_OID.sha256))
const SHA512 = sequence(oid('2.16.840.1.101.3.4.2.3'))
/** Adobe's archive of revocation information, ISO 32000-2 §12.8.3.3.2. */
const REVOCATION_ARCHIVE = '1.2.840.113583.1.1.8'
const SOME_ATTRIBUTE = '1.3.6.1.4.1.99999.7'
const severalValues = sequence(oid(SOME_ATTRIBUTE), der(TAG.set, smallInteger(1), smallInteger(2)))

/** RFC 6211 §2, with RSA and SHA-512. */
const protection = (digest: Uint8Array) =>
  attribute(CMS_OID.algorithmProtection, sequence(digest, tagged(1, oid('1.2.840.113549.1.1.13'), derNull())))

describe.skipIf(!hasOpenssl)('a signature of another product is valid with', () => {
  let known: ForeignSigner | undefined

  async function verdictOn(form: Partial<HandmadeCms>, behind?: string) {
    known ??= foreignSigner(['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'])
    const signer = known
    const { key } = await sharedAuthority()
    const bytes = await sealTiny({
      base: await plainPdf(),
      key,
      subFilter: 'adbe.pkcs7.detached',
      contentsBytes: 6_000,
      cms: async (_digest, signed) =>
        handmadeCms({
          signed,
          signer,
          signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()),
          sign: data => signatureByOpenssl(signer, data, '-digest', 'sha512'),
          ...form,
        }),
    })
    if (behind !== undefined) bytes.write(behind, bytes.indexOf('>', bytes.lastIndexOf('/Contents <')) - 40, 'latin1')
    return verifyBytes(bytes, [readCertificate(signer.certificate)])
  }

  const FORMS: [string, Partial<HandmadeCms>][] = [
    ['a different version of SignedData', { version: 3 }],
    ['several digest algorithms', { digestAlgorithms: [SHA256, SHA512] }],
    ['no digest algorithm in SignedData', { digestAlgorithms: [] }],
    ['an attribute certificate', { beside: [tagged(2, sequence(smallInteger(1)))] }],
    ['revocation lists', { lists: [sequence(sequence(smallInteger(1)))] }],
    ['an unsigned attribute', { unsigned: [attribute(SOME_ATTRIBUTE, octetString(Buffer.from('anything')))] }],
    ['a signed attribute with several values', { attributes: [severalValues] }],
    ['a signed attribute twice that may occur twice', { attributes: [severalValues, severalValues] }],
    [
      'revocation information in a signed attribute',
      { attributes: [attribute(REVOCATION_ARCHIVE, sequence(tagged(0, sequence())))] },
    ],
    [
      'the time in a signed attribute',
      { attributes: [attribute(CMS_OID.signingTime, der(TAG.utcTime, Buffer.from('310304050607Z')))] },
    ],
    ['both algorithms in a signed attribute', { attributes: [protection(SHA512)] }],
  ]
  test.each(FORMS)('%s', async (_, form) => expect(await verdictOn(form)).toMatchObject({ verdict: 'valid' }))

  test('bytes after the CMS in /Contents', async () => expect(await verdictOn({}, 'c0ffee')).toMatchObject({ verdict: 'valid' }))

  test('but not other algorithms in that attribute than those that were used', async () => {
    const report = await verdictOn({ attributes: [protection(SHA256)] })
    expect(report).toMatchObject({ verdict: 'not-checked', signatures: [{ subIndication: 'SIG_CONSTRAINTS_FAILURE' }] })
  })

  test('but not an attribute twice that must occur once', async () => {
    const again = attribute(CMS_OID.messageDigest, octetString(Buffer.alloc(64)))
    expect(await verdictOn({ attributes: [again] })).toMatchObject({ verdict: 'not-valid' })
  })
})
