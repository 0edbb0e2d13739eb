/** The photo of a signature: the browser decodes and scales it, and sends a plain PNG. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readPng } from '../../../src/image/png-read.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

const service = useSigningService()
const PLACE_TAKEN = 'at home, 50.94 N 6.96 E'
let people = 0

async function openUpload(): Promise<Page> {
  const email = `ada${++people}@example.com`
  const { link } = await service.send({ file: await samplePdf(), recipients: [{ ...ADA, email, fields: [SIGNATURE] }] }, email)
  const { page } = await service.window()
  await page.goto(link)
  await press(page, 'Open the document')
  await page.locator('.marker').first().waitFor()
  await page.locator('[data-mark="signature"]').getByLabel('Upload').check({ force: true })
  return page
}

/** White paper with one horizontal line of ink near its top, as the camera's sensor holds it. */
async function photo(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([w, h]) => {
      const canvas = document.createElement('canvas')
      ;[canvas.width, canvas.height] = [w, h]
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = 'rgb(236 232 222)'
      context.fillRect(0, 0, w, h)
      context.fillStyle = 'rgb(20 30 90)'
      context.fillRect(0.2 * w, 0.2 * h, 0.6 * w, 0.01 * h)
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.9))
      if (!blob) throw new Error('the canvas is too large')
      const url = await new Promise<string>(resolve => {
        const reader = new FileReader()
        reader.onload = () => resolve(String(reader.result))
        reader.readAsDataURL(blob)
      })
      return url.slice(url.indexOf(',') + 1)
    },
    [width, height] as const,
  )
  return Buffer.from(base64, 'base64')
}

/** The JPEG with an Exif segment (CIPA DC-008 §4.6.4) of one entry, and a comment. */
function withExif(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from('457869660000' + '4d4d002a00000008' + '0001' + '01120003000000010000000000000000', 'hex')
  exif.writeUInt16BE(orientation, 24)
  const segment = (marker: number, body: Buffer) =>
    Buffer.concat([Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255), body])
  return Buffer.concat([jpeg.subarray(0, 2), segment(0xe1, exif), segment(0xfe, Buffer.from(PLACE_TAKEN)), jpeg.subarray(2)])
}

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Choose a picture').first().setInputFiles({ name, mimeType, buffer })
const isChosen = (page: Page) => page.getByRole('button', { name: 'Signature, page 1: filled in', exact: true }).waitFor()

const chunksOf = (png: Buffer) => {
  const kinds: string[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) kinds.push(png.toString('latin1', at + 4, at + 8))
  return kinds
}

/** The middle of all dark pixels, as shares of the sides. */
async function inkCentre(png: Buffer): Promise<[x: number, y: number]> {
  const samples = await readPng(png, 1600)
  if (samples?.channels !== 3) throw new Error('not a PNG in colour')
  let [x, y, count] = [0, 0, 0]
  for (let i = 0; i < samples.width * samples.height; i++) {
    if (samples.colour[i * 3]! > 128) continue
    x += i % samples.width
    y += Math.floor(i / samples.width)
    count++
  }
  return [x / count / samples.width, y / count / samples.height]
}

describe.skipIf(NO_BROWSER)('the photo of a signature', () => {
  test('is sent upright, as PNG of at most 1600 pixels a side, and without its metadata', async () => {
    const page = await openUpload()
    const jpeg = withExif(await photo(page, 2000, 1500), 6)
    await choose(page, 'photo.jpg', 'image/jpeg', jpeg)
    await isChosen(page)
    const [png] = service.uploads
    expect([png!.readUInt32BE(16), png!.readUInt32BE(20)]).toEqual([1200, 1600])
    expect(await inkCentre(png!)).toEqual([expect.closeTo(0.795, 2), expect.closeTo(0.5, 2)])
    expect(png!.includes('Exif') || png!.includes(PLACE_TAKEN)).toBe(false)
    expect(chunksOf(png!).filter(kind => /^(eXIf|[tiz][TX][TX][Xt]t?|tIME)$/.test(kind))).toEqual([])
    const stored = await page.getByAltText('Your signature, from your picture').evaluate(async element => {
      const image = element as HTMLImageElement
      await image.decode()
      return [image.naturalWidth, image.naturalHeight] as const
    })
    expect(stored[1]).toBeGreaterThan(10 * stored[0])
  }, 60_000)

  test('of fifty megapixels is scaled down, and the page stays alive', async () => {
    const page = await openUpload()
    await choose(page, 'large.jpg', 'image/jpeg', await photo(page, 8200, 6150))
    await isChosen(page)
    expect([service.uploads[0]!.readUInt32BE(16), service.uploads[0]!.readUInt32BE(20)]).toEqual([1600, 1200])
    expect(service.uploads[0]!.length).toBeLessThan(1_000_000)
  }, 120_000)

  test('is not enlarged', async () => {
    const page = await openUpload()
    await choose(page, 'small.jpg', 'image/jpeg', await photo(page, 640, 480))
    await isChosen(page)
    expect([service.uploads[0]!.readUInt32BE(16), service.uploads[0]!.readUInt32BE(20)]).toEqual([640, 480])
  }, 60_000)

  test('is sent smaller where the PNG would exceed what the server takes', async () => {
    const page = await openUpload()
    const noise = Buffer.alloc(54 + 1600 * 1600 * 3)
    noise.write('BM')
    noise.writeUInt32LE(noise.length, 2)
    noise.writeUInt32LE(54, 10)
    noise.writeUInt32LE(40, 14)
    noise.writeInt32LE(1600, 18)
    noise.writeInt32LE(1600, 22)
    noise.writeUInt16LE(1, 26)
    noise.writeUInt16LE(24, 28)
    let state = 1
    for (let i = 54; i < noise.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      noise[i] = state >>> 24
    }
    await choose(page, 'noise.bmp', 'image/bmp', noise)
    await page.locator('#signature-error', { hasText: 'No handwriting was found' }).waitFor()
    expect(service.uploads[0]!.readUInt32BE(16)).toBeLessThan(1600)
    expect(service.uploads[0]!.length).toBeLessThanOrEqual(5_000_000)
  }, 60_000)

  test('that this browser cannot decode is named beside the field, and nothing is sent', async () => {
    const page = await openUpload()
    const heic = Buffer.from('000000186674797068656963000000006d69663168656963', 'hex')
    await choose(page, 'photo.heic', 'image/heic', heic)
    const message = 'This browser cannot read this picture. Choose a PNG or JPEG file, or take a screenshot of it.'
    await page.locator('#signature-error', { hasText: message }).waitFor()
    expect(service.uploads).toEqual([])
    await choose(page, 'photo.jpg', 'image/jpeg', await photo(page, 640, 480))
    await isChosen(page)
    expect(await page.locator('#signature-error').isVisible()).toBe(false)
  }, 60_000)
})
