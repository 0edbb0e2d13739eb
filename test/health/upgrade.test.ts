/** What an older release would ignore is usable when no older node is left. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { FEATURE_NAMES, FEATURES } from '../../src/core/feature.ts'
import { KNOWN_LEVEL } from '../../src/db/feature-level.ts'
import { latestVersion } from '../../src/db/migrate.ts'
import { countQuietTime, finishUpgrade, QUIET_MS, readUpgrade } from '../../src/health/upgrade.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { ENGINE } from '../support/engine.ts'
import { joinNode, type TestNode } from '../support/nodes.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
let node: TestNode

const joinOlder = (name = 'older') => joinNode(t, name, name, t.app.now, KNOWN_LEVEL - 1)
const finish = () => finishUpgrade(node.app, COMMAND_LINE)
const upgrade = () => readUpgrade(t.app.db)
const someFeature = () => FEATURE_NAMES[0] ?? 'approvalWithoutMark'
/** As its executable did before it knew of levels: the row names none. */
async function joinWithoutLevel(): Promise<void> {
  const at = t.clock.now.toISOString()
  await t.database.sql(
    "INSERT INTO nodes (boot, name, version, started_at, seen_at) VALUES ('b0', 'before', '0.9', ?, ?)",
    at,
    at,
  )
}
async function passMinutes(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 10) {
    t.clock.pass({ minutes: Math.min(left, 10) })
    await countQuietTime(node.app)
  }
}
const entries = async () =>
  (await t.database.sql<{ entry: string }>('SELECT entry FROM events')).map(row => JSON.parse(row.entry))

beforeEach(async () => {
  await t.app.node.leave()
  node = await joinNode(t, 'newer')
  // As the migration leaves a database that another release serves.
  await t.database.sql('UPDATE cluster SET feature_level = 0')
})

describe('a feature of a level that is not finished', () => {
  test('is refused with a code and a sentence that says who can allow it', async () => {
    for (const feature of FEATURE_NAMES) {
      const refused = await t.app.features.require(t.app.db, feature).catch(error => error)
      expect(refused.reason).toBe('upgrade_unfinished')
      expect(englishOfRefusal(refused)).toContain('ask an administrator (Settings → Health)')
      expect(await t.app.features.isUsable(t.app.db, feature)).toBe(false)
    }
  })

  test('is usable at once when the level is finished, also inside a transaction', async () => {
    expect(await finish()).toBe(true)
    expect(await t.app.features.isUsable(t.app.db, someFeature())).toBe(true)
    await t.app.write(tx => t.app.features.require(tx, someFeature()))
    expect((await upgrade()).waiting).toEqual([])
  })

  test('belongs to a level that this executable knows', () => {
    expect(Object.values(FEATURES).filter(level => level > KNOWN_LEVEL)).toEqual([])
  })
})

describe('an administrator', () => {
  test('cannot finish it while a node of the release before has a row', async () => {
    await joinWithoutLevel()
    const refused = await finish().catch(error => error)
    expect([refused.reason, englishOfRefusal(refused)]).toEqual([
      'invalid_state',
      'The node before serves with version 0.9: replace its executable first.',
    ])
    expect((await upgrade()).older).toEqual([{ name: 'before', version: '0.9' }])
    expect((await upgrade()).isFinished).toBe(false)
  })

  test('finishes it once, with one entry in the audit log', async () => {
    expect(await finish()).toBe(true)
    expect(await finish()).toBe(false)
    const made = (await entries()).filter(({ type }) => type === 'upgrade.finished')
    expect(made.map(({ data }) => data)).toEqual([{ level: KNOWN_LEVEL, version: '0' }])
    expect((await upgrade()).isFinished).toBe(true)
  })

  test('finishes it for every older executable: it can no longer write', async () => {
    await finish()
    if (ENGINE === 'sqlite')
      return expect((await t.database.sql('PRAGMA user_version'))[0]).toEqual({ user_version: latestVersion() })
    const [row] = await t.database.sql<{ oldest_writer: number }>('SELECT oldest_writer FROM writer')
    expect(Number(row?.oldest_writer)).toBeGreaterThan(44)
  })
})

describe('without an administrator it is finished', () => {
  test('after 24 hours in which no older node served', async () => {
    await passMinutes(24 * 60)
    expect((await upgrade()).isFinished).toBe(false)
    await passMinutes(10)
    expect((await upgrade()).isFinished).toBe(true)
    expect((await entries()).map(({ type, actor }) => [type, actor])).toEqual([['upgrade.finished', 'system']])
  })

  test('not while an older node serves; then the hours begin anew', async () => {
    await passMinutes(23 * 60)
    const older = await joinOlder()
    await countQuietTime(node.app)
    await older.node.leave()
    await passMinutes(23 * 60)
    expect((await upgrade()).isFinished).toBe(false)
    await passMinutes(70)
    expect((await upgrade()).isFinished).toBe(true)
  })

  test('not by a clock that jumps a year, forward or back', async () => {
    await passMinutes(60)
    for (const days of [365, -365, 365]) {
      t.clock.pass({ days })
      await countQuietTime(node.app)
    }
    const { isFinished, leftMs } = await upgrade()
    expect([isFinished, leftMs > QUIET_MS - 2.5 * 3_600_000]).toEqual([false, true])
  })

  test('and nothing is written when there is nothing to finish', async () => {
    await finish()
    const writes = t.writes()
    await passMinutes(60)
    expect(t.writes()).toBe(writes)
  })
})
