/**
 * Deleted rows leave remains in the files of the database until it is compacted. That it is due is
 * part of the change that deletes, so that an end of the process in between forgets nothing.
 */
import type { Db, Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import { dropSetting, readSetting, saveSetting } from './queries.ts'

/** Counts what has made it due: another number means that something was deleted meanwhile. */
const DUE = 'compaction.due'

const due = (db: Db | Tx) => readSetting(db, DUE)

export async function noteCompactionDue(tx: Tx): Promise<void> {
  await saveSetting(tx, DUE, String(Number((await due(tx)) ?? 0) + 1))
}

/** Overwrites what deleted rows have left, if any were deleted since the last time. */
export async function compactWhenDue(app: Pick<App, 'db' | 'write' | 'compact'>): Promise<void> {
  const before = await due(app.db)
  if (before === undefined) return
  await app.compact()
  await app.write(
    async tx => {
      if ((await due(tx)) === before) await dropSetting(tx, DUE)
    },
    { wake: false },
  )
}
