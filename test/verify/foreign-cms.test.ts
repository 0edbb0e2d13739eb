/** CMS forms and algorithms of other programs: intact, or with a changed document or value. */
import { afterAll, describe, expect, test } from 'bun:test'
import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { der, derNull, octetString, oid, sequence, smallInteger, TAG, tagged } from '../../src/pki/der.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import {
  attribute,
  cmsByOpenssl,
  type ForeignSigner,
  foreignSigner,
  type HandmadeCms,
  handmadeCms,
  inBer,
  issuedBy,
  removeForeignSigners,
  signatureByOpenssl,
} from './foreign-signer.ts'
import { reportOf } from './reports.ts'
import { plainPdf, sealTiny, type TinySealOptions } from './tiny-pdf.ts'
import { hasOpenssl } from './tools.ts'

afterAll(removeForeignSigners)

const RSA = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]

const made = new Map<string, ForeignSigner>()
function signerOf(key: readonly string[], ...certificate: string[]): ForeignSigner {
  const id = [...key, ...certificate].join(' ')
  const found = made.get(id) ?? foreignSigner(key, certificate)
  made.set(id, found)
  return found
}

const PKCS7 = { subFilter: 'adbe.pkcs7.detached', contentsBytes: 12_000 }
type MakeCms = (signed: Uint8Array) => Uint8Array

async function signed(make: MakeCms, order: Partial<TinySealOptions> = {}): Promise<Buffer> {
  const { key } = await sharedAuthority()
  const cms = async (_digest: Uint8Array, bytes: Uint8Array) => make(bytes)
  return sealTiny({ base: await plainPdf(), key, ...PKCS7, ...order, cms })
}

/** The verdicts on the file, with a changed name, and with a changed signature value. */
async function verdicts({ certificate }: ForeignSigner, make: MakeCms, order: Partial<TinySealOptions> = {}) {
  const bytes = await signed(make, order)
  const document = Buffer.from(bytes)
  document.write('Fabrikam'.slice(0, 7), document.indexOf('(Contoso)') + 1, 'latin1')
  const forged = await signed(covered => changedValue(make(covered)), order)
  const [whole, changed, other] = [bytes, document, forged].map(one => reportOf(one, certificate))
  return { whole: whole as VerificationReport<string>, changed: changed?.verdict, forged: other?.verdict }
}

/** The signature value is last in these CMS; only end-of-contents octets follow it. */
function changedValue(cms: Uint8Array): Uint8Array {
  const changed = Buffer.from(cms)
  let at = changed.length - 1
  while (changed[at] === 0) at--
  changed[at - 4] = (changed[at - 4] ?? 0) ^ 0x10
  return changed
}

const broken = { changed: 'not-valid', forged: 'not-valid' } as const
const VALID = { verdict: 'valid', signatures: [{ integrity: 'intact', indication: 'TOTAL-PASSED' }] }

