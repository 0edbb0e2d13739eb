/** The page that asks for a one-time code, on a phone, with and without scripts. */
import { describe, expect, test } from 'bun:test'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

const place = useSigningService()

describe.skipIf(NO_BROWSER)('a one-time code', () => {
  test.each([
    ['en', true],
    ['ar', false],
  ])(
    'is asked for and entered on a phone, in %s, with scripts: %p',
    async (locale, javaScriptEnabled) => {
      const recipients = [{ ...ADA, locale, verify: 'email_code', fields: [SIGNATURE] }]
      const { link } = await place.send({ recipients }, ADA.email)
      const { page } = await place.window({ ...ON_A_PHONE, javaScriptEnabled })
      await page.goto(link)
      if (javaScriptEnabled) expect(await problemsAtAllSizes(page)).toEqual([])
      await page.locator('form[action$="/code"] button').click()
      await place.t.drain()
      const entry = page.locator('input[name="code"]')
      expect(await entry.getAttribute('autocomplete')).toBe('one-time-code')
      expect(await entry.getAttribute('inputmode')).toBe('numeric')
      expect(await words(page)).toContain('a***@example.com')
      if (javaScriptEnabled) expect(await problemsAtAllSizes(page)).toEqual([])
      const [, first = '', second = ''] = /(\d{3})\s(\d{3})/.exec(place.t.mails.at(-1)?.text ?? '') ?? []
      await entry.fill('12')
      await entry.press('Enter')
      if (javaScriptEnabled) expect(await problemsAtAllSizes(page)).toEqual([])
      await page.locator('input[name="code"]').fill(`${first} ${second}`)
      if (javaScriptEnabled) await press(page, 'Open the document')
      else await page.locator('input[name="code"]').press('Enter')
      await page.waitForURL(/\/sign\/rcp_/)
    },
    60_000,
  )
})
