/** The size of a page's content with its form XObjects, each as often as it is drawn. */
import { decodePageContent, readFilterNames, readRawStream } from '../parser/content.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { decodeContent } from '../parser/filters.ts'
import type { Page } from '../parser/page.ts'

const MAX_DEPTH = 12
/** pdf.js takes quadratic time for a row of saved graphics states. */
const MANY_SAVES = /(?:\bq\s+){100}/
const DO = /\/([^\s/<>[\](){}%]+)\s+Do\b/g

class SizeCounter {
  readonly #file: PdfFile
  readonly #known = new Map<number, number>()

  constructor(file: PdfFile) {
    this.#file = file
  }

  /** Infinity if forms or graphics states are nested too deeply. */
  countContent(content: Uint8Array, resources: LocatedValue, depth: number): number {
    const text = Buffer.from(content).toString('latin1')
    if (depth > MAX_DEPTH || MANY_SAVES.test(text)) return Number.POSITIVE_INFINITY
    const objects = resolveEntry(this.#file, resources, 'XObject')
    if (objects.value.kind !== 'dictionary') return content.length
    let size = content.length
    for (const [, name = ''] of text.matchAll(DO)) {
      const raw = objects.value.entries.get(name)
      const known = raw?.kind === 'reference' ? this.#known.get(raw.number) : undefined
      const own = known ?? this.#countForm(resolveWithin(this.#file, objects, raw), resources, depth)
      if (raw?.kind === 'reference') this.#known.set(raw.number, own)
      size += own
      if (size === Number.POSITIVE_INFINITY) break
    }
    return size
  }

  #countForm(form: LocatedValue, parent: LocatedValue, depth: number): number {
    const subtype = resolveEntry(this.#file, form, 'Subtype').value
    if (subtype.kind !== 'name' || subtype.value !== 'Form') return 0
    const content = decodeContent(readRawStream(this.#file, form) ?? new Uint8Array(), readFilterNames(this.#file, form))
    const own = resolveEntry(this.#file, form, 'Resources')
    return this.countContent(content, own.value.kind === 'dictionary' ? own : parent, depth + 1)
  }
}

/** In bytes. @throws PdfSyntaxError */
export function expandedSize(file: PdfFile, page: Page): number {
  return new SizeCounter(file).countContent(decodePageContent(file, page), page.resources, 0)
}
