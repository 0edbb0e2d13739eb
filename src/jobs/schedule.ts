/** The scheduled jobs. One wrapper keeps a slow job from overlapping itself and logs its errors. */
import { Cron } from 'croner'
import { noteKeysThatEnd } from '../accounts/keys.ts'
import { mailResetLinks } from '../accounts/reset.ts'
import { mailAlerts } from '../alerts/alerts.ts'
import { endAlertsOfFormerNodes } from '../alerts/disk-watch.ts'
import { runDueBackup } from '../backups/runs.ts'
import { sweepSnapshots } from '../backups/snapshots.ts'
import { sendBatches } from '../batches/send.ts'
import { sweepBatches } from '../batches/stop.ts'
import { expireDue, remindAllDue, sweepDisk, sweepFiles, sweepFormValues } from '../documents/lifecycle/upkeep.ts'
import { eraseRetained } from '../documents/retention/retention.ts'
import { augmentAllDue } from '../documents/sealing/augment.ts'
import { keepAssets } from '../files/asset-packs.ts'
import { endUnfinishedClaims } from '../files/claims.ts'
import { makeDueCheckpoint } from '../health/checkpoints.ts'
import { JUMP_MS } from '../health/clock-watch.ts'
import { countQuietTime } from '../health/upgrade.ts'
import { updateAlerts, watchOwnClock } from '../health/watch.ts'
import { errorMessage } from '../lib/log.ts'
import { sweepMailFiles, sweepNotices } from '../outbox/outbox.ts'
import type { App } from '../ports.ts'
import { compactWhenDue } from '../settings/compaction.ts'
import { renewWhenDue } from '../settings/seal-certificate.ts'
import { askWhenDue } from '../witness/asking.ts'
import { fillDeliveryTypes, sweepAccounts, sweepWebhooks } from './upkeep.ts'

export interface Entry {
  name: string
  /** croner pattern with seconds, UTC. Stored times decide what is due; a run only checks them. */
  pattern: string
  /** Work on a node's own disk and memory runs on every node, work on what they share on one. */
  runsOn: 'every node' | 'one node'
  /**
   * `irreversible`: it cannot be undone, and a clock alone has made it due. It waits while the
   * clock is doubted. `harmless`: it can be undone or repeated, or a person has asked for it.
   */
  kind: 'irreversible' | 'harmless'
  run(app: App): Promise<unknown>
}

export const SCHEDULE: Entry[] = [
  { name: 'expire documents', pattern: '*/30 * * * * *', runsOn: 'one node', kind: 'irreversible', run: expireDue },
  { name: 'remind recipients', pattern: '15,45 * * * * *', runsOn: 'one node', kind: 'irreversible', run: remindAllDue },
  { name: 'send batches', pattern: '* * * * * *', runsOn: 'one node', kind: 'harmless', run: sendBatches },
  { name: 'sweep batches', pattern: '0 15 3 * * *', runsOn: 'one node', kind: 'irreversible', run: sweepBatches },
  {
    name: 'flush pending writes',
    pattern: '*/10 * * * * *',
    runsOn: 'every node',
    kind: 'harmless',
    run: app => app.flushPending(),
  },
  { name: 'mail reset links', pattern: '*/10 * * * * *', runsOn: 'one node', kind: 'harmless', run: mailResetLinks },
  {
    name: 'watch the disk',
    pattern: '5,35 * * * * *',
    runsOn: 'every node',
    kind: 'harmless',
    run: app => app.disk.updateAlert(),
  },
  { name: 'watch the clock', pattern: '35 * * * * *', runsOn: 'every node', kind: 'harmless', run: watchOwnClock },
  { name: 'update alerts', pattern: '55 * * * * *', runsOn: 'one node', kind: 'harmless', run: updateAlerts },
  { name: 'mail alerts', pattern: '0 * * * * *', runsOn: 'one node', kind: 'harmless', run: mailAlerts },
  {
    name: 'end alerts of former nodes',
    pattern: '25 * * * * *',
    runsOn: 'one node',
    kind: 'harmless',
    run: endAlertsOfFormerNodes,
  },
  { name: 'augment seals', pattern: '20 * * * * *', runsOn: 'one node', kind: 'irreversible', run: augmentAllDue },
  { name: 'renew the seal certificate', pattern: '0 10 4 * * *', runsOn: 'one node', kind: 'irreversible', run: renewWhenDue },
  { name: 'end file claims', pattern: '50 * * * * *', runsOn: 'one node', kind: 'irreversible', run: endUnfinishedClaims },
  { name: 'sweep files', pattern: '0 20 3 * * *', runsOn: 'one node', kind: 'irreversible', run: app => sweepFiles(app) },
  { name: 'sweep the disk', pattern: '0 25 * * * *', runsOn: 'every node', kind: 'irreversible', run: app => sweepDisk(app) },
  { name: 'erase documents', pattern: '0 0 2 * * *', runsOn: 'one node', kind: 'irreversible', run: eraseRetained },
  { name: 'sweep snapshots', pattern: '52 * * * * *', runsOn: 'every node', kind: 'irreversible', run: sweepSnapshots },
  { name: 'sweep form values', pattern: '0 50 * * * *', runsOn: 'one node', kind: 'irreversible', run: sweepFormValues },
  { name: 'sweep mails', pattern: '0 30 3 * * *', runsOn: 'every node', kind: 'irreversible', run: sweepMailFiles },
  { name: 'sweep notices', pattern: '0 32 3 * * *', runsOn: 'one node', kind: 'irreversible', run: sweepNotices },
  { name: 'compact the database', pattern: '0 40 3 * * *', runsOn: 'one node', kind: 'harmless', run: compactWhenDue },
  {
    name: 'check for damage',
    pattern: '30 5 * * * *',
    runsOn: 'one node',
    kind: 'harmless',
    run: app => app.damage.checkWhenDue(),
  },
  {
    name: 'prune the feed of changes',
    pattern: '0 15 * * * *',
    runsOn: 'one node',
    kind: 'harmless',
    run: app => app.changes.prune(app.write),
  },
  { name: 'sweep webhooks', pattern: '10 * * * * *', runsOn: 'one node', kind: 'irreversible', run: sweepWebhooks },
  { name: 'fill types of deliveries', pattern: '0 55 * * * *', runsOn: 'one node', kind: 'harmless', run: fillDeliveryTypes },
  { name: 'note API keys that end', pattern: '0 45 * * * *', runsOn: 'one node', kind: 'irreversible', run: noteKeysThatEnd },
  { name: 'sweep accounts', pattern: '0 40 * * * *', runsOn: 'one node', kind: 'irreversible', run: sweepAccounts },
  { name: 'keep the assets', pattern: '0 5 * * * *', runsOn: 'every node', kind: 'harmless', run: keepAssets },
  { name: 'finish an upgrade', pattern: '45 * * * * *', runsOn: 'one node', kind: 'irreversible', run: countQuietTime },
  { name: 'make a checkpoint', pattern: '0 35 * * * *', runsOn: 'one node', kind: 'harmless', run: makeDueCheckpoint },
  { name: 'ask the witness', pattern: '15 */5 * * * *', runsOn: 'one node', kind: 'harmless', run: askWhenDue },
  // The last one: after a start the others do not wait for it.
  { name: 'back up', pattern: '40 * * * * *', runsOn: 'one node', kind: 'harmless', run: runDueBackup },
]

