/** The signing page with little space: small phones, landscape, keyboards, large text. */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, PHONE } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

const FIELDS = [
  { type: 'text', page: 1, x: 10, y: 25, width: 40, height: 4, label: 'Town' },
  { type: 'checkbox', page: 1, x: 98.6, y: 50, width: 1.4, height: 1, label: 'At the edge' },
  { type: 'text', page: 1, x: 0, y: 0, width: 3, height: 1, label: 'In the corner' },
  {
    type: 'radio',
    label: 'A question whose words fill more than one line of a small phone',
    options: [{ value: 'This answer is long enough to reach the other edge too', page: 1, x: 10, y: 60, width: 4, height: 3 }],
  },
  { type: 'initials', page: 1, x: 60, y: 80, width: 10, height: 4 },
  SIGNATURE,
]
const SMALL = { ...ON_A_PHONE, viewport: { width: 320, height: 568 } }
const ON_ITS_SIDE = { ...ON_A_PHONE, viewport: { width: 740, height: 360 } }

const place = useSigningService()
let people = 0

interface SceneOptions {
  fields?: unknown[]
  person?: Record<string, unknown>
  document?: Record<string, unknown>
  /** Of the landing. */
  look?: (page: Page) => Promise<void>
}

async function open(options: BrowserContextOptions, { fields = FIELDS, person = {}, document = {}, look }: SceneOptions = {}) {
  const email = `ada${++people}@example.com`
  const recipients = [{ ...ADA, email, fields, ...person }]
  const { link } = await place.send({ file: await samplePdf(), recipients, ...document }, email)
  const { page } = await place.window(options)
  await page.goto(link)
  await look?.(page)
  const arrived = page.waitForEvent('load')
  await page.locator('main form button[type="submit"]').click()
  await arrived
  await page.locator('.marker').first().waitFor()
  return page
}

const marker = (page: Page, name: string) => page.locator(`.marker[aria-label*="${name}"]`)
const sheetOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.sheet)
const toConsent = async (page: Page) => {
  await page.locator('#bar .end').tap()
  await page.locator('#summary a').last().tap()
}

/** The text and controls of the open entry under "Close". */
function underClose(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const close = document.querySelector('.sheet-head button')?.getBoundingClientRect()
    const entry = document.querySelector('.entry.current')
    if (!close || !entry) throw new Error('no entry is open')
    const isHit = (box: DOMRect, around: number) =>
      box.width > 0 &&
      box.right + around > close.left &&
      box.left - around < close.right &&
      box.bottom + around > close.top &&
      box.top - around < close.bottom
    const hit: string[] = []
    const texts = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      if ([...range.getClientRects()].some(box => isHit(box, 0))) hit.push(text.textContent ?? '')
    }
    for (const control of entry.querySelectorAll('input, select, textarea, button, .pad'))
      if (isHit(control.getBoundingClientRect(), 5)) hit.push(control.outerHTML)
    return hit
  })
}

/** Nothing lies over its four corners, and it is in the window. */
function isWhole(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(selector => {
    const element = document.querySelector(selector)
    if (!element) throw new Error(`there is no ${selector}`)
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const corners = [
      [left + 2, top + 4],
      [right - 2, top + 4],
      [left + 2, bottom - 4],
      [right - 2, bottom - 4],
    ] as const
    return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
  }, selector)
}

