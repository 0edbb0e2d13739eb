import { describe, expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { violation } from '../../src/core/violation.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { readOid } from '../../src/pki/der.ts'
import { SealKeyError } from '../../src/pki/issue.ts'
import { issueLeaf, KEY_TYPES, type KeyType, keyTypeOf, localKey, makeAuthority, type SealKey } from '../../src/pki/key.ts'
import { OID } from '../../src/pki/oid.ts'
import {
  certificatePem,
  certificateSummary,
  certificatesOfPem,
  commonName,
  nameText,
  readCertificate,
} from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { sealWithSignpdf } from '../support/signpdf.ts'
import { SEAL_TIME, sharedAuthority, testAuthority } from '../support/test-pki.ts'
import { verifyFile } from '../support/written-report.ts'
import { hasOpenssl, hasPdfsig, opensslVerifies, pdfsig, run } from '../verify/tools.ts'

const folder = useFolder()

const current = new Map<KeyType, Promise<SealKey>>()

/** A key that is valid today, because other tools use the machine's clock. */
function madeNow(keyType: KeyType): Promise<SealKey> {
  const known = current.get(keyType) ?? testAuthority(keyType, { now: new Date() }).then(({ key }) => key)
  current.set(keyType, known)
  return known
}

/** The CMS of a sealed file, and the signed octets. */
function partsOf(path: string): [cms: Uint8Array, signed: Uint8Array] {
  const file = readFileSync(path)
  const [, a = 0, b = 0, c = 0] =
    /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\s*\]/.exec(file.toString('latin1'))?.slice(1).map(Number) ?? []
  const hex = file.toString('latin1', a + 1, b - 1)
  return [Buffer.from(hex, 'hex'), Buffer.concat([file.subarray(0, a), file.subarray(b, b + c)])]
}

