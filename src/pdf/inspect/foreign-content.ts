/**
 * Whether what a page shows is taken from another file: external streams (ISO 32000-2 §7.3.8.2),
 * reference XObjects (§8.10.4) and OPI proxies (§14.11.7). What is not in the file can be another
 * thing tomorrow; no seal can stand for it. Refuses images no reader could hold.
 */
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveItems, resolveWithin } from '../parser/file.ts'
import { MAX_IMAGE_BYTES, PdfLimitError } from '../parser/limits.ts'
import type { Page } from '../parser/page.ts'
import { takeKeyword } from '../parser/syntax.ts'

const KEYS = ['F', 'FFilter', 'FDecodeParms', 'Ref', 'OPI']
/** Only what stands in the file itself can be a stream (§7.5.7). */
function isStream({ value, bytes, isInFile }: LocatedValue): boolean {
  return isInFile && value.kind === 'dictionary' && takeKeyword({ bytes, at: value.end }, 'stream')
}

const COMPONENTS: Readonly<Record<string, number>> = { DeviceGray: 1, CalGray: 1, Indexed: 1, Separation: 1, DeviceCMYK: 4 }

/**
 * Bits of one pixel, decoded (§8.9.5, table 87). A colour space of another kind counts as three
 * components.
 */
function bitsPerPixel(file: PdfFile, image: LocatedValue): number {
  const mask = resolveEntry(file, image, 'ImageMask').value
  if (mask.kind === 'boolean' && mask.value) return 1
  const bits = resolveEntry(file, image, 'BitsPerComponent').value
  const space = resolveEntry(file, image, 'ColorSpace')
  const family = space.value.kind === 'array' ? resolveWithin(file, space, space.value.items[0]).value : space.value
  const components = family.kind === 'name' ? COMPONENTS[family.value] : undefined
  return (bits.kind === 'number' && bits.value > 0 ? bits.value : 8) * (components ?? 3)
}

function checkImage(file: PdfFile, image: LocatedValue): void {
  const [width, height] = ['Width', 'Height'].map(key => resolveEntry(file, image, key).value)
  if (width?.kind !== 'number' || height?.kind !== 'number') return
  if ((width.value * height.value * bitsPerPixel(file, image)) / 8 <= MAX_IMAGE_BYTES) return
  throw new PdfLimitError(
    `An image of this PDF has ${width.value} × ${height.value} pixels, more than readers can show; make it smaller and send the PDF again.`,
  )
}

/**
 * All that hangs on the values given, each object once. True when a part of it stands elsewhere.
 */
function leadsOutside(file: PdfFile, roots: readonly LocatedValue[], seen: Set<number>): boolean {
  const waiting = [...roots]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value } = next
    if (value.kind !== 'dictionary' && value.kind !== 'array') continue
    if (value.kind === 'dictionary' && isStream(next)) {
      if (KEYS.some(key => value.entries.has(key))) return true
      checkImage(file, next)
    }
    for (const raw of value.kind === 'array' ? value.items : value.entries.values()) {
      if (raw.kind === 'reference') {
        if (seen.has(raw.number)) continue
        seen.add(raw.number)
      }
      if (raw.kind === 'reference' || raw.kind === 'dictionary' || raw.kind === 'array')
        waiting.push(resolveWithin(file, next, raw))
    }
  }
  return false
}

/**
 * Looks through the contents, resources and annotations' appearances of all pages. @throws
 * PdfLimitError for an image beyond measure
 */
export function hasForeignContent(file: PdfFile, pages: readonly Page[]): boolean {
  const seen = new Set<number>(pages.map(({ number }) => number))
  return pages.some(({ dictionary, resources }) => {
    const appearances = resolveItems(file, resolveEntry(file, dictionary, 'Annots')).map(({ located }) =>
      resolveEntry(file, located, 'AP'),
    )
    return leadsOutside(
      file,
      [resolveEntry(file, dictionary, 'Contents'), resolveEntry(file, dictionary, 'Thumb'), resources, ...appearances],
      seen,
    )
  })
}
