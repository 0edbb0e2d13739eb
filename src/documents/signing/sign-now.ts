/** "Sign now": a signed-in person opens what she has to sign. Her mailed link stays as it is. */
import { refuseDisabled } from '../../accounts/people.ts'
import { userById, userNames } from '../../accounts/queries.ts'
import { type AuditEvent, auditEventsOf } from '../../audit/log.ts'
import type { Document, Recipient } from '../../core/document/document.ts'
import { type AccountHolder, isAccountHolder, notWaiting, openFromApp, ownTurn } from '../../core/signing/signing-link.ts'
import type { App, Client } from '../../ports.ts'
import { isReplacement } from '../lifecycle/correct-recipient.ts'
import { findAtVersions, findOfRecipient } from '../queries.ts'
import { waitingForAddress } from './form-queries.ts'
import type { SigningContext } from './link.ts'
import { openWith, type Proof } from './signing.ts'

export interface ToSign {
  document: Document
  recipient: Recipient
  /** The name of who sent it, if an account did. */
  sender: string | undefined
}

/** That many are listed and counted: the newest. */
const MAX_LISTED = 50

/** What waits for this person, also of senders whose documents she cannot see. Newest first. */
export async function documentsToSign(app: App, person: AccountHolder): Promise<ToSign[]> {
  if (!(await app.features.isUsable(app.db, 'signNow'))) return []
  const now = app.now()
  const cached = await findAtVersions(app.db, await waitingForAddress(app.db, person.email, MAX_LISTED))
  const waiting = cached.flatMap(({ document }) => {
    const recipient = ownTurn(document, person, now)
    return recipient ? [{ document, recipient }] : []
  })
  const names = await userNames(app.db, [...new Set(waiting.flatMap(({ document }) => document.ownerId ?? []))])
  return waiting.map(each => ({ ...each, sender: names.get(each.document.ownerId ?? '') }))
}

/** The recipient as whom this person can open the document now. */
export async function ownTurnIn(app: App, document: Document, person: AccountHolder): Promise<Recipient | undefined> {
  const recipient = ownTurn(document, person, app.now())
  return recipient && (await app.features.isUsable(app.db, 'signNow')) ? recipient : undefined
}

/** Throws `upgrade_unfinished`; `invalid_state` for what is not the person's or does not exist. */
export async function resolveOwnTurn(app: App, person: AccountHolder, recipientId: string): Promise<SigningContext> {
  await app.features.require(app.db, 'signNow')
  const document = (await findOfRecipient(app.db, recipientId))?.document
  const recipient = document?.recipients.find(({ id }) => id === recipientId)
  // Who was asked before reads what became of the document.
  if (!document || !recipient || recipient.status === 'created') throw notWaiting()
  if (!isAccountHolder(document, recipient, person)) throw notWaiting()
  return { document, recipient }
}

/**
 * As the link of a mail: with the recipient's codes, and marked as viewed. The log has it once for
 * each person. Throws as `resolveOwnTurn`, and `forbidden` for a disabled account.
 */
export async function signNow(
  app: App,
  { id: userId }: Pick<AccountHolder, 'id'>,
  context: SigningContext,
  proof: Proof,
  client: Client,
): Promise<SigningContext> {
  return openWith(app, context, proof, client, async (document, recipientId, now, tx) => {
    const person = await userById(tx, userId)
    refuseDisabled(person)
    if (!person) throw notWaiting()
    const isNoted = isNotedIn(await auditEventsOf(tx, document.id), context.recipient, userId)
    return openFromApp(document, recipientId, { person, isNoted }, now)
  })
}

/** Since the recipient's place was last given to somebody. */
function isNotedIn(events: readonly AuditEvent[], recipient: Recipient, userId: string): boolean {
  const since = events.findLast(event => isReplacement(event, recipient))?.sequence ?? 0
  return events.some(
    ({ sequence, type, recipientId, data }) =>
      sequence > since && type === 'recipient.opened_from_app' && recipientId === recipient.id && data.userId === userId,
  )
}
