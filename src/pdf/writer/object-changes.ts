/**
 * What becomes of the dictionaries of a file in one update: changes are collected by object, so
 * that each is written once. ISO 32000-2 §7.5.6.
 */
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { type Changes, changedDictionary } from './serialize.ts'
import type { Update } from './update.ts'

/** A dictionary of the file that is an object of its own. */
export interface DictionaryObject {
  number: number
  generation: number
  dictionary: LocatedValue
}

/** An object with the changes that take active content from it. */
export interface ObjectRemoval extends DictionaryObject {
  changes: Changes
}

/** Changes that an update makes first: what must go from the file before it is sealed. */
export interface Removals {
  /** By object number. */
  objects: ReadonlyMap<number, ObjectRemoval>
  /** Keys of the catalog to set or drop. */
  catalog: Changes
}

/** A file that an incremental update can follow. */
export interface UpdatablePdf {
  file: PdfFile
  catalog: DictionaryObject
  pages: readonly Page[]
  active: Removals
}

export interface Edits {
  change(object: DictionaryObject, changes: Changes): void
  /** The new text of a key; undefined when the key stays as it is, or goes. */
  changed(number: number, key: string): string | undefined
  /** @throws PdfSyntaxError when a dictionary cannot be written anew without guessing */
  writeTo(update: Update): void
}

export function newEdits(): Edits {
  const objects = new Map<number, { object: DictionaryObject; changes: Map<string, string | undefined> }>()
  return {
    change(object, changes) {
      if (changes.size === 0) return
      const known = objects.get(object.number) ?? { object, changes: new Map<string, string | undefined>() }
      for (const [key, text] of changes) known.changes.set(key, text)
      objects.set(object.number, known)
    },
    changed: (number, key) => objects.get(number)?.changes.get(key),
    writeTo(update) {
      for (const { object, changes } of objects.values()) {
        const { bytes, value } = object.dictionary
        if (value.kind !== 'dictionary') throw new PdfSyntaxError(`object ${object.number} is no dictionary`)
        update.put(object.number, changedDictionary(bytes, value, changes), undefined, object.generation)
      }
    },
  }
}
