/** The file store on S3: verified copies nearby, failures that pass, failures that do not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { FileDamagedError, FileStoreUnavailableError } from '../../src/storage/file-store.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'
import { openS3Store, type S3Store, type S3StoreOptions } from '../../src/storage/s3-store.ts'
import { useFreshFolder } from '../support/folders.ts'
import { openS3Server, type S3Server } from '../support/s3-server.ts'

const BYTES = Buffer.from('%PDF-1.7 a small one')
const SHA = sha256Hex(BYTES)
const KEY = `signet/${SHA}.pdf`
const HOUR_MS = 3_600_000

let server: S3Server
const folder = useFreshFolder()
let store: S3Store
let damaged: string[]
let pausedMs: number
let nowMs: number

const open = (options: Partial<S3StoreOptions> = {}): Promise<S3Store> =>
  openS3Store(
    {
      location: parseFilesUrl(server.url),
      folder: folder(),
      maxCacheBytes: 1_000_000,
      onDamage: (sha256, damage) => damaged.push(`${sha256} ${damage}`),
      limits: { stallMs: 200 },
      ...options,
    },
    { ...THIS_MACHINE, now: () => new Date(nowMs), timers: { ...THIS_MACHINE.timers, sleep } },
  )

async function sleep(ms: number): Promise<void> {
  pausedMs += ms
}

beforeEach(async () => {
  server = openS3Server()
  damaged = []
  pausedMs = 0
  nowMs = Date.now()
  store = await open()
})
afterEach(() => server.stop())

async function put(bytes: Uint8Array = BYTES, into = store): Promise<string> {
  const { path, synced } = await into.writeTemporary(bytes)
  await synced
  const sha256 = sha256Hex(bytes)
  await into.keep(path, sha256)
  return sha256
}

/** On another node: nothing is nearby. */
function far(bytes: Uint8Array = BYTES): string {
  const sha256 = sha256Hex(bytes)
  server.objects.set(`signet/${sha256}.pdf`, { bytes, storedAt: new Date() })
  return sha256
}

const copies = () => readdirSync(folder('copies'))
const temporary = () => readdirSync(folder('.making'))
const text = async (path: Promise<string>) => readFileSync(await path, 'latin1')

describe('storing', () => {
  test('puts one object under prefix and hash, and keeps the file as the first copy', async () => {
    await put()
    expect([...server.objects.keys()]).toEqual([KEY])
    expect(Buffer.from(server.objects.get(KEY)?.bytes ?? []).equals(BYTES)).toBe(true)
    expect(await text(store.localPath(SHA))).toBe(BYTES.toString())
    expect(server.requests).toEqual([`PUT ${KEY}`])
    expect(temporary()).toEqual([])
  })

  test('bytes that change on the way are stored again, not accepted', async () => {
    server.failures = ['lie']
    await put()
    expect(server.requests).toEqual([`PUT ${KEY}`, `PUT ${KEY}`])
    expect(Buffer.from(server.objects.get(KEY)?.bytes ?? []).equals(BYTES)).toBe(true)
  })

  test('a file of many parts arrives whole', async () => {
    const large = Buffer.alloc(3_000_000, 'abcdefgh')
    const sha256 = await put(large)
    expect(Buffer.from(server.objects.get(`signet/${sha256}.pdf`)?.bytes ?? []).equals(large)).toBe(true)
  })

  test('an answer without an error document is no success', async () => {
    server.always = 'not found page'
    await expect(put()).rejects.toBeInstanceOf(FileStoreUnavailableError)
    expect(copies()).toEqual([])
  })
})

