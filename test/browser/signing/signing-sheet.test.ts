/** The sheet of a phone and the browser's history; what can be done instead of signing. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, words } from '../../support/browser.ts'
import { finish, marker, next, panel, signTyped, useSigningScene } from '../../support/signing-scene.ts'

const { open, place, statusOf } = useSigningScene()
const documentOf = async (id: string) => (await place.t.api('GET', `/documents/${id}`)).body

const entries = (page: Page) => page.evaluate(() => history.length)
const isOpen = (page: Page) => panel(page).isVisible()
const back = async (page: Page) => {
  const moved = page.evaluate(() => new Promise(done => window.addEventListener('popstate', done, { once: true })).then(() => 0))
  await page.evaluate(() => history.back())
  await moved
}
const openMenu = async (page: Page, name: string) => {
  // Without a script it stays open.
  if ((await page.locator('#more').getAttribute('open')) === null) await page.locator('#more summary').click()
  await page.locator('#more').getByRole('link', { name }).click()
}

describe.skipIf(NO_BROWSER)('Back on a phone', () => {
  test('closes the open sheet and stays on the page, Forward opens one again, and a second Back leaves', async () => {
    const { page, complaints } = await open(ON_A_PHONE)
    const address = page.url()
    const before = await entries(page)
    await next(page).tap()
    expect([await isOpen(page), await entries(page)]).toEqual([true, before + 1])
    await next(page).tap()
    expect(await entries(page)).toBe(before + 1)
    await back(page)
    expect([await isOpen(page), page.url()]).toEqual([false, address])
    await page.goForward()
    expect([await isOpen(page), await page.locator('#sign').isVisible()]).toEqual([true, true])
    await back(page)
    await page.goBack()
    expect(page.url()).not.toBe(address)
    expect(complaints).toEqual([])
  }, 60_000)

  test('leaves the page at once after the sheet was closed by its button, however often that was', async () => {
    const { page } = await open(ON_A_PHONE)
    const address = page.url()
    const before = await entries(page)
    for (let i = 0; i < 3; i++) {
      await next(page).tap()
      const moved = page.evaluate(() =>
        new Promise(done => window.addEventListener('popstate', done, { once: true })).then(() => 0),
      )
      await page.getByRole('button', { name: 'Close' }).tap()
      await moved
    }
    expect(await entries(page)).toBe(before + 1)
    await page.goBack()
    expect(page.url()).not.toBe(address)
  }, 60_000)

  test('closes a sheet that was opened in the moment when another was closed', async () => {
    const { page } = await open(ON_A_PHONE)
    const address = page.url()
    await next(page).tap()
    await page.evaluate(async () => {
      const moved = new Promise(done => window.addEventListener('popstate', done, { once: true }))
      document.querySelector<HTMLElement>('.sheet-head button')?.click()
      document.querySelector<HTMLElement>('#bar .next')?.click()
      await moved
    })
    expect(await isOpen(page)).toBe(true)
    await back(page)
    expect([await isOpen(page), page.url()]).toEqual([false, address])
  }, 60_000)

  test('leaves the page after a reload with the sheet open', async () => {
    const { page } = await open(ON_A_PHONE)
    const address = page.url()
    await next(page).tap()
    await page.reload()
    await page.locator('.marker').first().waitFor()
    await page.waitForFunction(() => history.state === null)
    await page.goBack()
    expect(page.url()).not.toBe(address)
  }, 60_000)

  test('has nothing to close on a wide screen: the history does not change', async () => {
    const { page } = await open()
    const before = await entries(page)
    await next(page).click()
    await page.keyboard.press('Escape')
    await signTyped(page)
    expect([await entries(page), await page.evaluate(() => history.state)]).toEqual([before, null])
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('the menu of the header', () => {
  test('leads on a phone to the form that declines, alone in the sheet, and the document is declined by it', async () => {
    const { id, page, complaints } = await open(ON_A_PHONE)
    await openMenu(page, 'I do not want to sign')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('reason')
    expect(await panel(page).getByLabel('Name of your colleague').isVisible()).toBe(false)
    expect(await page.locator('#sign').isVisible()).toBe(false)
    expect(await page.locator('.sheet-head .place').textContent()).toBe('I do not want to sign')
    await page.getByLabel('Your reason').fill('The price is wrong.')
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Decline' }).tap()])
    expect([await words(page), await statusOf(id)]).toEqual([expect.stringContaining('You have declined'), 'declined'])
    expect(complaints).toEqual([])
  }, 60_000)

  test('leads to the form that hands over; “Next field” and a marker lead from there to the fields', async () => {
    const { page } = await open(ON_A_PHONE)
    await openMenu(page, 'Hand over to a colleague')
    expect(await panel(page).getByLabel('Name of your colleague').isVisible()).toBe(true)
    await next(page).tap()
    expect(await panel(page).getByLabel('Name of your colleague').isVisible()).toBe(false)
    expect(await page.locator('.entry.current').isVisible()).toBe(true)
    await openMenu(page, 'Hand over to a colleague')
    await page.keyboard.press('Escape')
    expect(await isOpen(page)).toBe(false)
    await marker(page, /^Persons/).tap()
    expect(await panel(page).getByLabel('Persons').isVisible()).toBe(true)
  }, 60_000)

  test('leaves no open form that declines beside the consent of who goes on to sign; the reason is kept', async () => {
    const { page } = await open()
    await openMenu(page, 'I do not want to sign')
    await page.getByLabel('Your reason').fill('The price is wrong.')
    await next(page).click()
    expect(await page.getByLabel('Your reason').isVisible()).toBe(false)
    await openMenu(page, 'I do not want to sign')
    expect(await page.getByLabel('Your reason').inputValue()).toBe('The price is wrong.')
  }, 60_000)

  test('is closed by Escape, by a press outside, and offers the PDF', async () => {
    const { page } = await open()
    const menu = page.locator('#more')
    const isShown = () => menu.getByRole('link', { name: 'Download the PDF' }).isVisible()
    await menu.locator('summary').click()
    expect(await isShown()).toBe(true)
    await page.keyboard.press('Escape')
    expect([await isShown(), await page.evaluate(() => document.activeElement?.tagName)]).toEqual([false, 'SUMMARY'])
    await menu.locator('summary').click()
    await page.locator('h1').click()
    expect(await isShown()).toBe(false)
    await openMenu(page, 'Hand over to a colleague')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('name')
  }, 60_000)

  for (const [way, viewport] of [
    ['on its side', { width: 740, height: 360 }],
    ['with large text', { width: 360, height: 440 }],
    ['wide and low', { width: 932, height: 430 }],
  ] as const) {
    test(`is within reach on a phone ${way}, whole and not covered by a sheet`, async () => {
      const { page } = await open({ ...ON_A_PHONE, viewport })
      await page.locator('#more summary').tap()
      const links = page.locator('#more a')
      for (const link of await links.all()) {
        const box = await link.boundingBox()
        expect(box && box.y >= 0 && box.y + box.height <= viewport.height && box.x + box.width <= viewport.width).toBe(true)
      }
      await links.filter({ hasText: 'I do not want to sign' }).tap()
      expect(await panel(page).getByLabel('Your reason').isVisible()).toBe(true)
    }, 60_000)
  }

  for (const [way, options] of [
    ['with a script', {}],
    ['without one', { javaScriptEnabled: false }],
  ] as const) {
    test(`leads to forms that say what cannot be undone, and do nothing by a press alone: ${way}`, async () => {
      const { id, page } = await open({ ...ON_A_PHONE, ...options })
      for (const [name, form, button] of [
        ['I do not want to sign', '#decline', 'Decline'],
        ['Hand over to a colleague', '#delegate', 'Hand over'],
      ] as const) {
        await openMenu(page, name)
        const details = page.locator(form)
        if ((await details.getAttribute('open')) === null) await details.locator('summary').tap()
        expect(await details.textContent()).toContain('This cannot be undone.')
        await details.getByRole('button', { name: button }).tap()
        expect(await details.locator(':invalid').first().isVisible()).toBe(true)
      }
      await page.reload()
      expect(place.asked.filter(({ path }) => /decline|delegate/.test(path))).toEqual([])
      const { status, recipients } = await documentOf(id)
      expect([status, recipients[0].status]).toEqual(['sent', 'viewed'])
    }, 60_000)
  }

  test('leads to both forms without a script', async () => {
    const { page } = await open({ ...ON_A_PHONE, javaScriptEnabled: false })
    await openMenu(page, 'I do not want to sign')
    await page.locator('#decline summary').tap()
    expect(await page.getByLabel('Your reason').isVisible()).toBe(true)
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'what a person has signed with an open sheet is finished, and Back shows the page after signing',
  async () => {
    const { page } = await open(ON_A_PHONE)
    await page.locator('#bar .all').tap()
    await panel(page).getByLabel('Persons').fill('3')
    await panel(page).getByRole('radio', { name: 'no', exact: true }).check()
    await signTyped(page)
    await finish(page)
    await page.goBack()
    expect(await words(page)).toContain('You are done')
  },
  60_000,
)
