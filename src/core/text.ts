/** What people may write into names, titles and values: cleaned of what cannot be seen, refused where it could break a header. Pure. */

/** Bidi overrides and isolates (U+202A–202E, U+2066–2069), zero-width marks that reorder, and control characters other than CR, LF and tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const INVISIBLE = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** One line of text as it is stored: invisible characters gone, tabs as spaces, outer blanks trimmed, NFC. */
export function cleanLine(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\t/g, ' ').trim().normalize('NFC')
}

/** The same for text that may have several lines. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, '').trim().normalize('NFC')
}

/** Why a text cannot be one line of a header; `undefined` when it can. */
export function lineFault(text: string): string | undefined {
  if (/[\r\n\0]/.test(text)) return 'must be one line: take out line breaks and NUL characters'
  if (cleanLine(text) === '') return 'must not be empty'
  return undefined
}

/** An address a mail server can be given: one @, no blanks or quotes, a host with letters, digits, hyphens and dots, at most 254 characters. */
const ADDRESS =
  /^[^\s@"'<>(),;:\\[\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

export function emailFault(email: string): string | undefined {
  if (email.length > 254 || !ADDRESS.test(email) || /\.\.|^\.|\.@/.test(email)) {
    return 'must be an e-mail address such as ada@example.com'
  }
  return undefined
}

/** Two spellings of one mailbox for the purpose of "the same person twice". */
export function sameMailbox(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
