/**
 * Every kind of field on the signing page in a real browser: by mouse, by touch, by keys alone,
 * without a script and from right to left.
 */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { plainPng } from '../../evidence/sample.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import {
  at,
  count,
  FIELDS,
  finish,
  focusedValue,
  KIND,
  marker,
  next,
  PET,
  panel,
  signTyped,
  useSigningScene,
} from '../../support/signing-scene.ts'

const { open, valuesOf, statusOf } = useSigningScene()
const RED = Buffer.from(plainPng(40, 30, [200, 30, 30, 255]))

describe.skipIf(NO_BROWSER)('a choice among boxes', () => {
  test('is made by a tap on a box of the document, shown in the form and at each box, and changed by another tap', async () => {
    const { page, complaints } = await open(ON_A_PHONE)
    expect(await marker(page, /Do you have a pet\?, yes, page 1: required/).count()).toBe(1)
    await marker(page, /Do you have a pet\?, no/).tap()
    expect(await panel(page).getByRole('radio', { name: 'no', exact: true }).isChecked()).toBe(true)
    expect(await focusedValue(page)).toBe('no')
    expect(await marker(page, 'Do you have a pet?, no, page 1: chosen').count()).toBe(1)
    expect(await marker(page, 'Do you have a pet?, yes, page 1: not chosen').count()).toBe(1)
    await page.keyboard.press('Escape')
    await marker(page, /Do you have a pet\?, yes/).tap()
    expect(await panel(page).getByRole('radio', { name: 'yes' }).isChecked()).toBe(true)
    expect(complaints).toEqual([])
  }, 60_000)

  test('is made with the arrow keys; where it is optional, “No choice” takes it back', async () => {
    const { page } = await open()
    await panel(page).getByRole('radio', { name: 'yes' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await focusedValue(page)).toBe('no')
    await page.keyboard.press('ArrowUp')
    expect(await focusedValue(page)).toBe('yes')
    const group = panel(page).getByRole('radiogroup', { name: /^Do you have a pet/ })
    expect(await group.getByRole('radio').count()).toBe(2)
    const parking = panel(page).getByRole('radiogroup', { name: /^Parking/ })
    await parking.getByRole('radio', { name: 'Garage' }).check()
    expect(await marker(page, 'Parking, Garage, page 1: chosen').count()).toBe(1)
    await parking.getByRole('radio', { name: 'No choice' }).check()
    expect(await marker(page, 'Parking, Garage, page 1: optional, not filled in').count()).toBe(1)
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'by touch on a phone every kind is filled in, with what a condition adds, through to the seal',
  async () => {
    const { id, page, complaints } = await open({ ...ON_A_PHONE, viewport: { width: 390, height: 844 } })
    await marker(page, /Do you have a pet\?, yes/).tap()
    await next(page).tap()
    await page.keyboard.type('cat')
    await next(page).tap()
    await page.keyboard.type('Good morning')
    await next(page).tap()
    await page.keyboard.type('2')
    await page.locator('.sheet-head button').tap()
    await marker(page, /^Parking, Garage/).tap()
    await next(page).tap()
    await panel(page).getByRole('radio', { name: 'Type' }).tap()
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await next(page).tap()
    await page.getByLabel('I have read this and agree.').tap()
    await next(page).tap()
    await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').tap()])
    expect(await statusOf(id)).toBe('completed')
    expect(await valuesOf(id)).toMatchObject({ 'Kind of pet': 'cat', Remarks: 'Good morning', Persons: '2', Parking: 'Garage' })
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'from right to left every kind is filled in, through to the seal',
  async () => {
    const photo = { type: 'image', label: 'صورة', ...at(55, { height: 10 }) }
    const { id, page, complaints } = await open({}, [...FIELDS, photo], { locale: 'ar' })
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await marker(page, /Do you have a pet.*yes/).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('قطة')
    await panel(page).locator('textarea').first().fill('صباح الخير')
    await panel(page).getByLabel('Persons').fill('4')
    await panel(page)
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'صورة.png', mimeType: 'image/png', buffer: RED })
    await panel(page).locator('.file-name').waitFor()
    await panel(page).locator('[data-mark="signature"] input[type="radio"][value="typed"]').check({ force: true })
    await panel(page).locator('input[name="signature"]').fill('أمل الحداد')
    await page.locator('#consent').check()
    await finish(page)
    expect(await statusOf(id)).toBe('completed')
    expect(await valuesOf(id)).toMatchObject({ 'Kind of pet': 'قطة', Remarks: 'صباح الخير', Persons: '4', صورة: 'صورة.png' })
    expect(complaints).toEqual([])
  },
  60_000,
)

const LINES = [
  { type: 'name', label: 'Tenant', ...at(15) },
  { type: 'email', label: 'Address', ...at(20) },
  { type: 'dropdown', label: 'Floor', options: ['Ground', 'First'], ...at(25) },
  { type: 'checkbox', label: 'Rules read', required: true, ...at(30, { width: 4 }) },
  { type: 'initials', ...at(40, { width: 12 }) },
  { ...SIGNATURE, y: 80 },
]
const PLAIN = { ...ON_A_PHONE, javaScriptEnabled: false }
const mark = (page: Page, name: string) => page.locator(`#sign input[name="${name}"]`)

/** Whole lines, by the elements of the form: the same in every language. */
async function fillLines(page: Page): Promise<void> {
  await page
    .locator('#sign')
    .getByLabel(/^Tenant/)
    .fill('Ada King')
  await page
    .locator('#sign')
    .getByLabel(/^Address/)
    .fill('ada.king@example.com')
  await page
    .locator('#sign')
    .getByLabel(/^Floor/)
    .selectOption('First')
  await page
    .locator('#sign')
    .getByLabel(/^Rules read/)
    .check()
  for (const [name, text] of [
    ['initials', 'AK'],
    ['signature', 'Ada King'],
  ] as const) {
    const typed = page.locator(`[data-mark="${name}"] input[type="radio"][value="typed"]`)
    if (await typed.isVisible()) await typed.check({ force: true })
    await mark(page, name).fill(text)
  }
  await page.locator('#consent').check()
}

async function touchLines(page: Page): Promise<void> {
  await marker(page, /^Tenant/).tap()
  await panel(page).getByLabel('Tenant').fill('Ada King')
  await page.locator('.sheet-head button').tap()
  await marker(page, /^Address/).tap()
  await panel(page)
    .getByLabel(/^Address/)
    .fill('ada.king@example.com')
  await next(page).tap()
  await panel(page).getByLabel('Floor').selectOption('First')
  await next(page).tap()
  await panel(page).getByLabel('Rules read').tap()
  for (const [name, text] of [
    ['initials', 'AK'],
    ['signature', 'Ada King'],
  ] as const) {
    await next(page).tap()
    await panel(page).locator('.entry.current').getByRole('radio', { name: 'Type' }).tap()
    await mark(page, name).fill(text)
  }
  await next(page).tap()
  await page.locator('#consent').tap()
}

async function typeLines(page: Page): Promise<void> {
  await panel(page).getByLabel('Tenant').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Ada King')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada.king@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('F')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await next(page).focus()
  await page.keyboard.press('Enter')
  for (const text of ['AK', 'Ada King']) {
    expect(await focusedValue(page)).toBe('typed')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Space')
}

test.skipIf(NO_BROWSER).each([
  ['by mouse', {}, {}, fillLines],
  ['by touch', ON_A_PHONE, {}, touchLines],
  ['by keys', {}, {}, typeLines],
  ['without a script', PLAIN, {}, fillLines],
  ['from right to left', {}, { locale: 'ar' }, fillLines],
] as const)(
  'a name, an address, a choice of a list, a box to tick and initials are filled in %s, through to the seal',
  async (_, window, person, fillIn) => {
    const { id, page, complaints } = await open(window, LINES, person)
    await fillIn(page)
    await (window === PLAIN ? press(page, 'Sign and finish') : finish(page))
    expect(await statusOf(id)).toBe('completed')
    expect(await valuesOf(id)).toMatchObject({
      Tenant: 'Ada King',
      Address: 'ada.king@example.com',
      Floor: 'First',
      'Rules read': 'true',
      initials: 'AK',
      signature: 'Ada King',
    })
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'what the sender proposes is filled in beforehand, for every kind, and can be changed',
  async () => {
    const { id, page } = await open({}, [
      { ...PET, value: 'no' },
      KIND,
      { type: 'paragraph', label: 'Remarks', value: 'First line\nSecond line', ...at(26, { height: 10 }) },
      { type: 'number', label: 'Persons', value: '2', min: 1, max: 10, ...at(40) },
      { ...SIGNATURE, y: 80 },
    ])
    expect(await count(page)).toBe('3 of 4 done')
    expect(await panel(page).getByLabel('Remarks').inputValue()).toBe('First line\nSecond line')
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    await panel(page).getByLabel('Kind of pet').fill('cat')
    await panel(page).getByLabel('Persons').fill('3')
    await signTyped(page)
    await finish(page)
    expect(await valuesOf(id)).toMatchObject({
      'Do you have a pet?': 'yes',
      'Kind of pet': 'cat',
      Remarks: 'First line\nSecond line',
      Persons: '3',
    })
  },
  60_000,
)

describe.skipIf(NO_BROWSER)('limits', () => {
  test('a paragraph counts what is left near its limit, is never cut, and says how much is too much', async () => {
    const { page } = await open()
    const remarks = panel(page).getByLabel('Remarks')
    const limit = panel(page).locator('.limit')
    expect(await limit.isVisible()).toBe(false)
    await remarks.fill('x'.repeat(190))
    expect(await limit.textContent()).toBe('10 characters left')
    await remarks.fill('y\n'.repeat(103).trim())
    expect(await limit.textContent()).toBe('5 characters too many')
    await page.locator('#bar .end').click()
    expect(await page.locator('#summary').textContent()).toContain('Remarks: please use at most 200 characters.')
  }, 60_000)

  test('of a number are shown before, and named when it is outside; the keyboard is that for numbers', async () => {
    const { page } = await open()
    const persons = panel(page).getByLabel('Persons')
    expect(await persons.getAttribute('inputmode')).toBe('decimal')
    expect(await panel(page).textContent()).toContain('A number from 1 to 10.')
    await persons.fill('11')
    await persons.blur()
    expect(await panel(page).textContent()).toContain('Persons: please enter a number from 1 to 10.')
    await persons.fill('2,5')
    expect(await persons.getAttribute('aria-invalid')).toBeNull()
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'by keys alone every kind is filled in, in order, through to the seal',
  async () => {
    const { id, page } = await open()
    await next(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    expect(await focusedValue(page)).toBe('yes')
    await page.keyboard.press('Enter')
    await page.keyboard.type('cat')
    await page.keyboard.press('Enter')
    await page.keyboard.type('two\nlines')
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    // Parking is optional.
    await page.keyboard.press('Enter')
    expect(await focusedValue(page)).toBe('typed')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada Lovelace')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    expect(await words(page)).toContain('You are done')
    expect(await valuesOf(id)).toMatchObject({
      'Do you have a pet?': 'yes',
      'Kind of pet': 'cat',
      Remarks: 'two\nlines',
      Persons: '3',
      Parking: null,
    })
    expect(await statusOf(id)).toBe('completed')
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'without a script all fields are asked with their conditions, a refusal names what became required, and the rest is kept',
  async () => {
    const { id, page } = await open({ ...ON_A_PHONE, javaScriptEnabled: false })
    expect(await words(page)).toContain('Only if “Do you have a pet?” is “yes”.')
    await page.getByRole('radio', { name: 'yes' }).check()
    await page.getByLabel('Remarks').fill('two\nlines')
    await page.getByLabel(/^Persons/).fill('11')
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByLabel('I have read this and agree.').check()
    await press(page, 'Sign and finish')
    expect(await page.locator('#summary a').allTextContents()).toEqual([
      'Kind of pet: please fill this in.',
      'Persons: please enter at most 10.',
    ])
    expect(await page.getByRole('radio', { name: 'yes' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Remarks').inputValue()).toBe('two\nlines')
    await page.getByLabel(/^Kind of pet/).fill('cat')
    await page.getByLabel(/^Persons/).fill('10')
    await press(page, 'Sign and finish')
    expect(await words(page)).toContain('You are done')
    expect(await valuesOf(id)).toMatchObject({ 'Do you have a pet?': 'yes', 'Kind of pet': 'cat', Remarks: 'two\nlines' })
    expect(await statusOf(id)).toBe('completed')
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'no state of these entries has a violation by axe, at any size, light or dark, left to right or right to left',
  async () => {
    const files = [
      { type: 'image', label: 'Photo', ...at(50, { height: 8 }) },
      { type: 'attachment', label: 'Proof of income', ...at(60) },
    ]
    for (const locale of ['en', 'ar']) {
      const { page, complaints } = await open({}, [...FIELDS, ...files], { locale })
      await panel(page).locator('input[type="radio"][value="yes"]').check()
      await panel(page).locator('textarea').first().fill('x'.repeat(201))
      await page.locator('#bar .end').click()
      expect([locale, await problemsAtAllSizes(page)]).toEqual([locale, []])
      expect(complaints).toEqual([])
      await page.context().close()
      const plain = await open({ ...ON_A_PHONE, javaScriptEnabled: false }, [...FIELDS, ...files], { locale })
      expect(await plain.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await plain.page.context().close()
    }
  },
  120_000,
)
