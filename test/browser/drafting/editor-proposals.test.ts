/** Fields that the PDF suggests: offered, owned, accepted, dismissed. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Page } from 'playwright-core'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, BO, field, PHONE_390, said, saved, stored, useEditorService } from '../../support/editor-service.ts'
import { taggedPdf } from '../../support/tagged-pdf.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const TAGS = [
  { text: '{{signature:1}}', x: 72, y: 300 },
  { text: '{{date:1}}', x: 300, y: 300 },
  { text: '{{signature:2}}', x: 72, y: 200 },
]

const shownCrosses = (page: Page) =>
  page.locator('.ghost-dismiss').evaluateAll(all => all.filter(each => getComputedStyle(each).opacity === '1').length)

describe.skipIf(NO_BROWSER)('proposals', () => {
  test('of one signer are accepted by one press, saved as fields, and undone by one step', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS.slice(0, 2))), recipients: [ANNA] })
    const { page, complaints } = await editor.open(id)
    await page.getByText('2 places for fields were found in the PDF.').waitFor()
    expect(await editor.fields(id)).toEqual([])
    await page.getByRole('button', { name: 'Accept 2' }).click()
    await said(page, '2 suggestions accepted')
    await saved(page)
    expect((await editor.fields(id)).map(({ type }) => type).sort()).toEqual(['date', 'signature'])
    expect(await page.locator('.ghost').count()).toBe(0)
    await page.keyboard.press('Control+z')
    await page.locator('.ghost').first().waitFor()
    await saved(page)
    expect(await editor.fields(id)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('of tags go to the person of their number, one by one', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const { page } = await editor.open(id)
    const ghost = page.getByRole('button', { name: /^Suggested: Signature, Bo Lund, page 1/ })
    await ghost.focus()
    await page.keyboard.press('Enter')
    await field(page, /Signature, Bo Lund/).waitFor()
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ person: 'Bo Lund', type: 'signature' }])
    const [row] = await editor.place.t.app.db.selectFrom('fields').select('covers').execute()
    expect(row?.covers).toContain('"page":1')
    expect(await page.locator('.ghost').count()).toBe(2)
  })

  test('whose signer is not clear go to nobody until one is chosen', async () => {
    const third = [...TAGS, { text: '{{signature:3}}', x: 72, y: 100 }]
    const id = await editor.draft({ file: base64(await taggedPdf(third)), recipients: [ANNA, BO] })
    const { page } = await editor.open(id)
    await page.getByRole('button', { name: 'Accept 3' }).click()
    await saved(page)
    expect(await editor.fields(id)).toHaveLength(3)
    await page.getByLabel('Who is signer 3?').selectOption({ label: 'Bo Lund' })
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await saved(page)
    expect((await editor.fields(id)).filter(({ person }) => person === 'Bo Lund')).toHaveLength(2)
  })

  test('can be accepted at once after the choice of the sender, except what only a signer may have', async () => {
    const form = [
      { text: '{{signature:3}}', x: 72, y: 300 },
      { text: '{{text:3}}', x: 72, y: 200 },
    ]
    const id = await editor.draft({ file: base64(await taggedPdf(form)), recipients: [ANNA, BO] })
    const { page, complaints } = await editor.open(id)
    await page.getByRole('button', { name: 'Accept 2' }).click()
    await said(page, 'Choose first who fills in the fields.')
    const owner = page.getByLabel('Who is signer 3?')
    expect(await owner.evaluate(select => select === document.activeElement)).toBe(true)
    await owner.selectOption({ label: 'Sender' })
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await saved(page)
    const { body } = await editor.place.t.api('GET', `/documents/${id}`)
    expect(body.senderFields).toMatchObject([{ type: 'text', readOnly: true }])
    expect(await owner.locator('option').allInnerTexts()).toEqual(['Choose a person', 'Anna Berg', 'Bo Lund'])
    await owner.selectOption({ label: 'Bo Lund' })
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ person: 'Bo Lund', type: 'signature' }])
    expect(complaints).toEqual([])
  })

  test('show a mouse or the focus the cross of one alone', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const { page } = await editor.open(id)
    await page.locator('.ghost').first().waitFor()
    expect(await shownCrosses(page)).toBe(0)
    await page.locator('.ghost-accept').first().hover()
    expect(await shownCrosses(page)).toBe(1)
    await page.mouse.move(0, 0)
    await page.locator('.ghost-accept').nth(1).focus()
    expect(await shownCrosses(page)).toBe(1)
  })

  test('that were dismissed stay away after a reload', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const { page } = await editor.open(id)
    await page.getByRole('button', { name: 'Dismiss the suggestion: Date signed, Anna Berg, page 1' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('.ghost').count()).toBe(2)
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    expect(await page.locator('.ghost').count()).toBe(0)
    await stored(page, id, ({ dismissed }) => dismissed.length === 3)
    const answered = page.waitForResponse(/\/proposals$/)
    await page.reload()
    await answered
    await page.locator('.page canvas').first().waitFor()
    expect(await page.locator('.ghost').count()).toBe(0)
  })

  test('show a finger their cross after a tap, are dismissed by it and accepted by a second tap', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const { page, complaints } = await editor.open(id, { window: PHONE_390 })
    expect(await shownCrosses(page)).toBe(0)
    await page.getByRole('button', { name: /^Suggested: Date signed, Anna Berg, page 1/ }).tap()
    expect(await shownCrosses(page)).toBe(1)
    await page.getByRole('button', { name: 'Dismiss the suggestion: Date signed, Anna Berg, page 1' }).tap()
    expect(await page.locator('.ghost').count()).toBe(2)
    expect(await editor.fields(id)).toEqual([])
    const suggested = page.getByRole('button', { name: /^Suggested: Signature, Bo Lund, page 1/ })
    await suggested.tap()
    await said(page, 'Tap again to accept it.')
    expect(await editor.fields(id)).toEqual([])
    await suggested.tap()
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ person: 'Bo Lund', type: 'signature' }])
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

const doubtfulPdf = async () => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([595.28, 841.89])
  const write = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 12, font })
  const line = (x: number, y: number, length: number) => page.drawLine({ start: { x, y }, end: { x: x + length, y } })
  write('{{date:1}}', 72, 700)
  write('Tenant', 72, 520)
  line(72, 470, 200)
  line(330, 470, 60)
  write('Signature of the employee', 302, 456)
  return base64(await document.save())
}

describe.skipIf(NO_BROWSER)('places that are doubtful', () => {
  test('are not accepted with the others: each is used or left by itself', async () => {
    const id = await editor.draft({ file: await doubtfulPdf(), recipients: [ANNA] })
    const { page, complaints } = await editor.open(id)
    await page.getByRole('button', { name: 'Accept 1' }).click()
    await saved(page)
    expect((await editor.fields(id)).map(({ type }) => type)).toEqual(['date'])
    await page.getByText('It is not sure that these 2 places are for fields. Use them?').waitFor()
    await page.getByRole('button', { name: 'Use: Signature “Tenant”, page 1', exact: true }).click()
    await saved(page)
    expect((await editor.fields(id)).map(({ type, label }) => [type, label])).toEqual([
      ['date', null],
      ['signature', 'Tenant'],
    ])
    await page.getByRole('button', { name: 'Do not use: Signature “Signature of the employee”, page 1' }).click()
    await page.locator('.offer').waitFor({ state: 'detached' })
    expect(await editor.fields(id)).toHaveLength(2)
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('an answer about proposals', () => {
  test('can be changed from no to yes and from yes to no, also after a reload', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const { page, complaints } = await editor.open(id)
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await page.getByText('Suggestions of the PDF: used 0, not used 3.').waitFor()
    await stored(page, id, ({ dismissed }) => dismissed.length === 3)
    await page.reload()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const use = page.getByRole('button', { name: 'Use: Signature, page 1', exact: true })
    await use.last().click()
    await field(page, /Signature, Bo Lund/).waitFor()
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ person: 'Bo Lund', type: 'signature' }])
    expect(await use.last().getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Do not use: Signature, page 1', exact: true }).last().click()
    await field(page, /Signature, Bo Lund/).waitFor({ state: 'detached' })
    await saved(page)
    expect(await editor.fields(id)).toEqual([])
    expect(await use.last().getAttribute('aria-pressed')).toBe('false')
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('proposals that take long to find', () => {
  test('are announced, and going on waits for them once', async () => {
    const id = await editor.draft({ file: base64(await taggedPdf(TAGS)), recipients: [ANNA, BO] })
    const found = Promise.withResolvers<undefined>()
    editor.place.instead = (_method, path) => (path.endsWith('/proposals') ? found.promise : undefined)
    const { page, complaints } = await editor.open(id)
    await page.getByRole('status').getByText('The PDF is being searched for places for fields…').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/^Please wait until the PDF has been searched/).waitFor()
    found.resolve(undefined)
    await page.getByText(/^The PDF has been searched\./).waitFor()
    expect(await page.locator('.ghost').count()).toBe(3)
    expect(await page.getByText('The PDF is being searched').count()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/review$/)
    expect(complaints).toEqual([])
  })

  test('do not hold a person who presses “Continue” twice, nor one for whom nothing was found', async () => {
    const id = await editor.draft({ recipients: [ANNA] })
    const found = Promise.withResolvers<undefined>()
    editor.place.instead = (_method, path) => (path.endsWith('/proposals') ? found.promise : undefined)
    const { page } = await editor.open(id)
    const goOn = page.getByRole('button', { name: 'Continue' })
    await goOn.click()
    await page.getByText(/^Please wait until the PDF/).waitFor()
    await goOn.click()
    await page.waitForURL(/\/review$/)
    const other = await editor.open(id)
    await other.page.getByRole('button', { name: 'Continue' }).click()
    await other.page.getByText(/^Please wait until the PDF/).waitFor()
    found.resolve(undefined)
    await other.page.waitForURL(/\/review$/)
  })
})
