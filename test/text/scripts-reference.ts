/** The same text with the same font files by a browser: what ours is compared with. Pictures as grey values, cut to their ink. */
import { inflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { FONTS, readFontFile } from '../../src/text/fonts.ts'
import { type Area, inkArea, type Raster } from '../evidence/paper.ts'

/** A text, its faces in the order in which the browser shall ask them, each for a range of code points. */
export interface Sample {
  name: string
  text: string
  faces: [name: string, range: string][]
}

export const SIZE = 40
export const PAGE = { width: 1000, height: 160 }

/** The browser's picture of a sample: type of `SIZE` CSS pixels, two device pixels each. */
export async function browserPicture(browser: Browser, sample: Sample): Promise<Raster> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const face = FONTS.find(({ name }) => pathname === `/${name}`)
      if (face) return new Response(readFontFile(face) as Uint8Array<ArrayBuffer>)
      return new Response(pageOf(sample), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    },
  })
  const context = await browser.newContext({ viewport: PAGE, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${server.port}/`)
    await page.evaluate(() => document.fonts.ready)
    return pngRaster(await page.screenshot({ type: 'png' }))
  } finally {
    await context.close()
    await server.stop(true)
  }
}

function pageOf({ text, faces }: Sample): string {
  const rules = faces.map(([name, range]) => {
    const scale = FONTS.find(face => face.name === name)?.scale ?? 1
    return `@font-face { font-family: T; src: url(/${name}); unicode-range: ${range}; size-adjust: ${scale * 100}% }`
  })
  const style = `${rules.join('\n')} body { margin: 40px; font: ${SIZE}px/1.6 T; white-space: pre; text-spacing-trim: space-all }`
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><body dir="auto">${text.replace(/[&<]/g, c => `&#${c.charCodeAt(0)};`)}`
}

/** Reads what Chromium writes: eight bits a channel, not interlaced (PNG, ISO 15948 §9). */
export function pngRaster(png: Uint8Array): Raster {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const channels = view.getUint8(25) === 6 ? 4 : 3
  const parts: Uint8Array[] = []
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)))
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels)
  const grey = new Uint8Array(width * height)
  for (let i = 0; i < grey.length; i++) grey[i] = bytes[i * channels + 1]!
  return { width, height, grey }
}

function unfiltered(data: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]!
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : out[y * stride + x - channels]!
      const up = y === 0 ? 0 : out[(y - 1) * stride + x]!
      const corner = x < channels || y === 0 ? 0 : out[(y - 1) * stride + x - channels]!
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
      out[y * stride + x] = data[y * (stride + 1) + 1 + x]! + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** How well the ink of two pictures agrees when laid over each other by their bounding boxes: F1 of ink within one pixel of the other's; and by how many pixels the boxes differ. */
export function inkAgreement(a: Raster, b: Raster): { f1: number; sizeDifference: number } {
  const [areaA, areaB] = [inkArea(a, undefined), inkArea(b, undefined)]
  if (!areaA || !areaB) return { f1: 0, sizeDifference: Number.POSITIVE_INFINITY }
  const sizeDifference = Math.max(
    Math.abs(areaA.right - areaA.left - (areaB.right - areaB.left)),
    Math.abs(areaA.bottom - areaA.top - (areaB.bottom - areaB.top)),
  )
  let best = 0
  for (const dx of [-1, 0, 1]) {
    for (const dy of [-1, 0, 1]) {
      const precision = covered(a, areaA, b, { ...areaB, left: areaB.left + dx, top: areaB.top + dy })
      const recall = covered(b, areaB, a, { ...areaA, left: areaA.left - dx, top: areaA.top - dy })
      best = Math.max(best, (2 * precision * recall) / (precision + recall || 1))
    }
  }
  return { f1: best, sizeDifference }
}

/** The share of dark pixels of `a` that have a dark one of `b` in the same place or next to it. */
function covered(a: Raster, areaA: Area, b: Raster, areaB: Area): number {
  let [ink, met] = [0, 0]
  for (let y = areaA.top; y < areaA.bottom; y++) {
    for (let x = areaA.left; x < areaA.right; x++) {
      if (a.grey[y * a.width + x]! > 128) continue
      ink++
      if (isDarkNear(b, x - areaA.left + areaB.left, y - areaA.top + areaB.top)) met++
    }
  }
  return ink === 0 ? 0 : met / ink
}

function isDarkNear({ width, height, grey }: Raster, x: number, y: number): boolean {
  for (let near = Math.max(0, y - 1); near <= Math.min(height - 1, y + 1); near++) {
    for (let at = Math.max(0, x - 1); at <= Math.min(width - 1, x + 1); at++) if (grey[near * width + at]! < 150) return true
  }
  return false
}
