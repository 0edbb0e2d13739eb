/** The whole signing process in a real browser against the executable, in several ways. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow, press, WIDE } from '../../support/browser.ts'
import { pictureOf } from '../../support/page-picture.ts'
import { samplePdf } from '../../support/sample.ts'
import { bytesOfDataUrl, FIELDS, pictureInBrowser, useWholeSigning } from '../../support/whole-signing.ts'

const place = useWholeSigning(NO_BROWSER)
let browser: Browser

beforeAll(async () => {
  if (!NO_BROWSER) browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Sends a document of three pages, and opens it as its one signer does. */
async function opened(name: string, options: BrowserContextOptions, more: Record<string, unknown> = {}) {
  const { id, link } = await place.invite(name, more)
  const { page, watch } = await openWindow(browser, place.serving.url, options)
  await page.goto(link)
  const arrived = page.waitForEvent('load')
  await page.locator('main form button[type="submit"]').click()
  await arrived
  if (options.javaScriptEnabled !== false) await page.locator('.marker').first().waitFor()
  return { id, page, watch }
}

const entry = (page: Page, name: string) => page.locator(`#sign [data-entry="${name}"]`)

/** Writes a name on the pad by mouse or by finger. */
async function draw(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('the pad is not in sight')
  const point = (share: number): [number, number] => [
    box.x + box.width * (0.1 + 0.8 * share),
    box.y + box.height * (0.5 + 0.3 * Math.sin(share * 20)),
  ]
  await page.mouse.move(...point(0))
  await page.mouse.down()
  for (let i = 1; i <= 60; i++) await page.mouse.move(...point(i / 60))
  await page.mouse.up()
}

/** A page as it is shown: the document with the marks over it, as PNG, all its pixels. */
async function shown(page: Page, number: number): Promise<Buffer> {
  const section = page.locator('section.page').nth(number - 1)
  await section.evaluate(element => element.scrollIntoView({ block: 'start' }))
  await section.locator('canvas.marks:not(.old)').waitFor()
  return bytesOfDataUrl(await section.evaluate(pictureInBrowser))
}

