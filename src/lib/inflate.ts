/**
 * Unpacks the ZLIB format (RFC 1950, RFC 1951) in plain JavaScript, without a preset dictionary. It
 * accepts and refuses what zlib does.
 */

/** `cut`: the data end too early. `damaged`: they break the format, or the checksum is wrong. */
export type InflateFailure = 'cut' | 'damaged' | 'too_large'

/** Compressed data give no result. */
export class InflateError extends Error {
  override name = 'InflateError'

  constructor(readonly failure: InflateFailure) {
    super(failure)
  }
}

const damaged = (): InflateError => new InflateError('damaged')

/** zlib writes in pieces of this size, and compares with the limit after each. */
const PIECE_BYTES = 16_384

/** For each value of the next bits: the symbol × 16 + the length of its code; 0 for none. */
interface Codes {
  table: Uint16Array
  bits: number
}

const reverse = (code: number, length: number): number => {
  let reversed = 0
  for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i)
  return reversed
}

/**
 * RFC 1951 §3.2.2. A set of codes is complete, or has one code of one bit, or none.
 * @throws InflateError
 */
function makeCodes(lengths: Uint8Array, allowsOne: boolean): Codes {
  const counts = new Uint16Array(16)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  let bits = 15
  while (bits > 0 && counts[bits] === 0) bits--
  let left = 1
  const next = new Uint16Array(16)
  for (let length = 1, code = 0; length <= 15; length++) {
    next[length] = code
    code = (code + (counts[length] ?? 0)) << 1
    left = left * 2 - (counts[length] ?? 0)
    if (left < 0) throw damaged()
  }
  if (bits > 0 && left > 0 && !(allowsOne && bits === 1)) throw damaged()
  const table = new Uint16Array(1 << bits)
  lengths.forEach((length, symbol) => {
    if (length === 0) return
    const code = next[length] ?? 0
    next[length] = code + 1
    const entry = (symbol << 4) | length
    for (let at = reverse(code, length); at < table.length; at += 1 << length) table[at] = entry
  })
  return { table, bits }
}

// §3.2.5: the first value and the extra bits of each symbol.

const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]

function basesOf(extra: readonly number[], first: number): number[] {
  let next = first
  return extra.map(bits => {
    const base = next
    next += 1 << bits
    return base
  })
}

/** The longest length has a symbol of its own. */
const LENGTH_BASE = basesOf(LENGTH_EXTRA, 3).with(-1, 258)
const DISTANCE_BASE = basesOf(DISTANCE_EXTRA, 1)

/** §3.2.7. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const END_OF_BLOCK = 256
const MAX_LENGTH_SYMBOLS = 286
const MAX_DISTANCE_SYMBOLS = 30

/** §3.2.6. The last symbols of both sets have codes but no meaning. */
const fixedLengths = (): Uint8Array => new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)

let fixedCodes: { lengths: Codes; distances: Codes } | undefined

class Inflater {
  #out: Uint8Array<ArrayBuffer>
  #length = 0
  #at = 0
  #held = 0
  #heldBits = 0

  /** `end`: where the output may not continue. */
  constructor(
    private readonly raw: Uint8Array,
    private readonly end: number,
  ) {
    this.#out = new Uint8Array(Math.min(end, Math.max(1024, raw.length * 4)))
  }

  get output(): Uint8Array<ArrayBuffer> {
    return this.#out.subarray(0, this.#length)
  }

  /** §2.2 of RFC 1950. @throws InflateError */
  run(): void {
    const [method, flags] = [this.#take(8), this.#take(8)]
    if ((method * 256 + flags) % 31 !== 0 || (method & 15) !== 8 || method >> 4 > 7) throw damaged()
    if ((flags & 0x20) !== 0) {
      this.#take(16)
      this.#take(16)
      throw damaged()
    }
    for (let isLast = false; !isLast; ) {
      isLast = this.#take(1) === 1
      this.#readBlock(this.#take(2))
    }
    this.#dropToOctet()
    const sums = [this.#take(8), this.#take(8), this.#take(8), this.#take(8)]
    const sum = adler32(this.output)
    if (sums.some((octet, i) => octet !== sum[i])) throw damaged()
  }

  #readBlock(type: number): void {
    if (type === 3) throw damaged()
    if (type === 0) this.#copyStored()
    else if (type === 1) {
      fixedCodes ??= { lengths: makeCodes(fixedLengths(), false), distances: makeCodes(new Uint8Array(32).fill(5), false) }
      this.#decode(fixedCodes.lengths, fixedCodes.distances)
    } else this.#decode(...this.#readCodes())
  }

  /** Octets beyond the end are zeros that nobody takes. */
  #fill(count: number): void {
    while (this.#heldBits < count && this.#at < this.raw.length) {
      this.#held |= (this.raw[this.#at++] ?? 0) << this.#heldBits
      this.#heldBits += 8
    }
  }

  /** At most 16 bits. */
  #take(count: number): number {
    this.#fill(count)
    if (this.#heldBits < count) throw new InflateError('cut')
    const value = this.#held & ((1 << count) - 1)
    this.#held >>>= count
    this.#heldBits -= count
    return value
  }

