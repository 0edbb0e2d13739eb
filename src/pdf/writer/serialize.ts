/** Formats PDF objects as Latin-1 text (ISO 32000-2 §7.3). Unchanged values keep their bytes. */
import { type LocatedValue, type PdfFile, resolveEntry } from '../parser/file.ts'
import { type PdfDictionary, PdfSyntaxError } from '../parser/syntax.ts'

export function verbatim({ bytes, value }: Pick<LocatedValue, 'bytes' | 'value'>): string {
  return value.kind === 'null' ? 'null' : Buffer.from(bytes.subarray(value.start, value.end)).toString('latin1')
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
  if (/^[\x20-\x7e]*$/.test(wellFormed)) return `<${Buffer.from(wellFormed, 'latin1').toString('hex')}>`
  const utf16 = Buffer.from(wellFormed, 'utf16le').swap16()
  return `<feff${utf16.toString('hex')}>`
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
  if (dictionary.duplicateKeys.length > 0) throw new PdfSyntaxError('a dictionary has a duplicate key')
  const parts: string[] = []
  for (const [key, value] of dictionary.entries) {
    if (!changes.has(key)) parts.push(`${formatName(key)} ${verbatim({ bytes, value })}`)
  }
  for (const [key, text] of changes) if (text !== undefined) parts.push(`${formatName(key)} ${text}`)
  return `<<\n${parts.join('\n')}\n>>`
}
