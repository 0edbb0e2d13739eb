/**
 * Reads a JPEG into plain samples, as small as is wanted: a photograph of forty megapixels is never held as such. ITU-T T.81: sequential and progressive,
 * Huffman coded, 8 bits, grey or colour; JFIF, Adobe's and Exif's markers. Strict: nothing is guessed; colour profiles are left aside.
 */
import { type HuffmanTable, huffmanTable, JpegError } from './jpeg-huffman.ts'
import { exifOrientation, upright } from './jpeg-orientation.ts'
import { drawComponent, planeToSamples } from './jpeg-pixels.ts'
import { type Component, decodeScan, ZIGZAG } from './jpeg-scan.ts'
import type { Samples } from './png-read.ts'

/** Every block is visited by several scans, but not by so many as fit into a file. */
const MOST_VISITS = 60
/** Of a picture small enough to be drawn whole this is nothing, and it bounds what one is. */
const MOST_BLOCKS = 4_000_000

interface Frame {
  width: number
  height: number
  isProgressive: boolean
  components: Component[]
  mcusAcross: number
  mcusDown: number
}

/** What the markers before a scan have set. */
interface State {
  bytes: Buffer
  sideOf: (width: number, height: number) => number
  quantisation: (Uint16Array | undefined)[]
  dc: (HuffmanTable | undefined)[]
  ac: (HuffmanTable | undefined)[]
  restartInterval: number
  /** Adobe's word on colours: 0 for red, green, blue. */
  transform: number | undefined
  orientation: number
  frame: Frame | undefined
  visits: number
}

/** What the frame's header says, before anything is decoded; undefined when there is none. */
export function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  for (const { marker, from, to } of segments(bytes)) {
    if (isFrame(marker) && to - from >= 6) return { width: bytes.readUInt16BE(from + 3), height: bytes.readUInt16BE(from + 1) }
    if (marker === SOS) return undefined
  }
  return undefined
}

/** `shrink`: how many pixels a side become one, to the nearest eighth; one of eight is left at least. Undefined for what is no sound JPEG of these kinds. */
export function readJpeg(bytes: Buffer, shrink: (width: number, height: number) => number = () => 1): Samples | undefined {
  const sideOf = (width: number, height: number) => Math.min(8, Math.max(1, Math.round(8 / shrink(width, height))))
  const state: State = {
    bytes,
    sideOf,
    quantisation: [],
    dc: [],
    ac: [],
    restartInterval: 0,
    transform: undefined,
    orientation: 1,
    frame: undefined,
    visits: 0,
  }
  try {
    return samplesOf(state)
  } catch (error) {
    if (error instanceof JpegError) return undefined
    throw error
  }
}

const SOS = 0xda
const EOI = 0xd9

/** All kinds of frames there are; DHT, JPG and DAC stand among them. B.1.1.3 */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

interface Segment {
  marker: number
  /** Of what follows its length. */
  from: number
  to: number
}

/** B.1.1.4. Whoever decodes a scan says by `next` where its data end. Ends with the end of the image, or where the bytes do. */
function* segments(bytes: Buffer): Generator<Segment, void, number | undefined> {
  let at = 2
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff) {
      // Fill bytes (B.1.1.2), and what some cameras leave behind a scan.
      at++
      continue
    }
    at += 2
    if (marker === EOI) {
      yield { marker, from: at, to: at }
      return
    }
    if (marker >= 0xd0 && marker <= 0xd8) continue
    if (at + 2 > bytes.length) return
    const to = at + bytes.readUInt16BE(at)
    if (to < at + 2 || to > bytes.length) return
    at = (yield { marker, from: at + 2, to }) ?? to
  }
}

function samplesOf(state: State): Samples {
  const walk = segments(state.bytes)
  let step = walk.next()
  while (!step.done) {
    const { marker, from, to } = step.value
    if (marker === EOI) return drawn(state)
    step = walk.next(read(state, marker, state.bytes.subarray(from, to), to))
  }
  throw new JpegError('the data end before the picture')
}

/** Takes in a segment; of a scan, gives where its data end. */
function read(state: State, marker: number, body: Buffer, end: number): number | undefined {
  if (isFrame(marker)) state.frame = frameOf(state, marker, body)
  else if (marker === 0xdb) readQuantisation(state, body)
  else if (marker === 0xc4) readHuffman(state, body)
  else if (marker === 0xdd) state.restartInterval = body.length === 2 ? body.readUInt16BE(0) : 0
  else if (marker === 0xe1) state.orientation = exifOrientation(body) ?? state.orientation
  else if (marker === 0xee && body.length >= 12 && body.toString('latin1', 0, 5) === 'Adobe') state.transform = body[11]
  else if (marker === SOS) return readScan(state, body, end)
  return undefined
}

/** B.2.4.1 */
function readQuantisation(state: State, body: Buffer): void {
  for (let at = 0; at < body.length; ) {
    const [wide, number] = [body[at]! >> 4, body[at]! & 15]
    const bytes = wide ? 128 : 64
    if (wide > 1 || number > 3 || at + 1 + bytes > body.length) throw new JpegError('a broken quantisation table')
    const table = new Uint16Array(64)
    for (let k = 0; k < 64; k++) table[ZIGZAG[k]!] = wide ? body.readUInt16BE(at + 1 + k * 2) : body[at + 1 + k]!
    state.quantisation[number] = table
    at += 1 + bytes
  }
}

