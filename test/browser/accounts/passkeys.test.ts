/** Passkeys in Chromium with a virtual authenticator: added, used, named, removed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { saveSetting } from '../../../src/settings/queries.ts'
import { addPerson } from '../../support/accounts.ts'
import { type AppServer, openAppServer } from '../../support/app-server.ts'
import { pageProblems, problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow, press, type Watch, words } from '../../support/browser.ts'
import { demandBinary, emptyFolder, freePort, serve, until } from '../../support/executable.ts'
import { setUp } from '../../support/people.ts'
import { plugIn, type VirtualAuthenticator } from '../../support/virtual-authenticator.ts'

let server: AppServer
let browser: Browser
const watches: Watch[] = []
beforeAll(async () => {
  if (NO_BROWSER) return
  server = await openAppServer({ host: 'localhost' })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** A window that waits for a passkey keeps those of others from getting one. */
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
})

async function open(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const { page, watch } = await openWindow(browser, server.url, options)
  watches.push(watch)
  return page
}

/** Nobody is there: the sign-in page asks for a passkey as soon as it opens. */
async function signOut(page: Page, phone: VirtualAuthenticator): Promise<void> {
  await page.context().clearCookies({ name: 'signet_session' })
  await phone.setPresent(false)
  await page.addInitScript(() => {
    const { get } = CredentialsContainer.prototype
    CredentialsContainer.prototype.get = function (options) {
      document.documentElement.dataset.asked = 'passkey'
      return get.call(this, options)
    }
  })
  await page.goto('/sign-in')
  await page.locator('html[data-asked=passkey]').waitFor()
}

async function signInByPasskey(page: Page, phone: VirtualAuthenticator): Promise<void> {
  await phone.setPresent(true)
  await press(page, 'Sign in with a passkey')
}

