/** Corrects a recipient: in a draft by an edit, later with a new link and invitation. */
import { correctContact } from '../accounts/contacts.ts'
import * as core from '../core/correct-recipient.ts'
import { type Recipient, recipientOf } from '../core/document.ts'
import type { Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import { requireVersion, versionOf } from './draft-version.ts'
import { type EditOptions, editInTransaction } from './edit-draft.ts'
import { dropFormValues, dropMarkContentsExcept } from './form-queries.ts'
import { load, record } from './record.ts'

export interface CorrectedRecipient {
  recipient: Recipient
  version: number
  /** False if name and address were these already: nothing is sent. */
  isChanged: boolean
}

export async function correctRecipient(
  app: App,
  id: string,
  recipientId: string,
  to: core.Correction,
  { ifMatch, origin }: EditOptions,
): Promise<CorrectedRecipient> {
  return app.write(async tx => {
    const before = await load(tx, origin.actor, id)
    const recipient = recipientOf(before, recipientId)
    if (before.status === 'draft') {
      const recipients = before.recipients.map(r => (r === recipient ? { ...to, id: r.id } : { id: r.id }))
      const { document, version } = await editInTransaction(tx, app, before, { recipients }, { ifMatch, origin })
      return { recipient: recipientOf(document, recipientId), version, isChanged: document !== before }
    }
    await requireVersion(tx, origin.actor, id, ifMatch)
    const now = app.now()
    const transition = core.correctRecipient(before, recipientId, to, { unprintable: app.unprintable, now })
    const after = recipientOf(await record(tx, app, before, transition, origin), recipientId)
    if (origin.actor.label.startsWith('user:')) await correctContact(tx, app, origin.actor, recipient, after)
    if (core.isOtherMailbox(recipient, after)) await dropEntries(tx, recipientId)
    return { recipient: after, version: await versionOf(tx, id), isChanged: transition.events.length > 0 }
  })
}

/** What was entered in the form may be another person's. */
async function dropEntries(tx: Tx, recipientId: string): Promise<void> {
  await dropMarkContentsExcept(tx, recipientId, [])
  await dropFormValues(tx, recipientId)
}
