/**
 * Reads a ZIP archive in memory (APPNOTE.TXT 6.3). It refuses what other programs may read in
 * another way: hidden, overlapping or doubly named members, and ZIP64.
 */
import { concatBytes, equalBytes, toLatin1 } from './bytes.ts'
import { InflateError } from './inflate.ts'
import { inflate } from './primitives.ts'

/** `damaged`: no ZIP, cut or changed. `ambiguous`: programs may see different files in it. */
export class ZipError extends Error {
  override name = 'ZipError'

  constructor(readonly failure: 'damaged' | 'ambiguous') {
    super(failure)
  }
}

export interface ZipMember {
  name: string
  /** As the archive says: `readZipMember()` never gives more. */
  size: number
  /** 0 is stored, 8 deflated (§4.4.5). */
  method: number
  crc: number
  /** Of the content as it is in the archive. */
  start: number
  compressedSize: number
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const DESCRIPTOR = 0x08074b50
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES, DESCRIPTOR_BYTES] = [30, 46, 22, 12]
/** Bits of the general purpose flag, §4.4.4. */
const ENCRYPTED = 0x1
const WITH_DESCRIPTOR = 0x8
const UTF8_NAME = 0x800
/** Sizes and places that are in a ZIP64 record instead, §4.3.9.2. */
const ZIP64_VALUE = 0xffffffff
/** Extra fields: ZIP64 sizes, and another name (§4.6.9). */
const OTHER_READING = new Set([0x0001, 0x7075])

const damaged = (): ZipError => new ZipError('damaged')

class Reader {
  readonly #view: DataView

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @throws ZipError */
  u16(at: number): number {
    if (at < 0 || at + 2 > this.bytes.length) throw damaged()
    return this.#view.getUint16(at, true)
  }

  /** @throws ZipError */
  u32(at: number): number {
    if (at < 0 || at + 4 > this.bytes.length) throw damaged()
    return this.#view.getUint32(at, true)
  }

  /** @throws ZipError */
  slice(from: number, length: number): Uint8Array {
    if (from + length > this.bytes.length) throw damaged()
    return this.bytes.subarray(from, from + length)
  }

  /** §4.5.1. @throws ZipError */
  checkExtra(from: number, length: number): void {
    for (let at = from; at < from + length; at += 4 + this.u16(at + 2)) {
      if (OTHER_READING.has(this.u16(at))) throw new ZipError('ambiguous')
    }
  }
}

interface CentralEntry extends Omit<ZipMember, 'start'> {
  flags: number
  nameOctets: Uint8Array
  offset: number
}

/** In the order of the directory. Nothing is decompressed. @throws ZipError */
export function listZip(bytes: Uint8Array): ZipMember[] {
  const reader = new Reader(bytes)
  const end = bytes.length - END_BYTES
  if (end < 0 || reader.u32(end) !== END || reader.u16(end + 20) !== 0) throw damaged()
  const [count, size, start] = [reader.u16(end + 10), reader.u32(end + 12), reader.u32(end + 16)]
  if (count === 0xffff || size === ZIP64_VALUE || start === ZIP64_VALUE) throw new ZipError('ambiguous')
  const isWhole = reader.u16(end + 4) === 0 && reader.u16(end + 6) === 0 && reader.u16(end + 8) === count
  if (!isWhole || start + size !== end) throw damaged()
  const entries = readDirectory(reader, start, end, count)
  const ends = new Map<CentralEntry, { start: number; end: number }>()
  let at = 0
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    // What lies between would be a file for programs that do not read the directory.
    if (entry.offset !== at) throw new ZipError('ambiguous')
    const found = readLocal(reader, entry)
    ends.set(entry, found)
    at = found.end
  }
  if (at !== start) throw new ZipError('ambiguous')
  return entries.map(entry => {
    const { name, size, method, crc, compressedSize } = entry
    return { name, size, method, crc, compressedSize, start: ends.get(entry)?.start ?? 0 }
  })
}

