/** A bucket that nodes share: it answers late, not at all, or after the client has given up. */
import type { Machine } from '../../src/lib/machine.ts'
import { Life, type World } from './world.ts'

export const BUCKET_WAYS = [
  'works',
  'slow',
  'refuses',
  'silent',
  'unheard',
  'late',
  'other bytes',
  'lacks objects',
  'old lists',
] as const
/**
 * `unheard`: it does the work, but the answer is lost. `late`: as `silent`, and the work is done
 * when the client has given up. `other bytes`, `lacks objects`: so a read says of what is there.
 * `old lists`: without what was stored in the last minutes.
 */
export type BucketWay = (typeof BUCKET_WAYS)[number]

interface Stored {
  bytes: Uint8Array
  atMs: number
}

const ORIGIN = 'https://bucket.example/'
/** Less than a signed deletion is accepted for. */
const MAX_LATE_MS = 100_000
const MAX_SLOW_MS = 15_000
const OLD_LIST_MS = 10 * 60_000
/** Few: so that a list has several. */
const PAGE_KEYS = 5

type Machines = Pick<Machine, 'fetch' | 's3Client'>

const refusal = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status })

export class SimulatedBucket {
  way: BucketWay = 'works'
  /** True time of the last read that said something untrue. */
  liedAtMs = Number.NEGATIVE_INFINITY
  readonly objects = new Map<string, Stored>()
  readonly #life = new Life('bucket')

  constructor(readonly world: World) {}

  machine(life: Life): Machines {
    return {
      fetch: (url, init) => this.#fetch(life, url, init),
      s3Client: () => ({
        presign: (key: string) => ORIGIN + key,
        list: given => this.#list(life, given?.prefix ?? '', given?.continuationToken ?? ''),
      }),
    }
  }

  async #fetch(life: Life, url: string, { method = 'GET', body, headers, signal }: RequestInit): Promise<Response> {
    const { world, way } = this
    const key = url.slice(ORIGIN.length)
    const what = `${method} ${key.slice(0, 16)}`
    const bytes = body ? await bytesOf(body as ReadableStream<Uint8Array>) : new Uint8Array()
    const work = () => this.#answer(method, key, bytes, headers as Record<string, string>)
    await world.wait(life, what)
    signal?.throwIfAborted()
    if (way === 'refuses') return refusal(503, 'SlowDown')
    if (way === 'slow') await orAborted(world.sleep(life, world.chance.between(100, MAX_SLOW_MS)), signal)
    if (way === 'late') world.after(this.#life, world.chance.between(1_000, MAX_LATE_MS), () => void work())
    if (way === 'silent' || way === 'late') await orAborted(new Promise(() => {}), signal)
    const response = method === 'GET' && this.objects.has(key) ? this.#read(work) : work()
    if (way === 'unheard') await orAborted(new Promise(() => {}), signal)
    await world.wait(life, `${what}: answered`)
    signal?.throwIfAborted()
    return response
  }

  /** Of an object that is there. */
  #read(work: () => Response): Response {
    if (this.way !== 'lacks objects' && this.way !== 'other bytes') return work()
    this.liedAtMs = this.world.nowMs
    if (this.way === 'lacks objects') return refusal(404, 'NoSuchKey')
    const { headers, status } = work()
    const length = Number(headers.get('content-length') ?? 1)
    return new Response(streamOf(new Uint8Array(length).fill(0x20)), { status, headers })
  }

  #answer(method: string, key: string, bytes: Uint8Array, headers: Record<string, string> = {}): Response {
    if (method === 'PUT') this.objects.set(key, { bytes, atMs: this.world.nowMs })
    if (method === 'DELETE') this.objects.delete(key)
    if (method !== 'GET') return new Response(null, { status: method === 'PUT' ? 200 : 204 })
    const found = this.objects.get(key)
    if (!found) return refusal(404, 'NoSuchKey')
    const times = { 'last-modified': new Date(found.atMs).toUTCString() }
    const total = found.bytes.length
    if (headers.range === undefined)
      return new Response(streamOf(found.bytes), { headers: { ...times, 'content-length': String(total) } })
    const part = streamOf(found.bytes.slice(0, 1))
    return new Response(part, { status: 206, headers: { ...times, 'content-range': `bytes 0-0/${total}` } })
  }

  async #list(life: Life, prefix: string, after: string) {
    const { world, way } = this
    await world.wait(life, 'list the bucket')
    if (way === 'refuses') throw Object.assign(new Error('simulated'), { code: 'SlowDown' })
    if (way === 'silent' || way === 'late' || way === 'unheard') await new Promise(() => {})
    if (way === 'slow') await world.sleep(life, world.chance.between(100, MAX_SLOW_MS))
    const newestMs = way === 'old lists' ? world.nowMs - OLD_LIST_MS : world.nowMs
    const listed = [...this.objects].filter(([key, { atMs }]) => key.startsWith(prefix) && key > after && atMs <= newestMs)
    const keys = listed.map(([key]) => key).sort()
    const page = keys.slice(0, PAGE_KEYS)
    const isTruncated = keys.length > page.length
    const nextContinuationToken = page.at(-1)
    return {
      contents: page.map(key => ({ key })),
      isTruncated,
      ...(isTruncated && nextContinuationToken !== undefined ? { nextContinuationToken } : {}),
    }
  }
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value)
  return new Uint8Array(Buffer.concat(parts))
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(Uint8Array.from(bytes))
      controller.close()
    },
  })
}

function orAborted(work: Promise<unknown>, signal: AbortSignal | null | undefined): Promise<unknown> {
  const aborted = new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
  aborted.catch(() => undefined)
  return Promise.race([work, aborted])
}
