/** In Chromium, the page of those who only read: all pages of the document, and what follows. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { ADA, BOB, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'
import { linkTo, signAs } from '../../support/story.ts'

setDefaultTimeout(120_000)
const place = useSigningService()
let people = 0

/** Ada signs a contract of three pages, Bob reads it. */
async function sent() {
  const [ada, bob] = [`ada${++people}@example.com`, `bob${people}@example.com`]
  const recipients = [
    { ...ADA, email: ada, fields: [{ ...SIGNATURE, page: 2, y: 30, width: 50, height: 9 }] },
    { ...BOB, email: bob, role: 'viewer' },
  ]
  const { link } = await place.send({ title: 'Lease of the mill', file: await samplePdf(3), recipients }, bob)
  return { ada, bob, link }
}

describe.skipIf(NO_BROWSER)('the page of a viewer', () => {
  test.each([
    ['a wide screen', {}],
    ['a phone', ON_A_PHONE],
  ])('shows every page and its text from the mailed link while others sign, and asks for nothing: %s', async (_, options) => {
    const { ada, link } = await sent()
    const { page, watch } = await place.window(options)
    await page.goto(link)
    await press(page, 'Open the document')
    const sheets = page.getByRole('region', { name: 'The document' }).locator('section.page')
    await sheets.first().locator('canvas.paper').waitFor()
    expect(await sheets.count()).toBe(3)
    for (const n of [1, 2, 3]) {
      await sheets.nth(n - 1).scrollIntoViewIfNeeded()
      await sheets
        .nth(n - 1)
        .locator('canvas.paper')
        .waitFor()
      await sheets
        .nth(n - 1)
        .locator('.textLayer')
        .getByText(`page ${n}`)
        .first()
        .waitFor()
    }
    expect(await words(page)).toContain('There is nothing for you to sign.')
    expect(await page.locator('form').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Download the document (not sealed yet)' }).isVisible()).toBe(true)
    expect(await problemsAtAllSizes(page, 'page')).toEqual([])
    await sheets.nth(1).scrollIntoViewIfNeeded()
    expect(await sheets.nth(1).locator('canvas.marks').count()).toBe(0)
    await signAs(place.t, ada, 'Ada Lovelace')
    await sheets.nth(1).locator('canvas.marks').waitFor()
    expect(watch.complaints).toEqual([])
  })

  test('turns into the sealed document with the pages of its certificate', async () => {
    const { ada, link } = await sent()
    const { page } = await place.window()
    await page.goto(link)
    await press(page, 'Open the document')
    const sheets = page.locator('.document-viewer section.page')
    await sheets.first().locator('canvas.paper').waitFor()
    await signAs(place.t, ada, 'Ada Lovelace')
    await place.t.drain()
    await page.getByRole('link', { name: 'Download the sealed document' }).waitFor()
    await sheets.nth(3).waitFor({ state: 'attached' })
  })

  test('without a script has the file, which the service sends', async () => {
    const { bob } = await sent()
    const { page } = await place.window({ javaScriptEnabled: false })
    await page.goto(linkTo(place.t, bob))
    await press(page, 'Open the document')
    const path = await page.getByRole('link', { name: 'Download the document (not sealed yet)' }).getAttribute('href')
    expect((await page.request.get(path ?? '')).headers()['content-type']).toBe('application/pdf')
  })
})
