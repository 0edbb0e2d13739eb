/** The named destinations of a PDF (ISO 32000-2 §12.3.2.4), which joining makes explicit. */
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import type { PdfValue } from '../parser/syntax.ts'
import { readTree } from './trees.ts'

/** Strings in the name tree, names in the dictionary of PDF 1.1. */
function nameOf(value: PdfValue): string | undefined {
  if (value.kind === 'string') return Buffer.from(value.value).toString('latin1')
  return value.kind === 'name' ? value.value : undefined
}

export class NamedDestinations {
  readonly #file: PdfFile
  readonly #found = new Map<string, LocatedValue>()

  /** @throws PdfSyntaxError for a tree that is too large */
  constructor(file: PdfFile, catalog: LocatedValue) {
    this.#file = file
    const old = resolveEntry(file, catalog, 'Dests')
    if (old.value.kind === 'dictionary') for (const [name, value] of old.value.entries) this.#found.set(name, { ...old, value })
    const tree = resolveEntry(file, resolveEntry(file, catalog, 'Names'), 'Dests')
    for (const { key, value } of readTree(file, tree, 'Names')) {
      const name = nameOf(key)
      if (name !== undefined && !this.#found.has(name)) this.#found.set(name, value)
    }
  }

  /** The array of a destination, named or explicit. Undefined if there is none. */
  explicit(destination: LocatedValue): LocatedValue | undefined {
    const named = resolveWithin(this.#file, destination, destination.value)
    const name = nameOf(named.value)
    if (name === undefined) return named.value.kind === 'array' ? named : undefined
    const raw = this.#found.get(name)
    if (raw === undefined) return undefined
    const found = resolveWithin(this.#file, raw, raw.value)
    const array = found.value.kind === 'dictionary' ? resolveEntry(this.#file, found, 'D') : found
    return array.value.kind === 'array' ? array : undefined
  }
}
