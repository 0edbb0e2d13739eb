/** Rows of the checks that run in the background. */
import type { Db, Tx } from '../db/open.ts'
import type { LongCheck } from '../ports.ts'

export interface CheckRun {
  boot: string
  startedAt: Date
  finishedAt: Date | undefined
  done: number
  total: number
  /** Undefined until it has finished. */
  result: unknown
}

export async function checkRun(db: Db | Tx, name: LongCheck): Promise<CheckRun | undefined> {
  const row = await db.selectFrom('checks').selectAll().where('name', '=', name).executeTakeFirst()
  return (
    row && {
      boot: row.boot,
      startedAt: new Date(row.started_at),
      finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
      done: row.done,
      total: row.total,
      result: row.result === null ? undefined : JSON.parse(row.result),
    }
  )
}

/** Whether it goes on: a node that ended, ended its checks. */
export async function isRunning(db: Db | Tx, run: CheckRun | undefined): Promise<boolean> {
  if (run === undefined || run.finishedAt !== undefined) return false
  return (await db.selectFrom('nodes').select('boot').where('boot', '=', run.boot).executeTakeFirst()) !== undefined
}

interface NewRun {
  boot: string
  actor: string
  at: Date
  total: number
}

/** The result of the run before is kept until this one has its own. */
export async function insertRun(tx: Tx, name: LongCheck, { boot, actor, at, total }: NewRun): Promise<void> {
  const begun = { boot, actor, started_at: at.toISOString(), finished_at: null, done: 0, total }
  await tx
    .insertInto('checks')
    .values({ name, ...begun, result: null })
    .onConflict(c => c.column('name').doUpdateSet(begun))
    .execute()
}

export async function noteProgress(tx: Tx, name: LongCheck, done: number): Promise<void> {
  await tx.updateTable('checks').set({ done }).where('name', '=', name).execute()
}

/** `result`: undefined if it could not be finished. */
export async function finishRun(tx: Tx, name: LongCheck, at: Date, result: unknown): Promise<void> {
  const finished = { finished_at: at.toISOString(), result: JSON.stringify(result) }
  await tx.updateTable('checks').set(finished).where('name', '=', name).execute()
}
