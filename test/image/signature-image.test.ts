/** A picture of a signature becomes its ink: the paper goes whatever light fell on it, the ink stays, and nothing else of the upload does. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { MAX_PICTURE_BYTES } from '../../src/core/signature-mark.ts'
import { extractInk } from '../../src/image/background-removal.ts'
import { readPng, type Samples } from '../../src/image/png-read.ts'
import { writePng } from '../../src/image/png-write.ts'
import type { SignatureImage } from '../../src/image/signature-image.ts'
import { cleanSignature, MAX_HEIGHT, MAX_WIDTH } from '../../src/image/signature-image.ts'
import { pngChunk } from '../evidence/sample.ts'
import { PHOTO, photoOf, pngOf, pngOfPhoto, type Scene, withJpegArtefacts } from './signature-photo.ts'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-picture-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function orderOf(bytes: Uint8Array): { path: string; outPath: string } {
  const path = join(folder, `upload-${++count}`)
  writeFileSync(path, bytes)
  return { path, outPath: join(folder, `ink-${count}.png`) }
}

async function cleaned(bytes: Uint8Array): Promise<{ clean: SignatureImage; samples: Samples; file: Buffer }> {
  const clean = await cleanSignature(orderOf(bytes))
  const file = readFileSync(clean.path)
  const samples = await readPng(file, MAX_WIDTH)
  if (!samples?.alpha || samples.channels !== 3) throw new Error('no plain PNG')
  return { clean, samples, file }
}

async function refusalOf(bytes: Uint8Array): Promise<unknown> {
  const order = orderOf(bytes)
  const answer = await cleanSignature(order).catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(Error)
  expect(existsSync(order.outPath)).toBe(false)
  expect((answer as Error).message).toMatch(/; (choose|write) .*\.$/)
  return (answer as { code?: unknown }).code
}

/** As the browser sends a photo that was a JPEG. */
function fromJpeg(scene: Scene, quality = 70): Buffer {
  return pngOfPhoto(withJpegArtefacts(photoOf(scene), quality))
}

const SCENES: [string, Scene][] = [
  ['a phone’s photo with a shadow over it', PHOTO],
  ['a dark and noisy photo', { ...PHOTO, falloff: 0.5, shadow: 0.25, noise: 7 }],
  ['pencil', { ...PHOTO, ink: [120, 118, 115] }],
  ['red ink', { ...PHOTO, ink: [190, 30, 40] }],
  ['lined paper', { ...PHOTO, rule: [175, 195, 225] }],
  ['a paper on a dark table', { ...PHOTO, table: 120 }],
  ['a strip of a dark table', { ...PHOTO, table: 25 }],
  ['a thick pen', { ...PHOTO, pen: 20 }],
  ['a fine pen in a small picture', { ...PHOTO, width: 500, height: 375, pen: 1.6 }],
  ['a clean scan', { ...PHOTO, falloff: 0, shadow: 0, noise: 1, paper: [255, 255, 255], ink: [10, 10, 10] }],
]

describe('of paper, in pixels', () => {
  test.each(SCENES)('%s: the paper is gone and the ink is where it was', (_, scene) => {
    const photo = photoOf(scene)
    const { alpha } = extractInk(photo)!
    let [paper, clear, both, either] = [0, 0, 0, 0]
    photo.truth.forEach((truth, i) => {
      if (truth === 0) {
        paper++
        if (alpha[i]! < 8) clear++
      }
      const [isInk, isFound] = [truth >= 0.5, alpha[i]! >= 128]
      if (isInk && isFound) both++
      if (isInk || isFound) either++
    })
    expect(clear / paper).toBeGreaterThan(0.995)
    expect(both / either).toBeGreaterThan(0.88)
  })
})

