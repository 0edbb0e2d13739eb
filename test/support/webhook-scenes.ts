/** The states of the pages of webhooks, for the walk through all pages. */
import type { Page } from 'playwright-core'
import { press } from './browser.ts'
import type { Look } from './scenes.ts'

export async function webhookScenes(page: Page, look: Look): Promise<void> {
  await page.goto('/settings/webhooks')
  await look('webhooks-empty', page)
  await press(page, 'New webhook', 'link')
  await page.getByLabel('URL').fill('http://192.168.1.20/hook')
  await page.getByRole('radio', { name: 'Only these' }).check()
  await press(page, 'Create webhook')
  await look('webhooks-errors', page)
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hook')
  await page.getByLabel(/^A document is sent/).check()
  await press(page, 'Create webhook')
  await look('webhooks-made', page)
  await press(page, 'Send a test')
  await look('webhooks-tested', page)
  await page.goto('/settings/webhooks')
  await look('webhooks', page)
  await page.goto('/settings/webhooks/networks')
  await look('webhooks-networks', page)
}
