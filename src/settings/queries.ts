/** Rows of settings, instance facts, encrypted secrets and seal certificates. */
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import type { SealedColumn } from './sealed.ts'

export async function instanceFact(db: Db | Tx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst())?.value
}

async function upsert(tx: Tx, table: 'instance' | 'settings', name: string, value: string): Promise<void> {
  await tx
    .insertInto(table)
    .values({ name, value })
    .onConflict(c => c.column('name').doUpdateSet({ value }))
    .execute()
}

/** Stores the fact unless it has a value. Returns the one it has. */
export async function addInstanceFact(tx: Tx, name: string, value: string): Promise<string> {
  await tx
    .insertInto('instance')
    .values({ name, value })
    .onConflict(c => c.column('name').doNothing())
    .execute()
  return (await instanceFact(tx, name)) ?? value
}

export const setInstanceFact = (tx: Tx, name: string, value: string): Promise<void> => upsert(tx, 'instance', name, value)

/** Returns whether it had a value. */
export async function dropInstanceFact(tx: Tx, name: string): Promise<boolean> {
  return (await tx.deleteFrom('instance').where('name', '=', name).executeTakeFirst()).numDeletedRows > 0n
}

export async function allSettings(db: Db | Tx): Promise<Map<string, string>> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  return new Map(rows.map(r => [r.name, r.value]))
}

export async function readSetting(db: Db | Tx, name: string): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export const saveSetting = (tx: Tx, name: string, value: string): Promise<void> => upsert(tx, 'settings', name, value)

export async function dropSetting(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', name).execute()
}

/** All settings, or one, each with the secret of its name if it has one. */
export function settingsWithSecrets(
  db: Db | Tx,
  only?: string,
): Promise<{ name: string; value: string; sealed: Uint8Array | null }[]> {
  const rows = db.selectFrom('settings').leftJoin('secrets', 'secrets.name', 'settings.name')
  const wanted = only === undefined ? rows : rows.where('settings.name', '=', only)
  return wanted.select(['settings.name', 'settings.value', 'secrets.sealed']).execute()
}

export async function sealedSecret(db: Db | Tx, name: string): Promise<Uint8Array | undefined> {
  return (await db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst())?.sealed
}

/** Stores the secret unless there is one. Returns the one there is. */
export async function addSecret(tx: Tx, name: string, sealed: Uint8Array): Promise<Uint8Array> {
  await tx
    .insertInto('secrets')
    .values({ name, sealed })
    .onConflict(c => c.column('name').doNothing())
    .execute()
  return (await sealedSecret(tx, name)) ?? sealed
}

export async function saveSecret(tx: Tx, name: string, sealed: Uint8Array): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, sealed })
    .onConflict(c => c.column('name').doUpdateSet({ sealed }))
    .execute()
}

export async function dropSecret(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('secrets').where('name', '=', name).execute()
}

export interface SealCertificateRow {
  id: string
  /** Its root in this instance; undefined if it was imported. */
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
  isActive: boolean
}

const CERTIFICATES = rowMapper<SealCertificateRow, Selectable<Schema['seal_certificates']>>()({
  id: 'id',
  rootId: ['root_id', 'optional'],
  chain: 'chain',
  sha256: 'sha256',
  algorithm: 'algorithm',
  sealedKey: 'sealed_key',
  createdAt: ['created_at', 'time'],
  notAfter: ['not_after', 'time'],
  revokedAt: ['revoked_at', 'optional time'],
  revocationReason: ['revocation_reason', 'optional'],
  isActive: ['active', 'flag'],
})

export async function activeSealCertificate(db: Db | Tx): Promise<SealCertificateRow | undefined> {
  const row = await db.selectFrom('seal_certificates').selectAll().where('active', '=', 1).executeTakeFirst()
  return row && CERTIFICATES.read(row)
}

/** The active one first, then the newest. */
export async function sealCertificates(db: Db | Tx): Promise<SealCertificateRow[]> {
  const rows = await db.selectFrom('seal_certificates').selectAll().orderBy('active', 'desc').orderBy('id', 'desc').execute()
  return rows.map(CERTIFICATES.read)
}

