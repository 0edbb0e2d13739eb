/** The last answer of the time-stamp authorities: to a seal, a renewal or a test. */
import type { Db } from '../db/open.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { App } from '../ports.ts'
import { readSetting, saveSetting } from './queries.ts'

const SETTING = 'timestamps.answer'
/** The same answer again is not stored more often. */
const STORE_EVERY_MS = 10 * 60_000

export interface TimestampAnswer {
  at: Date
  /** Why none gave a time-stamp, in a clause; undefined if one did. */
  failure: string | undefined
  /** Of the first failure since the last time-stamp. */
  failingSince: Date | undefined
  /** How far the clock of the authority was ahead of ours. */
  clockDifferenceMs: number | undefined
}

interface Stored {
  at: string
  failure?: string
  failingSince?: string
  clockDifferenceMs?: number
}

export async function lastTimestampAnswer(db: Db): Promise<TimestampAnswer | undefined> {
  const text = await readSetting(db, SETTING)
  if (text === undefined) return undefined
  const { at, failure, failingSince, clockDifferenceMs } = JSON.parse(text) as Stored
  return { at: new Date(at), failure, failingSince: failingSince ? new Date(failingSince) : undefined, clockDifferenceMs }
}

/** Never throws: a seal does not fail because its answer could not be noted. */
export async function noteTimestampAnswer(
  app: Pick<App, 'db' | 'write' | 'now' | 'log'>,
  answer: { stampedAt: Date } | { failure: string },
): Promise<void> {
  try {
    const now = app.now()
    const before = await lastTimestampAnswer(app.db)
    const isSame = before !== undefined && before.failure === ('failure' in answer ? answer.failure : undefined)
    const sinceMs = now.getTime() - (before?.at.getTime() ?? 0)
    if (isSame && sinceMs >= 0 && sinceMs < STORE_EVERY_MS) return
    const stored: Stored =
      'failure' in answer
        ? { at: now.toISOString(), failure: answer.failure, failingSince: (before?.failingSince ?? now).toISOString() }
        : { at: now.toISOString(), clockDifferenceMs: answer.stampedAt.getTime() - now.getTime() }
    await app.write(tx => saveSetting(tx, SETTING, JSON.stringify(stored)), { wake: false })
  } catch (error) {
    app.log('error', 'the answer of the time-stamp authority could not be noted', { error: errorMessage(error) })
  }
}
