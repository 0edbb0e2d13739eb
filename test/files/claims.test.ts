/** Claims on stored files: no bytes that a row refers to are deleted, and none stay without one. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { LOGO_SETTING } from '../../src/config/stored-rows.ts'
import type { Tx } from '../../src/db/open.ts'
import { HOLD_MS, saveHold } from '../../src/files/claim-queries.ts'
import {
  abandonFile,
  endUnfinishedClaims,
  type FileClaim,
  FileClaimLostError,
  type FileRemoval,
  finishRemovals,
  keepFile,
  removeIfUnused,
  settleFile,
  sweepUnreferenced,
} from '../../src/files/claims.ts'
import { fileInsertion } from '../../src/files/queries.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import type { App } from '../../src/ports.ts'
import { saveSetting } from '../../src/settings/queries.ts'
import type { FileStore } from '../../src/storage/file-store.ts'
import { openWriting } from '../../src/writing.ts'
import { ENGINE } from '../support/engine.ts'
import { FailingDatabase } from '../support/failing-database.ts'
import { useSmallApp } from '../support/use-app.ts'
import { withMethods } from '../support/with-methods.ts'

const BYTES = Buffer.from('%PDF-1.7 a small one')
const SHA = sha256Hex(BYTES)
const DAY_MS = 86_400_000

const t = useSmallApp()

const withStorage = (methods: Partial<FileStore>): App => ({ ...t.app, storage: withMethods<FileStore>(t.app.storage, methods) })

async function keep(app: App = t.app): Promise<FileClaim> {
  const { path, synced } = await app.storage.writeTemporary(BYTES)
  await synced
  return keepFile(app, path, { sha256: SHA, bytes: BYTES.length })
}

/** The logo, in place of all that may refer to a file. */
const refer = (claim: FileClaim) =>
  t.app.write(async tx => {
    await settleFile(tx, claim, t.app.now())
    await saveSetting(tx, LOGO_SETTING, claim.sha256)
  })
const referTo = (sha256: string) => t.app.write(tx => saveSetting(tx, LOGO_SETTING, sha256))
const begin = (): Promise<FileRemoval[]> => t.app.write(tx => removeIfUnused(t.app, tx, SHA))

const isStored = async () => (await t.app.storage.hashOf(SHA)) === SHA
const rows = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).map(row => row.sha256)
const claims = async () => (await t.app.db.selectFrom('file_claims').select('purpose').execute()).map(row => row.purpose)
const state = async () => ({ isStored: await isStored(), rows: await rows(), claims: await claims() })

const KEPT = { isStored: true, rows: [SHA], claims: [] }
const GONE = { isStored: false, rows: [], claims: [] }

describe('keeping', () => {
  test('leaves no claim of this node behind when the answer to its COMMIT is lost', async () => {
    const failing = new FailingDatabase()
    const app = {
      ...t.app,
      ...openWriting(failing.wrapApp(t.app), { log: t.app.log, committed() {}, wake() {}, onSyncError() {} }),
    }
    failing.commits.push('made')
    await expect(keep(app)).rejects.toMatchObject({ outcome: 'unknown' })
    expect(await state()).toEqual(GONE)
  })

  test('the claim is committed before the bytes get their name, and ends with the row', async () => {
    let before: unknown
    const app = withStorage({
      async keep(path, sha256) {
        before = await state()
        await t.app.storage.keep(path, sha256)
      },
    })
    const claim = await keep(app)
    expect(before).toEqual({ isStored: false, rows: [], claims: ['keep'] })
    expect(await state()).toEqual({ isStored: true, rows: [], claims: ['keep'] })
    await refer(claim)
    expect(await state()).toEqual(KEPT)
  })

  test('bytes that could not be stored leave no claim', async () => {
    const app = withStorage({ keep: () => Promise.reject(new Error('ENOSPC')) })
    await expect(keep(app)).rejects.toThrow('ENOSPC')
    expect(await state()).toEqual(GONE)
  })

  test('a claim that is given up takes its bytes along', async () => {
    await abandonFile(t.app, await keep())
    expect(await state()).toEqual(GONE)
  })

  test('a claim that is given up leaves the bytes that another claim keeps, or a row refers to', async () => {
    const [first, second, third] = [await keep(), await keep(), await keep()]
    await abandonFile(t.app, first)
    expect(await state()).toEqual({ isStored: true, rows: [], claims: ['keep', 'keep'] })
    await refer(second)
    await abandonFile(t.app, third)
    expect(await state()).toEqual(KEPT)
  })

  test('giving up after the commit, whose answer was lost, changes nothing', async () => {
    const claim = await keep()
    await refer(claim)
    await abandonFile(t.app, claim)
    expect(await state()).toEqual(KEPT)
  })
})

