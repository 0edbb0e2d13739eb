/**
 * Migrations run forward only, one transaction each. Newer, foreign and changed databases stay
 * unchanged.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Migration, migrations, oldestWriterOf } from '../../migrations/index.ts'
import {
  APPLICATION_ID,
  checkSchema,
  ForeignSchemaError,
  latestVersion,
  migrate,
  NO_CLOCK,
  SchemaTooNewError,
} from '../../src/db/migrate.ts'
import { listSnapshots, makeSnapshot, readSnapshot } from '../../src/db/snapshots.ts'
import { openRaw, openUnchanged, type Raw } from '../../src/db/sqlite.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()
let path: string

beforeEach(() => {
  path = folder('signet.db')
})

function using<T>(work: (raw: Raw) => T): T {
  const raw = openRaw(path)
  try {
    return work(raw)
  } finally {
    raw.close()
  }
}

const tables = (raw: Raw) =>
  (raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as { name: string }[]).map(r => r.name)

/** Creates a database of another program, with rollback journal. */
function foreign(sql: string): void {
  const raw = openRaw(path)
  raw.pragma('journal_mode = DELETE')
  raw.exec(sql)
  raw.close()
}

/** Does what a start does, and expects the file to stay the same. */
function refusedUntouched(kind: typeof ForeignSchemaError | typeof SchemaTooNewError): Error {
  const before = sha256Hex(readFileSync(path))
  let thrown: unknown
  const raw = openUnchanged(path)
  try {
    checkSchema(raw)
  } catch (error) {
    thrown = error
  } finally {
    raw.close()
  }
  expect(thrown).toBeInstanceOf(kind)
  expect(sha256Hex(readFileSync(path))).toBe(before)
  expect(readdirSync(folder())).toEqual(['signet.db'])
  return thrown as Error
}

const ADDS: Migration = { version: latestVersion() + 1, name: 'adds', sql: 'CREATE TABLE added (a TEXT) STRICT;' }
const FAILS: Migration = {
  version: latestVersion() + 2,
  name: 'fails',
  sql: 'CREATE TABLE half (a TEXT) STRICT; INSERT INTO nowhere VALUES (1);',
}

