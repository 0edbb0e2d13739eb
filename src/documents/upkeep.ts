/** What time does to documents: reminders and expiry, and the sweep of files nobody refers to. Each catches up once after downtime. */
import * as core from '../core/document.ts'
import { fileIsReferred } from '../files/queries.ts'
import { type App, SYSTEM } from '../ports.ts'
import { dropEndedDrafts } from './mark-queries.ts'
import * as queries from './queries.ts'
import { change } from './record.ts'

const AT_ONCE = 200
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
type Command = (document: core.Document, now: Date) => core.Step

/** All that are due, a helping at a time. One document that fails keeps none behind it waiting. */
async function forEach(app: App, due: Due, command: Command): Promise<number> {
  let count = 0
  let ids: string[] = []
  do {
    ids = await due(app.db, app.now(), ids.at(-1) ?? '', AT_ONCE)
    for (const id of ids) {
      await change(app, SYSTEM, id, command).catch(error => {
        app.log('error', 'scheduled change failed', {
          documentId: id,
          error: error instanceof Error ? error.message : String(error),
        })
      })
    }
    count += ids.length
  } while (ids.length === AT_ONCE)
  return count
}

/** Drops what was entered in documents that nobody can finish any more. */
export async function sweepDrafts(app: App): Promise<void> {
  await app.write(dropEndedDrafts)
}

export function sweepFiles(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  return app.storage.sweep(sha256 => fileIsReferred(app.db, sha256), app.now().getTime(), olderThanMs)
}