describe.skipIf(!hasOpenssl)('a signature by openssl is valid, and not valid once it or the document is changed:', () => {
  const PSS = ['-keyopt', 'rsa_padding_mode:pss']
  test.each([
    ['RSA with SHA-256', RSA, ['-md', 'sha256']],
    ['RSA with SHA-512', RSA, ['-md', 'sha512']],
    ['RSA with SHA3-256', RSA, ['-md', 'sha3-256']],
    ['RSA with SHA3-512', RSA, ['-md', 'sha3-512']],
    ['RSASSA-PSS with the maximum salt', RSA, ['-md', 'sha256', ...PSS]],
    ['RSASSA-PSS with a salt as long as the hash', RSA, ['-md', 'sha384', ...PSS, '-keyopt', 'rsa_pss_saltlen:digest']],
    ['RSASSA-PSS without a salt', RSA, ['-md', 'sha256', ...PSS, '-keyopt', 'rsa_pss_saltlen:0']],
    [
      'RSASSA-PSS with MGF1 by another hash',
      RSA,
      ['-md', 'sha256', ...PSS, '-keyopt', 'rsa_mgf1_md:sha1', '-keyopt', 'rsa_pss_saltlen:20'],
    ],
    [
      'RSASSA-PSS with a modulus of 2049 bits',
      ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2049'],
      ['-md', 'sha256', ...PSS],
    ],
    ['P-256', ec('P-256'), ['-md', 'sha256']],
    ['P-384 with SHA-512', ec('P-384'), ['-md', 'sha512']],
    ['P-521', ec('P-521'), ['-md', 'sha512']],
    ['brainpoolP256r1', ec('brainpoolP256r1'), ['-md', 'sha256']],
    ['brainpoolP384r1', ec('brainpoolP384r1'), ['-md', 'sha384']],
    ['brainpoolP512r1', ec('brainpoolP512r1'), ['-md', 'sha512']],
    ['a signer named by its key identifier', RSA, ['-md', 'sha256', '-keyid']],
    ['no signed attributes, RSA', RSA, ['-md', 'sha256', '-noattr']],
    ['no signed attributes, P-256', ec('P-256'), ['-md', 'sha256', '-noattr']],
    ['no signed attributes, brainpoolP256r1', ec('brainpoolP256r1'), ['-md', 'sha256', '-noattr']],
    ['signing-certificate-v2', RSA, ['-md', 'sha256', '-cades']],
  ] as const)('%s', async (_, key, options) => {
    const signer = signerOf(key)
    const found = await verdicts(signer, bytes => cmsByOpenssl(signer, bytes, ...options))
    expect(found).toMatchObject({ whole: VALID, ...broken })
  })

  test('BER: indefinite lengths and constructed strings', async () => {
    const signer = signerOf(RSA)
    for (const options of [
      ['-md', 'sha256'],
      ['-md', 'sha256', '-cades'],
    ]) {
      const ber = (bytes: Uint8Array) => inBer(cmsByOpenssl(signer, bytes, ...options))
      expect(await verdicts(signer, ber, { contentsBytes: 20_000 })).toMatchObject({ whole: VALID, ...broken })
    }
  })
})

/** RFC 8017 §A.2.3: hash, mask generation, salt length. */
const pss = (hash: string, mask: string, salt: number): Uint8Array =>
  sequence(
    oid('1.2.840.113549.1.1.10'),
    sequence(
      tagged(0, sequence(oid(hash))),
      tagged(1, sequence(oid('1.2.840.113549.1.1.8'), sequence(oid(mask)))),
      tagged(2, smallInteger(salt)),
    ),
  )

