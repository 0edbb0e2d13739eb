/** Rows for the search: folded texts, metadata and labels. Triggers update the trigrams. */
import type { Document } from '../core/document.ts'
import type { Tx } from '../db/open.ts'
import { searchText } from '../lib/search-text.ts'

function linesOf({ title, fileName, recipients }: Document): string {
  return [title, fileName, ...recipients.flatMap(({ name, email }) => [name, email])].join('\n')
}

export async function insertSearch(tx: Tx, document: Document): Promise<void> {
  const number = await freeNumber(tx, document.id)
  const text = searchText(number, linesOf(document))
  await tx.insertInto('document_search').values({ number, document_id: document.id, text }).execute()
  await insertMetadata(tx, document)
  await insertLabels(tx, document)
}

/** Positive numbers grow with the ids. An id below existing ones gets a negative number. */
async function freeNumber(tx: Tx, id: string): Promise<number> {
  const rows = tx.selectFrom('document_search').select(['number', 'document_id']).limit(1)
  const last = await rows.where('number', '>', 0).orderBy('number', 'desc').executeTakeFirst()
  if (last === undefined) return 1
  if (last.document_id < id) return last.number + 1
  const lowest = await rows.orderBy('number').executeTakeFirst()
  return Math.min(lowest?.number ?? 0, 0) - 1
}

export async function updateSearch(tx: Tx, before: Document, after: Document): Promise<void> {
  const lines = linesOf(after)
  if (lines !== linesOf(before)) {
    const { number } = await tx
      .selectFrom('document_search')
      .select('number')
      .where('document_id', '=', after.id)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('document_search')
      .set({ text: searchText(number, lines) })
      .where('number', '=', number)
      .execute()
  }
  if (after.metadata !== before.metadata) {
    await tx.deleteFrom('document_metadata').where('document_id', '=', after.id).execute()
    await insertMetadata(tx, after)
  }
  if (after.labels !== before.labels) {
    await tx.deleteFrom('document_labels').where('document_id', '=', after.id).execute()
    await insertLabels(tx, after)
  }
}

async function insertMetadata(tx: Tx, { id, metadata }: Document): Promise<void> {
  const rows = Object.entries(metadata).map(([key, value]) => ({ document_id: id, key, value }))
  if (rows.length > 0) await tx.insertInto('document_metadata').values(rows).execute()
}

async function insertLabels(tx: Tx, { id, ownerId, labels }: Document): Promise<void> {
  const rows = labels.map(label => ({ document_id: id, owner_id: ownerId ?? null, label }))
  if (rows.length > 0) await tx.insertInto('document_labels').values(rows).execute()
}
