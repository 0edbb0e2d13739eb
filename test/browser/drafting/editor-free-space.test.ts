/** "Add it": a missing signature goes into free space of the last page, or nowhere. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PDFDocument, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, BO, field, PHONE_390, saved, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

const [WIDTH, HEIGHT] = [595.28, 841.89]

/** Two pages; `draw` fills the second. Text, curves, rotated words: whatever a page may show. */
async function pdf(draw: (page: PDFPage) => void | Promise<void>): Promise<string> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([WIDTH, HEIGHT])
  const page = document.addPage([WIDTH, HEIGHT])
  page.setFont(font)
  await draw(page)
  return Buffer.from(await document.save()).toString('base64')
}

const rows = (page: PDFPage, from: number, to: number) => {
  for (let y = from; y > to; y -= 14)
    page.drawText('The tenant pays the rent in advance, at the latest on the third day.', { x: 72, y, size: 11 })
}

/** The boxes of the signatures in points from the top left. */
async function placed(id: string) {
  return (await editor.fields(id)).map(({ person, page, x, y, width, height }) => ({
    person,
    page,
    left: (x / 100) * WIDTH,
    top: (y / 100) * HEIGHT,
    right: ((x + width) / 100) * WIDTH,
    bottom: ((y + height) / 100) * HEIGHT,
  }))
}

describe.skipIf(NO_BROWSER)('a signature that is missing', () => {
  test('is added to free space of the last page, not over text, a curve or the field of another', async () => {
    const file = await pdf(page => {
      rows(page, 790, 330)
      page.drawEllipse({ x: 150, y: 270, xScale: 80, yScale: 40, color: rgb(0.8, 0.9, 1) })
      page.drawText('Page 2 of 2', { x: 72, y: 30, size: 9 })
    })
    const id = await editor.draft({ file, recipients: [ANNA, BO] })
    const { page, complaints } = await editor.open(id)
    const add = page.getByRole('button', { name: 'Add it' })
    await add.first().click()
    await field(page, /^Signature, Anna Berg/).waitFor()
    await page.keyboard.press('Escape')
    await add.nth(1).waitFor({ state: 'detached' })
    await add.click()
    await field(page, /^Signature, Bo Lund/).waitFor()
    await saved(page)
    const [anna, bo] = (await placed(id)) as [Awaited<ReturnType<typeof placed>>[0], Awaited<ReturnType<typeof placed>>[0]]
    expect([anna.page, bo.page]).toEqual([2, 2])
    // The text ends at 512 pt. The ellipse is from 532 to 612, and ends 230 pt from the left.
    for (const { top, left, bottom } of [anna, bo]) {
      expect(top).toBeGreaterThan(512)
      expect(top > 612 || left > 230).toBe(true)
      expect(bottom).toBeLessThan(HEIGHT - 38)
    }
    expect(anna.bottom <= bo.top || anna.right <= bo.left || bo.bottom <= anna.top || bo.right <= anna.left).toBe(true)
    await page.keyboard.press('Control+z')
    await field(page, /^Signature, Bo Lund/).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('is not placed by itself on a page that is full: a sentence says where to place it', async () => {
    const file = await pdf(page => {
      for (let y = 30; y < 820; y += 30) page.drawText('Rent '.repeat(16), { x: 30, y, size: 12 })
    })
    const id = await editor.draft({ file, recipients: [ANNA] })
    for (const window of [{}, PHONE_390]) {
      const { page, complaints } = await editor.open(id, { window })
      await page.getByRole('button', { name: 'Add it' }).click()
      await page.getByText(/^The last page has no free space for a signature.*where Anna Berg signs\.$/).waitFor()
      expect(await editor.fields(id)).toEqual([])
      expect(await axeViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  test('is not placed over an image that covers the page', async () => {
    const file = await pdf(async page => {
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
        'base64',
      )
      page.drawImage(await page.doc.embedPng(png), { x: 0, y: 0, width: WIDTH, height: HEIGHT })
    })
    const id = await editor.draft({ file, recipients: [ANNA] })
    const { page } = await editor.open(id)
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText(/^The last page has no free space/).waitFor()
    expect(await editor.fields(id)).toEqual([])
  })
})
