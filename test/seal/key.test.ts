import { afterAll, describe, expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  certificatePem,
  certificateSummary,
  certificatesOfPem,
  commonName,
  nameText,
  OID,
  readCertificate,
} from '../../src/seal/certificate.ts'
import { type KeyType, localKey, makeAuthority, makeLeaf, SealKeyError } from '../../src/seal/key.ts'
import { SEAL_TIME, sharedAuthority, testAuthority } from '../support/test-pki.ts'
import { hasOpenssl, run } from './judges.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each<KeyType>(['rsa-3072', 'ec-p256'])('an own authority of %s', keyType => {
  test('is a root for ten years and under it a leaf for five, both valid a little before now', async () => {
    const authority = await sharedAuthority(keyType)
    const root = readCertificate(authority.root.certificateDer)
    const leaf = readCertificate(authority.leaf.certificateDer)
    expect(root.notAfter.toISOString()).toBe('2041-03-04T05:06:07.000Z')
    expect(leaf.notAfter.toISOString()).toBe('2036-03-04T05:06:07.000Z')
    for (const { notBefore } of [root, leaf]) {
      expect(notBefore < SEAL_TIME).toBeTrue()
      expect(SEAL_TIME.getTime() - notBefore.getTime()).toBeLessThanOrEqual(24 * 60 * 60 * 1000)
    }
  })

  test('lets the leaf sign documents and nothing else, and the root sign certificates and nothing else', async () => {
    const authority = await sharedAuthority(keyType)
    const root = readCertificate(authority.root.certificateDer)
    const leaf = readCertificate(authority.leaf.certificateDer)
    expect(leaf.keyUsage).toEqual(['digitalSignature', 'nonRepudiation'])
    expect(leaf.extendedKeyUsage).toEqual([OID.documentSigning, OID.emailProtection])
    expect(leaf.isAuthority).toBeFalse()
    expect(root.keyUsage).toEqual(['keyCertSign', 'cRLSign'])
    expect(root.extendedKeyUsage).toBeUndefined()
    expect(root).toMatchObject({ isAuthority: true, pathLength: 0, unknownCritical: [] })
  })

  test('has positive serial numbers of 128 bits that never repeat', async () => {
    const authority = await sharedAuthority(keyType)
    const serials = [authority.root, authority.leaf].map(one => readCertificate(one.certificateDer).serial)
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9a-f]{31}$/)
    expect(new Set(serials).size).toBe(2)
  })

  test('signs with the key that its certificate names', async () => {
    const { key } = await sharedAuthority(keyType)
    const data = Buffer.from('attributes')
    const signature = await key.sign(data)
    const { publicKey } = readCertificate(key.certificate)
    expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'der' }, signature)).toBeTrue()
    expect(key.algorithm).toBe(keyType === 'rsa-3072' ? 'rsa-sha256' : 'ecdsa-sha256')
    expect(key.chain.map(one => commonName(readCertificate(one).subject))).toEqual([
      'ours Ωμέγα 株式会社 Seal (TEST)',
      'ours Ωμέγα 株式会社 Root (TEST)',
    ])
  })

  test.skipIf(!hasOpenssl)('satisfies openssl, strictly (needs openssl)', async () => {
    const authority = await testAuthority(keyType, { now: new Date() })
    writeFileSync(join(folder, 'root.pem'), authority.rootPem)
    writeFileSync(join(folder, 'leaf.pem'), authority.leafPem)
    const strict = ['openssl', 'verify', '-x509_strict', '-CAfile', join(folder, 'root.pem')]
    expect(run([...strict, join(folder, 'leaf.pem')])).toMatchObject({ code: 0 })
    expect(run([...strict, '-purpose', 'smimesign', join(folder, 'leaf.pem')])).toMatchObject({ code: 0 })
    const text = run(['openssl', 'x509', '-in', join(folder, 'leaf.pem'), '-noout', '-text']).text
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation\n/)
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
    expect(text).toMatch(/Subject Key Identifier/)
    expect(text).toMatch(/Authority Key Identifier/)
  })
})