describe.skipIf(NO_BROWSER)('the whole signing process', () => {
  test('on a phone, drawn with a finger: what the seal holds is what was shown', async () => {
    const { id, page, watch } = await opened('Phoebe', ON_A_PHONE)
    const next = page.locator('#bar .next')
    await next.click()
    await page.keyboard.type('Ghent')
    await next.click()
    await page.locator('#bar .all').click()
    await entry(page, 'signature').getByRole('radio', { name: 'Draw' }).check()
    await draw(page, entry(page, 'signature').locator('svg.pad'))
    await entry(page, 'signature').locator('button.use').click()
    await entry(page, 'initials').getByRole('radio', { name: 'Type' }).check()
    await entry(page, 'initials').locator('input[name="initials"]').fill('PL')
    await entry(page, 'initials').locator('button.use').click()
    await page.locator('#consent').check()
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    const pages = new Map<number, Buffer>()
    for (const number of [1, 2, 3]) pages.set(number, await shown(page, number))
    await press(page, 'Sign and finish')
    expect(await page.locator('h1').textContent()).toBe('You are done')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('on a wide screen by mouse, from a photo of the signature; a reload loses nothing', async () => {
    const { id, page, watch } = await opened('Wanda', { viewport: WIDE })
    await entry(page, 'signature').getByRole('radio', { name: 'Upload' }).check()
    const photo = {
      name: 'me.png',
      mimeType: 'image/png',
      buffer: pngOfPhoto(photoOf({ ...PHOTO, width: 500, height: 375, pen: 5 }, 5)),
    }
    await entry(page, 'signature').locator('input[type="file"]').setInputFiles(photo)
    await entry(page, 'signature').locator('.chosen').filter({ hasText: '2' }).waitFor()
    await page.locator('#sign').getByLabel(/^Town/).fill('Łódź')
    await page
      .locator('#sign')
      .getByLabel(/^Rules/)
      .check()
    await entry(page, 'initials').locator('input[name="initials"]').fill('WL')
    await entry(page, 'initials').locator('button.use').click()
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await page.locator('#sign').getByLabel(/^Town/).inputValue()).toBe('Łódź')
    expect(
      await page
        .locator('#sign')
        .getByLabel(/^Rules/)
        .isChecked(),
    ).toBe(true)
    await page.locator('#consent').check()
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    const pages = new Map<number, Buffer>()
    for (const number of [1, 2, 3]) pages.set(number, await shown(page, number))
    await press(page, 'Sign and finish')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('in Arabic, from right to left, on a phone', async () => {
    const { id, page, watch } = await opened('Amal', ON_A_PHONE, { locale: 'ar', name: 'أمل الحداد' })
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(['ar', 'rtl'])
    await page.locator('#bar .all').click()
    await page.locator('#sign input[name^="fields."]').first().fill('غنت')
    for (const name of ['signature', 'initials']) {
      const typed = entry(page, name).locator('input[type="radio"][value="typed"]')
      await typed.check()
      await entry(page, name)
        .locator(`input[name="${name}"]`)
        .fill(name === 'signature' ? 'أمل الحداد' : 'أ ح')
      await entry(page, name).locator('button.use').click()
    }
    await page.locator('#consent').check()
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    const pages = new Map<number, Buffer>()
    for (const number of [1, 2]) pages.set(number, await shown(page, number))
    const arrived = page.waitForEvent('load')
    await page.locator('#bar .end').click()
    await arrived
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('by the keyboard alone', async () => {
    const { id, page, watch } = await opened('Keya', { viewport: WIDE })
    const focused = () =>
      page.evaluate(() => [document.activeElement?.getAttribute('name') ?? '', document.activeElement?.className ?? ''])
    const tabTo = async (name: string) => {
      for (let i = 0; i < 60; i++) {
        if ((await focused()).some(word => word.split(' ').includes(name))) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached by the keyboard`)
    }
    await tabTo('marker')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ghent')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await tabTo('signature')
    await page.keyboard.type('Keya Lovelace')
    await page.keyboard.press('Enter')
    await tabTo('initials')
    await page.keyboard.press('Enter')
    await tabTo('consent')
    await page.keyboard.press('Space')
    await page.locator('#bar .save[data-state="saved"]').waitFor()
    const pages = new Map<number, Buffer>()
    for (const number of [1, 2, 3]) pages.set(number, await shown(page, number))
    await tabTo('end')
    const arrived = page.waitForEvent('load')
    await page.keyboard.press('Enter')
    await arrived
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('without JavaScript: the marks are in their fields and nowhere else', async () => {
    const { id, page } = await opened('Nora', { ...ON_A_PHONE, javaScriptEnabled: false })
    await page.getByLabel(/^Town/).fill('Ghent')
    await page.getByLabel(/^Rules/).check()
    await page.getByLabel(/^Your full name/).fill('Nora Lovelace')
    await page.getByLabel(/^Your initials/).fill('NL')
    await page.getByLabel('I have read this and agree.').check()
    await press(page, 'Sign and finish')
    await place.demandAsShown(id, new Map())
    const sealed = await place.sealedFile(id)
    const original = join(place.folder, 'original.pdf')
    writeFileSync(original, Buffer.from(await samplePdf(3), 'base64'))
    for (const number of [1, 2, 3]) {
      const [before, after] = [pictureOf(original, number), pictureOf(sealed, number)]
      const touched = new Set<string>()
      const stray: number[] = []
      for (let i = 0; i < after.width * after.height; i++) {
        if ([0, 1, 2].every(c => before.pixels[3 * i + c] === after.pixels[3 * i + c])) continue
        const [x, y] = [
          (100 * ((i % after.width) + 0.5)) / after.width,
          (100 * (Math.floor(i / after.width) + 0.5)) / after.height,
        ]
        const field = FIELDS.find(
          f => f.page === number && x > f.x - 0.3 && x < f.x + f.width + 0.3 && y > f.y - 0.3 && y < f.y + f.height + 0.3,
        )
        if (field) touched.add(`${field.type} ${field.y}`)
        else stray.push(i)
      }
      expect(stray).toEqual([])
      expect([...touched].sort()).toEqual(
        FIELDS.filter(f => f.page === number)
          .map(f => `${f.type} ${f.y}`)
          .sort(),
      )
    }
  }, 120_000)
})

describe.skipIf(NO_BROWSER)('what a phone has to fetch', () => {
  /** Requests answered so far, with their weight on the wire, headers aside. */
  function weigh(page: Page) {
    const answers: Promise<{ path: string; bytes: number; startedMs: number }>[] = []
    page.on('requestfinished', request => {
      const path = new URL(request.url()).pathname
      const startedMs = request.timing().startTime
      answers.push(request.sizes().then(({ responseBodySize }) => ({ path, bytes: responseBodySize, startedMs })))
    })
    return async () => Promise.all(answers.splice(0))
  }

  test('is 30 kB for the landing without a script, and 50 kB for its face, and at most 12 requests and 600 kB of script until the first page is drawn; later visits fetch no script', async () => {
    const { link } = await place.invite('Lite')
    const { page } = await openWindow(browser, place.serving.url, ON_A_PHONE)
    const weighed = weigh(page)
    await page.goto(link, { waitUntil: 'networkidle' })
    const landing = await weighed()
    expect(landing.filter(({ path }) => /\.m?js$/.test(path))).toEqual([])
    const isFace = ({ path }: { path: string }) => path.endsWith('.woff2')
    const weightOf = (list: { bytes: number }[]) => list.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(weightOf(landing.filter(answer => !isFace(answer)))).toBeLessThanOrEqual(30_000)
    // No text waits for it.
    expect(weightOf(landing.filter(isFace))).toBeLessThanOrEqual(50_000)

    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('canvas.paper')) return
        performance.mark('first page')
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.locator('main form button[type="submit"]').click()
    await page.locator('canvas.paper').first().waitFor()
    const drawnMs = await page.evaluate(
      () => performance.timeOrigin + (performance.getEntriesByName('first page')[0]?.startTime ?? 0),
    )
    // A slow machine begins with the next pages before this line is reached.
    const answers = (await weighed()).filter(({ path, startedMs }) => !path.startsWith('/s/') && startedMs <= drawnMs)
    const scripts = answers.filter(({ path }) => /\.m?js$/.test(path))
    expect(answers.length).toBeLessThanOrEqual(12)
    // The browser does not report the size of a worker: request each script once more.
    const weights = scripts.map(async ({ path }) => {
      const { headers } = await place.serving.fetch(path, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
      return Number(headers.get('content-length'))
    })
    const whole = (await Promise.all(weights)).reduce((sum, bytes) => sum + bytes, 0)
    expect(whole).toBeGreaterThan(400_000)
    expect(whole).toBeLessThanOrEqual(600_000)

    await page.reload()
    await page.locator('canvas.paper').first().waitFor()
    const again = (await weighed()).filter(({ path, bytes }) => path.startsWith('/static/') && bytes > 0)
    expect(again).toEqual([])
  }, 60_000)
})
