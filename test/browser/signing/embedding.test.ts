/** In Chromium, the signing page in a frame of another site, listed and not listed. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { FrameLocator, Page } from 'playwright-core'
import { NO_BROWSER, PHONE } from '../../support/browser.ts'
import { heardIn, messagesIn, usePortal } from '../../support/portal.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(120_000)
const place = useSigningService()

const portal = usePortal(place)
const { sites, handedOut, component, plain, verdictOf } = portal

async function host(site: string, html: string, options = {}): Promise<{ page: Page; frame: FrameLocator }> {
  portal.show(html)
  const { page } = await place.window(options)
  await page.goto(site)
  return { page, frame: page.frameLocator('iframe[title="Signing"]') }
}

/** Chromium shows an error of its own in the frame, once it has read the policy of the page. */
async function refused(site: string, html: string): Promise<Page> {
  portal.show(html)
  const { page } = await place.window()
  const error = page.waitForEvent('framenavigated', frame => frame.url().startsWith('chrome-error:'))
  await page.goto(site)
  expect(await (await error).locator('body').textContent()).not.toContain('Lease')
  return page
}

const heard = (page: Page) => page.evaluate(heardIn)
const messages = (page: Page) => page.evaluate(messagesIn)

async function sign(frame: FrameLocator, isPhone = false): Promise<void> {
  await frame.locator('main form button[type="submit"]').first().click()
  if (isPhone) await frame.locator('#bar .all').click()
  await frame.locator('input[name="signature"]').fill('Ada Lovelace')
  // By a key: a press of the mouse may come while the frame still scrolls.
  await frame.locator('input[name="consent"]').press('Space')
  await frame.getByRole('button', { name: 'Sign and finish' }).click()
  await frame.getByText('You are done').waitFor()
}

describe.skipIf(NO_BROWSER)('a page of another site', () => {
  for (const [size, viewport] of [
    ['wide', { width: 1280, height: 900 }],
    ['phone', PHONE],
  ] as const) {
    test(`that is listed signs inside its frame to a valid seal, and hears of it: ${size}`, async () => {
      const { id, url } = await handedOut()
      const { page, frame } = await host(sites.listed, component(url), { viewport })
      await frame.getByRole('heading', { name: 'Lease of the mill' }).waitFor()
      await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('ready'))
      await sign(frame, size === 'phone')
      await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('signed'))
      expect(await heard(page)).toEqual(['ready', 'signed'])
      expect(new Set((await messages(page)).map(([origin]) => origin))).toEqual(new Set([place.url]))
      expect(await page.context().cookies()).toEqual([])
      expect(await verdictOf(id)).toBe('valid')
      await frame.getByRole('link', { name: 'Download the sealed document' }).waitFor()
      const height = await page.locator('iframe').evaluate(each => (each as HTMLElement).offsetHeight)
      expect(height).toBeLessThanOrEqual(viewport.height)
      expect(height).toBeGreaterThan(300)
    })
  }

  test('needs no script for it', async () => {
    const { id, url } = await handedOut()
    const { frame } = await host(sites.listed, plain(url), { javaScriptEnabled: false })
    await sign(frame)
    expect(await verdictOf(id)).toBe('valid')
  })

  test('hears when the person declines, and when a link cannot be opened any more', async () => {
    const { url } = await handedOut()
    const { page, frame } = await host(sites.listed, component(url))
    await frame.locator('main form button[type="submit"]').first().click()
    await frame.locator('form[action$="/decline"]').waitFor({ state: 'attached' })
    await frame.locator('form[action$="/decline"]').evaluate(form => {
      const reason = form.querySelector<HTMLTextAreaElement>('[name="reason"]')
      if (reason) reason.value = 'The rent is too high.'
      ;(form as HTMLFormElement).submit()
    })
    await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('declined'))
    const again = await host(sites.listed, component(url))
    await again.page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('closed'))
  })

  test('that is not listed sees nothing, hears nothing and uses nothing up', async () => {
    const { url } = await handedOut()
    const page = await refused(sites.unlisted, component(url))
    expect([await heard(page), await messages(page)]).toEqual([[], []])
    const listed = await host(sites.listed, component(url))
    await listed.frame.getByRole('heading', { name: 'Lease of the mill' }).waitFor()
  })

  test('that takes the address of the frame from elsewhere runs no script of it', async () => {
    const { url } = await handedOut()
    const { page, frame } = await host(sites.listed, component("javascript:parent.heard.push('script')"))
    await page.locator('signet-signing').evaluate((each, src) => each.setAttribute('src', src), url)
    await frame.getByRole('heading', { name: 'Lease of the mill' }).waitFor()
    expect(await heard(page)).not.toContain('script')
  })

  test('cannot show the page of a link that was mailed, although it is listed', async () => {
    const email = 'bob@example.com'
    const recipients = [{ ...ADA, email, fields: [SIGNATURE] }]
    const { link } = await place.send({ recipients }, email)
    await refused(sites.listed, plain(link.startsWith('http') ? link : place.url + link))
  })
})
