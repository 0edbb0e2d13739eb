/**
 * Requests to one S3 bucket: each is signed by Bun.S3Client, bounded in time and repeated after a
 * failure that may pass. Signed URLs are bearer links: none leaves this file, not even in an error.
 */
import { createHash } from 'node:crypto'
import type { S3ListObjectsResponse } from 'bun'
import { within } from '../lib/async-work.ts'
import { partsOfFile } from '../lib/files.ts'
import type { Cancel, FileSystem, Machine, OpenFile, Timers } from '../lib/machine.ts'
import { reasons } from '../locales/en/reasons.ts'
import { FileStoreUnavailableError } from './file-store.ts'
import type { S3Location } from './files-url.ts'

export interface S3Limits {
  /** Between two parts of a body, and before an answer. */
  stallMs: number
  /** No attempt begins later than this after the first one. */
  retryWithinMs: number
  /** Before each further attempt. */
  pausesMs: readonly number[]
}

/** With both, a request ends before the server's own clients give up. */
const LIMITS: S3Limits = {
  stallMs: 10_000,
  retryWithinMs: 10_000,
  pausesMs: [100, 300, 900, 2000],
}

export type BucketMachine = Pick<Machine, 'fetch' | 's3Client' | 'random' | 'steadyMs' | 'timers'>

interface S3Object {
  bytes: number
  storedAt: Date
}

type Method = 'GET' | 'PUT' | 'DELETE'

interface S3Request {
  method: Method
  key: string
  headers?: Record<string, string>
  body?: ReadableStream<Uint8Array>
}

const PART_BYTES = 1 << 18
/** The answer to a put comes when the store has written the whole object to its disks. */
const MIN_STORED_BYTES_PER_MS = 20_000
const URL_LIFETIME_S = 300
/** The store refuses one that arrives later, when others may have stored the same key again. */
const DELETE_LIFETIME_S = 120
const MAX_ERROR_BYTES = 4096

/** The store answered with an error, or not at all. */
class S3Error extends Error {
  readonly mayPass: boolean
  /** S3's own code: the store itself has answered. */
  readonly code: string

  constructor(message: string, mayPass: boolean, code = '') {
    super(message)
    this.mayPass = mayPass
    this.code = code
  }
}

/** The store did nothing, and says so. */
const REFUSED: ReadonlySet<string> = new Set(['SlowDown', 'ServiceUnavailable'])

/** What an answer means besides success; by status alone where the code is not listed. */
const HINTS: Partial<Record<string, () => string>> = {
  NoSuchBucket: reasons.bucket_missing,
  AccessDenied: reasons.key_without_right,
  InvalidAccessKeyId: reasons.key_unknown,
  SignatureDoesNotMatch: reasons.key_of_other_secret,
  RequestTimeTooSkewed: reasons.store_clock_differs,
  PermanentRedirect: reasons.bucket_elsewhere,
  AuthorizationHeaderMalformed: reasons.region_wrong,
  AuthorizationQueryParametersError: reasons.region_wrong,
}

export class S3Bucket {
  readonly #client: ReturnType<BucketMachine['s3Client']>
  readonly #machine: BucketMachine
  readonly #limits: S3Limits
  readonly #onUnavailable: () => void

