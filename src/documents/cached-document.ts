/** A document with its version and its JSON texts, each serialised once. */
import type { Document } from '../core/document/document.ts'

export class CachedDocument {
  readonly document: Document
  readonly #texts = new Map<(document: Document) => unknown, string>()

  constructor(
    document: Document,
    /** Grows with every change of the document, its recipients and its fields. */
    readonly version: number,
  ) {
    this.document = document
  }

  json(present: (document: Document) => unknown): string {
    const text = this.#texts.get(present) ?? JSON.stringify(present(this.document))
    this.#texts.set(present, text)
    return text
  }
}
