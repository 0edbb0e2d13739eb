/** What people entered, on the page of the document: read at all sizes, in English and German. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, words } from '../../support/browser.ts'
import { NEVER_ASKED } from '../../support/every-kind.ts'
import { everyKindCompleted } from '../../support/every-kind-story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let id: string
const server = useAppServer(async ({ t }) => {
  id = (await everyKindCompleted(t)).id
})

async function opened(locale: string): Promise<Page> {
  const { page } = await server.signedIn({ locale })
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
