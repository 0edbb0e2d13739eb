/** Transactions and reads on PostgreSQL, when all is well and when connections fail. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { SchemaTooNewError } from '../../../src/db/migrate.ts'
import { DatabaseUnavailableError, type Tx } from '../../../src/db/open.ts'
import { openPostgresql, type PostgresqlDatabase } from '../../../src/db/postgresql/open.ts'
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'
import { FailingConnections } from '../../support/failing-connections.ts'
import { connectionsTo, giveBack, migratedSchema } from '../../support/pglite.ts'

let schema: string
let connections: FailingConnections
let database: PostgresqlDatabase
let pauses: number[]
let unavailable: number
let tooNew: SchemaTooNewError[]

beforeEach(async () => {
  schema = await migratedSchema()
  connections = new FailingConnections(await connectionsTo(schema))
  pauses = []
  tooNew = []
  unavailable = 0
  database = openPostgresql({
    connections,
    onSchemaTooNew: error => void tooNew.push(error),
    onUnavailable: () => void unavailable++,
    steadyMs: THIS_MACHINE.steadyMs,
    timers: { sleep: async ms => void pauses.push(ms) },
  })
})
afterEach(async () => {
  await database.close()
  await giveBack(schema)
})

const put = (name: string) => (tx: Tx) => tx.insertInto('settings').values({ name, value: 'v' }).execute()
const names = async () => (await database.db.selectFrom('settings').select('name').orderBy('name').execute()).map(row => row.name)

/** What became of a transaction, and how often its work ran. */
async function outcomeOf(work: (tx: Tx) => Promise<unknown>): Promise<[outcome: string, runs: number]> {
  let runs = 0
  const counted = (tx: Tx) => {
    runs++
    return work(tx)
  }
  const outcome = await database.write(counted).then(
    () => 'done',
    error => (error instanceof DatabaseUnavailableError ? error.outcome : String(error)),
  )
  return [outcome, runs]
}

describe('a transaction', () => {
  test('begins, locks the row of writers and sets its time-outs in one round trip', async () => {
    await database.write(put('a'))
    expect(connections.sent).toHaveLength(3)
    expect(connections.sent[0]).toMatch(/^BEGIN;[\s\S]*lock_timeout[\s\S]*FROM writer FOR UPDATE$/)
    expect(connections.sent.at(-1)).toContain('COMMIT')
    expect(await names()).toEqual(['a'])
  })

  test('that fails leaves nothing', async () => {
    const failing = database.write(async tx => {
      await put('a')(tx)
      throw new Error('changed my mind')
    })
    expect(failing).rejects.toThrow('changed my mind')
    expect(await names()).toEqual([])
    expect(connections.broken).toBe(0)
  })

  test('of many at once each sees what the one before has left', async () => {
    await database.write(tx => tx.insertInto('settings').values({ name: 'n', value: '0' }).execute())
    const add = (tx: Tx) =>
      tx
        .selectFrom('settings')
        .select('value')
        .executeTakeFirstOrThrow()
        .then(({ value }) =>
          tx
            .updateTable('settings')
            .set({ value: String(Number(value) + 1) })
            .execute(),
        )
    await Promise.all(Array.from({ length: 20 }, () => database.write(add)))
    expect(await database.db.selectFrom('settings').select('value').executeTakeFirst()).toEqual({ value: '20' })
  })

  test('tells how many rows raw statements changed, too', async () => {
    await database.write(async tx => {
      await put('a')(tx)
      const { numUpdatedRows } = await tx.updateTable('settings').set({ value: 'w' }).executeTakeFirstOrThrow()
      expect(numUpdatedRows).toBe(1n)
    })
  })
})

