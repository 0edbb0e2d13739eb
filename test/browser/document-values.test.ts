/** What people entered, on the page of the document: read at all sizes, in English and German. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AppServer, openAppServer } from '../support/app-server.ts'
import { problemsAtAllSizes } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, openWindow, words } from '../support/browser.ts'
import { NEVER_ASKED } from '../support/every-kind.ts'
import { everyKindCompleted } from '../support/every-kind-story.ts'

let server: AppServer
let browser: Browser
let id: string
beforeAll(async () => {
  if (NO_BROWSER) return
  server = await openAppServer()
  id = (await everyKindCompleted(server.t)).id
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function opened(locale: string): Promise<Page> {
  const { page } = await openWindow(browser, server.url, { locale })
  await server.signIn(page)
  await page.goto(`/documents/${id}`)
  for (const summary of await page.locator('details:has(.field-values) > summary').all()) await summary.click()
  return page
}

const valuesOf = (page: Page): Promise<string[]> =>
  page
    .locator('.field-values > div')
    .evaluateAll(pairs => pairs.map(pair => [...pair.children].map(child => child.textContent).join(': ')))

describe.skipIf(NO_BROWSER)('the values of a document', () => {
  test('of every kind are in words, those of the sender apart', async () => {
    const page = await opened('en')
    expect(await words(page)).toContain('10 entries of the sender')
    const values = await valuesOf(page)
    const bySender = [
      'Rent: 1250.00',
      'Begins: 1 December 2026',
      'Furnished: ticked',
      'Heating: Gas',
      'Inventory: List of 12 May',
    ]
    const byAda = ['Payment: Direct debit', 'Married: not ticked', 'Signed on: 20.11.2026']
    expect(values).toEqual(expect.arrayContaining([...bySender, ...byAda]))
    expect(await page.getByRole('link', { name: /Gehalt Mai.pdf/ }).count()).toBe(1)
    expect(await page.content()).not.toContain(NEVER_ASKED)
    expect(await problemsAtAllSizes(page)).toEqual([])
  }, 120_000)

  test('are in German for a person who reads German', async () => {
    const page = await opened('de')
    expect(await words(page)).toContain('10 Angaben des Absenders')
    expect(await valuesOf(page)).toEqual(expect.arrayContaining(['Furnished: angekreuzt', 'Married: nicht angekreuzt']))
  }, 60_000)
})
