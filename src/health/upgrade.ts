/** Finishes an upgrade of nodes: by an administrator, or after a day without older ones. */
import { appendInstanceEvent } from '../audit/log.ts'
import { type Feature, unusableFeatures } from '../core/feature.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { finishLevel, KNOWN_LEVEL, type NodeOfRelease, noteQuietTime, upgradeState } from '../db/feature-level.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS, MINUTE_MS } from '../lib/duration.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'

/** So long only nodes that know the level have served before it is finished without being asked. */
export const QUIET_MS = DAY_MS
/** Counted this often. */
const STEP_MS = 10 * MINUTE_MS
/** Counted at once at most: neither a clock that jumps nor a night without nodes is a test. */
const MAX_STEP_MS = 2 * STEP_MS

export interface Upgrade {
  isFinished: boolean
  finishedLevel: number
  knownLevel: number
  /** Nodes that would ignore what is new. */
  older: NodeOfRelease[]
  /** What cannot be used yet. */
  waiting: Feature[]
  /** Until it is finished without being asked, if no older node comes back. */
  leftMs: number
}

export async function readUpgrade(db: Db | Tx): Promise<Upgrade> {
  const { finishedLevel, older, quietMs } = await upgradeState(db)
  return {
    isFinished: finishedLevel >= KNOWN_LEVEL,
    finishedLevel,
    knownLevel: KNOWN_LEVEL,
    older,
    waiting: unusableFeatures(finishedLevel),
    leftMs: Math.max(0, QUIET_MS - quietMs),
  }
}

/** Returns false if it was finished before. Throws `invalid_state` while an older node serves. */
export function finishUpgrade(app: App, origin: Origin): Promise<boolean> {
  return app.write(async tx => {
    const { isFinished, older } = await readUpgrade(tx)
    if (isFinished) return false
    const [node] = older
    if (node) throw new Refusal('invalid_state', violation('node_to_upgrade', { name: node.name, version: node.version }))
    await finish(tx, app, origin)
    return true
  })
}

async function finish(tx: Tx, app: App, origin: Origin): Promise<void> {
  await finishLevel(tx, app.now())
  await appendInstanceEvent(
    tx,
    app,
    { type: 'upgrade.finished', data: { level: KNOWN_LEVEL, version: app.instance.version } },
    origin,
  )
  app.afterCommit(tx, () => app.log('info', 'upgrade finished', { level: KNOWN_LEVEL }))
}

/** Runs by the schedule, more often than it counts. */
export async function countQuietTime(app: App): Promise<void> {
  if (!isDue(await upgradeState(app.db), app.now())) return
  await app.write(
    async tx => {
      const state = await upgradeState(tx)
      const now = app.now()
      if (!isDue(state, now)) return
      if (state.older.length > 0) return noteQuietTime(tx, { quietMs: 0, countedAt: undefined })
      const passedMs = state.countedAt ? now.getTime() - state.countedAt.getTime() : 0
      const quietMs = state.quietMs + Math.min(Math.max(passedMs, 0), MAX_STEP_MS)
      if (quietMs >= QUIET_MS) return finish(tx, app, SYSTEM)
      await noteQuietTime(tx, { quietMs, countedAt: now })
    },
    { wake: false },
  )
}

/** Also after the clock was set back. An older node is noted at once. */
function isDue({ finishedLevel, older, countedAt }: Awaited<ReturnType<typeof upgradeState>>, now: Date): boolean {
  if (finishedLevel >= KNOWN_LEVEL) return false
  if (countedAt === undefined) return older.length === 0
  return older.length > 0 || Math.abs(now.getTime() - countedAt.getTime()) >= STEP_MS
}
