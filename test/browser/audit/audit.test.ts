/** The audit log in Chromium, without a script. */
import { describe, expect, test } from 'bun:test'
import { raiseAlert } from '../../../src/alerts/alerts.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { newDocument } from '../../support/sample.ts'
import { useAppServer } from '../../support/use-app-server.ts'
import { LOW_DISK } from '../../support/warnings.ts'

const service = useAppServer(async ({ t }) => {
  for (const title of ['Lease of the shop', 'Non-disclosure agreement with a title that is much longer than others']) {
    const { body } = await t.api('POST', '/documents', await newDocument({ title }))
    await t.api('POST', `/documents/${body.id}/send`)
    t.clock.pass({ hours: 5 })
  }
  await t.drain()
  await raiseAlert(t.app, LOW_DISK)
})

describe.skipIf(NO_BROWSER)('audit log and health', () => {
  test('without a script: filter, open an entry, check the chain', async () => {
    const { page } = await service.signedIn({ javaScriptEnabled: false })
    await page.goto('/settings/audit')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Kind of entry').selectOption('Document sent')
    await press(page, 'Show')
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