const overhang = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('main, #title, .document-tools, #panel, #bar')]
      .filter(element => element.scrollWidth > element.clientWidth + 1)
      .map(element => `${element.id || element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
  )

describe.skipIf(NO_BROWSER)('the sheet of a phone', () => {
  test('never lays “Close” over a word or a control of its entry, from left to right and from right to left', async () => {
    for (const locale of ['en', 'ar']) {
      const page = await open(ON_A_PHONE, { person: { locale } })
      for (const { viewport } of [SMALL, ON_ITS_SIDE, { viewport: PHONE }]) {
        await page.setViewportSize(viewport)
        const at = (what: string) => `${what}, ${locale}, ${viewport.width}`
        for (const name of ['Town', 'At the edge', 'A question']) {
          await marker(page, name).evaluate(button => (button as HTMLElement).click())
          expect([at(name), await underClose(page)]).toEqual([at(name), []])
        }
        await page
          .locator('.marker')
          .nth(4)
          .evaluate(button => (button as HTMLElement).click())
        await page.locator('.entry.current .pad').scrollIntoViewIfNeeded()
        expect([at('a mark'), await underClose(page)]).toEqual([at('a mark'), []])
        await toConsent(page)
        expect([at('consent'), await underClose(page)]).toEqual([at('consent'), []])
      }
    }
  }, 120_000)

  test('shows what has the focus, also of a consent longer than the screen', async () => {
    const page = await open(SMALL)
    await toConsent(page)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('consent')
    expect(await isWhole(page, '#consent')).toBe(true)
  }, 60_000)

  test('on its side shows the whole pad at once', async () => {
    const page = await open(ON_ITS_SIDE)
    await marker(page, 'Signature').evaluate(button => (button as HTMLElement).click())
    expect(await isWhole(page, '[data-mark="signature"] .pad')).toBe(true)
  }, 60_000)

  test('keeps the field in sight when the keyboard opens after it has taken the focus', async () => {
    for (const [options, height] of [
      [SMALL, 270],
      [ON_ITS_SIDE, 170],
    ] as const) {
      const page = await open(options)
      await marker(page, 'Initials').evaluate(button => (button as HTMLElement).click())
      await page.locator('input[name="initialsMethod"][value="typed"]').check({ force: true })
      await page.locator('input[name="initials"]').focus()
      await page.setViewportSize({ width: options.viewport.width, height })
      await page.waitForFunction(height => document.body.clientHeight === height, height)
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      expect([height, await isWhole(page, 'input[name="initials"]')]).toEqual([height, true])
      await page.context().close()
    }
  }, 60_000)

  test('is reached by the link that skips to the fields, keeps the keyboard out of what it covers whole, and Escape closes it from the bar', async () => {
    const page = await open({ viewport: { width: 360, height: 740 } })
    await page.locator('a.skip[href="#sign"]').focus()
    await page.keyboard.press('Enter')
    expect([await sheetOf(page), await page.evaluate(() => document.activeElement?.id)]).toEqual(['all', 'sign'])
    const passed = new Set<string>()
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      passed.add(await page.evaluate(() => (document.activeElement?.closest('#document, #panel, #bar') ?? document.body).id))
    }
    expect([...passed].sort()).toEqual(['', 'bar', 'panel'])
    await page.locator('#bar .end').focus()
    await page.keyboard.press('Escape')
    expect(await sheetOf(page)).toBe('closed')
    await marker(page, 'Town').focus()
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('marker')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('nothing runs over an edge', () => {
  test('with letters twice as large, and “Sign and finish” stays whole', async () => {
    for (const options of [ON_A_PHONE, { viewport: { width: 1280, height: 720 } }]) {
      const page = await open(options)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        dispatchEvent(new Event('resize'))
      })
      expect([await overhang(page), await isWhole(page, '#bar .end')]).toEqual([[], true])
      await page.locator('#bar .next').click()
      expect(await overhang(page)).toEqual([])
      await page.context().close()
    }
  }, 60_000)

  test('with a title, a name and labels without a single space', async () => {
    const long = 'W'.repeat(100)
    const fields = FIELDS.map(field => ('label' in field ? { ...field, label: long } : field))
    for (const options of [ON_A_PHONE, SMALL, {}]) {
      const look = async (landing: Page) => expect(await overhang(landing)).toEqual([])
      const page = await open(options, { fields, person: { name: long }, document: { title: long }, look })
      expect(await overhang(page)).toEqual([])
      await page.locator('#bar .next').click()
      expect(await overhang(page)).toEqual([])
      await page.locator('#bar .end').click()
      expect(await overhang(page)).toEqual([])
      await page.context().close()
    }
  }, 60_000)

  test('of the first sight: on a low phone the landing shows who asks, a short message, the day and the button', async () => {
    const message = 'Dear Ada,\nplease look at clause 4.\nGrace'
    const look = async (landing: Page) => expect(await isWhole(landing, 'main form button')).toBe(true)
    await open({ ...ON_A_PHONE, viewport: { width: 360, height: 640 } }, { document: { message }, look })
  }, 60_000)

  test('of the page: a marker there is completely on the page, however small its field', async () => {
    const page = await open(ON_A_PHONE)
    for (const name of ['At the edge', 'In the corner']) {
      const place = await marker(page, name).evaluate(button => {
        const [own, paper] = [button, button.closest('.page')].map(element => element?.getBoundingClientRect())
        if (!own || !paper) throw new Error('the marker is on no page')
        const distances = [own.left - paper.left, own.top - paper.top, paper.right - own.right, paper.bottom - own.bottom]
        return { isWithin: distances.every(px => px > -0.5), isLarge: own.width >= 23.9 && own.height >= 23.9 }
      })
      expect([name, place]).toEqual([name, { isWithin: true, isLarge: true }])
    }
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'in forced colours, a filled marker has a tick that differs from its background',
  async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ ...ON_A_PHONE, forcedColors: 'active', colorScheme })
      await marker(page, 'Town').tap()
      await page.keyboard.type('Bern')
      const tick = marker(page, 'Town').locator('svg')
      await page.locator('.marker[aria-label="Town, page 1: filled in"]').waitFor()
      const [ground, stroke] = await tick.evaluate(svg => {
        const { backgroundColor, stroke } = getComputedStyle(svg)
        return [backgroundColor, stroke]
      })
      expect(ground).not.toBe(stroke)
      await page.context().close()
    }
  },
  60_000,
)
