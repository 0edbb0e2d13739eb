/**
 * Drawn and pictured signatures in the sealed PDF: in their field, upright and undistorted, on
 * every kind of page.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import { composeOverlay } from '../../src/appearance/field-appearance.ts'
import { displayedSize, type PageBox, type PercentBox, place } from '../../src/core/field/geometry.ts'
import { type Ink, inkBounds, inkShapes } from '../../src/core/signing/ink.ts'
import { prepare } from '../../src/evidence/prepare.ts'
import { writePng } from '../../src/image/png-write.ts'
import { findQpdfErrors, inkArea, inkCount, missingPrograms, rasterOf } from '../evidence/pdf-programs.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf } from '../support/make-pdf.ts'
import { boxOfPixels, pictureOf } from '../support/page-picture.ts'
import { EVIDENCE, RED_BOXES, SIGNATURE } from '../support/prepare-request.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyFile } from '../support/written-report.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const folder = useFolder()
let picture: string
beforeAll(() => {
  picture = join(folder, 'picture.png')
  writeFileSync(picture, halfPicture())
})

/** 300 × 100: a green bar on the left third from top to bottom, else nothing. */
function halfPicture(): Buffer {
  const [width, height] = [300, 100]
  const alpha = Uint8Array.from({ length: width * height }, (_, i) => (i % width < 100 ? 255 : 0))
  const colour = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i % 3 === 1 ? 140 : 10))
  return writePng({ width, height, colour, alpha })
}

/** An L: down, then to the right. */
const L: Ink = {
  width: 6000,
  height: 2000,
  strokes: [
    [
      ...Array.from({ length: 20 }, (_, i) => [1000, 200 + i * 80, 128]),
      ...Array.from({ length: 20 }, (_, i) => [1000 + i * 150, 1800, 128]),
    ].flat(),
  ],
}
const DOTTED: Ink = { ...L, strokes: [...L.strokes, [4500, 300, 128]] }

const BOX: PercentBox = { x: 20, y: 30, width: 40, height: 12 }
const isPen = (red: number, green: number, blue: number) => blue > red + 40 && blue > green + 40
const isGreen = (red: number, green: number, blue: number) => green > red + 40 && green > blue + 40

async function sealedPage(page: Parameters<typeof makePdf>[0], content: FieldAppearance['content']): Promise<string> {
  const names = ['source', 'sealed'].map(name => join(folder, `${name}-${Math.random().toString(36).slice(2)}.pdf`))
  const [sourcePath, outPath] = names as [string, string]
  writeFileSync(sourcePath, makePdf(page))
  const order = { sourcePath, outPath, fields: [{ page: 1, box: BOX, content }], evidence: EVIDENCE, signature: SIGNATURE }
  const prepared = await prepare(order, { ...RED_BOXES, overlay: composeOverlay })
  const { key, rootPem } = await sharedAuthority()
  await seal({ prepared, key })
  expect(await verifyFile({ path: outPath, trust: [rootPem], originalPath: sourcePath })).toMatchObject({ verdict: 'valid' })
  return outPath
}

const PAGES: [string, NonNullable<Parameters<typeof makePdf>[0]>][] = [
  ['plain', { pages: [{}] }],
  ['turned by 90 degrees', { pages: [{ rotate: 90 }] }],
  ['turned by 180 degrees', { pages: [{ rotate: 180 }] }],
  ['turned by 270 degrees', { pages: [{ rotate: 270 }] }],
  ['crop', { pages: [{ crop: [100, 150, 500, 700] }] }],
  ['crop and turned', { pages: [{ crop: [100, 150, 500, 700], rotate: 90 }] }],
  ['in units of two points', { pages: [{ userUnit: 2, media: [0, 0, 300, 400] }] }],
]

describe.skipIf(missing.length > 0)('in the sealed file', () => {
  for (const [name, page] of PAGES) {
    test(`on a page that is ${name}, a drawing and a picture are upright and only in their field`, async () => {
      const drawn = pictureOf(await sealedPage(page, { kind: 'ink', ink: DOTTED }), 1, 150)
      const ink = boxOfPixels(drawn, isPen)!
      expect(ink.x).toBeGreaterThan(BOX.x - 0.2)
      expect(ink.y).toBeGreaterThan(BOX.y - 0.2)
      expect(ink.x + ink.width).toBeLessThan(BOX.x + BOX.width + 0.2)
      expect(ink.y + ink.height).toBeLessThan(BOX.y + BOX.height + 0.2)
      // It fills the height of the box.
      expect(ink.height).toBeGreaterThan(0.8 * BOX.height)
      const isDark = (x: number, y: number) => {
        const [px, py] = [Math.floor((x / 100) * drawn.width), Math.floor((y / 100) * drawn.height)]
        const around = [-2, -1, 0, 1, 2].flatMap(dy => [-2, -1, 0, 1, 2].map(dx => 3 * ((py + dy) * drawn.width + px + dx)))
        return around.some(at => isPen(drawn.pixels[at]!, drawn.pixels[at + 1]!, drawn.pixels[at + 2]!))
      }
      // The stem of the L is at the left; right of the middle is nothing.
      expect(isDark(ink.x + 200 / drawn.width, BOX.y + BOX.height / 2)).toBe(true)
      expect(isDark(BOX.x + BOX.width / 2, BOX.y + BOX.height / 2)).toBe(false)

      const shown = pictureOf(await sealedPage(page, { kind: 'picture', path: picture }), 1, 150)
      const bar = boxOfPixels(shown, isGreen)!
      expect(bar.x).toBeGreaterThan(BOX.x - 0.2)
      expect(bar.y).toBeGreaterThan(BOX.y - 0.2)
      expect(bar.x + bar.width).toBeLessThan(BOX.x + BOX.width / 2)
      expect(bar.y + bar.height).toBeLessThan(BOX.y + BOX.height + 0.2)
      const barHeight = (bar.height * shown.height) / 100
      // A third of 3 : 1.
      expect((bar.width * shown.width) / 100 / barHeight).toBeCloseTo(1, 1)
    }, 30_000)
  }
})

