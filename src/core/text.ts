/** Cleans texts of invisible characters and refuses those that could break a header. Pure. */
import { type Violation, violation } from './violation.ts'

/** Control characters except tab, CR, LF; bidi overrides and isolates; characters of no width. */
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu

const LINE_ENDS = /\r\n?|[\u2028\u2029]/g
const STACK = /([\p{M}\p{DI}]{10})[\p{M}\p{DI}]+/gu

/**
 * With at most ten marks on a letter, as no script has more. Others would be drawn over the lines
 * around; and to normalise them (UAX 15) takes time by the square of their number.
 */
export const withoutStacks = (text: string): string => text.replace(STACK, '$1')

/** No NUL, which PostgreSQL refuses, and no half of a surrogate pair, which UTF-8 cannot encode. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Without NUL, and with U+FFFD for each half of a surrogate pair. */
export function storable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '')
}

/** A character that is visible when printed. */
const VISIBLE = /[^\s\p{DI}]/u

/**
 * One trimmed line in NFC without invisible characters; empty if nothing visible remains. A row of
 * blanks becomes one: it would move words to another place on a page.
 */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s{3,}|[\t\n]+/g, ' ')
    .trim()
}

/** As `cleanLine`, for text that may have several lines. */
export function cleanText(text: string): string {
  const lines = text.toWellFormed().replace(LINE_ENDS, '\n').replace(INVISIBLE, '')
  const clean = withoutStacks(withoutStacks(lines).normalize('NFC')).trim()
  return VISIBLE.test(clean) ? clean : ''
}

/** Why a text cannot be one line of a header; `undefined` if it can. */
export function lineError(text: string): Violation | undefined {
  if (/[\r\n\0]/.test(text)) return violation('several_lines')
  return cleanLine(text) === '' ? violation('empty') : undefined
}

const MAX_UNPRINTABLE = 10

export function unprintableError(
  text: string | undefined,
  { unprintable }: { unprintable(text: string): string[] },
): Violation | undefined {
  const characters = unprintable(cleanText(text ?? '')).slice(0, MAX_UNPRINTABLE)
  return characters.length === 0 ? undefined : violation('unprintable', { characters })
}

export const MAX_EMAIL_LENGTH = 254
// The addresses accepted: one @, no blanks or quotes, a host of letters, digits, hyphens and dots.
const LOCAL = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Two letters at least: 192.0.2.7 is no host name. */
const TOP_LEVEL = /[\p{L}].*[\p{L}\p{N}\p{M}]$/u

function isAddress(email: string): boolean {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  if (at < 1 || email.length > MAX_EMAIL_LENGTH || withoutStacks(email) !== email) return false
  if (!LOCAL.test(local) || /^\.|\.\.|\.$/.test(local)) return false
  const labels = email.slice(at + 1).split('.')
  // One label alone is a slip such as ada@example: no mail server of the Internet is named so.
  return labels.length > 1 && labels.every(label => LABEL.test(label)) && TOP_LEVEL.test(labels.at(-1) ?? '')
}

export function emailError(email: string): Violation | undefined {
  return isAddress(email) ? undefined : violation('not_an_email')
}

/**
 * Whether two entries are one person. A family or an office may share an address: then the names
 * tell who is meant, in the mail and on the page.
 */
export function samePerson(a: { name: string; email: string }, b: { name: string; email: string }): boolean {
  const key = (name: string) => cleanLine(name).normalize('NFC').replace(/\s+/g, ' ').toLowerCase()
  return sameMailbox(a.email, b.email) && key(a.name) === key(b.name)
}

/** Whether two addresses are the same mailbox. */
export function sameMailbox(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
