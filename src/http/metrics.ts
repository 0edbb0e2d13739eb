/** `GET /metrics`: what this process counts, for loopback and the networks that may read it. */
import { heapSize } from 'bun:jsc'
import type { Config } from '../config.ts'
import type { NodeHealth } from '../db/nodes.ts'
import { errorMessage } from '../lib/error-message.ts'
import { counterText, gaugeText } from '../lib/metrics.ts'
import { isWithin, parseNetworks } from '../lib/net-guard.ts'
import { within } from '../lib/within.ts'
import type { App } from '../ports.ts'
import type { CopiesState } from '../storage/local-copies.ts'
import { textResponse } from './compression.ts'
import { instanceText } from './instance-metrics.ts'
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
