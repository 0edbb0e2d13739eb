/** Each kind of field in the editor, names, conditions and the fields of the sender. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, at, BO, boxOf, field, kind, PHONE_390, said, saved, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

/** Points. */
const SIZES = { Paragraph: [320, 72], Image: [96, 96], Attachment: [180, 24] } as const
type Kind = keyof typeof SIZES
const KINDS = Object.keys(SIZES) as Kind[]

async function place(page: Page, name: string, x: number, y: number): Promise<void> {
  await kind(page, name).click()
  const point = await at(page, 1, x, y)
  await page.mouse.click(point.x, point.y)
}

async function openDetails(page: Page, name: string): Promise<void> {
  await page.getByText(name, { exact: true }).click()
}

const senderFields = async (id: string) => (await editor.place.t.api('GET', `/documents/${id}`)).body.senderFields

describe.skipIf(NO_BROWSER)('a long text, a picture and a file', () => {
  test('are placed by mouse in their usual size, with what they accept', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    for (const [i, name] of KINDS.entries()) {
      await place(page, name, 250, 200 + 160 * i)
      const [width, height] = SIZES[name]
      const box = await boxOf(field(page, `${name}, Anna Berg, required`))
      expect([box.width, box.height]).toEqual([expect.closeTo(width, 0), expect.closeTo(height, 0)])
    }
    await page.getByLabel('JPEG picture').uncheck()
    await page.getByLabel('Largest file in MB').fill('5')
    await page.getByLabel('Largest file in MB').press('Tab')
    await field(page, /^Paragraph/).click()
    await openDetails(page, 'Text and format')
    await page.getByLabel('At most characters').fill('300')
    await page.getByLabel('Filled in beforehand').fill('one\ntwo')
    await saved(page)
    const stored = Object.fromEntries((await editor.fields(id)).map(each => [each.type, each]))
    expect(stored.attachment).toMatchObject({ accept: ['application/pdf', 'image/png'], maxBytes: 5_000_000 })
    expect(stored.paragraph).toMatchObject({ maxLength: 300, value: 'one\ntwo' })
    expect(stored.image).toMatchObject({ required: true })
    expect(complaints).toEqual([])
  })

  test('are placed, moved and resized by keys alone', async () => {
    const id = await editor.draft({ recipients: [ANNA] })
    const { page, complaints } = await editor.open(id)
    for (const name of KINDS) {
      await kind(page, name).focus()
      await page.keyboard.press('Enter')
      const placed = field(page, new RegExp(`^${name}`))
      const before = await boxOf(placed)
      await page.keyboard.press('Shift+ArrowLeft')
      await page.keyboard.press('Alt+Shift+ArrowDown')
      const after = await boxOf(placed)
      expect([before.x - after.x, after.height - before.height]).toEqual([expect.closeTo(10, 0), expect.closeTo(10, 0)])
    }
    await saved(page)
    expect((await editor.fields(id)).map(({ type }) => type)).toEqual(['paragraph', 'image', 'attachment'])
    expect(complaints).toEqual([])
  })

  test('are placed by touch on a phone', async () => {
    const id = await editor.draft({ recipients: [ANNA] })
    const { page, complaints } = await editor.open(id, { window: PHONE_390 })
    for (const [i, name] of KINDS.entries()) {
      await kind(page, name).tap()
      const point = await at(page, 1, 250, 200 + 160 * i)
      await page.touchscreen.tap(point.x, point.y)
      await field(page, `${name}, Anna Berg, required`).waitFor()
      await page.getByRole('button', { name: 'Done' }).tap()
    }
    await saved(page)
    expect(await editor.fields(id)).toHaveLength(3)
    expect(complaints).toEqual([])
  })
})

test.skipIf(NO_BROWSER)('a number has bounds', async () => {
  const id = await editor.draft({ recipients: [ANNA] })
  const { page } = await editor.open(id)
  await place(page, 'Number', 200, 300)
  await openDetails(page, 'Text and format')
  await page.getByLabel('Smallest').fill('-2.5')
  await page.getByLabel('Largest').fill('10')
  await page.getByLabel('Largest').press('Tab')
  await saved(page)
  expect(await editor.fields(id)).toMatchObject([{ type: 'number', min: -2.5, max: 10 }])
})

