/** Reads the segments of a JPEG, decodes no pixels, and removes metadata. ITU-T T.81 annex B. */

export interface JpegFacts {
  /** Stored pixels, before they are turned upright. */
  width: number
  height: number
  components: 1 | 3 | 4
  /** Adobe's programs store CMYK inverted; others that do so write Adobe's marker too. */
  isAdobe: boolean
  /** Exif 3.0 §4.6.5.1: 1 is upright; 5 to 8 exchange width and height. */
  orientation: number
}

/** A marker with its segment; of a scan with the coded data that follow. */
interface Segment {
  marker: number
  /** From the marker to before the next one. */
  bytes: Buffer
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP14 = 0xee
const APP15 = 0xef
const COM = 0xfe
/** Frames that DCTDecode takes: baseline, extended sequential, progressive (table B.1). */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
/** §B.1.1.5: markers inside of coded data, and a zero byte after a data byte FF. */
const isInsideScan = (marker: number) => marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff
}

/** Undefined unless it is a complete JPEG with 8 bits a sample that DCTDecode takes. */
export function readJpeg(bytes: Buffer): JpegFacts | undefined {
  const segments = readSegments(bytes)
  const frameAt = segments?.findIndex(({ marker }) => FRAMES.has(marker)) ?? -1
  const scanAt = segments?.findIndex(({ marker }) => marker === SOS) ?? -1
  const frame = segments?.[frameAt]?.bytes
  if (segments === undefined || frame === undefined || frame.length < 10 || scanAt < frameAt || frame[4] !== 8) return undefined
  const [height, width, components] = [frame.readUInt16BE(5), frame.readUInt16BE(7), frame[9]]
  if (width === 0 || height === 0 || (components !== 1 && components !== 3 && components !== 4)) return undefined
  return { width, height, components, isAdobe: segments.some(isAdobeSegment), orientation: orientationOf(segments) }
}

/** Without comments, Exif, profiles and what follows the image. The orientation stays. */
export function withoutMetadata(bytes: Buffer): Buffer {
  const segments = readSegments(bytes) ?? []
  const kept = segments.filter(({ marker }) => marker !== COM && (marker < APP0 || marker > APP15))
  const orientation = orientationOf(segments)
  return Buffer.concat([
    Buffer.of(0xff, SOI),
    ...(segments.some(isJfifSegment) ? [JFIF] : []),
    ...(orientation === 1 ? [] : [exifWith(orientation)]),
    ...segments.filter(isAdobeSegment).map(segment => segment.bytes),
    ...kept.map(segment => segment.bytes),
    Buffer.of(0xff, EOI),
  ])
}

/** Those between start and end of the image. Undefined if the end is missing. */
function readSegments(bytes: Buffer): Segment[] | undefined {
  if (!isJpeg(bytes)) return undefined
  const segments: Segment[] = []
  for (let at = 2; at + 1 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === EOI) return segments
    // A fill byte (§B.1.1.2).
    if (marker === 0xff) {
      at++
      continue
    }
    const end = endOfSegment(bytes, at, marker)
    if (end === undefined) return undefined
    segments.push({ marker, bytes: bytes.subarray(at, end) })
    at = end
  }
  return undefined
}

function endOfSegment(bytes: Buffer, at: number, marker: number): number | undefined {
  if (at + 4 > bytes.length || marker === SOI || isInsideScan(marker)) return undefined
  const length = bytes.readUInt16BE(at + 2)
  const end = at + 2 + length
  if (length < 2 || end > bytes.length) return undefined
  return marker === SOS ? endOfScan(bytes, end) : end
}

/** The next marker that is not part of the coded data. */
function endOfScan(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (!isInsideScan(bytes[at + 1]!)) return at
  }
  return undefined
}

const startsWith = ({ bytes }: Segment, name: string) => bytes.toString('latin1', 4, 4 + name.length) === name
const isAdobeSegment = (segment: Segment) => segment.marker === APP14 && startsWith(segment, 'Adobe')
const isJfifSegment = (segment: Segment) => segment.marker === APP0 && startsWith(segment, 'JFIF\0')

/** Version 1.1, square pixels, without a thumbnail. */
const JFIF = Buffer.from('ffe000104a46494600010100000100010000', 'hex')

const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const SHORT = 3

function orientationOf(segments: readonly Segment[]): number {
  const exif = segments.find(segment => segment.marker === APP1 && startsWith(segment, EXIF))
  const value = exif && readOrientation(exif.bytes.subarray(4 + EXIF.length))
  return value !== undefined && value >= 1 && value <= 8 ? value : 1
}

/** Of the first directory of a TIFF structure. TIFF 6.0 section 2. */
function readOrientation(tiff: Buffer): number | undefined {
  if (tiff.length < 8) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return undefined
  const count = short(directory)
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= tiff.length; entry += 12) {
    if (short(entry) === ORIENTATION && short(entry + 2) === SHORT) return short(entry + 8)
  }
  return undefined
}

/** An Exif segment with the orientation alone: browsers turn the picture by it. */
function exifWith(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const head = Buffer.of(0xff, APP1, 0, 2 + EXIF.length + tiff.length)
  return Buffer.concat([head, Buffer.from(EXIF, 'latin1'), tiff])
}
