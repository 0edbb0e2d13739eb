/** Signing by people who are signed in to the web app, without the link of a mail. Pure. */
import { type Document, isPastExpiry, type Recipient, type Transition, view } from '../document/document.ts'
import { Refusal } from '../refusal.ts'
import { sameMailbox, samePerson } from '../text.ts'
import { violation } from '../violation.ts'
import { mustAct, recipientsToAct } from './routing.ts'

/** An account of the web app. */
export interface AccountHolder {
  id: string
  name: string
  email: string
}

/** Whether the recipient is this person. Of two who share an address, the name decides. */
export function isAccountHolder({ recipients }: Document, recipient: Recipient, person: AccountHolder): boolean {
  if (!sameMailbox(recipient.email, person.email)) return false
  const isShared = recipients.some(r => r !== recipient && mustAct(r) && sameMailbox(r.email, person.email))
  return !isShared || samePerson(recipient, person)
}

/** The recipient as whom this person has to act now. */
export function ownTurn(document: Document, person: AccountHolder, now: Date): Recipient | undefined {
  if (isPastExpiry(document, now)) return undefined
  return recipientsToAct(document).find(r => isAccountHolder(document, r, person))
}

/** `isNoted`: the log has it already. Throws `invalid_state` if it is not the person's turn. */
export function openFromApp(
  document: Document,
  recipientId: string,
  { person, isNoted }: { person: AccountHolder; isNoted: boolean },
  now: Date,
): Transition {
  if (ownTurn(document, person, now)?.id !== recipientId) throw notWaiting()
  const data = { userId: person.id }
  const viewed = view(document, recipientId, now)
  return {
    document: viewed.document,
    events: [
      ...(isNoted ? [] : [{ type: 'recipient.opened_from_app' as const, recipientId, data }]),
      ...viewed.events.map(event => ({ ...event, data })),
    ],
  }
}

/** The same for a document that there is not, or that waits for others. */
export function notWaiting(): Refusal {
  return new Refusal('invalid_state', violation('not_waiting_for_you'))
}
