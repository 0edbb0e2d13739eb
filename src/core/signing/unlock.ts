/** New tries for a recipient who entered too many wrong codes. Pure. */
import {
  changeRecipient,
  type Document,
  isCodeLocked,
  mayOpen,
  type Recipient,
  recipientOf,
  type Transition,
} from '../document/document.ts'
import { Refusal } from '../refusal.ts'
import { violation } from '../violation.ts'

/** Also after the end, for those who may open the document by their link. */
export function mayUnlock(document: Document, recipient: Recipient): boolean {
  return isCodeLocked(recipient) && mayOpen(document, recipient)
}

/** Of an access code, or of one-time codes. Nothing is mailed: the link stays. */
export function unlockRecipient(document: Document, recipientId: string): Transition {
  const recipient = recipientOf(document, recipientId)
  if (!isCodeLocked(recipient)) throw new Refusal('invalid_state', violation('not_locked'))
  if (!mayOpen(document, recipient))
    throw new Refusal('invalid_state', violation('locked_out_anyway', { status: document.status }))
  return {
    document: changeRecipient(document, recipientId, { accessCodeAttempts: 0, accessCodeWaitUntil: undefined }),
    events: [{ type: 'recipient.access_code_unlocked', recipientId }],
  }
}
