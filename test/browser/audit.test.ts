/** Audit log and Health in Chromium: axe-core, small windows, light and dark, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { raiseAlert } from '../../src/alerts/alerts.ts'
import { type AppServer, openAppServer } from '../support/app-server.ts'
import { axeViolations } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, openWindow, PHONE, press } from '../support/browser.ts'
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

const SHOTS = process.env.SIGNET_TEST_SHOTS

describe.skipIf(NO_BROWSER)('audit log and health', () => {
  for (const [name, viewport] of [
    ['wide', { width: 1280, height: 900 }],
    ['phone', PHONE],
  ] as const) {
    const kind = name === 'wide' ? 'page' : 'layout'
    test(`${name}: without a violation, and nothing is wider than the window`, async () => {
      const { page, watch } = await signedIn({ viewport })
      await service.t.app.checks.start('audit log', { actor: { label: 'system' } as never, ip: undefined, userAgent: undefined })
      await service.t.app.checks.start('installation', {
        actor: { label: 'system' } as never,
        ip: undefined,
        userAgent: undefined,
      })
      await service.t.app.checks.settled()
      const paths = [
        '/settings/audit',
        '/settings/audit?kind=document.sent&person=nobody',
        '/settings/audit/3',
        '/settings/health',
      ]
      for (const [i, path] of paths.entries()) {
        await page.goto(path)
        expect([path, await axeViolations(page, kind)]).toEqual([path, []])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect([path, overflow]).toEqual([path, 0])
        if (!SHOTS) continue
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.screenshot({ path: `${SHOTS}/${i}-${name}-${colorScheme}.png`, fullPage: true })
        }
      }
      await page.goto('/settings/audit')
      await page.getByText('Export…').click()
      expect(await axeViolations(page, kind)).toEqual([])
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/export-${name}.png` })
      expect([...watch.foreign, ...watch.complaints]).toEqual([])
      await page.context().close()
    }, 60_000)
  }

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
