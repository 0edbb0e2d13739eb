/** Decrypts PKCS#12 and verifies its MAC, with bounded key derivation. RFC 7292, RFC 8018. */
import { createDecipheriv, createHash, createHmac, hash as hashOnce, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { violation } from '../core/violation.ts'
import type { Timers } from '../lib/machine.ts'
import { DerError, type DerNode, expectTag, readOid, TAG } from './der.ts'
import { SealKeyError } from './issue.ts'

const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** PRFs of PBKDF2 (RFC 8018 appendix B.1). */
const PRFS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

interface Cipher {
  name: string
  keyBytes: number
}

/** PBES2 encryption schemes (RFC 8018 appendix B.2). */
const CIPHERS: Readonly<Record<string, Cipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
}

/** Password-based encryption of PKCS#12 itself (RFC 7292 appendix C), SHA-1 throughout. */
const LEGACY: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede3-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2-40-cbc', keyBytes: 5 },
}
const LEGACY_IV_BYTES = 8

const PBES2 = '1.2.840.113549.1.5.13'
const PBKDF2 = '1.2.840.113549.1.5.12'
const HMAC_SHA1 = '1.2.840.113549.2.7'
const MAX_ITERATIONS = 10_000_000

export interface Secret {
  /** UTF-16, big-endian, with two zero octets at the end (RFC 7292 appendix B.1). */
  bmp: Uint8Array
  /** For PBES2. */
  utf8: Uint8Array
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

/** The standard's encoding, then those of old programs: UTF-8 as Latin-1, or nothing if empty. */
export function encodePassphrase(passphrase: string): Secret[] {
  const utf8 = Buffer.from(passphrase, 'utf8')
  const standard = { bmp: utf16(`${passphrase}\0`), utf8 }
  if (passphrase === '') return [standard, { bmp: new Uint8Array(), utf8 }]
  const octets = utf8.toString('latin1')
  return octets === passphrase ? [standard] : [standard, { bmp: utf16(`${octets}\0`), utf8 }]
}

export interface Budget {
  /** Rounds of key derivation that all parts of the file may still use. */
  iterations: number
  timers: Timers
}

export const newBudget = (timers: Timers): Budget => ({ iterations: MAX_ITERATIONS, timers })

function readIterations(node: DerNode | undefined, budget: Budget): number {
  const { contents } = expectTag(node, TAG.integer, 'the number of iterations')
  const count = contents.reduce((sum, octet) => sum * 256 + octet, 0)
  if (count < 1 || contents.length > 4) throw new DerError('the number of iterations is invalid')
  budget.iterations -= count
  if (budget.iterations < 0) throw new SealKeyError(violation('key_file_rounds'))
  return count
}

/** Repeats `pattern` to the next multiple of the block size. */
function repeat(pattern: Uint8Array, blockBytes: number): Uint8Array {
  const length = blockBytes * Math.ceil(pattern.length / blockBytes)
  return Uint8Array.from({ length }, (_, i) => pattern[i % pattern.length] ?? 0)
}

/** (block + addend + 1) mod 2^(8n), in place. */
function addOneAnd(block: Uint8Array, addend: Uint8Array): void {
  let carry = 1
  for (let i = block.length - 1; i >= 0; i--) {
    carry += (block[i] ?? 0) + (addend[i] ?? 0)
    block[i] = carry & 0xff
    carry >>= 8
  }
}

const derive = promisify(pbkdf2)

/** Rounds before yielding to the event loop: about a millisecond. */
const ROUNDS_PER_TURN = 5_000

async function hashRepeatedly(timers: Timers, hash: string, first: Buffer, rounds: number): Promise<Buffer> {
  let digest = first
  for (let left = rounds; left > 0; left -= ROUNDS_PER_TURN) {
    for (let round = Math.min(left, ROUNDS_PER_TURN); round > 0; round--) digest = hashOnce(hash, digest, 'buffer')
    if (left > ROUNDS_PER_TURN) await timers.yield()
  }
  return digest
}

type Purpose = 'key' | 'iv' | 'mac'
const DIVERSIFIER: Record<Purpose, number> = { key: 1, iv: 2, mac: 3 }

interface Derivation {
  hash: string
  bmp: Uint8Array
  salt: Uint8Array
  iterations: number
  timers: Timers
}

/** RFC 7292 appendix B.2. */
export async function pkcs12Kdf(
  { hash, bmp, salt, iterations, timers }: Derivation,
  purpose: Purpose,
  bytes: number,
): Promise<Uint8Array> {
  const blockBytes = hash === 'sha384' || hash === 'sha512' ? 128 : 64
  const diversifier = new Uint8Array(blockBytes).fill(DIVERSIFIER[purpose])
  const input = Buffer.concat([repeat(salt, blockBytes), repeat(bmp, blockBytes)])
  const out: Uint8Array[] = []
  for (let have = 0; have < bytes; ) {
    const first = createHash(hash).update(diversifier).update(input).digest()
    const digest = await hashRepeatedly(timers, hash, first, iterations - 1)
    out.push(digest)
    have += digest.length
    const addend = Uint8Array.from({ length: blockBytes }, (_, i) => digest[i % digest.length] ?? 0)
    for (let at = 0; at < input.length; at += blockBytes) addOneAnd(input.subarray(at, at + blockBytes), addend)
  }
  return Buffer.concat(out).subarray(0, bytes)
}

/** Undefined if the padding is invalid, which nearly always means a wrong key. */
function decipher(name: string, key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  const cipher = createDecipheriv(name, key, iv)
  const head = cipher.update(data)
  try {
    return Buffer.concat([head, cipher.final()])
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function requireCipher(found: Cipher | undefined, id: string): Cipher {
  if (found === undefined) throw new SealKeyError(violation('key_file_encryption', { id }))
  return found
}

function readIv(node: DerNode | undefined, { name }: Cipher): Uint8Array {
  const { contents } = expectTag(node, TAG.octetString, 'the initialisation vector')
  if (contents.length !== (name.startsWith('aes') ? 16 : LEGACY_IV_BYTES))
    throw new DerError('an initialisation vector has a wrong length')
  return contents
}

async function decryptPbes2(
  parameters: DerNode | undefined,
  data: Uint8Array,
  { utf8 }: Secret,
  budget: Budget,
): Promise<Uint8Array | undefined> {
  const [derivation, scheme] = expectTag(parameters, TAG.sequence, 'the parameters of PBES2').children
  const [kdf, kdfParameters] = expectTag(derivation, TAG.sequence, 'the key derivation').children
  const kdfId = readOid(kdf, 'the key derivation')
  if (kdfId !== PBKDF2) throw new SealKeyError(violation('key_file_derivation', { id: kdfId }))
  const [salt, count, ...optional] = expectTag(kdfParameters, TAG.sequence, 'the parameters of PBKDF2').children
  const prfNode = optional.find(node => node.tag === TAG.sequence)
  const prfId = prfNode === undefined ? HMAC_SHA1 : readOid(prfNode.children[0], 'the PRF')
  const prf = PRFS[prfId]
  if (prf === undefined) throw new SealKeyError(violation('key_file_derivation', { id: prfId }))
  const [id, iv] = expectTag(scheme, TAG.sequence, 'the encryption scheme').children
  const cipherId = readOid(id, 'the encryption scheme')
  const cipher = requireCipher(CIPHERS[cipherId], cipherId)
  const saltBytes = expectTag(salt, TAG.octetString, 'the salt').contents
  const key = await derive(utf8, saltBytes, readIterations(count, budget), cipher.keyBytes, prf)
  return decipher(cipher.name, key, readIv(iv, cipher), data)
}

/** Undefined if the pass-phrase is wrong. @throws SealKeyError, DerError */
export async function decryptWithPassphrase(
  algorithm: DerNode,
  data: Uint8Array,
  secret: Secret,
  budget: Budget,
): Promise<Uint8Array | undefined> {
  const [id, parameters] = algorithm.children
  const name = readOid(id, 'the encryption algorithm')
  if (name === PBES2) return decryptPbes2(parameters, data, secret, budget)
  const cipher = requireCipher(LEGACY[name], name)
  const [salt, count] = expectTag(parameters, TAG.sequence, 'the parameters of the encryption').children
  const derivation = {
    hash: 'sha1',
    bmp: secret.bmp,
    salt: expectTag(salt, TAG.octetString, 'the salt').contents,
    iterations: readIterations(count, budget),
    timers: budget.timers,
  }
  const derived = await pkcs12Kdf(derivation, 'key', cipher.keyBytes)
  // Two-key triple DES uses the first key again as the third.
  const key = cipher.name === 'des-ede3-cbc' && derived.length === 16 ? Buffer.concat([derived, derived.subarray(0, 8)]) : derived
  return decipher(cipher.name, key, await pkcs12Kdf(derivation, 'iv', LEGACY_IV_BYTES), data)
}

/** Verifies MacData over `content` (RFC 7292 §4). */
export async function isMacValid(macData: DerNode, content: Uint8Array, { bmp }: Secret, budget: Budget): Promise<boolean> {
  const [info, salt, count] = macData.children
  const [algorithm, digest] = expectTag(info, TAG.sequence, 'the MAC').children
  const id = readOid(algorithm?.children[0], 'the algorithm of the MAC')
  const hash = HASHES[id]
  if (hash === undefined) throw new SealKeyError(violation('key_file_mac', { id }))
  const expected = expectTag(digest, TAG.octetString, 'the MAC').contents
  const derivation = {
    hash,
    bmp,
    salt: expectTag(salt, TAG.octetString, 'the salt of the MAC').contents,
    iterations: count === undefined ? 1 : readIterations(count, budget),
    timers: budget.timers,
  }
  const key = await pkcs12Kdf(derivation, 'mac', createHash(hash).digest().length)
  const found = createHmac(hash, key).update(content).digest()
  return found.length === expected.length && timingSafeEqual(found, expected)
}
