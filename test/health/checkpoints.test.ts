/** Checkpoints kept elsewhere: made by themselves, kept by number, and they show a cut log. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { newestCheckpoints } from '../../src/audit/checkpoint-queries.ts'
import { appendInstanceEvent, auditHead, verifyChain } from '../../src/audit/log.ts'
import { readCheckpoint } from '../../src/evidence/checkpoint.ts'
import { leafHash, rootOfLeaves } from '../../src/evidence/merkle-tree.ts'
import { checkpointPlan, keepCheckpoint, lastCheckpoint, makeDueCheckpoint } from '../../src/health/checkpoints.ts'
import { checksOf } from '../../src/health/checks.ts'
import { runChecks } from '../../src/health/finding.ts'
import { stampNewestCheckpoint } from '../../src/health/make-checkpoint.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { SYSTEM } from '../../src/ports.ts'
import { openVisitor, textOf, type Visitor } from '../support/browser-less.ts'
import { onSqlite } from '../support/engine.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { useTestAuthority } from '../support/tsa.ts'

const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const PATH = '/settings/audit/checkpoints'

let t: TestApp
let folder: string
async function start(env: Record<string, string> = {}): Promise<void> {
  t = await openTestApp({ env: { SIGNET_CHECKPOINT_EVERY: 'daily', ...env } })
  folder = join(t.folder, 'kept')
  mkdirSync(folder)
}
afterEach(() => t.close())

const read = (bytes: Uint8Array | string) =>
  readCheckpoint(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { timestampTrust: [], now: t.clock.now })
const files = () => readdirSync(folder).sort()
const keepIn = (more: Record<string, string> = {}) =>
  t.app.write(async tx => {
    const values = { checkpointFolder: folder, ...more }
    for (const [name, value] of Object.entries(values))
      await tx
        .insertInto('settings')
        .values({ name: `service.${name}`, value })
        .execute()
  })
const add = () => t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'organisation.changed' }, SYSTEM))
const alerts = async () => (await listAlerts(t.app.db, 9)).map(({ kind }) => kind)

async function admin(): Promise<Visitor> {
  await createAdmin(t.app, ADMIN)
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  return visitor
}

describe('in a folder', () => {
  beforeEach(() => start())

  test('one is made each day, and as many are kept as the setting says', async () => {
    await keepIn({ checkpointKeep: '2' })
    writeFileSync(join(folder, 'audit-checkpoint-test-other1-20200101T000000Z-1.eml'), 'of another instance')
    for (let hour = 0; hour < 73; hour++) {
      await makeDueCheckpoint(t.app)
      t.clock.pass({ hours: 1 })
    }
    expect(files()).toHaveLength(3)
    const own = files().filter(name => !name.includes('other1'))
    expect(own.map(name => /(\d{8})T/.exec(name)?.[1])).toEqual(['20261122', '20261123'])
    const { checkpoint } = read(readFileSync(join(folder, own[1] ?? '')))
    expect(await verifyChain(t.app.db, { known: checkpoint })).toHaveProperty('head')
    expect(await lastCheckpoint(t.app.db)).toMatchObject({ sequence: checkpoint.sequence, hash: checkpoint.hash, folder })
  })

  test('that is gone is an alert, is tried again each hour, and ends the alert once it is back', async () => {
    await keepIn()
    rmSync(folder, { recursive: true })
    await makeDueCheckpoint(t.app)
    expect(await alerts()).toEqual(['checkpoint_failed'])
    const [alert] = await listAlerts(t.app.db, 1)
    expect(storedText(alert?.message ?? '')).toContain('ließ sich nicht')
    t.clock.pass({ hours: 1 })
    mkdirSync(folder)
    await makeDueCheckpoint(t.app)
    expect([await alerts(), files().length]).toEqual([[], 1])
  })

  test('without a place and without entries, none is made', async () => {
    await makeDueCheckpoint(t.app)
    expect([await lastCheckpoint(t.app.db), (await auditHead(t.app.db)).sequence]).toEqual([undefined, 0])
  })
})

describe('without a place', () => {
  beforeEach(() => start())
  const kept = () => newestCheckpoints(t.app.db, 100)
  async function passHours(hours: number): Promise<void> {
    for (let hour = 0; hour < hours; hour++) {
      await makeDueCheckpoint(t.app)
      t.clock.pass({ hours: 1 })
    }
  }

  test('one is kept for each day with new entries, with the root of the tree; none for a quiet day', async () => {
    for (let i = 0; i < 3; i++) await add()
    await passHours(72)
    expect((await kept()).map(({ sequence }) => sequence)).toEqual([3])
    for (let day = 0; day < 3; day++) {
      await add()
      await passHours(24)
    }
    const rows = await kept()
    expect(rows.map(({ sequence }) => sequence)).toEqual([9, 7, 5, 3])
    const entries = await t.app.db.selectFrom('events').select('hash').orderBy('sequence').execute()
    for (const { text, sequence, treeRoot, frontier } of rows) {
      const { checkpoint } = read(text)
      expect(checkpoint).toMatchObject({ sequence, treeRoot, instance: t.app.instance.id })
      const leaves = entries.slice(0, sequence).map(({ hash }) => leafHash(hash))
      expect([treeRoot, frontier.size]).toEqual([rootOfLeaves(leaves), sequence])
    }
  })

  test('a clock that jumps by a year, and back, makes one at once and then one a day', async () => {
    await add()
    await passHours(2)
    t.clock.now = new Date('2027-11-20T00:00:00Z')
    await add()
    await passHours(3)
    t.clock.now = new Date('2026-11-21T00:00:00Z')
    await add()
    await passHours(3)
    expect((await kept()).map(({ at }) => at.toISOString().slice(0, 10))).toEqual(['2026-11-21', '2027-11-20', '2026-11-20'])
    expect(await alerts()).toEqual([])
  })

  test('two at once are two, one after the other, and both are right', async () => {
    await add()
    const plan = await checkpointPlan(t.app)
    await Promise.all([keepCheckpoint(t.app, plan, SYSTEM), keepCheckpoint(t.app, plan, SYSTEM)])
    const rows = await kept()
    expect(rows.map(({ sequence }) => sequence)).toEqual([2, 1])
    for (const { text } of rows) expect(await verifyChain(t.app.db, { known: read(text).checkpoint })).toHaveProperty('head')
  })

  onSqlite(test)('a log that was cut is found by the row of the last one', async () => {
    for (let i = 0; i < 5; i++) await add()
    await passHours(1)
    await t.sql('DROP TRIGGER events_never_go')
    await t.sql('DELETE FROM events WHERE sequence > 3')
    t.clock.pass({ days: 1 })
    await makeDueCheckpoint(t.app)
    expect((await listAlerts(t.app.db, 1))[0]?.message).toContain('The audit log has no entry 5')
    expect(await kept()).toHaveLength(1)
  })

  onSqlite(test)('a log with a gap gets none: it is an alert, and nothing is recorded', async () => {
    for (let i = 0; i < 5; i++) await add()
    await t.sql('DROP TRIGGER events_never_go')
    await t.sql('DELETE FROM events WHERE sequence = 3')
    for (let i = 0; i < 2; i++) await expect(makeDueCheckpoint(t.app)).rejects.toThrow('audit_log_has_gap')
    const raised = await listAlerts(t.app.db, 9)
    expect(raised.map(({ kind }) => kind)).toEqual(['audit_log_cut'])
    expect(raised[0]?.message).toContain('has no entry 3, although it has later ones')
    expect(storedText(raised[0]?.message ?? '')).toContain('fehlt der Eintrag 3, obwohl')
    const rows = await t.app.db.selectFrom('events').select('type').where('type', '=', 'audit.checkpoint_made').execute()
    expect([rows, await kept()]).toEqual([[], []])
  })

  test('the page lists them, and gives each as a file', async () => {
    for (let i = 0; i < 3; i++) await add()
    await makeDueCheckpoint(t.app)
    const visitor = await admin()
    const [row] = await kept()
    const page = await visitor.get(PATH)
    expect(textOf(page)).toContain('All checkpoints')
    expect(page.html).toContain(`href="${PATH}/${row?.id}"`)
    const file = await visitor.get(`${PATH}/${row?.id}`)
    expect(file.headers.get('content-disposition')).toContain('audit-checkpoint-2026-11-20-3.eml')
    expect(file.html).toBe(row?.text ?? '')
    expect((await visitor.get(`${PATH}/chk_unknown`)).status).toBe(404)
  })
})

describe('with a time-stamp authority', () => {
  const authority = useTestAuthority()
  beforeEach(async () => {
    await start({ SIGNET_TSA_URL: authority.url })
    // An authority stamps the time of the machine.
    t.clock.now = new Date()
    await add()
  })
  const newest = async () => (await newestCheckpoints(t.app.db, 1))[0]

  test('it is stamped at once', async () => {
    await makeDueCheckpoint(t.app)
    const row = await newest()
    expect(row).toMatchObject({ authority: 'tsa of tests', sequence: 1 })
    expect(read(row?.text ?? '').timestamp?.at).toBe(row?.stampedAt?.toISOString())
  })

  test('an authority that is silent does not stop it: it is stamped within the hour after, and stays the same', async () => {
    authority.behave('/tsa', () => new Response('', { status: 500 }))
    await makeDueCheckpoint(t.app)
    const before = await newest()
    expect([before?.stampedAt, before?.sequence]).toEqual([undefined, 1])
    authority.behave('/tsa', (_, honest) => honest())
    await makeDueCheckpoint(t.app)
    const after = await newest()
    expect(after).toMatchObject({ id: before?.id, authority: 'tsa of tests' })
    expect(read(after?.text ?? '').checkpoint).toEqual(read(before?.text ?? '').checkpoint)
  })

  test('one of a time that the clock no longer shows is not stamped: the time-stamp would say nothing of it', async () => {
    authority.behave('/tsa', () => new Response('', { status: 500 }))
    const now = t.clock.now
    t.clock.now = new Date(now.getTime() - 366 * 86_400_000)
    await makeDueCheckpoint(t.app)
    t.clock.now = now
    authority.behave('/tsa', (_, honest) => honest())
    await stampNewestCheckpoint(t.app)
    expect((await newest())?.stampedAt).toBeUndefined()
  })
})

describe('a log that was cut back behind the last checkpoint', () => {
  beforeEach(() => start())

  async function cut(): Promise<void> {
    for (let i = 0; i < 5; i++) await add()
    await keepIn()
    await makeDueCheckpoint(t.app)
    for (const name of ['events_never_change', 'events_never_go', 'events_stay', 'events_never_deleted']) {
      await t.sql(`DROP TRIGGER IF EXISTS ${name}`)
    }
    await t.sql('DELETE FROM events WHERE sequence > 3')
    await add()
  }

  onSqlite(test)('is an alert at the next one, which is not made, while the chain alone looks intact', async () => {
    await cut()
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 4 })
    const before = files()
    t.clock.pass({ days: 1 })
    await makeDueCheckpoint(t.app)
    expect([await alerts(), files()]).toEqual([['audit_log_cut'], before])
    const [alert] = await listAlerts(t.app.db, 1)
    expect(alert?.message).toContain('The audit log has no entry 5, which the checkpoint of 2026-11-20 covers')
    expect(storedText(alert?.message ?? '')).toContain('Im Protokoll fehlt der Eintrag 5')
  })

  onSqlite(test)('and was filled up again is one too: the entry is another', async () => {
    await cut()
    for (let i = 0; i < 5; i++) await add()
    t.clock.pass({ days: 1 })
    await makeDueCheckpoint(t.app)
    expect((await listAlerts(t.app.db, 1))[0]?.message).toContain('The audit log holds another entry 5')
  })

  onSqlite(test)('is found by doctor and by Check now, which compare with the checkpoint', async () => {
    await cut()
    const findings = await runChecks(checksOf(t.app).filter(([name]) => name === 'audit log'))
    expect(findings).toMatchObject([{ verdict: 'error', message: 'it ends at entry 4: later entries were removed' }])
  })

  onSqlite(test)('is none after a restore: the backup was older', async () => {
    await cut()
    // The database of the backup has its own rows.
    await t.sql('DELETE FROM checkpoints')
    t.clock.pass({ minutes: 1 })
    await t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'instance.restored' }, SYSTEM))
    t.clock.pass({ days: 1 })
    await makeDueCheckpoint(t.app)
    expect([await alerts(), files().length]).toEqual([[], 2])
  })
})

test('by e-mail, the checkpoint is attached, and is the one that is verified', async () => {
  await start({ SIGNET_CHECKPOINT_EMAIL: 'auditor@example.org' })
  await add()
  await makeDueCheckpoint(t.app)
  await makeDueCheckpoint(t.app)
  await t.drain()
  expect(t.mails.map(({ to, subject }) => [to.address, subject])).toEqual([
    ['auditor@example.org', '[TEST] Checkpoint of the audit log of Signet'],
  ])
  const [attachment] = t.mails[0]?.attachments ?? []
  const text = attachment && 'content' in attachment ? Buffer.from(attachment.content).toString() : ''
  expect(read(Buffer.from(text)).checkpoint).toMatchObject({ sequence: 1, instance: t.app.instance.id })
})

describe('the page', () => {
  test('sets the places, makes one now, and says where the last one went', async () => {
    await start()
    const visitor = await admin()
    expect(textOf(await visitor.get(PATH))).toContain('Checkpoints are not kept elsewhere yet')
    const inside = await visitor.submit(await visitor.get(PATH), { checkpointFolder: join(t.folder, 'data') }, PATH)
    expect([inside.status, textOf(inside).includes('must be outside the data folder')]).toEqual([422, true])
    const missing = await visitor.submit(inside, { checkpointFolder: join(t.folder, 'nothing') }, PATH)
    expect(textOf(missing)).toContain('must exist: create it first')
    const values = { checkpointFolder: folder, checkpointEmail: 'auditor@example.org', checkpointKeep: '30' }
    const saved = await visitor.submit(missing, values, PATH)
    expect(textOf(saved)).toContain('The first one is made within the hour.')
    const made = textOf(await visitor.submit(saved, {}, `${PATH}/run`))
    expect(made).toContain('A checkpoint was made.')
    expect(made).toContain(`It is in ${folder} .`)
    expect(made).toContain('It was e-mailed to auditor@example.org.')
    expect(existsSync(join(folder, files()[0] ?? ''))).toBe(true)
    expect(textOf(await visitor.get('/settings/audit'))).toContain('The last one covers')
  })

  test('asks for the password again after a while, and shows what the environment fixes', async () => {
    await start({ SIGNET_CHECKPOINT_FOLDER: '/mnt/elsewhere' })
    const visitor = await admin()
    t.clock.pass({ minutes: 20 })
    const page = await visitor.get(PATH)
    expect(textOf(page)).toContain('Set by SIGNET_CHECKPOINT_FOLDER. Change it there.')
    const refused = await visitor.submit(page, { checkpointEmail: 'auditor@example.org' }, PATH)
    expect([refused.status, refused.html.includes('name="password"')]).toEqual([422, true])
    await visitor.submit(refused, { checkpointEmail: 'auditor@example.org', password: ADMIN.password }, PATH)
    expect(textOf(await visitor.get(PATH))).toContain('The first one is made within the hour.')
  })
})
