/** Compares values of several PDFs by their content. */
import { createHash, type Hash } from 'node:crypto'
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import type { PdfDictionary } from '../parser/syntax.ts'
import { readStreamData } from '../writer/import-objects.ts'
import { formatName } from '../writer/serialize.ts'

/** Equal for resources of equal content, whatever their object numbers. */
export function fingerprint(file: PdfFile, located: LocatedValue): string {
  return new Fingerprint(file).of(located)
}

/** Each object is read once and later named by its place, so that loops of references end. */
class Fingerprint {
  readonly #file: PdfFile
  readonly #hash: Hash = createHash('sha256')
  readonly #places = new Map<string, number>()
  readonly #pending: LocatedValue[] = []

  constructor(file: PdfFile) {
    this.#file = file
  }

  of(located: LocatedValue): string {
    this.#pending.push(located)
    // The array grows while it is read: what an object refers to comes after it.
    for (const next of this.#pending) this.#add(next)
    return this.#hash.digest('hex')
  }

  #add(located: LocatedValue): void {
    const { value, bytes } = located
    this.#text(value.kind)
    if (value.kind === 'reference') this.#addReference(value)
    else if (value.kind === 'array') {
      this.#text(String(value.items.length))
      for (const item of value.items) this.#add({ ...located, value: item })
    } else if (value.kind === 'dictionary') this.#addDictionary(located, value)
    else this.#bytes(bytes.subarray(value.start, value.end))
  }

  #addReference(reference: Extract<LocatedValue['value'], { kind: 'reference' }>): void {
    const key = `${reference.number} ${reference.generation}`
    const place = this.#places.get(key) ?? this.#places.size
    this.#text(String(place))
    if (this.#places.has(key)) return
    this.#places.set(key, place)
    this.#pending.push(this.#file.resolve(reference))
  }

  #addDictionary(located: LocatedValue, { entries }: PdfDictionary): void {
    this.#text(String(entries.size))
    for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      this.#text(formatName(key))
      this.#add({ ...located, value })
    }
    this.#bytes(readStreamData(this.#file, located) ?? new Uint8Array())
  }

  #text(text: string): void {
    this.#hash.update(`${text} `)
  }

  /** With their number, so that two texts in a row differ from one. */
  #bytes(bytes: Uint8Array): void {
    this.#text(String(bytes.length))
    this.#hash.update(bytes)
  }
}
