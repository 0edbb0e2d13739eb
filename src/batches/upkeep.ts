/** Deletes what batches keep for longer than it is of use, with its personal data. */
import { daysAfter } from '../core/document/document.ts'
import type { Tx } from '../db/open.ts'
import { type FileRemoval, finishRemovals, removeIfUnused } from '../files/claims.ts'
import type { App } from '../ports.ts'
import { deleteBatchIn } from './batches.ts'
import { keptTemplate } from './queries.ts'
import { batchWithoutDocuments, dropKept, keptForNothing, oldDraft } from './upkeep-queries.ts'

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
