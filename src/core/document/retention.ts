/** How long documents are kept after their end, by status, and the legal hold. Pure. */
import { errorsIn, Refusal, refuseIfInvalid } from '../refusal.ts'
import { cleanText } from '../text.ts'
import { violation } from '../violation.ts'
import type { Document, DocumentStatus, Transition } from './document.ts'

/** Drafts count from their last change. */
export const RETAINED_STATUSES = ['completed', 'declined', 'voided', 'expired', 'draft'] as const
export type RetainedStatus = (typeof RETAINED_STATUSES)[number]

/** Months by status. Without a number, documents are kept until somebody deletes them. */
export type RetentionPeriods = Partial<Record<RetainedStatus, number>>

export const MAX_RETENTION_MONTHS = 600

const isRetained = (status: DocumentStatus): status is RetainedStatus => (RETAINED_STATUSES as readonly string[]).includes(status)

/** The same day of the month, or its last one, at the same time, UTC. */
export function monthsBefore(moment: Date, months: number): Date {
  const first = new Date(moment)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(moment.getUTCDate(), lastDay))
  return first
}

type Times = Pick<Document, 'status' | 'endedAt' | 'completedAt' | 'updatedAt' | 'heldAt'>

/** From when the period counts. `updatedAt` is never before the end. */
const retainedFrom = ({ endedAt, completedAt, updatedAt }: Omit<Times, 'status' | 'heldAt'>): Date =>
  endedAt ?? completedAt ?? updatedAt

export function isRetentionOver(document: Times, periods: RetentionPeriods, now: Date): boolean {
  const { status, heldAt } = document
  const months = isRetained(status) ? periods[status] : undefined
  return heldAt === undefined && months !== undefined && retainedFrom(document) <= monthsBefore(now, months)
}

/** Whether more is erased than before. */
export function isShorter(wanted: RetentionPeriods, before: RetentionPeriods): boolean {
  return RETAINED_STATUSES.some(status => (wanted[status] ?? Infinity) < (before[status] ?? Infinity))
}

/** The longer period of each status. */
export function longerOf(one: RetentionPeriods, other: RetentionPeriods): RetentionPeriods {
  const longer = RETAINED_STATUSES.flatMap((status): [RetainedStatus, number][] => {
    const months = Math.max(one[status] ?? Infinity, other[status] ?? Infinity)
    return months === Infinity ? [] : [[status, months]]
  })
  return Object.fromEntries(longer)
}

// Legal hold: a document is kept, whatever its sender or the retention rules say.

export const MAX_HOLD_REASON = 1000

function cleanReason(reason: string): string {
  const text = cleanText(reason)
  if (text === '') refuseIfInvalid(errorsIn([['reason', violation('reason_missing')]]))
  if ([...text].length > MAX_HOLD_REASON) refuseIfInvalid(errorsIn([['reason', violation('too_long', { max: MAX_HOLD_REASON })]]))
  return text
}

export function setLegalHold(document: Document, reason: string, now: Date): Transition {
  const holdReason = cleanReason(reason)
  if (document.heldAt) throw new Refusal('invalid_state', violation('document_held_already'))
  return {
    document: { ...document, heldAt: now, holdReason },
    events: [{ type: 'document.legal_hold_set', personal: { reason: holdReason } }],
  }
}

export function liftLegalHold(document: Document, reason: string): Transition {
  const text = cleanReason(reason)
  if (!document.heldAt) throw new Refusal('invalid_state', violation('document_not_held'))
  return {
    document: { ...document, heldAt: undefined, holdReason: undefined },
    events: [{ type: 'document.legal_hold_lifted', personal: { reason: text } }],
  }
}
