/** Pictures on the audit certificate: the QR code and the organisation's logo. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { MAX_LOGO_BYTES } from '../../src/core/service-limits.ts'
import { composeEvidence } from '../../src/evidence/prepare.ts'
import { readPng } from '../../src/image/png-read.ts'
import { encodeQrCode } from '../../src/lib/qr-code.ts'
import { useFolder } from '../support/folders.ts'
import { findQpdfErrors, inkArea, missingPrograms, rasterOf } from './pdf-programs.ts'
import { A4, evidenceOf, LETTER, pngChunk } from './sample.ts'

const missing = missingPrograms()
const folder = useFolder()

describe.skipIf(missing.length > 0)('the QR code', () => {
  test.each([
    ['a short address', 'https://sign.example.com/verify', A4, false],
    ['a long address on a test page', `https://sign.example.com/${'path/'.repeat(34)}`, A4, true],
    ['an address on Letter paper', 'http://127.0.0.1:3000/verify', LETTER, true],
  ] as const)('of %s is on the first page, module by module, with a quiet zone of four', async (_, verifyUrl, paper, trial) => {
    const pixels = 8
    const { width, grey } = await rasterOf(await composeEvidence(evidenceOf({ verifyUrl, isTest: trial }), paper), 1, 72 * pixels)
    const modules = encode(verifyUrl, { ecc: 'M', border: 4 }).data
    const module = 78 / modules.length
    const isDark = (row: number, column: number) => {
      const x = (paper.width - 56 - 78 + (column + 4.5) * module) * pixels
      const y = (56 + (row - 3.5) * module) * pixels
      return grey[Math.floor(y) * width + Math.floor(x)]! < 128
    }
    const seen = modules.map((row, i) => row.map((_, j) => isDark(i, j)))
    expect(seen).toEqual(modules)
    expect(modules[0]).not.toContain(true)
    expect(modules[4]).toContain(true)
  })

  test('is omitted if the address is too long to scan; the address is still printed as text', async () => {
    expect(encodeQrCode(`https://${'x'.repeat(300)}.example.com`)).toBeUndefined()
    const pdf = await composeEvidence(evidenceOf({ verifyUrl: `https://example.com/${'x'.repeat(300)}` }), A4)
    expect(inkArea(await rasterOf(pdf, 1, 72), { left: 475, top: 40, right: 540, bottom: 90 })).toBeUndefined()
  })
})

interface Picture {
  type: number
  depth: number
  interlaced?: boolean
  palette?: number[]
  transparency?: number[]
}

const WIDTH = 37
const HEIGHT = 21
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 5: 1, 6: 4 }

/** The stored value of sample `s` of the pixel at x, y. */
function valueAt({ type, depth, palette }: Picture, x: number, y: number, s: number): number {
  const most = type === 3 ? (palette?.length ?? 3) / 3 : 2 ** depth
  return (x * 7 + y * 13 + s * 29 + ((x * y) >> 2)) % most
}

/** Rows of one pass, each with another filter, written independently of the decoder. */
function rowsOf(picture: Picture, xs: number[], ys: number[]): Buffer {
  const samples = SAMPLES[picture.type]!
  const step = Math.max(1, (samples * picture.depth) / 8)
  let before = Buffer.alloc(Math.ceil((xs.length * samples * picture.depth) / 8))
  const rows = ys.map((y, i) => {
    const bits = xs.flatMap(x =>
      Array.from({ length: samples }, (_, s) => valueAt(picture, x, y, s).toString(2).padStart(picture.depth, '0')),
    )
    const row = Buffer.from(
      (
        bits
          .join('')
          .padEnd(before.length * 8, '0')
          .match(/.{8}/g) ?? []
      ).map(bits => Number.parseInt(bits, 2)),
    )
    const predicted = row.map((_, at) => {
      const [a, b, c] = [row[at - step] ?? 0, before[at]!, before[at - step] ?? 0]
      const p = a + b - c
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      return [0, a, b, Math.floor((a + b) / 2), paeth][i % 5]!
    })
    before = row
    return Buffer.from([i % 5, ...row.map((value, at) => value - predicted[at]!)])
  })
  return Buffer.concat(rows)
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step)

function pngOf(picture: Picture, width = WIDTH, height = HEIGHT): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([picture.depth, picture.type, 0, 0, picture.interlaced ? 1 : 0], 8)
  const adam7 = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const passes = picture.interlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  const data = Buffer.concat(passes.map(([x, y, right, down]) => rowsOf(picture, range(x, width, right), range(y, height, down))))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('tEXt', Buffer.from('Comment\0made for a test')),
    ...(picture.palette ? [pngChunk('PLTE', Buffer.from(picture.palette))] : []),
    ...(picture.transparency ? [pngChunk('tRNS', Buffer.from(picture.transparency))] : []),
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const KINDS: [type: number, depth: number][] = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
]

