/** Rows of people as typed: pasted addresses split, and the edit of the draft they mean. Pure. */
import { MIN_ACCESS_CODE_LENGTH } from '../document/document-limits.ts'
import { deviceKeyRuleIn } from '../signing/device-key.ts'
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
  /** One of DEVICE_KEY_RULES; empty: as the document says. */
  deviceKey: string
}

export const DEFAULT_ROLE: Role = ROLES[0]
export const MAX_ORDER = 100

function roleOfRow({ role }: Pick<RecipientRow, 'role'>): Role {
  return ROLES.find(known => known === role) ?? DEFAULT_ROLE
}

export function blankRow(id: string, order: number): RecipientRow {
  const texts = { name: '', email: '', locale: '', accessCode: '', verify: '', deviceKey: '' }
  return { id, ...texts, role: DEFAULT_ROLE, order: String(order), removesCode: false, deliverBy: DELIVERIES[0] }
}

export function isBlank({ name, email, accessCode }: RecipientRow): boolean {
  return cleanLine(name) === '' && email.trim() === '' && accessCode.trim() === ''
}

/** Of a row that is added. */
export const nextOrder = (rows: readonly RecipientRow[]) => Math.max(0, ...rows.map(row => orderOf(row) ?? 0)) + 1

/** A row whose name or address is a list becomes a row for each person of it. */
export function splitRows(rows: readonly RecipientRow[], newId: () => string): RecipientRow[] {
  let order = nextOrder(rows)
  return rows.flatMap(row => {
    const people = peopleIn(row)
    const [first, ...others] = people
    if (!first) return [row]
    const kept = { ...row, name: first.name || (row.name.includes('@') ? '' : row.name), email: first.email }
    return [kept, ...others.map(person => ({ ...blankRow(newId(), order++), ...person, role: row.role }))]
  })
}

/** Empty unless an entry holds more than its value. A mailbox as name replaces the address. */
function peopleIn({ name, email }: RecipientRow): Mailbox[] {
  const text = email.trim()
  if (text !== '' && emailError(text)) return parseMailboxes(text)
  return name.includes('<') || (name.includes('@') && text === '') ? parseMailboxes(name) : []
}

/** Takes the name and language of a known person, where the row has none. */
export function completeRow<R extends Pick<RecipientRow, 'name' | 'email' | 'locale'>>(
  row: R,
  known: readonly { name: string; email: string; locale?: string | undefined }[],
): R {
  const contact = known.find(({ email }) => sameMailbox(email, row.email.trim()))
  if (!contact) return row
  return { ...row, name: cleanLine(row.name) || contact.name, locale: row.locale || (contact.locale ?? '') }
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

/** Moves a row to another place, from 0. The numbers stay at their places. */
export function placeRow(rows: readonly RecipientRow[], id: string, place: number): RecipientRow[] {
  const row = rows.find(each => each.id === id)
  if (!row || !(place in rows)) return [...rows]
  const others = rows.filter(each => each !== row)
  return others.toSpliced(place, 0, row).map((each, i) => ({ ...each, order: rows[i]?.order ?? each.order }))
}

export function isShortCode({ accessCode }: Pick<RecipientRow, 'accessCode'>): boolean {
  const { length } = accessCode.trim()
  return length > 0 && length < MIN_ACCESS_CODE_LENGTH
}

export const isWrongEmail = ({ email }: Pick<RecipientRow, 'email'>) =>
  email.trim() !== '' && emailError(email.trim()) !== undefined

function codeEdit(row: RecipientRow): Pick<RecipientEdit, 'accessCode'> {
  if (row.accessCode.trim() === '') return row.removesCode ? { accessCode: null } : {}
  return isShortCode(row) ? {} : { accessCode: row.accessCode }
}

/** What is wrong or not complete yet is left out, so that the rest can be saved. */
export function recipientEdits(rows: readonly RecipientRow[]): RecipientEdit[] {
  return rows.map(row => {
    const order = orderOf(row)
    const deliverBy = DELIVERIES.find(known => known === row.deliverBy)
    return {
      id: row.id,
      name: cleanLine(row.name),
      ...(isWrongEmail(row) ? {} : { email: row.email.trim() }),
      role: roleOfRow(row),
      ...(order === undefined ? {} : { order }),
      locale: row.locale === '' ? null : row.locale,
      verify: VERIFICATIONS.find(known => known === row.verify) ?? null,
      ...(deliverBy === undefined ? {} : { deliverBy }),
      deviceKey: deviceKeyRuleIn(row.deviceKey) ?? null,
      ...codeEdit(row),
    }
  })
}
