/** Reads people out of pasted text, such as `Bo Li <bo@example.com>; ann@example.com`. Pure. */
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
