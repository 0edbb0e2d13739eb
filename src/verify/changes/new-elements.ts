/**
 * Checks structure elements that an update adds: screen readers read their texts aloud in place of
 * the content. ISO 32000-2 §14.7.2, §14.7.5, §14.9.
 */
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { textOf } from '../../pdf/parser/syntax.ts'
import { hasNoStream, nameOf } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/** Entries that are not read aloud. Not /ActualText, /E and /T, nor /C, which names attributes. */
const SILENT_KEYS = new Set(['Type', 'S', 'P', 'K', 'Pg', 'ID', 'R', 'NS', 'A'])
const [MAX_ELEMENTS, MAX_DEPTH] = [100_000, 100]

const kidsOf = (value: PdfValue | undefined): readonly PdfValue[] =>
  value === undefined ? [] : value.kind === 'array' ? value.items : [value]

const hasText = (value: PdfValue | undefined): boolean => {
  if (value === undefined || value.kind === 'name' || value.kind === 'number') return false
  if (value.kind === 'array') return value.items.some(hasText)
  return value.kind !== 'dictionary' || [...value.entries.values()].some(hasText)
}

export class NewElements {
  /** The object numbers of the elements that were checked. */
  readonly numbers = new Set<number>()
  readonly #update: UpdateCheck
  #count = 0

  constructor(update: UpdateCheck) {
    this.#update = update
  }

  /** Why the added child of an element is not allowed; a predicate. */
  findError(kid: PdfValue, depth = 0): string | undefined {
    if (++this.#count > MAX_ELEMENTS || depth > MAX_DEPTH) return 'is one of too many'
    if (kid.kind === 'number') return 'claims content that was signed'
    const element = this.#update.after.dictionary(kid)
    if (element === undefined || element.duplicateKeys.length > 0) return 'is not an element'
    const type = nameOf(this.#update.after.resolve(element.entries.get('Type')).value)
    if (type === 'OBJR') return this.#findReferenceError(element)
    if (type !== '' && type !== 'StructElem') return 'claims content that was signed'
    if (kid.kind === 'reference') {
      if (!this.#update.isNew(kid.number) || !hasNoStream(this.#update.after, kid.number)) return 'is not new'
      if (this.numbers.has(kid.number)) return 'is there twice'
      this.numbers.add(kid.number)
    }
    return this.#findElementError(element, depth)
  }

  #findElementError({ entries }: PdfDictionary, depth: number): string | undefined {
    const kids = kidsOf(entries.get('K'))
    const heard = [...entries.keys()].filter(key => !SILENT_KEYS.has(key))
    const alternative = textOf(this.#update.after.resolve(entries.get('Alt')).value)
    const isOfField = kids.length > 0 && kids.every(kid => this.#isReference(kid))
    if (heard.join() === 'Alt' && isOfField && alternative !== '') this.#noteAlternative(alternative)
    else if (heard.length > 0) return `has ${heard.map(key => `/${key}`).join(', ')}, which screen readers may read aloud`
    if (hasText(entries.get('A'))) return 'has attributes (/A) with a text or a reference'
    for (const kid of kids) {
      const error = this.findError(kid, depth + 1)
      if (error !== undefined) return error
    }
    return undefined
  }

  #isReference(kid: PdfValue): boolean {
    const entries = this.#update.after.dictionary(kid)?.entries
    return nameOf(this.#update.after.resolve(entries?.get('Type')).value) === 'OBJR'
  }

  /** §14.7.5.3: of an annotation or field that the update itself adds or changes. */
  #findReferenceError({ entries }: PdfDictionary): string | undefined {
    const object = entries.get('Obj')
    const isChanged = object?.kind === 'reference' && this.#update.changed.has(object.number)
    return isChanged ? undefined : 'describes an object that was signed'
  }

  /** §14.9.3: what is read aloud for a field of this update. */
  #noteAlternative(after: string): void {
    this.#update.changes.push({ kind: 'property', revision: 0, name: 'Alt', before: '', after, page: null })
  }
}
