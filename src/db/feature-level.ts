/** The feature level of an installation: which features no node that still serves would ignore. */
import { featureLevelOf, type Migration, migrations, schemaOfLevel } from '../../migrations/index.ts'
import { FEATURES, type Feature, upgradeUnfinished } from '../core/feature.ts'
import { SchemaTooNewError } from './migrate.ts'
import type { Db, Tx } from './open.ts'
import { wordsOf } from './words.ts'

/** The highest level that this executable knows. */
export const KNOWN_LEVEL = featureLevelOf(migrations)

export interface NodeOfRelease {
  name: string
  version: string
}

export interface UpgradeState {
  /** The level whose features may be used. It never falls. */
  finishedLevel: number
  /** Nodes that do not know the highest level, also dead ones that are not removed yet. */
  older: NodeOfRelease[]
  /** How long no such node had a row, while this one served. */
  quietMs: number
  countedAt: Date | undefined
}

export async function upgradeState(db: Db | Tx, level = KNOWN_LEVEL): Promise<UpgradeState> {
  const row = await clusterRow(db)
  const known = db.selectFrom('nodes').select(['name', 'version']).where('feature_level', '<', level)
  return {
    finishedLevel: row.feature_level,
    older: await known.orderBy('name').execute(),
    quietMs: row.quiet_ms,
    countedAt: row.counted_at === null ? undefined : new Date(row.counted_at),
  }
}

export async function finishedLevel(db: Db | Tx): Promise<number> {
  return (await clusterRow(db)).feature_level
}

async function clusterRow(db: Db | Tx) {
  return db.selectFrom('cluster').selectAll().executeTakeFirstOrThrow()
}

/**
 * Finishes the upgrade to a level: executables that do not know it can no longer start or write.
 * The caller has made sure, in this transaction, that none of them serves.
 */
export async function finishLevel(
  tx: Tx,
  at: Date,
  { level = KNOWN_LEVEL, list = migrations }: { level?: number; list?: readonly Migration[] } = {},
): Promise<void> {
  const finished = { feature_level: level, finished_at: at.toISOString(), quiet_ms: 0, counted_at: null }
  await tx.updateTable('cluster').set(finished).where('feature_level', '<', level).execute()
  await wordsOf(tx).raiseOldestWriter(tx, schemaOfLevel(level, list))
}

/** `countedAt` undefined: an older node has a row, and counting begins anew when it is gone. */
export async function noteQuietTime(tx: Tx, { quietMs, countedAt }: Pick<UpgradeState, 'quietMs' | 'countedAt'>): Promise<void> {
  await tx
    .updateTable('cluster')
    .set({ quiet_ms: quietMs, counted_at: countedAt?.toISOString() ?? null })
    .execute()
}

/** @throws SchemaTooNewError if this executable does not know the level that was finished */
export async function requireKnownLevel(db: Db, known = KNOWN_LEVEL): Promise<void> {
  const finished = await finishedLevel(db)
  if (finished > known) throw SchemaTooNewError.ofLevel(db.engine === 'sqlite' ? 'data folder' : 'database', finished, known)
}

/** Which features may be used. A level never falls: one that was read is not read again. */
export class FeatureLevels {
  readonly #levels: Readonly<Record<Feature, number>>
  #finished = 0

  constructor(levels: Readonly<Record<Feature, number>> = FEATURES) {
    this.#levels = levels
  }

  async isUsable(db: Db | Tx, feature: Feature): Promise<boolean> {
    const level = this.#levels[feature]
    if (this.#finished < level) this.#finished = await finishedLevel(db)
    return this.#finished >= level
  }

  /** Throws `upgrade_unfinished`. */
  async require(db: Db | Tx, feature: Feature): Promise<void> {
    if (!(await this.isUsable(db, feature))) throw upgradeUnfinished(feature)
  }
}
