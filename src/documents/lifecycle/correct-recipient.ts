/** Corrects a recipient: in a draft by an edit, later with a new link and invitation. */
import { correctContact } from '../../accounts/contacts.ts'
import * as core from '../../core/document/correct-recipient.ts'
import { type Recipient, recipientOf } from '../../core/document/document.ts'
import { changeTime } from '../../db/change-time.ts'
import type { Tx } from '../../db/open.ts'
import type { FileRemoval } from '../../files/claims.ts'
import type { App } from '../../ports.ts'
import { requireVersion, versionOf } from '../draft/draft-version.ts'
import { type EditOptions, editInTransaction } from '../draft/edit-draft.ts'
import { load, record } from '../record.ts'
import { dropFiles, finishLater } from '../signing/field-files.ts'
import { dropFormValues, dropMarkContentsExcept } from '../signing/form-queries.ts'

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
  let removals: FileRemoval[] = []
  const corrected = await app.write(async tx => {
    removals = []
    const before = await load(tx, origin.actor, id)
    const recipient = recipientOf(before, recipientId)
    if (before.status === 'draft') {
      const recipients = before.recipients.map(r => (r === recipient ? { ...to, id: r.id } : { id: r.id }))
      const { document, version } = await editInTransaction(tx, app, before, { recipients }, { ifMatch, origin })
      return { recipient: recipientOf(document, recipientId), version, isChanged: document !== before }
    }
    await requireVersion(tx, origin.actor, id, ifMatch)
    const now = await changeTime(tx, app)
    const transition = core.correctRecipient(before, recipientId, to, { unprintable: app.unprintable, now })
    const after = recipientOf(await record(tx, app, before, transition, origin), recipientId)
    if (origin.actor.label.startsWith('user:')) await correctContact(tx, app, origin.actor, recipient, after)
    if (core.isOtherMailbox(recipient, after)) removals = await dropEntries(tx, app, recipientId)
    return { recipient: after, version: await versionOf(tx, id), isChanged: transition.events.length > 0 }
  })
  await finishLater(app, removals)
  return corrected
}

/** What was entered in the form may be another person's. */
async function dropEntries(tx: Tx, app: App, recipientId: string): Promise<FileRemoval[]> {
  await dropMarkContentsExcept(tx, recipientId, [])
  await dropFormValues(tx, recipientId)
  return dropFiles(tx, app, recipientId)
}
