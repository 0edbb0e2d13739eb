/** Batches that keep more than is of use. */
import type { Tx } from '../db/open.ts'

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
