/** Detects page content of other files. ISO 32000-2 §7.3.8.2, §8.10.4, §14.11.7. */
import { type LocatedValue, type PdfFile, resolveEntry, resolveItems, resolveWithin } from '../parser/file.ts'
import { MAX_IMAGE_BYTES, PdfLimitError } from '../parser/limits.ts'
import type { Page } from '../parser/page.ts'
import { type PdfDictionary, takeKeyword } from '../parser/syntax.ts'

const EXTERNAL_KEYS = ['F', 'FFilter', 'FDecodeParms', 'Ref', 'OPI']
const COMPONENTS: Readonly<Record<string, number>> = { DeviceGray: 1, CalGray: 1, Indexed: 1, Separation: 1, DeviceCMYK: 4 }

/** §7.5.7: an object stream cannot contain streams. */
function isStream({ value, bytes, isInFile }: LocatedValue): boolean {
  return isInFile && value.kind === 'dictionary' && takeKeyword({ bytes, at: value.end }, 'stream')
}

/** §8.9.5, table 87. An unknown colour space counts as three components. */
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
    `An image of this PDF has ${width.value} × ${height.value} pixels, too many for PDF readers; make it smaller and upload the PDF again.`,
  )
}

function isExternal(file: PdfFile, located: LocatedValue, { entries }: PdfDictionary): boolean {
  if (!isStream(located)) return false
  if (EXTERNAL_KEYS.some(key => entries.has(key))) return true
  checkImage(file, located)
  return false
}

const CONTAINERS = new Set(['reference', 'dictionary', 'array'])

function addParts(file: PdfFile, located: LocatedValue, seen: Set<number>, pending: LocatedValue[]): void {
  const { value } = located
  const parts = value.kind === 'array' ? value.items : value.kind === 'dictionary' ? value.entries.values() : []
  for (const raw of parts) {
    if (!CONTAINERS.has(raw.kind)) continue
    if (raw.kind === 'reference') {
      if (seen.has(raw.number)) continue
      seen.add(raw.number)
    }
    pending.push(resolveWithin(file, located, raw))
  }
}

/** True if a reachable stream is in another file. */
function reachesExternal(file: PdfFile, roots: readonly LocatedValue[], seen: Set<number>): boolean {
  const pending = [...roots]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.value.kind === 'dictionary' && isExternal(file, next, next.value)) return true
    addParts(file, next, seen, pending)
  }
  return false
}

/** @throws PdfLimitError for an image that is too large */
export function hasForeignContent(file: PdfFile, pages: readonly Page[]): boolean {
  const seen = new Set<number>(pages.map(({ number }) => number))
  return pages.some(({ dictionary, resources }) => {
    const annotations = resolveItems(file, resolveEntry(file, dictionary, 'Annots'))
    const appearances = annotations.map(({ located }) => resolveEntry(file, located, 'AP'))
    const roots = [resolveEntry(file, dictionary, 'Contents'), resolveEntry(file, dictionary, 'Thumb'), resources, ...appearances]
    return reachesExternal(file, roots, seen)
  })
}