describe.skipIf(!hasOpenssl)('a hand-made CMS is valid, and not valid once it or the document is changed:', () => {
  const dgst = (signer: ForeignSigner, name: string) => (data: Uint8Array) => signatureByOpenssl(signer, data, '-digest', name)
  const raw = (signer: ForeignSigner) => (data: Uint8Array) => signatureByOpenssl(signer, data)
  const plain = (signer: ForeignSigner, hash: string) => (data: Uint8Array) =>
    sign(hash, data, { key: Buffer.from(pemKey(signer)), dsaEncoding: 'ieee-p1363' })
  const SHA256 = { digestAlgorithm: sequence(oid(CMS_OID.sha256)), hash: 'sha256' }
  const V1 = '1.2.840.113549.1.9.16.2.12'
  const essV1 = ({ certificate }: ForeignSigner) =>
    attribute(V1, sequence(sequence(sequence(octetString(createHash('sha1').update(certificate).digest())))))

  const cases: [string, readonly string[], (signer: ForeignSigner) => Omit<HandmadeCms, 'signed' | 'signer'>][] = [
    ['Ed25519', ['-algorithm', 'ed25519'], signer => ({ signatureAlgorithm: sequence(oid('1.3.101.112')), sign: raw(signer) })],
    [
      'Ed448 with SHA-512',
      ['-algorithm', 'ed448'],
      signer => ({ signatureAlgorithm: sequence(oid('1.3.101.113')), sign: raw(signer) }),
    ],
    [
      'Ed448 with SHAKE256',
      ['-algorithm', 'ed448'],
      signer => ({
        digestAlgorithm: sequence(oid('2.16.840.1.101.3.4.2.12')),
        hash: 'shake256',
        signatureAlgorithm: sequence(oid('1.3.101.113')),
        sign: raw(signer),
      }),
    ],
    [
      'Ed448 with SHAKE256 of 512 bits',
      ['-algorithm', 'ed448'],
      signer => ({
        digestAlgorithm: sequence(oid('2.16.840.1.101.3.4.2.18'), Uint8Array.of(2, 2, 2, 0)),
        hash: 'shake256',
        signatureAlgorithm: sequence(oid('1.3.101.113')),
        sign: raw(signer),
      }),
    ],
    [
      'ECDSA with SHA3-256 on P-256',
      ec('P-256'),
      signer => ({
        digestAlgorithm: sequence(oid('2.16.840.1.101.3.4.2.8')),
        hash: 'sha3-256',
        signatureAlgorithm: sequence(oid('2.16.840.1.101.3.4.3.10')),
        sign: dgst(signer, 'sha3-256'),
      }),
    ],
    [
      'id-ecPublicKey in place of a signature algorithm',
      ec('P-256'),
      signer => ({ ...SHA256, signatureAlgorithm: sequence(oid('1.2.840.10045.2.1')), sign: dgst(signer, 'sha256') }),
    ],
    [
      'plain ECDSA of the BSI, r and s one behind the other',
      ec('P-256'),
      signer => ({ ...SHA256, signatureAlgorithm: sequence(oid('0.4.0.127.0.7.1.1.4.1.3')), sign: plain(signer, 'sha256') }),
    ],
    [
      'signing-certificate of version 1',
      RSA,
      signer => ({
        ...SHA256,
        signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.11'), derNull()),
        sign: dgst(signer, 'sha256'),
        attributes: [essV1(signer)],
      }),
    ],
    [
      'signed attributes in a different order from DER, signed as written',
      RSA,
      signer => ({
        ...SHA256,
        signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.1'), derNull()),
        sign: dgst(signer, 'sha256'),
        isUnsorted: true,
      }),
    ],
  ]
  test.each(cases)('%s', async (_, key, parts) => {
    const signer = signerOf(key)
    const make = (bytes: Uint8Array) => handmadeCms({ signed: bytes, signer, ...parts(signer) })
    expect(await verdicts(signer, make)).toMatchObject({ whole: VALID, ...broken })
  })

  test('RSASSA-PSS with SHA3-256', async () => {
    const signer = signerOf(RSA)
    const SHA3 = '2.16.840.1.101.3.4.2.8'
    const make = (bytes: Uint8Array) =>
      handmadeCms({
        digestAlgorithm: sequence(oid(SHA3)),
        hash: 'sha3-256',
        signed: bytes,
        signer,
        signatureAlgorithm: pss(SHA3, SHA3, 20),
        sign: data => signatureByOpenssl(signer, data, '-digest', 'sha3-256', ...PSS_20),
      })
    expect(await verdicts(signer, make)).toMatchObject({ whole: VALID, ...broken })
  })

  test('RSASSA-PSS by a key that is restricted to a hash and a salt length', async () => {
    const bound = ['rsa_pss_keygen_md:sha512', 'rsa_pss_keygen_mgf1_md:sha512', 'rsa_pss_keygen_saltlen:32']
    const key = ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048', ...bound.flatMap(option => ['-pkeyopt', option])]
    const signer = signerOf(key)
    const SHA512 = '2.16.840.1.101.3.4.2.3'
    const by = (salt: number, mask: string) => (bytes: Uint8Array) =>
      handmadeCms({
        signed: bytes,
        signer,
        signatureAlgorithm: pss(SHA512, mask, salt),
        sign: data => signatureByOpenssl(signer, data, '-digest', 'sha512', '-pkeyopt', `rsa_pss_saltlen:${salt}`),
      })
    expect(await verdicts(signer, by(40, SHA512))).toMatchObject({ whole: VALID, ...broken })
    expect(reportOf(await signed(by(40, CMS_OID.sha256)), signer.certificate).verdict).toBe('not-valid')
  })

  test('RSASSA-PSS with a wrong salt length is not valid', async () => {
    const signer = signerOf(RSA)
    const by = (named: number) => (bytes: Uint8Array) =>
      handmadeCms({
        ...SHA256,
        signed: bytes,
        signer,
        signatureAlgorithm: pss(CMS_OID.sha256, CMS_OID.sha256, named),
        sign: data => signatureByOpenssl(signer, data, '-digest', 'sha256', ...PSS_20),
      })
    expect(reportOf(await signed(by(20)), signer.certificate).verdict).toBe('valid')
    expect(reportOf(await signed(by(21)), signer.certificate).verdict).toBe('not-valid')
    expect(reportOf(await signed(by(19)), signer.certificate).verdict).toBe('not-valid')
  })
})

