/** Settings, instance facts and sealed secrets: small named values. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export async function instanceFact(db: Db | Tx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function setInstanceFact(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('instance')
    .values({ name, value })
    .onConflict(c => c.column('name').doUpdateSet({ value }))
    .execute()
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

export async function dropSetting(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', name).execute()
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
  /** The own root it stands under; undefined: imported. */
  rootId: string | undefined
  /** PEM, leaf first. */
  chain: string
  sha256: string
  algorithm: string
  sealedKey: Uint8Array
  createdAt: Date
  notAfter: Date
  revokedAt: Date | undefined
  /** CRLReason. */
  revocationReason: number | undefined
  /** Days before its end of the last warning. */
  warnedDays: number | undefined
  isActive: boolean
}

function certificateFromRow(row: Selectable<Schema['seal_certificates']>): SealCertificateRow {
  return {
    id: row.id,
    rootId: row.root_id ?? undefined,
    chain: row.chain,
    sha256: row.sha256,
    algorithm: row.algorithm,
    sealedKey: row.sealed_key,
    createdAt: new Date(row.created_at),
    notAfter: new Date(row.not_after),
    revokedAt: row.revoked_at === null ? undefined : new Date(row.revoked_at),
    revocationReason: row.revocation_reason ?? undefined,
    warnedDays: row.warned_days ?? undefined,
    isActive: row.active === 1,
  }
}

export async function activeSealCertificate(db: Db | Tx): Promise<SealCertificateRow | undefined> {
  const row = await db.selectFrom('seal_certificates').selectAll().where('active', '=', 1).executeTakeFirst()
  return row && certificateFromRow(row)
}

/** The active one first, then the newest. */
export async function sealCertificates(db: Db | Tx): Promise<SealCertificateRow[]> {
  const rows = await db.selectFrom('seal_certificates').selectAll().orderBy('active', 'desc').orderBy('id', 'desc').execute()
  return rows.map(certificateFromRow)
}

/** By the SHA-256 of its DER. */
export async function findSealCertificate(db: Db | Tx, sha256: string): Promise<SealCertificateRow | undefined> {
  const row = await db.selectFrom('seal_certificates').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  return row && certificateFromRow(row)
}

export type NewSealCertificate = Omit<SealCertificateRow, 'revokedAt' | 'revocationReason' | 'warnedDays' | 'isActive'>

/** The new one seals from now on; older ones are kept for ever. */
export async function addSealCertificate(tx: Tx, row: NewSealCertificate): Promise<void> {
  await retire(tx)
  await tx
    .insertInto('seal_certificates')
    .values({
      id: row.id,
      root_id: row.rootId ?? null,
      chain: row.chain,
      sha256: row.sha256,
      algorithm: row.algorithm,
      sealed_key: row.sealedKey,
      created_at: row.createdAt.toISOString(),
      not_after: row.notAfter.toISOString(),
      revoked_at: null,
      revocation_reason: null,
      warned_days: null,
      active: 1,
    })
    .execute()
}

/** One that is known already seals again. */
export async function activateSealCertificate(tx: Tx, id: string): Promise<void> {
  await retire(tx)
  await tx.updateTable('seal_certificates').set({ active: 1 }).where('id', '=', id).execute()
}

async function retire(tx: Tx): Promise<void> {
  await tx.updateTable('seal_certificates').set({ active: 0 }).where('active', '=', 1).execute()
}

export async function markRevoked(tx: Tx, id: string, at: Date, reason: number): Promise<void> {
  const values = { revoked_at: at.toISOString(), revocation_reason: reason }
  await tx.updateTable('seal_certificates').set(values).where('id', '=', id).execute()
}

export async function markWarned(tx: Tx, id: string, days: number): Promise<void> {
  await tx.updateTable('seal_certificates').set({ warned_days: days }).where('id', '=', id).execute()
}

/** Of one root, those that were revoked, in the order of their making. */
export async function revokedUnder(db: Db | Tx, rootId: string): Promise<SealCertificateRow[]> {
  const rows = await db
    .selectFrom('seal_certificates')
    .selectAll()
    .where('root_id', '=', rootId)
    .where('revoked_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(certificateFromRow)
}

export interface SealRootRow {
  id: string
  /** PEM. */
  certificate: string
  sealedKey: Uint8Array
  notAfter: Date
  /** The newest revocation list, DER. */
  list: Uint8Array
  listNumber: number
  listRenewAt: Date
}

/** The newest first. */
export async function sealRoots(db: Db | Tx): Promise<SealRootRow[]> {
  const rows = await db.selectFrom('seal_roots').selectAll().orderBy('id', 'desc').execute()
  return rows.map(row => ({
    id: row.id,
    certificate: row.certificate,
    sealedKey: row.sealed_key,
    notAfter: new Date(row.not_after),
    list: row.list,
    listNumber: row.list_number,
    listRenewAt: new Date(row.list_renew_at),
  }))
}

export async function addSealRoot(tx: Tx, row: SealRootRow): Promise<void> {
  await tx
    .insertInto('seal_roots')
    .values({
      id: row.id,
      certificate: row.certificate,
      sealed_key: row.sealedKey,
      not_after: row.notAfter.toISOString(),
      list: row.list,
      list_number: row.listNumber,
      list_renew_at: row.listRenewAt.toISOString(),
    })
    .execute()
}

export type NewList = Pick<SealRootRow, 'list' | 'listNumber' | 'listRenewAt'>

export async function saveRevocationList(tx: Tx, rootId: string, { list, listNumber, listRenewAt }: NewList): Promise<void> {
  const values = { list, list_number: listNumber, list_renew_at: listRenewAt.toISOString() }
  await tx.updateTable('seal_roots').set(values).where('id', '=', rootId).execute()
}
