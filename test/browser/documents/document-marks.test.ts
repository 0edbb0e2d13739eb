/** Positions on a page in the browser: the marks drawn over it and the text layer. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { FieldAppearance } from '../../../src/appearance/field-appearance.ts'
import { displayedSize, type PageBox } from '../../../src/core/field/geometry.ts'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow } from '../../support/browser.ts'
import { type DocumentServer, openDocumentServer } from '../../support/document-server.ts'
import { makePdf, type PageParts } from '../../support/make-pdf.ts'
import { boxOfPixels, hasPdftoppm, pictureOf } from '../../support/page-picture.ts'
import { pdfTools } from '../../support/pdf-tools.ts'
import { EVIDENCE, SIGNATURE } from '../../support/prepare-request.ts'

setDefaultTimeout(60_000)
if (!hasPdftoppm) console.log('pdftoppm is not here: what needs it is skipped.')

let browser: Browser
let place: DocumentServer
let folder: string
let close = () => Promise.resolve()
beforeAll(async () => {
  if (!NO_BROWSER) browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  place = await openDocumentServer()
  folder = mkdtempSync(join(tmpdir(), 'signet-view-'))
})
afterEach(async () => {
  await close()
  close = () => Promise.resolve()
  await place.close()
  rmSync(folder, { recursive: true, force: true })
})

const CROPPED = { media: [-20, -30, 600, 800], crop: [30, 40, 530, 740] } as const
const PAGES: readonly PageParts[] = [
  ...[0, 90, 180, 270].map(rotate => ({ rotate })),
  ...[0, 90, 180, 270].map(rotate => ({ ...CROPPED, rotate })),
  { ...CROPPED, rotate: 90, userUnit: 2 },
]
const nameOf = ({ rotate, crop, userUnit }: PageParts) =>
  `turned by ${rotate}${crop ? ', cropped' : ''}${userUnit ? ', of another unit' : ''}`

async function boxesOf(pdf: Uint8Array): Promise<PageBox[]> {
  const path = join(folder, 'boxes.pdf')
  writeFileSync(path, pdf)
  return pdfTools().readPageBoxes({ path })
}

function show(pdf: Uint8Array, boxes: PageBox[]): void {
  place.file = pdf
  place.sizes = boxes.map(box => {
    const { width, height } = displayedSize(box)
    return [width * box.userUnit, height * box.userUnit]
  })
}

async function open(options = {}): Promise<Page> {
  const opened = await openWindow(browser, place.url, options)
  close = () => opened.context.close()
  await opened.page.goto('/')
  return opened.page
}

/** The box around what is dark in a picture of a page, in percent of it. */
async function inkOn(page: Page, number: number, kind: 'paper' | 'marks') {
  const canvas = page.locator(`.page:nth-of-type(${number}) .${kind}`)
  await page.evaluate(to => window.view.show(to), number)
  await canvas.waitFor({ state: 'attached' })
  const { width, height, pixels } = await canvas.evaluate(made => {
    const { width, height } = made as HTMLCanvasElement
    const { data } = (made as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
    // What lets the page through is white here.
    const grey = (at: number) => 255 - ((255 - data[at]!) * data[at + 3]!) / 255
    let pixels = ''
    for (let at = 0; at < data.length; at += 4) pixels += grey(at) < 200 ? '1' : '0'
    return { width, height, pixels }
  })
  const rgb = new Uint8Array(3 * width * height).map((_, i) => (pixels[Math.floor(i / 3)] === '1' ? 0 : 255))
  return boxOfPixels({ width, height, pixels: rgb }, red => red === 0)
}

/** As in the pictures of the browser. */
const MIN_DARK = 200

type Box = { x: number; y: number; width: number; height: number }

/** By how many percent of the page the two boxes differ at most. */
function apart(a: Box | undefined, b: Box | undefined): number {
  if (!a || !b) return 100
  return Math.max(...(['x', 'y', 'width', 'height'] as const).map(side => Math.abs(a[side] - b[side])))
}

describe.skipIf(NO_BROWSER || !hasPdftoppm)('marks', () => {
  const content: FieldAppearance['content'] = { kind: 'signature', text: 'Ada Lovelace' }
  const box = { x: 12, y: 63, width: 35, height: 7 }

  for (const [device, options] of [
    ['desk', {}],
    ['phone', ON_A_PHONE],
  ] as const) {
    test(`on a ${device}: lie where the stamp puts them, however a page is turned and cropped`, async () => {
      const pdf = makePdf({ pages: PAGES })
      const boxes = await boxesOf(pdf)
      show(pdf, boxes)
      const marks = boxes.map((_, i): FieldAppearance => ({ page: i + 1, box, content }))
      for (const [i, mark] of marks.entries()) {
        const outPath = join(folder, `overlay-${i}.pdf`)
        await pdfTools().writeOverlay({ pages: [{ page: i + 1, box: boxes[i]!, fields: [mark] }], outPath })
        place.marks.set(i + 1, readFileSync(outPath))
      }
      const stamped = join(folder, 'stamped.pdf')
      const order = {
        sourcePath: join(folder, 'boxes.pdf'),
        outPath: stamped,
        fields: marks,
        evidence: EVIDENCE,
        signature: SIGNATURE,
      }
      await pdfTools().prepare({
        ...order,
        evidence: { ...EVIDENCE, document: { ...EVIDENCE.document, pageCount: PAGES.length } },
      })
      const page = await open(options)
      for (const [i, parts] of PAGES.entries()) {
        const isDark = (red: number, green: number, blue: number) => (red + green + blue) / 3 < MIN_DARK
        const there = boxOfPixels(pictureOf(stamped, i + 1, 144), isDark)
        const away = apart(await inkOn(page, i + 1, 'marks'), there)
        expect(`${nameOf(parts)}: ${away < 1 ? 'there' : away}`).toBe(`${nameOf(parts)}: there`)
        const [paper, over] = await page
          .locator(`.page:nth-of-type(${i + 1}) :is(.paper, .marks)`)
          .evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON()))
        expect(over).toEqual(paper)
      }
    })
  }

  test('are fetched anew when they have changed, and a page without any shows none', async () => {
    const pdf = makePdf({ pages: [{}, {}] })
    const boxes = await boxesOf(pdf)
    show(pdf, boxes)
    const page = await open()
    await page.locator('.page:nth-of-type(1) .paper').waitFor({ state: 'attached' })
    expect(await page.locator('.marks').count()).toBe(0)
    const outPath = join(folder, 'overlay.pdf')
    await pdfTools().writeOverlay({ pages: [{ page: 1, box: boxes[0]!, fields: [{ page: 1, box, content }] }], outPath })
    place.marks.set(1, readFileSync(outPath))
    await page.evaluate(() => window.view.refreshMarks(1))
    expect(await inkOn(page, 1, 'marks')).toBeDefined()
    place.marks.delete(1)
    await page.evaluate(() => window.view.refreshMarks(1))
    expect(await page.locator('.marks').count()).toBe(0)
    expect(place.asked.filter(path => path.includes('page=1')).length).toBe(3)
  })

  test('that cannot be fetched are reported, and are drawn after a retry', async () => {
    const pdf = makePdf({ pages: [{}] })
    const boxes = await boxesOf(pdf)
    show(pdf, boxes)
    const outPath = join(folder, 'overlay.pdf')
    await pdfTools().writeOverlay({ pages: [{ page: 1, box: boxes[0]!, fields: [{ page: 1, box, content }] }], outPath })
    place.marks.set(1, readFileSync(outPath))
    place.instead = path => (path.startsWith('/marks') ? new Response(null, { status: 500 }) : undefined)
    const page = await open()
    await page.getByText('The document could not be loaded. Please check your connection.').waitFor()
    place.instead = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(await inkOn(page, 1, 'marks')).toBeDefined()
    expect(await page.locator('.document-status').isVisible()).toBe(false)
  })
})

