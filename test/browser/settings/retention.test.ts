/** Retention, legal hold and the organisation in Chromium: whole stories, axe, a small window. */
import { describe, expect, test } from 'bun:test'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press, type Watch } from '../../support/browser.ts'
import { ADMIN } from '../../support/people.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { linkTo, sentDocument } from '../../support/story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let ids: string[] = []

const server = useAppServer(async ({ t }) => {
  ids = []
  for (let i = 0; i < 8; i++) {
    const id = await sentDocument(t, { title: `Rental contract ${i + 1}, Elm Street ${4 + 2 * i}` })
    await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
    ids.push(id)
    t.clock.pass({ days: 12 })
  }
  await t.drain()
})

const CLEAN: Watch = { foreign: [], complaints: [] }

describe.skipIf(NO_BROWSER)('retention', () => {
  test('is switched on after a preview, waits, and is called off', async () => {
    const { page, watch } = await server.signedIn()
    await page.goto('/settings/retention')
    await page.getByLabel('Completed').fill('x')
    await press(page, 'Continue')
    await page.getByText('Completed must be a number of months').first().waitFor()
    await page.getByLabel('Completed').fill('24')
    await page.getByLabel('Voided').fill('1')
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'What would be erased' }).waitFor()
    expect(await page.getByRole('link', { name: 'Rental contract 1, Elm Street 4' }).count()).toBe(1)
    await press(page, 'Erase documents after these periods')
    await page.getByText('Your change takes effect on').waitFor()
    await press(page, 'Call off the change')
    await page.getByText('Nothing is erased automatically').waitFor()
    expect(watch).toEqual(CLEAN)
    await page.context().close()
  }, 60_000)

  test('works without a script, with the password again', async () => {
    const { page } = await server.signedIn({ javaScriptEnabled: false })
    server.t.clock.pass({ minutes: 30 })
    await page.goto('/settings/retention/preview?voided=36')
    await page.locator('[name="password"]').fill(ADMIN.password)
    await press(page, 'Erase documents after these periods')
    await page.getByText('Your change takes effect on').waitFor()
    await page.context().close()
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'a legal hold is set and lifted in a dialog of the page of the document',
  async () => {
    const { page, watch } = await server.signedIn()
    await page.goto(`/documents/${ids[0]}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('Set a legal hold').first().click()
    const dialog = page.getByRole('dialog', { name: 'Set a legal hold' })
    await dialog.getByLabel('Reason').fill('Dispute with the tenant, case 4711')
    expect(await problemsAtAllSizes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Set a legal hold' }).click()
    await page.getByText('Under legal hold since').waitFor()
    expect(await problemsAtAllSizes(page)).toEqual([])
    await page.goto('/documents?view=all&hold=1')
    expect(await page.locator('tbody tr').count()).toBe(1)
    expect(await problemsAtAllSizes(page)).toEqual([])
    expect(watch).toEqual(CLEAN)
    await page.context().close()
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'the organisation has a colour, which recipients see, and habits',
  async () => {
    const { page, watch } = await server.signedIn({ timezoneId: 'Europe/Berlin' })
    await page.goto('/settings/organisation')
    await page.getByRole('button', { name: 'Use the time zone of this browser: Europe/Berlin' }).click()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
    const picker = page.getByLabel('Pick the colour')
    const samples = page.locator('[data-colour-sample] [data-action]')
    expect([await picker.inputValue(), await samples.first().isVisible()]).toEqual(['#2346c7', false])
    await picker.fill('#7a1f5c')
    expect(await page.locator('#colour').inputValue()).toBe('#7a1f5c')
    expect(await samples.first().getAttribute('fill')).toBe('#7a1f5c')
    await page.locator('#colour').fill('#0b6')
    expect(await picker.inputValue()).toBe('#00bb66')
    await page.locator('#colour').fill('#ffcc00')
    await page.locator('form[action="/settings/organisation"] button').last().click()
    await page.getByText('Colour must be darker').first().waitFor()
    await page.locator('#colour').fill('#0b6e4f')
    await page.locator('form[action="/settings/organisation"] button').last().click()
    await page.getByText('The organisation was saved.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('20:00')
    await page.getByLabel('To', { exact: true }).fill('07:30')
    await page.getByLabel('No reminders on Saturdays and Sundays').check()
    await page.locator('form[action="/settings/organisation/documents"] button').click()
    await page.getByText('The settings for new documents and reminders were saved.').waitFor()
    await page.context().close()

    await sentDocument(server.t, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
    const signer = await server.window()
    await signer.page.goto(linkTo(server.t, ADA.email))
    const button = signer.page.locator('main button.button').first()
    expect(await button.evaluate(each => getComputedStyle(each).backgroundColor)).toBe('rgb(11, 110, 79)')
    expect(await problemsAtAllSizes(signer.page)).toEqual([])
    expect(server.t.mails.at(-1)?.html).toContain('background:#0b6e4f')
    expect([watch, signer.watch]).toEqual([CLEAN, CLEAN])
    await signer.page.context().close()
  },
  60_000,
)
