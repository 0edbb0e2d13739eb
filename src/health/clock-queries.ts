/** Rows about the time: when the clock was last believed, and the pause while it is doubted. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { dropSetting, readSetting, saveSetting } from '../settings/queries.ts'

/** Written every few minutes while the clock is believed. */
const BELIEVED = 'clock.believed'
const DOUBT = 'clock.doubt'

/** Why the clock is doubted. It is shared by all nodes, and survives a restart. */
export interface ClockDoubt {
  direction: 'ahead' | 'behind'
  /** What the data knew. */
  known: Date
  /** What the clock showed. */
  shown: Date
}

export async function believedAt(db: Db | Tx): Promise<Date | undefined> {
  const value = await readSetting(db, BELIEVED)
  return value === undefined ? undefined : new Date(value)
}

export const saveBelieved = (tx: Tx, at: Date): Promise<void> => saveSetting(tx, BELIEVED, at.toISOString())

export async function clockDoubt(db: Db | Tx): Promise<ClockDoubt | undefined> {
  const value = await readSetting(db, DOUBT)
  if (value === undefined) return undefined
  const { direction, known, shown } = JSON.parse(value) as Record<'known' | 'shown', string> & Pick<ClockDoubt, 'direction'>
  return { direction, known: new Date(known), shown: new Date(shown) }
}

export const saveDoubt = (tx: Tx, doubt: ClockDoubt): Promise<void> => saveSetting(tx, DOUBT, JSON.stringify(doubt))
export const dropDoubt = (tx: Tx): Promise<void> => dropSetting(tx, DOUBT)

/**
 * The newest time in the data of a release that did not write when it believed the clock: of the
 * audit log, of backups, and of nodes that served before this one.
 */
export async function newestTime(db: Db | Tx, ownBoot: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`SELECT at FROM events WHERE sequence = (SELECT max(sequence) FROM events)
    UNION ALL SELECT max(started_at) FROM backup_runs
    UNION ALL SELECT max(seen_at) FROM nodes WHERE boot <> ${ownBoot}`.execute(db)
  const newest = rows
    .flatMap(({ at }) => at ?? [])
    .sort()
    .at(-1)
  return newest === undefined ? undefined : new Date(newest)
}

/** Jobs that the wrong clock has put off: they are tried now. The index of free jobs finds them. */
export async function retryPutOff(tx: Tx, beyond: Date, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now.toISOString() })
    .where('state', '=', sql.lit('open' as const))
    .where('lease_boot', 'is', null)
    .where('due_at', '>', beyond.toISOString())
    .execute()
}
