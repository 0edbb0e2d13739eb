/** Legal hold: a document is kept, whatever its sender or the retention rules say. Pure. */
import { errorsIn, Refusal, refuseIfInvalid } from '../refusal.ts'
import { cleanText } from '../text.ts'
import { violation } from '../violation.ts'
import type { Document, Transition } from './document.ts'

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
