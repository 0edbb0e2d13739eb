/**
 * What time does to documents: reminders and expiry, and the sweep of files nobody refers to. Each
 * catches up once after downtime.
 */

import * as core from '../core/document.ts'
import { referencedFiles } from '../files/queries.ts'
import { errorMessage } from '../lib/error-message.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { type App, SYSTEM } from '../ports.ts'
import { closedRecipientsOf, dropClosedFormValues, recipientsWithFormValues } from './form-queries.ts'
import * as queries from './queries.ts'
import { change } from './record.ts'

const AT_ONCE = 200
/** Each is looked up in two tables. */
const DRAFTS_AT_ONCE = 50
const ORPHAN_AGE_MS = 24 * 3_600_000

/** Answers how many documents were looked at. */
export function expireDue(app: App): Promise<number> {
  return forEach(app, queries.dueForExpiry, core.expire)
}

/** Answers how many documents were looked at. */
export function remindAllDue(app: App): Promise<number> {
  return forEach(app, queries.dueForReminder, core.remindDue)
}

type Due = typeof queries.dueForExpiry
type Command = (document: core.Document, now: Date) => core.Transition

/** All that are due, a helping at a time. One document that fails keeps none behind it waiting. */
async function forEach(app: App, due: Due, command: Command): Promise<number> {
  let count = 0
  let found: queries.DueDocument[] = []
  do {
    found = await due(app.db, app.now(), found.at(-1) ?? { at: '', id: '' }, AT_ONCE)
    const ids = new Set(found.map(each => each.documentId))
    for (const id of ids) {
      await change(app, SYSTEM, id, command).catch(error => {
        app.log('error', 'scheduled change failed', {
          documentId: id,
          error: errorMessage(error),
        })
      })
      await yieldToEventLoop()
    }
    count += ids.size
  } while (found.length === AT_ONCE)
  return count
}

/** Drops what was entered in documents that nobody can finish any more. */
export async function sweepFormValues(app: App): Promise<void> {
  let recipientIds: string[] = []
  do {
    recipientIds = await recipientsWithFormValues(app.db, recipientIds.at(-1) ?? '', DRAFTS_AT_ONCE)
    const ended = recipientIds.length === 0 ? [] : await closedRecipientsOf(app.db, recipientIds)
    if (ended.length > 0) await app.write(tx => dropClosedFormValues(tx, ended), { wake: false })
    await yieldToEventLoop()
  } while (recipientIds.length === DRAFTS_AT_ONCE)
}

export function sweepFiles(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  return app.storage.sweep(sha256s => referencedFiles(app.db, sha256s), app.now().getTime(), olderThanMs)
}
