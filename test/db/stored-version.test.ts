/** The version of a schema, from the bytes of the database and its log. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { APPLICATION_ID } from '../../src/db/migrate.ts'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { storedVersion } from '../../src/db/stored-version.ts'
import { useFreshFolder } from '../support/folders.ts'

const at = useFreshFolder()
let raw: Raw
beforeEach(() => {
  raw = openRaw(at('a.db'))
  raw.exec('CREATE TABLE t (x)')
  raw.pragma(`application_id = ${APPLICATION_ID}`)
  raw.pragma('user_version = 7')
})
afterEach(() => raw.close())

/** The files as a process that is killed now leaves them. */
function crash(): string {
  for (const suffix of ['', '-wal']) if (existsSync(at(`a.db${suffix}`))) copyFileSync(at(`a.db${suffix}`), at(`b.db${suffix}`))
  return at('b.db')
}

describe('the stored version', () => {
  test('is in the log, in the file after a checkpoint, and in a log that was begun anew', () => {
    expect(storedVersion(crash())).toBe(7)
    raw.pragma('wal_checkpoint(TRUNCATE)')
    expect(storedVersion(crash())).toBe(7)
    for (let i = 0; i < 50; i++) raw.exec(`INSERT INTO t VALUES (${i})`)
    expect(storedVersion(crash())).toBe(7)
    raw.pragma('wal_checkpoint(RESTART)')
    raw.pragma('user_version = 8')
    expect(storedVersion(crash())).toBe(8)
  })

  test('is that of the last commit: a frame that is cut or altered does not count', () => {
    raw.pragma('user_version = 8')
    const path = crash()
    const log = readFileSync(`${path}-wal`)
    truncateSync(`${path}-wal`, log.length - 1)
    expect(storedVersion(path)).toBe(7)
    log[log.length - 10] = (log[log.length - 10] ?? 0) ^ 1
    writeFileSync(`${path}-wal`, log)
    expect(storedVersion(path)).toBe(7)
  })

  test('is what SQLite reads after a crash, wherever the log ends', () => {
    for (let version = 8; version < 12; version++) raw.pragma(`user_version = ${version}`)
    const path = crash()
    const log = readFileSync(`${path}-wal`)
    for (let bytes = 0; bytes <= log.length; bytes += 1009) {
      writeFileSync(`${path}-wal`, log.subarray(0, bytes))
      const found = storedVersion(path)
      rmSync(at('c.db'), { force: true })
      rmSync(at('c.db-shm'), { force: true })
      copyFileSync(path, at('c.db'))
      copyFileSync(`${path}-wal`, at('c.db-wal'))
      const opened = openRaw(at('c.db'))
      expect([bytes, found]).toEqual([bytes, Number(opened.pragma('user_version', { simple: true }))])
      opened.close()
    }
  })

  test('of an empty or absent file, of another program or of no database is 0', () => {
    writeFileSync(at('empty.db'), '')
    writeFileSync(at('other.db'), 'no database at all '.repeat(1000))
    for (const name of ['empty.db', 'absent.db', 'other.db']) expect([name, storedVersion(at(name))]).toEqual([name, 0])
    raw.pragma('application_id = 1')
    expect(storedVersion(crash())).toBe(0)
  })
})
