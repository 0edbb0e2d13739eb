/**
 * Decrypts PDFs that open without a password by the standard security handler, revisions 2 to 6
 * (RC4, AES-128, AES-256). ISO 32000-2 §7.6. It does not check permissions.
 */
import { concatBytes, EMPTY_BYTES, equalBytes, fromLatin1 } from '../../lib/bytes.ts'
import { decryptAesCbc, encryptAesCbc, hashOf } from '../../lib/primitives.ts'
import { applyRc4 } from '../../lib/rc4.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from './syntax.ts'

export interface Decryption {
  /** Strings at any depth; the /Contents of a signature dictionary are never encrypted (§7.6.2). */
  value(value: PdfValue, number: number, generation: number): PdfValue
  stream(raw: Uint8Array, number: number, generation: number): Uint8Array
}

type Cipher = 'none' | 'RC4' | 'AESV2' | 'AESV3'

interface Handler {
  key: Uint8Array
  strings: Cipher
  streams: Cipher
}

/** §7.6.4.3.2: pads a password. The empty password is the padding alone. */
const PADDING = Uint8Array.of(
  ...[0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08],
  ...[0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a],
)
const BLOCK = 16

const unsupported = (what: Remark): PdfSyntaxError => new PdfSyntaxError(remark('encryption_unsupported', { what }))

const md5 = (...parts: readonly Uint8Array[]): Uint8Array => hashOf('md5', ...parts)

function readInteger({ entries }: PdfDictionary, key: string, otherwise?: number): number {
  const value = entries.get(key)
  if (value === undefined && otherwise !== undefined) return otherwise
  if (value?.kind !== 'number' || !value.integer) throw new PdfSyntaxError(remark('encryption_without', { key }))
  return value.value
}

function readString({ entries }: PdfDictionary, key: string, length: number): Uint8Array {
  const value = entries.get(key)
  if (value?.kind !== 'string' || value.value.length < length) throw new PdfSyntaxError(remark('encryption_without', { key }))
  return value.value.subarray(0, length)
}

const nameOf = (value: PdfValue | undefined): string | undefined => (value?.kind === 'name' ? value.value : undefined)

/** AES-CBC with the initialisation vector in front and RFC 8018 §6.1.1 padding (§7.6.3.1). */
function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length === 0) return EMPTY_BYTES
  if (data.length < 2 * BLOCK || data.length % BLOCK !== 0) throw new PdfSyntaxError(remark('cipher_block_incomplete'))
  const plain = decryptAesCbc(key, data.subarray(0, BLOCK), data.subarray(BLOCK))
  const padding = plain.at(-1) ?? 0
  if (padding < 1 || padding > BLOCK || plain.subarray(-padding).some(octet => octet !== padding))
    throw new PdfSyntaxError(remark('cipher_padding_invalid'))
  return plain.subarray(0, -padding)
}

/** The lowest octets of the number, the lowest first. */
const littleEndian = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (value >> (8 * i)) & 0xff)

/** Algorithm 2: the file encryption key of revisions 2 to 4, for the empty user password. */
function deriveMd5Key(dictionary: PdfDictionary, id: Uint8Array, revision: number, length: number): Uint8Array {
  const permissions = littleEndian(readInteger(dictionary, 'P') | 0, 4)
  const encryptMetadata = dictionary.entries.get('EncryptMetadata')
  const isMetadataPlain = revision >= 4 && encryptMetadata?.kind === 'boolean' && !encryptMetadata.value
  const suffix = isMetadataPlain ? new Uint8Array(4).fill(0xff) : EMPTY_BYTES
  let key = md5(PADDING, readString(dictionary, 'O', 32), permissions, id, suffix).subarray(0, length)
  if (revision >= 3) for (let i = 0; i < 50; i++) key = md5(key).subarray(0, length)
  return key
}

/** Algorithms 4 to 6: whether /U confirms the key. */
function confirmsMd5Key(dictionary: PdfDictionary, id: Uint8Array, revision: number, key: Uint8Array): boolean {
  if (revision === 2) return equalBytes(applyRc4(key, PADDING), readString(dictionary, 'U', 32))
  let value = md5(PADDING, id)
  for (let i = 0; i < 20; i++) {
    value = applyRc4(
      key.map(octet => octet ^ i),
      value,
    )
  }
  return equalBytes(value, readString(dictionary, 'U', 16))
}

/** Algorithm 2.B, for the empty password. Revision 5 uses SHA-256 alone. */
function hashPassword(salt: Uint8Array, revision: number): Uint8Array {
  let hash = hashOf('sha256', salt)
  if (revision === 5) return hash
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = concatBytes(...Array.from({ length: 64 }, () => hash))
    const encrypted = encryptAesCbc(hash.subarray(0, 16), hash.subarray(16, 32), block)
    const remainder = encrypted.subarray(0, 16).reduce((sum, octet) => sum + octet, 0) % 3
    hash = hashOf((['sha256', 'sha384', 'sha512'] as const)[remainder] ?? 'sha256', encrypted)
    last = encrypted.at(-1) ?? 0
  }
  return hash.subarray(0, 32)
}

