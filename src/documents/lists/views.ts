/** The views of the list of documents, and how many documents each has. */
import type { DocumentStatus } from '../../core/document/document.ts'
import type { Db } from '../../db/open.ts'
import type { Actor } from '../../ports.ts'
import { attentionCount, statusCounts } from './count-queries.ts'
import type { DocumentFilter } from './list-queries.ts'

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