  constructor(
    { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Location,
    machine: BucketMachine,
    limits: Partial<S3Limits> = {},
    onUnavailable = () => {},
  ) {
    this.#client = machine.s3Client({ endpoint, bucket, region, accessKeyId, secretAccessKey })
    requireNoToken(this.#client.presign('probe'))
    this.#machine = machine
    this.#limits = { ...LIMITS, ...limits }
    this.#onUnavailable = onUnavailable
  }

  /**
   * The store checks the MD5, so a failure on the way is an error and no damaged object.
   * @throws Error if the file has another SHA-256
   */
  async put(fileSystem: FileSystem, key: string, path: string, sha256?: string): Promise<void> {
    const { bytes, md5, ...actual } = await digestsOf(fileSystem, path)
    if (sha256 !== undefined && actual.sha256 !== sha256) throw new Error(`a file to be stored as ${sha256} has another hash`)
    const headers = { 'content-length': String(bytes), 'content-md5': md5, 'content-type': 'application/pdf' }
    await this.#request(async stall => {
      const handle = await fileSystem.open(path, 'r')
      try {
        const body = streamOf(handle, isLast => stall.touch(isLast ? bytes / MIN_STORED_BYTES_PER_MS : 0))
        if ((await drained(await this.#send({ method: 'PUT', key, headers, body }, stall))) === undefined)
          throw errorOf('404', false)
      } finally {
        await handle.close()
      }
    })
  }

  /** Passes the body on in parts, each attempt from the first byte. False: no such object. */
  async get(key: string, attempt: () => Sink | Promise<Sink>): Promise<boolean> {
    return this.#request(async stall => {
      const response = await this.#send({ method: 'GET', key }, stall)
      if (response === undefined) return false
      const sink = await attempt()
      const expected = Number(response.headers.get('content-length') ?? Number.NaN)
      let received = 0
      for await (const part of partsOf(response)) {
        stall.touch()
        received += part.length
        await sink(part)
      }
      if (received < expected) throw new S3Error(reasons.store_cut_off(), true)
      return true
    })
  }

  /** As fast as it is read; a failure in between breaks the stream. `undefined`: no such object. */
  open(key: string): Promise<ReadableStream<Uint8Array> | undefined> {
    return this.#request(async stall => (await this.#send({ method: 'GET', key }, stall))?.body ?? undefined)
  }

  /** Reads the object and returns its SHA-256. `undefined`: no such object. */
  async hashOf(key: string): Promise<string | undefined> {
    let hash = createHash('sha256')
    const exists = await this.get(key, () => {
      hash = createHash('sha256')
      return part => void hash.update(part)
    })
    return exists ? hash.digest('hex') : undefined
  }

  /** Requests one byte: a response to HEAD could not say that the bucket is missing. */
  async find(key: string): Promise<S3Object | undefined> {
    return this.#request(async stall => {
      const response = await this.#send({ method: 'GET', key, headers: { range: 'bytes=0-0' } }, stall)
      if (response === undefined) return undefined
      const { headers } = response
      await response.body?.cancel()
      const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length')
      return { bytes: Number(total), storedAt: new Date(headers.get('last-modified') ?? Number.NaN) }
    })
  }

  /**
   * Repeated only if the store refused: an attempt without an answer may still arrive, and a repeat
   * that succeeds would let others store the same key before it does.
   */
  async delete(key: string): Promise<void> {
    await this.#request(async stall => {
      await drained(await this.#send({ method: 'DELETE', key }, stall))
    }, isRefused)
  }

  /** The keys with this prefix, page by page; none behind a further slash. */
  async *list(prefix: string): AsyncGenerator<string[]> {
    let continuationToken: string | undefined
    do {
      const page = await this.#repeated(() => this.#page(prefix, continuationToken))
      yield (page.contents ?? []).map(({ key }) => key)
      const next = page.isTruncated ? page.nextContinuationToken : undefined
      if (next !== undefined && next === continuationToken) throw new FileStoreUnavailableError(NO_END)
      continuationToken = next
    } while (continuationToken !== undefined)
  }

  async #page(prefix: string, continuationToken: string | undefined): Promise<S3ListObjectsResponse> {
    const listed = this.#client.list({ prefix, delimiter: '/', ...(continuationToken && { continuationToken }) })
    try {
      return await within(this.#machine.timers, this.#limits.stallMs, listed, () => new S3Error(reasons.store_silent(), true))
    } catch (error) {
      if (error instanceof S3Error) throw error
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw code === '' ? unreached(error) : errorOf(code, !(code in HINTS))
    }
  }

  /** `undefined`: no such object. Other failures are thrown. */
  async #send({ method, key, headers = {}, body }: S3Request, stall: StallTimer): Promise<Response | undefined> {
    const expiresIn = method === 'DELETE' ? DELETE_LIFETIME_S : URL_LIFETIME_S
    const url = this.#client.presign(key, { method, expiresIn })
    let response: Response
    try {
      const init = { method, headers: { ...headers, 'accept-encoding': 'identity' }, ...(body && { body }) }
      response = await this.#machine.fetch(url, { ...init, signal: stall.signal, redirect: 'manual' })
    } catch (error) {
      throw unreached(error)
    }
    stall.touch()
    if (response.ok) return response
    const code = await codeOf(response)
    if (code === 'NoSuchKey') return undefined
    throw errorOf(
      code || String(response.status),
      response.status >= 500 || [408, 429].includes(response.status) || code === 'BadDigest',
    )
  }

  /** Repeats the attempt, and aborts one that makes no progress. */
  #request<T>(attempt: (stall: StallTimer) => Promise<T>, isRepeatable = mayPass): Promise<T> {
    return this.#repeated(async () => {
      const stall = new StallTimer(this.#machine.timers, this.#limits.stallMs)
      try {
        return await attempt(stall)
      } finally {
        stall.end()
      }
    }, isRepeatable)
  }

  async #repeated<T>(attempt: () => Promise<T>, isRepeatable = mayPass): Promise<T> {
    const { retryWithinMs, pausesMs } = this.#limits
    const { steadyMs, timers } = this.#machine
    const beganMs = steadyMs()
    for (let repeats = 0; ; repeats++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof S3Error)) throw error
        const pauseMs = pausesMs[repeats]
        if (!isRepeatable(error) || pauseMs === undefined || steadyMs() - beganMs > retryWithinMs) {
          this.#onUnavailable()
          throw new FileStoreUnavailableError(error.message)
        }
        await timers.sleep(pauseMs)
      }
    }
  }
}

