/** Writing to a failing disk: refusals, changes that wait, and sync errors. */
import { beforeEach, expect, test } from 'bun:test'
import type { Tx } from '../src/db/open.ts'
import { openWriting } from '../src/writing.ts'

const TX = {} as Tx
const coded = (code: string) => Object.assign(new Error(code), { code })
let failure: Error | undefined
let woken: number
let syncErrors: unknown[]
let done: string[]

beforeEach(() => {
  failure = undefined
  woken = 0
  syncErrors = []
  done = []
})

const writing = openWriting(
  { write: work => (failure ? Promise.reject(failure) : work(TX)) },
  { log: () => {}, committed: () => {}, wake: () => void woken++, onSyncError: error => void syncErrors.push(error) },
)
const doing = (name: string) => async () => void done.push(name)

test('a commit wakes the worker, unless wake is false', async () => {
  expect(await writing.write(async () => 7)).toBe(7)
  await writing.write(async () => 7, { wake: false })
  expect(woken).toBe(1)
})

test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_BUSY'])(
  '%s becomes a refusal, and the process continues',
  async code => {
    failure = coded(code)
    await expect(writing.write(doing('a'))).rejects.toMatchObject({ reason: 'storage_unavailable', retryAfterS: 60 })
    expect(syncErrors).toEqual([])
    expect(woken).toBe(0)
  },
)

test.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC', 'EIO'])(
  '%s is reported, because later commits cannot be trusted',
  async code => {
    failure = coded(code)
    await expect(writing.write(doing('a'))).rejects.toMatchObject({ reason: 'storage_unavailable' })
    expect(syncErrors).toEqual([failure])
  },
)

test('changes that may wait are kept while the disk refuses, and made once and in order afterwards', async () => {
  failure = coded('SQLITE_FULL')
  await writing.writeEventually(doing('first'))
  await writing.writeEventually(doing('second'))
  await expect(writing.flushPending()).rejects.toMatchObject({ reason: 'storage_unavailable' })
  expect(done).toEqual([])
  failure = undefined
  await writing.flushPending()
  await writing.flushPending()
  expect(done).toEqual(['first', 'second'])
})

test('a change that fails by itself is not kept', async () => {
  failure = new TypeError('wrong')
  await expect(writing.writeEventually(doing('a'))).rejects.toBe(failure)
  failure = undefined
  await writing.flushPending()
  expect(done).toEqual([])
})
