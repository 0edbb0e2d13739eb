/** JPEGs become the samples another decoder gives, small where small is asked for; what is no sound JPEG becomes nothing. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import jpegJs from 'jpeg-js'
import { jpegSize, readJpeg } from '../../src/image/jpeg.ts'
import type { Samples } from '../../src/image/png-read.ts'
import { type Block, progressiveJpeg, scanBomb, sequentialJpeg } from './jpeg-writer.ts'

/** A soft picture with an edge, in colours. */
function encoded(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInk = Math.abs(y - height / 2) < height / 8 && x > width / 4
      data.set(isInk ? [30, 40, 120] : [200 - (80 * x) / width, 190, 150 + (60 * y) / height], (y * width + x) * 4)
    }
  }
  return Buffer.from(jpegJs.encode({ width, height, data }, 90).data)
}

function difference(samples: Samples, reference: { width: number; height: number; data: Uint8Array }): number {
  expect([samples.width, samples.height]).toEqual([reference.width, reference.height])
  return samples.colour.reduce((most, value, i) => Math.max(most, Math.abs(value - reference.data[i]!)), 0)
}

const anyBlock = fc
  .tuple(
    fc.integer({ min: -400, max: 400 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 63 }), fc.integer({ min: -40, max: 40 })), { maxLength: 12 }),
  )
  .map(([dc, acs]): Block => {
    const block = Array.from({ length: 64 }, () => 0)
    block[0] = dc
    for (const [k, value] of acs) block[k] = value
    return block
  })

describe('readJpeg', () => {
  test.each([
    [1, 1],
    [8, 8],
    [17, 9],
    [200, 131],
  ])('%d × %d pixels are those another decoder gives', (width, height) => {
    const bytes = encoded(width, height)
    const reference = jpegJs.decode(bytes, { useTArray: true, formatAsRGBA: false })
    expect(jpegSize(bytes)).toEqual({ width, height })
    expect(difference(readJpeg(bytes)!, reference)).toBeLessThanOrEqual(4)
  })

  test('progressive scans bring the very picture of a sequential one, with restarts and without', () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { minLength: 6, maxLength: 6 }), fc.constantFrom(0, 1, 4), (blocks, restartInterval) => {
        const written = { width: 23, height: 14, blocks, restartInterval }
        const [sequential, progressive] = [sequentialJpeg(written), progressiveJpeg(written)]
        const reference = jpegJs.decode(sequential, { useTArray: true, formatAsRGBA: false })
        const read = readJpeg(sequential)!
        expect(read.channels).toBe(1)
        const inThree = {
          ...read,
          colour: Uint8Array.from({ length: read.colour.length * 3 }, (_, i) => read.colour[Math.floor(i / 3)]!),
        }
        expect(difference(inThree, reference)).toBeLessThanOrEqual(3)
        expect(readJpeg(progressive)).toEqual(read)
        expect(readJpeg(progressive, () => 2)).toEqual(readJpeg(sequential, () => 2)!)
      }),
      { numRuns: 60 },
    )
  })

  test('a picture made smaller is the mean of what it was', () => {
    const bytes = encoded(160, 96)
    const whole = readJpeg(bytes)!
    for (const side of [2, 4, 8]) {
      const small = readJpeg(bytes, () => side)!
      expect([small.width, small.height]).toEqual([160 / side, 96 / side])
      let sum = 0
      for (let i = 0; i < small.colour.length; i++) {
        const [x, y, c] = [Math.floor(i / 3) % small.width, Math.floor(i / 3 / small.width), i % 3]
        let mean = 0
        for (let dy = 0; dy < side; dy++) {
          for (let dx = 0; dx < side; dx++) mean += whole.colour[((y * side + dy) * 160 + x * side + dx) * 3 + c]! / side / side
        }
        sum += Math.abs(mean - small.colour[i]!)
      }
      expect(sum / small.colour.length).toBeLessThan(3)
    }
    // It becomes the nearest eighth of what is asked for: a photo is not held twice as large as is wanted. It never becomes less than one.
    for (const [shrink, eighths] of [
      [1.05, 8],
      [1.3, 6],
      [2.2, 4],
      [3, 3],
    ] as const) {
      const small = readJpeg(bytes, () => shrink)!
      expect([small.width, small.height]).toEqual([20 * eighths, 12 * eighths])
      const [light, dark] = [4, Math.floor(small.height / 2)].map(y => small.colour[(y * small.width + 10 * eighths) * 3]!) as [
        number,
        number,
      ]
      expect(light).toBeGreaterThan(150)
      expect(dark).toBeLessThan(45)
    }
    expect(readJpeg(bytes, () => 100)!.width).toBe(20)
  })

  test('a picture is turned as the camera was held, in all eight ways and both byte orders', () => {
    const bytes = encoded(24, 16)
    const plain = readJpeg(bytes)!
    const at = ({ colour, width }: Samples, x: number, y: number) => [
      ...colour.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
    ]
    // Where the first pixel of the first row stands when the picture is upright: Exif 2.32 table 6.
    const corners = [
      [0, 0],
      [23, 0],
      [23, 15],
      [0, 15],
      [0, 0],
      [15, 0],
      [15, 23],
      [0, 23],
    ] as [number, number][]
    const ends = [
      [23, 0],
      [0, 0],
      [0, 15],
      [23, 15],
      [0, 23],
      [15, 23],
      [15, 0],
      [0, 0],
    ] as [number, number][]
    for (const isLittle of [false, true]) {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const turned = readJpeg(withExif(bytes, orientation, isLittle))!
        expect([turned.width, turned.height]).toEqual(orientation < 5 ? [24, 16] : [16, 24])
        expect(at(turned, ...corners[orientation - 1]!)).toEqual(at(plain, 0, 0))
        expect(at(turned, ...ends[orientation - 1]!)).toEqual(at(plain, 23, 0))
      }
    }
    expect(readJpeg(withExif(bytes, 9, true))).toEqual(plain)
    expect(readJpeg(withExif(bytes, 6, true, 7))).toEqual(plain)
  })
})

