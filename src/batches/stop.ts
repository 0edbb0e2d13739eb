/**
 * Stops a batch, sends again what was not sent, ends a batch whose rows are done, and deletes what
 * it keeps for too long.
 */
import { mailPerson } from '../accounts/account-mail.ts'
import { addressesForOwner } from '../accounts/notified.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { daysAfter } from '../core/document/document.ts'
import { BATCHES_PATH } from '../core/page-paths.ts'
import { type Batch, requireBatchAction, type StopReason } from '../core/template/batch.ts'
import type { Tx } from '../db/open.ts'
import { type FileRemoval, finishRemovals, removeIfUnused } from '../files/claims.ts'
import { type App, type Committed, type Origin, SYSTEM } from '../ports.ts'
import { deleteBatchIn, loadBatch } from './batches.ts'
import * as queries from './queries.ts'
import { keptTemplate } from './queries.ts'
import { batchWithoutDocuments, dropKept, keptForNothing, oldDraft } from './upkeep-queries.ts'

/** No further row is sent. What was sent stays sent. */
export function stopBatch(app: App, id: string, origin: Origin): Promise<Committed<Batch>> {
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
export function retryBatch(app: App, id: string, origin: Origin): Promise<Committed<Batch>> {
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
      paragraphs: [t.failed(batch.title, failed, batch.total), t.what(DAYS_KEPT)],
      link: { text: t.open, path: `${BATCHES_PATH}/${id}` },
    }))
  }
}

const countsOf = ({ id, counts: { sent, failed, stopped } }: Batch) => ({ batchId: id, sent, failed, stopped })

// Deletes what batches keep for longer than it is of use, with its personal data.

/** Drafts, and rows that were not sent, are kept for so long. */
const DAYS_KEPT = 7

export async function sweepBatches(app: App): Promise<void> {
  const before = daysAfter(app.now(), -DAYS_KEPT)
  await inTurn(app, tx => oldDraft(tx, before), deleteBatchIn)
  await inTurn(app, tx => keptForNothing(tx, before), release)
  await inTurn(app, batchWithoutDocuments, deleteBatchIn)
}

type Work = (tx: Tx, app: App, id: string) => Promise<FileRemoval[]>

/**
 * Each batch is found in the transaction that deletes: until then somebody may start it. `find`
 * gets the one before.
 */
async function inTurn(app: App, find: (tx: Tx, after: string) => Promise<string | undefined>, work: Work): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after = last
    const { id, removals } = await app.write(
      async tx => {
        const id = await find(tx, after)
        return { id, removals: id === undefined ? [] : await work(tx, app, id) }
      },
      { wake: false },
    )
    await finishRemovals(app, removals)
    await app.timers.yield()
    last = id
  }
}

/** The batch remains as a record of its documents. */
async function release(tx: Tx, app: App, id: string): Promise<FileRemoval[]> {
  const kept = await keptTemplate(tx, id)
  await dropKept(tx, id)
  return kept ? removeIfUnused(app, tx, kept.sha256) : []
}
