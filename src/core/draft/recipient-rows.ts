/** Rows of people as typed: pasted addresses split, and the edit of the draft they mean. Pure. */
import { DELIVERIES, ROLES, type Role, type SigningOrder } from '../signing/routing.ts'
import { VERIFICATIONS } from '../signing/verification.ts'
import { cleanLine, emailError, sameMailbox } from '../text.ts'
import type { RecipientEdit } from './edit-draft.ts'
import { type Mailbox, parseMailboxes } from './mailbox.ts'

export interface RecipientRow {
  id: string
  name: string
  email: string
  role: string
  /** A number, used if they sign one after another. */
  order: string
  /** Empty: that of the document. */
  locale: string
  /** A new access code; empty to leave it as it is. */
  accessCode: string
  removesCode: boolean
  /** A VERIFICATION; empty: no one-time code is asked. */
  verify: string
  /** One of DELIVERIES; empty where the page does not ask for it. */
  deliverBy: string
}

export const DEFAULT_ROLE: Role = ROLES[0]
export const MAX_ORDER = 100

function roleOfRow({ role }: Pick<RecipientRow, 'role'>): Role {
  return ROLES.find(known => known === role) ?? DEFAULT_ROLE
}

export function blankRow(id: string, order: number): RecipientRow {
  const texts = { name: '', email: '', locale: '', accessCode: '', verify: '' }
  return { id, ...texts, role: DEFAULT_ROLE, order: String(order), removesCode: false, deliverBy: DELIVERIES[0] }
}

export function isBlank({ name, email, accessCode }: RecipientRow): boolean {
  return cleanLine(name) === '' && email.trim() === '' && accessCode.trim() === ''
}

/** A row whose name or address is a list becomes a row for each person of it. */
export function splitRows(rows: readonly RecipientRow[], newId: () => string): RecipientRow[] {
  return rows.flatMap(row => {
    const people = peopleIn(row)
    const [first, ...others] = people
    if (!first) return [row]
    const kept = { ...row, name: first.name || (row.name.includes('@') ? '' : row.name), email: first.email }
    return [kept, ...others.map(person => ({ ...blankRow(newId(), Number(row.order) || 1), ...person, role: row.role }))]
  })
}

/** Empty unless a field of the row holds more than its own value. */
function peopleIn({ name, email }: RecipientRow): Mailbox[] {
  const text = email.trim()
  if (text !== '' && emailError(text)) return parseMailboxes(text)
  return name.includes('@') && text === '' ? parseMailboxes(name) : []
}

/** Takes the name and language of a known person, where the row has none. */
export function completeRow<R extends Pick<RecipientRow, 'name' | 'email' | 'locale'>>(
  row: R,
  known: readonly { name: string; email: string; locale?: string | undefined }[],
): R {
  if (cleanLine(row.name) !== '') return row
  const contact = known.find(({ email }) => sameMailbox(email, row.email.trim()))
  return contact ? { ...row, name: contact.name, locale: row.locale || (contact.locale ?? '') } : row
}

export function orderOf({ order }: Pick<RecipientRow, 'order'>): number | undefined {
  const number = /^\s*\d{1,3}\s*$/.test(order) ? Number(order) : 0
  return number >= 1 && number <= MAX_ORDER ? number : undefined
}

/** One after another: by number. The rows keep their places among equal numbers. */
export function sortRows(rows: readonly RecipientRow[], signingOrder: SigningOrder): RecipientRow[] {
  if (signingOrder === 'parallel') return [...rows]
  return rows.toSorted((a, b) => (orderOf(a) ?? MAX_ORDER + 1) - (orderOf(b) ?? MAX_ORDER + 1))
}

/** Exchanges a row with its neighbour. The numbers stay at their places. */
export function moveRow(rows: readonly RecipientRow[], id: string, by: 1 | -1): RecipientRow[] {
  const from = rows.findIndex(row => row.id === id)
  const [row, other] = [rows[from], rows[from + by]]
  if (!row || !other) return [...rows]
  const next = [...rows]
  next[from] = { ...other, order: row.order }
  next[from + by] = { ...row, order: other.order }
  return next
}

/** `isPartial`: an address that is not complete yet is left out, so that the rest can be saved. */
export function recipientEdits(rows: readonly RecipientRow[], { isPartial = false } = {}): RecipientEdit[] {
  return rows.map((row, i) => {
    const email = row.email.trim()
    const code = row.accessCode.trim()
    const deliverBy = DELIVERIES.find(known => known === row.deliverBy)
    return {
      id: row.id,
      name: cleanLine(row.name),
      ...(isPartial && email !== '' && emailError(email) ? {} : { email }),
      role: roleOfRow(row),
      order: orderOf(row) ?? i + 1,
      locale: row.locale === '' ? null : row.locale,
      verify: VERIFICATIONS.find(known => known === row.verify) ?? null,
      ...(deliverBy === undefined ? {} : { deliverBy }),
      ...(code === '' ? {} : { accessCode: row.accessCode }),
      ...(row.removesCode && code === '' ? { accessCode: null } : {}),
    }
  })
}