describe.each<KeyType>([...KEY_TYPES])('an authority of %s', keyType => {
  test('is a root for ten years and a leaf for five, both valid from the day before, for readers with a slow clock', async () => {
    const authority = await sharedAuthority(keyType)
    const root = readCertificate(authority.root.certificateDer)
    const leaf = readCertificate(authority.leaf.certificateDer)
    expect(root.notAfter.toISOString()).toBe('2041-03-04T05:06:07.000Z')
    expect(leaf.notAfter.toISOString()).toBe('2036-03-04T05:06:07.000Z')
    for (const { notBefore } of [root, leaf]) {
      expect(SEAL_TIME.getTime() - notBefore.getTime()).toBe(24 * 60 * 60 * 1000)
    }
  })

  test('lets the leaf sign only documents, and the root only certificates and lists', async () => {
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

  test('signs with the key of its certificate', async () => {
    const { key } = await sharedAuthority(keyType)
    const data = Buffer.from('attributes')
    const signature = await key.sign(data)
    const { publicKey, publicKeyInfo } = readCertificate(key.certificate)
    const imported = createPublicKey({ key: Buffer.from(publicKeyInfo), format: 'der', type: 'spki' })
    expect(verify('sha256', data, { key: imported, dsaEncoding: 'der' }, signature)).toBeTrue()
    expect(key.algorithm).toBe(keyType.startsWith('rsa') ? 'rsa-sha256' : 'ecdsa-sha256')
    expect(keyTypeOf(publicKey)).toBe(keyType)
    expect(key.chain.map(one => commonName(readCertificate(one).subject))).toEqual([
      'ours Ωμέγα 株式会社 Seal (TEST)',
      'ours Ωμέγα 株式会社 Root (TEST)',
    ])
  })

  test('seals a page that Signet, pdfsig and openssl accept (needs those)', async () => {
    const authority = await sharedAuthority(keyType)
    const path = join(folder, `${keyType}.pdf`)
    await sealWithSignpdf(await madeNow(keyType), path)
    const rootPem = certificatePem((await madeNow(keyType)).chain.at(-1) ?? new Uint8Array())
    expect(await verifyFile({ path, trust: [rootPem], originalPath: undefined })).toMatchObject({ verdict: 'valid', reasons: [] })
    const foreign = await verifyFile({ path, trust: [authority.rootPem], originalPath: undefined })
    expect(foreign.verdict).toBe('signer-unknown')
    if (hasPdfsig) {
      const said = pdfsig(folder, path, rootPem)
      expect(said).toContain('Signature is Valid.')
      expect(said).toContain('Certificate is Trusted.')
      expect(said).toContain('Total document signed')
    }
    if (hasOpenssl) expect(opensslVerifies(folder, ...partsOf(path), rootPem)).toContain('CMS Verification successful')
  })

  test.skipIf(!hasOpenssl)('is accepted by openssl in strict mode (needs openssl)', async () => {
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

  test('contain TEST outside production only', async () => {
    const [staging, production] = [await make('Contoso', 'staging'), await make('Contoso', 'production')]
    const name = (der: Uint8Array) => nameText(readCertificate(der).subject)
    expect(name(staging.leaf.certificateDer)).toBe('CN=Contoso Seal (TEST), O=Contoso')
    expect(name(staging.root.certificateDer)).toBe('CN=Contoso Root (TEST), O=Contoso')
    expect(name(production.leaf.certificateDer)).toBe('CN=Contoso Seal, O=Contoso')
  })

  test.each(['株式会社サンプル', 'شركة المثال', 'Ärzte & Söhne, "GmbH" + Co', '👩‍⚕️ Praxis'])('contain %s', async organisation => {
    const { leaf } = await make(organisation, 'production')
    const parts = new X509Certificate(certificatePem(leaf.certificateDer)).subject
    expect(commonName(readCertificate(leaf.certificateDer).subject)).toBe(`${organisation} Seal`)
    expect(parts).toBeString()
  })

  test('are truncated to 64 characters, except for the word TEST', async () => {
    const { leaf } = await make('🏢'.repeat(100), 'test')
    const name = commonName(readCertificate(leaf.certificateDer).subject)
    expect([...name]).toHaveLength(64)
    expect(name).toEndWith('🏢 Seal (TEST)')
  })

  test('cannot inject a second part', async () => {
    const { leaf } = await make('Evil, CN=Contoso\n\u0000Root', 'production')
    expect(nameText(readCertificate(leaf.certificateDer).subject)).toBe(
      'CN=Evil\\, CN=Contoso Root Seal, O=Evil\\, CN=Contoso Root',
    )
  })
})

describe('renewal', () => {
  test('issues a leaf with a new key under the same root', async () => {
    const authority = await sharedAuthority('ec-p256')
    const now = new Date('2035-12-01T00:00:00Z')
    const renewed = await issueLeaf(authority.root, {
      ...THIS_MACHINE,
      organisation: 'ours',
      environment: 'test',
      keyType: 'ec-p256',
      now,
    })
    const [before, after] = [readCertificate(authority.leaf.certificateDer), readCertificate(renewed.certificateDer)]
    expect(Buffer.compare(after.issuer, before.issuer)).toBe(0)
    expect(Buffer.compare(after.publicKeyInfo, before.publicKeyInfo)).not.toBe(0)
    expect(after.serial).not.toBe(before.serial)
    expect(after.notAfter.toISOString()).toBe('2040-12-01T00:00:00.000Z')
  })

  test('ends with the root at the latest', async () => {
    const authority = await sharedAuthority('ec-p256')
    const now = new Date('2039-01-01T00:00:00Z')
    const renewed = await issueLeaf(authority.root, {
      ...THIS_MACHINE,
      organisation: 'ours',
      environment: 'test',
      keyType: 'ec-p256',
      now,
    })
    expect(readCertificate(renewed.certificateDer).notAfter).toEqual(readCertificate(authority.root.certificateDer).notAfter)
  })

  test('can change the key type', async () => {
    const { root } = await sharedAuthority('rsa-3072')
    const leaf = await issueLeaf(root, {
      ...THIS_MACHINE,
      organisation: 'ours',
      environment: 'test',
      keyType: 'ec-p256',
      now: SEAL_TIME,
    })
    expect(localKey({ leaf, issuers: [root.certificateDer] }, THIS_MACHINE.threads).algorithm).toBe('ecdsa-sha256')
    expect(readOid(readCertificate(leaf.certificateDer).signatureAlgorithm.children[0], 'the algorithm')).toBe(OID.sha256WithRsa)
  })
})

test('a private key of another certificate is refused', async () => {
  const [one, other] = [await sharedAuthority('ec-p256'), await sharedAuthority('ec-p256', 'theirs')]
  const leaf = { certificateDer: one.leaf.certificateDer, privateKeyPkcs8Der: other.leaf.privateKeyPkcs8Der }
  expect(() => localKey({ leaf, issuers: [] }, THIS_MACHINE.threads)).toThrow(SealKeyError)
})

test('private keys are unencrypted PKCS#8 DER', async () => {
  const { leaf, root } = await makeAuthority({
    ...THIS_MACHINE,
    organisation: 'Contoso',
    environment: 'test',
    keyType: 'ec-p256',
    now: SEAL_TIME,
  })
  for (const one of [leaf, root]) {
    const key = createPrivateKey({ key: Buffer.from(one.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
    const own = createPublicKey(key).export({ format: 'der', type: 'spki' })
    expect(Buffer.compare(own, readCertificate(one.certificateDer).publicKeyInfo)).toBe(0)
  }
})

test('the summary names algorithm, serial number and fingerprint, and PEM is read as DER', async () => {
  const { leaf, leafPem, rootPem } = await sharedAuthority('rsa-3072')
  const x509 = new X509Certificate(leafPem)
  const summary = certificateSummary(leaf.certificateDer)
  expect(summary.algorithm).toBe('RSA-3072, SHA-256')
  expect(summary.serial.toUpperCase()).toBe(x509.serialNumber)
  expect(summary.sha256.toUpperCase()).toBe(x509.fingerprint256.replaceAll(':', ''))
  expect(certificatesOfPem(`text\n${leafPem}more\n${rootPem}`)).toHaveLength(2)
  expect(Buffer.compare(certificatesOfPem(leafPem)[0] ?? new Uint8Array(), leaf.certificateDer)).toBe(0)
})

describe('a remote key', () => {
  /** A token or a service: the private key never leaves it, and responses take time. */
  async function remote(answer: (data: Uint8Array) => Promise<Uint8Array>): Promise<SealKey> {
    const { certificate, chain, algorithm } = await madeNow('ec-p384')
    return { certificate, chain, algorithm, sign: answer }
  }

  test('seals through the same interface, and receives only the attributes, never the document', async () => {
    const local = await madeNow('ec-p384')
    const seen: Uint8Array[] = []
    const key = await remote(async data => {
      seen.push(data)
      await new Promise(resolve => setImmediate(resolve))
      return local.sign(data)
    })
    const path = join(folder, 'remote.pdf')
    await sealWithSignpdf(key, path)
    const rootPem = certificatePem(key.chain.at(-1) ?? new Uint8Array())
    expect(await verifyFile({ path, trust: [rootPem], originalPath: undefined })).toMatchObject({ verdict: 'valid' })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.[0]).toBe(0x31)
    expect(seen[0]?.length).toBeLessThan(300)
  })

  test('that rejects leaves no file, and its error is passed on', async () => {
    const key = await remote(async () => {
      throw new SealKeyError(violation('seal_key_kind'))
    })
    const path = join(folder, 'refused.pdf')
    await expect(sealWithSignpdf(key, path)).rejects.toThrow('The key is neither an RSA nor an ECDSA key.')
    expect(existsSync(path)).toBeFalse()
  })

  test('that does not respond delays only its own seal', async () => {
    const path = join(folder, 'hanging.pdf')
    const hanging = sealWithSignpdf(await remote(() => new Promise(() => {})), path)
    const other = join(folder, 'other.pdf')
    await sealWithSignpdf(await madeNow('ec-p384'), other)
    const answered = await Promise.race([hanging.then(() => 'sealed'), Promise.resolve('gone')])
    expect([answered, existsSync(path), existsSync(other)]).toEqual(['gone', false, true])
  })

  test('that signs with another private key makes an invalid seal', async () => {
    const { key: other } = await sharedAuthority('ec-p384', 'theirs')
    const key = await remote(data => other.sign(data))
    const path = join(folder, 'liar.pdf')
    await sealWithSignpdf(key, path)
    const rootPem = certificatePem(key.chain.at(-1) ?? new Uint8Array())
    const report = await verifyFile({ path, trust: [rootPem], originalPath: undefined })
    expect(report.verdict).toBe('not-valid')
  })
})

test('a local key exposes no private byte', async () => {
  const { leaf, key } = await sharedAuthority('ec-p256')
  expect(Object.keys(key).sort()).toEqual(['algorithm', 'certificate', 'chain', 'sign'])
  expect(Object.isFrozen(key)).toBeTrue()
  const secret = Buffer.from(leaf.privateKeyPkcs8Der).subarray(40, 60).toString('hex')
  const shown = [key.certificate, ...key.chain].map(bytes => Buffer.from(bytes).toString('hex')).join()
  expect(shown).not.toContain(secret)
  expect(Bun.inspect(key)).not.toContain('PrivateKey')
})

test('an authority on P-384 signs with SHA-384, the others with SHA-256', async () => {
  const algorithms: [KeyType, string][] = [
    ['ec-p384', OID.ecdsaWithSha384],
    ['ec-p256', OID.ecdsaWithSha256],
    ['rsa-3072', OID.sha256WithRsa],
  ]
  for (const [keyType, algorithm] of algorithms) {
    const { leaf } = await sharedAuthority(keyType)
    expect(readOid(readCertificate(leaf.certificateDer).signatureAlgorithm.children[0], 'the algorithm')).toBe(algorithm)
  }
})