const LEASE = 'schedule'

/** Runs every job once, as after a start: what became due during a downtime happens once. */
export async function runSchedule(app: App, isStopping = () => false): Promise<void> {
  for (const entry of SCHEDULE) if (!isStopping()) await runScheduled(app, entry)
}

/** Runs one job if this node may, and logs its error. */
export async function runScheduled(app: App, entry: Entry): Promise<void> {
  try {
    if (entry.runsOn === 'every node') await runGuarded(app, entry)
    else await app.node.whileLeased(LEASE, () => runGuarded(app, entry))
  } catch (error) {
    app.log('error', 'scheduled job failed', { name: entry.name, error: errorMessage(error) })
  }
}

/** The one way to work that cannot be undone and that only the clock has made due. */
async function runGuarded(app: App, { kind, run }: Entry): Promise<void> {
  if (kind === 'harmless') await run(app)
  else if (await app.clock.isBelieved()) await run(app.clock.guarded(app))
}

/**
 * Jobs are skipped while the clock cannot be trusted. The returned function stops it, and resolves
 * when the jobs that run have ended.
 */
export function startSchedule(app: App): () => Promise<void> {
  const isTrusted = clockGuard(app)
  const running = new Set<Promise<void>>()
  const crons = SCHEDULE.map(
    entry =>
      new Cron(entry.pattern, { utcOffset: 0, protect: true, unref: true }, async () => {
        if (!isTrusted()) return
        const job = runScheduled(app, entry)
        running.add(job)
        await job
        running.delete(job)
      }),
  )
  return async () => {
    for (const cron of crons) cron.stop()
    await Promise.all(running)
  }
}

// Detects that the system clock was set, by comparing it with a monotonic clock.

const WAIT_MS = 60_000

/**
 * Returns a function that tells whether the clock can be trusted; call it often. A jump forward by
 * more than an hour is trusted after a minute. A jump back is safe: each due action happens once.
 */
export function clockGuard(app: Pick<App, 'now' | 'steadyMs' | 'log'>): () => boolean {
  let last = { clock: app.now().getTime(), steady: app.steadyMs() }
  let untrustedUntil = -Infinity
  return () => {
    const now = { clock: app.now().getTime(), steady: app.steadyMs() }
    const jumpedMs = now.clock - last.clock - (now.steady - last.steady)
    last = now
    if (Math.abs(jumpedMs) > JUMP_MS) {
      app.log('warn', 'clock.jump', { seconds: Math.round(jumpedMs / 1000), now: new Date(now.clock).toISOString() })
      untrustedUntil = jumpedMs > 0 ? now.steady + WAIT_MS : -Infinity
    }
    return now.steady >= untrustedUntil
  }
}
