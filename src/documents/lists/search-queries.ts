/** Rows for the search: folded texts, metadata and labels. Triggers update the trigrams. */
import type { Document } from '../../core/document/document.ts'
import type { Tx } from '../../db/open.ts'
import { type Change, insertions } from '../../db/together.ts'
import { searchText } from '../../lib/search-text.ts'

function linesOf({ title, fileName, recipients }: Document): string {
  return [title, fileName, ...recipients.flatMap(({ name, email }) => [name, email])].join('\n')
}

/** `last`: the row of `lastNumber`, if any. */
export async function searchInsertions(tx: Tx, document: Document, last: LastNumber | undefined): Promise<Change[]> {
  const number = await freeNumber(tx, document.id, last)
  const text = searchText(number, linesOf(document))
  const row = { number, document_id: document.id, text }
  return [...insertions(tx, 'document_search', [row]), ...metadataInsertions(tx, document), ...labelInsertions(tx, document)]
}

export interface LastNumber {
  number: number
  document_id: string
}

/** SELECTs the highest positive number. */
export function lastNumber(tx: Tx) {
  const rows = tx.selectFrom('document_search').select(['number', 'document_id']).where('number', '>', 0)
  return rows.orderBy('number', 'desc').limit(1)
}

/** Positive numbers grow with the ids. An id below existing ones gets a negative number. */
async function freeNumber(tx: Tx, id: string, last: LastNumber | undefined): Promise<number> {
  if (last === undefined) return 1
  if (last.document_id < id) return last.number + 1
  const lowest = await tx.selectFrom('document_search').select('number').orderBy('number').limit(1).executeTakeFirst()
  return Math.min(lowest?.number ?? 0, 0) - 1
}

/** Metadata and labels are replaced at once: a row may leave and come again. */
export async function searchChanges(tx: Tx, before: Document, after: Document): Promise<Change[]> {
  if (after.metadata !== before.metadata) {
    await tx.deleteFrom('document_metadata').where('document_id', '=', after.id).execute()
    for (const change of metadataInsertions(tx, after)) await change.execute()
  }
  if (after.labels !== before.labels) {
    await tx.deleteFrom('document_labels').where('document_id', '=', after.id).execute()
    for (const change of labelInsertions(tx, after)) await change.execute()
  }
  const lines = linesOf(after)
  if (lines === linesOf(before)) return []
  const numbers = tx.selectFrom('document_search').select('number').where('document_id', '=', after.id)
  const { number } = await numbers.executeTakeFirstOrThrow()
  return [
    tx
      .updateTable('document_search')
      .set({ text: searchText(number, lines) })
      .where('number', '=', number),
  ]
}

function metadataInsertions(tx: Tx, { id, metadata }: Document): Change[] {
  const rows = Object.entries(metadata).map(([key, value]) => ({ document_id: id, key, value }))
  return insertions(tx, 'document_metadata', rows)
}

function labelInsertions(tx: Tx, { id, ownerId, labels }: Document): Change[] {
  const rows = labels.map(label => ({ document_id: id, owner_id: ownerId ?? null, label }))
  return insertions(tx, 'document_labels', rows)
}
