/** Time-stamp tokens in BER and with other algorithms than openssl's. RFC 3161; RFC 5816. */
import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { englishOfRemark } from '../../src/locales/remarks.ts'
import { readTimestampToken, type TokenVerification, verifyTimestampToken } from '../../src/pades/timestamp-token.ts'
import { der, derNull, octetString, oid, sequence, smallInteger, TAG } from '../../src/pki/der.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import {
  attribute,
  type ForeignSigner,
  foreignSigner,
  handmadeCms,
  inBer,
  removeForeignSigners,
  signatureByOpenssl,
} from './foreign-signer.ts'
import { hasOpenssl } from './tools.ts'

afterAll(removeForeignSigners)

const SHA256 = sequence(oid(CMS_OID.sha256))
const SHA512 = '2.16.840.1.101.3.4.2.3'
const RSA = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]
const stamped = createHash('sha256').update('what was stamped').digest()

const authority = (key: readonly string[]): ForeignSigner =>
  foreignSigner(key, ['-addext', 'extendedKeyUsage=critical,timeStamping'])

function info(imprint: Uint8Array = sequence(SHA256, octetString(stamped))): Uint8Array {
  const at = der(TAG.generalizedTime, Buffer.from('20310304050607.250Z'))
  return sequence(smallInteger(1), oid('1.2.3.4'), imprint, smallInteger(7), at)
}

interface Order {
  signatureAlgorithm: Uint8Array
  options?: readonly string[]
  content?: Uint8Array
}

function token(signer: ForeignSigner, { signatureAlgorithm, options = [], content = info() }: Order): Uint8Array {
  const hash = octetString(createHash('sha256').update(signer.certificate).digest())
  return handmadeCms({
    contentType: '1.2.840.113549.1.9.16.1.4',
    signed: content,
    signer,
    signatureAlgorithm,
    sign: data => signatureByOpenssl(signer, data, ...options),
    attributes: [attribute(CMS_OID.signingCertificateV2, sequence(sequence(sequence(hash))))],
  })
}

function verify(bytes: Uint8Array, { certificate }: ForeignSigner): TokenVerification {
  const read = readTimestampToken(bytes, 'BER')
  return verifyTimestampToken({ token: read, digestOf: () => stamped, trust: [readCertificate(certificate)], companions: [] })
}

const PSS = ['-pkeyopt', 'rsa_padding_mode:pss', '-pkeyopt', 'rsa_pss_saltlen:20']
const pss = sequence(
  oid('1.2.840.113549.1.1.10'),
  sequence(der(0xa0, sequence(oid(SHA512))), der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), sequence(oid(SHA512))))),
)

const CASES: [string, readonly string[], Order][] = [
  ['RSA', RSA, { signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()), options: ['-digest', 'sha512'] }],
  ['RSASSA-PSS', RSA, { signatureAlgorithm: pss, options: ['-digest', 'sha512', ...PSS] }],
  ['P-384', ec('P-384'), { signatureAlgorithm: sequence(oid('1.2.840.10045.4.3.4')), options: ['-digest', 'sha512'] }],
  [
    'brainpoolP384r1',
    ec('brainpoolP384r1'),
    { signatureAlgorithm: sequence(oid('1.2.840.10045.4.3.4')), options: ['-digest', 'sha512'] },
  ],
  ['Ed25519', ['-algorithm', 'ed25519'], { signatureAlgorithm: sequence(oid('1.3.101.112')) }],
]

describe.skipIf(!hasOpenssl)('a token of another authority (needs openssl)', () => {
  test.each(CASES)('by %s is trusted, in DER and in BER, and broken once it is changed', (_, key, order) => {
    const signer = authority(key)
    const bytes = token(signer, order)
    for (const one of [bytes, inBer(bytes)])
      expect(verify(one, signer)).toMatchObject({ broken: [], unsupported: [], reasons: [], trusted: true })
    expect(readTimestampToken(inBer(bytes), 'BER').at).toEqual(new Date('2031-03-04T05:06:07.250Z'))
    const changed = Buffer.from(bytes)
    changed[changed.length - 5] = (changed[changed.length - 5] ?? 0) ^ 1
    expect(verify(changed, signer).broken.map(englishOfRemark)).toEqual([
      'The signature of the token does not verify with the key of its authority.',
    ])
    const other = Buffer.from(bytes)
    other[other.indexOf('20310304')] = 0x33
    expect(verify(other, signer).broken.map(englishOfRemark)).toContain('The token does not sign its TSTInfo (message-digest).')
  })

  test('in BER is refused in a seal by Signet', () => {
    const [, key, order] = CASES[0] as (typeof CASES)[number]
    expect(() => readTimestampToken(inBer(token(authority(key), order)))).toThrow('a length is indefinite (BER, not DER)')
  })

  test('over SHA-1 is intact, but not trusted', () => {
    const sha1 = createHash('sha1').update('what was stamped').digest()
    const imprint = sequence(sequence(oid('1.3.14.3.2.26')), octetString(sha1))
    const signer = authority(RSA)
    const order = { signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()), options: ['-digest', 'sha512'] }
    const read = readTimestampToken(token(signer, { ...order, content: info(imprint) }), 'BER')
    const trust = [readCertificate(signer.certificate)]
    const result = verifyTimestampToken({ token: read, digestOf: () => sha1, trust, companions: [] })
    expect(result).toMatchObject({ broken: [], unsupported: [], trusted: false })
    expect(result.reasons.map(englishOfRemark).join()).toContain('SHA-1 is too weak')
  })

  test('over an unknown hash is not supported', () => {
    const imprint = sequence(sequence(oid('1.3.36.3.2.1')), octetString(Buffer.alloc(20)))
    const order = { signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()), options: ['-digest', 'sha512'] }
    const bytes = token(authority(RSA), { ...order, content: info(imprint) })
    expect(() => readTimestampToken(bytes, 'BER')).toThrow('The digest algorithm is not supported (RIPEMD-160).')
  })

  test('by an authority with a certificate for other purposes too is not trusted, but not broken', () => {
    const signer = foreignSigner(RSA)
    const order = { signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()), options: ['-digest', 'sha512'] }
    const result = verify(token(signer, order), signer)
    expect(result).toMatchObject({ broken: [], trusted: false })
    expect(result.reasons.map(englishOfRemark).join()).toContain('not timeStamping alone')
  })
})