describe('a fresh folder', () => {
  test('gets every migration with its checksum, and the application id', () => {
    using(raw => {
      expect(checkSchema(raw)).toBe(0)
      expect(migrate(raw, NO_CLOCK)).toEqual(migrations.map(m => `${String(m.version).padStart(4, '0')}_${m.name}`))
      expect(raw.pragma('user_version', { simple: true })).toBe(latestVersion())
      expect(raw.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
      expect(raw.prepare('SELECT version, name, sha256 FROM migrations').all()).toEqual(
        migrations.map(m => ({ version: m.version, name: m.name, sha256: sha256Hex(m.sql) })),
      )
      expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(raw.pragma('foreign_key_check')).toEqual([])
    })
  })

  test('does not change when it is migrated again', () => {
    using(raw => migrate(raw, NO_CLOCK))
    const before = sha256Hex(readFileSync(path))
    expect(using(raw => migrate(raw, NO_CLOCK))).toEqual([])
    expect(using(raw => checkSchema(raw))).toBe(latestVersion())
    expect(sha256Hex(readFileSync(path))).toBe(before)
  })

  test('needs no snapshot', () => {
    using(raw => migrate(raw, NO_CLOCK, { beforeChange: () => writeFileSync(folder('backups'), '') }))
    expect(existsSync(folder('backups'))).toBe(false)
  })
})

describe('the list', () => {
  test('counts from one without missing numbers', () => {
    expect(migrations.map(m => m.version)).toEqual(migrations.map((_, i) => i + 1))
    expect(migrations.every(m => /^[a-z0-9_]+$/.test(m.name) && m.sql.length > 0)).toBe(true)
  })

  test('contains every file of the folder', () => {
    const files = readdirSync(join(import.meta.dir, '../../migrations')).filter(name => name.endsWith('.sql'))
    expect(files.sort()).toEqual(migrations.map(m => `${String(m.version).padStart(4, '0')}_${m.name}.sql`))
  })
})

describe('an older schema', () => {
  test('is copied before the first change, and only missing migrations run', () => {
    using(raw => {
      migrate(raw, NO_CLOCK)
      raw.exec("INSERT INTO settings VALUES ('a', 'kept')")
    })
    const list = [...migrations, ADDS]
    const KEY = new Uint8Array(32).fill(7)
    const backups = folder('backups')
    const copyOf = (raw: Raw, at: string) => (version: number) =>
      makeSnapshot(raw, backups, { kind: 'before', version }, KEY, { now: () => new Date(at), random: THIS_MACHINE.random })
    expect(using(raw => migrate(raw, NO_CLOCK, { beforeChange: copyOf(raw, '2026-11-23T16:15:00.000Z'), list }))).toEqual([
      `${String(ADDS.version).padStart(4, '0')}_adds`,
    ])
    const [snapshot, another] = listSnapshots(backups)
    expect([snapshot?.name, another]).toEqual([`before-schema-${ADDS.version}.20261123T161500Z.encrypted`, undefined])
    expect(snapshot?.at).toEqual(new Date('2026-11-23T16:15:00.000Z'))
    expect(statSync(backups).mode & 0o077).toBe(0)
    expect(readdirSync(backups)).toHaveLength(1)
    expect(readFileSync(snapshot?.path ?? '').includes('kept')).toBe(false)
    const read = folder('read.db')
    if (snapshot) readSnapshot(snapshot, KEY, read)
    const copy = openRaw(read)
    expect(copy.pragma('user_version', { simple: true })).toBe(latestVersion())
    expect(copy.prepare('SELECT value FROM settings').get()).toEqual({ value: 'kept' })
    expect(tables(copy)).not.toContain('added')
    copy.close()
    if (snapshot) expect(() => readSnapshot(snapshot, new Uint8Array(32), read)).toThrow('another master key')
    using(raw => {
      expect(tables(raw)).toContain('added')
      expect(raw.prepare('SELECT value FROM settings').get()).toEqual({ value: 'kept' })
    })
  })

  test('keeps its schema if a migration fails', () => {
    using(raw => migrate(raw, NO_CLOCK))
    const list = [...migrations, ADDS, FAILS]
    expect(() => using(raw => migrate(raw, NO_CLOCK, { list }))).toThrow('nowhere')
    using(raw => {
      expect(raw.pragma('user_version', { simple: true })).toBe(ADDS.version)
      expect(tables(raw)).toContain('added')
      expect(tables(raw)).not.toContain('half')
      expect(raw.prepare('SELECT max(version) AS v FROM migrations').get()).toEqual({ v: ADDS.version })
    })
    expect(using(raw => migrate(raw, NO_CLOCK, { list: [...migrations, ADDS] }))).toEqual([])
  })
})

describe('stays unchanged to the byte', () => {
  test('a newer schema, with both versions named', () => {
    using(raw => {
      migrate(raw, NO_CLOCK)
      raw.pragma('user_version = 9999')
    })
    const { message } = refusedUntouched(SchemaTooNewError)
    expect(message).toContain('9999')
    expect(message).toContain(`schema ${latestVersion()}`)
  })

  test('a newer schema with the same first migrations', () => {
    using(raw => migrate(raw, NO_CLOCK, { list: [...migrations, ADDS] }))
    refusedUntouched(SchemaTooNewError)
  })

  test('a schema whose migration had another text', () => {
    using(raw => {
      migrate(raw, NO_CLOCK)
      raw.prepare('UPDATE migrations SET sha256 = ? WHERE version = 1').run('0'.repeat(64))
    })
    expect(refusedUntouched(ForeignSchemaError).message).toContain('Migration 1')
  })

  test('a schema with missing rows of migrations', () => {
    using(raw => {
      migrate(raw, NO_CLOCK)
      raw.exec('DELETE FROM migrations')
    })
    refusedUntouched(ForeignSchemaError)
  })

  test('a database with the application id of another program', () => {
    foreign('PRAGMA application_id = 252006674; CREATE TABLE theirs (a);')
    refusedUntouched(ForeignSchemaError)
  })

  test('a database of another program without an application id', () => {
    foreign('CREATE TABLE theirs (a);')
    refusedUntouched(ForeignSchemaError)
  })

  test('a database of another program without an application id, with a user_version', () => {
    foreign('PRAGMA user_version = 1; CREATE TABLE theirs (a);')
    refusedUntouched(ForeignSchemaError)
  })
})

describe('nodes of two releases on one database', () => {
  /** Before this one no database had several nodes. */
  const FIRST_SHARED = 22
  /** Reads the SQL without comments. */
  const removes = ({ sql }: Migration) => /\b(DROP\s+(TABLE|COLUMN)|RENAME)\b/i.test(sql.replace(/--.*$/gm, ''))

  test('a migration that removes or renames names the oldest schema that may still write', () => {
    const later = migrations.filter(({ version }) => version > FIRST_SHARED)
    expect(later.filter(m => removes(m) && m.oldestWriter === undefined).map(({ name }) => name)).toEqual([])
    expect(later.filter(m => (m.oldestWriter ?? 0) > m.version).map(({ name }) => name)).toEqual([])
    expect(migrations.filter(removes).length).toBeGreaterThan(0)
  })

  test('the newest removal decides which executables may write', () => {
    const list: Migration[] = [
      { version: 1, name: 'start', sql: '' },
      { version: 2, name: 'removal', sql: '', oldestWriter: 2 },
      { version: 3, name: 'addition', sql: '' },
    ]
    expect([oldestWriterOf([]), oldestWriterOf(list), oldestWriterOf(list.slice(0, 1))]).toEqual([0, 2, 0])
  })
})
