/** Rows of the newest change of each path of a draft. */
import type { Db, Tx } from '../../db/open.ts'

export interface DraftChange {
  path: string
  /** That the change led to. */
  version: number
  at: Date
  /** The label of the actor. */
  actor: string
}

const ROWS_AT_ONCE = 500

export async function upsertDraftChanges(tx: Tx, documentId: string, changes: DraftChange[]): Promise<void> {
  const rows = changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString(), document_id: documentId }))
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    await tx
      .insertInto('draft_changes')
      .values(rows.slice(i, i + ROWS_AT_ONCE))
      .onConflict(c =>
        c.columns(['document_id', 'path']).doUpdateSet(eb => ({
          version: eb.ref('excluded.version'),
          at: eb.ref('excluded.at'),
          actor: eb.ref('excluded.actor'),
        })),
      )
      .execute()
  }
}

/** The path of what can no longer be listed. */
const WHOLE = 'document'

/** Keeps the newest half of more than `max` changes. For older versions `document` has changed. */
export async function trimDraftChanges(tx: Tx, documentId: string, max: number): Promise<void> {
  const own = tx.selectFrom('draft_changes').where('document_id', '=', documentId)
  const { count } = await own.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (count <= max) return
  const newestFirst = own.select(['version', 'at', 'actor']).orderBy('version', 'desc')
  const last = await newestFirst
    .offset(Math.floor(max / 2))
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('draft_changes').where('document_id', '=', documentId).where('version', '<=', last.version).execute()
  await tx
    .insertInto('draft_changes')
    .values({ ...last, document_id: documentId, path: WHOLE })
    .onConflict(c => c.columns(['document_id', 'path']).doUpdateSet(last))
    .execute()
}

/** In the order of the changes. */
export async function draftChangesSince(db: Db | Tx, documentId: string, version: number): Promise<DraftChange[]> {
  const rows = await db
    .selectFrom('draft_changes')
    .select(['path', 'version', 'at', 'actor'])
    .where('document_id', '=', documentId)
    .where('version', '>', version)
    .orderBy('version')
    .orderBy('path')
    .execute()
  return rows.map(row => ({ ...row, at: new Date(row.at) }))
}

export const draftChangeDeletion = (tx: Tx, documentId: string) =>
  tx.deleteFrom('draft_changes').where('document_id', '=', documentId)
