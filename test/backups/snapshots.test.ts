/** Copies from before a migration: they go in time or with an erasure, and lead back. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goBack, snapshotFolder, sweepSnapshots } from '../../src/backups/snapshots.ts'
import { latestVersion, migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { listSnapshots, makeSnapshot, removeLeftovers } from '../../src/db/snapshots.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { temporaryFolder } from '../support/folders.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const KEY = new Uint8Array(32).fill(7)
const clockAt = (time: string) => ({ now: () => new Date(time), random: THIS_MACHINE.random })
const names = () => listSnapshots(snapshotFolder(t.app)).map(({ name }) => name)

/** A copy as a migration makes it, at the time of the test. */
function make(version = latestVersion()): void {
  const folder = temporaryFolder()
  const raw = openRaw(join(folder, 'signet.db'))
  migrate(raw, NO_CLOCK)
  makeSnapshot(raw, snapshotFolder(t.app), { kind: 'before', version }, KEY, t.app)
  raw.close()
}

test('a copy is deleted after 14 days', async () => {
  make()
  t.clock.pass({ days: 13 })
  await sweepSnapshots(t.app)
  expect(names()).toHaveLength(1)
  t.clock.pass({ days: 1 })
  await sweepSnapshots(t.app)
  expect(names()).toEqual([])
})

test('a copy is deleted with the first erasure of something in it, not of what came later', async () => {
  const old = (await t.api('POST', '/documents', await newDocument())).body.id
  t.clock.pass({ minutes: 1 })
  make()
  t.clock.pass({ minutes: 1 })
  const young = (await t.api('POST', '/documents', await newDocument())).body.id
  await t.api('DELETE', `/documents/${young}`)
  await sweepSnapshots(t.app)
  expect(names()).toHaveLength(1)
  await t.api('DELETE', `/documents/${old}`)
  await sweepSnapshots(t.app)
  expect(names()).toEqual([])
})

test('a new copy takes the place of those that a release before left in clear, and of what a crash left', () => {
  const folder = snapshotFolder(t.app)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'before-schema-3.db'), 'plain')
  writeFileSync(join(folder, 'before-schema-4.plain.tmp'), 'half')
  make()
  t.clock.pass({ minutes: 1 })
  make()
  expect(readdirSync(folder)).toEqual(names())
  expect(names()).toHaveLength(1)
  writeFileSync(join(folder, 'before-schema-4.plain.tmp'), 'half')
  removeLeftovers(folder)
  expect(readdirSync(folder)).toEqual(names())
})

test('the way back: the database from before is in its place, and the present one is kept encrypted', () => {
  const dataFolder = temporaryFolder()
  const keyFile = join(dataFolder, 'key')
  writeFileSync(keyFile, `${Buffer.from(KEY).toString('base64')}\n`, { mode: 0o600 })
  const raw = openRaw(join(dataFolder, 'signet.db'))
  migrate(raw, NO_CLOCK)
  raw.exec("INSERT INTO settings VALUES ('a', 'before')")
  makeSnapshot(
    raw,
    join(dataFolder, 'backups'),
    { kind: 'before', version: latestVersion() + 1 },
    KEY,
    clockAt('2026-11-23T10:00:00Z'),
  )
  raw.exec("UPDATE settings SET value = 'since' WHERE name = 'a'")
  raw.close()
  const { at, schema } = goBack({ dataFolder, masterKeyFile: keyFile }, clockAt('2026-11-23T12:00:00Z'))
  expect([at, schema]).toEqual([new Date('2026-11-23T10:00:00Z'), latestVersion()])
  const back = openRaw(join(dataFolder, 'signet.db'))
  expect(back.prepare("SELECT value FROM settings WHERE name = 'a'").get()).toEqual({ value: 'before' })
  back.close()
  const kept = listSnapshots(join(dataFolder, 'backups')).map(({ kind }) => kind)
  expect(kept).toEqual(['after', 'before'])
  for (const name of readdirSync(join(dataFolder, 'backups')))
    expect(readFileSync(join(dataFolder, 'backups', name)).includes('SQLite format')).toBe(false)
  expect(existsSync(join(dataFolder, 'signet.db-wal'))).toBe(false)
})

test('without a copy the way back says what to do', () => {
  expect(() => goBack({ dataFolder: temporaryFolder(), masterKeyFile: undefined }, THIS_MACHINE)).toThrow(
    'Restore a backup instead',
  )
})
