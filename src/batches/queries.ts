/** Rows of batches and of the documents that are to be made. */
import type { Selectable } from 'kysely'
import type { Json } from '../core/document/event.ts'
import {
  type Batch,
  type BatchRow,
  type BatchRowState,
  type NewBatchRow,
  STOP_REASONS,
  type StopReason,
} from '../core/template/batch.ts'
import type { TemplateUse } from '../core/template/template-draft.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { changeTogether, insertions } from '../db/together.ts'

/** All but the copy of the template and the file with the rows, which may be large. */
const COLUMNS = [
  'id',
  'template_id',
  'template_version',
  'owner_id',
  'actor',
  'resumed_by',
  'title',
  'state',
  'total',
  'sent',
  'failed',
  'stopped',
  'sha256',
  'created_at',
  'started_at',
  'stopped_at',
  'stop_reason',
  'finished_at',
] as const

const time = (text: string | null) => (text === null ? undefined : new Date(text))

function readBatch(row: Pick<Selectable<Schema['batches']>, (typeof COLUMNS)[number]>): Batch {
  const { sent, failed, stopped, total } = row
  return {
    id: row.id,
    templateId: row.template_id,
    templateVersion: row.template_version,
    ownerId: row.owner_id ?? undefined,
    actor: row.actor,
    resumedBy: row.resumed_by ?? undefined,
    title: row.title,
    state: row.state,
    total,
    counts: { waiting: total - sent - failed - stopped, sent, failed, stopped },
    createdAt: new Date(row.created_at),
    startedAt: time(row.started_at),
    stoppedAt: time(row.stopped_at),
    stopReason: STOP_REASONS.find(reason => reason === row.stop_reason),
    finishedAt: time(row.finished_at),
    isKept: row.sha256 !== null,
  }
}

function readRow(row: Selectable<Schema['batch_rows']>): BatchRow {
  return {
    number: row.number,
    line: row.line,
    state: row.state,
    use: row.data === null ? undefined : (JSON.parse(row.data) as TemplateUse),
    documentId: row.document_id ?? undefined,
    error: row.error ?? undefined,
    sentAt: time(row.sent_at),
  }
}

export async function findBatch(db: Db | Tx, id: string): Promise<Batch | undefined> {
  const row = await db.selectFrom('batches').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && readBatch(row)
}

export interface BatchFilter {
  ownerId?: string | undefined
  templateId?: string | undefined
}

/** Newest first, with ids below `after`. */
export async function listBatches(
  db: Db,
  { ownerId, templateId }: BatchFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Batch[]> {
  let query = db.selectFrom('batches').select(COLUMNS).orderBy('id', 'desc').limit(limit)
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
  if (templateId !== undefined) query = query.where('template_id', '=', templateId)
  if (after !== undefined) query = query.where('id', '<', after)
  return (await query.execute()).map(readBatch)
}

/** The text of the copy of its template, and the hash of the template's file. */
export interface KeptTemplate {
  text: string
  sha256: string
}

export async function keptTemplate(db: Db | Tx, id: string): Promise<KeptTemplate | undefined> {
  const row = await db.selectFrom('batches').select(['template', 'sha256']).where('id', '=', id).executeTakeFirst()
  return row?.template && row.sha256 ? { text: row.template, sha256: row.sha256 } : undefined
}

/** The file with the rows of a draft, and how it is read. */
export interface DraftContent {
  source: Uint8Array
  reading: Json
}

export async function draftContent(db: Db | Tx, id: string): Promise<DraftContent | undefined> {
  const row = await db.selectFrom('batches').select(['source', 'reading']).where('id', '=', id).executeTakeFirst()
  return row?.source && row.reading !== null ? { source: row.source, reading: JSON.parse(row.reading) as Json } : undefined
}

/** What is known of a batch when it is created. */
export type NewBatchFacts = Omit<Batch, 'counts' | 'resumedBy' | 'stoppedAt' | 'stopReason' | 'finishedAt' | 'isKept'>

export async function insertBatch(
  tx: Tx,
  batch: NewBatchFacts,
  template: KeptTemplate,
  { contentSha256, draft }: { contentSha256?: string; draft?: DraftContent },
): Promise<void> {
  await tx
    .insertInto('batches')
    .values({
      id: batch.id,
      template_id: batch.templateId,
      template_version: batch.templateVersion,
      owner_id: batch.ownerId ?? null,
      actor: batch.actor,
      title: batch.title,
      state: batch.state,
      total: batch.total,
      template: template.text,
      sha256: template.sha256,
      content_sha256: contentSha256 ?? null,
      source: draft?.source ?? null,
      reading: draft ? JSON.stringify(draft.reading) : null,
      created_at: batch.createdAt.toISOString(),
      started_at: batch.startedAt?.toISOString() ?? null,
      last_row_at: batch.startedAt?.toISOString() ?? null,
    })
    .execute()
}

export async function insertRows(tx: Tx, batchId: string, rows: readonly NewBatchRow[]): Promise<void> {
  const values = rows.map(({ line, use }, i) => {
    return { batch_id: batchId, number: i + 1, line, state: 'waiting' as const, data: JSON.stringify(use) }
  })
  await changeTogether(tx, insertions(tx, 'batch_rows', values))
}

export async function saveReading(tx: Tx, id: string, { reading, total }: { reading: Json; total: number }): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ reading: JSON.stringify(reading), total })
    .where('id', '=', id)
    .execute()
}

