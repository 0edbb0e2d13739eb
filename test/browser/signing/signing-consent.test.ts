/** The consent as the last step on a phone. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { catalogueOf } from '../../../src/locales/index.ts'
import { NO_BROWSER, ON_A_PHONE } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { count, finish, useSigningScene } from '../../support/signing-scene.ts'

const { open, place, statusOf } = useSigningScene()
const LOW = { ...ON_A_PHONE, viewport: { width: 360, height: 640 } }
const isRed = (page: Page) => page.locator('#summary, [id="consent-error"]:not([hidden])').count()

/** The id of the control with the focus; whether bar and head leave its label free. */
function atFocus(page: Page) {
  return page.evaluate(() => {
    const control = document.activeElement
    const label = control?.closest('label')?.getBoundingClientRect()
    const bar = document.querySelector('#bar')?.getBoundingClientRect()
    const isFree = !!label && !!bar && label.top > 0 && label.bottom <= bar.top
    return { id: control?.id, isFree }
  })
}
/** After the bar took its new height. */
const settled = (page: Page) =>
  page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))

describe.skipIf(NO_BROWSER)('with everything but the consent, on a low phone', () => {
  for (const [button, locale] of [
    ['.end', 'en'],
    ['.next', 'en'],
    ['.end', 'de'],
    ['.end', 'ar'],
  ] as const)
    test(`${button} leads to it without an error, whole above the bar; then the button that finishes is the primary one: ${locale}`, async () => {
      const { id, page, complaints } = await open(LOW, [SIGNATURE], { locale })
      await page.locator('#bar .next').tap()
      await page.locator('[name="signatureMethod"][value="typed"]').tap()
      await page.locator('[data-mark="signature"] .own').tap()
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('radio')
      await page.locator('#bar').locator(button).tap()
      await settled(page)
      expect(await atFocus(page)).toEqual({ id: 'consent', isFree: true })
      // Each of the two says it once.
      const { consentLeft, allDone } = catalogueOf(locale).signer.script
      const head = await page.locator('.sheet-head .place').textContent()
      expect([await isRed(page), head, await count(page)]).toEqual([0, consentLeft, allDone])
      const plain = page.locator('#bar .acts .plain')
      expect([await plain.count(), await plain.getAttribute('class')]).toEqual([1, expect.stringContaining('next')])
      await page.locator('#consent').tap()
      await settled(page)
      expect(await atFocus(page)).toEqual({ id: 'consent', isFree: true })
      await finish(page)
      expect([await statusOf(id), complaints]).toEqual(['completed', []])
    }, 60_000)

  test('a second press without it says what is missing, there', async () => {
    const { page } = await open(LOW, [SIGNATURE])
    await page.locator('#bar .next').tap()
    await page.locator('[name="signatureMethod"][value="typed"]').tap()
    await page.locator('[data-mark="signature"] .own').tap()
    await page.locator('#bar .end').tap()
    await page.locator('#bar .end').tap()
    await settled(page)
    expect(await page.locator('[id="consent-error"]').textContent()).toContain('ticking the box')
    expect(await atFocus(page)).toEqual({ id: 'consent', isFree: true })
    expect(place.asked.filter(({ path }) => path.endsWith('/finish'))).toEqual([])
  }, 60_000)
})