test('a claim waits for no sync: a crash ends it anyway', async () => {
  // A set: the work may run twice.
  const levels = new Set<unknown>()
  const noting =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const level = ENGINE === 'sqlite' ? sql`PRAGMA synchronous` : sql`SHOW synchronous_commit`
      for (const row of (await level.execute(tx)).rows) levels.add(Object.values(row as object)[0])
      return work(tx)
    }
  const app: App = {
    ...t.app,
    write: (work, options) => t.app.write(noting(work), options),
    writeUnsynced: work => t.app.writeUnsynced(noting(work)),
  }
  const claim = await keep(app)
  await app.write(tx => settleFile(tx, claim, app.now()))
  expect([...levels]).toEqual(ENGINE === 'sqlite' ? [1, 2] : ['off', 'on'])
})

describe('removing', () => {
  beforeEach(async () => refer(await keep()))

  test('a file that something refers to stays', async () => {
    expect(await begin()).toEqual([])
    expect(await state()).toEqual(KEPT)
  })

  test('the row goes first, then the bytes, then the claim', async () => {
    await referTo('')
    const removals = await begin()
    expect(await state()).toEqual({ isStored: true, rows: [], claims: ['remove'] })
    await finishRemovals(t.app, removals)
    expect(await state()).toEqual(GONE)
  })

  test('bytes that somebody keeps again stay', async () => {
    const claim = await keep()
    await referTo('')
    expect(await begin()).toEqual([])
    await refer(claim)
    expect(await state()).toEqual(KEPT)
  })

  test('a request that stores the same bytes meanwhile waits, and has them afterwards', async () => {
    await referTo('')
    const removals = await begin()
    const order: string[] = []
    const waiting = keep(
      withStorage({
        async keep(path, sha256) {
          order.push('kept')
          await t.app.storage.keep(path, sha256)
        },
      }),
    )
    await finishRemovals(
      withStorage({
        async remove(sha256) {
          await t.app.storage.remove(sha256)
          order.push('removed')
        },
      }),
      removals,
    )
    await refer(await waiting)
    expect(order).toEqual(['removed', 'kept'])
    expect(await state()).toEqual(KEPT)
  })

  test('bytes that cannot be deleted now are deleted by the schedule', async () => {
    await referTo('')
    await finishRemovals(withStorage({ remove: () => Promise.reject(new Error('EIO')) }), await begin())
    expect(await state()).toEqual({ isStored: true, rows: [], claims: ['remove'] })
    await endUnfinishedClaims(t.app)
    expect(await isStored()).toBe(true)
    t.clock.pass({ minutes: 6 })
    await endUnfinishedClaims(t.app)
    expect(await state()).toEqual(GONE)
  })

  test('a process that was stopped in between deletes nothing: others may have stored it again', async () => {
    await referTo('')
    const removals = (await begin()).map(removal => ({ ...removal, begunMs: removal.begunMs - 60_000 }))
    t.clock.pass({ minutes: 6 })
    await refer(await keep())
    await finishRemovals(t.app, removals)
    expect(await isStored()).toBe(true)
    await endUnfinishedClaims(t.app)
    expect(await state()).toEqual(KEPT)
  })

  test('racing keepers and removers of the same bytes never lose what a row refers to', async () => {
    for (let i = 0; i < 60; i++) {
      await referTo('')
      const removing = begin().then(removals => finishRemovals(t.app, removals))
      const kept = keep().then(refer)
      const given = keep().then(claim => abandonFile(t.app, claim))
      await Promise.all([removing, kept, given])
      expect([i, await state()]).toEqual([i, KEPT])
    }
  })
})

