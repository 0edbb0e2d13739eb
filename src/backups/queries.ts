/** What a backup reads of the copy of a database, of any schema from the first on. */
import type { Db } from '../db/open.ts'

export interface FileRow {
  sha256: string
  bytes: number
}

/** The stored files after `after`, in the order of their names. */
export async function filePage(db: Db, after: string, limit: number): Promise<FileRow[]> {
  return db.selectFrom('files').select(['sha256', 'bytes']).where('sha256', '>', after).orderBy('sha256').limit(limit).execute()
}

export async function documentCount(db: Db): Promise<number> {
  const counted = db.selectFrom('documents').select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}
