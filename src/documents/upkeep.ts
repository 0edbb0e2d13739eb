/** What time does to documents: reminders and expiry, and the sweep of files nobody refers to. Each catches up once after downtime. */
import * as core from '../core/document.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'
import { change } from './record.ts'

const AT_ONCE = 200
const ORPHAN_AGE_MS = 24 * 3_600_000

/** Answers how many expired. */
export async function expireDue(app: App): Promise<number> {
  const due = await queries.dueForExpiry(app.db, app.now(), AT_ONCE)
  for (const id of due) await change(app, SYSTEM, id, core.expire)
  return due.length
}

/** Answers how many documents were looked at. */
export async function remindAllDue(app: App): Promise<number> {
  const due = await queries.dueForReminder(app.db, app.now(), AT_ONCE)
  for (const id of due) await change(app, SYSTEM, id, core.remindDue)
  return due.length
}

export function sweepFiles(app: App, olderThanMs = ORPHAN_AGE_MS): Promise<number> {
  return app.storage.sweep(sha256 => queries.fileIsReferred(app.db, sha256), app.now().getTime(), olderThanMs)
}
