/**
 * PDF objects as text to be written: strings, names, and dictionaries that take over every
 * unchanged value in the very bytes it had. ISO 32000-2 §7.3. The text is Latin-1, one character
 * for one byte.
 */
import { type LocatedValue, type PdfFile, resolveEntry } from '../parser/file.ts'
import { type PdfDictionary, PdfSyntaxError } from '../parser/syntax.ts'

/** The value as it stands in its bytes. */
export function verbatim({ bytes, value }: Pick<LocatedValue, 'bytes' | 'value'>): string {
  return value.kind === 'null' ? 'null' : Buffer.from(bytes.subarray(value.start, value.end)).toString('latin1')
}

export const reference = (number: number, generation = 0): string => `${number} ${generation} R`

/** §7.3.5: everything but plain letters and digits is escaped. */
export function nameText(name: string): string {
  const escaped = (c: string) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`
  return `/${name.replace(/[^A-Za-z0-9_.:+*-]/g, escaped)}`
}

/**
 * A text string for people (§7.9.2.2), in hexadecimal so that nothing in it can be taken for PDF
 * syntax: ASCII as it is, else UTF-16BE with its mark. A lone surrogate becomes U+FFFD.
 */
export function textString(text: string): string {
  const sound = text.toWellFormed()
  if (/^[\x20-\x7e]*$/.test(sound)) return `<${Buffer.from(sound, 'latin1').toString('hex')}>`
  const utf16 = Buffer.from(sound, 'utf16le').swap16()
  return `<feff${utf16.toString('hex')}>`
}

/** A date in UTC (§7.9.4). @throws RangeError when it is none */
export function dateString(at: string): string {
  const digits = new Date(at).toISOString().replace(/\D/g, '')
  return `(D:${digits.slice(0, 14)}Z)`
}

/** A finite number without an exponent (§7.3.3). */
export function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(5).replace(/\.?0+$/, '')
}

/** The items of the array under a key as they stand; none where there is no array. */
export function itemTexts(file: PdfFile, container: LocatedValue, key: string): string[] {
  const { value, bytes } = resolveEntry(file, container, key)
  return value.kind === 'array' ? value.items.map(item => verbatim({ bytes, value: item })) : []
}

/** What becomes of a key: its new value as text, or `undefined` when the key is to go. */
export type Changes = ReadonlyMap<string, string | undefined>

/**
 * The dictionary with some keys set anew or dropped. All other values are taken over byte for byte.
 * @throws PdfSyntaxError when a key stands there twice: readers differ on which of the two they
 * take
 */
export function changedDictionary(bytes: Uint8Array, dictionary: PdfDictionary, changes: Changes): string {
  const [doubled] = dictionary.duplicateKeys
  if (doubled !== undefined) throw new PdfSyntaxError('a dictionary has one key twice')
  const parts: string[] = []
  for (const [key, value] of dictionary.entries) {
    if (!changes.has(key)) parts.push(`${nameText(key)} ${verbatim({ bytes, value })}`)
  }
  for (const [key, text] of changes) if (text !== undefined) parts.push(`${nameText(key)} ${text}`)
  return `<<\n${parts.join('\n')}\n>>`
}
