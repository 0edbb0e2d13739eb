/** Settings → API tokens and Webhooks in Chromium: with and without scripts, wide and narrow. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, type Watch, words } from '../../support/browser.ts'
import { type HttpSink, openHttpSink } from '../../support/http-sink.ts'
import { sentDocument } from '../../support/story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let sink: HttpSink
let status = 200
const watches: Watch[] = []
const server = useAppServer(async () => {
  sink = await openHttpSink((_request, response) => {
    response.writeHead(status, { 'x-receiver': 'hr-7' })
    response.end('<script>document.title = "gone"</script>')
  })
})
afterAll(async () => {
  await sink?.close()
})

async function signedIn(options?: BrowserContextOptions): Promise<Page> {
  const { page, watch } = await server.signedIn(options)
  watches.push(watch)
  return page
}

async function makeWebhook(page: Page): Promise<void> {
  await page.goto('/settings/webhooks/new')
  await page.getByLabel('URL').fill(`${sink.url}/hook`)
  await page.getByRole('radio', { name: 'All events' }).check()
  await press(page, 'Create webhook')
}

describe.skipIf(NO_BROWSER)('API tokens', () => {
  test('show what belongs to a choice while it is chosen, and copy the new token by a button', async () => {
    const page = await signedIn()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/settings/tokens')
    const [tick, day] = [page.getByLabel(/^Read documents/), page.getByLabel('Last day')]
    expect([await tick.isVisible(), await day.isVisible()]).toEqual([false, false])
    await page.getByRole('radio', { name: 'Single permissions' }).check()
    await page.getByRole('radio', { name: 'On a date' }).check()
    await page.getByLabel('Name', { exact: true }).fill('HR system')
    await press(page, 'Create API token')
    expect([await tick.isVisible(), await day.isVisible()]).toEqual([true, true])
    expect(await words(page)).toContain('Permissions must be ticked: choose at least one.')
    await tick.check()
    await day.fill('2027-01-31')
    await press(page, 'Create API token')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe((await page.locator('.key').textContent()) ?? '')
    await page.getByRole('link', { name: 'HR system', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'HR system' }).waitFor()
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('webhooks', () => {
  test('are made, tested and watched on a phone without scripts', async () => {
    const page = await signedIn({ ...ON_A_PHONE, javaScriptEnabled: false })
    await makeWebhook(page)
    expect(await page.locator('.key').textContent()).toStartWith('whsec_')
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await press(page, 'Send a test')
    expect(await words(page)).toMatch(/accepted the test\.\s*answered 200 in \d+ ms/)
    expect(await page.locator('pre', { hasText: '<script>' }).count()).toBe(1)
    await press(page, 'All deliveries', 'link')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Outcome').selectOption('Delivered')
    await press(page, 'Show')
    expect(await words(page)).toContain('A test of the webhook.')
    await press(page, 'A test of the webhook.', 'link')
    expect(await words(page)).toContain('x-receiver: hr-7')
  }, 60_000)

  test('can be used by everyone when disabled, and with a network that is refused', async () => {
    const page = await signedIn()
    const found: string[] = []
    const look = async () => found.push(...(await problemsAtAllSizes(page)))
    await makeWebhook(page)
    await sentDocument(server.t)
    status = 410
    await sentDocument(server.t)
    await server.t.drain()
    await page.goto('/settings/webhooks')
    await page.locator('td.title a').last().click()
    await page.getByText('This webhook is disabled').waitFor()
    await look()
    const address = page.url()
    await press(page, 'Send a test')
    expect(await words(page)).toContain('did not accept the test.')
    expect(await page.title()).not.toBe('gone')
    await look()
    await page.goto(`${address}/redeliver`)
    await look()
    await page.goto('/settings/webhooks/networks')
    await page.getByLabel('Networks').fill('0.0.0.0/0')
    await press(page, 'Save')
    expect(await words(page)).toContain('contains the metadata address 169.254.169.254')
    await look()
    expect(found).toEqual([])
    expect(watches.flatMap(watch => [...watch.foreign, ...watch.complaints])).toEqual([])
  }, 120_000)
})
