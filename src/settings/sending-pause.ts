/**
 * After a restore nothing is sent until an administrator says so: what was due when the backup was
 * made may have been sent since.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import type { Db, Tx } from '../db/open.ts'
import type { App, Origin } from '../ports.ts'
import { dropInstanceFact, instanceFact, setInstanceFact } from './queries.ts'

const FACT = 'sending-paused'

export interface SendingPause {
  /** When the backup was restored. */
  since: Date
  /** When the restored backup was made. */
  backupMadeAt: Date
}

/** Undefined: mails, webhooks, reminders and expiry go their way. */
export async function sendingPause(db: Db | Tx): Promise<SendingPause | undefined> {
  const value = await instanceFact(db, FACT)
  if (value === undefined) return undefined
  const { since, backupMadeAt } = JSON.parse(value) as Record<'since' | 'backupMadeAt', string>
  return { since: new Date(since), backupMadeAt: new Date(backupMadeAt) }
}

export async function pauseSending(tx: Tx, { since, backupMadeAt }: SendingPause): Promise<void> {
  const value = { since: since.toISOString(), backupMadeAt: backupMadeAt.toISOString() }
  await setInstanceFact(tx, FACT, JSON.stringify(value))
}

/** Returns whether sending was paused. */
export async function resumeSending(app: App, origin: Origin): Promise<boolean> {
  return app.write(async tx => {
    if (!(await dropInstanceFact(tx, FACT))) return false
    await appendInstanceEvent(tx, app, { type: 'sending.resumed' }, origin)
    return true
  })
}
