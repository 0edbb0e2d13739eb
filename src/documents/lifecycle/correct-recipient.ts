/** Corrects a recipient: in a draft by an edit, later with a new link and invitation. */
import { correctContact } from '../../accounts/contacts.ts'
import type { AuditEvent } from '../../audit/log.ts'
import * as core from '../../core/document/correct-recipient.ts'
import { isOtherMailbox } from '../../core/document/correct-recipient.ts'
import { type Recipient, recipientOf } from '../../core/document/document.ts'
import type { Json } from '../../core/document/event.ts'
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

// Finds the person behind a recipient at the time of an event.

/** Of one document or of several. */
type Entry = Pick<AuditEvent, 'sequence' | 'recipientId' | 'personal'> & { type: string }

const isRenamed = ({ type, recipientId }: Entry, { id }: Pick<Recipient, 'id'>) =>
  (type === 'recipient.delegated' || type === 'recipient.corrected') && recipientId === id

/** Whether the event gave the recipient's place to the owner of another mailbox. */
export function isReplacement(event: AuditEvent, recipient: Recipient): boolean {
  if (!isRenamed(event, recipient)) return false
  const [from, to] = [personOf(event.personal?.from), personOf(event.personal?.to)]
  return event.type === 'recipient.delegated' || !from || !to || isOtherMailbox(from, to)
}

/** The recipient's name at the time of the event: the next change names the person before. */
export function recipientNameAt(
  recipient: Pick<Recipient, 'id' | 'name'>,
  events: readonly Entry[],
  { sequence }: Pick<Entry, 'sequence'>,
): string {
  const next = events.find(event => event.sequence >= sequence && isRenamed(event, recipient))
  return personOf(next?.personal?.from)?.name ?? recipient.name
}

/** The person delegated to, or the corrected one, as `Name <address>`. */
export function delegateOf({ personal }: AuditEvent): string | undefined {
  const person = personOf(personal?.to)
  return person && `${person.name} <${person.email}>`
}

/** The person before and after a delegation or correction. */
export function renaming({ personal }: AuditEvent): { from: Person; to: Person } | undefined {
  const [from, to] = [personOf(personal?.from), personOf(personal?.to)]
  return from && to && { from, to }
}

interface Person {
  name: string
  email: string
}

function personOf(value: Json | undefined): Person | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, email } = value
  return typeof name === 'string' && typeof email === 'string' ? { name, email } : undefined
}