/** Algorithm 2.A, for revisions 5 and 6. Undefined if the user password is not empty. */
function unwrapAesKey(dictionary: PdfDictionary, revision: number): Uint8Array | undefined {
  const user = readString(dictionary, 'U', 48)
  if (!equalBytes(hashPassword(user.subarray(32, 40), revision), user.subarray(0, 32))) return undefined
  const wrapping = hashPassword(user.subarray(40, 48), revision)
  return decryptAesCbc(wrapping, new Uint8Array(BLOCK), readString(dictionary, 'UE', 32))
}

/** §7.6.6, table 25. */
function readCipher(dictionary: PdfDictionary, key: 'StmF' | 'StrF'): Cipher {
  const name = nameOf(dictionary.entries.get(key)) ?? 'Identity'
  if (name === 'Identity') return 'none'
  const filters = dictionary.entries.get('CF')
  const filter = filters?.kind === 'dictionary' ? filters.entries.get(name) : undefined
  const method = filter?.kind === 'dictionary' ? (nameOf(filter.entries.get('CFM')) ?? 'None') : undefined
  if (method === 'V2') return 'RC4'
  if (method === 'AESV2' || method === 'AESV3') return method
  throw unsupported(remark('crypt_filter', { name }))
}

/** @throws PdfSyntaxError if there is a password */
function openKey(dictionary: PdfDictionary, id: Uint8Array, version: number, revision: number): Uint8Array {
  const bits = version === 1 ? 40 : version === 4 ? 128 : readInteger(dictionary, 'Length', 40)
  if (version === 5) {
    const key = unwrapAesKey(dictionary, revision)
    if (key === undefined) throw new PdfSyntaxError(remark('encrypted'))
    return key
  }
  if (bits < 40 || bits > 128 || bits % 8 !== 0) throw unsupported(remark('key_of_bits', { bits }))
  const key = deriveMd5Key(dictionary, id, revision, bits / 8)
  if (!confirmsMd5Key(dictionary, id, revision, key)) throw new PdfSyntaxError(remark('encrypted'))
  return key
}

/** Revisions by /V (table 20). */
const REVISIONS: Readonly<Record<number, readonly number[]>> = { 1: [2, 3], 2: [2, 3], 4: [4], 5: [5, 6] }

function openHandler(dictionary: PdfDictionary, id: Uint8Array): Handler {
  if (nameOf(dictionary.entries.get('Filter')) !== 'Standard') throw unsupported(remark('security_handler'))
  const [version, revision] = [readInteger(dictionary, 'V', 0), readInteger(dictionary, 'R')]
  if (!REVISIONS[version]?.includes(revision)) throw unsupported(remark('encryption_version', { version, revision }))
  const [strings, streams]: [Cipher, Cipher] =
    version < 4 ? ['RC4', 'RC4'] : [readCipher(dictionary, 'StrF'), readCipher(dictionary, 'StmF')]
  const isForeign = (cipher: Cipher): boolean => cipher !== 'none' && (cipher === 'AESV3') !== (version === 5)
  if (isForeign(strings) || isForeign(streams)) throw unsupported(remark('cipher_of_other_version'))
  return { key: openKey(dictionary, id, version, revision), strings, streams }
}

/** Algorithm 1 and 1.A: the key of one object. */
function objectKey({ key }: Handler, cipher: Cipher, number: number, generation: number): Uint8Array {
  if (cipher === 'AESV3') return key
  const salt = cipher === 'AESV2' ? fromLatin1('sAlT') : EMPTY_BYTES
  return md5(key, littleEndian(number, 3), littleEndian(generation, 2), salt).subarray(0, Math.min(key.length + 5, 16))
}

function decrypt(handler: Handler, cipher: Cipher, data: Uint8Array, number: number, generation: number): Uint8Array {
  if (cipher === 'none') return data
  const key = objectKey(handler, cipher, number, generation)
  return cipher === 'RC4' ? applyRc4(key, data) : decryptAes(key, data)
}

/** `id`: first string of the trailer's /ID. @throws PdfSyntaxError */
export function openDecryption(dictionary: PdfDictionary, id: Uint8Array): Decryption {
  const handler = openHandler(dictionary, id)
  const value = (found: PdfValue, number: number, generation: number): PdfValue => {
    if (found.kind === 'string') return { ...found, value: decrypt(handler, handler.strings, found.value, number, generation) }
    if (found.kind === 'array') return { ...found, items: found.items.map(item => value(item, number, generation)) }
    // §7.5.8.2: a cross-reference stream and its strings are not encrypted.
    if (found.kind !== 'dictionary' || nameOf(found.entries.get('Type')) === 'XRef') return found
    const isSignature = found.entries.has('ByteRange')
    const entries = [...found.entries].map(
      ([key, entry]) => [key, isSignature && key === 'Contents' ? entry : value(entry, number, generation)] as const,
    )
    return { ...found, entries: new Map(entries) }
  }
  return {
    value,
    stream: (raw, number, generation) => decrypt(handler, handler.streams, raw, number, generation),
  }
}
