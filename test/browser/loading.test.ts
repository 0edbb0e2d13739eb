/** A heavy form says that it loads, in the editor and on the signer's page, and nothing moves. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { NO_BROWSER } from '../support/browser.ts'
import { ANNA, BO, PHONE_390, useEditorService } from '../support/editor-service.ts'
import { samplePdf } from '../support/sample.ts'

setDefaultTimeout(90_000)
const editor = useEditorService()

const FIELDS = Array.from({ length: 300 }, (_, i) => ({
  type: 'text',
  page: 1 + Math.floor(i / 100),
  x: 5 + 18 * (i % 5),
  y: 4 + 4.5 * (Math.floor(i / 5) % 20),
  width: 15,
  height: 2,
  label: `Entry ${i + 1}`,
  required: false,
}))

/** Holds the answers to paths with this end until they are released. */
function hold(...ends: string[]): () => void {
  const held = Promise.withResolvers<undefined>()
  editor.place.instead = (_method, path) => (ends.some(end => path.endsWith(end)) ? held.promise : undefined)
  return () => held.resolve(undefined)
}

const loading = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text, visible: true })

async function sent(): Promise<string> {
  const signature = { type: 'signature', page: 3, x: 60, y: 94, width: 25, height: 4 }
  const file = await samplePdf(3)
  return (await editor.place.send({ file, recipients: [{ ...ANNA, fields: [...FIELDS, signature] }] }, ANNA.email)).link
}

/** Of all that moved without an act of the person, as browsers count it. */
const moved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        const observer = new PerformanceObserver(list => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )

describe.skipIf(NO_BROWSER)('while it loads', () => {
  for (const window of [{}, PHONE_390]) {
    const where = 'hasTouch' in window ? 'a phone' : 'a wide window'
    test(`the page of a signer says so on ${where}, until its script and then its first page are there`, async () => {
      const { page, watch } = await editor.place.window(window)
      await page.goto(await sent())
      const release = hold('.js')
      await page.getByRole('button', { name: 'Open the document' }).click()
      await loading(page, 'Loading the document…').waitFor()
      // The form is the same with the words and without them, and can be used.
      const entry = page.getByLabel(/^Entry 1\b/)
      const before = await entry.boundingBox()
      await page.locator('.page-loading').evaluate(element => element.remove())
      expect(await entry.boundingBox()).toEqual(before)
      expect(await moved(page)).toBe(0)
      release()
      await page.locator('.page canvas').first().waitFor()
      await loading(page, 'Loading the document…').waitFor({ state: 'detached' })
      expect(watch.complaints).toEqual([])
    })

    test(`the editor says so on ${where}, until its first page is drawn`, async () => {
      const id = await editor.draft({ recipients: [{ ...ANNA, fields: FIELDS }, BO] })
      const { page } = await editor.open(id, { window })
      const release = hold('.js', '/draft')
      const reloaded = page.reload()
      await loading(page, 'Opening the document…').waitFor()
      expect(await axeViolations(page)).toEqual([])
      release()
      await reloaded
      await page.locator('.page canvas').first().waitFor()
      await loading(page, 'Opening the document…').waitFor({ state: 'detached' })
      expect(await moved(page)).toBe(0)
    })
  }

  test('the editor still says so when its script runs and the pages are missing', async () => {
    const id = await editor.draft({ recipients: [{ ...ANNA, fields: FIELDS }, BO] })
    const { page } = await editor.open(id)
    const release = hold('/file')
    await page.reload()
    await page.locator('.field').first().waitFor()
    await loading(page, 'Opening the document…').waitFor()
    release()
    await loading(page, 'Opening the document…').waitFor({ state: 'detached' })
    expect(await page.locator('.page canvas').count()).toBeGreaterThan(0)
  })

  test('nothing is said without a script: the page of a signer is the form', async () => {
    const { page } = await editor.place.window({ javaScriptEnabled: false })
    await page.goto(await sent())
    await page.getByRole('button', { name: 'Open the document' }).click()
    await page.getByLabel(/^Entry 300/).waitFor()
    expect(await page.locator('.page-loading').isVisible()).toBe(false)
  })
})
