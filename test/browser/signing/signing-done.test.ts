/** In Chromium, the page after signing: it follows the document, and shows the mark on its page. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { receiptIn } from '../../../src/evidence/receipt.ts'
import { readStatement } from '../../../src/evidence/signed-statement.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press, words } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'
import { signAs } from '../../support/story.ts'

setDefaultTimeout(120_000)
const place = useSigningService()
let people = 0

/** A contract of three pages, signed on the third by Ada and others. */
async function signed(others: string[] = [], options: BrowserContextOptions = {}) {
  const email = `ada${++people}@example.com`
  const fields = [{ ...SIGNATURE, page: 3, y: 30, width: 50, height: 9 }]
  const recipients = [{ ...ADA, email, fields }, ...others.map(name => ({ name, email: addressOf(name), fields }))]
  const { id, link } = await place.send({ title: 'Lease of the mill', file: await samplePdf(3), recipients }, email)
  const { page, watch } = await place.window({ javaScriptEnabled: false, ...options })
  await page.goto(link)
  await page.locator('main form button[type="submit"]').click()
  await page.locator('input[name="signature"]').fill('Ada Lovelace')
  await page.locator('input[name="consent"]').check()
  await press(page, 'Sign and finish')
  return { id, page, complaints: watch.complaints }
}

const addressOf = (name: string) => `${name.toLowerCase()}${people}@example.com`

/** The same page in a browser with a script, which has the link's cookie. */
async function withScript(page: Page, options: BrowserContextOptions = {}) {
  const { page: fresh, watch } = await place.window(options)
  await fresh.context().addCookies(await page.context().cookies())
  await fresh.goto(page.url())
  return { page: fresh, complaints: watch.complaints }
}

/** How much of the drawn page is ink, between 0 and 1. */
const ink = (page: Page, kind: 'paper' | 'marks') =>
  page.locator(`.done-picture canvas.${kind}`).evaluate(canvas => {
    const { width, height } = canvas as HTMLCanvasElement
    const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] }
    let dark = 0
    for (let i = 0; i < data.length; i += 4) if ((data[i + 3] ?? 0) > 128 && (data[i] ?? 0) < 128) dark++
    return dark / (width * height)
  })

/** Whose receipt the page gives. */
async function receiptFrom(page: Page): Promise<string> {
  const button = page.getByRole('link', { name: 'Download your receipt' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toEndWith(' (receipt).eml')
  const context = { timestampTrust: [], now: place.t.clock.now }
  return receiptIn(readStatement(readFileSync(await download.path()), context)).signer.name
}

const streams = () => place.asked.filter(({ path }) => path.includes('/live')).length

describe.skipIf(NO_BROWSER)('the page after signing', () => {
  test('turns into the sealed document by itself, shows the page with the mark, and then asks for nothing more', async () => {
    const first = await signed()
    const { page, complaints } = await withScript(first.page)
    await page.locator('.done-picture canvas.marks').waitFor()
    expect(await page.locator('.done-picture .page').getAttribute('aria-label')).toBe('Page 3 of 3')
    expect(await ink(page, 'marks')).toBeGreaterThan(0.0005)
    expect(await words(page)).toContain('the document is being sealed')
    expect(await words(page)).toContain('This page updates itself.')
    expect(await receiptFrom(page)).toBe('Ada Lovelace')
    expect(await problemsAtAllSizes(page, 'page')).toEqual([])
    await place.t.drain()
    await page.getByRole('heading', { name: 'The document is completed' }).waitFor()
    await page.getByRole('link', { name: 'Download the sealed document' }).waitFor()
    expect(await words(page)).not.toContain('This page updates itself.')
    await page.locator('.done-picture canvas.marks').waitFor({ state: 'detached' })
    expect(await ink(page, 'paper')).toBeGreaterThan(0.0005)
    expect(await problemsAtAllSizes(page, 'page')).toEqual([])
    const before = streams()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.reload()
    expect(streams()).toBe(before)
    expect(complaints).toEqual([])
  })

  test('names who has still to sign, as it changes', async () => {
    const first = await signed(['Bob', 'Carol'])
    const { page } = await withScript(first.page)
    const names = page.locator('.done-state li')
    expect(await names.allTextContents()).toEqual(['Bob', 'Carol'])
    await signAs(place.t, addressOf('Bob'), 'Bob')
    await names.getByText('Bob').waitFor({ state: 'detached' })
    expect(await names.allTextContents()).toEqual(['Carol'])
    await signAs(place.t, addressOf('Carol'), 'Carol')
    await page.getByText('the document is being sealed').waitFor()
  })

  test('becomes the page that says why nothing more can happen when the document is voided', async () => {
    const first = await signed(['Bob'])
    const { page } = await withScript(first.page)
    await page.locator('.done-picture canvas.paper').waitFor()
    await place.t.api('POST', `/documents/${first.id}/void`, { reason: 'wrong file' })
    await page.getByText('The sender has voided this document.').waitFor()
    const before = streams()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    expect(streams()).toBe(before)
  })

  test('without a script asks again while the document is sealed, ten times at most, and has a link', async () => {
    const { page } = await signed()
    const target = () => page.locator('meta[http-equiv="refresh"]').getAttribute('content', { timeout: 1000 })
    expect(await target()).toMatch(/^3;url=\/sign\/rcp_\w+\?look=1$/)
    expect(await page.locator('.done-picture').isVisible()).toBe(false)
    expect(await receiptFrom(page)).toBe('Ada Lovelace')
    const path = new URL(page.url()).pathname
    await page.goto(`${path}?look=9`)
    expect(await target()).toMatch(/\?look=10$/)
    await page.goto(`${path}?look=10`)
    expect(await page.locator('meta[http-equiv="refresh"]').count()).toBe(0)
    await place.t.drain()
    await press(page, 'Look again', 'link')
    expect(await words(page)).toContain('The document is sealed')
    expect(await page.getByRole('link', { name: 'Look again' }).count()).toBe(0)
  })
})
