/**
 * Carries objects of a small PDF made by ourselves over into an update of another: references get
 * new numbers, streams keep their bytes. Not for uploads: what it reads is trusted to be small and
 * well formed. ISO 32000-2 §7.3.
 */
import { deflateSync } from 'node:zlib'
import { type LocatedValue, openPdf, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { type Page, readPages } from '../parser/page.ts'
import { decodeStream, readStreamAt } from '../parser/stream.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { changedDictionary, nameText, numberText, reference, verbatim } from './serialize.ts'
import type { Update } from './update.ts'

export interface ImportedDocument {
  pages: readonly Page[]
  /**
   * Writes the page's drawing as a form XObject whose space is the page's own (§8.10). The object's
   * number.
   */
  form(page: Page): number
  /**
   * Writes the page as a page of the update's document, under the page tree node `parent`. The
   * object's number.
   */
  page(page: Page, parent: number): number
}

function rawData(file: PdfFile, located: LocatedValue): Uint8Array | undefined {
  if (located.value.kind !== 'dictionary' || !located.isInFile) return undefined
  const length = resolveEntry(file, located, 'Length').value
  return readStreamAt(located.bytes, located.value.end, length.kind === 'number' ? length.value : undefined)
}

/** The drawing of a page as one piece of content (§7.8.2). */
function drawingOf(file: PdfFile, page: Page): Uint8Array {
  const contents = resolveEntry(file, page.dictionary, 'Contents')
  const streams =
    contents.value.kind === 'array' ? contents.value.items.map(item => resolveWithin(file, contents, item)) : [contents]
  const parts = streams.flatMap(stream => {
    const raw = rawData(file, stream)
    if (raw === undefined || stream.value.kind !== 'dictionary') return []
    return [decodeStream(raw, stream.value, 1 << 28), Buffer.from('\n')]
  })
  return Buffer.concat(parts)
}

/**
 * Opens a document of ours; its objects are written into `update` as they are asked for, each once.
 * @throws PdfSyntaxError
 */
export function importDocument(bytes: Uint8Array, update: Update): ImportedDocument {
  const file = openPdf(bytes)
  const pages = readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
  const carried = new Map<number, number>()

  function carry(number: number, value: PdfValue): number {
    const known = carried.get(number)
    if (known !== undefined) return known
    const taken = update.allocate()
    carried.set(number, taken)
    const located = file.resolve(value)
    update.put(taken, textOf(located), rawData(file, located))
    return taken
  }

  function textOf(located: LocatedValue): string {
    const { value } = located
    const inner = (item: PdfValue) => textOf({ ...located, value: item })
    if (value.kind === 'reference') return reference(carry(value.number, value))
    if (value.kind === 'array') return `[${value.items.map(inner).join(' ')}]`
    if (value.kind !== 'dictionary') return verbatim(located)
    return `<<${[...value.entries].map(([key, item]) => `${nameText(key)} ${inner(item)}`).join(' ')}>>`
  }

  return {
    pages,
    form(page) {
      const { left, bottom, width, height } = page.box
      const box = [left, bottom, left + width, bottom + height].map(numberText).join(' ')
      const data = deflateSync(drawingOf(file, page))
      const number = update.allocate()
      const resources = page.resources.value.kind === 'dictionary' ? textOf(page.resources) : '<< >>'
      const head = `<< /Type /XObject /Subtype /Form /BBox [${box}] /Resources ${resources} /Filter /FlateDecode /Length ${data.length} >>`
      update.put(number, head, data)
      return number
    },
    page(page, parent) {
      const { value } = page.dictionary
      if (value.kind !== 'dictionary') throw new PdfSyntaxError('a page is no dictionary')
      const { left, bottom, width, height } = page.box
      const box = `[${[left, bottom, left + width, bottom + height].map(numberText).join(' ')}]`
      const changes = new Map<string, string | undefined>()
      for (const key of value.entries.keys()) changes.set(key, textOf(entryRaw(page.dictionary, key)))
      // Set on the page itself, so that nothing of the other document's page tree is inherited.
      changes.set('Parent', reference(parent)).set('MediaBox', box).set('CropBox', box).set('Rotate', '0')
      changes.set('Resources', page.resources.value.kind === 'dictionary' ? textOf(page.resources) : '<< >>')
      const number = update.allocate()
      update.put(number, changedDictionary(page.dictionary.bytes, value, changes))
      return number
    },
  }

  function entryRaw(container: LocatedValue, key: string): LocatedValue {
    const value = container.value.kind === 'dictionary' ? container.value.entries.get(key) : undefined
    // The way up would carry the whole other page tree over; it is set anew.
    if (value === undefined || key === 'Parent') return file.resolve(undefined)
    return { ...container, value }
  }
}
