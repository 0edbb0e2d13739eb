/** The JSON of batches and their rows in the API. */
import type { Batch, BatchRow } from '../core/template/batch.ts'

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

export function presentBatch(batch: Batch) {
  return {
    id: batch.id,
    templateId: batch.templateId,
    title: batch.title,
    state: batch.state,
    total: batch.total,
    counts: batch.counts,
    createdAt: batch.createdAt.toISOString(),
    startedAt: time(batch.startedAt),
    stoppedAt: time(batch.stoppedAt),
    stopReason: batch.stopReason ?? null,
    finishedAt: time(batch.finishedAt),
  }
}

export function presentBatchRow({ number, line, state, documentId, error, sentAt }: BatchRow) {
  return { number, line, state, documentId: documentId ?? null, error: error ?? null, sentAt: time(sentAt) }
}
