/**
 * The time of a change, taken inside its transaction. It is never before what readers have been
 * shown, unless that was shown by a clock that was wrong by more than an hour.
 */
import { type Kysely, sql } from 'kysely'
import { HOUR_MS } from '../lib/duration.ts'
import type { Db, Tx } from './open.ts'
import type { Schema } from './schema.ts'

/** What is shown further ahead of the clock is not waited for: it was written by a wrong clock. */
export const MAX_AHEAD_MS = HOUR_MS

/** Row of `settings`. Times in it were shown by a clock that was set back since. */
const CORRECTED = 'clock.corrected'

interface Corrected {
  /** The newest time that was shown before, and is still believed. */
  from: string
  /** The newest time that the wrong clock has shown. */
  until: string
}

interface Shown {
  /** `updated_at` of the document or template that changed last. */
  changed: string | null
  /** Of the newest entry of the audit log. */
  noted: string | null
}

// Keyed by transaction: all its changes have one time, and it is forgotten with it.
const times = new WeakMap<Tx, Promise<Date>>()

/**
 * The time of all changes of this transaction: the later of the clock and what the database has
 * shown. Transactions run one after another, so times grow in the order of commits, on every node.
 */
export function changeTime(tx: Tx, { now }: { now(): Date }): Promise<Date> {
  const known = times.get(tx)
  if (known) return known
  const taken = take(tx, now())
  times.set(tx, taken)
  return taken
}

async function take(tx: Tx, clock: Date): Promise<Date> {
  const limit = limitOf(clock)
  const { changed, noted } = await shownUntil(tx, limit)
  if (noted !== null && noted > limit) await noteCorrected(tx, { from: changed ?? '', until: noted }, limit)
  const known = noted !== null && noted <= limit ? noted : ''
  return new Date(Math.max(clock.getTime(), ...[changed ?? '', known].filter(text => text !== '').map(Date.parse)))
}

const limitOf = (clock: Date) => new Date(clock.getTime() + MAX_AHEAD_MS).toISOString()

async function shownUntil(db: Kysely<Schema>, limit: string): Promise<Shown> {
  const { rows } = await sql<Shown>`SELECT
    (SELECT updated_at FROM documents WHERE updated_at <= ${limit} ORDER BY updated_at DESC LIMIT 1) AS changed,
    (SELECT at FROM events WHERE sequence = (SELECT max(sequence) FROM events)) AS noted`.execute(db)
  return rows[0] ?? { changed: null, noted: null }
}

/** At the first change after the clock was set back: what came before is the newest to believe. */
async function noteCorrected(tx: Tx, { from, until }: Corrected, limit: string): Promise<void> {
  const before = await readCorrected(tx)
  const isOpen = before !== undefined && before.until > limit
  const value = JSON.stringify({
    from: isOpen && before.from < from ? before.from : from,
    until: isOpen && before.until > until ? before.until : until,
  } satisfies Corrected)
  await tx
    .insertInto('settings')
    .values({ name: CORRECTED, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

async function readCorrected(db: Db | Tx): Promise<Corrected | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', CORRECTED).executeTakeFirst()
  return row && (JSON.parse(row.value) as Corrected)
}

/**
 * The time after which whoever has seen all changes until `after` finds all later ones: `after`
 * itself, unless a clock that was wrong has shown it.
 */
export async function believedTime(db: Db, after: Date, clock: Date): Promise<Date> {
  if (after.toISOString() <= limitOf(clock)) return after
  const corrected = await readCorrected(db)
  if (corrected === undefined || after.toISOString() > corrected.until) return after
  return corrected.from === '' ? new Date(0) : new Date(corrected.from)
}

/**
 * A time that no later change of these documents lies at or before. Read it before the documents.
 * Changes of one millisecond may be committed one after another, so the newest one comes again.
 */
export async function completeUntil(db: Db, owner: string | undefined, clock: Date): Promise<Date> {
  const own = owner === undefined ? '' : 'owner_id = ? AND '
  const read = `SELECT updated_at FROM documents WHERE ${own}updated_at <= ? ORDER BY updated_at DESC LIMIT 1`
  const newest = (await db.reads.value(read, [...(owner === undefined ? [] : [owner]), limitOf(clock)])) as string | undefined
  return new Date(newest ? Date.parse(newest) - 1 : 0)
}