/** The file with the rows is deleted: the rows have what it says. */
export async function saveStart(tx: Tx, id: string, facts: { total: number; contentSha256: string; at: Date }): Promise<void> {
  const at = facts.at.toISOString()
  await tx
    .updateTable('batches')
    .set({ state: 'running', total: facts.total, content_sha256: facts.contentSha256, started_at: at, last_row_at: at })
    .set({ source: null, reading: null })
    .where('id', '=', id)
    .execute()
}

export async function deleteBatch(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('batches').where('id', '=', id).execute()
}

/** The newest batch with the same rows for the same template that was started since then. */
export async function findSameContent(
  tx: Db | Tx,
  templateId: string,
  contentSha256: string,
  since: Date,
): Promise<Batch | undefined> {
  const row = await tx
    .selectFrom('batches')
    .select(COLUMNS)
    .where('template_id', '=', templateId)
    .where('content_sha256', '=', contentSha256)
    .where('started_at', '>', since.toISOString())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && readBatch(row)
}

export interface RowFilter {
  state?: BatchRowState | undefined
  /** The rows with numbers above this one. */
  after: number
  limit: number
}

export async function rowsOfBatch(db: Db, batchId: string, { state, after, limit }: RowFilter): Promise<BatchRow[]> {
  const all = db.selectFrom('batch_rows').selectAll().where('batch_id', '=', batchId).where('number', '>', after)
  const found = state === undefined ? all : all.where('state', '=', state)
  return (await found.orderBy('number').limit(limit).execute()).map(readRow)
}

export async function nextWaitingRow(tx: Tx, batchId: string): Promise<BatchRow | undefined> {
  const row = await tx
    .selectFrom('batch_rows')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', '=', 'waiting')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return row && readRow(row)
}

/** Only in the transaction that makes the document. */
export async function saveSentRow(
  tx: Tx,
  batchId: string,
  { number }: Pick<BatchRow, 'number'>,
  { documentId, mails, at }: { documentId: string; mails: number; at: Date },
): Promise<void> {
  await tx
    .updateTable('batch_rows')
    .set({ state: 'sent', document_id: documentId, mails, sent_at: at.toISOString(), data: null, error: null })
    .where('batch_id', '=', batchId)
    .where('number', '=', number)
    .execute()
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ sent: eb('sent', '+', 1), last_row_at: at.toISOString() }))
    .where('id', '=', batchId)
    .execute()
}

export async function saveFailedRow(
  tx: Tx,
  batchId: string,
  { number }: Pick<BatchRow, 'number'>,
  { error, at }: { error: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('batch_rows')
    .set({ state: 'failed', error })
    .where('batch_id', '=', batchId)
    .where('number', '=', number)
    .execute()
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ failed: eb('failed', '+', 1), last_row_at: at.toISOString() }))
    .where('id', '=', batchId)
    .execute()
}

/** The rows that wait will not be sent. */
export async function saveStop(tx: Tx, { id, counts }: Batch, { reason, at }: { reason: StopReason; at: Date }): Promise<void> {
  await tx.updateTable('batch_rows').set({ state: 'stopped' }).where('batch_id', '=', id).where('state', '=', 'waiting').execute()
  await tx
    .updateTable('batches')
    .set({ state: 'stopped', stopped: counts.stopped + counts.waiting, stopped_at: at.toISOString(), stop_reason: reason })
    .where('id', '=', id)
    .execute()
}

/** What failed or was stopped waits again. */
export async function saveRetry(tx: Tx, { id }: Batch, { by, at }: { by: string; at: Date }): Promise<void> {
  await tx
    .updateTable('batch_rows')
    .set({ state: 'waiting', error: null })
    .where('batch_id', '=', id)
    .where('state', 'in', ['failed', 'stopped'])
    .execute()
  await tx
    .updateTable('batches')
    .set({ state: 'running', failed: 0, stopped: 0, stopped_at: null, finished_at: null, last_row_at: at.toISOString() })
    .set({ resumed_by: by, stop_reason: null })
    .where('id', '=', id)
    .execute()
}

export async function saveFinish(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('batches').set({ state: 'done', finished_at: at.toISOString() }).where('id', '=', id).execute()
}
