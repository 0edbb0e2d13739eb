/**
 * Decodes the scans of a JPEG into coefficients: sequential and progressive, Huffman coded. ITU-T T.81 annex F.2, G.1.2, G.2. Of each block only the
 * coefficients are kept that a picture of the wanted size is made of.
 */
import { type Bits, type HuffmanTable, JpegError, openBits } from './jpeg-huffman.ts'

export interface Component {
  id: number
  /** Sampling factors. A.1.1 */
  across: number
  down: number
  quantisation: number
  /** Blocks in whole MCUs, and those that hold the picture. A.2 */
  blocksAcross: number
  blocksDown: number
  ownAcross: number
  ownDown: number
  /** Of a block as it is drawn, 1 to 8 pixels; as many coefficients are kept. */
  side: number
  coefficients: Int16Array
  /** Progressive: which coefficients of a block are not zero, 64 bits in zigzag order. */
  masks: Uint32Array
  dc: HuffmanTable | undefined
  ac: HuffmanTable | undefined
  /** The prediction of the next DC coefficient. F.1.1.5.1 */
  before: number
}

export interface Scan {
  components: Component[]
  /** In MCUs; 0 for none. */
  restartInterval: number
  isProgressive: boolean
  /** First and last coefficient, and bit positions before and after. G.1.1.1 */
  first: number
  last: number
  high: number
  low: number
  mcusAcross: number
  mcusDown: number
}

/** A.3.6: where the k-th coefficient of a block stands, row × 8 + column. */
export const ZIGZAG = Uint8Array.from(
  [0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28].concat([
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62,
    63,
  ]),
)

/** Where the k-th coefficient is kept in a block of `side` × `side`; -1 where it is not. */
const KEPT = new Map(
  [1, 2, 3, 4, 5, 6, 7, 8].map(side => {
    const place = (at: number) => (at >> 3 < side && (at & 7) < side ? (at >> 3) * side + (at & 7) : -1)
    return [side, Int8Array.from(ZIGZAG, place)] as const
  }),
)

type DecodeBlock = (component: Component, block: number) => void

/** Decodes a scan that begins at `start`. Gives where its data end. @throws JpegError */
export function decodeScan(bytes: Uint8Array, start: number, scan: Scan): number {
  const bits = openBits(bytes, start)
  const run = { left: 0 }
  const decode = blockDecoder(bits, scan, run)
  const [only] = scan.components
  const isAlone = scan.components.length === 1
  const count = isAlone ? only!.ownAcross * only!.ownDown : scan.mcusAcross * scan.mcusDown
  for (const component of scan.components) component.before = 0
  for (let i = 0; i < count; i++) {
    if (scan.restartInterval > 0 && i > 0 && i % scan.restartInterval === 0) {
      bits.restart()
      run.left = 0
      for (const component of scan.components) component.before = 0
    }
    if (isAlone) decode(only!, Math.floor(i / only!.ownAcross) * only!.blocksAcross + (i % only!.ownAcross))
    else decodeMcu(scan, i, decode)
  }
  return bits.position()
}

/** A.2.3 */
function decodeMcu({ components, mcusAcross }: Scan, mcu: number, decode: DecodeBlock): void {
  const [row, column] = [Math.floor(mcu / mcusAcross), mcu % mcusAcross]
  for (const component of components) {
    const { across, down, blocksAcross } = component
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) decode(component, (row * down + y) * blocksAcross + column * across + x)
    }
  }
}

function blockDecoder(bits: Bits, scan: Scan, run: { left: number }): DecodeBlock {
  if (!scan.isProgressive) return (component, block) => decodeSequential(bits, component, block)
  if (scan.first === 0) return scan.high === 0 ? firstDc(bits, scan) : refinedDc(bits, scan)
  return scan.high === 0 ? firstAc(bits, scan, run) : refinedAc(bits, scan, run)
}

function needed(table: HuffmanTable | undefined): HuffmanTable {
  if (!table) throw new JpegError('a table is missing')
  return table
}

function nextDc(bits: Bits, component: Component): number {
  component.before += bits.signed(sizeOf(bits.symbol(needed(component.dc))))
  return component.before
}

