/** Finds documents whose retention is over, in slices of an index. */
import type { Db } from '../../db/open.ts'
import { firstIdFrom } from '../../lib/id.ts'

export interface RetainedDocument {
  id: string
  title: string
  /** From when the period counts. */
  from: Date
}

interface Search {
  status: string
  /** The period began at this time or before. */
  until: Date
  /** The id of the last document of the slice before. */
  after: string
  limit: number
}

// A document was created before it ended, and its id begins with that time.
const RETAINED = `SELECT id, title, coalesce(ended_at, completed_at, updated_at) AS since FROM documents
  WHERE status = ? AND id > ? AND id < ? AND held_at IS NULL AND coalesce(ended_at, completed_at, updated_at) <= ?
  ORDER BY id LIMIT ?`

export async function retainedDocuments(db: Db, { status, until, after, limit }: Search): Promise<RetainedDocument[]> {
  const below = firstIdFrom('doc', until.getTime() + 1)
  const rows = await db.reads.all(RETAINED, [status, after, below, until.toISOString(), limit])
  return (rows as { id: string; title: string; since: string }[]).map(({ id, title, since }) => ({
    id,
    title,
    from: new Date(since),
  }))
}
