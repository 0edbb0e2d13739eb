/** Collects the changes per object; an incremental update writes each once. ISO 32000-2 §7.5.6. */
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

export interface ActiveContentEdit extends DictionaryObject {
  changes: Changes
}

/** Edits that take out active content (scripts, actions) before the file is sealed. */
export interface ActiveContentEdits {
  /** By object number. */
  objects: ReadonlyMap<number, ActiveContentEdit>
  catalog: Changes
}

export interface UpdatablePdf {
  file: PdfFile
  catalog: DictionaryObject
  pages: readonly Page[]
  activeContentEdits: ActiveContentEdits
}

/** With this key it is taken for a signature, and no object that is written again is one. */
const NO_SIGNATURE: Changes = new Map([['ByteRange', undefined]])

export class ObjectChanges {
  readonly #objects = new Map<number, { object: DictionaryObject; changes: Map<string, string | undefined> }>()

  add(object: DictionaryObject, changes: Changes): void {
    if (changes.size === 0) return
    const entry = this.#objects.get(object.number) ?? { object, changes: new Map<string, string | undefined>() }
    for (const [key, text] of changes) entry.changes.set(key, text)
    this.#objects.set(object.number, entry)
  }

  get isEmpty(): boolean {
    return this.#objects.size === 0
  }

  /** The serialized new value of a key. Undefined if the key is unchanged or removed. */
  newValueText(number: number, key: string): string | undefined {
    return this.#objects.get(number)?.changes.get(key)
  }

  /** @throws PdfSyntaxError if an object is not a dictionary or has a duplicate key */
  writeTo(update: Update): void {
    for (const { object, changes } of this.#objects.values()) {
      const { bytes, value } = object.dictionary
      if (value.kind !== 'dictionary') throw new PdfSyntaxError(`object ${object.number} is not a dictionary`)
      update.put(
        object.number,
        formatDictionary(bytes, value, new Map([...NO_SIGNATURE, ...changes])),
        undefined,
        object.generation,
      )
    }
  }
}
