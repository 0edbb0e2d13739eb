/** Collects the changes per object; an incremental update writes each once. ISO 32000-2 §7.5.6. */
import { fromLatin1, toHex, toLatin1 } from '../../lib/bytes.ts'
import { remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { type PdfDictionary, PdfSyntaxError } from '../parser/syntax.ts'
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
      if (value.kind !== 'dictionary') throw new PdfSyntaxError(remark('object_not_a_dictionary', { number: object.number }))
      update.put(
        object.number,
        formatDictionary(bytes, value, new Map([...NO_SIGNATURE, ...changes])),
        undefined,
        object.generation,
      )
    }
  }
}

// Formats PDF objects as Latin-1 text (ISO 32000-2 §7.3). Unchanged values keep their bytes.

export function verbatim({ bytes, value }: Pick<LocatedValue, 'bytes' | 'value'>): string {
  return value.kind === 'null' ? 'null' : toLatin1(bytes, value.start, value.end)
}

export const formatReference = (number: number, generation = 0): string => `${number} ${generation} R`

/** §7.3.5. Escapes all but letters, digits and a few marks. */
export function formatName(name: string): string {
  const escaped = (c: string) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`
  return `/${name.replace(/[^A-Za-z0-9_.:+*-]/g, escaped)}`
}

/** §7.9.2.2, in hexadecimal: it cannot contain PDF syntax. A lone surrogate becomes U+FFFD. */
export function formatTextString(text: string): string {
  const wellFormed = text.toWellFormed()
  if (/^[\x20-\x7e]*$/.test(wellFormed)) return `<${toHex(fromLatin1(wellFormed))}>`
  const units = Array.from({ length: wellFormed.length }, (_, i) => wellFormed.charCodeAt(i).toString(16).padStart(4, '0'))
  return `<feff${units.join('')}>`
}

/** §7.9.4. @throws RangeError */
export function formatDate(at: string): string {
  const digits = new Date(at).toISOString().replace(/\D/g, '')
  return `(D:${digits.slice(0, 14)}Z)`
}

/** A finite number without an exponent (§7.3.3). */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(5).replace(/\.?0+$/, '')
}

/** The source texts of the items of an array entry. Empty if it is not an array. */
export function formatItems(file: PdfFile, container: LocatedValue, key: string): string[] {
  const { value, bytes } = resolveEntry(file, container, key)
  return value.kind === 'array' ? value.items.map(item => verbatim({ bytes, value: item })) : []
}

/** The serialized new value of each key, or `undefined` to remove the key. */
export type Changes = ReadonlyMap<string, string | undefined>

/** Unchanged values keep their bytes. @throws PdfSyntaxError for a duplicate key */
export function formatDictionary(bytes: Uint8Array, dictionary: PdfDictionary, changes: Changes): string {
  if (dictionary.duplicateKeys.length > 0) throw new PdfSyntaxError(remark('dictionary_key_twice'))
  const parts: string[] = []
  for (const [key, value] of dictionary.entries) {
    if (!changes.has(key)) parts.push(`${formatName(key)} ${verbatim({ bytes, value })}`)
  }
  for (const [key, text] of changes) if (text !== undefined) parts.push(`${formatName(key)} ${text}`)
  return `<<\n${parts.join('\n')}\n>>`
}
