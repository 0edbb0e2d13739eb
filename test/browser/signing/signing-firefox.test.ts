/** The whole signing process in Firefox against the executable, in several ways. */
import { afterEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer-core'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { PHONE, WIDE } from '../../support/browser.ts'
import { until } from '../../support/executable.ts'
import { type Firefox, NO_FIREFOX, openFirefox, TOUCH, WITHOUT_SCRIPT } from '../../support/firefox.ts'
import { bytesOfDataUrl, pictureInBrowser, useWholeSigning } from '../../support/whole-signing.ts'

const place = useWholeSigning(NO_FIREFOX)
let opened: Firefox | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const OPEN = 'main form button[type="submit"]'

/** Sends a document of three pages, and opens it as its one signer does. */
async function open(name: string, size: typeof WIDE, preferences = {}, more: Record<string, unknown> = {}) {
  const { id, link } = await place.invite(name, more)
  opened = await openFirefox(size, preferences)
  const { page, complaints } = opened
  await page.goto(link)
  return { id, page, complaints }
}

const begin = (page: Page) => Promise.all([page.waitForSelector('.marker'), page.click(OPEN)])

/** An element that is there by now. A page without a script cannot be asked to wait. */
async function part(page: Page, selector: string): Promise<ElementHandle> {
  return until(selector, async () => (await page.$(selector).catch(() => null)) ?? undefined)
}

/** In the middle of what is seen of it. */
async function middle(page: Page, selector: string): Promise<[x: number, y: number]> {
  const element = await part(page, selector)
  await element.evaluate(e => e.scrollIntoView({ block: 'center' }))
  const box = await element.boundingBox()
  if (!box) throw new Error(`${selector} is not in sight`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}
const click = async (page: Page, selector: string) => page.mouse.click(...(await middle(page, selector)))
const tap = async (page: Page, selector: string) => page.touchscreen.tap(...(await middle(page, selector)))

/** The heading of the page that follows. */
async function heading(page: Page, text: string): Promise<void> {
  const read = () => page.$eval('h1', h1 => h1.textContent).catch(() => undefined)
  await until(`the page “${text}”`, async () => ((await read()) === text ? true : undefined))
}

const readSealed = (path: string) => readFileSync(path, 'latin1')
const saved = (page: Page) => page.waitForSelector('#bar .save[data-state="saved"]')

async function shown(page: Page, numbers: number[]): Promise<Map<number, Buffer>> {
  const pages = new Map<number, Buffer>()
  for (const number of numbers) {
    const sections = await page.$$('section.page')
    const section = sections[number - 1]
    if (!section) throw new Error(`there is no page ${number}`)
    await section.evaluate(element => element.scrollIntoView({ block: 'start' }))
    await section.waitForSelector('canvas.marks:not(.old)')
    pages.set(number, bytesOfDataUrl(await section.evaluate(pictureInBrowser)))
  }
  return pages
}

/** Writes on the pad with a finger. */
async function drawByFinger(page: Page, selector: string): Promise<void> {
  const pad = await part(page, selector)
  await pad.evaluate(e => e.scrollIntoView({ block: 'center' }))
  const box = await pad.boundingBox()
  if (!box) throw new Error('the pad is not in sight')
  const point = (share: number): [number, number] => [
    Math.round(box.x + box.width * (0.1 + 0.8 * share)),
    Math.round(box.y + box.height * (0.5 + 0.3 * Math.sin(share * 20))),
  ]
  await page.touchscreen.touchStart(...point(0))
  for (let i = 1; i <= 60; i++) await page.touchscreen.touchMove(...point(i / 60))
  await page.touchscreen.touchEnd()
}

describe.skipIf(NO_FIREFOX)('the whole signing process in Firefox', () => {
  test('on a phone, drawn with a finger: what the seal holds is what was shown', async () => {
    const { id, page, complaints } = await open('Phoebe', PHONE, TOUCH)
    await begin(page)
    expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
    await tap(page, '#bar .next')
    await page.keyboard.type('Ghent')
    await tap(page, '#bar .all')
    await tap(page, '#sign [name^="fields."][type="checkbox"]')
    await tap(page, '#sign [name="signatureMethod"][value="drawn"]')
    await drawByFinger(page, '#sign [data-entry="signature"] svg.pad')
    await tap(page, '#sign [data-entry="signature"] button.use')
    await tap(page, '#sign [name="initialsMethod"][value="typed"]')
    await tap(page, '#sign [data-entry="initials"] button.use')
    await tap(page, '#consent')
    await saved(page)
    const pages = await shown(page, [1, 2, 3])
    await tap(page, '#bar .end')
    await heading(page, 'You are done')
    expect(complaints).toEqual([])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('on a wide screen by mouse, from a photo of the signature; a reload loses nothing', async () => {
    const { id, page, complaints } = await open('Wanda', WIDE)
    await begin(page)
    await click(page, '#sign [name="signatureMethod"][value="uploaded"]')
    const photo = join(place.folder, 'me.png')
    writeFileSync(photo, pngOfPhoto(photoOf({ ...PHOTO, width: 500, height: 375, pen: 5 }, 5)))
    const input = (await part(page, '#sign [data-entry="signature"] input[type="file"]')) as ElementHandle<HTMLInputElement>
    await input.uploadFile(photo)
    await page.waitForSelector('#sign [data-entry="signature"] .chosen:not(:empty)')
    await click(page, '#sign input[name^="fields."]:not([type="checkbox"])')
    await page.keyboard.type('Łódź')
    await click(page, '#sign [name^="fields."][type="checkbox"]')
    await click(page, '#sign [data-entry="initials"] button.use')
    await saved(page)
    await page.reload()
    await page.waitForSelector('.marker')
    expect(await page.$eval('#sign input[name^="fields."]:not([type="checkbox"])', e => (e as HTMLInputElement).value)).toBe(
      'Łódź',
    )
    await click(page, '#consent')
    await saved(page)
    const pages = await shown(page, [1, 2, 3])
    await click(page, '#bar .end')
    await heading(page, 'You are done')
    expect(complaints).toEqual([])
    await place.demandAsShown(id, pages)
  }, 120_000)

  test('in Arabic, from right to left, on a phone: own name by one tap, in the second hand', async () => {
    const { id, page, complaints } = await open('Amal', PHONE, TOUCH, { locale: 'ar', name: 'أمل الحداد' })
    await begin(page)
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(['ar', 'rtl'])
    await tap(page, '#bar .all')
    await tap(page, '#sign input[name^="fields."]:not([type="checkbox"])')
    await page.keyboard.type('غنت')
    await tap(page, '#sign [name^="fields."][type="checkbox"]')
    await tap(page, '#sign [name="signatureMethod"][value="typed"]')
    await tap(page, '#sign [data-entry="signature"] .own')
    await page.waitForSelector('#sign [data-entry="signature"] .hands img[src^="data:"]')
    await tap(page, '#sign [name="signatureHand"][value="2"]')
    await tap(page, '#sign [data-entry="initials"] button.use')
    await tap(page, '#consent')
    await saved(page)
    const pages = await shown(page, [1, 2, 3])
    await tap(page, '#bar .end')
    await page.waitForSelector('h1')
    await until('the end', async () => ((await page.$('#sign').catch(() => undefined)) === null ? true : undefined))
    expect(complaints).toEqual([])
    await place.demandAsShown(id, pages)
    expect(readSealed(await place.sealedFile(id))).toContain('+NotoNastaliqUrdu-Regular')
  }, 120_000)

  test('by the keyboard alone', async () => {
    const { id, page, complaints } = await open('Keya', WIDE)
    await begin(page)
    const tabTo = async (name: string) => {
      for (let i = 0; i < 60; i++) {
        const words = await page.evaluate(() => {
          const { activeElement: focused } = document
          return `${focused?.getAttribute('name') ?? ''} ${focused?.className ?? ''} ${focused?.id ?? ''}`.split(' ')
        })
        if (words.includes(name)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached by the keyboard`)
    }
    await tabTo('marker')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ghent')
    await page.keyboard.press('Enter')
    await page.keyboard.press(' ')
    await tabTo('signature')
    await page.keyboard.type('Keya Lovelace')
    await page.waitForSelector('#sign [data-entry="signature"] .hands img[src^="data:"]')
    await tabTo('signatureHand')
    await page.keyboard.press('ArrowDown')
    await tabTo('initials')
    await page.keyboard.press('Enter')
    await tabTo('consent')
    await page.keyboard.press(' ')
    await saved(page)
    const pages = await shown(page, [1, 2, 3])
    await tabTo('end')
    await page.keyboard.press('Enter')
    await heading(page, 'You are done')
    expect(complaints).toEqual([])
    await place.demandAsShown(id, pages)
    expect(readSealed(await place.sealedFile(id))).toContain('+GreatVibes-Regular')
  }, 120_000)

  test('without a script, in a hand that was chosen by its picture', async () => {
    const { id, page } = await open('Nora', PHONE, WITHOUT_SCRIPT)
    await click(page, OPEN)
    await click(page, '#sign input[name^="fields."]:not([type="checkbox"])')
    await page.keyboard.type('Ghent')
    await click(page, '#sign [name^="fields."][type="checkbox"]')
    await click(page, '#signature')
    await page.keyboard.type('Nora Lovelace')
    await click(page, '#sign [name="signatureHand"][value="3"]')
    await click(page, '#consent')
    await click(page, '#sign .finish button')
    await heading(page, 'You are done')
    await place.demandAsShown(id, new Map())
    expect(readSealed(await place.sealedFile(id))).toContain('+MarckScript-Regular')
  }, 120_000)
})
