/** Writes a PNG of 8 bits with red, green, blue and alpha, and nothing beside the picture. Portable Network Graphics (Third Edition), W3C. */
import { deflateSync } from 'node:zlib'

/** Row by row from the top; colours are not multiplied by alpha. */
export interface RgbaImage {
  width: number
  height: number
  /** Red, green, blue. */
  colour: Uint8Array
  alpha: Uint8Array
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function writePng(picture: RgbaImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(picture.width, 0)
  header.writeUInt32BE(picture.height, 4)
  // §11.2.1: 8 bits a sample, truecolour with alpha; deflate, adaptive filters, not interlaced.
  header.set([8, 6, 0, 0, 0], 8)
  const data = deflateSync(rowsOf(picture), { level: 9 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** Each row as differences to the pixel on the left (§9.2, filter 1). */
function rowsOf({ width, height, colour, alpha }: RgbaImage): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4))
  let at = 0
  const before = new Uint8Array(4)
  for (let y = 0; y < height; y++) {
    rows[at++] = 1
    before.fill(0)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      for (let c = 0; c < 4; c++) {
        const value = c < 3 ? colour[i * 3 + c]! : alpha[i]!
        rows[at++] = value - before[c]!
        before[c] = value
      }
    }
  }
  return rows
}

/** §5.3 */
function chunk(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Bun.hash.crc32(named) >>> 0)
  return Buffer.concat([head, named, sum])
}