export async function findSealCertificate(db: Db | Tx, sha256: string): Promise<SealCertificateRow | undefined> {
  const row = await db.selectFrom('seal_certificates').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  return row && CERTIFICATES.read(row)
}

/** Activates the new certificate. Former ones are kept for ever. */
export async function addSealCertificate(tx: Tx, row: SealCertificateRow): Promise<void> {
  await deactivateSealCertificate(tx)
  await tx.insertInto('seal_certificates').values(CERTIFICATES.write(row)).execute()
}

export async function activateSealCertificate(tx: Tx, id: string): Promise<void> {
  await deactivateSealCertificate(tx)
  await tx.updateTable('seal_certificates').set({ active: 1 }).where('id', '=', id).execute()
}

async function deactivateSealCertificate(tx: Tx): Promise<void> {
  await tx.updateTable('seal_certificates').set({ active: 0 }).where('active', '=', 1).execute()
}

export async function markRevoked(tx: Tx, id: string, at: Date, reason: number): Promise<void> {
  const values = { revoked_at: at.toISOString(), revocation_reason: reason }
  await tx.updateTable('seal_certificates').set(values).where('id', '=', id).execute()
}

/** Revoked certificates of a root, the oldest first. */
export async function revokedUnder(db: Db | Tx, rootId: string): Promise<SealCertificateRow[]> {
  const rows = await db
    .selectFrom('seal_certificates')
    .selectAll()
    .where('root_id', '=', rootId)
    .where('revoked_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(CERTIFICATES.read)
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

const ROOTS = rowMapper<SealRootRow, Selectable<Schema['seal_roots']>>()({
  id: 'id',
  certificate: 'certificate',
  sealedKey: 'sealed_key',
  notAfter: ['not_after', 'time'],
  list: 'list',
  listNumber: 'list_number',
  listRenewAt: ['list_renew_at', 'time'],
})

/** The newest first. */
export async function sealRoots(db: Db | Tx): Promise<SealRootRow[]> {
  return (await db.selectFrom('seal_roots').selectAll().orderBy('id', 'desc').execute()).map(ROOTS.read)
}

export async function addSealRoot(tx: Tx, row: SealRootRow): Promise<void> {
  await tx.insertInto('seal_roots').values(ROOTS.write(row)).execute()
}

export type NewList = Pick<SealRootRow, 'list' | 'listNumber' | 'listRenewAt'>

export async function saveRevocationList(tx: Tx, rootId: string, { list, listNumber, listRenewAt }: NewList): Promise<void> {
  const values = { list, list_number: listNumber, list_renew_at: listRenewAt.toISOString() }
  await tx.updateTable('seal_roots').set(values).where('id', '=', rootId).execute()
}

// Rows with encrypted bytes, whatever their table.

const equal = (keys: readonly string[], values: readonly string[]) =>
  sql.join(
    keys.map((key, i) => sql`${sql.ref(key)} = ${values[i]}`),
    sql` AND `,
  )

/** The keys of all rows that have a secret. */
export async function sealedKeys(tx: Tx, { table, column, keys }: SealedColumn): Promise<string[][]> {
  const names = sql.join(keys.map(key => sql.ref(key)))
  const found = sql<
    Record<string, string>
  >`SELECT DISTINCT ${names} FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL`
  return (await found.execute(tx)).rows.map(row => keys.map(key => row[key] ?? ''))
}

/** The secrets of these keys: one, or the former ones of a webhook. */
export async function sealedBytes(
  tx: Tx,
  { table, column, keys }: SealedColumn,
  values: readonly string[],
): Promise<Uint8Array[]> {
  const found = sql<{
    sealed: Uint8Array
  }>`SELECT ${sql.ref(column)} AS sealed FROM ${sql.table(table)} WHERE ${equal(keys, values)}`
  return (await found.execute(tx)).rows.map(({ sealed }) => sealed)
}

export async function replaceSealed(
  tx: Tx,
  { table, column, keys }: SealedColumn,
  values: readonly string[],
  { from, to }: { from: Uint8Array; to: Uint8Array },
): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${to}
    WHERE ${equal(keys, values)} AND ${sql.ref(column)} = ${from}`.execute(tx)
}
