/** Fields that the PDF suggests: offered, owned, accepted, dismissed. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { NO_BROWSER } from '../support/browser.ts'
import { ANNA, BO, field, PHONE_390, said, saved, stored, useEditorService } from '../support/editor-service.ts'
import { taggedPdf } from '../support/tagged-pdf.ts'

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
