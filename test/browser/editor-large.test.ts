/** The editor of 2,000 pages and 1,000 fields: frames while dragging, memory, elements. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../support/browser.ts'
import { ANNA, BO, field, saved, sheet, useEditorService } from '../support/editor-service.ts'

setDefaultTimeout(240_000)
const editor = useEditorService()

const PAGES = 2_000
/** Of the parts of a large file that a page reads at first. */
const LOADED_WITHIN_MS = 60_000
const FIELDS = 1_000

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

interface TraceEvent {
  name: string
  ph: string
  ts: number
  dur?: number
  pid: number
  tid: number
}

/** Intervals between drawn frames, and the work of the main thread, ms. */
function readTrace(buffer: Buffer) {
  const { traceEvents } = JSON.parse(buffer.toString()) as { traceEvents: TraceEvent[] }
  // Animation frames are called on the main thread of the page.
  const main = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  const isMain = ({ pid, tid }: TraceEvent) => main?.pid === pid && main.tid === tid
  const drawn = traceEvents
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts)
    .sort((a, b) => a - b)
  const intervals = drawn
    .slice(1)
    .map((ts, i) => (ts - drawn[i]!) / 1000)
    .filter(ms => ms < 1000)
  const tasks = traceEvents
    .filter(event => /RunTask$/.test(event.name) && event.ph === 'X' && isMain(event))
    .map(({ dur = 0 }) => dur / 1000)
  return { intervals: intervals.sort((a, b) => a - b), tasks: tasks.sort((a, b) => a - b) }
}

const quantile = (sorted: number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0

test.skipIf(NO_BROWSER)(
  'dragging keeps the main thread free, and memory is bounded from the first to the last page',
  async () => {
    const recipients = [
      { ...ANNA, fields: fields.filter((_, i) => i % 2 === 0) },
      { ...BO, fields: fields.filter((_, i) => i % 2 === 1) },
    ]
    const id = await editor.draft({ pages: PAGES, recipients })
    const startedMs = performance.now()
    const { page, complaints } = await editor.open(id)
    console.log(`first page drawn after ${Math.round(performance.now() - startedMs)} ms`)
    await page.waitForLoadState('networkidle', { timeout: LOADED_WITHIN_MS })
    const target = field(page, /“Field 4”/)
    const box = (await target.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    const browser = page.context().browser()!
    await browser.startTracing(page, {
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'toplevel'],
    })
    await page.mouse.down()
    for (let i = 1; i <= 120; i++) await page.mouse.move(x + 60 * Math.sin(i / 12), y + i / 2)
    await page.mouse.up()
    const { intervals, tasks } = readTrace(await browser.stopTracing())
    const figures = [
      quantile(intervals, 0.5),
      quantile(intervals, 0.95),
      quantile(tasks, 0.5),
      quantile(tasks, 0.99),
      tasks.at(-1) ?? 0,
    ]
    const [median, slow, task, slowTask, slowest] = figures.map(ms => ms.toFixed(1))
    console.log(`frames every ${median} ms (95 %: ${slow} ms); tasks of ${task} ms (99 %: ${slowTask} ms, longest ${slowest} ms)`)
    // The work that one movement causes fits into a frame of a display with 60 Hz.
    expect(tasks.length).toBeGreaterThan(50)
    expect(quantile(tasks, 0.99)).toBeLessThan(16.7)
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
  },
)
