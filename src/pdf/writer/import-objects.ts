/**
 * Copies objects of one PDF into another: references are renumbered, stream data stay as they are.
 * ISO 32000-2 §7.3. Each object is copied once, and only if a copied one refers to it.
 */
import { deflateSync } from 'node:zlib'
import { remark } from '../../locales/remarks.ts'
import { readRawStream, resolveContents } from '../parser/content.ts'
import { type LocatedValue, openPdf, type PdfFile } from '../parser/file.ts'
import { type Page, readPages } from '../parser/page.ts'
import { decodeStream } from '../parser/stream.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, takeKeyword } from '../parser/syntax.ts'
import { type Changes, formatName, formatNumber, formatReference, verbatim } from './object-changes.ts'

/** Where the copies are written. */
export interface ObjectSink {
  allocate(): number
  /** Writes an object. For a stream, `text` is its dictionary with the /Length of `data`. */
  put(number: number, text: string, data?: Uint8Array): void
}

type Reference = Extract<PdfValue, { kind: 'reference' }>

/** What is not copied as it is. */
export interface ImportRules {
  /** The text in place of a reference. Undefined: the object is copied. */
  reference?(reference: Reference): string | undefined
  /** The text of an entry, `null` to leave it out. Undefined: the entry is copied. */
  entry?(key: string, value: LocatedValue, owner: PdfDictionary): string | null | undefined
}

const keyOf = ({ number, generation }: Pick<Reference, 'number' | 'generation'>) => `${number} ${generation}`

/** Undefined if it is no stream. Finds the end also where /Length is wrong, as readers do. */
export function readStreamData(file: PdfFile, located: LocatedValue): Uint8Array | undefined {
  try {
    return readRawStream(file, located)
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
  }
  const bytes = Buffer.from(located.bytes.buffer, located.bytes.byteOffset, located.bytes.byteLength)
  const cursor = { bytes, at: located.value.end }
  takeKeyword(cursor, 'stream')
  const start = cursor.at + (bytes[cursor.at] === 0x0d ? 1 : 0) + 1
  const end = bytes.indexOf('endstream', start)
  if (end < 0) throw new PdfSyntaxError(remark('stream_endless'))
  const trimmed = bytes[end - 1] === 0x0a ? (bytes[end - 2] === 0x0d ? 2 : 1) : bytes[end - 1] === 0x0d ? 1 : 0
  return bytes.subarray(start, Math.max(start, end - trimmed))
}

export class ObjectImporter {
  readonly #file: PdfFile
  readonly #sink: ObjectSink
  readonly #rules: ImportRules
  /** New object numbers by old ones. */
  readonly #numbers = new Map<string, number>()
  readonly #changes = new Map<string, Changes>()
  readonly #pending: Reference[] = []

  constructor(file: PdfFile, sink: ObjectSink, rules: ImportRules = {}) {
    this.#file = file
    this.#sink = sink
    this.#rules = rules
  }

  /** Sets or removes entries of an object, wherever it is referred to. Call before it is copied. */
  change(reference: Reference, changes: Changes): void {
    this.#changes.set(keyOf(reference), new Map([...(this.#changes.get(keyOf(reference)) ?? []), ...changes]))
  }

  /** The text of a value in the copy. What it refers to is written by `drain`. */
  format(located: LocatedValue): string {
    const { value } = located
    if (value.kind === 'reference') return this.#formatReference(value)
    if (value.kind === 'array') return `[${value.items.map(part => this.format({ ...located, value: part })).join(' ')}]`
    return value.kind === 'dictionary' ? this.#formatDictionary(located, value) : verbatim(located)
  }

  /** As `format`, for a dictionary with changed entries. */
  formatWith(located: LocatedValue, changes: Changes): string {
    const { value } = located
    if (value.kind !== 'dictionary') throw new PdfSyntaxError(remark('not_a_dictionary'))
    return this.#formatDictionary(located, value, changes)
  }

  /** Writes all objects that were referred to. A queue, so that a long chain needs no stack. */
  drain(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const located = this.#file.resolve(next)
      const data = readStreamData(this.#file, located)
      const own = new Map(this.#changes.get(keyOf(next)))
      if (data !== undefined) own.set('Length', String(data.length))
      const text = located.value.kind === 'dictionary' ? this.formatWith(located, own) : this.format(located)
      this.#sink.put(this.#numberOf(next), text, data)
    }
  }

  #formatReference(reference: Reference): string {
    return this.#rules.reference?.(reference) ?? formatReference(this.#numberOf(reference))
  }

  #numberOf(reference: Reference): number {
    const known = this.#numbers.get(keyOf(reference))
    if (known !== undefined) return known
    const number = this.#sink.allocate()
    this.#numbers.set(keyOf(reference), number)
    this.#pending.push(reference)
    return number
  }

  #formatDictionary(located: LocatedValue, owner: PdfDictionary, changes: Changes = new Map()): string {
    const parts: string[] = []
    for (const [key, value] of owner.entries) {
      if (changes.has(key)) continue
      const entry = { ...located, value }
      const text = this.#rules.entry?.(key, entry, owner)
      if (text !== null) parts.push(`${formatName(key)} ${text ?? this.format(entry)}`)
    }
    for (const [key, text] of changes) if (text !== undefined) parts.push(`${formatName(key)} ${text}`)
    return `<<${parts.join(' ')}>>`
  }
}

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

/** A PDF that Signet made, small and well formed, whose pages are written into an update. */
export class ImportedDocument {
  readonly pages: readonly Page[]
  readonly #file: PdfFile
  readonly #sink: ObjectSink
  readonly #importer: ObjectImporter

  /** @throws PdfSyntaxError */
  constructor(bytes: Uint8Array, sink: ObjectSink) {
    this.#file = openPdf(bytes)
    this.#sink = sink
    this.#importer = new ObjectImporter(this.#file, sink)
    this.pages = readPages(this.#file, this.#file.resolve(this.#file.crossReference.trailer.entries.get('Root')))
  }

  /** Writes the page as a form XObject in its user space (§8.10). Returns the object number. */
  putForm(page: Page): number {
    const data = deflateSync(joinContents(this.#file, page))
    const number = this.#sink.allocate()
    const entries = `/BBox ${formatBox(page.box)} /Resources ${this.#formatResources(page)}`
    const dictionary = `<< /Type /XObject /Subtype /Form ${entries} /Filter /FlateDecode /Length ${data.length} >>`
    this.#sink.put(number, dictionary, data)
    this.#importer.drain()
    return number
  }

  /** Writes the page as a kid of the page tree node `parent`. Returns the object number. */
  putPage(page: Page, parent: number): number {
    const box = formatBox(page.box)
    const number = this.#sink.allocate()
    // Set on the page itself, so that it inherits nothing.
    const changes = new Map([
      ['Parent', formatReference(parent)],
      ['MediaBox', box],
      ['CropBox', box],
      ['Rotate', '0'],
      ['Resources', this.#formatResources(page)],
    ])
    this.#sink.put(number, this.#importer.formatWith(page.dictionary, changes))
    this.#importer.drain()
    return number
  }

  #formatResources({ resources }: Page): string {
    return resources.value.kind === 'dictionary' ? this.#importer.format(resources) : '<< >>'
  }
}
