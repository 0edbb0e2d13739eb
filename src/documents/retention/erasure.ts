/** Erases documents with all that is personal: on request, or when their retention is over. */
import { dropUnusedContacts } from '../../accounts/contact-queries.ts'
import { appendEvents, type RecordedEvent } from '../../audit/log.ts'
import { erasePersonal, eraseSearches } from '../../audit/queries.ts'
import * as core from '../../core/document/document.ts'
import type { Tx } from '../../db/open.ts'
import { changeTogether } from '../../db/together.ts'
import { type FileRemoval, finishRemovals, removeIfUnused } from '../../files/claims.ts'
import { forgetResponses } from '../../outbox/idempotency-queries.ts'
import { eraseMailFiles } from '../../outbox/outbox.ts'
import { dropDocumentJobs, dropDocumentMails, jobInsertions, type Mail } from '../../outbox/queries.ts'
import type { App, Origin } from '../../ports.ts'
import { noteCompactionDue } from '../../settings/compaction.ts'
import { deliveryInsertions, eraseDeliveries } from '../../webhooks/delivery-queries.ts'
import { deliveriesOf } from '../../webhooks/publish.ts'
import { subscribedWebhooks } from '../../webhooks/queries.ts'
import { requireVersion } from '../draft/draft-version.ts'
import { publishedEvents } from '../published.ts'
import * as queries from '../queries.ts'
import { load } from '../record.ts'
import { filesOfDocument } from '../signing/form-queries.ts'

/** What is left to do after the commit. Until then the schedule would do it. */
export interface Erased {
  removals: FileRemoval[]
  mails: Mail[]
}

/** Deletes files and mails too. The audit entries remain, without personal data. */
export async function deleteDocument(app: App, id: string, origin: Origin, ifMatch?: number): Promise<void> {
  const erased = await app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    await requireVersion(tx, origin.actor, id, ifMatch)
    return eraseIn(tx, app, document, origin, 'request')
  })
  await finishErasure(app, [erased])
}

/**
 * `tellAt`: when the deliveries are due; by default now.
 * @throws Refusal `invalid_state` if it is under legal hold or has not ended
 */
export async function eraseIn(
  tx: Tx,
  app: App,
  document: core.Document,
  origin: Origin,
  reason: core.ErasureReason,
  tellAt = app.now(),
): Promise<Erased> {
  const { id, ownerId, recipients } = document
  const events = core.erase(document, reason)
  const added = await filesOfDocument(tx, id)
  await dropDocumentJobs(tx, id)
  const mails = await dropDocumentMails(tx, id)
  await eraseDeliveries(tx, id)
  await forgetResponses(tx, id)
  await queries.remove(tx, id)
  await erasePersonal(tx, id)
  // Roles of a template have none.
  const emails = recipients.flatMap(({ email }) => email || [])
  await eraseSearches(tx, emails)
  // Who deletes one document keeps the address book.
  if (reason === 'retention' && ownerId !== undefined) await dropUnusedContacts(tx, ownerId, emails)
  await publish(tx, app, document, await appendEvents(tx, app, document, events, origin), tellAt)
  await app.changes.note(tx, { documentId: id, ownerId, version: undefined })
  await noteCompactionDue(tx)
  const own = [document.sha256Original, document.sha256Sealed].filter(h => h !== undefined)
  const hashes = new Set([...own, ...added.map(({ file }) => file.sha256)])
  const removals: FileRemoval[] = []
  for (const sha256 of hashes) removals.push(...(await removeIfUnused(app, tx, sha256)))
  return { removals, mails }
}

/** The only deliveries that are left: those of other events had personal data. */
async function publish(tx: Tx, app: App, document: core.Document, recorded: RecordedEvent[], dueAt: Date): Promise<void> {
  const published = publishedEvents(document, recorded)
  if (published.length === 0) return
  const subscriptions = await subscribedWebhooks(tx, document.ownerId).execute()
  const { deliveries, jobs } = deliveriesOf(app, published, subscriptions, dueAt)
  const now = app.now()
  await changeTogether(tx, [...deliveryInsertions(tx, deliveries, now), ...jobInsertions(tx, jobs, now)])
}

export async function finishErasure(app: App, erased: readonly Erased[]): Promise<void> {
  await eraseMailFiles(
    app,
    erased.flatMap(({ mails }) => mails),
  )
  await finishRemovals(
    app,
    erased.flatMap(({ removals }) => removals),
  )
}
