/** A small S3 server on loopback that can be slow, fail, cut connections, lie and lose objects. */
import { createHash } from 'node:crypto'

export interface StoredObject {
  bytes: Uint8Array
  storedAt: Date
}

/** What the server does to a request in place of answering it. `lie`: other bytes than stored. */
export type Failure = 'unavailable' | 'busy' | 'stall' | 'cut' | 'lie' | 'refuse' | 'no bucket' | 'not found page'

export interface S3Server {
  /** For `parseFilesUrl`. */
  url: string
  objects: Map<string, StoredObject>
  /** `PUT key`, in order. */
  requests: string[]
  /** The failures of the next requests, one for each; `undefined`: none. */
  failures: (Failure | undefined)[]
  /** The failure of every request, after those in `failures`. */
  always: Failure | undefined
  /** Most keys in one page of a list. */
  pageSize: number
  /** The largest body that was in flight, by counting. */
  received: number
  /** Runs before a request of this kind is answered. */
  before: ((request: string) => Promise<unknown> | unknown) | undefined
  /** Gets every request before it is answered. */
  seen: ((request: Request) => void) | undefined
  now(): Date
  stop(): Promise<void>
}

const BUCKET = 'files'
const error = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>x</Message></Error>`, { status })

export function openS3Server(prefix = 'signet/'): S3Server {
  const stalled = new Set<() => void>()
  const state: Omit<S3Server, 'url' | 'stop'> = {
    objects: new Map(),
    requests: [],
    failures: [],
    always: undefined,
    pageSize: 1000,
    received: 0,
    before: undefined,
    seen: undefined,
    now: () => new Date(),
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const [, bucket, ...rest] = url.pathname.split('/')
      const key = decodeURIComponent(rest.join('/'))
      const name = `${request.method} ${key === '' ? '?list' : key}`
      state.requests.push(name)
      state.seen?.(request)
      await state.before?.(name)
      const failure = state.failures.length > 0 ? state.failures.shift() : state.always
      if (failure === 'stall') await new Promise<void>(resolve => stalled.add(resolve))
      const isSigned = url.searchParams.has('X-Amz-Signature') || request.headers.has('authorization')
      if (!isSigned || failure === 'refuse') return error(403, 'AccessDenied')
      if (failure === 'unavailable') return error(503, 'ServiceUnavailable')
      if (failure === 'busy') return error(503, 'SlowDown')
      if (failure === 'not found page') return new Response('<html>Not Found</html>', { status: 404 })
      if (bucket !== BUCKET || failure === 'no bucket') return error(404, 'NoSuchBucket')
      if (request.method === 'PUT') return put(state, key, request, failure)
      if (request.method === 'DELETE') {
        state.objects.delete(key)
        return new Response(null, { status: 204 })
      }
      return key === '' ? list(state, url) : get(state, key, request, failure)
    },
  })
  return Object.assign(state, {
    url: `s3://KEY:SECRET@127.0.0.1:${server.port}/${BUCKET}/${prefix.replace(/\/$/, '')}?tls=off`,
    async stop() {
      for (const resume of stalled) resume()
      await server.stop(true)
    },
  })
}

async function put(state: Omit<S3Server, 'url' | 'stop'>, key: string, request: Request, failure?: Failure): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  state.received = Math.max(state.received, bytes.length)
  if (failure === 'lie') bytes[0] = (bytes[0] ?? 0) ^ 1
  const md5 = createHash('md5').update(bytes).digest('base64')
  const given = request.headers.get('content-md5')
  if (given !== null && given !== md5) return error(400, 'BadDigest')
  state.objects.set(key, { bytes, storedAt: state.now() })
  return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } })
}

function get(state: Omit<S3Server, 'url' | 'stop'>, key: string, request: Request, failure?: Failure): Response {
  const found = state.objects.get(key)
  if (!found) return error(404, 'NoSuchKey')
  const bytes = Uint8Array.from(found.bytes)
  if (failure === 'lie') bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  const headers = { 'last-modified': found.storedAt.toUTCString() }
  if (failure === 'cut') return new Response(halfOf(bytes), { headers: { ...headers, 'content-length': String(bytes.length) } })
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
  if (!range) return new Response(bytes, { headers })
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
  const partial = { ...headers, 'content-range': `bytes ${first}-${last}/${bytes.length}` }
  return new Response(bytes.slice(first, last + 1), { status: 206, headers: partial })
}

/** The connection ends before the body is complete. */
function halfOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, bytes.length >> 1))
      controller.error(undefined)
    },
  })
}

function list({ objects, pageSize }: Omit<S3Server, 'url' | 'stop'>, { searchParams }: URL): Response {
  const prefix = searchParams.get('prefix') ?? ''
  const after = searchParams.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter(key => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.filter(key => !key.slice(prefix.length).includes('/')).slice(0, pageSize)
  const next = page.length < keys.length && page.length === pageSize ? page.at(-1) : undefined
  const contents = page.map(key => {
    const { bytes, storedAt } = objects.get(key) ?? { bytes: new Uint8Array(), storedAt: new Date(0) }
    return `<Contents><Key>${key}</Key><LastModified>${storedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const token = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${pageSize}</MaxKeys><IsTruncated>${next !== undefined}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`,
    { headers: { 'content-type': 'application/xml' } },
  )
}