const PSS_20 = ['-pkeyopt', 'rsa_padding_mode:pss', '-pkeyopt', 'rsa_pss_saltlen:20']
const pemKey = ({ pem }: ForeignSigner): string => {
  const text = readFileSync(pem, 'latin1')
  return text.slice(text.indexOf('-----BEGIN PRIVATE KEY'))
}

describe.skipIf(!hasOpenssl)('what is too weak is checked, and never valid:', () => {
  const tooWeak = (why: string) => ({
    verdict: 'not-checked',
    signatures: [{ integrity: 'intact', subIndication: 'CRYPTO_CONSTRAINTS_FAILURE', reasons: [expect.stringContaining(why)] }],
  })

  test.each([
    ['a document hashed by SHA-1', RSA, ['-md', 'sha1'], 'SHA-1 is too weak'],
    ['a document hashed by MD5', RSA, ['-md', 'md5'], 'MD5 is too weak'],
    ['RSA of 1024 bits', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'], ['-md', 'sha256'], 'RSA of 1024 bits'],
  ] as const)('%s', async (_, key, options, why) => {
    const signer = signerOf(key)
    const found = await verdicts(signer, bytes => cmsByOpenssl(signer, bytes, ...options))
    expect(found.whole.verdict).toBe('not-checked')
    expect(found.whole.signatures[0]).toMatchObject({ integrity: 'intact', subIndication: 'CRYPTO_CONSTRAINTS_FAILURE' })
    expect(found.whole.signatures[0]?.reasons.join()).toContain(why)
    expect(found).toMatchObject(broken)
  })

  test('adbe.pkcs7.sha1, whose CMS contains the SHA-1 digest of the document', async () => {
    const signer = signerOf(RSA)
    const make = (bytes: Uint8Array) =>
      cmsByOpenssl(signer, createHash('sha1').update(bytes).digest(), '-nodetach', '-md', 'sha256')
    const order = { subFilter: 'adbe.pkcs7.sha1' }
    const found = await verdicts(signer, make, order)
    expect(found.whole).toMatchObject(tooWeak('SHA-1 digest of the document'))
    expect(found).toMatchObject(broken)
    // A CMS over 20 other bytes belongs to another document.
    const other = await signed(() => cmsByOpenssl(signer, Buffer.alloc(20), '-nodetach', '-md', 'sha256'), order)
    expect(reportOf(other, signer.certificate).verdict).toBe('not-valid')
  })
})

describe.skipIf(!hasOpenssl)('what is not supported is not checked:', () => {
  test.each([
    ['the curve secp256k1', ec('secp256k1'), ['-md', 'sha256'], 'the curve 1.3.132.0.10'],
    ['RIPEMD-160', RSA, ['-md', 'ripemd160'], 'RIPEMD-160'],
  ] as const)('%s, and a changed document is not valid where its hash is known', async (_, key, options, why) => {
    const signer = signerOf(key)
    const found = await verdicts(signer, bytes => cmsByOpenssl(signer, bytes, ...options))
    expect(found.whole).toMatchObject({ verdict: 'not-checked', signatures: [{ integrity: 'not-checked' }] })
    expect(found.whole.signatures[0]?.reasons.join()).toContain(why)
    expect(found.changed).toBe(why === 'RIPEMD-160' ? 'not-checked' : 'not-valid')
  })

  test('plain ECDSA by a P-256 key is not valid with a DER value', async () => {
    const signer = signerOf(ec('P-256'))
    const by = (algorithm: string) => (bytes: Uint8Array) =>
      handmadeCms({
        signed: bytes,
        signer,
        signatureAlgorithm: sequence(oid(algorithm)),
        sign: data => signatureByOpenssl(signer, data, '-digest', 'sha512'),
      })
    expect(reportOf(await signed(by('1.2.840.10045.4.3.4')), signer.certificate).verdict).toBe('valid')
    expect(reportOf(await signed(by('0.4.0.127.0.7.1.1.4.1.5')), signer.certificate).verdict).toBe('not-valid')
  })

  test('a signature of another scheme by an RSASSA-PSS key is not valid', async () => {
    const pssKey = signerOf(['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'])
    const by = (signatureAlgorithm: Uint8Array) => (bytes: Uint8Array) =>
      handmadeCms({
        signed: bytes,
        signer: pssKey,
        signatureAlgorithm,
        sign: data => signatureByOpenssl(pssKey, data, '-digest', 'sha512', ...PSS_20),
      })
    const SHA512 = '2.16.840.1.101.3.4.2.3'
    expect(reportOf(await signed(by(pss(SHA512, SHA512, 20))), pssKey.certificate).verdict).toBe('valid')
    // The certificate is self-signed, with openssl's default parameters.
    expect(reportOf(await signed(by(pss(SHA512, CMS_OID.sha256, 20))), pssKey.certificate).verdict).toBe('not-valid')
    const rsa = sequence(oid('1.2.840.113549.1.1.13'), derNull())
    expect(reportOf(await signed(by(rsa)), pssKey.certificate).verdict).toBe('not-valid')
  })
})

describe.skipIf(!hasOpenssl)('a certification of another product that allows no changes', () => {
  test('may be written in upper-case digits, because it is not a seal by Signet', async () => {
    const signer = signerOf(RSA)
    const { issuer, serial } = readCertificate(signer.certificate)
    const name = sequence(sequence(tagged(4, issuer)), der(TAG.integer, Buffer.from(serial, 'hex')))
    const hash = octetString(createHash('sha256').update(signer.certificate).digest())
    const make = (bytes: Uint8Array) =>
      handmadeCms({
        signed: bytes,
        signer,
        signatureAlgorithm: sequence(oid('1.2.840.113549.1.1.13'), derNull()),
        sign: data => signatureByOpenssl(signer, data, '-digest', 'sha512'),
        attributes: [attribute(CMS_OID.signingCertificateV2, sequence(sequence(sequence(hash, name))))],
      })
    const bytes = await signed(make, { subFilter: 'ETSI.CAdES.detached' })
    const from = bytes.lastIndexOf('/Contents <') + '/Contents <'.length
    bytes.write(bytes.toString('latin1', from, bytes.indexOf('>', from)).toUpperCase(), from, 'latin1')
    expect(reportOf(bytes, signer.certificate)).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-B' }] })
  })
})

describe.skipIf(!hasOpenssl)('a certificate is trusted by the root that signed it:', () => {
  test.each([
    ['RSASSA-PSS', RSA, ['-sha256', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:digest']],
    ['an RSASSA-PSS key', ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'], ['-sha256']],
    ['RSA with SHA3-384', RSA, ['-sha3-384']],
    ['brainpoolP384r1', ec('brainpoolP384r1'), ['-sha384']],
    ['Ed25519', ['-algorithm', 'ed25519'], []],
    ['Ed448', ['-algorithm', 'ed448'], []],
  ] as const)('%s', async (_, key, options) => {
    const [root, other] = [signerOf(key), foreignSigner(key)]
    const signer = issuedBy(root, RSA, options)
    const bytes = await signed(covered => cmsByOpenssl(signer, covered, '-md', 'sha256'))
    expect(reportOf(bytes, root.certificate)).toMatchObject({ verdict: 'valid', signatures: [{ trust: 'trusted' }] })
    // The same name, but a different key.
    expect(reportOf(bytes, other.certificate)).toMatchObject({ verdict: 'signer-unknown', signatures: [{ trust: 'unknown' }] })
  })

  test('but not by a root that signs with SHA-1', async () => {
    const root = signerOf(RSA)
    const signer = issuedBy(root, RSA, ['-sha1'])
    const bytes = await signed(covered => cmsByOpenssl(signer, covered, '-md', 'sha256'))
    expect(reportOf(bytes, root.certificate).verdict).toBe('signer-unknown')
  })
})