/** §4.3.12. */
function readDirectory(reader: Reader, start: number, end: number, count: number): CentralEntry[] {
  const entries: CentralEntry[] = []
  let at = start
  while (entries.length < count) {
    if (reader.u32(at) !== CENTRAL) throw damaged()
    const [nameLength, extraLength, commentLength] = [reader.u16(at + 28), reader.u16(at + 30), reader.u16(at + 32)]
    const [flags, nameOctets] = [reader.u16(at + 8), reader.slice(at + CENTRAL_BYTES, nameLength)]
    const sizes = { compressedSize: reader.u32(at + 20), size: reader.u32(at + 24), offset: reader.u32(at + 42) }
    reader.checkExtra(at + CENTRAL_BYTES + nameLength, extraLength)
    if (Object.values(sizes).includes(ZIP64_VALUE)) throw new ZipError('ambiguous')
    const method = reader.u16(at + 10)
    if ((flags & ENCRYPTED) !== 0 || (method === 0 && sizes.size !== sizes.compressedSize)) throw damaged()
    entries.push({ ...sizes, method, flags, nameOctets, name: nameOf(nameOctets, flags), crc: reader.u32(at + 16) })
    at += CENTRAL_BYTES + nameLength + extraLength + commentLength
  }
  if (at !== end) throw new ZipError('ambiguous')
  return entries
}

function nameOf(octets: Uint8Array, flags: number): string {
  if ((flags & UTF8_NAME) === 0) return toLatin1(octets)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw damaged()
  }
}

/** §4.3.7. What it says must be what the directory says. @throws ZipError */
function readLocal(reader: Reader, entry: CentralEntry): { start: number; end: number } {
  const { offset, flags, method, nameOctets, compressedSize } = entry
  if (reader.u32(offset) !== LOCAL) throw damaged()
  const [nameLength, extraLength] = [reader.u16(offset + 26), reader.u16(offset + 28)]
  const name = reader.slice(offset + LOCAL_BYTES, nameLength)
  const isSame = reader.u16(offset + 6) === flags && reader.u16(offset + 8) === method && equalBytes(name, nameOctets)
  if (!isSame) throw new ZipError('ambiguous')
  reader.checkExtra(offset + LOCAL_BYTES + nameLength, extraLength)
  const start = offset + LOCAL_BYTES + nameLength + extraLength
  const end = start + compressedSize
  if ((flags & WITH_DESCRIPTOR) === 0) {
    if (!hasSizes(reader, offset + 14, entry)) throw new ZipError('ambiguous')
    return { start, end }
  }
  // §4.3.9.3: the signature may be missing.
  const at = reader.u32(end) === DESCRIPTOR ? end + 4 : end
  if (!hasSizes(reader, at, entry)) throw new ZipError('ambiguous')
  return { start, end: at + DESCRIPTOR_BYTES }
}

const hasSizes = (reader: Reader, at: number, { crc, compressedSize, size }: CentralEntry): boolean =>
  reader.u32(at) === crc && reader.u32(at + 4) === compressedSize && reader.u32(at + 8) === size

/** RFC 1950 §2.2: a header without the checksum at the end, which a ZIP does not have. */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01)

/**
 * The content. Of a stored member it is a part of the archive itself, without a copy, and its
 * checksum is not compared. @throws ZipError also for another method than 0 and 8
 */
export function readZipMember(archive: Uint8Array, { start, compressedSize, size, method, crc }: ZipMember): Uint8Array {
  const raw = archive.subarray(start, start + compressedSize)
  if (method === 0) return raw
  if (method !== 8) throw damaged()
  try {
    const content = inflate(concatBytes(ZLIB_HEADER, raw), Math.max(1, size), true)
    if (content.length === size && crc32(content) === crc) return content
  } catch (error) {
    if (!(error instanceof InflateError)) throw error
  }
  throw damaged()
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, octet) => {
  let value = octet
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** §4.4.7. */
function crc32(bytes: Uint8Array): number {
  let value = -1
  for (const octet of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ octet) & 255] ?? 0)
  return ~value >>> 0
}