const mayPass = (error: S3Error): boolean => error.mayPass
const isRefused = ({ code }: S3Error): boolean => REFUSED.has(code)

export type Sink = (part: Uint8Array) => Promise<void> | void

const NO_END = 'the file store repeats one page of its list without end'

/** The client takes a token from the environment, and no option keeps it from that. */
function requireNoToken(url: string): void {
  if (!url.includes('X-Amz-Security-Token')) return
  throw new FileStoreUnavailableError('AWS_SESSION_TOKEN or S3_SESSION_TOKEN is set and would be sent to the store: unset it')
}

/** Names the cause by its code alone: the error of `fetch` contains the URL. */
function unreached(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  const code = error instanceof Error && 'code' in error ? String(error.code).replaceAll(/\W/g, '') : ''
  if (code === '') return new S3Error(reasons.store_silent(), true)
  return new S3Error(reasons[code.includes('CERT') ? 'store_untrusted' : 'store_unreached']({ errno: code }), true)
}

function errorOf(code: string, mayPass: boolean): S3Error {
  const reason = HINTS[code]?.()
  const text = reason === undefined ? reasons.store_answers({ answer: code }) : reasons.store_refuses({ answer: code, reason })
  return new S3Error(text, mayPass, code)
}

/** Aborts a request that makes no progress. */
class StallTimer {
  readonly #controller = new AbortController()
  readonly #timers: Timers
  readonly #stallMs: number
  #cancel: Cancel | undefined

  constructor(timers: Timers, stallMs: number) {
    this.#timers = timers
    this.#stallMs = stallMs
    this.touch()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  touch(moreMs = 0): void {
    this.#cancel?.()
    const abort = () => this.#controller.abort(new S3Error(reasons.store_silent(), true))
    this.#cancel = this.#timers.after(this.#stallMs + moreMs, abort)
  }

  end(): void {
    this.#cancel?.()
  }
}

/** Reads a part only when the connection takes it. */
function streamOf(handle: OpenFile, onPart: (isLast: boolean) => void): ReadableStream<Uint8Array> {
  let position = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = new Uint8Array(PART_BYTES)
        const { bytesRead } = await handle.read(part, 0, part.length, position)
        position += bytesRead
        onPart(bytesRead === 0)
        if (bytesRead === 0) controller.close()
        else controller.enqueue(part.subarray(0, bytesRead))
      },
    },
    { highWaterMark: 0 },
  )
}

async function digestsOf(fileSystem: FileSystem, path: string): Promise<{ bytes: number; md5: string; sha256: string }> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let bytes = 0
  for await (const part of partsOfFile(fileSystem, path)) {
    md5.update(part)
    sha256.update(part)
    bytes += part.length
  }
  return { bytes, md5: md5.digest('base64'), sha256: sha256.digest('hex') }
}

/** A body that is not read keeps its connection from being used again. */
async function drained(response: Response | undefined): Promise<Response | undefined> {
  await response?.arrayBuffer().catch(() => undefined)
  return response
}

/** A connection that ends in between is a failure of the store, unlike a failure of the reader. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new S3Error(reasons.store_cut_off(), true)
  }
}

/** The code of S3's error document. */
async function codeOf(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => '')
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text.slice(0, MAX_ERROR_BYTES))?.[1]
}
