/** Rows of stored files: of documents, recipients, batches, the logo and kept assets. */
import { LOGO_SETTING } from '../config/stored-rows.ts'
import type { Db, Tx } from '../db/open.ts'

export function fileInsertion(tx: Tx, sha256: string, bytes: number, now: Date) {
  return tx
    .insertInto('files')
    .values({ sha256, bytes, created_at: now.toISOString() })
    .onConflict(c => c.column('sha256').doNothing())
}

/** Unless a document, a recipient, a batch, the logo's setting or kept assets refer to the file. */
export async function dropFileIfUnused(tx: Tx, sha256: string): Promise<void> {
  await tx
    .deleteFrom('files')
    .where('sha256', '=', sha256)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('documents').select('id').where('sha256_original', '=', sha256))),
    )
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('documents').select('id').where('sha256_sealed', '=', sha256))))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('batches').select('id').where('sha256', '=', sha256))))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('field_files').select('field_id').where('sha256', '=', sha256))),
    )
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('asset_packs').select('sha256').where('sha256', '=', sha256))))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('settings').select('name').where('name', '=', LOGO_SETTING).where('value', '=', sha256))),
    )
    .execute()
}

export async function isFileReferenced(db: Db, sha256: string): Promise<boolean> {
  return (await db.selectFrom('files').select('sha256').where('sha256', '=', sha256).executeTakeFirst()) !== undefined
}

/** Returns those of these files that have a row. */
export async function referencedFiles(db: Db, sha256s: readonly string[]): Promise<Set<string>> {
  // PostgreSQL refuses an empty list.
  if (sha256s.length === 0) return new Set()
  const rows = await db.selectFrom('files').select('sha256').where('sha256', 'in', sha256s).execute()
  return new Set(rows.map(row => row.sha256))
}

export async function fileBytes(db: Db, sha256: string): Promise<number | undefined> {
  return (await db.selectFrom('files').select('bytes').where('sha256', '=', sha256).executeTakeFirst())?.bytes
}

/** The names of stored files after `after`, in order. */
export async function filesAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('files').select('sha256').where('sha256', '>', after).orderBy('sha256').limit(limit).execute()
  return rows.map(row => row.sha256)
}

/** The latest first. */
export async function assetPacks(db: Db): Promise<{ sha256: string; usedAt: Date }[]> {
  const rows = await db.selectFrom('asset_packs').selectAll().orderBy('used_at', 'desc').orderBy('sha256').execute()
  return rows.map(({ sha256, used_at }) => ({ sha256, usedAt: new Date(used_at) }))
}

export async function noteAssetPack(tx: Tx, sha256: string, usedAt: Date): Promise<void> {
  const used = { used_at: usedAt.toISOString() }
  await tx
    .insertInto('asset_packs')
    .values({ sha256, ...used })
    .onConflict(c => c.column('sha256').doUpdateSet(used))
    .execute()
}

export async function deleteAssetPack(tx: Tx, sha256: string): Promise<void> {
  await tx.deleteFrom('asset_packs').where('sha256', '=', sha256).execute()
}
