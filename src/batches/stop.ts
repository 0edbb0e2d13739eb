/** Stops a batch, sends again what was not sent, and ends a batch whose rows are done. */
import { mailPerson } from '../accounts/account-mail.ts'
import { addressesForOwner } from '../accounts/notified.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { type Batch, requireBatchAction, type StopReason } from '../core/template/batch.ts'
import type { Tx } from '../db/open.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { loadBatch } from './batches.ts'
import * as queries from './queries.ts'

/** No further row is sent. What was sent stays sent. */
export function stopBatch(app: App, id: string, origin: Origin): Promise<Batch> {
  return app.write(async tx => {
    const batch = await loadBatch(tx, origin.actor, id)
    requireBatchAction(batch, 'stop')
    return stopIn(tx, app, batch, origin, 'requested')
  })
}

export async function stopIn(tx: Tx, app: App, batch: Batch, origin: Origin, reason: StopReason): Promise<Batch> {
  await queries.saveStop(tx, batch, { reason, at: app.now() })
  const stopped = await loadBatch(tx, SYSTEM.actor, batch.id)
  await appendInstanceEvent(tx, app, { type: 'batch.stopped', data: { ...countsOf(stopped), reason } }, origin)
  return stopped
}

/** Sends the rows that failed or were stopped. */
export function retryBatch(app: App, id: string, origin: Origin): Promise<Batch> {
  return app.write(async tx => {
    const batch = await loadBatch(tx, origin.actor, id)
    requireBatchAction(batch, 'retry')
    await queries.saveRetry(tx, batch, { by: origin.actor.label, at: app.now() })
    const running = await loadBatch(tx, origin.actor, id)
    const data = { batchId: id, waiting: running.counts.waiting }
    await appendInstanceEvent(tx, app, { type: 'batch.resumed', data }, origin)
    return running
  })
}

/** Its owner is mailed only about rows that failed. */
export async function finishIn(tx: Tx, app: App, { id }: Pick<Batch, 'id'>): Promise<void> {
  await queries.saveFinish(tx, id, app.now())
  const batch = await loadBatch(tx, SYSTEM.actor, id)
  await appendInstanceEvent(tx, app, { type: 'batch.finished', data: countsOf(batch) }, SYSTEM)
  const { failed } = batch.counts
  if (failed === 0) return
  for (const to of await addressesForOwner(tx, batch.ownerId)) {
    await mailPerson(tx, app, to, ({ batchMail: t }) => ({
      subject: t.subject(batch.title, failed),
      paragraphs: [t.failed(batch.title, failed, batch.total), t.what],
      link: { text: t.open, path: `/batches/${id}` },
    }))
  }
}

const countsOf = ({ id, counts: { sent, failed, stopped } }: Batch) => ({ batchId: id, sent, failed, stopped })
