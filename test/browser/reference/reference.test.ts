/** The API reference in a browser: without scripts, with copy buttons, wide and narrow. */
import { describe, expect, test } from 'bun:test'
import { NO_BROWSER } from '../../support/browser.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const server = useAppServer()

describe.skipIf(NO_BROWSER)('the API reference', () => {
  test.each([1280, 390])('fits a window of %d px and loads nothing from another host', async width => {
    const { context, page, watch } = await server.window({ viewport: { width, height: 900 } })
    await page.goto('/api/v1/docs')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(watch).toEqual({ foreign: [], complaints: [] })
    await context.close()
  })

  test('copies the sample that a button belongs to', async () => {
    const { context, page, watch } = await server.window({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/api/v1/docs')
    const sample = page.locator('#getDocument details', { has: page.locator('summary', { hasText: 'curl' }) })
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe((await sample.locator('pre').textContent()) ?? '')
    expect(copied).toStartWith(`curl --fail-with-body '${server.url}/api/v1/documents/doc_`)
    expect(watch.complaints).toEqual([])
    await context.close()
  })

  test('without scripts shows every sample, and no copy button', async () => {
    const { context, page } = await server.window({ javaScriptEnabled: false })
    await page.goto('/api/v1/docs#getDocument')
    expect(await page.getByRole('button').count()).toBe(0)
    const python = page.locator('#getDocument summary', { hasText: 'Python' })
    await python.click()
    expect(await page.locator('#getDocument details[open] pre').textContent()).toContain('requests.get(')
    await context.close()
  })
})
