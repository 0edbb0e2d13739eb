/**
 * Sends one HTTP request with limits on time and size, without redirects, proxies or decompression,
 * to addresses that net-guard.ts has checked. Returns network errors instead of throwing them.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { formatSeconds } from './clock-format.ts'
import { addressText, SERVER_TEXTS } from './failure-texts.ts'
import { lookup as lookupAll, ownAddresses } from './host-addresses.ts'
import { checkUrl, type Lookup, type Network, type Resolution, resolveChecked } from './net-guard.ts'

export interface OutgoingRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Until the connection is established, TLS included. */
  connectTimeoutMs: number
  /** Until the last byte of the response, name resolution included. */
  totalTimeoutMs: number
  /** The body is read only up to this size. */
  maxResponseBytes: number
  /** Networks that may be called although they are refused by default. */
  allow: readonly Network[]
  lookup?: Lookup
  /** Certificates (PEM) trusted in place of the built-in ones. */
  ca?: string
}

type Outcome =
  /** Header names in lower case, repeated ones joined by a comma; `truncated`: cut at the limit. */
  | { outcome: 'answered'; status: number; headers: Record<string, string>; body: Uint8Array; truncated: boolean }
  /** `timedOut`: a time limit was exceeded. */
  | { outcome: 'failed'; reason: string; timedOut?: true }

export type SendResult = Outcome & { latencyMs: number }

/** Throws only for mistakes of the caller, such as a line break in a header value. */
export async function send(outgoing: OutgoingRequest): Promise<SendResult> {
  const startedMs = performance.now()
  const withLatency = (result: Outcome): SendResult => ({ ...result, latencyMs: Math.round(performance.now() - startedMs) })
  const checked = checkUrl(outgoing.url, outgoing.allow)
  if ('refusal' in checked) return withLatency({ outcome: 'failed', reason: addressText(checked.refusal) })
  const resolution = await resolveInTime(checked.url.hostname, outgoing)
  if (resolution.outcome !== 'resolved') {
    return withLatency({ outcome: 'failed', reason: resolution.reason, ...('timedOut' in resolution ? { timedOut: true } : {}) })
  }
  const leftMs = outgoing.totalTimeoutMs - (performance.now() - startedMs)
  return withLatency(await exchange(checked.url, resolution.addresses, outgoing, Math.max(1, leftMs)))
}

type TimedResolution = Resolution | (Extract<Resolution, { outcome: 'unresolved' }> & { timedOut: true })

