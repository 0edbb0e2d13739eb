/** Counts documents by status and attention, and names the labels in use. */
import type { Db } from '../db/open.ts'
import { prepared } from '../db/sqlite.ts'
import type { Actor } from '../ports.ts'

const ownerOf = ({ seesAll, userId }: Actor) => (seesAll ? undefined : (userId ?? ''))

export function statusCounts(db: Db, actor: Actor): Map<string, number> {
  const owner = ownerOf(actor)
  const own = owner === undefined ? '' : 'WHERE owner_id = ?'
  const statement = prepared(db, `SELECT status, sum(count) AS count FROM document_counts ${own} GROUP BY status`)
  const rows = statement.all(...(owner === undefined ? [] : [owner])) as { status: string; count: number }[]
  return new Map(rows.map(({ status, count }) => [status, count]))
}

export function attentionCount(db: Db, actor: Actor, now: Date): number {
  const owner = ownerOf(actor)
  const own = owner === undefined ? '' : 'owner_id = ? AND '
  const statement = prepared(db, `SELECT count(*) FROM documents WHERE ${own}attention_until > ? AND attention_from <= ?`)
  const at = now.toISOString()
  return statement.pluck().get(...(owner === undefined ? [] : [owner]), at, at) as number
}

const MAX_LABELS_LISTED = 200

/** In alphabetical order. One index look-up for each label, however many documents have it. */
export function labelsInUse(db: Db, actor: Actor): string[] {
  const owner = ownerOf(actor)
  const own = owner === undefined ? '' : 'owner_id = ? AND '
  const next = (after: string) => `SELECT min(label) FROM document_labels WHERE ${own}label > ${after}`
  const statement = prepared(
    db,
    `WITH RECURSIVE used (label) AS (
       ${next("''")} UNION ALL SELECT (${next('used.label')}) FROM used WHERE used.label IS NOT NULL LIMIT ${MAX_LABELS_LISTED + 1}
     ) SELECT label FROM used WHERE label IS NOT NULL`,
  )
  return statement.pluck().all(...(owner === undefined ? [] : [owner, owner])) as string[]
}
