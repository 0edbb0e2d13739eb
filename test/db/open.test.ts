/** Connections: every pragma is set, readers see committed data, writers wait. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import type { Tx } from '../../src/db/open.ts'
import {
  MAX_STATEMENTS,
  openRaw,
  openSqlite,
  type Raw,
  type SqliteDatabase,
  SqliteReads,
  Statements,
} from '../../src/db/sqlite.ts'
import { isDiskError } from '../../src/lib/disk.ts'
import { useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()
let path: string
const open: { close(): unknown }[] = []

beforeEach(() => {
  path = folder('signet.db')
})

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

function opened(): SqliteDatabase {
  const raw = openRaw(path)
  migrate(raw, NO_CLOCK)
  const database = openSqlite(path, raw)
  open.push(database)
  return database
}

const COUNT = 'SELECT count(*) AS n FROM settings'
const PROMISED = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 5000, trusted_schema: 0 }

describe('every connection', () => {
  test.each(['first', 'second', 'third'])('has its pragmas on the %s open', nth => {
    for (let i = 0; i < ['first', 'second', 'third'].indexOf(nth); i++) {
      const earlier = openRaw(path)
      migrate(earlier, NO_CLOCK)
      earlier.close()
    }
    const raw = openRaw(path)
    migrate(raw, NO_CLOCK)
    const reader = openRaw(path, { reader: true })
    open.push(raw, reader)
    for (const connection of [raw, reader]) {
      const got = Object.keys(PROMISED).map(name => [name, connection.pragma(name, { simple: true })])
      expect(Object.fromEntries(got)).toEqual(PROMISED)
    }
  })

  test('is refused if a pragma has no effect', () => {
    expect(() => openRaw(':memory:')).toThrow('journal_mode')
  })

  test('that reads cannot write', () => {
    const { raw } = opened()
    const reader = openRaw(path, { reader: true })
    open.push(reader)
    expect(() => reader.exec("INSERT INTO settings VALUES ('a', 'b')")).toThrow('readonly')
    expect(raw.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 0 })
  })

  test('enforces foreign keys', () => {
    const { raw } = opened()
    expect(() => raw.exec("INSERT INTO event_details VALUES (99, NULL, '00', '{}')")).toThrow('FOREIGN KEY')
  })
})

describe('a commit', () => {
  const level = async (tx: Tx) => (await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(tx)).rows[0]?.synchronous

  test('is synced, unless its change may be lost; the next one is synced again, also after a failure', async () => {
    const { write } = opened()
    expect(await write(level)).toBe(2)
    expect(await write(level, { durable: false })).toBe(1)
    expect(await write(level)).toBe(2)
    await expect(write(() => Promise.reject(new Error('rolled back')), { durable: false })).rejects.toThrow('rolled back')
    expect(await write(level)).toBe(2)
  })

  test('that need not be durable is so with the next one: both take turns', async () => {
    const { write } = opened()
    const levels = await Promise.all([1, 2, 3, 4, 5, 6].map(i => write(level, { durable: i % 2 === 0 })))
    expect(levels).toEqual([1, 2, 1, 2, 1, 2])
  })
})

describe('reading beside a transaction', () => {
  test('neither waits for it nor sees uncommitted changes', async () => {
    const database = opened()
    const seen = (): Promise<number> =>
      database.db
        .selectFrom('settings')
        .selectAll()
        .execute()
        .then(rows => rows.length)
    await database.write(async tx => {
      await tx.insertInto('settings').values({ name: 'a', value: '1' }).execute()
      expect(await seen()).toBe(0)
      expect(await database.db.reads.first(COUNT, [])).toEqual({ n: 0 })
      await tx.insertInto('settings').values({ name: 'b', value: '2' }).execute()
      expect(await seen()).toBe(0)
    })
    expect(await seen()).toBe(2)
    expect(await database.db.reads.first(COUNT, [])).toEqual({ n: 2 })
  })

  test('a transaction that throws is rolled back, and the next one works', async () => {
    const database = opened()
    const failing = database.write(async tx => {
      await tx.insertInto('settings').values({ name: 'a', value: '1' }).execute()
      throw new Error('changed my mind')
    })
    expect(failing).rejects.toThrow('changed my mind')
    await failing.catch(() => {})
    await database.write(tx => tx.insertInto('settings').values({ name: 'b', value: '2' }).execute())
    expect((await database.db.selectFrom('settings').select('name').execute()).map(r => r.name)).toEqual(['b'])
  })

  test('transactions of one process run one after another', async () => {
    const database = opened()
    const order: string[] = []
    const one = database.write(async tx => {
      order.push('one begins')
      await tx.selectFrom('settings').selectAll().execute()
      await new Promise<void>(resolve => setImmediate(resolve))
      order.push('one ends')
    })
    const two = database.write(async () => void order.push('two'))
    await Promise.all([one, two])
    expect(order).toEqual(['one begins', 'one ends', 'two'])
  })
})

describe('two connections that write', () => {
  test('the lock is taken at BEGIN: a second writer fails before it has read anything', async () => {
    const database = opened()
    const other = openRaw(path)
    open.push(other)
    other.pragma('busy_timeout = 0')
    await database.write(async tx => {
      // Nothing is written yet: a deferred transaction would allow the other one.
      await tx.selectFrom('settings').selectAll().execute()
      expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked')
    })
    other.exec("BEGIN IMMEDIATE; INSERT INTO settings VALUES ('a', 'other'); COMMIT")
    await database.write(async tx => {
      const [row] = await tx.selectFrom('settings').selectAll().execute()
      expect(row?.value).toBe('other')
      await tx.updateTable('settings').set({ value: 'ours' }).execute()
    })
    expect(other.prepare('SELECT value FROM settings').get()).toEqual({ value: 'ours' })
  })
})

describe('a read of a hot path', () => {
  test('prepares its statement once, whatever its values', async () => {
    const { db, raw } = opened()
    const prepare = spyOn(Object.getPrototypeOf(raw) as Raw, 'prepare')
    for (const name of ['a', 'b', 'c']) await db.reads.first('SELECT value FROM settings WHERE name = ?', [name])
    expect(prepare).toHaveBeenCalledTimes(1)
    prepare.mockRestore()
  })

  test('that fails with others leaves the connection usable', async () => {
    const { db } = opened()
    const reads = [COUNT, 'SELECT absent FROM settings'].map(sql => ({ sql, values: [] }))
    await expect(db.reads.allAtOnce(reads)).rejects.toThrow('no such column')
    expect(await db.reads.allAtOnce([{ sql: COUNT, values: [] }])).toEqual([[{ n: 0 }]])
  })

  test('tells by its counter that another connection has committed', async () => {
    const database = opened()
    const before = database.db.reads.changeCounter()
    expect(database.db.reads.changeCounter()).toBe(before as number)
    await database.write(tx => tx.insertInto('settings').values({ name: 'a', value: '1' }).execute())
    expect(database.db.reads.changeCounter()).not.toBe(before as number)
  })
})

describe('closing leaves one file without a write-ahead log', () => {
  const files = () => [...new Bun.Glob('*').scanSync({ cwd: folder() })]

  test('after work on both connections', async () => {
    const database = opened()
    await database.write(tx => tx.insertInto('settings').values({ name: 'a', value: '1' }).execute())
    await database.db.selectFrom('settings').selectAll().execute()
    await database.close()
    open.splice(0)
    expect(files()).toEqual(['signet.db'])
  })

  test('without any reads or writes', async () => {
    const database = opened()
    await database.close()
    open.splice(0)
    expect(files()).toEqual(['signet.db'])
  })
})

test('errors of a full or failing disk are distinguished from all others', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code })
  for (const code of [
    'SQLITE_FULL',
    'SQLITE_IOERR_FSYNC',
    'SQLITE_READONLY',
    'SQLITE_CANTOPEN',
    'ENOSPC',
    'EIO',
    'EROFS',
    'EDQUOT',
  ]) {
    expect([code, isDiskError(withCode(code))]).toEqual([code, true])
  }
  for (const error of [withCode('SQLITE_CONSTRAINT'), withCode('ENOENT'), new Error('SQLITE_FULL'), 'SQLITE_FULL', undefined]) {
    expect(isDiskError(error)).toBe(false)
  }
})

test('what is closed within a transaction keeps nothing of it, and all that was committed before', async () => {
  const database = opened()
  await database.write(tx => tx.insertInto('settings').values({ name: 'before', value: '' }).execute())
  const never = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  void database.write(async tx => {
    await tx.insertInto('settings').values({ name: 'within', value: '' }).execute()
    begun.resolve()
    await never.promise
  })
  await begun.promise
  await database.close()
  open.pop()
  expect(await opened().db.reads.column('SELECT name FROM settings', [])).toEqual(['before'])
})

test('a file that is not a database is not opened', () => {
  writeFileSync(path, 'this is no database, only a text that is long enough to look like one at first sight\n'.repeat(20))
  expect(() => openRaw(path)).toThrow('not a database')
})

test('a client that combines filters in any number of ways leaves a fixed number of prepared statements', async () => {
  const { raw } = opened()
  const [statements, columns] = [new Statements(raw), new Statements(raw)]
  const reads = new SqliteReads(statements, columns)
  for (let i = 0; i < 5 * MAX_STATEMENTS; i++) {
    const sql = `SELECT ${i} AS n`
    expect([await reads.all(sql, []), await reads.value(sql, [])]).toEqual([[{ n: i }], i])
  }
  expect([statements.size, columns.size]).toEqual([MAX_STATEMENTS, MAX_STATEMENTS])
  expect(await reads.value('SELECT 0 AS n', [])).toBe(0)
})
