/** Sign-in by a real OpenID Connect provider in Chromium: set up by an administrator, then used. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { invitePerson } from '../../../src/accounts/invitations.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { type AppServer, openAppServer } from '../../support/app-server.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow, press, type Watch, words } from '../../support/browser.ts'
import { demandBinary, emptyFolder, freePort, serve, until } from '../../support/executable.ts'
import { CLIENT } from '../../support/lying-provider.ts'
import { type OpenidProvider, openOpenidProvider } from '../../support/openid-provider.ts'
import { ADMIN, setUp } from '../../support/people.ts'

const CALLBACK = '/sign-in/oidc/callback'

let server: AppServer
let browser: Browser
let provider: OpenidProvider
const watches: Watch[] = []
beforeAll(async () => {
  if (NO_BROWSER) return
  server = await openAppServer()
  provider = await openOpenidProvider(server.url + CALLBACK)
  browser = await openBrowser()
}, 60_000)
// The provider has the clock of this machine.
beforeEach(() => {
  if (server) server.t.clock.now = new Date()
})
afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await server?.close()
})

async function open(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const { page, watch } = await openWindow(browser, server.url, options)
  watches.push(watch)
  return page
}

/** On the provider's own page. */
async function beThere(page: Page, user: string): Promise<void> {
  await page.getByLabel('User').fill(user)
  await press(page, 'Continue')
}

async function enterProvider(page: Page, { url }: OpenidProvider): Promise<void> {
  await page.getByLabel('Issuer').fill(url)
  await page.getByLabel('Client ID').fill(CLIENT.id)
  await page.getByLabel('Client secret').fill(CLIENT.secret)
  await page.getByLabel('Name on the button').fill('Acme ID')
  await page.getByLabel('E-mail domains').fill('acme.example')
  await page.getByLabel('Create an account as a member').check()
}

const pathOf = (page: Page) => new URL(page.url()).pathname

