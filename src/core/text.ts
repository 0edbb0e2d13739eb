/** What people may write into names, titles and values: cleaned of what cannot be seen, refused where it could break a header. Pure. */

/** Control characters other than tab, CR and LF; bidi overrides and isolates (U+202A–202E, U+2066–2069); marks and blanks of no width that reorder or hide. */
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu

/** Anything that leaves a trace on paper: not a joiner or a filler alone. */
const INK = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

/** One line of text as it is stored: invisible characters gone, tabs and line breaks as spaces, outer blanks trimmed, NFC. Empty where nothing can be seen. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()
}

/** The same for text that may have several lines. */
export function cleanText(text: string): string {
  const clean = text.toWellFormed().replace(/\r\n?/g, '\n').replace(INVISIBLE, '').trim().normalize('NFC')
  return INK.test(clean) ? clean : ''
}

/** Why a text cannot be one line of a header; `undefined` when it can. */
export function lineError(text: string): string | undefined {
  if (/[\r\n\0]/.test(text)) return 'must be one line: take out line breaks and NUL characters'
  if (cleanLine(text) === '') return 'must not be empty'
  return undefined
}

/** An address a mail server can be given: one @, no blanks or quotes, a host with letters, digits, hyphens and dots, at most 254 characters. */
const LOCAL = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

function isAddress(email: string): boolean {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  if (at < 1 || email.length > 254 || !LOCAL.test(local) || /^\.|\.\.|\.$/.test(local)) return false
  return email
    .slice(at + 1)
    .split('.')
    .every(label => LABEL.test(label))
}

export function emailError(email: string): string | undefined {
  return isAddress(email) ? undefined : 'must be an e-mail address such as ada@example.com'
}

/** Two spellings of one mailbox for the purpose of "the same person twice". */
export function sameMailbox(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
