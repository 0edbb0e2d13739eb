/**
 * Reads people out of pasted text, such as `Bo Li <bo@example.com>; ann@example.com`, and
 * recognises mistyped domains. Pure.
 */
import { MAX_RECIPIENTS } from '../document/document-limits.ts'
import { cleanLine, emailError } from '../text.ts'

export interface Mailbox {
  /** Empty if the text names only the address. */
  name: string
  email: string
}

const MAX_TEXT = 50_000

/** The mailboxes of a list (RFC 5322 §3.4, as mail programs copy it). Empty if it holds none. */
export function parseMailboxes(text: string): Mailbox[] {
  return entriesOf(text.slice(0, MAX_TEXT)).flatMap(mailboxOf).slice(0, MAX_RECIPIENTS)
}

/** Outlook separates with semicolons and leaves commas in names: `Li, Bo <bo@example.com>; …`. */
function entriesOf(text: string): string[] {
  const parts = text.split(/[\r\n]+/).flatMap(line => splitOutsideQuotes(line, ';'))
  return parts.flatMap(part => (part.split('@').length > 2 ? joinNames(splitOutsideQuotes(part, ',')) : [part]))
}

/** A part without an address is the beginning of a name that has a comma. */
function joinNames(parts: string[]): string[] {
  const joined: string[] = []
  let pending: string[] = []
  for (const part of parts) {
    pending.push(part)
    if (!part.includes('@')) continue
    joined.push(pending.join(','))
    pending = []
  }
  return joined
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}

function mailboxOf(entry: string): Mailbox[] {
  const text = cleanLine(entry)
  const [, before = '', bracketed] = /^([^<>]*)<\s*(?:mailto:)?([^<>\s]+)\s*>$/i.exec(text) ?? []
  const [, bare, comment = ''] = /^(?:mailto:)?(\S+@\S+?)(?:\s+\(([^()]*)\))?$/i.exec(text) ?? []
  const email = bracketed ?? bare
  if (email === undefined || emailError(email)) return []
  const name = cleanLine((bracketed === undefined ? comment : before).replace(/\\(.)/g, '$1').replace(/"/g, ''))
  return [{ name: name === email ? '' : name.replace(/^'(.*)'$/, '$1'), email }]
}

// Recognises addresses whose domain is probably a slip of a common one.

/** Common providers. A slip is one letter too many, missing or wrong, or two exchanged. */
const COMMON = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'protonmail.com',
  'web.de',
  'freenet.de',
  't-online.de',
  'hotmail.fr',
  'wanadoo.fr',
  'laposte.net',
  'libero.it',
  'interia.pl',
]

/** Real providers that are one letter away from a common one. */
const REAL = new Set(['ymail.com', 'mail.com', 'email.com', 'fmail.com', 'wab.de', 'wb.de', 'we.de'])

/** Endings that no domain has. */
const ENDINGS: [wrong: RegExp, right: string][] = [[/\.(con|cmo|ocm|comm|vom|xom)$/, '.com']]

/** The domain that was probably meant; `undefined` if nothing suggests another one. */
export function suggestDomain(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (at < 1 || COMMON.includes(domain) || REAL.has(domain)) return undefined
  return COMMON.find(common => isOneSlipAway(domain, common)) ?? mendEnding(domain)
}

/** The address that was probably meant. */
export function suggestAddress(email: string): string | undefined {
  const meant = suggestDomain(email)
  return meant === undefined ? undefined : `${email.slice(0, email.lastIndexOf('@'))}@${meant}`
}

function mendEnding(domain: string): string | undefined {
  const [wrong, right] = ENDINGS.find(([pattern]) => pattern.test(domain)) ?? []
  return wrong && domain.replace(wrong, right ?? '')
}

function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.length > restB.length) return restA.slice(1) === restB
  if (restA.length < restB.length) return restA === restB.slice(1)
  if (restA.slice(1) === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}
