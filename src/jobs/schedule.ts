/** The scheduled jobs. One wrapper keeps a slow job from overlapping itself and logs its errors. */
import { Cron } from 'croner'
import { augmentAllDue } from '../documents/augment.ts'
import { expireDue, remindAllDue, sweepDisk, sweepFiles, sweepFormValues } from '../documents/upkeep.ts'
import { endUnfinishedClaims } from '../files/claims.ts'
import { errorMessage } from '../lib/error-message.ts'
import { sweepMailFiles } from '../outbox/outbox.ts'
import type { App } from '../ports.ts'
import { renewWhenDue } from '../settings/seal-certificate.ts'
import { clockGuard } from './clock-guard.ts'
import { sweepAccounts, sweepWebhooks } from './upkeep.ts'

interface Entry {
  name: string
  /** croner pattern with seconds, UTC. Stored times decide what is due; a run only checks them. */
  pattern: string
  run(app: App): Promise<unknown>
}

export const SCHEDULE: Entry[] = [
  { name: 'expire documents', pattern: '*/30 * * * * *', run: expireDue },
  { name: 'remind recipients', pattern: '15,45 * * * * *', run: remindAllDue },
  { name: 'flush pending writes', pattern: '*/10 * * * * *', run: app => app.flushPending() },
  { name: 'watch the disk', pattern: '5,35 * * * * *', run: app => app.disk.updateAlert() },
  { name: 'augment seals', pattern: '20 * * * * *', run: augmentAllDue },
  { name: 'renew the seal certificate', pattern: '0 10 4 * * *', run: renewWhenDue },
  { name: 'end file claims', pattern: '50 * * * * *', run: endUnfinishedClaims },
  { name: 'sweep files', pattern: '0 20 3 * * *', run: app => sweepFiles(app) },
  { name: 'sweep the disk', pattern: '0 25 * * * *', run: app => sweepDisk(app) },
  { name: 'sweep form values', pattern: '0 50 * * * *', run: sweepFormValues },
  { name: 'sweep mails', pattern: '0 30 3 * * *', run: sweepMailFiles },
  { name: 'check for damage', pattern: '30 5 * * * *', run: app => app.damage.checkWhenDue() },
  { name: 'sweep webhooks', pattern: '10 * * * * *', run: sweepWebhooks },
  { name: 'sweep accounts', pattern: '0 40 * * * *', run: sweepAccounts },
]

/** Runs every job once, as after a start: what became due during a downtime happens once. */
export async function runSchedule(app: App, isStopping = () => false): Promise<void> {
  for (const entry of SCHEDULE) if (!isStopping()) await runEntry(app, entry)
}

async function runEntry(app: App, entry: Entry): Promise<void> {
  try {
    await entry.run(app)
  } catch (error) {
    app.log('error', 'scheduled job failed', { name: entry.name, error: errorMessage(error) })
  }
}

/** Jobs are skipped while the clock cannot be trusted. The returned function stops it. */
export function startSchedule(app: App): () => void {
  const isTrusted = clockGuard(app)
  const crons = SCHEDULE.map(
    entry =>
      new Cron(entry.pattern, { timezone: 'UTC', protect: true, unref: true }, async () => {
        if (isTrusted()) await runEntry(app, entry)
      }),
  )
  return () => {
    for (const cron of crons) cron.stop()
  }
}