describe.skipIf(NO_BROWSER)('an identity provider', () => {
  test('is set up and tested by an administrator; what is wrong is said', async () => {
    const page = await open()
    await server.signIn(page)
    await page.goto('/settings/sign-in')
    expect(['sign-in-settings', await problemsAtAllSizes(page)]).toEqual(['sign-in-settings', []])
    await press(page, 'Set up', 'link')
    expect(await words(page)).toContain(server.url + CALLBACK)
    expect(['unset', await problemsAtAllSizes(page)]).toEqual(['unset', []])
    await page.getByLabel('Issuer').fill('login.example.com')
    await page.getByLabel('Create an account as a member').check()
    await press(page, 'Save')
    expect(await words(page)).toContain('Issuer must be an address such as https://login.example.com.')
    expect(['errors', await problemsAtAllSizes(page)]).toEqual(['errors', []])
    await enterProvider(page, { ...provider, url: `${provider.url}/wrong` })
    await press(page, 'Save')
    await press(page, 'Test the connection')
    expect(await words(page)).toContain('The connection does not work')
    expect(['test-bad', await problemsAtAllSizes(page)]).toEqual(['test-bad', []])
    await enterProvider(page, provider)
    await press(page, 'Save')
    expect(await words(page)).toContain('The settings were saved.')
    await press(page, 'Test the connection')
    expect(await words(page)).toContain(`${provider.url}/token`)
    expect(await page.getByLabel('Client secret').inputValue()).toBe('')
    expect(['test-good', await problemsAtAllSizes(page)]).toEqual(['test-good', []])
  }, 120_000)

  test('signs a new person in, without JavaScript too, and can be cancelled', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`**${CALLBACK}**`)
    expect(await words(page)).toContain('You cancelled the sign-in at the identity provider.')
    await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
    await page.getByLabel('User').fill('ada')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/documents')
    await page.goto('/profile')
    expect(await words(page)).toContain('Your account at Acme ID is ada@acme.example')
    expect(await words(page)).toContain('Your account has no password.')
  }, 120_000)

  test('confirms a sensitive change of a person without a password, who signs in there again', async () => {
    const page = await open()
    await page.goto('/sign-in')
    expect(['sign-in', await problemsAtAllSizes(page)]).toEqual(['sign-in', []])
    await press(page, 'Sign in with Acme ID', 'link')
    await beThere(page, 'ada')
    expect(pathOf(page)).toBe('/documents')
    const confirmed_at = new Date(Date.now() - 20 * 60_000).toISOString()
    await server.t.app.write(tx => tx.updateTable('sessions').set({ confirmed_at }).execute())
    await page.goto('/profile/identity/unlink')
    expect(['confirm-first', await problemsAtAllSizes(page)]).toEqual(['confirm-first', []])
    await press(page, 'Confirm with Acme ID', 'link')
    await beThere(page, 'ada')
    expect(pathOf(page)).toBe('/profile/identity/unlink')
    expect(['unlink', await problemsAtAllSizes(page)]).toEqual(['unlink', []])
    await press(page, 'Unlink')
    expect(await words(page)).toContain('This is your only way to sign in.')
  }, 120_000)

  test('is linked by an administrator in the profile, signs in, and is unlinked after a question', async () => {
    const page = await open()
    await server.signIn(page)
    await page.goto('/profile')
    expect(['profile-unlinked', await problemsAtAllSizes(page)]).toEqual(['profile-unlinked', []])
    await press(page, 'Link Acme ID', 'link')
    await beThere(page, 'grace')
    expect(await words(page)).toContain('The account was linked.')
    expect(['profile-linked', await problemsAtAllSizes(page)]).toEqual(['profile-linked', []])
    await page.context().clearCookies({ name: 'signet_session' })
    await page.goto('/sign-in')
    await press(page, 'Sign in with Acme ID', 'link')
    expect(pathOf(page)).toBe('/documents')
    await page.goto('/settings/people')
    expect(['people', await problemsAtAllSizes(page)]).toEqual(['people', []])
    await press(page, 'Manage Grace Hopper', 'link')
    expect(await words(page)).toContain('password, Acme ID (grace@acme.example)')
    expect(['person', await problemsAtAllSizes(page)]).toEqual(['person', []])
    await page.goto('/profile')
    await press(page, 'Unlink…', 'link')
    await press(page, 'Unlink')
    expect(await words(page)).toContain('The account was unlinked.')
  }, 120_000)

  test('is offered to a person who was invited', async () => {
    const grace = (await userByEmail(server.t.app.db, ADMIN.email)) as User
    const eve = { name: 'Eve', email: 'eve@acme.example', role: 'member', language: 'en' }
    const origin = { actor: actorOfUser(grace), ip: undefined, userAgent: undefined }
    const link = await invitePerson(server.t.app, eve, 'link', origin)
    const page = await open()
    await page.goto(link ?? '')
    expect(['invitation', await problemsAtAllSizes(page)]).toEqual(['invitation', []])
    await press(page, 'Sign in with Acme ID', 'link')
    await beThere(page, 'eve')
    expect(pathOf(page)).toBe('/documents')
  }, 120_000)

  test('is the only way for others, if so chosen; it is switched off after a question', async () => {
    const page = await open()
    await server.signIn(page)
    await page.goto('/settings/sign-in/openid-connect')
    await page.getByLabel('Only administrators may still use them').check()
    await press(page, 'Save')
    const phone = await open({ ...ON_A_PHONE, locale: 'de-DE' })
    await phone.goto('/sign-in')
    expect(['only-way', await problemsAtAllSizes(phone)]).toEqual(['only-way', []])
    await phone.getByText('Für die Administration: mit Passwort anmelden').click()
    expect(['only-way-open', await problemsAtAllSizes(phone)]).toEqual(['only-way-open', []])
    await page.goto('/settings/sign-in/openid-connect')
    await press(page, 'Switch off…', 'link')
    expect(await words(page)).toContain('2 people without a password')
    expect(['switch-off', await problemsAtAllSizes(page)]).toEqual(['switch-off', []])
    await press(page, 'Switch off')
    await page.goto('/sign-in')
    expect(await words(page)).not.toContain('Acme ID')
  }, 120_000)

  test('works in the executable, discovery included', async () => {
    demandBinary()
    const folder = emptyFolder()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const other = await openOpenidProvider(url + CALLBACK)
    const serving = await serve(folder.path, { port })
    const { page, watch } = await openWindow(browser, url)
    watches.push(watch)
    try {
      await setUp(page, await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(serving.greeting)?.[0]))
      await page.goto('/settings/sign-in/openid-connect')
      await enterProvider(page, other)
      await press(page, 'Save')
      await press(page, 'Test the connection')
      expect(await words(page)).toContain('The provider answers')
      await page.context().clearCookies({ name: 'signet_session' })
      await page.goto('/sign-in')
      await press(page, 'Sign in with Acme ID', 'link')
      await beThere(page, 'ada')
      expect(pathOf(page)).toBe('/documents')
    } finally {
      await page.close()
      await serving.end('SIGTERM')
      await other.close()
      folder.remove()
    }
  }, 120_000)

  test('needs no exception of the content security policy', () => {
    expect(watches.flatMap(({ complaints }) => complaints)).toEqual([])
  })
})
