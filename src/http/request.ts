/** What both kinds of doors read from a request: whence it comes, its body within a limit, its cookies. */
import { Refusal } from '../core/refusal.ts'
import { isWithin, type Network } from '../lib/net-guard.ts'

/** The path of the address, without parsing all of it: asked of every request. */
export function pathOf({ url }: Request): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
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

export function tooLarge(limit: number): Refusal {
  return new Refusal('payload_too_large', `The request body is larger than the ${limit} bytes accepted here.`)
}

/**
 * The body's bytes. Throws `payload_too_large` as soon as the limit is passed, told or not in Content-Length. `hold` is told of bytes before
 * they are taken into memory, and may throw.
 */
export async function readBody(request: Request, limit: number, hold: (bytes: number) => void = () => {}): Promise<Uint8Array> {
  const told = Number(request.headers.get('content-length') ?? Number.NaN)
  if (told > limit) throw tooLarge(limit)
  if (Number.isInteger(told)) {
    hold(told)
    return new Uint8Array(await request.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of request.body ?? []) {
    total += chunk.length
    if (total > limit) throw tooLarge(limit)
    hold(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
