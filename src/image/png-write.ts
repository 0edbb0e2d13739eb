/** Encodes an image as 8-bit RGBA PNG without metadata. PNG 3rd edition, W3C. */
import { deflateSync } from 'node:zlib'
import type { Samples } from './png-read.ts'

/** Row by row from the top; colours are not multiplied by alpha. */
export interface RgbaImage {
  width: number
  height: number
  /** Red, green, blue. */
  colour: Uint8Array
  alpha: Uint8Array
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function rgbaOf({ width, height, channels, colour, alpha }: Samples): RgbaImage {
  const pixels = width * height
  const rgb = channels === 3 ? colour : new Uint8Array(pixels * 3)
  if (channels === 1) for (let i = 0; i < pixels; i++) rgb.fill(colour[i]!, i * 3, i * 3 + 3)
  return { width, height, colour: rgb, alpha: alpha ?? new Uint8Array(pixels).fill(255) }
}

export function writePng(image: RgbaImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(image.width, 0)
  header.writeUInt32BE(image.height, 4)
  // §11.2.1: 8 bits a sample, truecolour with alpha; deflate, adaptive filters, not interlaced.
  header.set([8, 6, 0, 0, 0], 8)
  const data = deflateSync(encodeRows(image), { level: 9 })
  return Buffer.concat([SIGNATURE, encodeChunk('IHDR', header), encodeChunk('IDAT', data), encodeChunk('IEND', Buffer.alloc(0))])
}

/** Each row as differences to the pixel on the left (§9.2, filter 1). */
function encodeRows({ width, height, colour, alpha }: RgbaImage): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4))
  let at = 0
  const left = new Uint8Array(4)
  for (let y = 0; y < height; y++) {
    rows[at++] = 1
    left.fill(0)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      for (let c = 0; c < 4; c++) {
        const value = c < 3 ? colour[i * 3 + c]! : alpha[i]!
        rows[at++] = value - left[c]!
        left[c] = value
      }
    }
  }
  return rows
}

function encodeChunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(Bun.hash.crc32(content) >>> 0)
  return Buffer.concat([length, content, checksum])
}