function pictureOf(type: number, depth: number, interlaced = false): Picture {
  if (type !== 3) return { type, depth, interlaced }
  return { type, depth, interlaced, palette: Array.from({ length: 3 * Math.min(200, 2 ** depth) }, (_, i) => (i * 37) % 256) }
}

describe('a PNG', () => {
  test.each(KINDS)('of colour type %p with %p bits is read sample by sample, interlaced or not', async (type, depth) => {
    for (const interlaced of [false, true]) {
      const picture = pictureOf(type, depth, interlaced)
      const read = await readPng(pngOf(picture), 4000)
      if (!read) throw new Error('not read')
      const samples = SAMPLES[type]!
      const eight = (value: number) =>
        depth === 16 ? value >> 8 : depth === 8 ? value : Math.floor((value * 255) / (2 ** depth - 1))
      const pixels = range(0, WIDTH * HEIGHT, 1).map(i => {
        const raw = range(0, samples, 1).map(s => valueAt(picture, i % WIDTH, Math.floor(i / WIDTH), s))
        return type === 3 ? picture.palette!.slice(raw[0]! * 3, raw[0]! * 3 + 3) : raw.map(eight)
      })
      const channels = type === 0 || type === 4 ? 1 : 3
      expect(read).toMatchObject({ width: WIDTH, height: HEIGHT, channels })
      const alpha = type === 4 || type === 6 ? pixels.map(pixel => pixel.at(-1)!) : undefined
      const colours = pixels.flatMap((pixel, i) => pixel.slice(0, channels).map(value => (alpha?.[i] === 0 ? 255 : value)))
      expect([...read.colour]).toEqual(colours)
      expect(read.alpha && [...read.alpha]).toEqual(alpha)
    }
  })

  test('may have a transparent colour or transparent palette entries', async () => {
    const grey = await readPng(pngOf({ type: 0, depth: 8, transparency: [0, 7] }), 4000)
    const values = range(0, WIDTH * HEIGHT, 1).map(i => valueAt({ type: 0, depth: 8 }, i % WIDTH, Math.floor(i / WIDTH), 0))
    expect([...grey!.alpha!]).toEqual(values.map(value => (value === 7 ? 0 : 255)))
    expect(grey!.alpha).toContain(0)
    const palette = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    const indexed = await readPng(pngOf({ type: 3, depth: 2, palette, transparency: [0, 128] }), 4000)
    expect(new Set(indexed!.alpha)).toEqual(new Set([0, 128, 255]))
  })

  test('is reduced by whole squares, also at its edges', async () => {
    const read = await readPng(pngOf({ type: 0, depth: 8 }), 4000, () => 4)
    const mean = (column: number, row: number) => {
      const xs = range(column * 4, Math.min(WIDTH, column * 4 + 4), 1)
      const ys = range(row * 4, Math.min(HEIGHT, row * 4 + 4), 1)
      const values = ys.flatMap(y => xs.map(x => valueAt({ type: 0, depth: 8 }, x, y, 0)))
      return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
    }
    expect(read).toMatchObject({ width: 10, height: 6, alpha: undefined })
    expect([...read!.colour]).toEqual(range(0, 60, 1).map(i => mean(i % 10, Math.floor(i / 10))))
  })

  test('with any byte changed or missing, or a false size, is not read, and nothing throws', async () => {
    const valid = pngOf(pictureOf(6, 8))
    for (let at = 0; at < valid.length; at++) {
      const changed = Buffer.from(valid)
      changed[at]! ^= 0x11
      expect(await readPng(changed, 4000)).toBeUndefined()
      expect(await readPng(valid.subarray(0, at), 4000)).toBeUndefined()
    }
    expect(await readPng(valid, WIDTH - 1)).toBeUndefined()
    expect(await readPng(valid, WIDTH)).toBeDefined()
    // Data for another size, and endless data.
    const head = valid.subarray(0, 8 + 25)
    const end = pngChunk('IEND', Buffer.alloc(0))
    for (const data of [Buffer.alloc(10), Buffer.alloc(50_000_000)]) {
      expect(await readPng(Buffer.concat([head, pngChunk('IDAT', deflateSync(data)), end]), 4000)).toBeUndefined()
    }
    expect(await readPng(pngOf({ type: 3, depth: 8, palette: [1, 2, 3] }), 4000)).toBeDefined()
    expect(await readPng(pngOf({ type: 3, depth: 8 }), 4000)).toBeUndefined()
    expect(await readPng(pngOf({ type: 5, depth: 8 }), 4000)).toBeUndefined()
  })
})

