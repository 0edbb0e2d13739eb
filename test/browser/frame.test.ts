/** The frame of the web app in Chromium: keys, menus, dialogs, files dropped, small windows. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, press, type Watch } from '../support/browser.ts'
import { newDocument } from '../support/sample.ts'
import { useAppServer } from '../support/use-app-server.ts'

let watches: Watch[] = []
const server = useAppServer(async ({ t }) => {
  for (const title of ['First lease', 'Second lease']) await t.api('POST', '/documents', await newDocument({ title }))
})
afterEach(() => {
  expect(watches.flatMap(watch => [...watch.foreign, ...watch.complaints])).toEqual([])
  watches = []
})

async function signedIn(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page, watch } = await server.signedIn(options)
  watches.push(watch)
  await page.goto(path)
  return page
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

describe.skipIf(NO_BROWSER)('the keys', () => {
  test('move between rows, search, make a document, and show their list', async () => {
    const page = await signedIn('/documents')
    await page.keyboard.press('j')
    expect(await focused(page)).toContain('Second lease')
    await page.keyboard.press('j')
    expect(await focused(page)).toContain('First lease')
    await page.keyboard.press('k')
    expect(await focused(page)).toContain('Second lease')
    await page.keyboard.press('/')
    await page.keyboard.type('jn?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('jn?')
    expect(page.url()).toBe(`${server.url}/documents`)
    await page.goto('/documents')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    const arrived = page.waitForURL('**/documents/new', { waitUntil: 'commit' })
    await page.keyboard.press('n')
    await arrived
    await page.goto('/documents')
    await page.locator('main tbody input[type="checkbox"]').first().focus()
    await page.keyboard.press('j')
    expect(await focused(page)).toContain('First lease')
    await Promise.all([page.waitForURL(/\/documents\/doc_/, { waitUntil: 'commit' }), page.keyboard.press('Enter')])
  }, 60_000)

  test('are off for a person who has switched them off, also on the next page', async () => {
    const page = await signedIn('/documents')
    await page.keyboard.press('?')
    await page.getByLabel('Use these keys').uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.keyboard.press('j')
    expect(await focused(page)).not.toContain('lease.pdf')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByText('Keyboard shortcuts').first().click()
    expect(await page.getByLabel('Use these keys').isChecked()).toBe(false)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('the menu of the account', () => {
  test('opens at its button, is walked by arrows, and Escape returns to the button', async () => {
    for (const options of [{}, ON_A_PHONE]) {
      const page = await signedIn('/documents', options)
      const button = page.getByRole('button', { name: /^Account:/ })
      await button.focus()
      await page.keyboard.press('Enter')
      const menu = page.locator('#person-menu')
      const [at, place] = [await button.boundingBox(), await menu.boundingBox()]
      if (!at || !place) throw new Error('the menu is not shown')
      const distance = Math.min(Math.abs(at.y - (place.y + place.height)), Math.abs(place.y - (at.y + at.height)))
      expect(distance).toBeLessThanOrEqual(8)
      const { width } = page.viewportSize() ?? { width: 0 }
      expect([place.x >= 0, place.x + place.width <= width]).toEqual([true, true])
      expect(await focused(page)).toBe('English')
      await page.keyboard.press('ArrowDown')
      expect(await focused(page)).toBe('Deutsch')
      await page.keyboard.press('End')
      expect(await focused(page)).toBe('Sign out')
      await page.keyboard.press('Escape')
      expect(await menu.isVisible()).toBe(false)
      expect(await button.evaluate(element => element === document.activeElement)).toBe(true)
      await page.context().close()
    }
  }, 60_000)

  test('changes the language of every page and leads back to this one', async () => {
    const page = await signedIn('/verify')
    await page.getByRole('button', { name: /^Account:/ }).click()
    await press(page, 'Deutsch')
    expect(page.url()).toBe(`${server.url}/verify`)
    await page.getByRole('heading', { name: 'Unterschriebenes PDF prüfen' }).waitFor()
    await page.getByRole('button', { name: /^Konto:/ }).click()
    await press(page, 'English')
    await page.getByRole('heading', { name: 'Verify a signed PDF' }).waitFor()
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('what a page says of the last step', () => {
  test.each([
    ['in a wide window', {}],
    ['on a phone', ON_A_PHONE],
  ])('leaves the control that has the focus uncovered, also at the end of the page: %s', async (_, options) => {
    const page = await signedIn('/documents', options)
    await page.goto('/settings/seal/time-stamps?notice=saved')
    const toast = page.getByRole('status').filter({ hasText: 'saved' })
    const last = page.locator('main :is(a, button):visible').last()
    await last.focus()
    const covered = await last.evaluate(control => {
      const { left, top, width, height } = control.getBoundingClientRect()
      return !control.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect([covered, await toast.isVisible()]).toEqual([false, true])
  })
})

/** The form of the page, as where its script that verifies did not arrive. */
async function verifyForm(): Promise<Page> {
  const page = await signedIn('/documents')
  await page.route('**/static/verify.*.js', route => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.goto('/verify')
  return page
}

describe.skipIf(NO_BROWSER)('a file', () => {
  test('dropped anywhere on the page is chosen, and its name is shown', async () => {
    const page = await verifyForm()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['%PDF-1.7'], 'Vertrag <b>.pdf', { type: 'application/pdf' }))
      document.querySelector('h1')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    expect(await page.locator('[data-file-names]').textContent()).toBe('Vertrag <b>.pdf')
    await press(page, 'Verify')
    await page.getByRole('heading', { name: 'Cannot be read' }).waitFor()
  }, 60_000)

  test('is chosen by keys, and without a script the browser’s own control is shown', async () => {
    const page = await verifyForm()
    // The listener before the page: Chromium opens no chooser that nobody waits for.
    const opened = page.waitForEvent('filechooser')
    await page.reload()
    await page.getByLabel('PDF file').focus()
    await page.keyboard.press('Enter')
    await (await opened).setFiles({ name: 'agreement.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') })
    expect(await page.locator('[data-file-names]').textContent()).toBe('agreement.pdf')
    const { page: plain } = await server.window({ javaScriptEnabled: false })
    await plain.goto('/verify')
    const input = plain.getByLabel('PDF file')
    expect(await input.evaluate(element => getComputedStyle(element).opacity)).toBe('1')
    expect((await input.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(24)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('every page of the web app', () => {
  const PAGES = [
    '/documents',
    '/documents/new',
    '/contacts',
    '/verify',
    '/settings/tokens',
    '/settings/organisation',
    '/settings/seal',
    '/settings/seal/time-stamps',
    '/settings/email',
    '/outbox',
    '/design',
  ]

  test('fits 320 px, with letters twice as large 640 px (WCAG 1.4.10, 1.4.4)', async () => {
    const page = await signedIn('/documents')
    const wider: string[] = []
    for (const path of PAGES) {
      await page.goto(path)
      for (const [width, scale] of [
        [320, '100%'],
        [640, '200%'],
      ] as const) {
        await page.setViewportSize({ width, height: 700 })
        const px = await page.evaluate(size => {
          document.documentElement.style.fontSize = size
          return document.documentElement.scrollWidth - document.documentElement.clientWidth
        }, scale)
        if (px > 0) wider.push(`${path}, ${width}: ${px} px`)
      }
    }
    expect(wider).toEqual([])
  }, 120_000)

  test('moves nothing where a person wants no motion', async () => {
    const page = await signedIn('/design', { reducedMotion: 'reduce' })
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')]
          .map(element => getComputedStyle(element))
          .filter(({ transitionDuration, animationName }) => !/^(0s(, )?)+$/.test(transitionDuration) || animationName !== 'none')
          .length,
    )
    expect(moving).toBe(0)
  }, 60_000)

  test('does not move when Inter arrives: the face before it has the same measures', async () => {
    const page = await signedIn('/settings/organisation')
    const heights = await page.evaluate(async () => {
      await document.fonts.ready
      const height = () => document.documentElement.scrollHeight
      const withInter = height()
      document.documentElement.style.setProperty('--font', '"Inter fallback", sans-serif')
      return [withInter, height()]
    })
    expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeLessThanOrEqual(24)
  }, 60_000)
})