async function resolveInTime(hostname: string, outgoing: OutgoingRequest): Promise<TimedResolution> {
  const { allow, lookup = lookupAll, totalTimeoutMs } = outgoing
  const timeout = Promise.withResolvers<TimedResolution>()
  const reason = `${hostname} was not resolved within ${formatSeconds(totalTimeoutMs)}`
  const timer = setTimeout(() => timeout.resolve({ outcome: 'unresolved', reason, timedOut: true }), totalTimeoutMs)
  try {
    return await Promise.race([resolveChecked(hostname, { allow, own: ownAddresses(), lookup }), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Gives the checked addresses to the socket, so that the name is not resolved again. */
function pinnedLookup(addresses: { address: string; family: 4 | 6 }[]): LookupFunction {
  return (_host, options, done) => {
    const first = addresses[0]
    if (options.all) done(null, addresses)
    else if (first) done(null, first.address, first.family)
  }
}

function openRequest(
  url: URL,
  addresses: { address: string; family: 4 | 6 }[],
  { method, headers, body, ca }: OutgoingRequest,
): ClientRequest {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = {
    host,
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: { 'accept-encoding': 'identity', ...lowerCased, ...length, host: url.host },
    lookup: pinnedLookup(addresses),
    agent: false as const,
  }
  if (url.protocol === 'http:') return httpRequest(options)
  // RFC 6066 §3: an IP address is not a server name. The certificate is still checked against
  // `host`.
  const servername = isIP(host) ? '' : host.replace(/\.$/, '')
  return httpsRequest({ ...options, servername, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) })
}

function exchange(
  url: URL,
  addresses: { address: string; family: 4 | 6 }[],
  outgoing: OutgoingRequest,
  leftMs: number,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const request = openRequest(url, addresses, outgoing)
  const timers: Timer[] = []
  const finish = (result: Outcome) => {
    timers.forEach(clearTimeout)
    resolve(result)
    request.destroy()
  }
  const fail = (reason: string) => finish({ outcome: 'failed', reason })
  const timeOut = (reason: string) => finish({ outcome: 'failed', reason, timedOut: true })
  const connectMs = Math.min(outgoing.connectTimeoutMs, leftMs)
  let isConnected = false
  let status: number | undefined
  timers.push(
    setTimeout(() => isConnected || timeOut(`no connection to ${url.host} within ${formatSeconds(connectMs)}`), connectMs),
    setTimeout(() => timeOut(timeoutReason(url, outgoing.totalTimeoutMs, status)), leftMs),
  )
  request.on('socket', socket => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true
    })
  })
  request.on('response', response => {
    isConnected = true
    status = response.statusCode
    readBody(response, outgoing.maxResponseBytes, finish)
  })
  request.on('error', error => fail(readableError(url, error)))
  // Once the response has begun, its own `end`, `error` or `aborted` event decides the outcome.
  request.on('close', () => status ?? fail(SERVER_TEXTS.server_without_answer({ host: url.host })))
  request.end(outgoing.body)
  return promise
}

/** Collects the body up to the limit. A response that is cut off is a failure. */
function readBody(response: IncomingMessage, maxResponseBytes: number, finish: (result: Outcome) => void): void {
  const chunks: Uint8Array[] = []
  let size = 0
  const status = response.statusCode ?? 0
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]))
  const done = (truncated: boolean) => {
    const body = new Uint8Array(Buffer.concat(chunks).subarray(0, maxResponseBytes))
    finish({ outcome: 'answered', status, headers, body, truncated })
  }
  response.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes) done(true)
  })
  const failCut = () => finish({ outcome: 'failed', reason: `the answer (status ${status}) broke off after ${size} bytes` })
  response.on('end', () => done(false))
  response.on('error', failCut)
  response.on('aborted', failCut)
}

function timeoutReason(url: URL, totalMs: number, status: number | undefined): string {
  if (status === undefined) return SERVER_TEXTS.server_silent({ host: url.host, time: formatSeconds(totalMs) })
  return `the answer (status ${status}) did not end within ${formatSeconds(totalMs)}`
}

const CAUSES: Partial<Record<string, (failed: { host: string; errno: string }) => string>> = {
  ECONNREFUSED: SERVER_TEXTS.server_refused,
  ECONNRESET: SERVER_TEXTS.server_reset,
  EPIPE: SERVER_TEXTS.server_closed_early,
  EHOSTUNREACH: SERVER_TEXTS.server_without_route,
  ENETUNREACH: SERVER_TEXTS.server_without_network,
  ETIMEDOUT: SERVER_TEXTS.server_timed_out,
  ERR_TLS_CERT_ALTNAME_INVALID: SERVER_TEXTS.server_of_other_name,
  CERT_HAS_EXPIRED: SERVER_TEXTS.server_certificate_over,
  DEPTH_ZERO_SELF_SIGNED_CERT: SERVER_TEXTS.server_self_signed,
  SELF_SIGNED_CERT_IN_CHAIN: SERVER_TEXTS.server_untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: SERVER_TEXTS.server_untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: SERVER_TEXTS.server_untrusted,
}

function readableError({ host }: URL, { code: errno = '', message, name }: Error & { code?: string }): string {
  const known = CAUSES[errno]
  return known?.({ host, errno }) ?? `${host} could not be called: ${message || name}${errno ? ` (${errno})` : ''}`
}
