/** What time does to documents: reminders and expiry, and the sweep of files nobody refers to. Each catches up once after downtime. */
import * as core from '../core/document.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'
import { change } from './record.ts'

const AT_ONCE = 200
const ORPHAN_AGE_MS = 24 * 3_600_000

/** Answers how many documents were looked at. */
export async function expireDue(app: App): Promise<number> {
  return forEach(app, await queries.dueForExpiry(app.db, app.now(), AT_ONCE), core.expire)
}

/** Answers how many documents were looked at. */
export async function remindAllDue(app: App): Promise<number> {
  return forEach(app, await queries.dueForReminder(app.db, app.now(), AT_ONCE), core.remindDue)
}

/** One document that fails keeps none behind it waiting. */
async function forEach(app: App, ids: string[], command: (document: core.Document, now: Date) => core.Step): Promise<number> {
  for (const id of ids) {
    await change(app, SYSTEM, id, command).catch(error => {
      app.log('error', 'scheduled change failed', {
        documentId: id,
        error: error instanceof Error ? error.message : String(error),
      })
    })
  }
  return ids.length
}

export function sweepFiles(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  return app.storage.sweep(sha256 => queries.fileIsReferred(app.db, sha256), app.now().getTime(), olderThanMs)
}
