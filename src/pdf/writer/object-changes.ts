/** Collects changes by object, so that an update writes each object once. ISO 32000-2 §7.5.6. */
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { type Changes, formatDictionary } from './serialize.ts'
import type { Update } from './update.ts'

export interface DictionaryObject {
  number: number
  generation: number
  dictionary: LocatedValue
}

export interface ObjectRemoval extends DictionaryObject {
  changes: Changes
}

/** Changes that remove active content before the file is sealed. */
export interface Removals {
  /** By object number. */
  objects: ReadonlyMap<number, ObjectRemoval>
  /** Keys of the catalog to set or remove. */
  catalog: Changes
}

export interface UpdatablePdf {
  file: PdfFile
  catalog: DictionaryObject
  pages: readonly Page[]
  active: Removals
}

export class ObjectChanges {
  readonly #objects = new Map<number, { object: DictionaryObject; changes: Map<string, string | undefined> }>()

  add(object: DictionaryObject, changes: Changes): void {
    if (changes.size === 0) return
    const known = this.#objects.get(object.number) ?? { object, changes: new Map<string, string | undefined>() }
    for (const [key, text] of changes) known.changes.set(key, text)
    this.#objects.set(object.number, known)
  }

  /** The new text of a key. Undefined if the key is unchanged or removed. */
  textOf(number: number, key: string): string | undefined {
    return this.#objects.get(number)?.changes.get(key)
  }

  /** @throws PdfSyntaxError if a dictionary has a duplicate key */
  writeTo(update: Update): void {
    for (const { object, changes } of this.#objects.values()) {
      const { bytes, value } = object.dictionary
      if (value.kind !== 'dictionary') throw new PdfSyntaxError(`object ${object.number} is not a dictionary`)
      update.put(object.number, formatDictionary(bytes, value, changes), undefined, object.generation)
    }
  }
}
