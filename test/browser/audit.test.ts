/** The audit log in Chromium, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { raiseAlert } from '../../src/alerts/alerts.ts'
import { type AppServer, openAppServer } from '../support/app-server.ts'
import { NO_BROWSER, openBrowser, openWindow, press } from '../support/browser.ts'
import { newDocument } from '../support/sample.ts'

let service: AppServer
let browser: Browser
beforeAll(async () => {
  if (NO_BROWSER) return
  service = await openAppServer()
  const { t } = service
  for (const title of ['Lease of the shop', 'Non-disclosure agreement with a title that is much longer than others']) {
    const { body } = await t.api('POST', '/documents', await newDocument({ title }))
    await t.api('POST', `/documents/${body.id}/send`)
    t.clock.pass({ hours: 5 })
  }
  await t.drain()
  await raiseAlert(t.app, { kind: 'disk_low', message: 'The disk is nearly full. Free space, or enlarge the disk.' })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

async function signedIn(options: BrowserContextOptions = {}) {
  const { page, watch } = await openWindow(browser, service.url, options)
  await service.signIn(page)
  return { page, watch }
}

describe.skipIf(NO_BROWSER)('audit log and health', () => {
  test('without a script: filter, open an entry, check the chain', async () => {
    const { page } = await signedIn({ javaScriptEnabled: false })
    await page.goto('/settings/audit')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Kind of entry').selectOption('Document sent')
    await press(page, 'Apply')
    expect(await page.locator('.audit tbody tr').count()).toBe(2)
    await press(page, /sent “Lease of the shop”/, 'link')
    expect(await page.getByText('The hash matches').count()).toBe(1)
    await page.goto('/settings/audit')
    await press(page, 'Check now')
    await service.t.app.checks.settled()
    await page.reload()
    expect(await page.getByText(/^Intact: /).count()).toBe(1)
    await page.context().close()
  }, 60_000)
})
