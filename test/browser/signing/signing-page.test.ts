/**
 * The signing page with its script, in a real browser: on a phone by touch, on a wide screen, by
 * the keyboard alone, over a lost connection.
 */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { parseInk } from '../../../src/core/signing/ink.ts'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { enterSaved } from '../../support/signing-scene.ts'
import { useSigningService } from '../../support/signing-service.ts'

const FIELDS = [
  { type: 'text', page: 1, x: 10, y: 25, width: 40, height: 4, label: 'Town' },
  { type: 'number', page: 1, x: 10, y: 30, width: 40, height: 4, label: 'Hours a week', required: false },
  { type: 'checkbox', page: 1, x: 10, y: 40, width: 4, height: 3, label: 'Price list seen', required: true },
  { ...SIGNATURE, page: 1 },
  { ...SIGNATURE, page: 3 },
  { type: 'email', page: 2, x: 10, y: 30, width: 40, height: 4, label: 'Mail for bills' },
]

const place = useSigningService()

const WIDE_MOUSE: BrowserContextOptions = {}

interface AppHandle {
  id: string
  page: Page
  complaints: string[]
}

let people = 0

async function open(options: BrowserContextOptions = WIDE_MOUSE, fields: unknown[] = FIELDS): Promise<AppHandle> {
  // Everyone of their own: the mail about an earlier document must not be taken for the invitation.
  const email = `ada${++people}@example.com`
  const { id, link } = await place.send({ file: await samplePdf(3), recipients: [{ ...ADA, email, fields }] }, email)
  const { page, watch } = await place.window(options)
  page.on('pageerror', error => void watch.complaints.push(error.message))
  await page.goto(link)
  await press(page, 'Open the document')
  await page.locator('.marker').first().waitFor()
  return { id, page, complaints: watch.complaints }
}

const entry = (page: Page, label: string) => page.locator('#panel').getByLabel(label)
const bar = (page: Page) => page.locator('#bar')
const next = (page: Page) => page.getByRole('button', { name: 'Next field' })
const finish = (page: Page) => page.getByRole('button', { name: 'Sign and finish' })
const marker = (page: Page, name: RegExp | string) => page.locator('.marker').and(page.getByRole('button', { name }))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '')
const saved = (page: Page) =>
  bar(page)
    .locator('.save', { hasText: /^Saved$/ })
    .waitFor()
const sent = (end: string) => place.asked.filter(({ method, path }) => method === 'POST' && path.endsWith(end))
const statusOf = async (id: string) => (await place.t.api('GET', `/documents/${id}`)).body.recipients[0].status

/** Draws a wave over the pad with the mouse, which browsers hand to the page as they do a pen. */
async function draw(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('the pad is not in sight')
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  for (let i = 0; i < 40; i++) await page.mouse.move(box.x + 20 + 5 * i, box.y + box.height / 2 + 25 * Math.sin(i / 4))
  await page.mouse.up()
}

