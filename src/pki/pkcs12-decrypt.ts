/**
 * What a pass-phrase opens in a PKCS#12 file: key derivation (RFC 7292 appendix B, PBKDF2), decryption and the MAC.
 * The legacy ciphers are here to read files that exist; nothing is written with them. The work of deriving keys is bounded, and done beside what
 * else the process has to do: PBKDF2 in a thread, the older derivation in short stretches.
 */
import { createDecipheriv, createHash, createHmac, hash as hashOf, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { DerError, type DerNode, expectTag, readOid, TAG } from './der.ts'
import { SealKeyError } from './seal-key-error.ts'

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

/** A pass-phrase as one program or another turns it into octets. */
export interface Secret {
  /** UTF-16, big-endian, two zero octets at its end (RFC 7292 appendix B.1). */
  bmp: Uint8Array
  /** For PBES2. */
  utf8: Uint8Array
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

/** The readings of a pass-phrase, the standard's first. An empty one may stand for no octets; old programs took UTF-8 octets for characters. */
export function readingsOf(passphrase: string): Secret[] {
  const utf8 = Buffer.from(passphrase, 'utf8')
  const standard = { bmp: utf16(`${passphrase}\0`), utf8 }
  if (passphrase === '') return [standard, { bmp: new Uint8Array(), utf8 }]
  const octets = utf8.toString('latin1')
  return octets === passphrase ? [standard] : [standard, { bmp: utf16(`${octets}\0`), utf8 }]
}

/** How much key derivation one file may cost; counts down over all its parts. */
export interface Budget {
  iterations: number
}

export const fullBudget = (): Budget => ({ iterations: MAX_ITERATIONS })

function readIterations(node: DerNode | undefined, budget: Budget): number {
  const { contents } = expectTag(node, TAG.integer, 'the number of iterations')
  const count = contents.reduce((sum, octet) => sum * 256 + octet, 0)
  if (count < 1 || contents.length > 4) throw new DerError('the number of iterations has no sense')
  budget.iterations -= count
  if (budget.iterations < 0) throw new SealKeyError('The file asks for more than ten million rounds of key derivation.')
  return count
}

/** `pattern` repeated to a whole number of blocks that holds it once. */
function repeated(pattern: Uint8Array, blockBytes: number): Uint8Array {
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

/** Rounds between two turns of the event loop: about a millisecond. */
const ROUNDS_AT_ONCE = 5_000

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** `rounds` hashes of hashes. */
async function hashedAgain(hash: string, first: Buffer, rounds: number): Promise<Buffer> {
  let digest = first
  for (let left = rounds; left > 0; left -= ROUNDS_AT_ONCE) {
    for (let round = Math.min(left, ROUNDS_AT_ONCE); round > 0; round--) digest = hashOf(hash, digest, 'buffer')
    if (left > ROUNDS_AT_ONCE) await turn()
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
}

/** RFC 7292 appendix B.2. */
export async function pkcs12Kdf(
  { hash, bmp, salt, iterations }: Derivation,
  purpose: Purpose,
  bytes: number,
): Promise<Uint8Array> {
  const blockBytes = hash === 'sha384' || hash === 'sha512' ? 128 : 64
  const diversifier = new Uint8Array(blockBytes).fill(DIVERSIFIER[purpose])
  const input = Buffer.concat([repeated(salt, blockBytes), repeated(bmp, blockBytes)])
  const out: Uint8Array[] = []
  for (let have = 0; have < bytes; ) {
    const digest = await hashedAgain(hash, createHash(hash).update(diversifier).update(input).digest(), iterations - 1)
    out.push(digest)
    have += digest.length
    const addend = Uint8Array.from({ length: blockBytes }, (_, i) => digest[i % digest.length] ?? 0)
    for (let at = 0; at < input.length; at += blockBytes) addOneAnd(input.subarray(at, at + blockBytes), addend)
  }
  return Buffer.concat(out).subarray(0, bytes)
}

/** Undefined when the padding is wrong, as it nearly always is under a wrong key. */
function decipher(name: string, key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  const opened = createDecipheriv(name, key, iv)
  const head = opened.update(data)
  try {
    return Buffer.concat([head, opened.final()])
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function demandCipher(found: Cipher | undefined, id: string): Cipher {
  if (found === undefined) throw new SealKeyError(`The file is encrypted in a way that is not known here (${id}).`)
  return found
}

const WHOLE_BLOCKS: Readonly<Record<string, number>> = { 'aes-128-cbc': 16, 'aes-192-cbc': 16, 'aes-256-cbc': 16 }

function demandIv(iv: Uint8Array, cipher: Cipher): Uint8Array {
  if (iv.length !== (WHOLE_BLOCKS[cipher.name] ?? LEGACY_IV_BYTES))
    throw new DerError('an initialisation vector has a wrong length')
  return iv
}

async function openPbes2(
  parameters: DerNode | undefined,
  data: Uint8Array,
  { utf8 }: Secret,
  budget: Budget,
): Promise<Uint8Array | undefined> {
  const [derivation, scheme] = expectTag(parameters, TAG.sequence, 'the parameters of PBES2').children
  const [kdf, kdfParameters] = expectTag(derivation, TAG.sequence, 'the key derivation').children
  const kdfId = readOid(kdf, 'the key derivation')
  if (kdfId !== PBKDF2) throw new SealKeyError(`The key of the file is derived in a way that is not known here (${kdfId}).`)
  const [salt, count, ...optional] = expectTag(kdfParameters, TAG.sequence, 'the parameters of PBKDF2').children
  const prfNode = optional.find(node => node.tag === TAG.sequence)
  const prfId = prfNode === undefined ? HMAC_SHA1 : readOid(prfNode.children[0], 'the PRF')
  const prf = PRFS[prfId]
  if (prf === undefined) throw new SealKeyError(`The key of the file is derived in a way that is not known here (${prfId}).`)
  const [id, iv] = expectTag(scheme, TAG.sequence, 'the encryption scheme').children
  const cipherId = readOid(id, 'the encryption scheme')
  const cipher = demandCipher(CIPHERS[cipherId], cipherId)
  const saltBytes = expectTag(salt, TAG.octetString, 'the salt').contents
  const key = await derive(utf8, saltBytes, readIterations(count, budget), cipher.keyBytes, prf)
  return decipher(cipher.name, key, demandIv(expectTag(iv, TAG.octetString, 'the initialisation vector').contents, cipher), data)
}

/** Opens what an AlgorithmIdentifier says is encrypted. Undefined when the pass-phrase is not the right one. @throws SealKeyError, DerError */
export async function openEncrypted(
  algorithm: DerNode,
  data: Uint8Array,
  secret: Secret,
  budget: Budget,
): Promise<Uint8Array | undefined> {
  const [id, parameters] = algorithm.children
  const name = readOid(id, 'the encryption algorithm')
  if (name === PBES2) return openPbes2(parameters, data, secret, budget)
  const cipher = demandCipher(LEGACY[name], name)
  const [salt, count] = expectTag(parameters, TAG.sequence, 'the parameters of the encryption').children
  const order = {
    hash: 'sha1',
    bmp: secret.bmp,
    salt: expectTag(salt, TAG.octetString, 'the salt').contents,
    iterations: readIterations(count, budget),
  }
  const derived = await pkcs12Kdf(order, 'key', cipher.keyBytes)
  // Two-key triple DES is the three-key one with the first key again.
  const key = cipher.name === 'des-ede3-cbc' && derived.length === 16 ? Buffer.concat([derived, derived.subarray(0, 8)]) : derived
  return decipher(cipher.name, key, await pkcs12Kdf(order, 'iv', LEGACY_IV_BYTES), data)
}

/** Whether MacData (RFC 7292 §4) is right over `content` under this reading of the pass-phrase. */
export async function macHolds(macData: DerNode, content: Uint8Array, { bmp }: Secret, budget: Budget): Promise<boolean> {
  const [info, salt, count] = macData.children
  const [algorithm, digest] = expectTag(info, TAG.sequence, 'the MAC').children
  const id = readOid(algorithm?.children[0], 'the algorithm of the MAC')
  const hash = HASHES[id]
  if (hash === undefined) throw new SealKeyError(`The file is protected in a way that is not known here (${id}).`)
  const expected = expectTag(digest, TAG.octetString, 'the MAC').contents
  const order = {
    hash,
    bmp,
    salt: expectTag(salt, TAG.octetString, 'the salt of the MAC').contents,
    iterations: count === undefined ? 1 : readIterations(count, budget),
  }
  const key = await pkcs12Kdf(order, 'mac', createHash(hash).digest().length)
  const found = createHmac(hash, key).update(content).digest()
  return found.length === expected.length && timingSafeEqual(found, expected)
}
