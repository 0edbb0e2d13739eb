import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentsBytesFor, createSignedData } from '../../src/pades/cms.ts'
import { readDer, readOid } from '../../src/pki/der.ts'
import type { KeyType } from '../../src/pki/key.ts'
import { readSignedCms } from '../../src/verify/cms.ts'
import { useFolder } from '../support/folders.ts'
import { sharedAuthority, testAuthority } from '../support/test-pki.ts'
import { hasOpenssl, opensslVerifies, run } from '../verify/tools.ts'

const folder = useFolder()

const document = Buffer.from('the two ranges of a document')
const digest = createHash('sha256').update(document).digest()

describe.each<KeyType>(['rsa-3072', 'ec-p256'])('the CMS of a key of %s', keyType => {
  test('has exactly content-type, message-digest and signing-certificate-v2 under its signature, and no signing-time', async () => {
    const { key } = await sharedAuthority(keyType)
    const cms = readSignedCms(await createSignedData({ digest, key }))
    const attributes = cms.signer.signedAttributes?.children ?? []
    expect(attributes.map(attribute => readOid(attribute.children[0], 'type'))).toEqual([
      '1.2.840.113549.1.9.3',
      '1.2.840.113549.1.9.4',
      '1.2.840.113549.1.9.16.2.47',
    ])
    expect(cms).toMatchObject({ version: 1, content: undefined, hasRevocationLists: false, unreadable: [] })
    expect(cms.signer).toMatchObject({ version: 1, unsignedAttributes: [] })
  })

  test('names its certificate by SHA-256, and omits the default algorithm', async () => {
    const { key } = await sharedAuthority(keyType)
    const cms = readSignedCms(await createSignedData({ digest, key }))
    const value = cms.signer.signedAttributes?.children[2]?.children[1]?.children[0]
    const essCertId = value?.children[0]?.children[0]
    expect(essCertId?.children.map(child => child.tag)).toEqual([0x04])
    expect(Buffer.from(essCertId?.children[0]?.contents ?? [])).toEqual(createHash('sha256').update(key.certificate).digest())
  })

  test('contains the leaf and the root, in DER order', async () => {
    const { key } = await sharedAuthority(keyType)
    const der = readDer(await createSignedData({ digest, key }))
    const certificates = der.children[1]?.children[0]?.children[3]?.children ?? []
    expect(certificates.map(node => Buffer.from(node.encoded).toString('hex'))).toEqual(
      key.chain.map(one => Buffer.from(one).toString('hex')).sort(),
    )
  })

  test('makes a remote key sign only the attributes as SET OF', async () => {
    const { key } = await sharedAuthority(keyType)
    const asked: Uint8Array[] = []
    const remote = {
      ...key,
      sign(data: Uint8Array) {
        asked.push(data)
        return key.sign(data)
      },
    }
    const cms = readSignedCms(await createSignedData({ digest, key: remote }))
    expect(asked).toHaveLength(1)
    expect(asked[0]?.[0]).toBe(0x31)
    expect(Buffer.from(readDer(asked[0] ?? new Uint8Array()).contents)).toEqual(
      Buffer.from(cms.signer.signedAttributes?.contents ?? []),
    )
  })

  test.skipIf(!hasOpenssl)('is accepted by openssl, and refused for a changed byte (needs openssl)', async () => {
    const { key, rootPem } = await testAuthority(keyType, { now: new Date() })
    const cms = await createSignedData({ digest, key })
    expect(opensslVerifies(folder, cms, document, rootPem)).toContain('CMS Verification successful')
    expect(opensslVerifies(folder, cms, Buffer.from('the two ranges of another'), rootPem)).toContain('Verification failure')
    const { text } = run(['openssl', 'asn1parse', '-inform', 'DER'], cms)
    expect(text).toContain('id-smime-aa-signingCertificateV2')
    expect(text).not.toMatch(/signingTime|Error/)
  })
})

test('a digest of another length is refused before the key signs', async () => {
  const { key } = await sharedAuthority('ec-p256')
  const remote = { ...key, sign: () => Promise.reject(new Error('asked')) }
  await expect(createSignedData({ digest: digest.subarray(1), key: remote })).rejects.toThrow(RangeError)
})

test('an error of the key is passed on', async () => {
  const { key } = await sharedAuthority('ec-p256')
  const remote = { ...key, sign: () => Promise.reject(new Error('the card was pulled')) }
  await expect(createSignedData({ digest, key: remote })).rejects.toThrow('the card was pulled')
})

test('16 kB are reserved, or more for a long chain', async () => {
  const { key } = await sharedAuthority('rsa-3072')
  expect(contentsBytesFor(key.chain, false)).toBe(16 * 1024)
  const long = { ...key, chain: [...key.chain, ...Array.from({ length: 8 }, () => new Uint8Array(2000))] }
  expect(contentsBytesFor(long.chain, true)).toBeGreaterThan(16_000 + 8 * 1024)
  writeFileSync(join(folder, 'cms.der'), await createSignedData({ digest, key: long }))
  expect((await createSignedData({ digest, key: long })).length).toBeLessThan(contentsBytesFor(long.chain, true))
})
