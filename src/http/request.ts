/** Reads a request's client IP address, host, cookies and body, within a limit and a time. */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { Refusal } from '../core/refusal.ts'
import { cleanLine } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import { within } from '../lib/async-work.ts'
import type { Machine } from '../lib/machine.ts'
import { canonicalAddress, isWithin, MAX_PORT, type Network } from '../lib/net-guard.ts'
import { InvalidHostError } from './errors.ts'

/** A request as a handler gets it. */
export interface IncomingRequest {
  request: Request
  /** Parameters of the path. */
  params: Record<string, string>
  requestId: string
  /** Of the client. */
  ipAddress: string | undefined
  /** Of the other end of the connection: the client or a proxy. */
  socketAddress: string | undefined
  /** Whether the request names the host of the base URL. Only pages require it. */
  hasBaseUrlHost(): boolean
}

/** Without parsing the whole URL. With a malformed Host, Bun sets `url` to the path alone. */
export function pathOf({ url }: Request): string {
  const from = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', from)
  return from < 0 ? '/' : url.slice(from, query < 0 ? undefined : query)
}

export function searchOf({ url }: Request): URLSearchParams {
  const query = url.indexOf('?')
  return new URLSearchParams(query < 0 ? '' : url.slice(query))
}

const MAX_USER_AGENT_LENGTH = 500

/** The client's program, for the audit log. */
export function userAgentOf({ headers }: Request): string | undefined {
  const sent = headers.get('user-agent')
  return sent === null ? undefined : cleanLine(sent.slice(0, MAX_USER_AGENT_LENGTH)) || undefined
}

/**
 * The client's IP address: the socket's, or the one that a trusted proxy forwards, in its canonical
 * form. What is no address is not believed, nor what comes before it.
 */
export function ipAddressOf(request: Request, socketAddress: string | undefined, trusted: Network[]): string | undefined {
  if (socketAddress === undefined || trusted.length === 0 || !isWithin(socketAddress, trusted)) return socketAddress
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map(hop => canonicalAddress(hop.trim()))
  // The nearest hop that is not a trusted proxy. A client can forge the entries to its left.
  let nearest: string = socketAddress
  for (const hop of hops.reverse()) {
    if (hop === undefined) return nearest
    nearest = hop
    if (!isWithin(hop, trusted)) return hop
  }
  return nearest
}

/** RFC 3986 §3.2.2, with the characters of DNS labels and host files only. */
const HOST = /^(?:[a-z0-9._-]+|\[([0-9a-f:.]+)\])(?::(\d{0,5}))?$/i

/**
 * RFC 9110 §7.2: a request with a malformed Host, or with several, is refused with 400 before its
 * URL is read, because URL parsers disagree on what it names.
 */
export function hostError(request: Request): Refusal | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const [isWellFormed, bracketed, port] = HOST.exec(host) ?? []
  const isValid =
    isWellFormed !== undefined && (bracketed === undefined || isIP(bracketed) === 6) && Number(port ?? 0) <= MAX_PORT
  return isValid ? undefined : new InvalidHostError()
}

/** The host without its port, in lower case; undefined when it is malformed. */
function hostName(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

export const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)
const isIpAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

/**
 * Whether the request was sent to the host of the base URL; ports are not compared. A loopback base
 * URL accepts every loopback name, and `0.0.0.0` accepts every host. A trusted proxy sends the host
 * in X-Forwarded-Host. Without that header its Host may be our own IP address or a loopback name,
 * which is accepted: a page under a foreign name always has a name, never an IP address.
 */
export function hasBaseUrlHost(
  request: Request,
  socketAddress: string | undefined,
  config: Pick<Config, 'baseUrl' | 'trustProxy'>,
): boolean {
  const base = new URL(config.baseUrl).hostname
  if (base === '0.0.0.0' || base === '[::]') return true
  const isOurs = (name: string | undefined) => name !== undefined && (name === base || (isLoopback(base) && isLoopback(name)))
  const requested = hostName(request.headers.get('host') ?? new URL(request.url).host)
  if (socketAddress === undefined || !isWithin(socketAddress, config.trustProxy)) return isOurs(requested)
  // The nearest proxy appends its value at the end.
  const forwarded = request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim()
  if (forwarded !== undefined) return isOurs(hostName(forwarded))
  return isOurs(requested) || (requested !== undefined && (isLoopback(requested) || isIpAddress(requested)))
}

function tooLarge(limit: number): Refusal {
  return new Refusal('payload_too_large', violation('body_too_large', { bytes: limit }))
}

/** Turns the end of the connection into a refusal: the log must not report an internal error. */
function throwReadError(error: unknown): never {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
  throw new Refusal('malformed_json', violation('body_cut_off'))
}

/** The time for a body, plus one millisecond for every 100 bytes (1 s for 100 kB). */
const PATIENCE_MS = 60_000
const BYTES_PER_MS = 100

export type BodyMachine = Pick<Machine, 'steadyMs' | 'timers'>

/**
 * The bytes of the body as they arrive, with back-pressure on the client. Throws
 * `payload_too_large` as soon as Content-Length or the bytes exceed the limit, `overloaded` when
 * they arrive too slowly, and `malformed_json` when the connection ends early.
 */
export async function* bodyParts(
  { steadyMs, timers }: BodyMachine,
  request: Request,
  limit: number,
  patienceMs = PATIENCE_MS,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? Number.NaN) > limit) throw tooLarge(limit)
  const reader = request.body?.getReader()
  if (!reader) return
  const deadline = steadyMs() + patienceMs
  let total = 0
  let isDone = false
  try {
    for (;;) {
      const reading = reader.read().catch(throwReadError)
      const { done, value } = await within(timers, deadline + total / BYTES_PER_MS - steadyMs(), reading, tooSlow)
      isDone = done
      if (done) return
      total += value.length
      if (total > limit) throw tooLarge(limit)
      yield value
    }
  } finally {
    // Not awaited: cancel() may never settle.
    if (!isDone) reader.cancel().catch(() => undefined)
  }
}

function tooSlow(): Refusal {
  return new Refusal('overloaded', violation('body_too_slow'), [], 5)
}

/**
 * Refuses a body of another type or in a content coding (RFC 9110 §8.4): nothing is decompressed,
 * so a body never takes more memory than it has bytes. Throws `unsupported_media_type`.
 */
export function requireMediaType(request: Request, type: string): void {
  if (request.headers.has('content-encoding')) {
    throw new Refusal('unsupported_media_type', violation('body_encoded'))
  }
  if (mediaType(request) !== type) throw new Refusal('unsupported_media_type', violation('body_of_other_type', { type }))
}

export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function cookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
