/**
 * Writes grey JPEGs whose coefficients a test knows, sequential and progressive, each symbol by a code of nine bits. Not for pictures: for the ways a
 * decoder must take. ITU-T T.81 annex B, F.1, G.1.
 */
const marker = (code: number, body: number[]) => [0xff, code, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]

/** All symbols that occur here, each with a code of nine bits. */
const SYMBOLS = Array.from({ length: 256 }, (_, i) => i)
const CODES = [0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]
const tables = [0x00, 0x10].flatMap(kind => marker(0xc4, [kind, ...CODES, ...SYMBOLS.slice(0, 255)]))

function openBitWriter() {
  const bytes: number[] = []
  let [held, count] = [0, 0]
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) {
      held = (held << 1) | ((value >> i) & 1)
      if (++count < 8) continue
      bytes.push(held)
      if (held === 0xff) bytes.push(0)
      ;[held, count] = [0, 0]
    }
  }
  return {
    put,
    symbol: (value: number) => put(value, 9),
    /** F.1.2.1: a number as its size needs. */
    number: (value: number, size: number) => put(value < 0 ? value + (1 << size) - 1 : value, size),
    end() {
      while (count !== 0) put(1, 1)
      return bytes
    },
  }
}

const sizeOf = (value: number) => Math.abs(value).toString(2).length * (value === 0 ? 0 : 1)
/** The point transform of AC coefficients: towards zero. G.1.2.1 */
const shifted = (value: number, low: number) => Math.sign(value) * (Math.abs(value) >> low)

export type Block = number[]

export interface Written {
  width: number
  height: number
  /** In zigzag order, row by row; as many as cover the picture. */
  blocks: Block[]
  restartInterval?: number
}

const head = ({ width, height, restartInterval = 0 }: Written, frame: number) => [
  0xff,
  0xd8,
  ...marker(0xdb, [0, ...Array.from({ length: 64 }, () => 2)]),
  ...marker(frame, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
  ...tables,
  ...(restartInterval > 0 ? marker(0xdd, [0, restartInterval]) : []),
]
const scanHead = (first: number, last: number, bits: number) => marker(0xda, [1, 1, 0, first, last, bits])
const END = [0xff, 0xd9]

type Writer = ReturnType<typeof openBitWriter>

/** One scan in pieces between restarts. */
function scanOf({ blocks, restartInterval = 0 }: Written, write: (writer: Writer, part: Block[]) => void): number[] {
  const length = restartInterval > 0 ? restartInterval : blocks.length
  const parts = Array.from({ length: Math.ceil(blocks.length / length) }, (_, i) => blocks.slice(i * length, (i + 1) * length))
  return parts.flatMap((part, i) => {
    const writer = openBitWriter()
    write(writer, part)
    return [...(i > 0 ? [0xff, 0xd0 + ((i - 1) % 8)] : []), ...writer.end()]
  })
}

function writeDc(writer: Writer, part: Block[], low: number): void {
  let before = 0
  for (const block of part) {
    const value = block[0]! >> low
    writer.symbol(sizeOf(value - before))
    writer.number(value - before, sizeOf(value - before))
    before = value
  }
}

function writeAc(writer: Writer, block: Block, first: number, last: number, low: number): void {
  let zeros = 0
  for (let k = first; k <= last; k++) {
    const value = shifted(block[k]!, low)
    if (value === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) writer.symbol(0xf0)
    writer.symbol(zeros * 16 + sizeOf(value))
    writer.number(value, sizeOf(value))
    zeros = 0
  }
  if (zeros > 0) writer.symbol(0)
}

/** G.1.2.3, each block ending with a run of its own. */
function refineAc(writer: Writer, block: Block, low: number): void {
  const isOld = (k: number) => shifted(block[k]!, low + 1) !== 0
  let newest = 0
  for (let k = 1; k < 64; k++) if (!isOld(k) && shifted(block[k]!, low) !== 0) newest = k
  let [zeros, corrections] = [0, [] as number[]]
  const flush = () => {
    for (const bit of corrections) writer.put(bit, 1)
    corrections = []
  }
  for (let k = 1; k < 64; k++) {
    const value = shifted(block[k]!, low)
    if (isOld(k)) corrections.push(Math.abs(value) & 1)
    else if (value === 0) zeros++
    else {
      writer.symbol(zeros * 16 + 1)
      writer.put(value > 0 ? 1 : 0, 1)
      flush()
      zeros = 0
    }
    if (zeros === 16 && k < newest) {
      writer.symbol(0xf0)
      flush()
      zeros = 0
    }
  }
  if (zeros > 0 || corrections.length > 0) {
    writer.symbol(0)
    flush()
  }
}

export function sequentialJpeg(written: Written): Buffer {
  let before = 0
  const data = scanOf(written, (writer, part) => {
    before = 0
    for (const block of part) {
      writer.symbol(sizeOf(block[0]! - before))
      writer.number(block[0]! - before, sizeOf(block[0]! - before))
      before = block[0]!
      writeAc(writer, block, 1, 63, 0)
    }
  })
  return Buffer.from([...head(written, 0xc0), ...scanHead(0, 63, 0), ...data, ...END])
}

/** Six scans: DC without its last bit, two bands of AC without it, then the last bits. */
export function progressiveJpeg(written: Written): Buffer {
  const band = (first: number, last: number) =>
    scanOf(written, (writer, part) => part.map(block => writeAc(writer, block, first, last, 1)))
  const scans = [
    ...scanHead(0, 0, 0x01),
    ...scanOf(written, (writer, part) => writeDc(writer, part, 1)),
    ...scanHead(1, 5, 0x01),
    ...band(1, 5),
    ...scanHead(6, 63, 0x01),
    ...band(6, 63),
    ...scanHead(0, 0, 0x10),
    ...scanOf(written, (writer, part) => part.map(block => writer.put(block[0]! & 1, 1))),
    ...scanHead(1, 63, 0x10),
    ...scanOf(written, (writer, part) => part.map(block => refineAc(writer, block, 0))),
  ]
  return Buffer.from([...head(written, 0xc2), ...scans, ...END])
}

/** Empty scans of a large progressive picture, as many as asked for: a byte is a run of many blocks. */
export function scanBomb(side: number, scans: number): Buffer {
  const written = { width: side, height: side, blocks: [] }
  const blocks = Math.ceil(side / 8) ** 2
  const writer = openBitWriter()
  for (let left = blocks; left > 0; ) {
    const length = Math.min(14, Math.floor(Math.log2(left)))
    writer.symbol(length * 16)
    writer.put(0, length)
    left -= 1 << length
  }
  const scan = [...scanHead(1, 63, 0x00), ...writer.end()]
  return Buffer.concat([
    Buffer.from(head(written, 0xc2)),
    ...Array.from({ length: scans }, () => Buffer.from(scan)),
    Buffer.from(END),
  ])
}
