/** The editor of 2,000 pages and 1,000 fields: what a drag changes, memory, elements. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, BO, field, saved, sheet, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(240_000)
const editor = useEditorService()

const PAGES = 2_000
/** Of the parts of a large file that a page reads at first. */
const LOADED_WITHIN_MS = 60_000
const FIELDS = 1_000
const MOVEMENTS = 120

/** Twelve fields on the first page, the others one on every second page. */
const fields = Array.from({ length: FIELDS }, (_, i) => ({
  type: 'text',
  page: i < 12 ? 1 : (2 * (i - 11)) % PAGES || PAGES,
  x: i < 12 ? 10 + 30 * (i % 3) : 20,
  y: i < 12 ? 20 + 8 * Math.floor(i / 3) : 50,
  width: 20,
  height: 3,
  label: `Field ${i}`,
}))

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return Math.round(usedSize / 1e5) / 10
}

declare global {
  interface Window {
    /** Elements that a drag has changed, and how often. */
    touched: Map<Node, number>
  }
}

/** From now on. */
const watchElements = (page: Page) =>
  page.evaluate(() => {
    window.touched = new Map()
    new MutationObserver(records => {
      for (const { target } of records) window.touched.set(target, (window.touched.get(target) ?? 0) + 1)
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  })

test.skipIf(NO_BROWSER)('a drag changes few elements, and memory is bounded from the first to the last page', async () => {
  const recipients = [
    { ...ANNA, fields: fields.filter((_, i) => i % 2 === 0) },
    { ...BO, fields: fields.filter((_, i) => i % 2 === 1) },
  ]
  const id = await editor.draft({ pages: PAGES, recipients })
  const { page, complaints } = await editor.open(id)
  await page.waitForLoadState('networkidle', { timeout: LOADED_WITHIN_MS })
  const target = field(page, /“Field 4”/)
  const box = (await target.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 1)
  await watchElements(page)
  for (let i = 1; i <= MOVEMENTS; i++) await page.mouse.move(x + 60 * Math.sin(i / 12), y + i / 2)
  const touched = await page.evaluate(() => [...window.touched.values()])
  await page.mouse.up()
  const changes = touched.reduce((sum, count) => sum + count, 0)
  console.log(`${MOVEMENTS} movements changed ${touched.length} elements ${changes} times`)
  expect(touched.length).toBeGreaterThan(0)
  expect(touched.length).toBeLessThan(50)
  expect(changes).toBeLessThan(20 * MOVEMENTS)
  await saved(page)

  const before = await heapMegabytes(page)
  let most = 0
  for (const number of [200, 400, 700, 1000, 1300, 1600, 1999, PAGES]) {
    await page.locator('#editor-page').fill(String(number))
    await page.locator('#editor-page').press('Enter')
    await sheet(page, number).locator('canvas').first().waitFor()
    most = Math.max(most, await page.locator('.page').count())
  }
  const after = await heapMegabytes(page)
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  console.log(`heap ${before} MB at first, ${after} MB at the end; at most ${most} pages, ${elements} elements in the document`)
  expect(after).toBeLessThan(120)
  expect(most).toBeLessThanOrEqual(10)
  expect(elements).toBeLessThan(2_000)
  expect(complaints).toEqual([])
})
