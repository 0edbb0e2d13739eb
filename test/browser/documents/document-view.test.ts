/** The view of the document in a real browser: requests, memory, layout. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow } from '../../support/browser.ts'
import { type DocumentServer, openDocumentServer } from '../../support/document-server.ts'
import { until } from '../../support/executable.ts'
import { times } from '../../support/long.ts'
import { scannedPdf } from '../../support/scanned-pdf.ts'

setDefaultTimeout(120_000)

const CORPUS = join(import.meta.dir, '../../../../shared/corpus')
if (!existsSync(CORPUS)) console.log(`${CORPUS} is not here: what needs its documents is skipped.`)
/** Several times as many pages as may be held. */
const PAGES_APART = times(15, 3)
const PHONE_AT_3 = { ...ON_A_PHONE, deviceScaleFactor: 3 }

let browser: Browser
let place: DocumentServer
let close = () => Promise.resolve()
beforeAll(async () => {
  if (!NO_BROWSER) browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  place = await openDocumentServer()
})
afterEach(async () => {
  await close()
  close = () => Promise.resolve()
  await place.close()
})

async function open(options: BrowserContextOptions = {}) {
  const opened = await openWindow(browser, place.url, options)
  close = () => opened.context.close()
  await opened.page.goto('/')
  return opened
}
const A4: [number, number] = [595, 842]
const sheet = (page: Page, number: number) => page.locator(`.page:nth-of-type(${number})`)
const painted = (page: Page, number: number) => sheet(page, number).locator('.paper').waitFor({ state: 'attached' })
const jump = async (page: Page, number: number) => {
  await page.getByLabel('Page', { exact: true }).fill(String(number))
  await page.getByLabel('Page', { exact: true }).press('Enter')
}

/** What of the document is under this point: page, and percent of it. */
const under = (page: Page, x: number, y: number) =>
  page.evaluate(
    ([atX, atY]) => {
      const sheets = [...document.querySelectorAll('.page')]
      const number = sheets.findIndex(each => each.getBoundingClientRect().bottom > atY)
      const { left, top, width, height } = sheets[number]!.getBoundingClientRect()
      return { page: number + 1, x: (100 * (atX - left)) / width, y: (100 * (atY - top)) / height, width }
    },
    [x, y] as const,
  )

/** Pictures in the page and the pixels they hold. */
const pictures = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('canvas')]
    return { count: all.length, pixels: all.reduce((sum, { width, height }) => sum + width * height, 0) }
  })

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

describe.skipIf(NO_BROWSER)('a long scan', () => {
  let scan: Buffer
  beforeAll(() => {
    scan = scannedPdf(200)
  })
  beforeEach(() => {
    place.file = scan
    place.sizes = Array.from({ length: 200 }, () => A4)
  })

  for (const [device, options] of [
    ['desk', {}],
    ['phone', PHONE_AT_3],
  ] as const) {
    test(`on a ${device}: its first page is drawn before a twentieth of it was fetched, and nothing more is fetched then`, async () => {
      const { page, watch } = await open(options)
      await painted(page, 1)
      const atFirst = place.sentBytes
      console.log(`${device}: first page after ${Math.round(atFirst / 1000)} kB of ${Math.round(scan.length / 1000)} kB`)
      expect(atFirst).toBeLessThan(scan.length / 20)
      await page.waitForLoadState('networkidle')
      expect(place.sentBytes).toBeLessThan(scan.length / 15)
      expect(watch).toEqual({ foreign: [], complaints: [] })
    })

    test(`on a ${device}: read from end to end, only a few of its pictures are held at any time`, async () => {
      const { page, watch } = await open({ ...options, reducedMotion: 'reduce' })
      await painted(page, 1)
      const before = await heapBytes(page)
      const most = { count: 0, pixels: 0 }
      for (let number = PAGES_APART; number <= 200; number += PAGES_APART) {
        await page.evaluate(to => window.view.show(to), number)
        await painted(page, number)
        const now = await pictures(page)
        most.count = Math.max(most.count, now.count)
        most.pixels = Math.max(most.pixels, now.pixels)
      }
      const after = await heapBytes(page)
      const mega = (bytes: number) => `${Math.round(bytes / 1e5) / 10} M`
      console.log(
        `${device}: at most ${most.count} pictures of ${mega(most.pixels)} pixels; heap ${mega(before)} to ${mega(after)}`,
      )
      expect(most.count).toBeLessThanOrEqual(9)
      expect(most.pixels).toBeLessThanOrEqual(40_000_000)
      expect(after).toBeLessThan(150_000_000)
      expect(await page.locator('.textLayer').count()).toBeLessThanOrEqual(8)
      expect(watch).toEqual({ foreign: [], complaints: [] })
    })
  }

  test('a page that cannot be fetched is reported, stays empty, and is drawn after a retry', async () => {
    const { page } = await open()
    await painted(page, 1)
    place.instead = () => new Response(null, { status: 404 })
    await jump(page, 150)
    await page.getByText('The document could not be loaded. Please check your connection.').waitFor()
    expect(await sheet(page, 150).locator('.paper').count()).toBe(0)
    place.instead = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await painted(page, 150)
    await page.getByText('Sheet number 150', { exact: true }).waitFor()
    expect(await page.getByText('could not be loaded').count()).toBe(0)
  })

  test('goes on by itself when the connection is back', async () => {
    const { page, context } = await open()
    await painted(page, 1)
    await context.setOffline(true)
    await jump(page, 60)
    await page.getByText('The document could not be loaded. Please check your connection.').waitFor()
    await context.setOffline(false)
    await painted(page, 60)
    expect(await page.getByText('could not be loaded').count()).toBe(0)
  })

  test('a connection that breaks for a moment is not reported', async () => {
    const { page } = await open()
    await painted(page, 1)
    let broken = 0
    const cutOff = () => new Response('short', { status: 206, headers: { etag: '"1"' } })
    place.instead = path => (path === '/file' && broken++ < 1 ? cutOff() : undefined)
    await jump(page, 90)
    await painted(page, 90)
    expect(broken).toBeGreaterThan(1)
    expect(await page.getByText('could not be loaded').count()).toBe(0)
  })

  test('pages that were not reached do not keep those waiting that are looked at', async () => {
    const { page } = await open()
    await painted(page, 1)
    let held: (() => void) | undefined
    place.instead = path =>
      path === '/file' && !held
        ? new Promise(resolve => {
            held = () => resolve(undefined)
          })
        : undefined
    await jump(page, 120)
    await until('a request that is held', async () => held)
    await jump(page, 40)
    await painted(page, 40)
    expect(await sheet(page, 120).locator('.paper').count()).toBe(0)
    await jump(page, 120)
    held?.()
    await painted(page, 120)
  })
})

