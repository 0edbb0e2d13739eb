/** Forged RSA values: encoded messages with one wrong part, under the private key. RFC 8017 §9. */
import { describe, expect, test } from 'bun:test'
import { constants, createHash, generateKeyPairSync, type KeyObject, privateDecrypt, sign } from 'node:crypto'
import type { PssParameters } from '../../src/pki/algorithm.ts'
import { type PublicKey, readPublicKey } from '../../src/pki/public-key.ts'
import { verifySignature } from '../../src/pki/signature-value.ts'

const DATA = Buffer.from('what is signed')
const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const PSS: PssParameters = { hash: 'sha256', maskHash: 'sha256', saltLength: 32 }

function pair(modulusLength = 2048): { key: PublicKey & { kind: 'rsa' }; secret: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const key = readPublicKey(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' })))
  if (key.kind !== 'rsa') throw new Error('no RSA key')
  return { key, secret: privateKey }
}

const { key, secret } = pair()
/** RSASP1. */
const raised = (encoded: Uint8Array): Uint8Array => privateDecrypt({ key: secret, padding: constants.RSA_NO_PADDING }, encoded)

function mask(seed: Uint8Array, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) => sha256(seed, Buffer.from([0, 0, 0, i])))
  return Buffer.concat(blocks).subarray(0, length)
}

/** EMSA-PSS-ENCODE for 2048 bits, with parts that a test replaces. */
function encoded({
  separator = 1,
  trailer = 0xbc,
  firstBit = 0,
  padding = 0,
  digest = sha256(DATA),
  salt: octet = 0x5a,
} = {}): Buffer {
  const salt = Buffer.alloc(32, octet)
  const check = sha256(Buffer.alloc(8), digest, salt)
  const block = Buffer.concat([Buffer.alloc(256 - 32 - 1 - 33), Buffer.from([separator]), salt])
  block[20] = padding
  const masked = mask(check, block.length).map((octet, i) => octet ^ (block[i] ?? 0))
  masked[0] = ((masked[0] ?? 0) & 0x7f) | (firstBit << 7)
  return Buffer.concat([masked, check, Buffer.from([trailer])])
}

describe('RSASSA-PSS', () => {
  const verified = (spoilt: Parameters<typeof encoded>[0]) =>
    verifySignature({ kind: 'rsa-pss', ...PSS }, key, [DATA], raised(encoded(spoilt)))

  test('verifies a correct encoding', () => expect(verified({})).toBeTrue())

  test.each([
    ['the digest of something else', { digest: sha256(Buffer.from('another')) }],
    ['another separator before the salt', { separator: 2 }],
    ['padding that is not zero', { padding: 1 }],
    ['another trailer', { trailer: 0xbd }],
  ])('does not verify %s', (_, spoilt) => expect(verified(spoilt)).toBeFalse())

  test('does not verify a bit above the encoded message', () => {
    // About every second value is below the modulus, as it must be.
    const values = Array.from({ length: 256 }, (_, salt) => {
      try {
        return raised(encoded({ firstBit: 1, salt }))
      } catch {
        return undefined
      }
    }).filter(value => value !== undefined)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(verifySignature({ kind: 'rsa-pss', ...PSS }, key, [DATA], value)).toBeFalse()
  })

  test('by a key restricted to it uses the parameters of the key', () => {
    const value = sign('sha256', DATA, { key: secret, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
    const by = (pssOnly: PssParameters | 'any') =>
      verifySignature({ kind: 'rsa-pss', ...PSS }, { ...key, pssOnly }, [DATA], value)
    expect([by('any'), by(PSS), by({ ...PSS, saltLength: 20 })]).toEqual([true, true, true])
    expect([by({ ...PSS, hash: 'sha512' }), by({ ...PSS, maskHash: 'sha512' }), by({ ...PSS, saltLength: 33 })]).toEqual([
      false,
      false,
      false,
    ])
    const plain = sign('sha256', DATA, secret)
    expect(verifySignature({ kind: 'rsa', hash: 'sha256' }, key, [DATA], plain)).toBeTrue()
    expect(verifySignature({ kind: 'rsa', hash: 'sha256' }, { ...key, pssOnly: 'any' }, [DATA], plain)).toBeFalse()
  })
})

describe('RSASSA-PKCS1-v1_5', () => {
  const info = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), sha256(DATA)])
  const verified = (message: Uint8Array) => verifySignature({ kind: 'rsa', hash: 'sha256' }, key, [DATA], raised(message))
  const whole = Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(256 - 3 - info.length, 0xff), Buffer.from([0]), info])

  test('verifies a correct encoding', () => expect(verified(whole)).toBeTrue())

  test('does not verify short padding with octets after the digest', () => {
    const rest = Buffer.alloc(256 - 3 - 8 - info.length, 0x11)
    expect(verified(Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(8, 0xff), Buffer.from([0]), info, rest]))).toBeFalse()
  })

  test.each([1, 2, 100, 256 - info.length - 1])('does not verify another octet at %i', at => {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ 0x40
    expect(verified(changed)).toBeFalse()
  })

  test('does not verify a value that is longer than the modulus, or not below it', () => {
    const value = raised(whole)
    expect(verifySignature({ kind: 'rsa', hash: 'sha256' }, key, [DATA], Buffer.concat([Buffer.alloc(1), value]))).toBeFalse()
    expect(verifySignature({ kind: 'rsa', hash: 'sha256' }, key, [DATA], Buffer.alloc(256, 0xff))).toBeFalse()
  })
})