describe('after a crash', () => {
  test.each(['before', 'after'])('a claim is over once its node is gone, %s the bytes had their name', async when => {
    if (when === 'after') await keep()
    else await keep(withStorage({ keep: async () => {} }))
    await endUnfinishedClaims(t.app)
    expect(await claims()).toEqual(['keep'])
    await endUnfinishedClaims(await t.rebooted())
    expect(await state()).toEqual(GONE)
  })

  test('what a living node keeps stays, also when the same bytes were left by one that is gone', async () => {
    await keep()
    const later = await t.rebooted()
    const claim = await keep(later)
    await endUnfinishedClaims(later)
    expect(await state()).toEqual({ isStored: true, rows: [], claims: ['keep'] })
    await refer(claim)
    expect(await state()).toEqual(KEPT)
  })

  test('a removal that a clock far ahead has noted is over for the next process, whose clock is right', async () => {
    await refer(await keep())
    await referTo('')
    t.clock.pass({ days: 40 })
    const left = withStorage({ remove: () => Promise.reject(new Error('EIO')) })
    await finishRemovals(left, await begin())
    t.clock.pass({ days: -40 })
    await endUnfinishedClaims(t.app)
    expect(await claims()).toEqual(['remove'])
    const later = await t.rebooted()
    const claim = await keep(later)
    expect((await claims()).sort()).toEqual(['keep', 'remove'])
    await refer(claim)
    await endUnfinishedClaims(later)
    expect(await state()).toEqual(KEPT)
  })

  test('a hold of a process that died with its clock far ahead keeps no file once the clock is right', async () => {
    await refer(await keep())
    await referTo('')
    t.clock.pass({ days: 40 })
    const ahead = t.app.now()
    await t.app.write(tx => saveHold(tx, 'a backup', ahead, new Date(ahead.getTime() + HOLD_MS)))
    expect(await begin()).toEqual([])
    t.clock.pass({ days: -40 })
    const removals = await begin()
    expect(removals).toHaveLength(1)
    await finishRemovals(t.app, removals)
    expect(await isStored()).toBe(false)
  })

  test('a node that was taken for dead cannot refer to bytes that may be gone', async () => {
    const claim = await keep()
    await endUnfinishedClaims(await t.rebooted())
    await expect(refer(claim)).rejects.toMatchObject({ reason: 'storage_unavailable' })
    expect(await state()).toEqual(GONE)
    expect(new FileClaimLostError().outcome).toBe('not-done')
  })
})

describe('the sweep', () => {
  const aged = (ms: number) => withStorage({ storedAt: async () => new Date(t.app.now().getTime() - ms) })

  test('removes old bytes without a row and without a claim', async () => {
    await t.app.storage.keep((await written()).path, SHA)
    expect(await sweepUnreferenced(aged(DAY_MS - 1), DAY_MS)).toBe(0)
    expect(await isStored()).toBe(true)
    expect(await sweepUnreferenced(aged(DAY_MS), DAY_MS)).toBe(1)
    expect(await state()).toEqual(GONE)
  })

  test('leaves bytes with a row, and bytes that are kept at this moment', async () => {
    const claim = await keep()
    expect(await sweepUnreferenced(aged(DAY_MS), DAY_MS)).toBe(0)
    await refer(claim)
    expect(await sweepUnreferenced(aged(DAY_MS), DAY_MS)).toBe(0)
    expect(await state()).toEqual(KEPT)
  })

  test('leaves bytes that get a row while it looks', async () => {
    await t.app.storage.keep((await written()).path, SHA)
    const storedAt = async () => {
      await t.app.write(async tx => {
        await saveSetting(tx, LOGO_SETTING, SHA)
        await fileInsertion(tx, SHA, BYTES.length, t.app.now()).execute()
      })
      return new Date(0)
    }
    expect(await sweepUnreferenced(withStorage({ storedAt }), DAY_MS)).toBe(0)
    expect(await state()).toEqual(KEPT)
  })
})

async function written() {
  const upload = await t.app.storage.writeTemporary(BYTES)
  await upload.synced
  return upload
}