async function pageWith(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return composeEvidence(evidenceOf({ logo: { path } }), A4)
}

describe.skipIf(missing.length > 0)('without a logo', () => {
  test.each(['en', 'ar'] as const)('the mark of the service is where the name begins (%s)', async language => {
    const pdf = await composeEvidence(evidenceOf({ language }), A4)
    expect(await findQpdfErrors(pdf)).toBe('')
    const left = language === 'ar' ? A4.width - 56 - 30 : 56
    const ink = inkArea(await rasterOf(pdf, 1, 72), { left: left - 20, top: 40, right: left + 50, bottom: 88 })!
    for (const [edge, at] of [
      [ink.left, left + 1],
      [ink.right, left + 29],
      [ink.top, 57],
    ] as const) {
      expect(Math.abs(edge - at)).toBeLessThanOrEqual(2)
    }
  })
})

describe.skipIf(missing.length > 0)('the logo', () => {
  test.each(['a PNG', 'a JPEG'])('%s is embedded once, above the name, within its box', async kind => {
    const wide = pngOf({ type: 2, depth: 8 }, 400, 60)
    const path = join(folder, 'wide.png')
    writeFileSync(path, wide)
    let bytes: Uint8Array = wide
    if (kind === 'a JPEG') {
      const plain = join(folder, 'plain.pdf')
      writeFileSync(plain, await composeEvidence(evidenceOf({ logo: { path } }), A4))
      Bun.spawnSync([
        'pdftoppm',
        '-jpeg',
        '-singlefile',
        '-r',
        '144',
        '-x',
        '112',
        '-y',
        '150',
        '-W',
        '320',
        '-H',
        '48',
        plain,
        join(folder, 'made'),
      ])
      bytes = readFileSync(join(folder, 'made.jpg'))
    }
    const people = evidenceOf().recipients
    writeFileSync(path, bytes)
    const pdf = await composeEvidence(evidenceOf({ logo: { path }, recipients: [...people, ...people, ...people] }), A4)
    expect(await findQpdfErrors(pdf)).toBe('')
    expect(Buffer.from(pdf).toString('latin1').split('/Subtype /Image')).toHaveLength(2)
    const ink = inkArea(await rasterOf(pdf, 1, 72), { left: 0, top: 50, right: 400, bottom: 97 })!
    expect(ink.left).toBeGreaterThanOrEqual(55)
    expect(ink.right).toBeLessThanOrEqual(56 + 161)
    expect(ink.right - ink.left).toBeGreaterThan(150)
  })

  test('of many pixels is averaged down, and its transparency kept', async () => {
    const pdf = await pageWith(pngOf({ type: 6, depth: 8 }, 2100, 300), 'large.png')
    const text = Buffer.from(pdf).toString('latin1')
    expect(text).toContain('/Width 1050')
    expect(text).toContain('/SMask')
    expect(await findQpdfErrors(pdf)).toBe('')
  })

  test('that was replaced is the new one from then on', async () => {
    const first = await pageWith(pngOf({ type: 2, depth: 8 }, 40, 10), 'replaced.png')
    const again = await pageWith(pngOf({ type: 2, depth: 8 }, 40, 10), 'replaced.png')
    const second = await pageWith(pngOf({ type: 2, depth: 8 }, 30, 10), 'replaced.png')
    expect(Buffer.from(again).equals(first)).toBe(true)
    expect(Buffer.from(first).toString('latin1')).toContain('/Width 40')
    expect(Buffer.from(second).toString('latin1')).toContain('/Width 30')
  })

  test('that is damaged, too large, missing or not an image is omitted, and the certificate is made', async () => {
    const without = Buffer.from(await composeEvidence(evidenceOf(), A4))
    const valid = pngOf({ type: 2, depth: 8 })
    const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc000110800100010030122000211010311', 'hex')
    mkdirSync(join(folder, 'folder.png'))
    const files: [string, Uint8Array | undefined][] = [
      ['cut.png', valid.subarray(0, valid.length - 5)],
      ['huge.png', Buffer.concat([valid, Buffer.alloc(MAX_LOGO_BYTES)])],
      ['wide-one.png', pngOf({ type: 0, depth: 1 }, 4001, 1)],
      ['cut.jpg', jpeg],
      ['page.html', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['empty.png', new Uint8Array()],
      ['missing.png', undefined],
      ['folder.png', undefined],
    ]
    for (const [name, bytes] of files) {
      const path = join(folder, name)
      if (bytes) writeFileSync(path, bytes)
      const pdf = Buffer.from(await composeEvidence(evidenceOf({ logo: { path } }), A4))
      expect({ name, same: pdf.equals(without) }).toEqual({ name, same: true })
    }
  })
})
