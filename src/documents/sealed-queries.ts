/** Rows of the sealed files that were given out, and of the authorities that time-stamped them. */
import { sql } from 'kysely'
import type { SealLevel } from '../core/document.ts'
import type { Db, Tx } from '../db/open.ts'
import { sha256Hex } from '../lib/token.ts'

export interface SealedVersion {
  sha256: string
  documentId: string
  level: SealLevel
  madeAt: Date
  /** PEM, the authority's own certificate first. */
  timestampChain: string | undefined
  /** When it is to be raised, or raised again; `undefined`: never. */
  augmentAt: Date | undefined
}

/**
 * The version given out from now on; the one before is not raised any more. `chains`: the
 * authorities of its time-stamps, each as PEM, the newest last: this one stands for the version,
 * the others are kept so that their time-stamps are trusted here.
 */
export async function addSealedVersion(
  tx: Tx,
  version: Omit<SealedVersion, 'timestampChain'>,
  chains: readonly string[],
): Promise<void> {
  const kept: string[] = []
  for (const chain of chains) kept.push(await keepChain(tx, chain))
  await tx.updateTable('sealed_versions').set({ augment_at: null }).where('document_id', '=', version.documentId).execute()
  await tx
    .insertInto('sealed_versions')
    .values({
      sha256: version.sha256,
      document_id: version.documentId,
      level: version.level,
      made_at: version.madeAt.toISOString(),
      time_stamp_chain: kept.at(-1) ?? null,
      augment_at: version.augmentAt?.toISOString() ?? null,
    })
    .execute()
}

async function keepChain(tx: Tx, pem: string): Promise<string> {
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
  return (
    row && {
      sha256: row.sha256,
      documentId: row.document_id,
      level: row.level as SealLevel,
      madeAt: new Date(row.made_at),
      timestampChain: row.pem ?? undefined,
      augmentAt: row.augment_at === null ? undefined : new Date(row.augment_at),
    }
  )
}

/** A version whose time to be raised has come, and its place in the order of what is due. */
export interface DueVersion {
  at: string
  sha256: string
}

/** Versions to be raised, by that time, behind the place `after`. */
export async function dueForAugmentation(db: Db, now: Date, after: DueVersion, limit: number): Promise<DueVersion[]> {
  const query = sql<DueVersion>`SELECT augment_at AS at, sha256 FROM sealed_versions INDEXED BY sealed_versions_augment
    WHERE augment_at IS NOT NULL AND (augment_at, sha256) > (${after.at}, ${after.sha256}) AND augment_at <= ${now.toISOString()}
    ORDER BY augment_at, sha256 LIMIT ${limit}`
  return (await query.execute(db)).rows
}

/** Every chain of authorities that time-stamped here, PEM. */
export async function timestampChains(db: Db): Promise<string[]> {
  return (await db.selectFrom('time_stamp_chains').select('pem').execute()).map(r => r.pem)
}
