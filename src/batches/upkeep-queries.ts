/** Batches that run, with the pace of their mails, and batches that keep more than is of use. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { MAIL_BULK_LANE } from '../outbox/outbox.ts'

// Which batches run, and what the pace of bulk mails is decided by.

/** The running batches; the one whose last row is longest ago comes first. */
export async function runningBatches(db: Db): Promise<string[]> {
  const running = db
    .selectFrom('batches')
    .select('id')
    .where('state', '=', sql.lit('running' as const))
  return (await running.orderBy('last_row_at').orderBy('id').execute()).map(({ id }) => id)
}

/** Whether the batch runs, and was last started or had its last row before that time. */
export async function ranBefore(tx: Tx, id: string, moment: Date): Promise<boolean> {
  const running = tx.selectFrom('batches').select('id').where('id', '=', id).where('state', '=', 'running')
  return (await running.where('last_row_at', '<', moment.toISOString()).executeTakeFirst()) !== undefined
}

/** Bulk mails queued after `from` until `to`. */
export async function mailsQueued(db: Db, from: Date, to: Date): Promise<number> {
  const { sum } = await db
    .selectFrom('batch_rows')
    .select(({ fn }) => fn.sum<number | null>('mails').as('sum'))
    .where('sent_at', '>', from.toISOString())
    .where('sent_at', '<=', to.toISOString())
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Bulk mails that are due and not sent yet, at most `limit`. */
export async function mailsDue(db: Db, now: Date, limit: number): Promise<number> {
  const due = db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', sql.lit('mail' as const))
    .where('lane', '=', MAIL_BULK_LANE)
    .where('state', '=', sql.lit('open' as const))
    .where('due_at', '<=', now.toISOString())
  return (await due.limit(limit).execute()).length
}

export interface NewestMail {
  status: 'queued' | 'accepted' | 'failed'
  /** Of the mail server, to the last attempt. */
  reply: string | null
}

/** The newest bulk mails. */
export async function newestMails(db: Db, since: Date, limit: number): Promise<NewestMail[]> {
  return db
    .selectFrom('batch_rows')
    .innerJoin('mails', 'mails.document_id', 'batch_rows.document_id')
    .select(['mails.status', 'mails.reply'])
    .where('batch_rows.sent_at', '>', since.toISOString())
    .orderBy('batch_rows.sent_at', 'desc')
    .limit(limit)
    .execute()
}

// Batches that keep more than is of use.

/** A draft created before then. */
export async function oldDraft(tx: Tx, before: Date): Promise<string | undefined> {
  const kept = tx.selectFrom('batches').select('id').where('template', 'is not', null).where('state', '=', 'draft')
  return (await kept.where('created_at', '<', before.toISOString()).limit(1).executeTakeFirst())?.id
}

/** A batch that ended before then, or with all rows sent. */
export async function keptForNothing(tx: Tx, before: Date): Promise<string | undefined> {
  const at = before.toISOString()
  const row = await tx
    .selectFrom('batches')
    .select('id')
    .where('template', 'is not', null)
    .where(({ or, and, eb, ref }) =>
      or([
        and([eb('state', '=', 'stopped'), eb('stopped_at', '<', at)]),
        and([eb('state', '=', 'done'), eb('finished_at', '<', at)]),
        and([eb('state', '=', 'done'), eb('sent', '=', ref('total'))]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Deletes the copy of the template and the data of rows that were not sent. */
export async function dropKept(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('batches').set({ template: null, sha256: null }).where('id', '=', id).execute()
  await tx.updateTable('batch_rows').set({ data: null }).where('batch_id', '=', id).where('data', 'is not', null).execute()
}

/** The next batch after `after` of which neither data nor a document is left. */
export async function batchWithoutDocuments(tx: Tx, after: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('batches')
    .select('id')
    .where('id', '>', after)
    .where('template', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('batch_rows')
            .innerJoin('documents', 'documents.id', 'batch_rows.document_id')
            .select('batch_rows.number')
            .whereRef('batch_rows.batch_id', '=', 'batches.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
