/**
 * Dictionaries with two values for one key, and objects that cannot be read, among all that pages
 * and forms are made of: readers differ on which value they take, most take the last. ISO 32000-2
 * §7.3.7, §7.3.10. Reads no content.
 */
import type { PdfFile } from './file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from './syntax.ts'

const MAX_REASONS = 12
/** They lead back up, to where the walk comes from. */
const UPWARDS = new Set(['Parent', 'P'])
/** Readers look for the end of a stream where its /Length does not lead to it. */
const WITHOUT_MEANING = new Set(['Length'])

/** A value that is still to be looked at, and the object that it belongs to, in words. */
interface Pending {
  value: PdfValue
  owner: string
}

function parts(value: PdfDictionary): PdfValue[] {
  return [...value.entries].flatMap(([key, entry]) => (UPWARDS.has(key) ? [] : [entry]))
}

/**
 * Sentences; none when every reader takes the same. The cost is linear in the objects that pages
 * and form lead to, each looked at once.
 */
export function findDuplicateKeys(file: PdfFile, catalog: PdfDictionary): string[] {
  const reasons: string[] = []
  const seen = new Set<number>()
  const pending: Pending[] = ['AcroForm', 'Pages'].flatMap(key => {
    const value = catalog.entries.get(key)
    return value === undefined ? [] : [{ value, owner: `the catalog's /${key}` }]
  })
  for (let next = pending.pop(); next !== undefined && reasons.length < MAX_REASONS; next = pending.pop()) {
    const { value, owner } = next
    if (value.kind === 'array') for (const item of value.items) pending.push({ value: item, owner })
    if (value.kind === 'dictionary') {
      const duplicateKeys = value.duplicateKeys.filter(key => !WITHOUT_MEANING.has(key))
      reasons.push(...duplicateKeys.map(key => `A dictionary of ${owner} has the key /${key} twice.`))
      for (const part of parts(value)) pending.push({ value: part, owner })
    }
    if (value.kind !== 'reference' || seen.has(value.number)) continue
    seen.add(value.number)
    const name = `object ${value.number}`
    try {
      pending.push({ value: file.resolve(value).value, owner: name })
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      reasons.push(`The pages or the form lead to ${name}, which cannot be read: ${error.message}.`)
    }
  }
  return reasons
}