describe('a copy nearby', () => {
  test('is downloaded once for simultaneous readers, then read from this disk', async () => {
    far()
    const paths = await Promise.all([store.localPath(SHA), store.localPath(SHA), store.intact(SHA).then(copy => copy.path)])
    expect(new Set(paths).size).toBe(1)
    expect(await store.intact(SHA)).toEqual({ path: paths[0] ?? '', bytes: BYTES.length })
    expect(Buffer.from(await store.read(SHA)).equals(BYTES)).toBe(true)
    expect(server.requests).toEqual([`GET ${KEY}`])
  })

  test('is counted: its size, and how often it spared a download', async () => {
    await put()
    rmSync(folder('copies', `${SHA}.pdf`))
    await store.read(SHA)
    await store.read(SHA)
    expect(store.copies()).toEqual({ bytes: BYTES.length, maxBytes: 1_000_000, hits: 1, misses: 1 })
  })

  test('survives a restart', async () => {
    far()
    await store.localPath(SHA)
    expect(await text((await open()).localPath(SHA))).toBe(BYTES.toString())
    expect(server.requests).toEqual([`GET ${KEY}`])
  })

  test.each(['altered', 'removed'])('that was %s is not used: the object is read again', async how => {
    far()
    const path = await store.localPath(SHA)
    if (how === 'altered') writeFileSync(path, 'x')
    else rmSync(path)
    expect(await text(store.localPath(SHA))).toBe(BYTES.toString())
    if (how === 'altered') writeFileSync(path, 'x')
    expect(await text((await open()).localPath(SHA))).toBe(BYTES.toString())
    expect(damaged).toEqual([])
  })

  test('of the least recently used file goes first, none that was asked for within minutes', async () => {
    store = await open({ maxCacheBytes: 250 })
    const hashes = ['a', 'b', 'c', 'd'].map(letter => far(Buffer.alloc(100, letter)))
    const [a = '', b = '', c = '', d = ''] = hashes
    for (const sha256 of [a, b, c]) await store.localPath(sha256)
    expect(copies()).toHaveLength(3)
    nowMs += HOUR_MS
    await store.localPath(a)
    await store.localPath(d)
    expect(copies().toSorted()).toEqual([`${a}.pdf`, `${d}.pdf`].toSorted())
    expect(existsSync(await store.localPath(b))).toBe(true)
  })

  test('of a file without a row goes with the sweep, unless it is in use', async () => {
    const [kept, gone] = [await put(), await put(Buffer.from('another'))]
    const sweep = () => store.sweepDisk(async () => new Set([kept]), new Date(nowMs))
    expect(await sweep()).toBe(0)
    nowMs += HOUR_MS
    expect(await sweep()).toBe(1)
    expect(copies()).toEqual([`${kept}.pdf`])
    expect(server.objects.has(`signet/${gone}.pdf`)).toBe(true)
  })
})

describe('damage', () => {
  test('wrong bytes are never handed out, and are reported', async () => {
    server.objects.set(KEY, { bytes: Buffer.from('%PDF-1.7 something else'), storedAt: new Date() })
    for (const ask of [() => store.localPath(SHA), () => store.intact(SHA), () => store.read(SHA)])
      await expect(ask()).rejects.toBeInstanceOf(FileDamagedError)
    expect(await store.hashOf(SHA)).not.toBe(SHA)
    expect(damaged).toEqual(Array.from({ length: 4 }, () => `${SHA} changed`))
    expect([...copies(), ...temporary()]).toEqual([])
  })

  test('a missing object is reported as missing', async () => {
    for (const ask of [() => store.localPath(SHA), () => store.read(SHA), () => store.sizeOf(SHA)])
      await expect(ask()).rejects.toThrow('missing')
    expect(await store.hashOf(SHA)).toBeUndefined()
    expect(damaged).toEqual(Array.from({ length: 4 }, () => `${SHA} missing`))
    expect(await store.storedAt(SHA)).toBeUndefined()
  })

  test('of the object is found although an intact copy is nearby', async () => {
    await put()
    far(BYTES)
    server.objects.set(KEY, { bytes: Buffer.from('rotten'), storedAt: new Date() })
    expect(await store.hashOf(SHA)).toBe(sha256Hex('rotten'))
    expect(damaged).toEqual([`${SHA} changed`])
  })

  test('a missing bucket or a page of somebody else says nothing about a file', async () => {
    for (const failure of ['no bucket', 'not found page'] as const) {
      server.always = failure
      await expect(store.hashOf(SHA)).rejects.toBeInstanceOf(FileStoreUnavailableError)
      await expect(store.storedAt(SHA)).rejects.toBeInstanceOf(FileStoreUnavailableError)
    }
    expect(damaged).toEqual([])
  })
})

describe('a failure that passes', () => {
  test.each(['unavailable', 'busy', 'stall', 'cut'] as const)('is not noticed: %s', async failure => {
    const failures = [failure, failure]
    far()
    server.failures = [...failures]
    expect(await text(store.localPath(SHA))).toBe(BYTES.toString())
    server.failures = failure === 'cut' ? [] : [...failures]
    await put(Buffer.from('another'))
    server.failures = [...failures]
    expect(await store.hashOf(SHA)).toBe(SHA)
    server.failures = failure === 'cut' || failure === 'stall' ? [] : [...failures]
    await store.remove(SHA)
    expect(server.objects.has(KEY)).toBe(false)
    expect(pausedMs).toBeGreaterThan(0)
    expect(damaged).toEqual([])
  })

  test.each(['unavailable', 'busy', 'stall', 'cut', 'refuse'] as const)(
    'that does not pass is a clear error: %s',
    async failure => {
      far()
      server.always = failure
      const thrown = await store.localPath(SHA).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(FileStoreUnavailableError)
      const message = thrown instanceof Error ? `${thrown.message} ${thrown.stack} ${String(thrown.cause)}` : ''
      expect(message).toContain('file store')
      expect(message).not.toMatch(/X-Amz|SECRET|KEY/)
      expect([damaged, copies(), temporary()]).toEqual([[], [], []])
      expect(server.requests.length).toBe(failure === 'refuse' ? 1 : 5)
    },
  )

  test('a store that cannot be reached is a clear error, and each is counted', async () => {
    await server.stop()
    let count = 0
    store = await open({ onUnavailable: () => count++ })
    for (const ask of [
      () => store.localPath(SHA),
      () => put(),
      () => store.remove(SHA),
      () => store.ping(),
      () => store.list().next(),
    ])
      await expect(ask()).rejects.toThrow('file store')
    expect(count).toBeGreaterThanOrEqual(5)
    await expect(store.localPath(SHA)).rejects.toThrow('does not answer (ECONNREFUSED)')
    server = openS3Server()
  })

  test('a full disk is no failure of the store', async () => {
    far()
    rmSync(folder('.making'), { recursive: true })
    await expect(store.localPath(SHA)).rejects.toThrow('ENOENT')
    mkdtempSync(folder('.making'))
  })
})