  #dropToOctet(): void {
    const count = this.#heldBits & 7
    this.#held >>>= count
    this.#heldBits -= count
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#out.length) return
    const larger = new Uint8Array(Math.min(this.end, Math.max(needed, this.#out.length * 2)))
    larger.set(this.output)
    this.#out = larger
  }

  /** §3.2.4. */
  #copyStored(): void {
    this.#dropToOctet()
    const length = this.#take(16)
    if ((this.#take(16) ^ 0xffff) !== length) throw damaged()
    this.#at -= this.#heldBits >> 3
    this.#held = 0
    this.#heldBits = 0
    const found = Math.min(length, this.raw.length - this.#at)
    const fitting = Math.min(found, this.end - this.#length)
    this.#reserve(fitting)
    this.#out.set(this.raw.subarray(this.#at, this.#at + fitting), this.#length)
    this.#length += fitting
    this.#at += fitting
    if (fitting < found) throw new InflateError('too_large')
    if (found < length) throw new InflateError('cut')
  }

  #symbol({ table, bits }: Codes): number {
    this.#fill(bits)
    const entry = table[this.#held & (table.length - 1)] ?? 0
    const length = entry & 15
    // A code that does not exist has one bit.
    if (Math.max(length, 1) > this.#heldBits) throw new InflateError('cut')
    if (length === 0) throw damaged()
    this.#held >>>= length
    this.#heldBits -= length
    return entry >> 4
  }

  /** §3.2.7. @throws InflateError */
  #readCodes(): [Codes, Codes] {
    const packed = [this.#take(5), this.#take(5), this.#take(4)] as const
    const [lengthCount, distanceCount, codeCount] = [packed[0] + 257, packed[1] + 1, packed[2] + 4]
    if (lengthCount > MAX_LENGTH_SYMBOLS || distanceCount > MAX_DISTANCE_SYMBOLS) throw damaged()
    const codeLengths = new Uint8Array(19)
    for (const symbol of CODE_LENGTH_ORDER.slice(0, codeCount)) codeLengths[symbol] = this.#take(3)
    // Without any code zlib reads each bit as a length of 0, and then misses the end of the block.
    const isEmpty = codeLengths.every(length => length === 0)
    const codes = isEmpty ? { table: Uint16Array.of(1, 1), bits: 1 } : makeCodes(codeLengths, false)
    const lengths = this.#readLengths(codes, lengthCount + distanceCount)
    if (lengths[END_OF_BLOCK] === 0) throw damaged()
    return [makeCodes(lengths.subarray(0, lengthCount), true), makeCodes(lengths.subarray(lengthCount), true)]
  }

  #readLengths(codes: Codes, count: number): Uint8Array {
    const lengths = new Uint8Array(count)
    for (let at = 0; at < count; ) {
      const symbol = this.#symbol(codes)
      if (symbol < 16) {
        lengths[at++] = symbol
        continue
      }
      const repeat = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7)
      if ((symbol === 16 && at === 0) || at + repeat > count) throw damaged()
      lengths.fill(symbol === 16 ? (lengths[at - 1] ?? 0) : 0, at, at + repeat)
      at += repeat
    }
    return lengths
  }

  #decode(lengths: Codes, distances: Codes): void {
    for (;;) {
      const symbol = this.#symbol(lengths)
      if (symbol === END_OF_BLOCK) return
      if (symbol < END_OF_BLOCK) {
        if (this.#length === this.end) throw new InflateError('too_large')
        this.#reserve(1)
        this.#out[this.#length++] = symbol
      } else this.#copyEarlier(symbol - END_OF_BLOCK - 1, distances)
    }
  }

  #copyEarlier(lengthSymbol: number, distances: Codes): void {
    const base = LENGTH_BASE[lengthSymbol]
    if (base === undefined) throw damaged()
    const length = base + this.#take(LENGTH_EXTRA[lengthSymbol] ?? 0)
    const symbol = this.#symbol(distances)
    const nearest = DISTANCE_BASE[symbol]
    if (nearest === undefined) throw damaged()
    const distance = nearest + this.#take(DISTANCE_EXTRA[symbol] ?? 0)
    if (distance > this.#length) throw damaged()
    const fitting = Math.min(length, this.end - this.#length)
    this.#reserve(fitting)
    const out = this.#out
    let to = this.#length
    for (let from = to - distance; to < this.#length + fitting; ) out[to++] = out[from++] ?? 0
    this.#length = to
    if (fitting < length) throw new InflateError('too_large')
  }
}

/** The four octets of the checksum, RFC 1950 §8.2. */
function adler32(bytes: Uint8Array): number[] {
  let [a, b] = [1, 0]
  for (let at = 0; at < bytes.length; ) {
    // So many octets keep the sums below 2^31.
    const end = Math.min(bytes.length, at + 3_800)
    for (; at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65_521
    b %= 65_521
  }
  return [b >> 8, b & 255, a >> 8, a & 255]
}

/**
 * What follows the checksum is ignored. `allowsCut`: data that end too early give what comes before
 * their end. @throws InflateError if the result would have more than `maxBytes`
 */
export function inflateBytes(raw: Uint8Array, maxBytes: number, allowsCut: boolean): Uint8Array<ArrayBuffer> {
  const inflater = new Inflater(raw, (Math.floor(maxBytes / PIECE_BYTES) + 1) * PIECE_BYTES)
  try {
    inflater.run()
  } catch (error) {
    if (!(error instanceof InflateError) || error.failure !== 'cut' || !allowsCut) throw error
  }
  if (inflater.output.length > maxBytes) throw new InflateError('too_large')
  return inflater.output
}