describe('a failure', () => {
  test.each([
    ['no connection is to be had', { at: 'acquire' }],
    ['the server ends the connection at the begin', { at: 'BEGIN', code: '57P01' }],
    ['the connection ends in the middle', { at: 'insert' }],
    ['two transactions wait for each other', { at: 'insert', code: '40P01' }],
    ['the commit conflicts', { at: 'COMMIT', code: '40001' }],
  ])('before the commit is repeated: %s', async (_, failure) => {
    connections.failures.push(failure, failure)
    const [outcome, runs] = await outcomeOf(put('a'))
    expect([outcome, runs]).toEqual(['done', failure.at === 'insert' || failure.at === 'COMMIT' ? 3 : 1])
    expect(await names()).toEqual(['a'])
  })

  test('is repeated a few times, with pauses, and then reported', async () => {
    connections.failures.push(...Array.from({ length: 20 }, () => ({ at: 'acquire' })))
    expect(await outcomeOf(put('a'))).toEqual(['not-done', 0])
    expect(pauses).toEqual([100, 300, 600, 1000])
    expect(connections.failures).toHaveLength(14)
    // Once, not for each attempt.
    expect(unavailable).toBe(1)
  })

  test('of transactions that are in the way again and again is reported as not done, and the database is there', async () => {
    connections.failures.push(...Array.from({ length: 20 }, () => ({ at: 'insert', code: '40P01' })))
    expect((await outcomeOf(put('a')))[0]).toBe('not-done')
    expect(await names()).toEqual([])
    expect(unavailable).toBe(0)
  })

  test('of the commit, whose answer never comes, is neither repeated nor reported as not done', async () => {
    connections.failures.push({ at: 'COMMIT', runs: true })
    expect(await outcomeOf(put('a'))).toEqual(['unknown', 1])
    expect(await names()).toEqual(['a'])
    connections.failures.push({ at: 'COMMIT' })
    expect(await outcomeOf(put('b'))).toEqual(['unknown', 1])
    expect(await names()).toEqual(['a'])
  })

  test('of the commit, which the server answers with ROLLBACK, fails: nothing was stored', async () => {
    connections.failures.push({ at: 'COMMIT', rollsBack: true })
    expect((await outcomeOf(put('a')))[0]).toBe('not-done')
    expect(await names()).toEqual([])
    expect(await outcomeOf(put('b'))).toEqual(['done', 1])
  })

  test('of the commit, of which the server warns, is not acknowledged: no standby may have it', async () => {
    connections.failures.push({ at: 'COMMIT', warning: 'canceling wait for synchronous replication due to user request' })
    expect(await outcomeOf(put('a'))).toEqual(['unknown', 1])
    expect(await outcomeOf(put('b'))).toEqual(['done', 1])
    expect(await names()).toEqual(['a', 'b'])
  })

  test.each([
    ['the lock was not to be had in time', { at: 'BEGIN', code: '55P03' }],
    ['a statement took too long', { at: 'insert', code: '57014' }],
  ])('that took its time is not repeated: %s', async (_, failure) => {
    connections.failures.push(failure)
    expect((await outcomeOf(put('a')))[0]).toBe('not-done')
    expect(connections.failures).toEqual([])
    expect(await names()).toEqual([])
    expect(await outcomeOf(put('b'))).toEqual(['done', 1])
  })

  test('of a rule of the schema is that of the work', async () => {
    await database.write(put('a'))
    expect((await outcomeOf(put('a')))[0]).toContain('duplicate key')
    expect(pauses).toEqual([])
  })

  test('of a connection ends its use, that of a statement does not', async () => {
    connections.failures.push({ at: 'insert' }, { at: 'insert', code: '40001' })
    await database.write(put('a'))
    expect(connections.broken).toBe(1)
  })

  test('on a standby, which only reads, is reported', async () => {
    connections.failures.push(...Array.from({ length: 6 }, () => ({ at: 'BEGIN', code: '25006' })))
    expect(await outcomeOf(put('a'))).toEqual(['not-done', 0])
  })
})

describe('reads', () => {
  test('give the values that SQLite gives: numbers, texts, bytes, 0 and 1', async () => {
    const sql = `SELECT 1::int8 AS whole, 0.1::float8 AS real, count(*) AS counted, sum(3) AS summed, avg(3) AS mean, true AS flag,
      '\\x00ff'::bytea AS bytes, 'x' AS text, NULL AS nothing, ? AS given, '?' AS mark, now() > '2020-01-01' AS later, '[1]'::json AS list`
    expect(await database.db.reads.first(sql, ['it’s'])).toEqual({
      whole: 1,
      real: 0.1,
      counted: 1,
      summed: 3,
      mean: 3,
      flag: 1,
      bytes: Buffer.from([0, 255]),
      text: 'x',
      nothing: null,
      given: 'it’s',
      mark: '?',
      later: 1,
      list: '[1]',
    })
    expect(await database.db.reads.first('SELECT 1 WHERE false', [])).toBeUndefined()
  })

  test('refuse a number that JavaScript cannot hold', () => {
    expect(database.db.reads.all('SELECT 9007199254740993::int8 AS n', [])).rejects.toThrow('too large')
  })

  test('at once see one state: they are one read-only transaction', async () => {
    await database.write(put('a'))
    const read = { sql: 'SELECT name FROM settings WHERE name = ?', values: ['a'] }
    expect(await database.db.reads.allAtOnce([read, { sql: 'SELECT 2 AS n', values: [] }, read])).toEqual([
      [{ name: 'a' }],
      [{ n: 2 }],
      [{ name: 'a' }],
    ])
    const change = { sql: "INSERT INTO settings VALUES ('b', '')", values: [] }
    expect(database.db.reads.allAtOnce([read, change])).rejects.toThrow()
    expect(await names()).toEqual(['a'])
  })

  test('are repeated on another connection', async () => {
    connections.failures.push({ at: 'SELECT 7' }, { at: 'acquire' }, { at: 'SELECT 7', code: '57P02' })
    expect(await database.db.reads.all('SELECT 7 AS n', [])).toEqual([{ n: 7 }])
    connections.failures.push({ at: 'select "name"' })
    expect(await names()).toEqual([])
    connections.failures.push({ at: 'COMMIT' })
    expect(await database.db.reads.allAtOnce([{ sql: 'SELECT 8 AS n', values: [] }])).toEqual([[{ n: 8 }]])
    expect(unavailable).toBe(0)
  })

  test('change nothing outside of `write`', () => {
    const change = database.db.deleteFrom('settings').execute()
    expect(change).rejects.toThrow('only a transaction of `write` changes the database')
  })
})

describe('a newer executable', () => {
  const upgraded = (values: { schema: number; oldest_writer: number }) =>
    connections.acquire('write').then(async connection => {
      await connection.run('UPDATE writer SET schema = $1, oldest_writer = $2', [values.schema, values.oldest_writer])
      connections.release(connection, false)
    })

  test('that only added to the schema leaves writing to this one', async () => {
    const [before] = (await database.db.reads.all('SELECT schema, oldest_writer FROM writer', [])) as [
      { schema: number; oldest_writer: number },
    ]
    await upgraded({ ...before, schema: before.schema + 1 })
    expect((await outcomeOf(put('a')))[0]).toBe('done')
    await upgraded({ schema: before.schema + 2, oldest_writer: before.schema + 1 })
    expect(await outcomeOf(put('b'))).toEqual(['not-done', 0])
    expect(tooNew[0]).toBeInstanceOf(SchemaTooNewError)
    await upgraded(before)
    expect(await names()).toEqual(['a'])
  })
})