describe.skipIf(NO_BROWSER)('the words of a page', () => {
  test('are drawn at their place, however the page is rotated and cropped, and are found as text in the order of the pages', async () => {
    // The catalog serves as resources too: a reference of the same length, so that all offsets stay
    // right.
    const catalog = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
    const pages = PAGES.map((parts, i) => ({
      ...parts,
      content: `BT /F 30 Tf 150 400 Td (Clause number ${i + 1}) Tj ET`,
    }))
    const made = makePdf({ pages, catalog }).toString('latin1')
    const pdf = Buffer.from(made.replaceAll('/Resources << >>', '/Resources 1 0 R'), 'latin1')
    show(pdf, await boxesOf(pdf))
    const page = await open()
    for (const [i, parts] of PAGES.entries()) {
      const painted = await inkOn(page, i + 1, 'paper')
      const word = page.getByText(`Clause number ${i + 1}`, { exact: true })
      await word.waitFor()
      const said = await word.evaluate(made => {
        const whole = made.closest('.page')!.getBoundingClientRect()
        const { left, top, width, height } = made.getBoundingClientRect()
        const percent = (value: number, of: number) => (100 * value) / of
        return {
          x: percent(left - whole.left, whole.width),
          y: percent(top - whole.top, whole.height),
          width: percent(width, whole.width),
          height: percent(height, whole.height),
        }
      })
      // A word's box includes ascenders and descenders.
      const away = apart(said, painted)
      expect(`${nameOf(parts)}: ${away < 3 ? 'there' : away}`).toBe(`${nameOf(parts)}: there`)
    }
    const order = await page.locator('.page .textLayer').evaluateAll(all => all.map(each => each.textContent))
    expect(order).toEqual([...order].sort())
    expect(order.length).toBeGreaterThan(1)
  })
})