/** B.2.4.2 */
function readHuffman(state: State, body: Buffer): void {
  for (let at = 0; at < body.length; ) {
    const [kind, number] = [body[at]! >> 4, body[at]! & 15]
    const counts = body.subarray(at + 1, at + 17)
    const length = counts.reduce((sum, count) => sum + count, 0)
    const isWhole = counts.length === 16 && at + 17 + length <= body.length
    if (kind > 1 || number > 3 || length > 256 || !isWhole) throw new JpegError('a broken Huffman table')
    const tables = kind === 0 ? state.dc : state.ac
    tables[number] = huffmanTable(counts, body.subarray(at + 17, at + 17 + length))
    at += 17 + length
  }
}

/** B.2.2 */
function frameOf({ frame, sideOf }: State, marker: number, body: Buffer): Frame {
  const count = body[5] ?? 0
  // Baseline, extended and progressive; one picture; as many components as grey or colours have.
  const isKnown = marker <= 0xc2 && !frame && body[0] === 8 && (count === 1 || count === 3) && body.length === 6 + count * 3
  if (!isKnown) throw new JpegError('a kind of JPEG that is not read')
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  const heads = Array.from({ length: count }, (_, i) => body.subarray(6 + i * 3, 9 + i * 3))
  const factors = heads.map(head => [head[1]! >> 4, head[1]! & 15] as const)
  const isSound = width > 0 && height > 0 && factors.flat().every(factor => factor >= 1 && factor <= 4)
  if (!isSound || new Set(heads.map(([id]) => id)).size !== count) throw new JpegError('a broken frame')
  const [mostAcross, mostDown] = [Math.max(...factors.map(([h]) => h)), Math.max(...factors.map(([, v]) => v))]
  const [mcusAcross, mcusDown] = [Math.ceil(width / (8 * mostAcross)), Math.ceil(height / (8 * mostDown))]
  const side = sideOf(width, height)
  const components = heads.map((head, i): Component => {
    const [across, down] = factors[i]!
    const [blocksAcross, blocksDown] = [mcusAcross * across, mcusDown * down]
    const blocks = blocksAcross * blocksDown
    if (blocks > MOST_BLOCKS) throw new JpegError('more blocks than are read')
    // Colours of half the size are drawn twice as large: no detail is lost that is there.
    const own = mostAcross === 2 * across && mostDown === 2 * down ? Math.min(8, side * 2) : side
    return {
      id: head[0]!,
      across,
      down,
      quantisation: head[2]!,
      blocksAcross,
      blocksDown,
      ownAcross: Math.ceil((width * across) / mostAcross / 8),
      ownDown: Math.ceil((height * down) / mostDown / 8),
      side: own,
      coefficients: new Int16Array(blocks * own * own),
      masks: new Uint32Array(marker === 0xc2 ? blocks * 2 : 0),
      dc: undefined,
      ac: undefined,
      before: 0,
    }
  })
  return { width, height, isProgressive: marker === 0xc2, components, mcusAcross, mcusDown }
}

/** B.2.3. Gives where the data of the scan end. */
function readScan(state: State, body: Buffer, start: number): number {
  const { frame, bytes, restartInterval } = state
  const count = body[0] ?? 0
  if (!frame || count < 1 || count > frame.components.length || body.length !== 4 + count * 2)
    throw new JpegError('a broken scan')
  const components = Array.from({ length: count }, (_, i) => {
    const component = frame.components.find(({ id }) => id === body[1 + i * 2])
    if (!component) throw new JpegError('a scan of a component that is not there')
    const tables = body[2 + i * 2]!
    return Object.assign(component, { dc: state.dc[tables >> 4], ac: state.ac[tables & 15] })
  })
  const [first, last, bits] = [body[1 + count * 2]!, body[2 + count * 2]!, body[3 + count * 2]!]
  const { isProgressive, mcusAcross, mcusDown } = frame
  const isSound = first === 0 ? last === 0 : count === 1 && first <= last && last < 64
  if (new Set(components).size !== count || (isProgressive && (!isSound || (bits & 15) > 13)))
    throw new JpegError('a broken scan')
  if (++state.visits > MOST_VISITS) throw new JpegError('more scans than are read')
  return decodeScan(bytes, start, {
    components,
    restartInterval,
    isProgressive,
    first,
    last,
    high: bits >> 4,
    low: bits & 15,
    mcusAcross,
    mcusDown,
  })
}

/** The picture of what all scans have brought. */
function drawn({ frame, quantisation, transform, orientation, visits, sideOf }: State): Samples {
  if (!frame || visits === 0) throw new JpegError('there is no picture')
  const { width, height, components } = frame
  const planes = components.map(component => {
    const table = quantisation[component.quantisation]
    if (!table) throw new JpegError('a table is missing')
    return {
      ...drawComponent(component, table),
      across: component.across * component.side,
      down: component.down * component.side,
    }
  })
  const side = sideOf(width, height)
  const [w, h] = [Math.ceil((width * side) / 8), Math.ceil((height * side) / 8)]
  const isRgb =
    transform === 0 || (transform === undefined && components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB')
  const most = {
    across: Math.max(...components.map(component => component.across)) * side,
    down: Math.max(...components.map(component => component.down)) * side,
  }
  return upright(planeToSamples(planes, w, h, most, isRgb), orientation)
}
