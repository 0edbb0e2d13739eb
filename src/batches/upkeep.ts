/** Deletes what batches keep for longer than it is of use, with its personal data. */
import { daysAfter } from '../core/document.ts'
import { finishRemovals, removeIfUnused } from '../files/claims.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { App } from '../ports.ts'
import { deleteBatchIn } from './batches.ts'
import { batchesWithoutDocuments, dropKept, keptForNothing, oldDrafts } from './pace-queries.ts'
import { keptTemplate } from './queries.ts'

/** Drafts, and rows that were not sent, are kept for so long. */
export const DAYS_KEPT = 7
const AT_ONCE = 20

export async function sweepBatches(app: App): Promise<void> {
  const before = daysAfter(app.now(), -DAYS_KEPT)
  await inTurn(
    () => oldDrafts(app.db, before, AT_ONCE),
    id => remove(app, id),
  )
  await inTurn(
    () => keptForNothing(app.db, before, AT_ONCE),
    id => release(app, id),
  )
  await inTurn(
    after => batchesWithoutDocuments(app.db, after, AT_ONCE),
    id => remove(app, id),
  )
}

/** `find` is asked for what follows the last one found. */
async function inTurn(find: (after: string) => Promise<string[]>, work: (id: string) => Promise<void>): Promise<void> {
  let found: string[] = []
  do {
    found = await find(found.at(-1) ?? '')
    for (const id of found) {
      await work(id)
      await yieldToEventLoop()
    }
  } while (found.length === AT_ONCE)
}

async function remove(app: App, id: string): Promise<void> {
  await finishRemovals(app, await app.write(tx => deleteBatchIn(tx, app, id), { wake: false }))
}

/** The batch remains as a record of its documents. */
async function release(app: App, id: string): Promise<void> {
  const removals = await app.write(
    async tx => {
      const kept = await keptTemplate(tx, id)
      await dropKept(tx, id)
      return kept ? removeIfUnused(app, tx, kept.sha256) : []
    },
    { wake: false },
  )
  await finishRemovals(app, removals)
}
