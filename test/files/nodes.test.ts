/** Nodes that keep and remove the same bytes in one bucket: no row is ever without its object. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { LOGO_SETTING } from '../../src/config/stored-rows.ts'
import {
  abandonFile,
  endUnfinishedClaims,
  type FileClaim,
  finishRemovals,
  keepFile,
  removeIfUnused,
  settleFile,
  sweepUnreferenced,
} from '../../src/files/claims.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import type { App } from '../../src/ports.ts'
import { saveSetting } from '../../src/settings/queries.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'
import { openS3Store } from '../../src/storage/s3-store.ts'
import { joinNode, pass, type TestNode, UNTIL_REMOVED_MS } from '../support/nodes.ts'
import { openS3Server, type S3Server } from '../support/s3-server.ts'
import { openSmallApp, type SmallApp } from '../support/small-app.ts'

let t: SmallApp
let server: S3Server
let a: TestNode
let b: TestNode

beforeEach(async () => {
  t = await openSmallApp()
  server = openS3Server()
  server.now = () => t.clock.now
  ;[a, b] = [await nodeOf('a'), await nodeOf('b')]
})
afterEach(async () => {
  await t.close()
  await server.stop()
})

async function nodeOf(name: string): Promise<TestNode> {
  const joined = await joinNode(t, name)
  const location = parseFilesUrl(server.url)
  joined.app.storage = await openS3Store({ location, folder: join(t.folder, name), maxCacheBytes: 1e6 }, THIS_MACHINE)
  return joined
}

async function keep(app: App, bytes: Uint8Array): Promise<FileClaim> {
  const { path, synced } = await app.storage.writeTemporary(bytes)
  await synced
  return keepFile(app, path, { sha256: sha256Hex(bytes), bytes: bytes.length })
}

const refer = (app: App, claim: FileClaim) =>
  app.write(async tx => {
    await settleFile(tx, claim, app.now())
    await saveSetting(tx, LOGO_SETTING, claim.sha256)
  })

async function remove(app: App, sha256: string): Promise<void> {
  await finishRemovals(app, await app.write(tx => removeIfUnused(app, tx, sha256)))
}

const objects = () => [...server.objects.keys()].map(key => key.slice('signet/'.length, -'.pdf'.length))
const rows = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).map(row => row.sha256)
const claims = () => t.app.db.selectFrom('file_claims').selectAll().execute()

/** Requests arrive after a number of turns that differs from one to the next. */
function shuffle(seed: number): void {
  let state = seed
  server.before = async () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    for (let turns = state % 13; turns > 0; turns--) await new Promise(resolve => setImmediate(resolve))
  }
}

test('racing nodes never lose what a row refers to, and leave nothing else', async () => {
  for (let i = 0; i < 40; i++) {
    shuffle(i + 1)
    const bytes = Buffer.from(`round ${i >> 2}`)
    const sha256 = sha256Hex(bytes)
    await t.app.write(tx => saveSetting(tx, LOGO_SETTING, ''))
    await Promise.all([
      remove(a.app, sha256),
      keep(b.app, bytes).then(claim => refer(b.app, claim)),
      keep(a.app, bytes).then(claim => abandonFile(a.app, claim)),
      remove(b.app, sha256),
      sweepUnreferenced(a.app, 0),
      keep(b.app, Buffer.from('another')).then(claim => abandonFile(b.app, claim)),
    ])
    expect([i, await a.app.storage.hashOf(sha256)]).toEqual([i, sha256])
    expect((await rows()).includes(sha256)).toBe(true)
  }
  await sweepUnreferenced(a.app, 0)
  expect(objects().toSorted()).toEqual((await rows()).toSorted())
  expect(await claims()).toEqual([])
})

test('a node that is stopped between object and row finds its claim gone; its object is removed', async () => {
  const bytes = Buffer.from('of a stopped node')
  const claim = await keep(a.app, bytes)
  await pass(t, UNTIL_REMOVED_MS, [b])
  await endUnfinishedClaims(b.app)
  expect([objects(), await claims()]).toEqual([[], []])
  await expect(refer(a.app, claim)).rejects.toMatchObject({ reason: 'storage_unavailable' })
  expect(await rows()).toEqual([])
})

test('a node that is stopped before the object arrives leaves one that the sweep removes', async () => {
  const bytes = Buffer.from('late')
  const stopped = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  server.before = request => {
    if (!request.startsWith('PUT')) return
    arrived.resolve()
    return stopped.promise
  }
  const keeping = keep(a.app, bytes)
  await arrived.promise
  await pass(t, UNTIL_REMOVED_MS, [b])
  await endUnfinishedClaims(b.app)
  expect(await claims()).toEqual([])
  stopped.resolve()
  await expect(refer(a.app, await keeping)).rejects.toMatchObject({ reason: 'storage_unavailable' })
  expect([objects().length, await rows()]).toEqual([1, []])
  t.clock.pass({ hours: 25 })
  expect(await sweepUnreferenced(b.app, 24 * 3_600_000)).toBe(1)
  expect(objects()).toEqual([])
})

test('a node stores again what another, now dead, was removing', async () => {
  const bytes = Buffer.from('removed and stored again')
  await refer(a.app, await keep(a.app, bytes))
  await t.app.write(tx => saveSetting(tx, LOGO_SETTING, ''))
  await a.app.write(tx => removeIfUnused(a.app, tx, sha256Hex(bytes)))
  t.clock.pass({ minutes: 6 })
  await refer(b.app, await keep(b.app, bytes))
  await endUnfinishedClaims(b.app)
  expect([objects(), await rows(), await claims()]).toEqual([[sha256Hex(bytes)], [sha256Hex(bytes)], []])
})