describe.skipIf(NO_BROWSER)('on a phone', () => {
  test('a person is led from field to field, draws, finishes with two taps at once, and has signed once what was drawn', async () => {
    const { id, page, complaints } = await open(ON_A_PHONE)
    expect(await bar(page).locator('.count').textContent()).toBe('1 of 5 done')
    await next(page).tap()
    await page.keyboard.type('Bern')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('inputmode'))).toBe('decimal')
    await next(page).tap()
    expect(await focused(page)).toStartWith('fields.')
    await page.keyboard.press('Space')
    await next(page).tap()
    const pad = page.locator('[data-mark="signature"] .pad')
    await draw(page, pad)
    await page.getByRole('button', { name: 'Use this signature in 2 places' }).tap()
    await next(page).tap()
    expect(await page.locator('#place').textContent()).toBe('Signature, page 3')
    await next(page).tap()
    await page.getByLabel('I have read this and agree.').check()
    expect(await bar(page).textContent()).toContain('By pressing the button I sign this document.')
    const drawn = await page.locator('[name="signatureInk"]').inputValue()
    expect(parseInk(drawn)).toHaveProperty('strokes')
    // The answer is held back until the second tap has had its time; the page itself taps, as it is
    // on its way to the next.
    const held = Promise.withResolvers<undefined>()
    place.instead = (_, path) => {
      if (path === '/tapped') held.resolve(undefined)
      return path.endsWith('/finish') ? held.promise : undefined
    }
    const arrived = page.waitForEvent('load')
    await bar(page)
      .locator('.end')
      .evaluate(button => {
        const time = async () => {
          for (let round = 0; round < 5; round++) await fetch('/healthz')
        }
        const taps = async () => {
          ;(button as HTMLButtonElement).click()
          await time()
          ;(button as HTMLButtonElement).click()
          await time()
          await fetch('/tapped')
        }
        void taps()
      })
    await arrived
    expect(await words(page)).toContain('You are done')
    expect(sent('/finish')).toHaveLength(1)
    const stored = await place.t.app.db.selectFrom('mark_contents').selectAll().where('kind', '=', 'drawn').execute()
    expect(stored.map(({ content }) => new TextDecoder().decode(content))).toContain(drawn)
    expect(await statusOf(id)).toBe('signed')
    expect(complaints).toEqual([])
  }, 60_000)

  test('a marker opens its entry as a sheet, which covers neither the marker nor the entry, and closing leads back to it', async () => {
    const { page } = await open(ON_A_PHONE)
    expect(await page.locator('#panel').isVisible()).toBe(false)
    await marker(page, /^Mail for bills, page 2/).tap()
    const bills = entry(page, 'Mail for bills')
    expect(await bills.evaluate(e => e === document.activeElement)).toBe(true)
    expect(await entry(page, 'Town').isVisible()).toBe(false)
    for (const [what, place] of [
      ['entry', bills],
      ['marker', marker(page, /^Mail for bills/)],
    ] as const)
      expect([what, await isUncovered(place)]).toEqual([what, true])
    await page.keyboard.press('Escape')
    expect(await page.locator('#panel').isVisible()).toBe(false)
    expect(await marker(page, /^Mail for bills/).evaluate(e => e === document.activeElement)).toBe(true)
  }, 60_000)

  test('turned on its side it keeps the open entry, what was entered and the drawing', async () => {
    const { page } = await open(ON_A_PHONE)
    await marker(page, /^Signature, page 1/).tap()
    await draw(page, page.locator('[data-mark="signature"] .pad'))
    const outline = () => page.locator('[data-mark="signature"] .ink path').getAttribute('d')
    const before = await outline()
    await page.setViewportSize({ width: 740, height: 360 })
    expect(await page.locator('[data-mark="signature"] .pad').isVisible()).toBe(true)
    expect(await outline()).toBe(before)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }, 60_000)
})

/** Nothing lies over the middle of it. */
function isUncovered(place: Locator): Promise<boolean> {
  return place.evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && element.contains(found)
  })
}

test.skipIf(NO_BROWSER)('the entry has the pages that were displayed, also before a reload, and not the others', async () => {
  const { id, page, complaints } = await open(WIDE_MOUSE, [{ ...SIGNATURE, page: 1 }])
  const shown = (pages: string) =>
    page.waitForFunction(text => document.querySelector<HTMLInputElement>('[name="pagesShown"]')?.value === text, pages)
  await shown('1')
  await page.reload()
  await shown('1')
  const jump = page.locator('#go-to-page')
  await jump.fill('3')
  await jump.press('Enter')
  await shown('1,3')
  await page.locator('[name="signatureMethod"][value="typed"]').check()
  await page.locator('#signature').fill('Ada Lovelace')
  await page.getByLabel('I have read this and agree.').check()
  await press(page, 'Sign and finish')
  expect(await words(page)).toContain('You are done')
  const { events } = (await place.t.api('GET', `/documents/${id}/audit`)).body
  const types = events.map(({ type }: { type: string }) => type)
  const at = types.indexOf('recipient.signed')
  expect([types[at - 1], events[at].data.pagesShown, complaints]).toEqual(['recipient.consented', '1,3', []])
})