describe.skipIf(NO_BROWSER)('a document refused at first', () => {
  test('is reported in words; a retry opens it', async () => {
    place.file = scannedPdf(2)
    place.sizes = [A4, A4]
    place.instead = () => new Response(null, { status: 403 })
    const { page } = await open()
    await page.getByText('The document could not be loaded. Please check your connection.').waitFor()
    place.instead = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await painted(page, 1)
    expect(await page.locator('.document-status').isVisible()).toBe(false)
  })
})

describe.skipIf(NO_BROWSER)('a page that cannot be drawn', () => {
  test('is reported in its place, and the other pages are drawn', async () => {
    place.file = scannedPdf(2)
    place.sizes = [A4, A4, A4]
    const { page } = await open(PHONE_AT_3)
    await painted(page, 2)
    await page.evaluate(() => window.view.show(3))
    await sheet(page, 3).getByText('This page could not be displayed.').waitFor()
    await sheet(page, 3).getByRole('button', { name: 'Try again' }).click()
    await sheet(page, 3).getByText('This page could not be displayed.').waitFor()
    expect(await sheet(page, 3).getByText('This page could not be displayed.').count()).toBe(1)
    expect(await sheet(page, 2).locator('.paper').count()).toBe(1)
    expect(await page.locator('.document-status').isVisible()).toBe(false)
  })
})

describe.skipIf(NO_BROWSER || !existsSync(CORPUS))('what only some documents need', () => {
  for (const [name, file, part] of [
    ['a reader of JBIG2 pictures', 'bitmap-symbol-symbolrefineseveral.pdf', '/wasm/'],
    ['the tables of Japanese fonts', 'issue13343.pdf', '/cmaps/'],
  ] as const) {
    test(`${name}: is fetched for those alone, from the service, within the policy of the page`, async () => {
      const loaded: string[] = []
      place.file = scannedPdf(1)
      place.sizes = [A4]
      const { page, context, watch } = await open()
      context.on('request', request => loaded.push(request.url()))
      await painted(page, 1)
      expect(loaded.filter(url => url.includes(part))).toEqual([])
      place.file = readFileSync(join(CORPUS, file))
      await page.reload()
      await painted(page, 1)
      expect(loaded.filter(url => url.includes(part)).length).toBeGreaterThan(0)
      expect(await page.locator('.page-failed').count()).toBe(0)
      expect(watch).toEqual({ foreign: [], complaints: [] })
    })
  }
})