describe.skipIf(NO_BROWSER)('a condition', () => {
  test('offers the fields that may control, names the chosen one, and both are one step, also after a reload', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    await place(page, 'Checkbox', 200, 200)
    await page.getByLabel('Label').fill('Pets')
    await kind(page, 'Signature').click()
    const other = await at(page, 1, 400, 600)
    await page.mouse.click(other.x, other.y)
    await place(page, 'Text', 200, 300)
    await openDetails(page, 'Name and condition')
    const showIf = page.getByLabel('Show only if')
    expect(await showIf.locator('option').allTextContents()).toEqual(['Always shown', 'Pets'])
    await showIf.selectOption({ label: 'Pets' })
    await field(page, 'Text, Anna Berg, required, shown only if Pets is true').waitFor()
    await saved(page)
    const stored = async () => Object.fromEntries((await editor.fields(id)).map(each => [each.type, each as unknown as Json]))
    expect(await stored()).toMatchObject({ checkbox: { name: 'Pets' }, text: { showIf: { field: 'Pets', is: 'true' } } })
    await page.getByLabel('is', { exact: true }).selectOption({ label: 'Not ticked' })
    await saved(page)
    expect((await stored()).text?.showIf).toEqual({ field: 'Pets', is: 'false' })
    await page.reload()
    await page.locator('.page canvas').first().waitFor()
    await page.locator('.pages').focus()
    await page.keyboard.press('Control+z')
    await said(page, 'Undone: changed')
    await saved(page)
    expect((await stored()).text?.showIf).not.toEqual({ field: 'Pets', is: 'false' })
    expect(complaints).toEqual([])
  })

  test('that lost its field is marked on the page, named beside it and at the review', async () => {
    const conditional = { type: 'text', page: 1, x: 10, y: 40, width: 30, height: 3, label: 'Breed' }
    const pets = { type: 'checkbox', page: 1, x: 10, y: 30, width: 3, height: 2, label: 'Pets', name: 'Pets' }
    const fields = [pets, { ...conditional, showIf: { field: 'Pets', is: 'true' } }]
    const id = await editor.draft({ recipients: [{ ...ANNA, fields }] })
    const { page, complaints } = await editor.open(id)
    await field(page, /Pets/).first().click()
    await page.keyboard.press('Delete')
    await page.locator('.field.faulty').waitFor()
    await field(page, /Breed/).click()
    await page.getByText('There is no field “Pets” any more.').waitFor()
    await saved(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/has a condition that cannot be met/).waitFor()
    await page.goBack()
    await page.locator('.page canvas').first().waitFor()
    await page.keyboard.press('Control+z')
    await field(page, /Breed/).waitFor()
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('the sender', () => {
  test('is the last of the people, has the kinds that can be filled in before, and enters their values', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    const people = page.locator('.person-choice')
    expect((await people.allTextContents()).at(-1)).toContain('SenderFilled in by you before sending')
    await people.last().click()
    await said(page, 'Placing for Sender')
    const kinds = (await page.locator('.kind').allTextContents()).map(name => name.trim())
    expect(kinds).toEqual(['Date', 'Name', 'E-mail', 'Text', 'Paragraph', 'Number', 'Checkbox', 'Dropdown', 'Choice of one'])
    await place(page, 'Date', 200, 200)
    await field(page, 'Date, Sender, read-only').waitFor()
    await page.getByText('Enter it before sending.').waitFor()
    await page.getByLabel('Value', { exact: true }).fill('2027-01-31')
    await place(page, 'Choice of one', 200, 300)
    await page
      .locator('select')
      .and(page.getByLabel('Value', { exact: true }))
      .selectOption('Choice 2')
    await saved(page)
    expect(await senderFields(id)).toMatchObject([
      { type: 'date', value: '2027-01-31', readOnly: true },
      { type: 'radio', value: 'Choice 2', readOnly: true },
    ])
    await page.getByRole('combobox', { name: 'Person', exact: true }).selectOption({ label: 'Bo Lund' })
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ person: 'Bo Lund', type: 'radio', value: 'Choice 2' }])
    expect(complaints).toEqual([])
  })
})

