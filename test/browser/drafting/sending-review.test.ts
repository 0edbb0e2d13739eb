/** The review page by script: the e-mail follows the message, and a document is sent once. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { ADA, newDocument } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(60_000)
const place = useSigningService()

async function opened(): Promise<{ id: string; page: Page; complaints: string[] }> {
  const { page, complaints } = await place.signedIn()
  const { id } = (await place.t.api('POST', '/documents', await newDocument({ title: 'Lease' }))).body
  await page.goto(`/documents/${id}/review`)
  return { id, page, complaints }
}

const saved = (page: Page) => page.locator('[data-save-status][data-state="saved"]').waitFor()
const document = async (id: string) => (await place.t.api('GET', `/documents/${id}`)).body

describe.skipIf(NO_BROWSER)('the review page', () => {
  test('saves the message when it is left, and shows it in the e-mail as text', async () => {
    const { id, page, complaints } = await opened()
    await page.locator('#message').fill('Look at <img src=x onerror=alert(1)> clause 4.')
    await page.locator('#message').blur()
    await saved(page)
    await page.locator('.mail-paper blockquote', { hasText: 'clause 4' }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect((await document(id)).message).toContain('clause 4')
    await page.locator('#title').fill('Lease of the mill')
    await page.locator('#title').blur()
    await page.locator('.mail-head', { hasText: 'Please sign: Lease of the mill' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('repeats what could not be saved', async () => {
    const { id, page } = await opened()
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/review') ? new Response('', { status: 502 }) : undefined
    await page.locator('#message').fill('Clause 4 is new.')
    await page.locator('#message').blur()
    await page.locator('[data-save-status]', { hasText: 'retrying' }).waitFor()
    place.instead = undefined
    await saved(page)
    expect((await document(id)).message).toBe('Clause 4 is new.')
  })

  test('saves again after a person has signed in anew in another tab', async () => {
    const { id, page } = await opened()
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/review') ? Response.redirect(new URL('/sign-in', page.url()), 303) : undefined
    await page.locator('#message').fill('Clause 4 is new.')
    await page.locator('#message').blur()
    await page.locator('[data-save-status]', { hasText: 'signed out' }).waitFor()
    place.instead = undefined
    await page.locator('#message').fill('Clause 4 is new, and 5.')
    await page.locator('#message').blur()
    await saved(page)
    expect((await document(id)).message).toBe('Clause 4 is new, and 5.')
  })

  test('shows the steps on one line, those that are done as well', async () => {
    const { page } = await opened()
    const tops = await page.locator('.stepper-sign').evaluateAll(signs => signs.map(sign => sign.getBoundingClientRect().top))
    expect(tops).toHaveLength(4)
    expect(new Set(tops).size).toBe(1)
  })

  test('has the steps on one line above the editor too, beside a long title', async () => {
    const { id, page } = await opened()
    await place.t.api('PATCH', `/documents/${id}`, {
      title: 'Rahmendienstleistungsvertrag über Instandhaltung '.repeat(4).trim(),
    })
    await page.goto(`/documents/${id}/fields`)
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const tops = await page.locator('.stepper li, .draft-title').evaluateAll(all =>
        all.map(each => {
          const { top, height } = each.getBoundingClientRect()
          return Math.round(top + height / 2)
        }),
      )
      expect([width, Math.max(...tops) - Math.min(...tops) < 4]).toEqual([width, true])
    }
  })

  test('shows the draft anew when somebody else has changed it, and keeps what was typed', async () => {
    const { id, page } = await opened()
    const [{ id: ada }, { id: bob }] = (await document(id)).recipients
    await place.t.api('PATCH', `/documents/${id}`, { recipients: [{ id: ada, name: 'Ada King' }, { id: bob }] })
    await page.locator('#message').fill('Hello')
    await page.locator('#message').blur()
    await page.getByText('The draft was changed while this page was open.').waitFor()
    expect(await page.locator('.review-group').first().textContent()).toContain('Ada King')
    expect(await page.locator('#message').inputValue()).toBe('Hello')
    await press(page, 'Send for signature')
    expect(await document(id)).toMatchObject({ status: 'sent', message: 'Hello' })
  })

  test('sends when Back in the browser shows the page as it was left', async () => {
    const { id, page } = await opened()
    // The browser stays on the page.
    await page.route(/\/review/, route => route.fulfill({ status: 204 }))
    const answered = page.waitForResponse(/\/review/)
    await page.locator('[data-send]').click()
    await answered
    await page.unroute(/\/review/)
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.locator('[data-send]').click()
    await page.waitForURL(/notice=sent/)
    expect(await document(id)).toMatchObject({ status: 'sent' })
  })

  test('sends once, however often the button is pressed, and also what was typed last', async () => {
    const { id, page } = await opened()
    await page.locator('#message').fill('Typed last')
    await page.locator('[data-send]').dblclick()
    await page.waitForURL(/notice=sent/)
    expect(await document(id)).toMatchObject({ status: 'sent', message: 'Typed last' })
    await place.t.drain()
    const subjects = place.t.mails.filter(({ to }) => to.address === ADA.email && place.t.mails.length > 0)
    expect(subjects.filter(({ text }) => text.includes('Typed last'))).toHaveLength(1)
    await page.goBack()
    await page.waitForURL(/notice=already-sent/)
    expect(await page.locator('main').textContent()).toContain('This document has already been sent.')
  })
})
