/** A long scan as from an office scanner: one grey image with 150 dpi per page. */
import { deflateSync } from 'node:zlib'
import { pdfOf } from './make-pdf.ts'

const DOTS = { width: 1240, height: 1754 }

/**
 * Lines of text with the noise of a scanner, which compresses as badly as a real scan.
 * Deterministic.
 */
function scannedPage(): Buffer {
  const { width, height } = DOTS
  const data = Buffer.alloc(width * height)
  let seed = 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      const grain = (seed >>> 31) * 20
      const isInk = y % 48 > 30 && (x * 7 + y * 3) % 23 < 9 && x > 120 && x < width - 120
      data[y * width + x] = (isInk ? 20 : 215) + grain
    }
  }
  return deflateSync(data)
}

/** A4 pages with their number above the image. */
export function scannedPdf(pages: number): Buffer {
  const data = scannedPage()
  const { width, height } = DOTS
  const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`
  const at = (i: number) => 10 + 3 * i
  const objects: Parameters<typeof pdfOf>[0]['objects'] = Object.fromEntries(
    Array.from({ length: pages }, (_, i) => {
      const resources = `<< /XObject << /Scan ${at(i) + 2} 0 R >> /Font << /F 3 0 R >> >>`
      return [
        [at(i), `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${at(i) + 1} 0 R >>`],
        [at(i) + 1, { head: '', data: `q 595 0 0 842 0 0 cm /Scan Do Q BT /F 12 Tf 30 815 Td (Sheet number ${i + 1}) Tj ET` }],
        [at(i) + 2, { head, data }],
      ]
    }).flat(),
  )
  const kids = Array.from({ length: pages }, (_, i) => `${at(i)} 0 R`).join(' ')
  return pdfOf({
    objects: {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...objects,
    },
  })
}
