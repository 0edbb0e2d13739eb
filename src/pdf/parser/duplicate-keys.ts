/** Finds duplicate keys, which readers treat differently, in pages and form. ISO 32000-2 §7.3.7. */
import type { PdfFile } from './file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from './syntax.ts'

const MAX_REASONS = 12
/** References back to objects that were already visited. */
const PARENT_KEYS = new Set(['Parent', 'P'])
/** Readers ignore a wrong /Length and search for the end of the stream. */
const IGNORED_KEYS = new Set(['Length'])

interface Pending {
  value: PdfValue
  owner: string
}

function visitValue({ value, owner }: Pending, pending: Pending[], reasons: string[]): void {
  if (value.kind === 'array') for (const item of value.items) pending.push({ value: item, owner })
  if (value.kind !== 'dictionary') return
  for (const key of value.duplicateKeys)
    if (!IGNORED_KEYS.has(key)) reasons.push(`A dictionary of ${owner} has the key /${key} twice.`)
  for (const [key, entry] of value.entries) if (!PARENT_KEYS.has(key)) pending.push({ value: entry, owner })
}

/** Returns sentences. Visits each object of the pages and the form once. */
export function findDuplicateKeys(file: PdfFile, catalog: PdfDictionary): string[] {
  const reasons: string[] = []
  const seen = new Set<number>()
  const pending: Pending[] = ['AcroForm', 'Pages'].flatMap(key => {
    const value = catalog.entries.get(key)
    return value === undefined ? [] : [{ value, owner: `the catalog's /${key}` }]
  })
  for (let next = pending.pop(); next !== undefined && reasons.length < MAX_REASONS; next = pending.pop()) {
    const { value } = next
    if (value.kind !== 'reference') visitValue(next, pending, reasons)
    if (value.kind !== 'reference' || seen.has(value.number)) continue
    seen.add(value.number)
    const owner = `object ${value.number}`
    try {
      pending.push({ value: file.resolve(value).value, owner })
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      reasons.push(`The pages or the form refer to ${owner}, which cannot be read: ${error.message}.`)
    }
  }
  return reasons
}
