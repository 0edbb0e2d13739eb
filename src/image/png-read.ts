/** Decodes a PNG into 8-bit samples, strictly, without colour management. PNG 3rd edition, W3C. */
import { createInflate } from 'node:zlib'

/** Row by row from the top. */
export interface Samples {
  width: number
  height: number
  /** Of `colour`: 1 grey, 3 red green blue. */
  channels: 1 | 3
  colour: Uint8Array
  alpha: Uint8Array | undefined
}

interface Header {
  width: number
  height: number
  depth: number
  type: number
  isInterlaced: boolean
}

interface Chunks {
  header: Header
  palette: Buffer | undefined
  transparency: Buffer | undefined
  data: Buffer
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** §11.2.1: samples a pixel and bit depths of each colour type. */
const TYPES: Record<number, { samples: number; depths: readonly number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
/** §8.2, Adam7: first column and row, and the steps between. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** `shrink`: pixels a side averaged into one. Undefined unless it is a valid PNG. */
export async function readPng(
  bytes: Buffer,
  maxSide: number,
  shrink: (width: number, height: number) => number = () => 1,
): Promise<Samples | undefined> {
  const chunks = readChunks(bytes)
  const type = chunks && TYPES[chunks.header.type]
  if (chunks === undefined || !type?.depths.includes(chunks.header.depth)) return undefined
  const { header, transparency } = chunks
  if (header.width === 0 || header.height === 0 || header.width > maxSide || header.height > maxSide) return undefined
  const channels = header.type === 0 || header.type === 4 ? 1 : 3
  const image = averageSquares(header.width, header.height, channels, shrink(header.width, header.height))
  const readPixel = header.type === 3 ? paletteReader(chunks) : sampleReader(chunks, type.samples)
  const isComplete = await readRows(chunks.data, new RowReader(header, type.samples, readPixel, image))
  return isComplete ? image.samples(header.type >= 4 || transparency !== undefined) : undefined
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(SIGNATURE)
}

/** The size that the header declares, in pixels (§11.2.1); undefined without a header. */
export function pngSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

interface Chunk {
  type: string
  body: Buffer
}

/** §5.3: the chunks up to and without IEND. Undefined for a wrong checksum or a missing IEND. */
function splitChunks(bytes: Buffer): Chunk[] | undefined {
  if (!isPng(bytes)) return undefined
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || Bun.hash.crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return chunks
    chunks.push({ type, body: bytes.subarray(at + 8, end) })
    at = end + 4
  }
  return undefined
}

const READ: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS'])
const isData = ({ type }: Chunk) => type === 'IDAT'
/** §5.4: the first letter is upper case. */
const isCritical = ({ type }: Chunk) => (type.charCodeAt(0) & 0x20) === 0

/**
 * §5.6: the header first and once, palette and transparency at most once and before the data, the
 * data contiguous. Other chunks are skipped if they are ancillary.
 */
function readChunks(bytes: Buffer): Chunks | undefined {
  const chunks = splitChunks(bytes) ?? []
  const start = chunks.findIndex(isData)
  const data = chunks.slice(Math.max(0, start), chunks.findLastIndex(isData) + 1)
  const read = chunks.filter(({ type }) => READ.has(type))
  const known = new Map(read.map(({ type, body }) => [type, body]))
  const isAllowed = (chunk: Chunk, i: number) => isData(chunk) || (READ.has(chunk.type) ? i < start : !isCritical(chunk))
  const isInOrder = chunks[0]?.type === 'IHDR' && data.every(isData) && known.size === read.length && chunks.every(isAllowed)
  const header = isInOrder ? readHeader(chunks[0]!.body) : undefined
  if (header === undefined) return undefined
  const bodies = data.map(({ body }) => body)
  return { header, palette: known.get('PLTE'), transparency: known.get('tRNS'), data: Buffer.concat(bodies) }
}

/** §11.2.1. The only compression and filter methods are 0. */
function readHeader(body: Buffer): Header | undefined {
  if (body.length !== 13 || body[10] !== 0 || body[11] !== 0 || body[12]! > 1) return undefined
  return {
    width: body.readUInt32BE(0),
    height: body.readUInt32BE(4),
    depth: body[8]!,
    type: body[9]!,
    isInterlaced: body[12] === 1,
  }
}

/** A reduced image of an interlaced PNG: size, first pixel, steps between pixels. */
interface Pass {
  width: number
  height: number
  left: number
  top: number
  right: number
  down: number
}

function passesOf({ width, height, isInterlaced }: Header): Pass[] {
  if (!isInterlaced) return [{ width, height, left: 0, top: 0, right: 1, down: 1 }]
  const passes = PASSES.map(([left, top, right, down]) => ({
    width: Math.ceil((width - left) / right),
    height: Math.ceil((height - top) / down),
    left,
    top,
    right,
    down,
  }))
  return passes.filter(pass => pass.width > 0 && pass.height > 0)
}

/** Red (or grey), green, blue, opacity. */
type Pixel = Uint8Array

/** Decodes the pixel at `x`. False if it is invalid. */
type PixelReader = (row: Uint8Array, x: number, pixel: Pixel) => boolean

/** Decompresses the data row by row. False unless they are exactly those of the image. */
async function readRows(data: Buffer, rows: RowReader): Promise<boolean> {
  const inflate = createInflate()
  inflate.end(data)
  try {
    for await (const part of inflate) if (!rows.push(part)) return false
  } catch (error) {
    // zlib's error codes for invalid data.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) return false
    throw error
  }
  return rows.isComplete
}

/** Cuts decompressed data into rows and adds their pixels to the image. */
class RowReader {
  readonly #passes: Pass[]
  readonly #bitsPerPixel: number
  readonly #readPixel: PixelReader
  readonly #image: AveragedImage
  readonly #pixel: Pixel = new Uint8Array(4)
  #pass = 0
  #y = 0
  /** The number of the filter, then the row. */
  #row: Uint8Array
  #previous: Uint8Array
  #filled = 0

