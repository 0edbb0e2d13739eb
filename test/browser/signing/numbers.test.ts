/** Numbers with separators of thousands, as they are typed: shown back at once, or asked. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { pageProblems } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { at, finish, useSigningScene } from '../../support/signing-scene.ts'

setDefaultTimeout(120_000)
const { open, valuesOf, statusOf } = useSigningScene()
const FIELDS = [{ type: 'number', label: 'Rent', max: 100_000, ...at(40) }, SIGNATURE]
const WHY = { type: 'text', label: 'Why', required: false, showIf: { field: 'rent', is: '1250' }, ...at(50) }

describe.skipIf(NO_BROWSER)('a number', () => {
  for (const [locale, typed, shown, stored, name, options] of [
    ['de', '1.250,50', '= 1\u00a0250,50', '1250.50', 'on a wide screen', {}],
    ['en', '1,250', '= 1\u00a0250', '1250', 'on a phone', ON_A_PHONE],
  ] as const)
    test(`${typed} is shown as it is read, ${name}: ${locale}`, async () => {
      const { id, page, complaints } = await open(options, FIELDS, { locale })
      await page.locator('#bar .next').click()
      const entry = page.locator('[data-entry^="fields."] input')
      await entry.fill(typed)
      expect(await page.locator('.number-reading').textContent()).toBe(shown)
      expect(await pageProblems(page)).toEqual([])
      await page.locator('#bar .next').click()
      await page.locator('[name="signatureMethod"][value="typed"]').check({ force: true })
      await page.locator('[data-mark="signature"] .own').click()
      await page.locator('#bar .end').click()
      await page.locator('#consent').check()
      await finish(page)
      expect([await statusOf(id), (await valuesOf(id)).Rent, complaints]).toEqual(['completed', stored, []])
    })

  test('that could be two numbers is asked: the choice is entered, announced and counted', async () => {
    const { page } = await open({}, FIELDS, { locale: 'en' })
    const entry = page.locator('[data-entry^="fields."] input')
    await entry.fill('25.000')
    await entry.blur()
    const place = page.locator('.number-reading')
    expect(await place.getByRole('button').allTextContents()).toEqual(['25\u00a0000', '25.00'])
    expect(await place.getAttribute('role')).toBe('status')
    await page.locator('#bar .end').click()
    expect(await page.locator('[id^="fields."][id$="-error"]').textContent()).toContain('can be two numbers')
    await place.getByRole('button', { name: '25\u00a0000' }).click()
    expect([await entry.inputValue(), await place.textContent()]).toEqual(['25000', '= 25\u00a0000'])
    expect(await page.locator('[id^="fields."][id$="-error"]').isVisible()).toBe(false)
  })

  test('above its maximum is refused as it is read: 250.000 in German is not 250', async () => {
    const { page } = await open({}, FIELDS, { locale: 'de' })
    const entry = page.locator('[data-entry^="fields."] input')
    await entry.fill('250.000')
    await page.locator('#bar .end').click()
    expect(await page.locator('[id^="fields."][id$="-error"]').textContent()).toContain('100.000')
  })

  test('shows the field that depends on it, however it is written', async () => {
    const { page } = await open({}, [{ ...FIELDS[0], name: 'rent' }, WHY, SIGNATURE], { locale: 'de' })
    const entry = page.locator('[data-entry^="fields."] input').first()
    await entry.fill('1.250,00')
    await page.getByRole('textbox', { name: /^Why/ }).waitFor()
    await entry.fill('1.251')
    await page.getByRole('textbox', { name: /^Why/ }).waitFor({ state: 'hidden' })
  })
})
