/** Metrics of the whole instance, the same on every node. Each reads a few rows of an index. */
import { countAlertsByKind } from '../alerts/queries.ts'
import { auditHead } from '../audit/log.ts'
import { newestVerified } from '../backups/run-queries.ts'
import { ALERT_KINDS } from '../core/alert.ts'
import { countFailing, oldestWaiting } from '../health/watch-queries.ts'
import { gaugeText } from '../lib/metrics.ts'
import { countWaitingJobs, JOB_KINDS } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { activeSealCertificate } from '../settings/queries.ts'
import { lastTimestampAnswer } from '../settings/timestamp-answer.ts'

/** More are reported as so many: counting all would take as long as a backlog is big. */
const MAX_COUNTED = 10_000

const KIND = ['kind'] as const
const seconds = (at: Date) => at.getTime() / 1000
/** Without a value the metric is left out: nothing has happened yet. */
const since = (at: Date | undefined): [number][] => (at ? [[seconds(at)]] : [])

/** Throws if the database does not answer. */
export async function instanceText(app: App): Promise<string> {
  return (await Promise.all([jobsText(app), alertsText(app), stateText(app)])).join('')
}

async function jobsText({ db, now }: App): Promise<string> {
  const rows = await Promise.all(
    JOB_KINDS.map(async kind => {
      const [waiting, failing, oldest] = await Promise.all([
        countWaitingJobs(db, kind, now(), MAX_COUNTED),
        countFailing(db, kind, MAX_COUNTED),
        oldestWaiting(db, kind),
      ])
      const ageS = oldest ? Math.max(0, seconds(now()) - seconds(oldest)) : 0
      return { kind, waiting, failing, ageS }
    }),
  )
  const upTo = `counted up to ${MAX_COUNTED}`
  return [
    gaugeText(
      { name: 'signet_jobs_waiting', help: `Jobs of the instance that are due and not begun, by kind; ${upTo}.`, labels: KIND },
      rows.map(({ kind, waiting }) => [kind, waiting]),
    ),
    gaugeText(
      { name: 'signet_jobs_failing', help: `Jobs that failed and are tried again, by kind; ${upTo}.`, labels: KIND },
      rows.map(({ kind, failing }) => [kind, failing]),
    ),
    gaugeText(
      {
        name: 'signet_jobs_oldest_waiting_seconds',
        help: 'How long the oldest job has been due and not begun, by kind.',
        labels: KIND,
      },
      rows.map(({ kind, ageS }) => [kind, ageS]),
    ),
  ].join('')
}

/** Each kind has a value, so that the end of one is seen. */
async function alertsText({ db }: App): Promise<string> {
  const counts = new Map((await countAlertsByKind(db)).map(({ kind, count }) => [kind, count]))
  const help = 'Open warnings, by kind; those of the Health page.'
  return gaugeText(
    { name: 'signet_alerts_open', help, labels: KIND },
    ALERT_KINDS.map(kind => [kind, counts.get(kind) ?? 0]),
  )
}

async function stateText({ db }: App): Promise<string> {
  const [certificate, backup, answer, head] = await Promise.all([
    activeSealCertificate(db),
    newestVerified(db),
    lastTimestampAnswer(db),
    auditHead(db),
  ])
  return [
    gaugeText(
      {
        name: 'signet_seal_certificate_expiry_timestamp_seconds',
        help: 'End of the certificate that seals, in seconds since 1970.',
      },
      since(certificate?.notAfter),
    ),
    gaugeText(
      {
        name: 'signet_backup_last_success_timestamp_seconds',
        help: 'Start of the last backup that was read back whole, in seconds since 1970.',
      },
      since(backup?.startedAt),
    ),
    gaugeText(
      { name: 'signet_timestamps_failing', help: '1 if the last request to the time-stamp authorities failed, else 0.' },
      answer ? [[answer.failure === undefined ? 0 : 1]] : [],
    ),
    gaugeText({ name: 'signet_audit_log_entries', help: 'Number of the newest entry of the audit log.' }, [[head.sequence]]),
  ].join('')
}