  constructor(header: Header, samples: number, readPixel: PixelReader, image: AveragedImage) {
    this.#passes = passesOf(header)
    this.#bitsPerPixel = samples * header.depth
    this.#readPixel = readPixel
    this.#image = image
    this.#row = this.#emptyRow(this.#passes[0]!)
    this.#previous = this.#emptyRow(this.#passes[0]!)
  }

  get isComplete(): boolean {
    return this.#pass === this.#passes.length
  }

  /** False at the first invalid row or pixel, and for data beyond the last row. */
  push(part: Uint8Array): boolean {
    for (let at = 0; at < part.length; ) {
      const pass = this.#passes[this.#pass]
      if (pass === undefined) return false
      const taken = part.subarray(at, at + this.#row.length - this.#filled)
      this.#row.set(taken, this.#filled)
      this.#filled += taken.length
      at += taken.length
      if (this.#filled === this.#row.length && !this.#finishRow(pass)) return false
    }
    return true
  }

  #emptyRow({ width }: Pass): Uint8Array {
    return new Uint8Array(1 + Math.ceil((width * this.#bitsPerPixel) / 8))
  }

  #finishRow(pass: Pass): boolean {
    const row = this.#row.subarray(1)
    if (!unfilter(this.#row[0]!, row, this.#previous.subarray(1), Math.max(1, this.#bitsPerPixel / 8))) return false
    for (let x = 0; x < pass.width; x++) {
      if (!this.#readPixel(row, x, this.#pixel)) return false
      this.#image.add(pass.left + x * pass.right, pass.top + this.#y * pass.down, this.#pixel)
    }
    ;[this.#previous, this.#row] = [this.#row, this.#previous]
    this.#filled = 0
    this.#y++
    if (this.#y === pass.height) this.#startNextPass()
    return true
  }

  #startNextPass(): void {
    this.#y = 0
    this.#pass++
    const next = this.#passes[this.#pass]
    if (next) [this.#row, this.#previous] = [this.#emptyRow(next), this.#emptyRow(next)]
  }
}

function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index]!
  if (depth === 16) return row[index * 2]!
  const bit = index * depth
  return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

/** §9.2, in place. `step`: bytes a pixel. False for a filter that does not exist. */
function unfilter(filter: number, row: Uint8Array, previous: Uint8Array, step: number): boolean {
  if (filter > 4) return false
  if (filter === 0) return true
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!
    const above = previous[i]!
    if (filter === 1) row[i]! += left
    else if (filter === 2) row[i]! += above
    else if (filter === 3) row[i]! += (left + above) >> 1
    else row[i]! += paeth(left, above, i < step ? 0 : previous[i - step]!)
  }
  return true
}

/** §9.4 */
function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

/** Of 16 bits the upper 8. The colour that tRNS names is transparent (§11.3.1.1). */
function sampleReader({ header, transparency }: Chunks, samples: number): PixelReader {
  const { depth, type } = header
  const colours = type === 0 || type === 4 ? 1 : 3
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const hasKey = samples === colours && transparency !== undefined && transparency.length >= colours * 2
  const bytes = depth === 16 ? 2 : 1
  const key = Array.from({ length: hasKey ? colours : 0 }, (_, c) => transparency!.subarray(c * 2 + 2 - bytes, c * 2 + 2))
  // All bits of a sample are compared, including those that are not kept.
  const isKey = (row: Uint8Array, index: number, c: number, value: number) =>
    depth === 16 ? row[index * 2] === key[c]![0] && row[index * 2 + 1] === key[c]![1] : value === key[c]![0]
  return (row, x, pixel) => {
    let matches = hasKey
    for (let c = 0; c < colours; c++) {
      const value = sampleAt(row, x * samples + c, depth)
      if (matches && !isKey(row, x * samples + c, c, value)) matches = false
      pixel[c] = value * scale
    }
    pixel[3] = samples > colours ? sampleAt(row, x * samples + colours, depth) : matches ? 0 : 255
    return true
  }
}

/** §11.2.2. A pixel outside the palette is invalid. */
function paletteReader({ header, palette, transparency }: Chunks): PixelReader {
  const entries = Math.floor((palette?.length ?? 0) / 3)
  return (row, x, pixel) => {
    const value = sampleAt(row, x, header.depth)
    if (palette === undefined || value >= entries) return false
    for (let c = 0; c < 3; c++) pixel[c] = palette[value * 3 + c]!
    pixel[3] = transparency?.[value] ?? 255
    return true
  }
}

type AveragedImage = ReturnType<typeof averageSquares>

/** Averages squares of `side` pixels, weighted by opacity; a transparent square is white. */
function averageSquares(width: number, height: number, channels: 1 | 3, side: number) {
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)]
  const sums = new Float64Array(columns * rows * channels)
  const opacities = new Float64Array(columns * rows)
  // Squares at the right and lower edges can be smaller.
  const lengthOf = (i: number, size: number) => Math.min(side, size - i * side)
  const pixelsIn = (square: number) => lengthOf(square % columns, width) * lengthOf(Math.floor(square / columns), height)
  return {
    add(x: number, y: number, pixel: Pixel): void {
      const at = Math.floor(y / side) * columns + Math.floor(x / side)
      const opacity = pixel[3]!
      for (let c = 0; c < channels; c++) sums[at * channels + c]! += pixel[c]! * opacity
      opacities[at]! += opacity
    },
    samples(hasAlpha: boolean): Samples {
      // `Uint8Array.from` copies to an array first, of hundreds of megabytes.
      const colour = new Uint8Array(sums.length)
      for (let i = 0; i < colour.length; i++) {
        const opacity = opacities[Math.floor(i / channels)]!
        colour[i] = opacity === 0 ? 255 : Math.round(sums[i]! / opacity)
      }
      const alpha = hasAlpha ? new Uint8Array(opacities.length) : undefined
      if (alpha) for (let i = 0; i < alpha.length; i++) alpha[i] = Math.round(opacities[i]! / pixelsIn(i))
      return { width: columns, height: rows, channels, colour, alpha }
    },
  }
}
