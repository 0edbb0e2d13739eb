/** The methods to make a mark on the signing page, and what the recipient's pages weigh. */
import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { parseInk } from '../../../src/core/signing/ink.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { NO_BROWSER, ON_A_PHONE, press } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

const place = useSigningService()
let people = 0

async function invited(): Promise<string> {
  const email = `ada${++people}@example.com`
  const fields = [SIGNATURE, { type: 'initials', page: 1, x: 60, y: 70, width: 10, height: 4 }]
  return (await place.send({ file: await samplePdf(), recipients: [{ ...ADA, email, fields }] }, email)).link
}

async function open(options = {}): Promise<Page> {
  const { page } = await place.window(options)
  await page.goto(await invited())
  await press(page, 'Open the document')
  await page.locator('.marker').first().waitFor()
  return page
}

const signature = (page: Page) => page.locator('[data-mark="signature"]')
const marker = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A finger, a pen or a hand on the pad, as a browser tells of it; places are shares of the pad. */
async function pointer(
  page: Page,
  pointerType: string,
  pointerId: number,
  points: [x: number, y: number, pressure: number][],
  end: 'pointerup' | 'pointercancel' | 'none' = 'pointerup',
) {
  await signature(page)
    .locator('.pad')
    .evaluate(
      (pad, [type, id, all, last]) => {
        // Such pointers are not real ones: there is nothing to capture.
        pad.setPointerCapture = () => {}
        const { left, top, width, height } = pad.getBoundingClientRect()
        const tell = (name: string, [x, y, pressure]: [number, number, number]) =>
          pad.dispatchEvent(
            new PointerEvent(name, {
              pointerType: type,
              pointerId: id,
              pressure,
              isPrimary: true,
              button: name === 'pointermove' ? -1 : 0,
              clientX: left + x * width,
              clientY: top + y * height,
            }),
          )
        const [first] = all
        if (!first) return
        tell('pointerdown', first)
        for (const point of all.slice(1)) tell('pointermove', point)
        if (last !== 'none') tell(last, all.at(-1) ?? first)
      },
      [pointerType, pointerId, points, end] as const,
    )
}

const inkOf = async (page: Page) => parseInk(await page.locator('[name="signatureInk"]').inputValue())
const LINE: [number, number, number][] = [
  [0.1, 0.5, 0.2],
  [0.4, 0.4, 0.6],
  [0.7, 0.6, 1],
]

