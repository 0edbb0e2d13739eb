/**
 * Reads a PNG into plain samples of 8 bits. Portable Network Graphics (Third Edition), W3C. Strict: sums, sizes and order must be right, and nothing is
 * guessed; colour management is left aside. Every fault gives `undefined`.
 */
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
  interlaced: boolean
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

/**
 * The picture, unless it is longer than `maxSide` pixels a side or anything but a sound PNG. `shrink`: how many pixels a side are averaged to one.
 * Rows are unpacked one by one: only the shrunk picture is held.
 */
export async function readPng(
  bytes: Buffer,
  maxSide: number,
  shrink: (width: number, height: number) => number = () => 1,
): Promise<Samples | undefined> {
  const chunks = chunksOf(bytes)
  const kind = chunks && TYPES[chunks.header.type]
  if (chunks === undefined || !kind?.depths.includes(chunks.header.depth)) return undefined
  const { width, height, type } = chunks.header
  if (width === 0 || height === 0 || width > maxSide || height > maxSide) return undefined
  const channels = type === 0 || type === 4 ? 1 : 3
  const mean = openMean(width, height, channels, shrink(width, height))
  const read = type === 3 ? paletteReader(chunks) : sampleReader(chunks, kind.samples)
  if (!(await eachPixel(chunks, kind.samples, read, mean.add))) return undefined
  return mean.picture(type >= 4 || chunks.transparency !== undefined)
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(SIGNATURE)
}

/** As the header says it, in pixels (§11.2.1); undefined where there is none. */
export function pngSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** One pixel: red (or grey), green, blue, opacity. */
type Pixel = Uint8Array

/**
 * §5: all chunks up to IEND with right sums, in their order (§5.6): the header first and once, its palette and transparency once and before the data,
 * the data in one row. Others are skipped when they are ancillary.
 */
function chunksOf(bytes: Buffer): Chunks | undefined {
  if (!isPng(bytes)) return undefined
  const known = new Map<string, Buffer>()
  const data: Buffer[] = []
  let before = ''
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length || Bun.hash.crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    const kind = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, end)
    if ((kind === 'IHDR') !== (before === '')) return undefined
    if (kind === 'IEND') return finished(known, data)
    if (kind === 'IDAT') {
      if (data.length > 0 && before !== 'IDAT') return undefined
      data.push(body)
    } else if (READ.has(kind)) {
      if (known.has(kind) || data.length > 0) return undefined
      known.set(kind, body)
    } else if (isCritical(kind)) return undefined
    before = kind
    at = end + 4
  }
  return undefined
}

const READ: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS'])

/** §5.4: told by the case of the first letter. */
function isCritical(kind: string): boolean {
  return (kind.charCodeAt(0) & 0x20) === 0
}

function finished(known: Map<string, Buffer>, data: Buffer[]): Chunks | undefined {
  const head = known.get('IHDR')
  if (head?.length !== 13 || head[10] !== 0 || head[11] !== 0 || head[12]! > 1) return undefined
  const header = {
    width: head.readUInt32BE(0),
    height: head.readUInt32BE(4),
    depth: head[8]!,
    type: head[9]!,
    interlaced: head[12] === 1,
  }
  return { header, palette: known.get('PLTE'), transparency: known.get('tRNS'), data: Buffer.concat(data) }
}

interface Pass {
  width: number
  height: number
  left: number
  top: number
  right: number
  down: number
}

function passesOf({ width, height, interlaced }: Header): Pass[] {
  if (!interlaced) return [{ width, height, left: 0, top: 0, right: 1, down: 1 }]
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

type Read = (row: Uint8Array, x: number, pixel: Pixel) => boolean
type Add = (x: number, y: number, pixel: Pixel) => void

/** Hands over every pixel with where it stands. False when the data are not those of such a picture. */
async function eachPixel({ header, data }: Chunks, samples: number, read: Read, add: Add): Promise<boolean> {
  const rows = openRows(header, samples, read, add)
  const inflate = createInflate()
  inflate.end(data)
  try {
    for await (const part of inflate) if (!rows.take(part)) return false
  } catch (error) {
    // zlib's own word for broken data.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) return false
    throw error
  }
  return rows.isComplete()
}

/** Cuts unpacked data into rows. `take` is false at the first fault and when there is more than the picture has. */
function openRows(header: Header, samples: number, read: Read, add: Add) {
  const passes = passesOf(header)
  const step = Math.max(1, (samples * header.depth) / 8)
  const pixel: Pixel = new Uint8Array(4)
  let [index, y, filled] = [0, 0, 0]
  const bytesOf = (pass: Pass) => Math.ceil((pass.width * samples * header.depth) / 8)
  /** The filter's number, then the row. */
  let row = new Uint8Array(bytesOf(passes[0]!) + 1)
  let before = new Uint8Array(row.length)
  const finishRow = (pass: Pass): boolean => {
    const own = row.subarray(1)
    if (!unfilter(row[0]!, own, before.subarray(1), step)) return false
    for (let x = 0; x < pass.width; x++) {
      if (!read(own, x, pixel)) return false
      add(pass.left + x * pass.right, pass.top + y * pass.down, pixel)
    }
    ;[before, row] = [row, before]
    filled = 0
    y++
    if (y < pass.height) return true
    y = 0
    index++
    const next = passes[index]
    if (next) [row, before] = [new Uint8Array(bytesOf(next) + 1), new Uint8Array(bytesOf(next) + 1)]
    return true
  }
  return {
    take(part: Uint8Array): boolean {
      for (let at = 0; at < part.length; ) {
        const pass = passes[index]
        if (pass === undefined) return false
        const taken = part.subarray(at, at + row.length - filled)
        row.set(taken, filled)
        filled += taken.length
        at += taken.length
        if (filled === row.length && !finishRow(pass)) return false
      }
      return true
    },
    isComplete: () => index === passes.length,
  }
}

function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index]!
  if (depth === 16) return row[index * 2]!
  const bit = index * depth
  return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

