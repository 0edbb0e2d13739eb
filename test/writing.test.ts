/** Writing to a disk that refuses: told as such, owed where nobody waits, and the end of the process where a sync failed. */
import { beforeEach, expect, test } from 'bun:test'
import type { Tx } from '../src/db/open.ts'
import { openWriting } from '../src/writing.ts'

const TX = {} as Tx
const coded = (code: string) => Object.assign(new Error(code), { code })
let fault: Error | undefined
let woken: number
let syncFaults: unknown[]
let done: string[]

beforeEach(() => {
  fault = undefined
  woken = 0
  syncFaults = []
  done = []
})

const writing = openWriting(
  { write: work => (fault ? Promise.reject(fault) : work(TX)) },
  { log: () => {}, wake: () => void woken++, onSyncError: error => void syncFaults.push(error) },
)
const doing = (name: string) => async () => void done.push(name)

test('a commit wakes the worker, a quiet one does not', async () => {
  expect(await writing.write(async () => 7)).toBe(7)
  await writing.write(async () => 7, { wake: false })
  expect(woken).toBe(1)
})

test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_BUSY'])(
  '%s is told as a disk that refuses, and the process lives',
  async code => {
    fault = coded(code)
    await expect(writing.write(doing('a'))).rejects.toMatchObject({ reason: 'storage_unavailable', retryAfterS: 60 })
    expect(syncFaults).toEqual([])
    expect(woken).toBe(0)
  },
)

test.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC', 'EIO'])(
  '%s is told as such, because nothing after it can be trusted',
  async code => {
    fault = coded(code)
    await expect(writing.write(doing('a'))).rejects.toMatchObject({ reason: 'storage_unavailable' })
    expect(syncFaults).toEqual([fault])
  },
)

test('what nobody waits for is owed while the disk refuses, and done once, in order, when it does not', async () => {
  fault = coded('SQLITE_FULL')
  await writing.writeEventually(doing('first'))
  await writing.writeEventually(doing('second'))
  await expect(writing.flushPending()).rejects.toMatchObject({ reason: 'storage_unavailable' })
  expect(done).toEqual([])
  fault = undefined
  await writing.flushPending()
  await writing.flushPending()
  expect(done).toEqual(['first', 'second'])
})

test('a fault of the work itself is never owed', async () => {
  fault = new TypeError('wrong')
  await expect(writing.writeEventually(doing('a'))).rejects.toBe(fault)
  fault = undefined
  await writing.flushPending()
  expect(done).toEqual([])
})