describe.skipIf(NO_BROWSER)('a drawing', () => {
  test('keeps place and pressure whatever the pad’s size, and the hand beside a pen draws nothing', async () => {
    const page = await open(ON_A_PHONE)
    await marker(page, 'Signature, page 1: required, not filled in yet').tap()
    await pointer(page, 'pen', 3, LINE)
    await pointer(page, 'touch', 9, LINE)
    expect(await inkOf(page)).toEqual({
      width: 4000,
      height: 1600,
      strokes: [[400, 800, 51, 1600, 640, 153, 2800, 960, 255]],
    })
    await page.setViewportSize({ width: 740, height: 600 })
    await pointer(page, 'pen', 3, LINE)
    expect(await inkOf(page)).toMatchObject({ strokes: [{ length: 9 }, [400, 800, 51, 1600, 640, 153, 2800, 960, 255]] })
  }, 60_000)

  test('keeps the stroke the system takes the finger from, but no hand that was laid down', async () => {
    const page = await open(ON_A_PHONE)
    await marker(page, 'Signature, page 1: required, not filled in yet').tap()
    await pointer(page, 'touch', 1, LINE, 'pointercancel')
    expect(await inkOf(page)).toMatchObject({ strokes: [{ length: 9 }] })
    const hand: typeof LINE = [
      [0.5, 0.5, 0.5],
      [0.51, 0.52, 0.5],
    ]
    await pointer(page, 'touch', 1, hand, 'pointercancel')
    expect(await inkOf(page)).toMatchObject({ strokes: [{ length: 9 }] })
    expect(await signature(page).locator('.ink path').count()).toBe(1)
  }, 60_000)

  test('ends its stroke when the phone is turned under the finger: no line leaps across the pad', async () => {
    const page = await open(ON_A_PHONE)
    await marker(page, 'Signature, page 1: required, not filled in yet').tap()
    await pointer(page, 'touch', 1, LINE, 'none')
    await page.setViewportSize({ width: 740, height: 360 })
    await signature(page)
      .locator('.pad')
      .evaluate(pad => {
        for (const name of ['pointermove', 'pointerup'])
          pad.dispatchEvent(
            new PointerEvent(name, { pointerType: 'touch', pointerId: 1, isPrimary: true, clientX: 30, clientY: 30 }),
          )
      })
    const strokes = [[400, 800, 51, 1600, 640, 153, 2800, 960, 255]]
    expect(await inkOf(page)).toEqual({ width: 4000, height: 1600, strokes })
  }, 60_000)

  test('larger than what a page that is left can send is kept all the same', async () => {
    const page = await open()
    await signature(page).getByLabel('Draw', { exact: true }).check({ force: true })
    const hatched = (row: number): typeof LINE =>
      Array.from({ length: 600 }, (_, i) => [0.1 + 0.4 * (i % 2) + 0.0005 * i, 0.1 + 0.08 * row + 0.01 * (i % 5), 0.5])
    for (let row = 0; row < 9; row++) await pointer(page, 'mouse', 1, hatched(row))
    const drawn = await page.locator('[name="signatureInk"]').inputValue()
    expect(drawn.length).toBeGreaterThan(65_536)
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await page.locator('[name="signatureInk"]').inputValue()).toBe(drawn)
  }, 60_000)

  test('is taken back stroke by stroke; a dot is not yet one; cleared after it was chosen it is in no field', async () => {
    const page = await open(ON_A_PHONE)
    await marker(page, 'Signature, page 1: required, not filled in yet').tap()
    // Where nothing is wrong, no icon says that something is.
    const message = signature(page).locator('.drawn .field-error')
    const icon = () => message.evaluate(element => getComputedStyle(element, '::before').content)
    expect([await message.textContent(), await icon()]).toEqual(['', 'none'])
    await pointer(page, 'touch', 1, [[0.5, 0.5, 0.5]])
    expect(await icon()).toBe('""')
    const use = page.getByRole('button', { name: 'Use this signature' })
    expect([await use.isVisible(), await signature(page).textContent()]).toEqual([
      false,
      expect.stringContaining('draw a little more'),
    ])
    await pointer(page, 'touch', 1, LINE)
    await use.tap()
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('drawn')
    await marker(page, 'Signature, page 1: filled in').waitFor()
    await signature(page).getByRole('button', { name: 'Undo' }).tap()
    expect(await signature(page).locator('.ink path').count()).toBe(1)
    await marker(page, 'Signature, page 1: required, not filled in yet').waitFor()
    await pointer(page, 'touch', 1, LINE)
    await marker(page, 'Signature, page 1: filled in').waitFor()
    await signature(page).getByRole('button', { name: 'Clear' }).tap()
    expect(await page.locator('[name="signatureInk"]').inputValue()).toBe('')
    await marker(page, 'Signature, page 1: required, not filled in yet').waitFor()
    expect(await signature(page).locator('.ink path').count()).toBe(0)
    expect(await signature(page).locator('#signature-error').isVisible()).toBe(false)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('a picture', () => {
  test('is shown as the server returns it and is placed at once; a file that is no picture gets an error at its field, and the first picture stays', async () => {
    const page = await open()
    await signature(page).getByLabel('Upload').check({ force: true })
    const file = page.getByLabel('Choose a picture').first()
    await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: pngOfPhoto(photoOf(PHOTO)) })
    await marker(page, 'Signature, page 1: filled in').waitFor()
    const picture = page.getByAltText('Your signature, from your picture')
    expect(await picture.evaluate(image => (image as HTMLImageElement).decode().then(() => true))).toBe(true)
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('uploaded')
    await file.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7') })
    await page.locator('#signature-error', { hasText: 'This browser cannot read this picture' }).waitFor()
    expect(await picture.isVisible()).toBe(true)
    await page.reload()
    await marker(page, 'Signature, page 1: filled in').waitFor()
    expect(await picture.isVisible()).toBe(true)
  }, 60_000)

  test('that is not taken says why: the page is out of date, or it may be tried again', async () => {
    const page = await open()
    await page.clock.install()
    await signature(page).getByLabel('Upload').check({ force: true })
    for (const [status, pausesS, why] of [
      [404, [], 'This page is out of date'],
      [429, [2, 4, 8], 'Please try again'],
    ] as const) {
      place.instead = (_, path) => (path.endsWith('/picture') ? new Response(null, { status }) : undefined)
      const buffer = pngOfPhoto(photoOf(PHOTO))
      await page.getByLabel('Choose a picture').first().setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer })
      for (const pauseS of pausesS) {
        await signature(page).getByText(`in ${pauseS} seconds.`).waitFor()
        await page.clock.fastForward(pauseS * 1_000)
      }
      await page.locator('#signature-error', { hasText: why }).waitFor()
    }
    place.instead = undefined
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('typed')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('typed', () => {
  test('another way chosen later takes the place of the first, and initials are proposed and chosen by one press', async () => {
    const page = await open()
    await page.getByLabel('Your full name').fill('Ada King')
    await page.getByLabel('Your full name').press('Tab')
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('typed')
    await signature(page).getByLabel('Draw', { exact: true }).check({ force: true })
    await pointer(page, 'mouse', 1, LINE)
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('typed')
    await page.getByRole('button', { name: 'Use this signature' }).click()
    expect(await page.locator('[name="signatureKind"]').inputValue()).toBe('drawn')
    await page.getByRole('button', { name: 'Use these initials' }).click()
    await marker(page, 'Initials, page 1: filled in').waitFor()
    expect(await page.locator('[name="initials"]').inputValue()).toBe('AL')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('handwritings', () => {
  for (const [device, options] of [
    ['a wide screen', {}],
    ['a phone', ON_A_PHONE],
  ] as const)
    test(`have their places before their pictures come, so that nothing below moves: ${device}`, async () => {
      const page = await open(options)
      const held = Promise.withResolvers<undefined>()
      place.instead = (_, path) => (path.endsWith('/hands') ? held.promise : undefined)
      if (options === ON_A_PHONE) await page.locator('#bar .all').click()
      const initials = page.locator('[data-mark="initials"]')
      await initials.getByRole('radio', { name: 'Type' }).check()
      const asked = page.waitForRequest(/\/hands$/)
      await initials.locator('input[name="initials"]').fill('QX')
      await asked
      const before = await initials.boundingBox()
      held.resolve(undefined)
      await initials.locator('.hands img[src]').last().waitFor()
      const after = await initials.boundingBox()
      expect(Math.abs(after!.height - before!.height)).toBeLessThan(1)
      await initials.locator('input[name="initials"]').fill('')
      await initials.locator('.hands').waitFor({ state: 'hidden' })
    })
})

describe.skipIf(NO_BROWSER)('the weight', () => {
  test('of the landing page is at most 30 kB without a script, and 50 kB of a face that no text waits for; of the signing page’s own script at most 22 kB compressed', async () => {
    const { page } = await place.window()
    const answers: Response[] = []
    page.on('response', answer => void answers.push(answer))
    await page.goto(await invited(), { waitUntil: 'networkidle' })
    const sizes = await Promise.all(
      answers.map(async answer => ({
        isFace: answer.url().endsWith('.woff2'),
        bytes: (await answer.request().sizes()).responseBodySize,
      })),
    )
    expect(sizes.length).toBeGreaterThan(1)
    const weightOf = (isFace: boolean) => sizes.filter(s => s.isFace === isFace).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(weightOf(false)).toBeLessThanOrEqual(30_000)
    expect(weightOf(true)).toBeLessThanOrEqual(50_000)
    expect(await page.evaluate(() => [...document.fonts].every(face => face.display !== 'block'))).toBe(true)
    expect(await page.locator('script').count()).toBe(0)
    await press(page, 'Open the document')
    const src = (await page.locator('script[type="module"]').getAttribute('src')) ?? ''
    const script = await (await fetch(new URL(src, place.url))).arrayBuffer()
    const kilobytes = gzipSync(script, { level: 9 }).length / 1000
    console.log(`the signing page's own script: ${kilobytes.toFixed(1)} kB by gzip`)
    expect(kilobytes).toBeLessThanOrEqual(22)
  }, 60_000)
})