function sizeOf(size: number): number {
  if (size > 15) throw new JpegError('a coefficient of more bits than there are')
  return size
}

function keep({ side, coefficients }: Component, block: number, k: number, value: number): void {
  const place = KEPT.get(side)![k]!
  if (place >= 0) coefficients[block * side * side + place] = value
}

/** F.2.2.1, F.2.2.2 */
function decodeSequential(bits: Bits, component: Component, block: number): void {
  keep(component, block, 0, nextDc(bits, component))
  const table = needed(component.ac)
  for (let k = 1; k < 64; k++) {
    const symbol = bits.symbol(table)
    const size = symbol & 15
    if (size === 0 && symbol !== 0xf0) return
    k += symbol >> 4
    if (k > 63) throw new JpegError('more coefficients than a block has')
    if (size > 0) keep(component, block, k, bits.signed(size))
  }
}

/** G.1.2.1 */
function firstDc(bits: Bits, { low }: Scan): DecodeBlock {
  return (component, block) => keep(component, block, 0, nextDc(bits, component) * (1 << low))
}

function refinedDc(bits: Bits, { low }: Scan): DecodeBlock {
  return (component, block) => {
    if (bits.bit()) component.coefficients[block * component.side ** 2]! |= 1 << low
  }
}

/** Of blocks that have nothing more. G.1.2.2 */
function runOf(bits: Bits, length: number): number {
  return (1 << length) + bits.bits(length)
}

function firstAc(bits: Bits, { first, last, low }: Scan, run: { left: number }): DecodeBlock {
  return (component, block) => {
    if (run.left > 0) {
      run.left--
      return
    }
    const table = needed(component.ac)
    for (let k = first; k <= last; k++) {
      const symbol = bits.symbol(table)
      const [skipped, size] = [symbol >> 4, symbol & 15]
      if (size === 0 && skipped < 15) {
        run.left = runOf(bits, skipped) - 1
        return
      }
      k += skipped
      if (k > last) throw new JpegError('more coefficients than a scan has')
      if (size > 0) setNew(component, block, k, bits.signed(size) * (1 << low))
    }
  }
}

function setNew(component: Component, block: number, k: number, value: number): void {
  component.masks[block * 2 + (k >> 5)]! |= 1 << (k & 31)
  keep(component, block, k, value)
}

/** G.1.2.3: bits for coefficients that are there already stand between what is new. */
function refinedAc(bits: Bits, { first, last, low }: Scan, run: { left: number }): DecodeBlock {
  return (component, block) => {
    let k = first
    const table = needed(component.ac)
    while (run.left === 0 && k <= last) {
      const symbol = bits.symbol(table)
      const [zeros, size] = [symbol >> 4, symbol & 15]
      if (size === 0 && zeros < 15) {
        run.left = runOf(bits, zeros)
        break
      }
      if (size > 1) throw new JpegError('a refinement of more than one bit')
      const value = size === 1 ? (bits.bit() ? 1 : -1) * (1 << low) : 0
      k = refinePast(bits, component, block, { k, last, low, zeros })
      if (k > last && size === 1) throw new JpegError('more coefficients than a scan has')
      if (size === 1) setNew(component, block, k, value)
      k++
    }
    if (run.left === 0) return
    refinePast(bits, component, block, { k, last, low, zeros: Number.POSITIVE_INFINITY })
    run.left--
  }
}

/** Refines what is there until that many zeros were passed. Gives the place of the zero behind them. */
function refinePast(
  bits: Bits,
  component: Component,
  block: number,
  to: { k: number; last: number; low: number; zeros: number },
): number {
  const { masks, side, coefficients } = component
  let left = to.zeros
  for (let k = to.k; k <= to.last; k++) {
    const isThere = ((masks[block * 2 + (k >> 5)]! >>> (k & 31)) & 1) === 1
    if (!isThere) {
      if (left === 0) return k
      left--
    } else if (bits.bit()) {
      const place = KEPT.get(side)![k]!
      const at = block * side * side + place
      if (place >= 0) coefficients[at]! += coefficients[at]! < 0 ? -(1 << to.low) : 1 << to.low
    }
  }
  return to.last + 1
}