test('a list that repeats one page without end is an error', async () => {
  const page =
    '<?xml version="1.0"?><ListBucketResult><Name>files</Name><IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken></ListBucketResult>'
  const endless = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(page) })
  const listing = await open({ location: parseFilesUrl(`s3://KEY:SECRET@127.0.0.1:${endless.port}/files?tls=off`) })
  await expect(Array.fromAsync(listing.list())).rejects.toThrow('without end')
  await endless.stop(true)
})

test('lists all pages, and of other keys none', async () => {
  server.pageSize = 3
  const hashes = Array.from({ length: 10 }, (_, i) => far(Buffer.from(`file ${i}`)))
  for (const key of [`${SHA}.pdf`, `signet/deeper/${SHA}.pdf`, 'signet/readme.txt', `signet/${SHA}.pdf.bak`])
    server.objects.set(key, { bytes: BYTES, storedAt: new Date() })
  const listed: string[] = []
  for await (const names of store.list()) listed.push(...names)
  expect(listed.toSorted()).toEqual(hashes.toSorted())
  expect(server.requests.filter(request => request === 'GET ?list').length).toBeGreaterThan(3)
})

test('tells size and time of an object without reading it', async () => {
  const at = new Date('2026-11-20T10:00:00Z')
  server.objects.set(KEY, { bytes: BYTES, storedAt: at })
  expect(await store.sizeOf(SHA)).toBe(BYTES.length)
  expect(await store.storedAt(SHA)).toEqual(at)
  expect(copies()).toEqual([])
})

test('replaces no object by a file that has another hash', async () => {
  await put()
  const { path, synced } = await store.writeTemporary(Buffer.from('changed on the way'))
  await synced
  await expect(store.keep(path, SHA)).rejects.toThrow('has another hash')
  expect(await store.hashOf(SHA)).toBe(SHA)
})

test('a removal that arrives after more than two minutes is refused by the store', async () => {
  const lifetimes: Record<string, string | null> = {}
  server.seen = ({ method, url }) => {
    lifetimes[method] = new URL(url).searchParams.get('X-Amz-Expires')
  }
  await put()
  await store.remove(SHA)
  expect(lifetimes).toEqual({ PUT: '300', DELETE: '120' })
})

test('repeats no removal that was not answered: it may arrive late, after others stored the same bytes again', async () => {
  await put()
  server.failures = ['stall']
  await expect(store.remove(SHA)).rejects.toThrow(FileStoreUnavailableError)
  expect(server.requests).toEqual([`PUT ${KEY}`, `DELETE ${KEY}`])
  expect(pausedMs).toBe(0)
})

test('the check of the store puts, gets and deletes an object of its own', async () => {
  await store.ping()
  expect(server.objects.size).toBe(0)
  expect(server.requests.map(request => request.split(' ')[0])).toEqual(['PUT', 'GET', 'GET', 'DELETE'])
  server.failures = [undefined, undefined, 'lie']
  await expect(store.ping()).rejects.toThrow('does not return what was stored')
  expect(server.objects.size).toBe(0)
  expect(temporary()).toEqual([])
})

test('is not opened with a session token in the environment, which would go along with the keys', () => {
  const script = `
    const { openS3Store } = await import('${join(import.meta.dir, '../../src/storage/s3-store.ts')}')
    const { parseFilesUrl } = await import('${join(import.meta.dir, '../../src/storage/files-url.ts')}')
    const { THIS_MACHINE } = await import('${join(import.meta.dir, '../../src/lib/this-machine.ts')}')
    const options = { location: parseFilesUrl('${server.url}'), folder: '${folder}', maxCacheBytes: 1 }
    const opening = openS3Store(options, THIS_MACHINE)
    console.log(await opening.then(() => 'opened', error => error.message))`
  const opened = (env: Record<string, string>) => Bun.spawnSync([process.execPath, '-e', script], { env }).stdout.toString()
  expect(opened({ AWS_SESSION_TOKEN: 'token' })).toContain('unset it')
  expect(opened({})).toBe('opened\n')
})
