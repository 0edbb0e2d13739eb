/** The set-up page in Chromium: the time zone of the browser, chosen ahead and offered again. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { issueSetupToken } from '../../../src/accounts/people.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(60_000)
const place = useSigningService()

test.skipIf(NO_BROWSER)('the time zone is that of the browser, and is offered after another was chosen', async () => {
  const { page, watch } = await place.window({ timezoneId: 'Europe/Berlin' })
  await page.goto(`/setup/${await issueSetupToken(place.t.app)}`)
  const list = page.getByLabel('Time zone', { exact: true })
  const offer = page.getByRole('button', { name: 'Use the time zone of this browser: Europe/Berlin' })
  expect([await list.inputValue(), await offer.isVisible()]).toEqual(['Europe/Berlin', false])
  await list.selectOption('Asia/Tokyo')
  expect(await problemsAtAllSizes(page)).toEqual([])
  await offer.click()
  expect([await list.inputValue(), await offer.isVisible()]).toEqual(['Europe/Berlin', false])
  await list.selectOption('Asia/Tokyo')
  await page.locator('form').evaluate(form => {
    ;(form as HTMLFormElement).noValidate = true
  })
  await press(page, 'Set up')
  expect([await list.inputValue(), await offer.isVisible()]).toEqual(['Asia/Tokyo', true])
  expect(watch.foreign).toEqual([])
})

test.skipIf(NO_BROWSER)('the language of the organisation is that of the browser, and e-mails are in it', async () => {
  const { page, watch } = await place.window({ locale: 'de-DE' })
  await page.goto(`/setup/${await issueSetupToken(place.t.app)}`)
  const list = page.getByLabel('Sprache der Organisation')
  expect(await list.inputValue()).toBe('de')
  expect(await problemsAtAllSizes(page)).toEqual([])
  await page.getByLabel('Organisation', { exact: true }).fill('Mühle GmbH')
  await page.getByLabel('Ihr Name').fill('Grace Hopper')
  await page.getByLabel('Ihre E-Mail-Adresse').fill('grace@example.com')
  await page.getByLabel('Passwort').fill('four sound words here')
  await press(page, 'Einrichten')
  await place.send({ recipients: [{ name: 'Bob', email: 'bob@example.com', fields: [SIGNATURE] }] }, 'bob@example.com')
  expect(place.t.mails.at(-1)?.subject).toContain('Bitte unterschreiben')
  expect(watch.complaints).toEqual([])
})