describe('cleanSignature', () => {
  test.each(SCENES)(
    '%s, with the artefacts of a JPEG and without, is cut to the ink and keeps its proportions',
    async (_, scene) => {
      const { truth, width, height } = photoOf(scene)
      let [left, right, top, bottom] = [width, 0, height, 0]
      truth.forEach((value, i) => {
        if (value < 0.5) return
        ;[left, right] = [Math.min(left, i % width), Math.max(right, i % width)]
        ;[top, bottom] = [Math.min(top, Math.floor(i / width)), Math.max(bottom, Math.floor(i / width))]
      })
      for (const bytes of [pngOfPhoto(photoOf(scene)), fromJpeg(scene)]) {
        const { clean } = await cleaned(bytes)
        expect(Math.abs(clean.width - (right - left))).toBeLessThan(0.06 * width)
        expect(Math.abs(clean.height - (bottom - top))).toBeLessThan(0.06 * height)
      }
    },
    30_000,
  )

  test('the answer is about the file that was written, which is its owner’s alone', async () => {
    const { clean, samples, file } = await cleaned(pngOfPhoto(photoOf(PHOTO)))
    expect(clean).toEqual({
      path: clean.path,
      sha256: createHash('sha256').update(file).digest('hex'),
      bytes: file.length,
      width: samples.width,
      height: samples.height,
    })
    expect(statSync(clean.path).mode & 0o777).toBe(0o600)
  })

  test('ink keeps its colour, also at its edges and where nothing is seen', async () => {
    const { samples, file } = await cleaned(fromJpeg({ ...PHOTO, ink: [190, 30, 40] }, 85))
    const others = pixelsOf(file, samples).filter(([red, green, blue]) => red! < green! + 60 || red! < blue! + 60)
    expect(others).toEqual([])
  })

  test('a large picture becomes as small as is written, with all of its ink', async () => {
    const scene = { ...PHOTO, width: 2600, height: 1950, pen: 18, noise: 2 }
    const { clean } = await cleaned(fromJpeg(scene, 60))
    expect(clean.width).toBeLessThanOrEqual(MAX_WIDTH)
    expect(clean.height).toBeLessThanOrEqual(MAX_HEIGHT)
    expect(clean.width / clean.height).toBeCloseTo((0.47 * 2600) / (0.37 * 1950), 0)
  }, 30_000)

  test('a picture whose ground was taken away keeps what it shows, without what it hides', async () => {
    const { width, height, truth } = photoOf({ ...PHOTO, width: 400, height: 300, pen: 4 })
    const alpha = Uint8Array.from(truth, value => Math.round(200 * value))
    const secret = [123, 231, 132]
    const colour = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
      alpha[Math.floor(i / 3)]! > 0 ? [20, 60, 90][i % 3]! : secret[i % 3]!,
    )
    const { samples, file } = await cleaned(writePng({ width, height, colour, alpha }))
    expect(samples.alpha!.reduce((most, value) => Math.max(most, value), 0)).toBe(200)
    const colours = new Set(pixelsOf(file, samples).map(([red, green, blue]) => `${red} ${green} ${blue}`))
    expect(colours).toEqual(new Set(['20 60 90']))
  })

  test('a paper with see-through edges is a paper still', async () => {
    const photo = photoOf({ ...PHOTO, falloff: 0.1, shadow: 0 })
    const alpha = Uint8Array.from({ length: photo.width * photo.height }, (_, i) => (i % photo.width < 150 ? 0 : 255))
    const { samples } = await cleaned(pngOfPhoto(photo, alpha))
    expect(samples.alpha!.filter(value => value > 128).length).toBeLessThan(0.3 * samples.alpha!.length)
  })

  test('of the upload’s metadata nothing is left', async () => {
    const png = pngOfPhoto(photoOf({ ...PHOTO, width: 320, height: 240, pen: 3 }))
    const text = pngChunk('tEXt', Buffer.from('Comment\0at home, 50.94 N 6.96 E'))
    const { file } = await cleaned(Buffer.concat([png.subarray(0, 33), text, png.subarray(33)]))
    expect(file.includes('50.94')).toBe(false)
    const kinds: string[] = []
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) kinds.push(file.toString('latin1', at + 4, at + 8))
    expect(kinds).toEqual(['IHDR', 'IDAT', 'IEND'])
  })

  test('the same picture gives the same bytes', async () => {
    const upload = fromJpeg(PHOTO)
    const [one, two] = [await cleaned(upload), await cleaned(upload)]
    expect(one.clean.sha256).toBe(two.clean.sha256)
  })
})

/** Red, green, blue and alpha as they are written, also of what is not seen. */
function pixelsOf(file: Buffer, { width, height }: Samples): Uint8Array[] {
  const at = file.indexOf('IDAT')
  const rows = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)))
  return Array.from({ length: height }, (_, y) => {
    const row = rows.subarray(y * (1 + width * 4), (y + 1) * (1 + width * 4))
    expect(row[0]).toBe(1)
    for (let i = 5; i < row.length; i++) row[i]! += row[i - 4]!
    return Array.from({ length: width }, (_, x) => row.subarray(1 + x * 4, 5 + x * 4))
  }).flat()
}

