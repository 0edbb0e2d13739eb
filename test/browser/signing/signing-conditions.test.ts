/** Fields with conditions on the signing page, in a real browser. */
import { describe, expect, test } from 'bun:test'
import { NO_BROWSER, ON_A_PHONE, words } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { at, count, finish, focusedValue, marker, next, panel, signTyped, useSigningScene } from '../../support/signing-scene.ts'

const { place, open, valuesOf, statusOf } = useSigningScene()

describe.skipIf(NO_BROWSER)('a field with a condition', () => {
  test('appears and disappears at once with its marker, is counted and announced, and keeps what was typed', async () => {
    const { id, page } = await open()
    const kind = panel(page).getByLabel('Kind of pet')
    expect([await kind.isVisible(), await marker(page, /^Kind of pet/).isVisible()]).toEqual([false, false])
    expect(await count(page)).toBe('0 of 3 done')
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    expect([await kind.isVisible(), await marker(page, /^Kind of pet/).isVisible()]).toEqual([true, true])
    expect(await count(page)).toBe('1 of 4 done')
    expect(await focusedValue(page)).toBe('yes')
    await page.locator('#conditions', { hasText: 'A field has been added: Kind of pet.' }).waitFor()
    await kind.fill('cat')
    await panel(page).getByRole('radio', { name: 'no', exact: true }).check()
    expect([await kind.isVisible(), await count(page)]).toEqual([false, '1 of 3 done'])
    await page.locator('#conditions', { hasText: 'A field is no longer needed: Kind of pet.' }).waitFor()
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    expect(await kind.inputValue()).toBe('cat')
    await panel(page).getByRole('radio', { name: 'no', exact: true }).check()
    await panel(page).getByLabel('Persons').fill('3')
    await signTyped(page)
    await finish(page)
    expect(await words(page)).toContain('You are done')
    expect(await valuesOf(id)).toMatchObject({ 'Do you have a pet?': 'no', 'Kind of pet': null, Persons: '3' })
    const form = place.asked.findLast(({ path }) => path.endsWith('/finish'))
    expect(decodeURIComponent(form?.body ?? '')).not.toContain('cat')
  }, 60_000)

  test('that is required and hidden never blocks: “Next field” leads past it, and shown it is led to', async () => {
    const { page } = await open(ON_A_PHONE)
    await next(page).tap()
    await page.keyboard.press('ArrowDown')
    expect(await focusedValue(page)).toBe('no')
    await next(page).tap()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.keyboard.press('Escape')
    await marker(page, /Do you have a pet\?, yes/).tap()
    await next(page).tap()
    expect(
      await panel(page)
        .getByLabel('Kind of pet')
        .evaluate(e => e === document.activeElement),
    ).toBe(true)
  }, 60_000)

  test('that was missing and is hidden then is no longer listed in the summary', async () => {
    const { page } = await open()
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    await page.locator('#bar .end').click()
    expect(await page.locator('#summary').textContent()).toContain('Kind of pet')
    await panel(page).getByRole('radio', { name: 'no', exact: true }).check()
    expect(await page.locator('#summary').textContent()).not.toContain('Kind of pet')
    expect(await page.locator('#summary li').count()).toBe(3)
  }, 60_000)

  test('is as it was after a reload, with the value that was typed before it was hidden', async () => {
    const { page } = await open()
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    await panel(page).getByLabel('Kind of pet').fill('cat')
    await panel(page).getByRole('radio', { name: 'no', exact: true }).check()
    await page.locator('#bar .save', { hasText: /^Saved$/ }).waitFor()
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await panel(page).getByLabel('Kind of pet').isVisible()).toBe(false)
    await panel(page).getByRole('radio', { name: 'yes' }).check()
    expect(await panel(page).getByLabel('Kind of pet').inputValue()).toBe('cat')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('marks and fixed values with a condition', () => {
  const EXTRA = { type: 'checkbox', name: 'extra', label: 'With a garage', required: false, ...at(15, { width: 4 }) }
  const showIf = { field: 'extra', is: 'true' }
  const MARKS = [
    EXTRA,
    { type: 'text', label: 'Garage', value: 'No. 7', readOnly: true, showIf, ...at(20) },
    { type: 'initials', showIf, ...at(30, { width: 10 }) },
    { ...SIGNATURE, y: 50 },
    { ...SIGNATURE, y: 80, showIf },
  ]

  test('appear together: the number of places, the initials and what the sender has filled in', async () => {
    const { page, complaints } = await open({}, MARKS)
    const initials = panel(page).locator('[data-entry="initials"]')
    const garage = panel(page).getByText('No. 7')
    const use = panel(page).locator('[data-entry="signature"] .use')
    const shown = async () => [
      await initials.isVisible(),
      await garage.isVisible(),
      await page.locator('.marker:visible').count(),
    ]
    await panel(page).getByLabel('Type').first().check({ force: true })
    await page.getByLabel('Your full name').pressSequentially('Ada')
    expect([await shown(), await use.textContent()]).toEqual([[false, false, 2], 'Use this signature'])
    await panel(page)
      .getByLabel(/^With a garage/)
      .check()
    expect([await shown(), await count(page)]).toEqual([[true, true, 4], '2 of 3 done'])
    expect(await panel(page).locator('[data-entry="signature"] .chosen').textContent()).toContain('in 2 places')
    await panel(page)
      .getByLabel(/^With a garage/)
      .uncheck()
    expect([await shown(), await count(page)]).toEqual([[false, false, 2], 'Last step: your consent.'])
    expect(complaints).toEqual([])
  }, 60_000)

  test('that are hidden are neither asked nor stored, with and without a script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { id, page } = await open({ javaScriptEnabled }, MARKS)
      if (javaScriptEnabled) await signTyped(page)
      else {
        expect(await words(page)).toContain('Only if “With a garage” is ticked.')
        await page.getByLabel('Your initials').fill('')
        await page.getByLabel('Your full name').fill('Ada Lovelace')
        await page.getByLabel('I have read this and agree.').check()
      }
      const end = javaScriptEnabled ? page.locator('#bar .end') : page.getByRole('button', { name: 'Sign and finish' })
      await Promise.all([page.waitForEvent('load'), end.click()])
      expect([javaScriptEnabled, await statusOf(id)]).toEqual([javaScriptEnabled, 'completed'])
      expect(await valuesOf(id)).toMatchObject({ 'With a garage': 'false', Garage: null, initials: null, signature: null })
    }
  }, 60_000)
})
