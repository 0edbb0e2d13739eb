/** Replaces what no database can store in the values of a statement, after all other checks. */
import { storable } from '../core/text.ts'

/**
 * Values that people enter are checked before; this is for text that others derive: replies of
 * servers, messages of errors, texts of PDFs. The same list, unless something has to be replaced.
 */
export function storableValues(values: readonly unknown[]): readonly unknown[] {
  for (const value of values) {
    if (typeof value === 'string' && storable(value) !== value) return values.map(storableValue)
  }
  return values
}

const storableValue = (value: unknown) => (typeof value === 'string' ? storable(value) : value)
