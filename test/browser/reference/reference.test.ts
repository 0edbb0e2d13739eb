/** The API reference in a browser: without scripts, with copy buttons, wide and narrow. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser, openWindow } from '../../support/browser.ts'
import { ORIGIN, openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
let browser: Browser
let server: ReturnType<typeof Bun.serve>
const url = () => `http://127.0.0.1:${server.port}`

beforeAll(async () => {
  if (NO_BROWSER) return
  t = await openTestApp()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request => t.fetch(request.url.replace(url(), ORIGIN), { method: request.method, headers: request.headers }),
  })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await t?.close()
})

describe.skipIf(NO_BROWSER)('the API reference', () => {
  test.each([1280, 390])('fits a window of %d px and loads nothing from another host', async width => {
    const { context, page, watch } = await openWindow(browser, url(), { viewport: { width, height: 900 } })
    await page.goto('/api/v1/docs')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(watch).toEqual({ foreign: [], complaints: [] })
    await context.close()
  })

  test('copies the sample that a button belongs to', async () => {
    const { context, page, watch } = await openWindow(browser, url(), { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/api/v1/docs')
    const sample = page.locator('#getDocument details', { has: page.locator('summary', { hasText: 'curl' }) })
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe((await sample.locator('pre').textContent()) ?? '')
    expect(copied).toStartWith(`curl --fail-with-body '${ORIGIN}/api/v1/documents/doc_`)
    expect(watch.complaints).toEqual([])
    await context.close()
  })

  test('without scripts shows every sample, and no copy button', async () => {
    const { context, page } = await openWindow(browser, url(), { javaScriptEnabled: false })
    await page.goto('/api/v1/docs#getDocument')
    expect(await page.getByRole('button').count()).toBe(0)
    const python = page.locator('#getDocument summary', { hasText: 'Python' })
    await python.click()
    expect(await page.locator('#getDocument details[open] pre').textContent()).toContain('requests.get(')
    await context.close()
  })
})