/** §9.2, in place. False for a filter that does not exist. */
function unfilter(filter: number, row: Uint8Array, before: Uint8Array, step: number): boolean {
  if (filter > 4) return false
  if (filter === 0) return true
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!
    const above = before[i]!
    if (filter === 1) row[i]! += left
    else if (filter === 2) row[i]! += above
    else if (filter === 3) row[i]! += (left + above) >> 1
    else row[i]! += nearest(left, above, i < step ? 0 : before[i - step]!)
  }
  return true
}

/** §9.4, the Paeth predictor. */
function nearest(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

/** Grey or colours as they stand there, of 16 bits the upper half; the one colour named by tRNS (§11.3.1.1) is not seen. */
function sampleReader({ header, transparency }: Chunks, samples: number) {
  const { depth, type } = header
  const colours = type === 0 || type === 4 ? 1 : 3
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const hasKey = samples === colours && transparency !== undefined && transparency.length >= colours * 2
  const bytes = depth === 16 ? 2 : 1
  const key = Array.from({ length: hasKey ? colours : 0 }, (_, c) => transparency!.subarray(c * 2 + 2 - bytes, c * 2 + 2))
  /** All bits of a sample tell whether it is the one, also those that are not kept. */
  const isKey = (row: Uint8Array, index: number, c: number, value: number) =>
    depth === 16 ? row[index * 2] === key[c]![0] && row[index * 2 + 1] === key[c]![1] : value === key[c]![0]
  return (row: Uint8Array, x: number, pixel: Pixel): boolean => {
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

/** §11.2.2. A pixel whose colour the palette does not have is a fault. */
function paletteReader({ header, palette, transparency }: Chunks) {
  const entries = Math.floor((palette?.length ?? 0) / 3)
  return (row: Uint8Array, x: number, pixel: Pixel): boolean => {
    const value = sampleAt(row, x, header.depth)
    if (palette === undefined || value >= entries) return false
    for (let c = 0; c < 3; c++) pixel[c] = palette[value * 3 + c]!
    pixel[3] = transparency?.[value] ?? 255
    return true
  }
}

/** Means of squares of `side` pixels; a colour counts by how much of it is seen, and is white where nothing is. */
function openMean(width: number, height: number, channels: 1 | 3, side: number) {
  const [w, h] = [Math.ceil(width / side), Math.ceil(height / side)]
  const sums = new Float64Array(w * h * channels)
  const seen = new Float64Array(w * h)
  const inSquare = (i: number, size: number) => Math.min(side, size - i * side)
  return {
    add(x: number, y: number, pixel: Pixel): void {
      const at = Math.floor(y / side) * w + Math.floor(x / side)
      const opacity = pixel[3]!
      for (let c = 0; c < channels; c++) sums[at * channels + c]! += pixel[c]! * opacity
      seen[at]! += opacity
    },
    picture(isTransparent: boolean): Samples {
      const colour = new Uint8Array(sums.length).map((_, i) => {
        const opacity = seen[Math.floor(i / channels)]!
        return opacity === 0 ? 255 : Math.round(sums[i]! / opacity)
      })
      const alphaAt = (i: number) => Math.round(seen[i]! / (inSquare(i % w, width) * inSquare(Math.floor(i / w), height)))
      return {
        width: w,
        height: h,
        channels,
        colour,
        alpha: isTransparent ? new Uint8Array(w * h).map((_, i) => alphaAt(i)) : undefined,
      }
    },
  }
}