describe('names', () => {
  const make = (organisation: string, environment: string) => testAuthority('ec-p256', { organisation, environment })

  test('say TEST outside production, and not in it', async () => {
    const [staging, production] = [await make('Contoso', 'staging'), await make('Contoso', 'production')]
    const name = (der: Uint8Array) => nameText(readCertificate(der).subject)
    expect(name(staging.leaf.certificateDer)).toBe('CN=Contoso Seal (TEST), O=Contoso')
    expect(name(staging.root.certificateDer)).toBe('CN=Contoso Root (TEST), O=Contoso')
    expect(name(production.leaf.certificateDer)).toBe('CN=Contoso Seal, O=Contoso')
  })

  test.each(['株式会社サンプル', 'شركة المثال', 'Ärzte & Söhne, "GmbH" + Co', '👩‍⚕️ Praxis'])('carry %s', async organisation => {
    const { leaf } = await make(organisation, 'production')
    const parts = new X509Certificate(certificatePem(leaf.certificateDer)).subject
    expect(commonName(readCertificate(leaf.certificateDer).subject)).toBe(`${organisation} Seal`)
    expect(parts).toBeString()
  })

  test('are shortened to 64 characters, but never the word TEST', async () => {
    const { leaf } = await make('🏢'.repeat(100), 'test')
    const name = commonName(readCertificate(leaf.certificateDer).subject)
    expect([...name]).toHaveLength(64)
    expect(name).toEndWith('🏢 Seal (TEST)')
  })

  test('cannot forge a second part', async () => {
    const { leaf } = await make('Evil, CN=Contoso\n\u0000Root', 'production')
    expect(nameText(readCertificate(leaf.certificateDer).subject)).toBe(
      'CN=Evil\\, CN=Contoso Root Seal, O=Evil\\, CN=Contoso Root',
    )
  })
})

describe('renewal', () => {
  test('gives a new leaf with a new key under the same root', async () => {
    const authority = await sharedAuthority('ec-p256')
    const now = new Date('2035-12-01T00:00:00Z')
    const renewed = await makeLeaf(authority.root, { organisation: 'ours', environment: 'test', keyType: 'ec-p256', now })
    const [before, after] = [readCertificate(authority.leaf.certificateDer), readCertificate(renewed.certificateDer)]
    expect(Buffer.compare(after.issuer, before.issuer)).toBe(0)
    expect(Buffer.compare(after.publicKeyInfo, before.publicKeyInfo)).not.toBe(0)
    expect(after.serial).not.toBe(before.serial)
    expect(after.notAfter.toISOString()).toBe('2040-12-01T00:00:00.000Z')
  })

  test('never outlives the root', async () => {
    const authority = await sharedAuthority('ec-p256')
    const now = new Date('2039-01-01T00:00:00Z')
    const renewed = await makeLeaf(authority.root, { organisation: 'ours', environment: 'test', keyType: 'ec-p256', now })
    expect(readCertificate(renewed.certificateDer).notAfter).toEqual(readCertificate(authority.root.certificateDer).notAfter)
  })

  test('may change the kind of key', async () => {
    const { root } = await sharedAuthority('rsa-3072')
    const leaf = await makeLeaf(root, { organisation: 'ours', environment: 'test', keyType: 'ec-p256', now: SEAL_TIME })
    expect(localKey({ leaf, issuers: [root.certificateDer] }).algorithm).toBe('ecdsa-sha256')
    expect(readCertificate(leaf.certificateDer).signatureAlgorithm).toBe(OID.sha256WithRsa)
  })
})

test('a private key that is not the certificate’s is refused', async () => {
  const [one, other] = [await sharedAuthority('ec-p256'), await sharedAuthority('ec-p256', 'theirs')]
  const leaf = { certificateDer: one.leaf.certificateDer, privateKeyPkcs8Der: other.leaf.privateKeyPkcs8Der }
  expect(() => localKey({ leaf, issuers: [] })).toThrow(SealKeyError)
})

test('private keys are plain PKCS#8 DER that openssl’s like can read', async () => {
  const { leaf, root } = await makeAuthority({ organisation: 'Contoso', environment: 'test', keyType: 'ec-p256', now: SEAL_TIME })
  for (const one of [leaf, root]) {
    const key = createPrivateKey({ key: Buffer.from(one.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
    const own = createPublicKey(key).export({ format: 'der', type: 'spki' })
    expect(Buffer.compare(own, readCertificate(one.certificateDer).publicKeyInfo)).toBe(0)
  }
})

test('the summary for certificate pages is in people’s words, and PEM comes back as DER', async () => {
  const { leaf, leafPem, rootPem } = await sharedAuthority('rsa-3072')
  const x509 = new X509Certificate(leafPem)
  const summary = certificateSummary(leaf.certificateDer)
  expect(summary.algorithm).toBe('RSA-3072, SHA-256')
  expect(summary.serial.toUpperCase()).toBe(x509.serialNumber)
  expect(summary.sha256.toUpperCase()).toBe(x509.fingerprint256.replaceAll(':', ''))
  expect(certificatesOfPem(`text\n${leafPem}more\n${rootPem}`)).toHaveLength(2)
  expect(Buffer.compare(certificatesOfPem(leafPem)[0] ?? new Uint8Array(), leaf.certificateDer)).toBe(0)
})
