/** Scheduled work on documents: expiry, reminders and sweeps. */
import * as core from '../../core/document/document.ts'
import { isQuiet } from '../../core/quiet-hours.ts'
import type { Tx } from '../../db/open.ts'
import { type FileRemoval, finishRemovals, sweepUnreferenced } from '../../files/claims.ts'
import { referencedFiles } from '../../files/queries.ts'
import { DAY_MS } from '../../lib/duration.ts'
import { errorMessage } from '../../lib/log.ts'
import { type App, SYSTEM } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { sendingPause } from '../../settings/sending-pause.ts'
import * as queries from '../queries.ts'
import { type Command, change } from '../record.ts'
import { dropFiles } from '../signing/field-files.ts'
import {
  type ClosedRecipient,
  closedRecipientsOf,
  dropFormValues,
  dropMarkContentsExcept,
  recipientsWithFormValues,
} from '../signing/form-queries.ts'

const ROWS_AT_ONCE = 200
const RECIPIENTS_AT_ONCE = 50
const ORPHAN_AGE_MS = DAY_MS

export function expireDue(app: App): Promise<number> {
  return changeAllDue(app, queries.dueForExpiry, core.expire)
}

/** In quiet hours they wait until those end: what is due stays due. */
export async function remindAllDue(app: App): Promise<number> {
  const { quietHours, timeZone } = await readOrganisation(app.db)
  const isQuietAt = (now: Date) => quietHours !== undefined && isQuiet(quietHours, now, timeZone)
  if (isQuietAt(app.now())) return 0
  // A long run may reach them.
  const command: Command = (document, now) => (isQuietAt(now) ? { document, events: [] } : core.remindDue(document, now))
  return changeAllDue(app, queries.dueForReminder, command)
}

/**
 * A document that fails does not stop the others. Nothing happens while sending is paused. Returns
 * the number of documents tried.
 */
async function changeAllDue(app: App, findDue: typeof queries.dueForExpiry, command: Command): Promise<number> {
  if (await sendingPause(app.db)) return 0
  let count = 0
  let found: queries.DueDocument[] = []
  do {
    found = await findDue(app.db, app.now(), found.at(-1) ?? { at: '', id: '' }, ROWS_AT_ONCE)
    const ids = new Set(found.map(each => each.documentId))
    for (const id of ids) {
      await change(app, SYSTEM, id, command).catch(error => {
        app.log('error', 'scheduled change failed', { documentId: id, error: errorMessage(error) })
      })
      await app.timers.yield()
    }
    count += ids.size
  } while (found.length === ROWS_AT_ONCE)
  return count
}

/** Deletes form values of documents that can no longer be signed. */
export async function sweepFormValues(app: App): Promise<void> {
  let recipientIds: string[] = []
  do {
    recipientIds = await recipientsWithFormValues(app.db, recipientIds.at(-1) ?? '', RECIPIENTS_AT_ONCE)
    const closed = recipientIds.length === 0 ? [] : await closedRecipientsOf(app.db, recipientIds)
    if (closed.length > 0) await finishRemovals(app, await app.write(tx => dropEntries(tx, app, closed), { wake: false }))
    await app.timers.yield()
  } while (recipientIds.length === RECIPIENTS_AT_ONCE)
}

/** Also the pictures and files of recipients who have not signed. */
async function dropEntries(tx: Tx, app: App, closed: readonly ClosedRecipient[]): Promise<FileRemoval[]> {
  const removals: FileRemoval[] = []
  for (const { id, signed_at } of closed) {
    await dropFormValues(tx, id)
    if (signed_at !== null) continue
    await dropMarkContentsExcept(tx, id, [])
    removals.push(...(await dropFiles(tx, app, id)))
  }
  return removals
}

/** Stored files without a row. One node at a time does it. */
export function sweepFiles(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  return sweepUnreferenced(app, olderThanMs)
}

/** What this node has on its own disk: old temporary files, and copies of files that are gone. */
export function sweepDisk(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  const olderThan = new Date(app.now().getTime() - olderThanMs)
  return app.storage.sweepDisk(sha256s => referencedFiles(app.db, sha256s), olderThan)
}
