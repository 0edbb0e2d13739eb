/**
 * The ink is extracted from a photo of a signature in any light; the paper and the metadata are not
 * kept.
 */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { MAX_PICTURE_BYTES } from '../../src/core/signing/signature-mark.ts'
import { extractInk } from '../../src/image/background-removal.ts'
import { readPng, type Samples } from '../../src/image/png-read.ts'
import { writePng } from '../../src/image/png-write.ts'
import type { SignatureImage } from '../../src/image/signature-image.ts'
import { cleanSignature, MAX_HEIGHT, MAX_WIDTH } from '../../src/image/signature-image.ts'
import { pngChunk } from '../evidence/sample.ts'
import { useFolder } from '../support/folders.ts'
import { IS_LONG } from '../support/long.ts'
import { PHOTO, photoOf, pngOf, pngOfPhoto, type Scene, withJpegArtefacts } from './signature-photo.ts'

const folder = useFolder()
let count = 0

function requestFor(bytes: Uint8Array): { path: string; outPath: string } {
  const path = join(folder, `upload-${++count}`)
  writeFileSync(path, bytes)
  return { path, outPath: join(folder, `ink-${count}.png`) }
}

async function cleaned(bytes: Uint8Array): Promise<{ clean: SignatureImage; samples: Samples; file: Buffer }> {
  const clean = await cleanSignature(requestFor(bytes))
  const file = readFileSync(clean.path)
  const samples = await readPng(file, MAX_WIDTH)
  if (!samples?.alpha || samples.channels !== 3) throw new Error('no plain PNG')
  return { clean, samples, file }
}

