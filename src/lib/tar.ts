/** Writes and reads tar archives (POSIX.1-2017, ustar and pax) of regular files, as streams. */

export interface TarEntry {
  /** ASCII, at most 100 characters. */
  name: string
  bytes: number
}

/** The archive is damaged, or holds what this reader does not expect. */
export class TarError extends Error {}

const BLOCK_BYTES = 512
/** Eleven octal digits. A larger size is in a pax header. */
const MAX_USTAR_BYTES = 8 ** 11 - 1
const MAX_PAX_BYTES = 4096
const MODE = 0o600

/** Offsets and lengths of the fields that are used. */
const FIELD = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const

/** Printable, as names are shown in error messages. */
const NAME = /^[\x21-\x7e]+$/
const MAGIC = 'ustar\x0000'
const REGULAR = '0'
const PAX = 'x'

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

function block({ name, bytes }: TarEntry, type: string): Buffer {
  if (name.length > FIELD.name[1] || !NAME.test(name)) throw new Error(`"${name}" is no name for a tar archive`)
  const header = Buffer.alloc(BLOCK_BYTES)
  const put = ([offset, length]: readonly [number, number], text: string) => header.write(text.slice(0, length), offset, 'latin1')
  put(FIELD.name, name)
  put(FIELD.mode, octal(MODE, 7))
  put([108, 8], octal(0, 7))
  put([116, 8], octal(0, 7))
  put(FIELD.size, octal(bytes, 11))
  put(FIELD.time, octal(0, 11))
  put(FIELD.type, type)
  put(FIELD.magic, MAGIC)
  put(FIELD.checksum, `${octal(checksumOf(header), 6)}\0 `)
  return header
}

/** Of the header with spaces in place of the checksum. */
function checksumOf(header: Uint8Array): number {
  const [start, length] = FIELD.checksum
  let sum = 0
  for (let i = 0; i < BLOCK_BYTES; i++) sum += i >= start && i < start + length ? 0x20 : (header[i] ?? 0)
  return sum
}

const paddingOf = (bytes: number): Buffer => Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES)

/** `28 size=9000000000\n`: the number at the start counts the whole record. */
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  let length = rest.length
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.from(`${length}${rest}`)
}

/** The blocks before the content of an entry. */
export function tarHeader(entry: TarEntry): Buffer {
  if (entry.bytes <= MAX_USTAR_BYTES) return block(entry, REGULAR)
  const record = paxRecord('size', String(entry.bytes))
  const pax = block({ name: 'size', bytes: record.length }, PAX)
  return Buffer.concat([pax, record, paddingOf(record.length), block({ ...entry, bytes: 0 }, REGULAR)])
}

/** The block after the content of an entry. */
export const tarPadding = (bytes: number): Buffer => paddingOf(bytes)

/** The blocks at the end of an archive. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES)

/** Reads the entries of an archive, in order. The memory does not grow with their size. */
export class TarReader {
  readonly #parts: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)
  /** Of the current entry, with its padding. */
  #left = 0
  #padding = 0

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]()
  }

  /** The next entry; undefined at the end, after which no other byte may come. @throws TarError */
  async next(): Promise<TarEntry | undefined> {
    for await (const _ of this.content()) {
      // What the caller has not read.
    }
    const header = await this.#take(BLOCK_BYTES)
    if (header.every(byte => byte === 0)) {
      await this.#requireEnd()
      return undefined
    }
    const { type, ...entry } = parseHeader(header)
    if (type === REGULAR) return this.#begin(entry)
    if (type !== PAX || entry.bytes > MAX_PAX_BYTES) throw new TarError(`the entry "${entry.name}" is no regular file`)
    const record = await this.#take(entry.bytes)
    await this.#take(paddingOf(entry.bytes).length)
    const size = /^\d+ size=(\d{1,15})\n$/.exec(Buffer.from(record).toString('latin1'))?.[1]
    const { type: next, ...following } = parseHeader(await this.#take(BLOCK_BYTES))
    if (size === undefined || next !== REGULAR) throw new TarError('an extended header is not understood')
    return this.#begin({ ...following, bytes: Number(size) })
  }

  /** The content of the entry that `next` returned, in parts. */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const part = await this.#some(this.#left)
      this.#left -= part.length
      yield part
    }
    const padding = this.#padding
    this.#padding = 0
    if ((await this.#take(padding)).some(byte => byte !== 0)) throw new TarError('the padding of an entry is not zero')
  }

  #begin(entry: TarEntry): TarEntry {
    this.#left = entry.bytes
    this.#padding = paddingOf(entry.bytes).length
    return entry
  }

  async #requireEnd(): Promise<void> {
    if ((await this.#take(BLOCK_BYTES)).some(byte => byte !== 0)) throw new TarError('the end of the archive is damaged')
    if (this.#rest.length > 0 || !(await this.#parts.next()).done) throw new TarError('data follows the end of the archive')
  }

  /** At least one byte, at most `limit`. */
  async #some(limit: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#parts.next()
      if (done) throw new TarError('the archive ends too early')
      this.#rest = value
    }
    const part = this.#rest.subarray(0, limit)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async #take(bytes: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for (let left = bytes; left > 0; ) {
      const part = await this.#some(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
}

function parseHeader(bytes: Uint8Array): TarEntry & { type: string } {
  const header = Buffer.from(bytes)
  const text = ([offset, length]: readonly [number, number]) =>
    header
      .subarray(offset, offset + length)
      .toString('latin1')
      .replace(/\0.*$/s, '')
  const number = (field: readonly [number, number]) => {
    const digits = text(field).trim()
    if (!/^[0-7]+$/.test(digits)) throw new TarError('a header holds no number where one belongs')
    return Number.parseInt(digits, 8)
  }
  if (!text(FIELD.magic).startsWith('ustar')) throw new TarError('a header is not that of a tar archive')
  if (number(FIELD.checksum) !== checksumOf(header)) throw new TarError('the checksum of a header is wrong')
  const name = text(FIELD.name)
  if (!NAME.test(name)) throw new TarError('a header holds no name of an entry')
  return { name, bytes: number(FIELD.size), type: text(FIELD.type) }
}
