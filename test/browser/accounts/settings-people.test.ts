/** Settings → People and invitations in Chromium: what a person sees and presses. */
import { afterEach, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, press, type Watch } from '../../support/browser.ts'
import { openPeopleScene, type PeopleScene } from '../../support/people-scenes.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let scene: PeopleScene
let watches: Watch[] = []
const server = useAppServer(async opened => {
  scene = await openPeopleScene(opened)
})
afterEach(() => {
  expect(watches.flatMap(watch => [...watch.foreign, ...watch.complaints])).toEqual([])
  watches = []
})

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const { page, watch } = await server.window(options)
  watches.push(watch)
  return page
}

async function administrator(): Promise<Page> {
  const { page, watch } = await server.signedIn()
  watches.push(watch)
  return page
}

test.skipIf(NO_BROWSER)(
  'an administrator invites by a link, and the invited person is in',
  async () => {
    const page = await administrator()
    await page.goto('/settings/people')
    await press(page, 'Invite a person', 'link')
    await page.getByLabel('Name').fill('Rosalind Franklin')
    await page.getByLabel('E-mail address').fill('rosalind@example.com')
    await page.getByRole('radio', { name: /^Auditor/ }).check()
    await page.getByRole('radio', { name: /^Show it to me once/ }).check()
    await press(page, 'Invite')
    const link = (await page.locator('.key').textContent())?.trim() ?? ''
    const invited = await open(ON_A_PHONE)
    await invited.goto(link)
    await invited.getByLabel('Password').fill('short')
    await press(invited, 'Create my account')
    expect(await invited.getByRole('alert').textContent()).toContain('at least 12 characters')
    await invited.getByLabel('Password').fill('four plain words here')
    await press(invited, 'Create my account')
    expect(invited.url()).toEndWith('/documents')
    expect(await invited.getByRole('link', { name: /New/ }).count()).toBe(0)
    await page.goto('/settings/people')
    expect(await page.getByRole('row', { name: /Rosalind Franklin/ }).textContent()).toContain('Auditor')
  },
  60_000,
)

test.skipIf(NO_BROWSER)(
  'a disabled person is signed out at once and reads why at the next sign-in',
  async () => {
    const [page, theirs] = [await administrator(), await open()]
    const signIn = async () => {
      await theirs.goto('/sign-in')
      await theirs.getByLabel('E-mail address').fill(scene.mia.email)
      await theirs.getByLabel('Password').fill(scene.mia.password)
      await press(theirs, 'Sign in')
    }
    await signIn()
    await page.goto(`/settings/people/${scene.mia.id}`)
    await press(page, 'Disable', 'link')
    await press(page, 'Disable the account')
    expect(await page.getByRole('status').first().textContent()).toContain('The account is disabled')
    await theirs.goto('/documents')
    expect(theirs.url()).toContain('/sign-in')
    await signIn()
    expect(await theirs.getByRole('alert').textContent()).toContain('This account is disabled')
    await page.goto(`/settings/people/${scene.mia.id}`)
    await press(page, 'Enable', 'link')
    await press(page, 'Enable the account')
    await signIn()
    expect(theirs.url()).toEndWith('/documents')
  },
  60_000,
)