describe.skipIf(NO_BROWSER)('a passkey', () => {
  test('is added, signs in, proves who the person is, and is removed', async () => {
    const page = await open()
    const phone = await plugIn(page)
    await server.signIn(page)
    await page.goto('/profile')
    expect(await words(page)).toContain('You have no passkey yet.')
    await press(page, 'Add a passkey', 'link')
    await page.getByLabel('Name', { exact: true }).fill('Work laptop')
    await press(page, 'Create passkey')
    expect(await words(page)).toContain('Work laptop')
    expect((await phone.credentials()).length).toBe(1)
    expect(await pageProblems(page)).toEqual([])

    await page.goto('/profile/passkeys/add')
    await page.getByLabel('Name', { exact: true }).fill('Again')
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByText('This device already holds a passkey for your account.').waitFor()

    await signOut(page, phone)
    await signInByPasskey(page, phone)
    expect(new URL(page.url()).pathname).toBe('/documents')

    server.t.clock.pass({ minutes: 16 })
    await page.goto('/profile')
    await press(page, 'Remove the passkey Work laptop', 'link')
    expect(await pageProblems(page)).toEqual([])
    await press(page, 'Use a passkey instead')
    expect(await words(page)).toContain('The passkey was removed.')
    await signOut(page, phone)
    await signInByPasskey(page, phone)
    expect(await words(page)).toContain('The passkey was not accepted.')
  }, 120_000)

  test('without the right finger says so, and leaves the password', async () => {
    const page = await open()
    const phone = await plugIn(page)
    await page.goto('/sign-in')
    await phone.setUserVerified(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor({ timeout: 60_000 })
    await server.signIn(page)
    expect(new URL(page.url()).pathname).toBe('/documents')
  }, 120_000)

  test('is offered on a phone, in German; without JavaScript a sentence says why it is absent', async () => {
    const phone = await open({ ...ON_A_PHONE, locale: 'de-DE' })
    await phone.goto('/sign-in')
    await phone.getByRole('button', { name: 'Mit einem Passkey anmelden' }).waitFor()
    expect(await pageProblems(phone, 'layout')).toEqual([])
    await plugIn(phone)
    await server.signIn(phone)
    await phone.goto('/profile/passkeys/add')
    expect(await pageProblems(phone, 'layout')).toEqual([])
    await phone.getByLabel('Name', { exact: true }).fill('Telefon')
    await press(phone, 'Passkey erstellen')
    expect(await pageProblems(phone, 'layout')).toEqual([])
    const plain = await open({ javaScriptEnabled: false })
    await plain.goto('/sign-in')
    expect(await plain.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
    expect(await plain.locator('noscript p').textContent()).toContain('Passkeys need JavaScript')
    expect(await plain.locator('noscript p').isVisible()).toBe(true)
  }, 120_000)

  test('is chosen in the field for the account, without a button; the form by password still works', async () => {
    const page = await open()
    const phone = await plugIn(page)
    await server.signIn(page)
    await page.goto('/profile/passkeys/add')
    await page.getByLabel('Name', { exact: true }).fill('Autofill')
    await press(page, 'Create passkey')
    await page.context().clearCookies({ name: 'signet_session' })
    await page.goto('/sign-in')
    await page.waitForURL('**/documents')
    await signOut(page, phone)
    expect(await page.getByLabel('E-mail address').getAttribute('autocomplete')).toBe('username webauthn')
    await server.signIn(page)
    expect(new URL(page.url()).pathname).toBe('/documents')
  }, 120_000)

  test('proves who the person is in a form of several buttons, which then sends the one pressed', async () => {
    const page = await open()
    await plugIn(page)
    await server.signIn(page)
    await page.goto('/profile/passkeys/add')
    await page.getByLabel('Name', { exact: true }).fill('Buttons')
    await press(page, 'Create passkey')
    server.t.clock.pass({ minutes: 16 })
    await page.goto('/settings/email')
    await page.getByRole('button', { name: 'Save', exact: true }).evaluate(save => {
      const other = Object.assign(document.createElement('button'), { type: 'submit', name: 'do', value: 'other' })
      other.textContent = 'Other'
      save.after(other)
    })
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByText('Now press the button that you want.').waitFor()
    expect(await page.getByRole('button', { name: 'Use a passkey instead' }).isVisible()).toBe(false)
    const sent = page.waitForRequest(request => request.method() === 'POST')
    await page.getByRole('button', { name: 'Other' }).click()
    const form = new URLSearchParams((await sent).postData() ?? '')
    expect([form.get('do'), form.get('password'), form.get('passkey')?.startsWith('{"id"')]).toEqual(['other', '', true])
    await page.waitForLoadState()
    expect(await words(page)).not.toContain('Please check')
  }, 120_000)

  test('is the second factor of a person of whom one is required; a recovery code takes its place', async () => {
    const mia = await addPerson(server.t, 'Mia', 'member', { signsIn: true })
    await server.t.app.write(tx => saveSetting(tx, 'signIn.secondFactor', 'required'))
    const page = await open()
    const phone = await plugIn(page)
    const signIn = async () => {
      await page.goto('/sign-in')
      await page.getByLabel('E-mail address').fill(mia.email)
      await page.getByLabel('Password').fill(mia.password)
      await press(page, 'Sign in')
    }
    await signIn()
    expect(await words(page)).toContain('Choose your second factor')
    expect(['required', await problemsAtAllSizes(page)]).toEqual(['required', []])
    await press(page, 'Add a passkey', 'link')
    expect(['required-add', await problemsAtAllSizes(page)]).toEqual(['required-add', []])
    await page.getByLabel('Name', { exact: true }).fill('Phone')
    await press(page, 'Create passkey')
    expect(await words(page)).toContain('The passkey was added. It is your second factor.')
    expect(['required-codes', await problemsAtAllSizes(page)]).toEqual(['required-codes', []])
    const [code = ''] = await page.locator('.recovery-codes code').allTextContents()
    await press(page, 'I have kept them', 'link')
    expect(await words(page)).toContain('10 recovery codes left.')
    expect(['required-profile', await problemsAtAllSizes(page)]).toEqual(['required-profile', []])

    await signOut(page, phone)
    await signIn()
    expect(await words(page)).toContain('Use your passkey')
    expect(['second-step', await problemsAtAllSizes(page)]).toEqual(['second-step', []])
    await phone.setPresent(true)
    await phone.setUserVerified(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor({ timeout: 60_000 })
    await phone.setUserVerified(true)
    await press(page, 'Sign in with a passkey')
    expect(new URL(page.url()).pathname).toBe('/documents')

    await signOut(page, phone)
    await signIn()
    await page.getByText('You do not have your passkey with you?').click()
    await page.getByLabel('Recovery code').fill('AAAA-AAAA-AAAA')
    await press(page, 'Sign in')
    expect(await words(page)).toContain('Recovery code is not right')
    expect(['second-step-code', await problemsAtAllSizes(page)]).toEqual(['second-step-code', []])
    await page.getByLabel('Recovery code').fill(code)
    await press(page, 'Sign in')
    expect(await words(page)).toContain('You have 9 recovery codes left.')
  }, 240_000)

  test('works in the executable', async () => {
    demandBinary()
    const folder = emptyFolder()
    const port = await freePort()
    const url = `http://localhost:${port}`
    const serving = await serve(folder.path, { port, env: { SIGNET_BASE_URL: url } })
    const { page, watch } = await openWindow(browser, url)
    try {
      watches.push(watch)
      const phone = await plugIn(page)
      await setUp(page, await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(serving.greeting)?.[0]))
      await page.goto('/profile/passkeys/add')
      await page.getByLabel('Name', { exact: true }).fill('Work laptop')
      await press(page, 'Create passkey')
      await signOut(page, phone)
      await signInByPasskey(page, phone)
      expect(new URL(page.url()).pathname).toBe('/documents')
    } finally {
      await page.close()
      await serving.end('SIGTERM')
      folder.remove()
    }
  }, 120_000)

  test('runs within the content security policy, and asks nobody else', () => {
    expect(watches.flatMap(({ foreign, complaints }) => [...foreign, ...complaints])).toEqual([])
  })
})