const page = (more: Partial<PageBox> = {}): PageBox => ({
  left: 0,
  bottom: 0,
  width: 500,
  height: 700,
  rotation: 0,
  userUnit: 1,
  ...more,
})
const compose = (fields: FieldAppearance[], box = page()) => composeOverlay([{ page: 1, box, fields }])

describe.skipIf(missing.length > 0)('on the overlay', () => {
  test('a drawing is not distorted by its field', async () => {
    const bounds = inkBounds(inkShapes(L))
    const ratio = (bounds.right - bounds.left) / (bounds.bottom - bounds.top)
    for (const box of [
      { x: 5, y: 5, width: 90, height: 6 },
      { x: 5, y: 5, width: 20, height: 60 },
      { x: 5, y: 5, width: 60, height: 40 },
    ]) {
      const raster = await rasterOf(await compose([{ page: 1, box, content: { kind: 'ink', ink: L } }]), 1, 200)
      const area = place(page(), box)
      // Above the signature line.
      const foot = raster.height - ((area.matrix[5] + Math.max(area.height * 0.06, 0.6) + 1) * 200) / 72
      const ink = inkArea(raster, { left: 0, top: 0, right: raster.width, bottom: foot })!
      expect((ink.right - ink.left) / (ink.bottom - ink.top)).toBeCloseTo(ratio, 0)
    }
  })

  test('a line is under a mark only where its field asks for one, and moves no ink', async () => {
    const box = { x: 10, y: 20, width: 60, height: 20 }
    const area = place(page(), box)
    const ink = async (content: FieldAppearance['content']) => {
      const raster = await rasterOf(await compose([{ page: 1, box, content }]), 1, 200)
      // The line is longer than any of these marks.
      const foot = raster.height - ((area.matrix[5] + area.height * 0.06 + 1) * 200) / 72
      return { all: inkArea(raster)!, above: inkArea(raster, { left: 0, top: 0, right: raster.width, bottom: foot })! }
    }
    const marks: FieldAppearance['content'][] = [
      { kind: 'ink', ink: L },
      { kind: 'signature', text: 'Li' },
      { kind: 'picture', path: picture },
    ]
    for (const mark of marks) {
      const [plain, ruled] = [await ink(mark), await ink({ ...mark, rule: true } as FieldAppearance['content'])]
      expect(plain.above).toEqual(ruled.above)
      expect(plain.all.right).toBe(plain.above.right)
      expect(ruled.all.right).toBeGreaterThan(plain.all.right)
    }
  })

  test('strokes are neither lost in a small field nor thick in a large one', async () => {
    const share = async (height: number) => {
      const box = { x: 5, y: 5, width: 80, height }
      const raster = await rasterOf(await compose([{ page: 1, box, content: { kind: 'ink', ink: L } }]), 1, 300)
      const middle = 0.05 + height / 200
      const row = Math.floor(middle * raster.height)
      const dark = raster.grey.subarray(row * raster.width, (row + 1) * raster.width).filter(value => value < 128).length
      return (dark * 72) / 300
    }
    for (const height of [3, 10, 30]) {
      const width = await share(height)
      expect(width).toBeGreaterThan(0.5)
      expect(width).toBeLessThan(3.5)
    }
  })

  test('the same signature in many fields is embedded once', async () => {
    const boxes = Array.from({ length: 20 }, (_, i) => ({ x: 5, y: i * 4.9, width: 30, height: 4 }))
    for (const content of [
      { kind: 'ink', ink: DOTTED },
      { kind: 'picture', path: picture },
    ] as const) {
      const one = await compose([{ page: 1, box: boxes[0]!, content }])
      const many = await compose(boxes.map(box => ({ page: 1, box, content })))
      expect(many.length - one.length).toBeLessThan(1500)
      expect(await findQpdfErrors(many)).toBe('')
      expect(inkCount(await rasterOf(many, 1, 72))).toBeGreaterThan(10 * inkCount(await rasterOf(one, 1, 72)))
    }
  })

  test('a small picture is not enlarged', async () => {
    const small = join(folder, 'small.png')
    writeFileSync(small, writePng({ width: 20, height: 10, colour: new Uint8Array(600), alpha: new Uint8Array(200).fill(255) }))
    const raster = await rasterOf(await compose([{ page: 1, box: BOX, content: { kind: 'picture', path: small } }]), 1, 72)
    const size = displayedSize(page())
    const above = { left: 0, top: 0, right: 500, bottom: ((BOX.y + BOX.height) / 100) * size.height - 7 }
    const ink = inkArea(raster, above)!
    expect(ink.right - ink.left).toBeLessThanOrEqual(22)
  })

  test('a picture that cannot be read is an error', async () => {
    const broken = join(folder, 'broken.png')
    writeFileSync(broken, halfPicture().subarray(0, 60))
    const show = (path: string) => compose([{ page: 1, box: BOX, content: { kind: 'picture', path } }])
    expect(show(broken)).rejects.toThrow('was not written by cleanSignature')
    expect(show(join(folder, 'nowhere.png'))).rejects.toMatchObject({ code: 'ENOENT' })
    await Promise.allSettled([show(broken)])
  })
})
