/** Writing to a failing disk: refusals, changes that wait, and sync errors. */
import { beforeEach, expect, test } from 'bun:test'
import { DatabaseUnavailableError, type Tx } from '../src/db/open.ts'
import { openWriting } from '../src/writing.ts'
import { writingTwice } from './support/write-twice.ts'

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

test.each([
  ['not-done', 'Nothing was stored'],
  ['unknown', 'may have been stored'],
] as const)('a lost connection becomes a refusal that says what is known: %s', async (outcome, text) => {
  failure = new DatabaseUnavailableError(outcome)
  const refusal = await writing.write(doing('a')).catch(error => error)
  expect(refusal).toMatchObject({ reason: 'storage_unavailable', retryAfterS: 5, outcome })
  expect(refusal.message).toContain(text)
})

test('waiting changes are made before the next one, which does not wait for them if they fail', async () => {
  failure = new DatabaseUnavailableError('not-done')
  await writing.writeEventually(doing('waiting'))
  await expect(writing.write(doing('refused'))).rejects.toMatchObject({ reason: 'storage_unavailable' })
  failure = undefined
  await writing.write(doing('next'))
  expect(done).toEqual(['waiting', 'next'])
})

test('a waiting change that fails by itself holds up no others', async () => {
  failure = coded('SQLITE_FULL')
  await writing.writeEventually(async () => {
    throw new TypeError('wrong')
  })
  await writing.writeEventually(doing('other'))
  failure = undefined
  await writing.flushPending()
  expect(done).toEqual(['other'])
})

test('what follows a commit is done once, also if the database runs the work twice', async () => {
  const ran: string[] = []
  const committed: Tx[] = []
  const twice = openWriting(
    { write: writingTwice(async work => work({} as Tx)) },
    { log: () => {}, committed: tx => void committed.push(tx), wake: () => {}, onSyncError: () => {} },
  )
  let runs = 0
  await twice.write(async tx => {
    const run = ++runs
    twice.afterCommit(tx, () => void ran.push(`after run ${run}`))
  })
  expect([runs, ran, committed.length]).toEqual([2, ['after run 2'], 1])
  const failed = twice.write(async tx => {
    twice.afterCommit(tx, () => void ran.push('never'))
    throw new TypeError('wrong')
  })
  await expect(failed).rejects.toThrow('wrong')
  expect(ran).toEqual(['after run 2'])
})
