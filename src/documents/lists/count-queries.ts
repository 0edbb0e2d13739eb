/** Counts documents by view, status and attention, and names the labels in use. */
import type { DocumentStatus } from '../../core/document/document.ts'
import type { Db } from '../../db/open.ts'
import type { Actor } from '../../ports.ts'
import type { DocumentFilter } from './list-queries.ts'

/** For a WHERE with more conditions: nothing for those who see all documents. */
function ownedBy({ seesAll, userId }: Actor): [condition: string, values: string[]] {
  return seesAll ? ['', []] : ['owner_id = ? AND ', [userId ?? '']]
}

async function statusCounts(db: Db, actor: Actor): Promise<Map<string, number>> {
  const [own, owner] = ownedBy(actor)
  // PostgreSQL's sum of integers is of a type that drivers return as text.
  const count = 'CAST(sum(count) AS BIGINT) AS count'
  const sql = `SELECT status, ${count} FROM document_counts WHERE ${own}status <> 'template' AND count > 0 GROUP BY status`
  const rows = (await db.reads.all(sql, owner)) as { status: string; count: number }[]
  return new Map(rows.map(({ status, count }) => [status, count]))
}

async function attentionCount(db: Db, actor: Actor, now: Date): Promise<number> {
  const [own, owner] = ownedBy(actor)
  const at = now.toISOString()
  const sql = `SELECT count(*) FROM documents WHERE ${own}attention_until > ? AND attention_from <= ?`
  return db.reads.value(sql, [...owner, at, at]) as Promise<number>
}

const MAX_LABELS_LISTED = 200

/** In alphabetical order. One index look-up for each label, however many documents have it. */
export async function labelsInUse(db: Db, actor: Actor): Promise<string[]> {
  const [own, owner] = ownedBy(actor)
  const next = (after: string) => `SELECT min(label) FROM document_labels WHERE ${own}label > ${after}`
  return db.reads.column(
    `WITH RECURSIVE used (label, number) AS (
       SELECT (${next("''")}), 1
       UNION ALL SELECT (${next('used.label')}), number + 1 FROM used WHERE used.label IS NOT NULL AND number < ${MAX_LABELS_LISTED}
     ) SELECT label FROM used WHERE label IS NOT NULL`,
    [...owner, ...owner],
  ) as Promise<string[]>
}

/** Documents under legal hold. */
export async function countHeld(db: Db): Promise<number> {
  return db.reads.value('SELECT count(*) FROM documents WHERE held_at IS NOT NULL', []) as Promise<number>
}

// The views of the list of documents, and how many documents each has.

export const VIEWS = ['attention', 'waiting', 'drafts', 'completed', 'all'] as const
export type View = (typeof VIEWS)[number]

const STATUSES: Partial<Record<View, readonly DocumentStatus[]>> = {
  waiting: ['sent', 'sealing'],
  drafts: ['draft'],
  completed: ['completed'],
}

export function filterOfView(view: View, now: Date): Pick<DocumentFilter, 'statuses' | 'attentionAt'> {
  if (view === 'attention') return { attentionAt: now }
  const statuses = STATUSES[view]
  return statuses ? { statuses } : {}
}

/** Of the documents that the actor sees. */
export async function countViews(db: Db, actor: Actor, now: Date): Promise<Record<View, number>> {
  const [counts, attention] = await Promise.all([statusCounts(db, actor), attentionCount(db, actor, now)])
  const sum = (statuses: Iterable<string>) => [...statuses].reduce((all, status) => all + (counts.get(status) ?? 0), 0)
  return {
    attention,
    waiting: sum(STATUSES.waiting ?? []),
    drafts: sum(STATUSES.drafts ?? []),
    completed: sum(STATUSES.completed ?? []),
    all: sum(counts.keys()),
  }
}
