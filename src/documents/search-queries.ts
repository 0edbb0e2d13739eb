/** Rows that documents are found by: the folded texts and the pairs of metadata. They change in the transaction of the document; triggers keep the trigrams in step. */
import type { Document } from '../core/document.ts'
import type { Tx } from '../db/open.ts'
import { PARTITION, searchText, withMark } from '../lib/search-text.ts'

/** What is searched, a line each. */
function linesOf({ title, fileName, recipients }: Document): string {
  return [title, fileName, ...recipients.flatMap(({ name, email }) => [name, email])].join('\n')
}

export async function insertSearch(tx: Tx, document: Document): Promise<void> {
  const number = await freeNumber(tx, document.id)
  const text = searchText(number, linesOf(document))
  await tx.insertInto('document_search').values({ number, document_id: document.id, text }).execute()
  await insertMetadata(tx, document)
}

/** How far the numbers behind a new document move when there is none free before them. */
const MOVED_BY = PARTITION

/**
 * A number in the order of the ids, as the list expects it. After a start with an earlier clock a new id may stand before known ones: what stands
 * behind it moves up, far enough for many more.
 */
async function freeNumber(tx: Tx, id: string): Promise<number> {
  const numbers = tx.selectFrom('document_search').select('number').limit(1)
  const before = await numbers.where('document_id', '<', id).orderBy('document_id', 'desc').executeTakeFirst()
  const behind = await numbers.where('document_id', '>', id).orderBy('document_id').executeTakeFirst()
  const number = (before?.number ?? 0) + 1
  if (behind !== undefined && behind.number <= number) await moveUp(tx, behind.number)
  return number
}

/** The last one first: no number is given twice meanwhile. */
async function moveUp(tx: Tx, from: number): Promise<void> {
  const rows = await tx
    .selectFrom('document_search')
    .select(['number', 'text'])
    .where('number', '>=', from)
    .orderBy('number', 'desc')
    .execute()
  for (const { number, text } of rows) {
    const moved = { number: number + MOVED_BY, text: withMark(number + MOVED_BY, text) }
    await tx.updateTable('document_search').set(moved).where('number', '=', number).execute()
  }
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
}

async function insertMetadata(tx: Tx, { id, metadata }: Document): Promise<void> {
  const rows = Object.entries(metadata).map(([key, value]) => ({ document_id: id, key, value }))
  if (rows.length > 0) await tx.insertInto('document_metadata').values(rows).execute()
}
