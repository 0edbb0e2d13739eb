/** `GET /metrics`: what this process counts, for loopback and the networks that may read it. */
import { heapSize } from 'bun:jsc'
import { countAlertsByKind } from '../alerts/queries.ts'
import { auditHead } from '../audit/log.ts'
import { newestVerified } from '../backups/run-queries.ts'
import type { Config } from '../config.ts'
import { ALERT_KINDS } from '../core/alert.ts'
import type { NodeHealth } from '../db/nodes.ts'
import { countFailing, oldestWaiting } from '../health/queries.ts'
import { within } from '../lib/async-work.ts'
import { errorMessage } from '../lib/log.ts'
import { counterText, gaugeText } from '../lib/metrics.ts'
import { isWithin, parseNetworks } from '../lib/net-guard.ts'
import { countWaitingJobs, JOB_KINDS } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { activeSealCertificate } from '../settings/queries.ts'
import { lastTimestampAnswer } from '../settings/timestamp-settings.ts'
import type { CopiesState } from '../storage/local-copies.ts'
import { textResponse } from './compression.ts'
import { ipAddressOf, isLoopback } from './request.ts'

const LOOPBACK = parseNetworks('127.0.0.0/8 ::1')
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** A database that does not answer must not hold up what is known without it. */
const MAX_QUERY_MS = 1500

/**
 * Whether the caller may read the metrics. A proxy that is not trusted hides its client, so what it
 * forwards is refused. A proxy that sends no such header still sends the public host name.
 */
export function mayReadMetrics(
  request: Request,
  socketAddress: string | undefined,
  { trustProxy, metricsAllow }: Pick<Config, 'trustProxy' | 'metricsAllow'>,
): boolean {
  const isForwarded = request.headers.has('x-forwarded-for') || request.headers.has('forwarded')
  const isTrusted = socketAddress !== undefined && isWithin(socketAddress, trustProxy)
  const address = ipAddressOf(request, socketAddress, trustProxy)
  if (address === undefined || (isForwarded && !isTrusted)) return false
  return isWithin(address, metricsAllow) || (isWithin(address, LOOPBACK) && isLoopback(new URL(request.url).hostname))
}

export async function metricsResponse(
  app: App,
  { activeRequests }: { activeRequests: number },
  request: Request,
): Promise<Response> {
  const text =
    app.metrics.text() + processText(app) + serviceText(app, activeRequests) + (await diskText(app)) + (await storedText(app))
  return textResponse(request, text, 200, { 'content-type': CONTENT_TYPE })
}

function processText({ instance, db, now, steadyMs }: App): string {
  const { user, system } = process.cpuUsage()
  const startedS = (now().getTime() - steadyMs()) / 1000
  return [
    gaugeText({ name: 'signet_build_info', help: 'Version and database engine.', labels: ['version', 'engine'] }, [
      [instance.version, db.engine, 1],
    ]),
    counterText(
      { name: 'process_cpu_seconds_total', help: 'Processor time of this process, without its children.' },
      (user + system) / 1e6,
    ),
    gaugeText({ name: 'process_resident_memory_bytes', help: 'Resident memory of this process, without its children.' }, [
      [process.memoryUsage.rss()],
    ]),
    gaugeText(
      { name: 'signet_javascript_heap_bytes', help: 'JavaScript objects of this process, with those not yet collected.' },
      [[heapSize()]],
    ),
    gaugeText({ name: 'process_start_time_seconds', help: 'Start of this process, in seconds since 1970.' }, [[startedS]]),
  ].join('')
}

function serviceText({ pdf, eventStreams, node, storage }: App, activeRequests: number): string {
  const { running, waiting } = pdf.load()
  return [
    gaugeText({ name: 'signet_http_requests_active', help: 'HTTP requests that are being answered.' }, [[activeRequests]]),
    gaugeText({ name: 'signet_event_streams', help: 'Open streams of server-sent events.' }, [[eventStreams.size]]),
    gaugeText({ name: 'signet_child_tasks_running', help: 'Tasks that child processes run now.' }, [[running]]),
    gaugeText({ name: 'signet_child_tasks_waiting', help: 'Tasks that wait for a child process.' }, [[waiting]]),
    node.isAlone ? '' : heartbeatText(node.health()),
    copiesText(storage.copies()),
  ].join('')
}

function heartbeatText({ silenceMs }: NodeHealth): string {
  const help = 'Time since the last heartbeat that the database stored.'
  return gaugeText({ name: 'signet_heartbeat_age_seconds', help }, [[silenceMs / 1000]])
}

function copiesText(copies: CopiesState | undefined): string {
  if (copies === undefined) return ''
  const { bytes, hits, misses } = copies
  return [
    gaugeText({ name: 'signet_file_copies_bytes', help: 'Size of the copies of stored files on this disk.' }, [[bytes]]),
    counterText({ name: 'signet_file_copy_hits_total', help: 'Reads of a stored file that found a copy on this disk.' }, hits),
    counterText({ name: 'signet_file_copy_misses_total', help: 'Reads of a stored file that fetched it first.' }, misses),
  ].join('')
}

async function diskText({ disk, log }: App): Promise<string> {
  try {
    const { freeBytes, totalBytes } = (await disk.measure()).space
    return [
      gaugeText({ name: 'signet_disk_free_bytes', help: 'Free space on the disk of the data folder.' }, [[freeBytes]]),
      gaugeText({ name: 'signet_disk_size_bytes', help: 'Size of the disk of the data folder.' }, [[totalBytes]]),
    ].join('')
  } catch (error) {
    log('error', 'free space unknown', { error: errorMessage(error) })
    return ''
  }
}

/** Left out if the database does not answer. */
async function storedText(app: App): Promise<string> {
  try {
    return await within(app.timers, MAX_QUERY_MS, instanceText(app), () => new Error('the database is slow'))
  } catch {
    app.metrics.databaseErrors.of().add()
    return ''
  }
}

// Metrics of the whole instance, the same on every node. Each reads a few rows of an index.

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
