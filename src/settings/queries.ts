/** Settings, instance facts and sealed secrets: small named values. */
import type { Db, Tx } from '../db/open.ts'

export async function instanceFact(db: Db | Tx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function setInstanceFact(tx: Tx, name: string, value: string): Promise<void> {
  await tx.insertInto('instance').values({ name, value }).execute()
}

export async function allSettings(db: Db | Tx): Promise<Map<string, string>> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  return new Map(rows.map(r => [r.name, r.value]))
}

export async function saveSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict(c => c.column('name').doUpdateSet({ value }))
    .execute()
}

export async function sealedSecret(db: Db | Tx, name: string): Promise<Uint8Array | undefined> {
  return (await db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst())?.sealed
}

export async function saveSecret(tx: Tx, name: string, sealed: Uint8Array): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, sealed })
    .onConflict(c => c.column('name').doUpdateSet({ sealed }))
    .execute()
}

export interface SealCertificateRow {
  id: string
  chain: string
  sha256: string
  algorithm: string
  sealedKey: Uint8Array
  createdAt: Date
  notAfter: Date
}

export async function activeSealCertificate(db: Db | Tx): Promise<SealCertificateRow | undefined> {
  const row = await db.selectFrom('seal_certificates').selectAll().where('active', '=', 1).executeTakeFirst()
  return (
    row && {
      id: row.id,
      chain: row.chain,
      sha256: row.sha256,
      algorithm: row.algorithm,
      sealedKey: row.sealed_key,
      createdAt: new Date(row.created_at),
      notAfter: new Date(row.not_after),
    }
  )
}

/** PEM chains, the active one first, then the newest. */
export async function sealCertificateChains(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('seal_certificates').select('chain').orderBy('active', 'desc').orderBy('id', 'desc').execute()
  return rows.map(row => row.chain)
}

/** The new one seals from now on; older ones are kept for ever. */
export async function addSealCertificate(tx: Tx, row: SealCertificateRow): Promise<void> {
  await tx.updateTable('seal_certificates').set({ active: 0 }).where('active', '=', 1).execute()
  await tx
    .insertInto('seal_certificates')
    .values({
      id: row.id,
      chain: row.chain,
      sha256: row.sha256,
      algorithm: row.algorithm,
      sealed_key: row.sealedKey,
      created_at: row.createdAt.toISOString(),
      not_after: row.notAfter.toISOString(),
      active: 1,
    })
    .execute()
}