describe.skipIf(NO_BROWSER)('what is missing', () => {
  test('is listed in a summary that takes the focus, at each field and by its marker; each line leads to its field; nothing is sent', async () => {
    const { id, page } = await open()
    await entry(page, 'Hours a week').fill('many')
    await finish(page).click()
    expect(await focused(page)).toBe('summary')
    const lines = await page.locator('#summary a').allTextContents()
    expect(lines).toEqual([
      'Town: please fill this in.',
      'Hours a week: please enter a number such as 1250 or 12.50.',
      'Price list seen: please tick the box.',
      'Please add your signature.',
      'Please agree by ticking the box.',
    ])
    const town = entry(page, 'Town')
    expect(await town.getAttribute('aria-invalid')).toBe('true')
    expect(await marker(page, 'Town, page 1: please check').count()).toBe(1)
    await page.locator('#summary a').first().click()
    expect(await town.evaluate(e => e === document.activeElement)).toBe(true)
    await town.fill('Bern')
    expect(await town.getAttribute('aria-invalid')).toBe(null)
    expect(await marker(page, 'Town, page 1: filled in').count()).toBe(1)
    expect(sent('/finish')).toEqual([])
    expect(await statusOf(id)).toBe('viewed')
  }, 60_000)

  test('found by the server alone is shown in the same way', async () => {
    const { page } = await open()
    await entry(page, 'Town').fill('Bern \u{1F600}')
    await entry(page, 'Town').blur()
    await page.locator('[id$="-error"]', { hasText: 'cannot be printed' }).waitFor()
    expect(await entry(page, 'Town').getAttribute('aria-invalid')).toBe('true')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('what was entered', () => {
  test('comes back after a reload, also a drawing that was not yet chosen, and that drawing is in no field', async () => {
    const { page } = await open()
    await entry(page, 'Town').fill('Łódź')
    await entry(page, 'Price list seen').check()
    await page.getByLabel('Draw').first().check({ force: true })
    await enterSaved(page, 'strokes', () => draw(page, page.locator('[data-mark="signature"] .pad')))
    const drawn = await page.locator('[name="signatureInk"]').inputValue()
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await entry(page, 'Town').inputValue()).toBe('Łódź')
    expect(await entry(page, 'Price list seen').isChecked()).toBe(true)
    expect(await page.locator('[name="signatureInk"]').inputValue()).toBe(drawn)
    expect(await page.locator('[data-mark="signature"] .ink path').count()).toBe(1)
    expect(await marker(page, /^Signature.*required, not filled in yet/).count()).toBe(2)
  }, 60_000)

  test('is sent on when the page is left before it was saved', async () => {
    const { page } = await open()
    await entry(page, 'Town').pressSequentially('Graz')
    await page.goto('about:blank')
    expect(sent('/form-values').some(({ body }) => body.includes('Graz'))).toBe(true)
  }, 60_000)

  test('over a lost connection is not lost: it says so, sends nothing final, and saves when the connection is back', async () => {
    const { id, page } = await open()
    const heard = bar(page).getByRole('status')
    await entry(page, 'Mail for bills').fill('ada@example.com')
    await saved(page)
    expect(await heard.textContent()).toBe('')
    await page.context().setOffline(true)
    await entry(page, 'Town').fill('Bern')
    await entry(page, 'Price list seen').check()
    await heard.filter({ hasText: 'Not saved: no connection' }).waitFor()
    await page.getByLabel('Type').first().check({ force: true })
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByLabel('I have read this and agree.').check()
    await finish(page).click()
    await heard.filter({ hasText: 'Not sent: no connection' }).waitFor()
    expect([sent('/finish'), await statusOf(id)]).toEqual([[], 'viewed'])
    await page.context().setOffline(false)
    await saved(page)
    expect(await heard.textContent()).toBe('Saved')
    await Promise.all([page.waitForEvent('load'), finish(page).click()])
    expect(await words(page)).toContain('You are done')
  }, 60_000)

  test('whose sending was stopped in the browser can be sent again, and counts once', async () => {
    const { id, page } = await open()
    await entry(page, 'Mail for bills').fill('ada@example.com')
    await entry(page, 'Town').fill('Bern')
    await entry(page, 'Price list seen').check()
    await page.getByLabel('Type').first().check({ force: true })
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByLabel('I have read this and agree.').check()
    await saved(page)
    await page.clock.install()
    // As the browser's Stop does.
    await page.route('**/finish', route => route.abort('aborted'), { times: 1 })
    await Promise.all([page.waitForEvent('requestfailed', request => request.url().endsWith('/finish')), finish(page).click()])
    await bar(page).getByRole('button', { name: 'Sending…' }).waitFor()
    await page.clock.fastForward(20_000)
    await Promise.all([page.waitForEvent('load'), finish(page).click()])
    expect([await words(page), await statusOf(id)]).toEqual([expect.stringContaining('You are done'), 'signed'])
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('by the keyboard alone', () => {
  test('everything is reached with the focus in sight and uncovered, Enter never ends the act early, and the act is done', async () => {
    const { id, page } = await open()
    const seen: string[] = []
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const element = document.activeElement
        if (!(element instanceof HTMLElement) || element === document.body) return undefined
        // A radio button lies under what is drawn for it; a region that scrolls is higher than the
        // window.
        const shown =
          element instanceof HTMLInputElement && element.type === 'radio' ? (element.nextElementSibling ?? element) : element
        const { left, top, width, height } = shown.getBoundingClientRect()
        const found = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2)
        const { outlineStyle, outlineWidth } = getComputedStyle(shown)
        const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
        const isFree = found !== null && (shown.contains(found) || found.closest('label')?.contains(shown) === true)
        const name =
          element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent
        return { name: (name ?? '').trim(), fine: isSeen && isFree, isLast: element.closest('#bar .end') !== null }
      })
      if (!at) break
      seen.push(at.fine ? at.name : `HIDDEN ${at.name}`)
      if (at.isLast) break
    }
    expect(seen.filter(name => name.startsWith('HIDDEN'))).toEqual([])
    expect(seen.at(-1)).toBe('Sign and finish')

    await next(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Bern')
    await page.keyboard.press('Enter')
    await page.keyboard.type('40')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('checkbox')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    // On the group of methods, "Type" is chosen where there is no finger.
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('typed')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada Lovelace')
    await page.keyboard.press('Enter')
    expect(await page.locator('#place').textContent()).toBe('Signature, page 3')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('consent')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    expect(sent('/finish')).toEqual([])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign and finish')
    const arrived = page.waitForEvent('load')
    await page.keyboard.press('Enter')
    await arrived
    expect(await words(page)).toContain('You are done')
    expect(await statusOf(id)).toBe('signed')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('every state', () => {
  test('is accessible by axe in light and dark, on a phone and wide, left to right and right to left, and runs over no edge', async () => {
    const errors: string[] = []
    for (const options of [ON_A_PHONE, WIDE_MOUSE]) {
      for (const locale of ['en', 'ar']) {
        const { page, complaints } = await open(options, FIELDS)
        await page.evaluate(dir => document.documentElement.setAttribute('dir', dir), locale === 'ar' ? 'rtl' : 'ltr')
        const look = async (state: string) => {
          for (const found of await axeViolations(page, locale === 'en' ? 'page' : 'layout'))
            errors.push(`${state}, ${locale}: ${found}`)
          const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          if (overhang > 0) errors.push(`${state}, ${locale}: ${overhang} px too wide`)
        }
        await look('form')
        await next(page).click()
        await look('entry')
        await finish(page).click()
        await look('summary')
        await page.locator('#summary a').nth(2).click()
        for (const way of ['Draw', 'Type', 'Upload']) {
          await page.getByLabel(way).first().check({ force: true })
          await look(way)
        }
        errors.push(...complaints)
        await page.context().close()
      }
    }
    expect(errors).toEqual([])
  }, 180_000)
})