test.skipIf(NO_BROWSER)('names from right to left keep their direction, and choices of two editors merge', async () => {
  const arabic = { name: 'ليلى حداد', email: 'layla@example.com' }
  const option = (value: string, y: number) => ({ value, page: 1, x: 20, y, width: 3, height: 2 })
  const radio = { type: 'radio', label: 'طريقة الدفع', options: [option('شهري', 20), option('سنوي', 25)] }
  const text = { type: 'text', page: 1, x: 40, y: 60, width: 30, height: 3, label: 'Town' }
  const id = await editor.draft({
    recipients: [
      { ...arabic, fields: [radio] },
      { ...BO, fields: [text] },
    ],
  })
  const grace = await editor.open(id)
  const bo = await editor.open(id, { as: 'Bo Hansen' })
  const second = /^Choice 2 of 2, طريقة الدفع, ليلى حداد, required$/
  await field(grace.page, second).focus()
  await grace.page.keyboard.press('Shift+ArrowRight')
  await saved(grace.page)
  await bo.page.getByText('This draft is also being edited by Grace Hopper.').waitFor()
  await field(bo.page, /Town/).focus()
  await bo.page.keyboard.press('Shift+ArrowDown')
  await saved(bo.page)
  const [choices, town] = await editor.fields(id)
  expect(Number((choices as unknown as { options: Json[] }).options[1]!.x)).toBeCloseTo(20 + (10 * 100) / 595.28, 1)
  expect(town!.y).toBeCloseTo(60 + (10 * 100) / 841.89, 1)
  const input = grace.page.getByRole('textbox', { name: 'Choice 1 of 2' })
  expect(await input.evaluate(element => getComputedStyle(element).direction)).toBe('rtl')
  expect([...grace.complaints, ...bo.complaints]).toEqual([])
})

type Json = Record<string, unknown>

test.skipIf(NO_BROWSER)('a value is shown in the size in which it is printed, whatever the height of its field', async () => {
  const at = { type: 'text', page: 1, x: 10, width: 40 }
  const id = await editor.draft()
  const fields = [
    { ...at, y: 10, height: 3, value: 'Berlin' },
    { ...at, y: 20, height: 9, value: 'Berlin' },
    { ...at, y: 40, height: 9, value: 'Berlin', fontSize: 18 },
    { ...at, y: 60, height: 1, value: 'Berlin' },
    { ...at, y: 70, height: 3, type: 'date', value: '2027-03-12' },
  ].map((field, i) => ({ ...field, id: `fld_01k${'a'.repeat(22)}${i}`, recipientId: 'sender' }))
  expect((await editor.place.t.api('PATCH', `/documents/${id}`, { fields })).status).toBe(200)
  const { page } = await editor.open(id)
  const sizes = await page.locator('.field-words').evaluateAll(all =>
    all.map(one => {
      const style = getComputedStyle(one)
      return Number.parseFloat(style.fontSize) / Number(style.getPropertyValue('--scale'))
    }),
  )
  // Of A4, one per cent of the height; a line has 1.37 times its size.
  const low = 8.4189 / 1.37
  expect(sizes).toEqual([11, 11, 18, low, 11].map(size => expect.closeTo(size, 1)))
  const words = await page.locator('.field-words').evaluateAll(all => all.map(one => one.getAttribute('data-words')))
  expect(words.at(-1)).toBe('12 March 2027')
})

test.skipIf(NO_BROWSER)('a line under a signature is off until it is ticked, and can be taken away again', async () => {
  const id = await editor.draft()
  const { page, complaints } = await editor.open(id)
  await place(page, 'Signature', 250, 200)
  const line = page.getByRole('checkbox', { name: 'Draw a line under it' })
  expect(await line.isChecked()).toBe(false)
  await line.check()
  await page.locator('.field.ruled').waitFor()
  await saved(page)
  const rule = async () => (await editor.fields(id)).map(field => (field as unknown as { rule: boolean }).rule)
  expect(await rule()).toEqual([true])
  await page.reload()
  await field(page, /^Signature/).click()
  expect(await line.isChecked()).toBe(true)
  await line.uncheck()
  await saved(page)
  expect(await rule()).toEqual([false])
  await place(page, 'Paragraph', 250, 400)
  await line.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test.skipIf(NO_BROWSER)('what the person should enter is explained for kinds that are entered, not for a signature', async () => {
  const { page, complaints } = await editor.open(await editor.draft({ recipients: [ANNA] }))
  const help = page.getByText('What the person should enter')
  const label = page.getByLabel('Label', { exact: true })
  await place(page, 'Text', 250, 150)
  await help.waitFor()
  for (const [i, name] of ['Signature', 'Initials', 'Date signed', 'Image'].entries()) {
    await place(page, name, 250, 250 + 100 * i)
    await help.waitFor({ state: 'detached' })
    expect(await label.isVisible()).toBe(true)
    await field(page, /^Text/).click()
    await help.waitFor()
  }
  expect(complaints).toEqual([])
})
