/**
 * Renders text in a browser with the embedded fonts, as a reference, and compares the ink of two
 * pictures.
 */
import type { Browser } from 'playwright-core'
import { readPng } from '../../src/image/png-read.ts'
import { FONTS, readFontFile } from '../../src/text/fonts.ts'
import { type Area, inkArea, type Raster } from '../evidence/pdf-programs.ts'

/** A text and its fonts in order of preference, each for a range of code points. */
export interface Sample {
  name: string
  text: string
  fonts: [name: string, range: string][]
}

export const SIZE = 40
export const PAGE = { width: 1000, height: 160 }

/** The sample in a font size of `SIZE` CSS pixels, two device pixels each. */
export async function browserPicture(browser: Browser, sample: Sample): Promise<Raster> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const font = FONTS.find(({ name }) => pathname === `/${name}`)
      if (font) return new Response(readFontFile(font) as Uint8Array<ArrayBuffer>)
      return new Response(pageOf(sample), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    },
  })
  const context = await browser.newContext({ viewport: PAGE, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${server.port}/`)
    await page.evaluate(() => document.fonts.ready)
    return toRaster(await page.screenshot({ type: 'png' }))
  } finally {
    await context.close()
    await server.stop(true)
  }
}

function pageOf({ text, fonts }: Sample): string {
  const rules = fonts.map(([name, range]) => {
    const scale = FONTS.find(font => font.name === name)?.scale ?? 1
    return `@font-face { font-family: T; src: url(/${name}); unicode-range: ${range}; size-adjust: ${scale * 100}% }`
  })
  const style = `${rules.join('\n')} body { margin: 40px; font: ${SIZE}px/1.6 T; white-space: pre; text-spacing-trim: space-all }`
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><body dir="auto">${text.replace(/[&<]/g, c => `&#${c.charCodeAt(0)};`)}`
}

async function toRaster(png: Buffer): Promise<Raster> {
  const samples = await readPng(png, 10_000)
  if (samples?.channels !== 3) throw new Error('a screenshot is a PNG in colour')
  const { width, height, colour } = samples
  return { width, height, grey: Uint8Array.from({ length: width * height }, (_, i) => colour[i * 3 + 1]!) }
}

/**
 * Compares two pictures aligned by the bounding boxes of their ink: F1 of ink within one pixel of
 * the other's, and the difference of the boxes in pixels.
 */
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

/** The share of dark pixels of `a` with a dark pixel of `b` at the same place or next to it. */
function covered(a: Raster, areaA: Area, b: Raster, areaB: Area): number {
  let [ink, matched] = [0, 0]
  for (let y = areaA.top; y < areaA.bottom; y++) {
    for (let x = areaA.left; x < areaA.right; x++) {
      if (a.grey[y * a.width + x]! > 128) continue
      ink++
      if (isDarkNear(b, x - areaA.left + areaB.left, y - areaA.top + areaB.top)) matched++
    }
  }
  return ink === 0 ? 0 : matched / ink
}

function isDarkNear({ width, height, grey }: Raster, x: number, y: number): boolean {
  for (let near = Math.max(0, y - 1); near <= Math.min(height - 1, y + 1); near++) {
    for (let at = Math.max(0, x - 1); at <= Math.min(width - 1, x + 1); at++) if (grey[near * width + at]! < 150) return true
  }
  return false
}