function withExif(bytes: Buffer, orientation: number, isLittle: boolean, cut = 26): Buffer {
  const tiff = Buffer.alloc(26)
  const short = (value: number, at: number) => (isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at))
  const long = (value: number, at: number) => (isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  tiff.write(isLittle ? 'II' : 'MM')
  short(42, 2)
  long(8, 4)
  short(1, 8)
  short(0x0112, 10)
  short(3, 12)
  long(1, 14)
  short(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff.subarray(0, cut)])
  return Buffer.concat([bytes.subarray(0, 2), Buffer.of(0xff, 0xe1, 0, body.length + 2), body, bytes.subarray(2)])
}

describe('what is no sound JPEG', () => {
  const sound = encoded(40, 24)

  test('is nothing, wherever it is cut off', () => {
    for (let length = 0; length < sound.length; length++) expect(readJpeg(sound.subarray(0, length))).toBeUndefined()
    expect(readJpeg(sound)).toBeDefined()
  })

  test('never does anything but be read or be nothing, whatever byte is changed', () => {
    const progressive = progressiveJpeg({
      width: 16,
      height: 16,
      blocks: Array.from({ length: 4 }, (_, i) => [i * 30, 5, -9, ...Array.from({ length: 61 }, () => 0)]),
    })
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (isSequential, changes) => {
          const bytes = Buffer.from(isSequential ? sound : progressive)
          for (const [at, value] of changes) bytes[at % bytes.length] = value
          // A change of the size can ask for more than this test wants to wait for.
          const size = jpegSize(bytes)
          if (size && size.width * size.height > 1_000_000) return
          const read = readJpeg(bytes)
          if (read) expect(read.colour).toHaveLength(read.width * read.height * read.channels)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('does not hold what it says it holds: a picture of forty megapixels in a kilobyte', () => {
    const bomb = sequentialJpeg({ width: 7000, height: 6000, blocks: [Array.from({ length: 64 }, () => 0)] })
    expect(bomb.length).toBeLessThan(2000)
    expect(readJpeg(bomb, () => 5)).toBeUndefined()
  })

  test('has no more scans than a picture needs', () => {
    expect(readJpeg(scanBomb(256, 61))).toBeUndefined()
    expect(readJpeg(scanBomb(256, 20))).toBeDefined()
  })

  test.each([
    [0xc3, 'lossless'],
    [0xc5, 'hierarchical'],
    [0xc9, 'arithmetic'],
  ])('is a frame of kind %d (%s) too', kind => {
    const bytes = Buffer.from(sequentialJpeg({ width: 8, height: 8, blocks: [Array.from({ length: 64 }, () => 0)] }))
    const at = bytes.indexOf(Buffer.of(0xff, 0xc0))
    bytes[at + 1] = kind
    expect(readJpeg(bytes)).toBeUndefined()
  })
})
