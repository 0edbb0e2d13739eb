/** What a move reports and compares beside the rows themselves. */
import type { Db } from '../db/open.ts'

export async function countDocuments(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('documents')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('status', '<>', 'template')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countFiles(db: Db): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('files')
    .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

/** A sealed document if there is one: its evidence is the richest. */
export async function sampleDocument(db: Db): Promise<string | undefined> {
  const newest = db.selectFrom('documents').select('id').where('status', '<>', 'template').orderBy('id', 'desc').limit(1)
  const found = (await newest.where('sha256_sealed', 'is not', null).executeTakeFirst()) ?? (await newest.executeTakeFirst())
  return found?.id
}
