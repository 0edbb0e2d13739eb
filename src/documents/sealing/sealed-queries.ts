/** Rows of the published versions of sealed files, and of the authorities of their time-stamps. */
import type { Selectable } from 'kysely'
import type { SealLevel, SealSubFilter } from '../../core/document/document.ts'
import type { Db, Tx } from '../../db/open.ts'
import { rowMapper } from '../../db/row-mapper.ts'
import type { Schema } from '../../db/schema.ts'
import { inWords } from '../../db/words.ts'
import { sha256Hex } from '../../lib/sha256.ts'

export interface SealedVersion {
  sha256: string
  documentId: string
  subFilter: SealSubFilter
  /** The level whose parts it has. */
  level: SealLevel
  madeAt: Date
  /** PEM, the authority's own certificate first. */
  timestampChain: string | undefined
  /** When the seal is to be augmented next; `undefined`: never. */
  augmentAt: Date | undefined
}

type VersionRow = Omit<SealedVersion, 'timestampChain'>

const VERSIONS = rowMapper<VersionRow, Selectable<Schema['sealed_versions']>>()({
  sha256: 'sha256',
  documentId: 'document_id',
  level: 'level',
  subFilter: 'sub_filter',
  madeAt: ['made_at', 'time'],
  augmentAt: ['augment_at', 'optional time'],
})

/**
 * Publishes a version; earlier ones are no longer augmented. `chains`: the authorities of its
 * time-stamps as PEM, the newest last. All are stored, so that their time-stamps are trusted here.
 */
export async function addSealedVersion(tx: Tx, version: VersionRow, chains: readonly string[]): Promise<void> {
  let newest: string | null = null
  for (const chain of chains) newest = await saveChain(tx, chain)
  await tx.updateTable('sealed_versions').set({ augment_at: null }).where('document_id', '=', version.documentId).execute()
  await tx
    .insertInto('sealed_versions')
    .values({ ...VERSIONS.write(version), time_stamp_chain: newest })
    .execute()
}

/** Of a version that stays the newest one. */
export async function planAugmentation(tx: Tx, sha256: string, at: Date | undefined): Promise<void> {
  await tx
    .updateTable('sealed_versions')
    .set({ augment_at: at?.toISOString() ?? null })
    .where('sha256', '=', sha256)
    .execute()
}

/**
 * Plans anew what a clock that was ahead has planned for later than `beyond`: its versions count
 * as made now, and are augmented now. The index of changes finds the few documents.
 */
export async function planAnew(tx: Tx, beyond: Date, now: Date): Promise<void> {
  const late = beyond.toISOString()
  await tx
    .updateTable('sealed_versions')
    .set({ made_at: now.toISOString(), augment_at: now.toISOString() })
    .where('document_id', 'in', tx.selectFrom('documents').select('id').where('updated_at', '>', late))
    .where('made_at', '>', late)
    .where('augment_at', '>', late)
    .execute()
}

async function saveChain(tx: Tx, pem: string): Promise<string> {
  const sha256 = sha256Hex(pem)
  await tx
    .insertInto('time_stamp_chains')
    .values({ sha256, pem })
    .onConflict(c => c.doNothing())
    .execute()
  return sha256
}

export async function sealedVersion(db: Db | Tx, sha256: string): Promise<SealedVersion | undefined> {
  const row = await db
    .selectFrom('sealed_versions')
    .leftJoin('time_stamp_chains', 'time_stamp_chains.sha256', 'sealed_versions.time_stamp_chain')
    .selectAll('sealed_versions')
    .select('time_stamp_chains.pem')
    .where('sealed_versions.sha256', '=', sha256)
    .executeTakeFirst()
  return row && { ...VERSIONS.read(row), timestampChain: row.pem ?? undefined }
}

export interface DueVersion {
  at: string
  sha256: string
}

const DUE_FOR_AUGMENTATION = inWords(
  ({ indexedBy }) => `SELECT augment_at AS at, sha256 FROM sealed_versions ${indexedBy('sealed_versions_augment')}
    WHERE augment_at IS NOT NULL AND (augment_at, sha256) > (?, ?) AND augment_at <= ? ORDER BY augment_at, sha256 LIMIT ?`,
)

/** Versions to be augmented, in their order after `after`. */
export async function dueForAugmentation(db: Db, now: Date, after: DueVersion, limit: number): Promise<DueVersion[]> {
  return db.reads.all(DUE_FOR_AUGMENTATION(db), [after.at, after.sha256, now.toISOString(), limit]) as Promise<DueVersion[]>
}

/** The chains of all authorities that have time-stamped seals of this instance, PEM. */
export async function timestampChains(db: Db): Promise<string[]> {
  return (await db.selectFrom('time_stamp_chains').select('pem').execute()).map(r => r.pem)
}