async function errorCodeOf(bytes: Uint8Array): Promise<unknown> {
  const request = requestFor(bytes)
  const answer = await cleanSignature(request).catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(Error)
  expect(existsSync(request.outPath)).toBe(false)
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

describe('extractInk', () => {
  test.each(SCENES)('%s: the paper is transparent and the ink keeps its position', (_, scene) => {
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
    '%s, with the artefacts of a JPEG, in a long run without them too, is cropped to the ink and keeps its proportions',
    async (_, scene) => {
      const { truth, width, height } = photoOf(scene)
      let [left, right, top, bottom] = [width, 0, height, 0]
      truth.forEach((value, i) => {
        if (value < 0.5) return
        ;[left, right] = [Math.min(left, i % width), Math.max(right, i % width)]
        ;[top, bottom] = [Math.min(top, Math.floor(i / width)), Math.max(bottom, Math.floor(i / width))]
      })
      for (const bytes of [fromJpeg(scene), ...(IS_LONG ? [pngOfPhoto(photoOf(scene))] : [])]) {
        const { clean } = await cleaned(bytes)
        expect(Math.abs(clean.width - (right - left))).toBeLessThan(0.06 * width)
        expect(Math.abs(clean.height - (bottom - top))).toBeLessThan(0.06 * height)
      }
    },
    30_000,
  )

  test('the result describes the file that was written, and only its owner may read that', async () => {
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

  test('ink keeps its colour, also at its edges and in transparent pixels', async () => {
    const { samples, file } = await cleaned(fromJpeg({ ...PHOTO, ink: [190, 30, 40] }, 85))
    const others = pixelsOf(file, samples).filter(([red, green, blue]) => red! < green! + 60 || red! < blue! + 60)
    expect(others).toEqual([])
  })

  test('a large picture is scaled down to the limits, with all of its ink', async () => {
    const scene = { ...PHOTO, width: 2600, height: 1950, pen: 18, noise: 2 }
    const { clean } = await cleaned(fromJpeg(scene, 60))
    expect(clean.width).toBeLessThanOrEqual(MAX_WIDTH)
    expect(clean.height).toBeLessThanOrEqual(MAX_HEIGHT)
    expect(clean.width / clean.height).toBeCloseTo((0.47 * 2600) / (0.37 * 1950), 0)
  }, 30_000)

  test('a picture with a transparent background keeps its visible colours, and loses the hidden ones', async () => {
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

  test('a paper with transparent edges is treated as paper', async () => {
    const photo = photoOf({ ...PHOTO, falloff: 0.1, shadow: 0 })
    const alpha = Uint8Array.from({ length: photo.width * photo.height }, (_, i) => (i % photo.width < 150 ? 0 : 255))
    const { samples } = await cleaned(pngOfPhoto(photo, alpha))
    expect(samples.alpha!.filter(value => value > 128).length).toBeLessThan(0.3 * samples.alpha!.length)
  })

  test('the upload’s metadata are removed', async () => {
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

/** Red, green, blue and alpha of all pixels, transparent ones included. */
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

/** A grey PNG of one bit with that size in its header and with these rows. */
const bitPng = (width: number, height: number, rows: Uint8Array) => pngOf([1, 0, 0, 0, 0], width, height, rows)

/** A grey JPEG of 16 × 16 pixels without its scan: only the browser decodes JPEG. */
const JPEG = Buffer.from('ffd8ffc0000b080010001001011100ffd9', 'hex')

describe('a refused picture is named with the reason and the remedy, and no file is written:', () => {
  const grey = (tone: (x: number, y: number) => number, width = 200, height = 150) =>
    pngOfPhoto({
      width,
      height,
      truth: new Float32Array(0),
      colour: Uint8Array.from({ length: width * height * 3 }, (_, i) =>
        tone(Math.floor(i / 3) % width, Math.floor(i / 3 / width)),
      ),
    })

  test('not a valid PNG', async () => {
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
      expect(await errorCodeOf(bytes)).toBe('not_a_picture')
    }
  })

  test('too many bytes or too many pixels, before anything is decompressed', async () => {
    expect(await errorCodeOf(Buffer.alloc(MAX_PICTURE_BYTES + 1))).toBe('too_large')
    expect(await errorCodeOf(bitPng(60_000, 60_000, new Uint8Array(10)))).toBe('too_large')
    expect(await errorCodeOf(bitPng(2 ** 31 - 1, 9, new Uint8Array(10)))).toBe('too_large')
    expect(await errorCodeOf(bitPng(40_000, 20, new Uint8Array(10)))).toBe('too_large')
  })

  test('no ink: an empty picture, too few pixels, a gradient, a pattern everywhere, light on dark', async () => {
    expect(await errorCodeOf(grey(() => 255))).toBe('no_ink')
    expect(await errorCodeOf(grey(() => 0))).toBe('no_ink')
    expect(await errorCodeOf(grey((x, y) => (x > 100 && x < 104 && y > 100 && y < 104 ? 0 : 250)))).toBe('no_ink')
    expect(await errorCodeOf(grey(x => 255 - x))).toBe('no_ink')
    expect(await errorCodeOf(grey((x, y) => (((x >> 2) ^ (y >> 2)) & 1) * 255))).toBe('no_ink')
    expect(await errorCodeOf(grey((x, y) => (y > 70 && y < 74 && x > 40 && x < 160 ? 255 : 10)))).toBe('no_ink')
    const clear = { width: 200, height: 150, colour: new Uint8Array(90_000), alpha: new Uint8Array(30_000) }
    expect(await errorCodeOf(writePng(clear))).toBe('no_ink')
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
      const { width } = photo
      const colour = photo.colour.slice()
      for (let i = 0; i < colour.length / 3; i++) {
        // A fold: softly darker along a line from top to bottom.
        const across = ((i % width) - width / 2 + i / width / 10) / 14
        for (let c = 0; c < 3; c++) colour[i * 3 + c]! *= 1 - fold * Math.exp(-across * across)
      }
      expect(await errorCodeOf(pngOfPhoto(withJpegArtefacts({ ...photo, colour }, 82)))).toBe('no_ink')
    },
    30_000,
  )

  test('a missing file gives the error of the system', async () => {
    const answer = cleanSignature({ path: join(folder, 'nowhere'), outPath: join(folder, 'never.png') })
    expect(await answer.catch((error: unknown) => error)).toMatchObject({ code: 'ENOENT' })
    expect(existsSync(join(folder, 'never.png'))).toBe(false)
  })
})
