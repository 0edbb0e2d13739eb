/**
 * Copies objects of a PDF that Signet made into an update of another PDF: references are
 * renumbered, stream data stay as they are. ISO 32000-2 §7.3. Not for uploads, because the input is
 * trusted to be small and well formed.
 */
import { deflateSync } from 'node:zlib'
import { readRawStream, resolveContents } from '../parser/content.ts'
import { type LocatedValue, openPdf, type PdfFile } from '../parser/file.ts'
import { type Page, readPages } from '../parser/page.ts'
import { decodeStream } from '../parser/stream.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { formatDictionary, formatName, formatNumber, formatReference, verbatim } from './serialize.ts'
import type { Update } from './update.ts'

const MAX_CONTENT_BYTES = 1 << 28

function joinContents(file: PdfFile, page: Page): Uint8Array {
  const parts = resolveContents(file, page).flatMap(stream => {
    const raw = readRawStream(file, stream)
    if (raw === undefined || stream.value.kind !== 'dictionary') return []
    return [decodeStream(raw, stream.value, MAX_CONTENT_BYTES), Buffer.from('\n')]
  })
  return Buffer.concat(parts)
}

function formatBox({ left, bottom, width, height }: Page['box']): string {
  return `[${[left, bottom, left + width, bottom + height].map(formatNumber).join(' ')}]`
}

/** A document whose objects are written into an update on demand, each once. */
export class ImportedDocument {
  readonly pages: readonly Page[]
  readonly #file: PdfFile
  /** New object numbers by old ones. */
  readonly #numbers = new Map<number, number>()

  /** @throws PdfSyntaxError */
  constructor(
    bytes: Uint8Array,
    private readonly update: Update,
  ) {
    this.#file = openPdf(bytes)
    this.pages = readPages(this.#file, this.#file.resolve(this.#file.crossReference.trailer.entries.get('Root')))
  }

  /** Writes the page as a form XObject in its user space (§8.10). Returns the object number. */
  putForm(page: Page): number {
    const data = deflateSync(joinContents(this.#file, page))
    const number = this.update.allocate()
    const entries = `/BBox ${formatBox(page.box)} /Resources ${this.#formatResources(page)}`
    const dictionary = `<< /Type /XObject /Subtype /Form ${entries} /Filter /FlateDecode /Length ${data.length} >>`
    this.update.put(number, dictionary, data)
    return number
  }

  /** Writes the page as a kid of the page tree node `parent`. Returns the object number. */
  putPage(page: Page, parent: number): number {
    const { value, bytes, isInFile } = page.dictionary
    if (value.kind !== 'dictionary') throw new PdfSyntaxError('a page is not a dictionary')
    const box = formatBox(page.box)
    const changes = new Map<string, string | undefined>()
    for (const [key, entry] of value.entries) {
      // /Parent would import the other page tree. It is set below.
      changes.set(key, key === 'Parent' ? undefined : this.#format({ value: entry, bytes, isInFile }))
    }
    // Set on the page itself, so that it inherits nothing.
    changes.set('Parent', formatReference(parent)).set('MediaBox', box).set('CropBox', box).set('Rotate', '0')
    changes.set('Resources', this.#formatResources(page))
    const number = this.update.allocate()
    this.update.put(number, formatDictionary(bytes, value, changes))
    return number
  }

  #formatResources({ resources }: Page): string {
    return resources.value.kind === 'dictionary' ? this.#format(resources) : '<< >>'
  }

  #import(number: number, value: PdfValue): number {
    const known = this.#numbers.get(number)
    if (known !== undefined) return known
    const allocated = this.update.allocate()
    this.#numbers.set(number, allocated)
    const located = this.#file.resolve(value)
    this.update.put(allocated, this.#format(located), readRawStream(this.#file, located))
    return allocated
  }

  #format(located: LocatedValue): string {
    const { value } = located
    const formatPart = (part: PdfValue) => this.#format({ ...located, value: part })
    if (value.kind === 'reference') return formatReference(this.#import(value.number, value))
    if (value.kind === 'array') return `[${value.items.map(formatPart).join(' ')}]`
    if (value.kind !== 'dictionary') return verbatim(located)
    return `<<${[...value.entries].map(([key, part]) => `${formatName(key)} ${formatPart(part)}`).join(' ')}>>`
  }
}