/** A grey PNG of one bit that says it has that size, over these rows. */
const bitPng = (width: number, height: number, rows: Uint8Array) => pngOf([1, 0, 0, 0, 0], width, height, rows)

/** A whole grey JPEG of 16 × 16 pixels without its scan: only the browser decodes JPEG. */
const JPEG = Buffer.from('ffd8ffc0000b080010001001011100ffd9', 'hex')

describe('what is not taken says why and what to do, and leaves no file', () => {
  const grey = (tone: (x: number, y: number) => number, width = 200, height = 150) =>
    pngOfPhoto({
      width,
      height,
      truth: new Float32Array(0),
      colour: Uint8Array.from({ length: width * height * 3 }, (_, i) =>
        tone(Math.floor(i / 3) % width, Math.floor(i / 3 / width)),
      ),
    })

  test('no picture', async () => {
    const png = pngOfPhoto(photoOf({ ...PHOTO, width: 200, height: 150 }))
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('%PDF-1.7'),
      png.subarray(0, 20),
      png.subarray(0, png.length - 20),
      JPEG,
      bitPng(200, 150, new Uint8Array(10)),
      bitPng(200, 150, new Uint8Array(150 * 26 + 1)),
      bitPng(0, 150, new Uint8Array(150)),
      bitPng(3, 3, new Uint8Array(6)),
    ]) {
      expect(await refusalOf(bytes)).toBe('not_a_picture')
    }
  })

  test('too many bytes, or too many pixels, whatever they are', async () => {
    expect(await refusalOf(Buffer.alloc(MAX_PICTURE_BYTES + 1))).toBe('too_large')
    expect(await refusalOf(bitPng(60_000, 60_000, new Uint8Array(10)))).toBe('too_large')
    expect(await refusalOf(bitPng(2 ** 31 - 1, 9, new Uint8Array(10)))).toBe('too_large')
    expect(await refusalOf(bitPng(40_000, 20, new Uint8Array(10)))).toBe('too_large')
  })

  test('no ink: nothing at all, too little, a shade, a pattern all over, light on dark', async () => {
    expect(await refusalOf(grey(() => 255))).toBe('no_ink')
    expect(await refusalOf(grey(() => 0))).toBe('no_ink')
    expect(await refusalOf(grey((x, y) => (x > 100 && x < 104 && y > 100 && y < 104 ? 0 : 250)))).toBe('no_ink')
    expect(await refusalOf(grey(x => 255 - x))).toBe('no_ink')
    expect(await refusalOf(grey((x, y) => (((x >> 2) ^ (y >> 2)) & 1) * 255))).toBe('no_ink')
    expect(await refusalOf(grey((x, y) => (y > 70 && y < 74 && x > 40 && x < 160 ? 255 : 10)))).toBe('no_ink')
    const clear = { width: 200, height: 150, colour: new Uint8Array(90_000), alpha: new Uint8Array(30_000) }
    expect(await refusalOf(writePng(clear))).toBe('no_ink')
  })

  test.each([
    ['in a shadow’s edge', {}, 0],
    ['in a hard shadow', { shadow: 0.6 }, 0],
    ['on a dark table', { table: 120 }, 0],
    ['with a fold', {}, 0.22],
  ] as [string, Partial<Scene>, number][])(
    'no ink: an empty sheet %s',
    async (_, more, fold) => {
      const photo = photoOf({ ...PHOTO, ink: PHOTO.paper, ...more })
      const { width, colour } = photo
      for (let i = 0; i < colour.length / 3; i++) {
        // Softly darker along a line from top to bottom.
        const across = ((i % width) - width / 2 + i / width / 10) / 14
        for (let c = 0; c < 3; c++) colour[i * 3 + c]! *= 1 - fold * Math.exp(-across * across)
      }
      expect(await refusalOf(pngOfPhoto(withJpegArtefacts(photo, 82)))).toBe('no_ink')
    },
    30_000,
  )

  test('a path that is not there is told as such', async () => {
    const answer = cleanSignature({ path: join(folder, 'nowhere'), outPath: join(folder, 'never.png') })
    expect(await answer.catch((error: unknown) => error)).toMatchObject({ code: 'ENOENT' })
    expect(existsSync(join(folder, 'never.png'))).toBe(false)
  })
})
