/** What the signer's page shows as first, as one of several, and as wrong. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, press } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { PET, useSigningScene } from '../../support/signing-scene.ts'

setDefaultTimeout(120_000)
const { open } = useSigningScene()
const styleOf = (locator: Locator, name: 'backgroundColor' | 'borderRadius' | 'visibility') =>
  locator.evaluate((element, member) => getComputedStyle(element)[member], name)
const BACKGROUND = 'backgroundColor'

describe.skipIf(NO_BROWSER)('the page of a signer', () => {
  test('fills the one button that is next: to use the mark that was made, before the next field', async () => {
    const { page } = await open({}, [SIGNATURE, { ...SIGNATURE, y: 60 }, PET])
    const next = page.locator('#bar .next')
    await next.click()
    await page.getByLabel('Type', { exact: true }).check({ force: true })
    await page.mouse.move(0, 0)
    const filled = await styleOf(next, BACKGROUND)
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    const use = page.locator('.use')
    expect(await styleOf(use, BACKGROUND)).toBe(filled)
    expect(await styleOf(next, BACKGROUND)).not.toBe(filled)
    await use.click()
    expect(await use.isVisible()).toBe(false)
    await page.mouse.move(0, 0)
    expect(await styleOf(next, BACKGROUND)).toBe(filled)
  })

  test('says "Saved" once something is done', async () => {
    const { page } = await open({}, [SIGNATURE])
    const save = page.locator('#bar .save')
    await save.evaluate(element => {
      element.dataset.state = 'saved'
    })
    expect(await styleOf(save, 'visibility')).toBe('hidden')
    await page.locator('#bar .next').click()
    await page.getByLabel('Type', { exact: true }).check({ force: true })
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.locator('.use').click()
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    expect(await styleOf(save, 'visibility')).toBe('visible')
  })

  test('shows each radio button as a circle, also those that are not chosen', async () => {
    const { page } = await open({}, [PET, SIGNATURE])
    const options = page.locator('.marker.option')
    await options.first().click()
    expect(await options.count()).toBe(2)
    for (const option of await options.all()) {
      expect(await styleOf(option, 'borderRadius')).toBe('50%')
      expect(await option.isVisible()).toBe(true)
    }
  })

  test('marks an error by an icon and words', async () => {
    const iconOf = (locator: Locator) => locator.evaluate(element => getComputedStyle(element, '::before').maskImage)
    const { page } = await open({}, [SIGNATURE])
    await page.locator('#bar .next').click()
    await page.locator('#bar .next').click()
    const error = page.locator('.field-error:visible').first()
    expect(await iconOf(error)).toStartWith('url("data:image/svg+xml')
    expect((await error.textContent())?.length).toBeGreaterThan(5)
  })

  test('shows the page with the mark small after the signature on a phone', async () => {
    const { page } = await open(ON_A_PHONE, [SIGNATURE])
    await page.locator('#bar .next').tap()
    await page.getByLabel('Type', { exact: true }).check({ force: true })
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.locator('.use').tap()
    await page.locator('#bar .next').tap()
    await page.locator('#consent').check()
    await press(page, 'Sign and finish')
    await page.locator('.done-picture canvas.paper').waitFor()
    const box = await page.locator('.done-picture').boundingBox()
    expect(box?.height).toBeLessThan(0.3 * 740)
  })
})
