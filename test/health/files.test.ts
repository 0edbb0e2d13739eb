/** What `signet doctor` says about files in an S3 bucket: the store, a sample, rows and objects. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileInsertion } from '../../src/files/queries.ts'
import { checkFiles } from '../../src/health/checks.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import type { App } from '../../src/ports.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'
import { openS3Store } from '../../src/storage/s3-store.ts'
import { openS3Server, type S3Server } from '../support/s3-server.ts'
import { openSmallApp, type SmallApp } from '../support/small-app.ts'

let small: SmallApp
let server: S3Server
let app: App

beforeEach(async () => {
  small = await openSmallApp()
  server = openS3Server()
  const limits = { stallMs: 200, pausesMs: [] }
  const location = parseFilesUrl(server.url)
  const storage = await openS3Store({ location, folder: join(small.folder, 'cache'), maxCacheBytes: 1e9, limits }, THIS_MACHINE)
  // Objects are stored now, which the clock of the test does not know.
  app = { ...small.app, storage, now: () => new Date(Date.now() + 3 * 86_400_000) }
})
afterEach(async () => {
  await server.stop()
  await small.close()
})

/** Stores an object, with a row or without. */
async function store(text: string, hasRow = true): Promise<string> {
  const bytes = Buffer.from(text)
  const sha256 = sha256Hex(bytes)
  const { path, synced } = await app.storage.writeTemporary(bytes)
  await synced
  await app.storage.keep(path, sha256)
  if (hasRow) await app.write(tx => fileInsertion(tx, sha256, bytes.length, app.now()).execute())
  return sha256
}

const check = async (areAllChecked = true) =>
  (await checkFiles(app, areAllChecked)).map(
    ({ verdict, name, message }) => `${verdict} ${name}: ${message.replace(/\d+ ms/, 'N ms')}`,
  )

test('a store in order: the probe, every hash, every object and the copies', async () => {
  await store('%PDF-1.7 one')
  await store('%PDF-1.7 two')
  expect(await check()).toEqual([
    'ok file store: an object was put, read and deleted in N ms',
    'ok files: 2 files, the hash of each matches its name',
    'ok objects: 0 old and without a row, of 2 looked at',
    'ok copies: 0 MB of at most 1000 MB in the data folder',
  ])
  expect((await check(false))[1]).toBe('ok files: 2 files, the hash of each matches its name')
})

test('a row without an object and an object that changed are named, although copies are intact', async () => {
  const [lost, changed] = [await store('%PDF-1.7 lost'), await store('%PDF-1.7 changed')]
  for (const key of [...server.objects.keys()]) {
    if (key.includes(lost)) server.objects.delete(key)
    else server.objects.set(key, { bytes: Buffer.from('%PDF-1.7 CHANGED'), storedAt: new Date() })
  }
  const problems = (await check()).filter(line => line.startsWith('error'))
  expect(problems.sort()).toEqual(
    [
      `error files: ${changed}.pdf has changed: restore it from a backup`,
      `error files: ${lost}.pdf is missing: restore it from a backup`,
    ].sort(),
  )
})

test('an old object without a row is counted, a new one may belong to an upload', async () => {
  await store('%PDF-1.7 orphan', false)
  expect(await check()).toContain(
    'warning objects: 1 old and without a row, of 1 looked at: the daily sweep should have removed them',
  )
  app = { ...app, now: () => new Date() }
  expect(await check()).toContain('ok objects: 0 old and without a row, of 1 looked at')
})

test('a store that does not answer is one finding, without its secret', async () => {
  await store('%PDF-1.7 one')
  await server.stop()
  const findings = await check()
  expect(findings).toHaveLength(1)
  expect(findings[0]).toStartWith('error file store: the file store does not answer')
  expect(findings[0]).not.toContain(parseFilesUrl(server.url).secretAccessKey)
  rmSync(join(small.folder, 'cache'), { recursive: true })
  server = openS3Server()
})