describe.skipIf(NO_BROWSER)('size and place', () => {
  beforeEach(() => {
    place.file = scannedPdf(12)
    place.sizes = Array.from({ length: 12 }, () => A4)
  })

  test('the document is as wide as its place, is enlarged and made smaller by buttons and keys, and fits again', async () => {
    const { page } = await open()
    await painted(page, 1)
    const fitted = (await under(page, 700, 400)).width
    expect(fitted).toBeGreaterThan(1380)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    expect((await under(page, 700, 400)).width).toBeCloseTo(fitted / 1.25, 0)
    await page.getByRole('region', { name: 'The document' }).press('+')
    expect((await under(page, 700, 400)).width).toBeCloseTo(fitted, 0)
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Fit to width' }).click()
    expect((await under(page, 700, 400)).width).toBeCloseTo(fitted, 0)
  })

  test('the wheel with Ctrl keeps what is under the pointer, and the page around stays as it is', async () => {
    const { page } = await open()
    await page.evaluate(() => window.view.show(5))
    await painted(page, 5)
    const before = await under(page, 400, 500)
    await page.mouse.move(400, 500)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await page.waitForFunction(
      width => document.querySelector('.page')!.getBoundingClientRect().width > width * 1.5,
      before.width,
    )
    const after = await under(page, 400, 500)
    expect(after.page).toBe(before.page)
    expect(after.x).toBeCloseTo(before.x, 0)
    expect(after.y).toBeCloseTo(before.y, 0)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
  })

  test('two fingers enlarge the document alone and keep what is between them; it is drawn sharp again', async () => {
    const { page, context } = await open(PHONE_AT_3)
    await page.evaluate(() => window.view.show(5))
    await painted(page, 5)
    const before = await under(page, 180, 400)
    const fingers = await context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [-1, 1].map((side, id) => ({ x: 180, y: 400 + side * apart, id })),
      })
    await touch('touchStart', 40)
    for (let apart = 45; apart <= 100; apart += 5) await touch('touchMove', apart)
    await touch('touchEnd', 0)
    const after = await under(page, 180, 400)
    expect(after.width / before.width).toBeCloseTo(2.5, 0)
    expect(after.page).toBe(before.page)
    expect(after.x).toBeCloseTo(before.x, 0)
    expect(after.y).toBeCloseTo(before.y, 0)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    await page.waitForFunction(() => document.querySelector<HTMLCanvasElement>('.page:nth-of-type(5) .paper')!.width > 2000)
    expect((await pictures(page)).pixels).toBeLessThanOrEqual(40_000_000)
  })

  test('a phone that is turned shows the same place: what was read, or what was to be shown', async () => {
    const { page } = await open(PHONE_AT_3)
    const eye = (height: number) =>
      page.evaluate(share => {
        const { left, top, width, height: whole } = document.querySelector('.pages')!.getBoundingClientRect()
        return { x: left + width / 2, y: top + whole * share }
      }, height)
    const seen = async (height: number) => {
      const { x, y } = await eye(height)
      return under(page, x, y)
    }
    const turn = async (width: number, height: number) => {
      await page.setViewportSize({ width, height })
      const isTurned = (to: number) => Math.abs(document.querySelector('.page')!.getBoundingClientRect().width - to) < 40
      await page.waitForFunction(isTurned, width)
    }
    await page.evaluate(() => window.view.show(7, { x: 0, y: 48, width: 100, height: 4 }))
    await painted(page, 7)
    expect((await seen(1 / 2)).y).toBeCloseTo(50, 0)
    await turn(740, 360)
    expect(await seen(1 / 2)).toMatchObject({ page: 7, y: expect.closeTo(50, 0) })
    await page.mouse.move(300, 200)
    await page.mouse.wheel(0, 900)
    await page.waitForFunction(() => document.querySelector('.page:nth-of-type(7)')!.getBoundingClientRect().bottom < 300)
    const read = await seen(1 / 3)
    await turn(360, 740)
    const after = await seen(1 / 3)
    expect(after.page).toBe(read.page)
    expect(after.y).toBeCloseTo(read.y, 0)
  })

  test('a place at the very end is scrolled above the covered part, and its page number is shown', async () => {
    const { page } = await open(PHONE_AT_3)
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('#document')!.dataset.covered = '400'
      window.view.show(12, { x: 10, y: 90, width: 30, height: 6 })
    })
    await painted(page, 12)
    const top = await page.evaluate(() => {
      const { top, height } = document.querySelector('.page:nth-of-type(12)')!.getBoundingClientRect()
      return top + height * 0.93
    })
    const edge = await page.evaluate(() => document.querySelector('.pages')!.getBoundingClientRect().top)
    expect(top).toBeGreaterThan(edge)
    expect(top).toBeLessThan(740 - 400)
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.jump input')!.value === '12')
  })

  test('the page to go to is a page of the document; the number follows what is in sight', async () => {
    const { page } = await open()
    await painted(page, 1)
    const number = page.getByLabel('Page', { exact: true })
    await jump(page, 9)
    await painted(page, 9)
    await number.fill('99')
    await number.press('Enter')
    expect(await number.inputValue()).toBe('9')
    await number.blur()
    await page.evaluate(() => window.view.show(3))
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.jump input')!.value === '3')
    expect(await page.getByText('of 12').count()).toBe(1)
  })
})
