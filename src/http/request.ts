/** What both kinds of doors read from a request: the client address, the host it names, its body within a limit and a time, its cookies. */
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { Refusal } from '../core/refusal.ts'
import { isWithin, type Network } from '../lib/net-guard.ts'
import { InvalidHostError } from './errors.ts'

/** A request as a door gets it. */
export interface IncomingRequest {
  request: Request
  /** Of the path. */
  params: Record<string, string>
  requestId: string
  /** Whence it comes. */
  address: string | undefined
  /** Whether it names the host of the base URL. Asked where a page is shown. */
  hasBaseUrlHost(): boolean
}

/** The path of the address, without parsing all of it: asked of every request. Of a malformed Host, Bun tells the path alone. */
export function pathOf({ url }: Request): string {
  const from = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', from)
  return from < 0 ? '/' : url.slice(from, query < 0 ? undefined : query)
}

export function searchOf({ url }: Request): URLSearchParams {
  const query = url.indexOf('?')
  return new URLSearchParams(query < 0 ? '' : url.slice(query))
}

/** The address the request came from: the socket's, or what a trusted proxy in front says. */
export function addressOf(request: Request, socketAddress: string | undefined, trusted: Network[]): string | undefined {
  if (socketAddress === undefined || trusted.length === 0 || !isWithin(socketAddress, trusted)) return socketAddress
  const forwarded =
    request.headers
      .get('x-forwarded-for')
      ?.split(',')
      .map(part => part.trim()) ?? []
  // The nearest hop that is not one of our own proxies; what stands further left is only claimed.
  return forwarded.findLast(address => !isWithin(address, trusted)) ?? forwarded[0] ?? socketAddress
}

/** RFC 3986 §3.2.2: a name or an address in brackets, and a port. Of a name only the characters that a DNS label or a host file has. */
const HOST = /^(?:[a-z0-9._-]+|\[([0-9a-f:.]+)\])(?::(\d{0,5}))?$/i

/**
 * RFC 9110 §7.2: what is sent with a malformed Host, or with several, is refused with 400 before anything is read from its address. The system's
 * parsers disagree on what such a request names.
 */
export function hostError(request: Request): Refusal | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const [isWellFormed, bracketed, port] = HOST.exec(host) ?? []
  const isValid = isWellFormed !== undefined && (bracketed === undefined || isIP(bracketed) === 6) && Number(port ?? 0) <= 65_535
  return isValid ? undefined : new InvalidHostError()
}

/** The name without its port, lower case; `undefined` when it is none. */
function hostName(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/\.$/, '')
}

const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)
const isNumber = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

/**
 * Whether the request was sent to the host of the base URL; ports are not compared. Served over loopback every name of loopback will do, and a
 * base URL that names no host (`0.0.0.0`) binds nobody. A trusted proxy tells the visitor's host in X-Forwarded-Host; one that does not, and
 * asks us by our number, has put its own word for us into Host. A page of another name that leads here has a name, never a number.
 */
export function hasBaseUrlHost(
  request: Request,
  socketAddress: string | undefined,
  config: Pick<Config, 'baseUrl' | 'trustProxy'>,
): boolean {
  const base = new URL(config.baseUrl).hostname
  if (base === '0.0.0.0' || base === '[::]') return true
  const isOurs = (name: string | undefined) => name !== undefined && (name === base || (isLoopback(base) && isLoopback(name)))
  const asked = hostName(request.headers.get('host') ?? new URL(request.url).host)
  if (socketAddress === undefined || !isWithin(socketAddress, config.trustProxy)) return isOurs(asked)
  // The nearest proxy's word stands last.
  const forwarded = request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim()
  if (forwarded !== undefined) return isOurs(hostName(forwarded))
  return isOurs(asked) || (asked !== undefined && (isLoopback(asked) || isNumber(asked)))
}

function tooLarge(limit: number): Refusal {
  return new Refusal('payload_too_large', `The request body is larger than the ${limit} bytes accepted here.`)
}

/** What reading fails with when the connection ended: nobody gets the answer, and the log shall not call it a fault of the service. */
function cutOff(error: unknown): never {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
  throw new Refusal('malformed_json', 'The connection ended before the whole request body had arrived.')
}

/** A body must have arrived after this time and one more millisecond for every 100 bytes of it: 1 s for 100 kB. */
const PATIENCE_MS = 60_000
const BYTES_PER_MS = 100

/**
 * The body's bytes as they arrive; what was not taken yet waits at the sender. Throws `payload_too_large` as soon as the limit is passed, announced or
 * not in Content-Length, `overloaded` when the bytes come too slowly: who drips a body must not keep a place for ever. A body that is cut off is
 * `malformed_json`.
 */
export async function* bodyParts(request: Request, limit: number, patienceMs = PATIENCE_MS): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? Number.NaN) > limit) throw tooLarge(limit)
  const reader = request.body?.getReader()
  if (!reader) return
  const deadline = performance.now() + patienceMs
  let total = 0
  let isDone = false
  try {
    for (;;) {
      const reading = reader.read().catch(cutOff)
      const { done, value } = await within(deadline + total / BYTES_PER_MS - performance.now(), reading)
      isDone = done
      if (done) return
      total += value.length
      if (total > limit) throw tooLarge(limit)
      yield value
    }
  } finally {
    // Not waited for: what is cancelled may never settle.
    if (!isDone) reader.cancel().catch(() => undefined)
  }
}

/** The body's bytes in one piece. `hold` is called with bytes as they are taken into memory; it may throw. Throws what `bodyParts` throws. */
export async function readBody(request: Request, limit: number, hold: (bytes: number) => void = () => {}): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  const body = openBody(announced <= limit ? announced : 0)
  for await (const part of bodyParts(request, limit)) {
    hold(part.length)
    body.add(part)
  }
  return body.whole()
}

/**
 * Chunks as they come in. Where their length is told they go into their place at once: putting a hundred megabytes together at the end would keep
 * everybody else waiting. What is announced and never comes takes no memory: pages of it are only there once written to.
 */
function openBody(told: number) {
  const place = told > 0 ? Buffer.allocUnsafeSlow(told) : undefined
  const chunks: Uint8Array[] = []
  let filled = 0
  return {
    add(chunk: Uint8Array): void {
      if (!place || chunks.length > 0 || filled + chunk.length > place.length) return void chunks.push(chunk)
      place.set(chunk, filled)
      filled += chunk.length
    },
    whole(): Uint8Array {
      const placed = place?.subarray(0, filled) ?? new Uint8Array()
      return chunks.length === 0 ? placed : Buffer.concat([placed, ...chunks])
    },
  }
}

/** Settles as `work`, or throws `overloaded` when it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const refusal = new Refusal('overloaded', 'The request body came too slowly: send it again, over a faster connection.', [], 5)
    timer = setTimeout(reject, Math.max(0, ms), refusal)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Refuses a body of another type, or one in a content coding (RFC 9110 §8.4): nothing is ever unpacked, so that a body takes the memory it shows.
 * Throws `unsupported_media_type`.
 */
export function requireMediaType(request: Request, type: string): void {
  if (request.headers.has('content-encoding')) {
    throw new Refusal('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  if (mediaType(request) !== type) throw new Refusal('unsupported_media_type', `Send the body as ${type}.`)
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
