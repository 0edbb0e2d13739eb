/** Sign-in with a second factor and the profile in Chromium: what people do, and axe-core. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createAdmin } from '../../../src/accounts/people.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press, words } from '../../support/browser.ts'
import { ADMIN } from '../../support/people.ts'
import { authenticatorFor } from '../../support/second-factor.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const THEO = { email: 'theo@example.com', name: 'Theo', password: 'quite other words here' }

const server = useAppServer(({ t }) => createAdmin(t.app, THEO))

describe.skipIf(NO_BROWSER)('a person', () => {
  test('sets up an authenticator app, keeps the codes, and signs in with them, without scripts too', async () => {
    const { page, watch } = await server.window()
    await server.signIn(page)
    await page.goto(`${server.url}/profile`)
    await press(page, 'Set up', 'link')
    await press(page, 'Continue')
    const phone = authenticatorFor(server.t.app, (await page.locator('pre.key').textContent()) ?? '')
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await press(page, 'Switch on')
    expect(await words(page)).toContain('Code is not right')
    await page.getByLabel('Code', { exact: true }).fill(phone.code())
    await press(page, 'Switch on')
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const saved = await waiting
    expect(saved.suggestedFilename()).toBe('signet-recovery-codes.txt')
    const codes = readFileSync(await saved.path(), 'utf8').match(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){5}$/gm) ?? []
    expect(codes).toHaveLength(10)
    await press(page, 'I have kept them', 'link')
    await page.goto(`${server.url}/profile/second-factor/remove`)
    await page.goto(`${server.url}/settings/sign-in`)
    await press(page, 'Require a second factor…', 'link')
    await press(page, 'Require a second factor')
    expect(await words(page)).toContain('On: everybody needs a second factor.')
    expect(watch.foreign).toEqual([])

    server.t.clock.pass({ minutes: 1 })
    const plain = await server.window({ javaScriptEnabled: false })
    await server.signIn(plain.page)
    await plain.page.getByLabel('Code', { exact: true }).fill(phone.code())
    await press(plain.page, 'Sign in')
    expect(new URL(plain.page.url()).pathname).toBe('/documents')
    const lost = await server.window()
    await server.signIn(lost.page)
    await lost.page.getByLabel('Code', { exact: true }).fill(codes[0]?.toLowerCase() ?? '')
    await press(lost.page, 'Sign in')
    expect(await words(lost.page)).toContain('You have 9 recovery codes left.')
    expect(await problemsAtAllSizes(lost.page)).toEqual([])
  }, 240_000)

  test('without the required second factor is led to its set-up', async () => {
    const { page } = await server.window()
    await page.goto(`${server.url}/sign-in`)
    await page.getByLabel('E-mail address').fill(THEO.email)
    await page.getByLabel('Password').fill(THEO.password)
    await press(page, 'Sign in')
    expect(new URL(page.url()).pathname).toBe('/profile/second-factor')
    expect(await problemsAtAllSizes(page)).toEqual([])
    await press(page, 'Continue')
  }, 120_000)

  test('who forgot the password asks for a link', async () => {
    const { page } = await server.window()
    await page.goto(`${server.url}/sign-in`)
    await press(page, 'Forgotten your password?', 'link')
    await page.getByLabel('E-mail address').fill(ADMIN.email)
    await press(page, 'Send the link')
    expect(await words(page)).toContain(`If there is an account for ${ADMIN.email}`)
  }, 120_000)
})
