/** Checkpoints kept elsewhere: made by themselves, kept by number, and they show a cut log. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { appendInstanceEvent, auditHead, verifyChain } from '../../src/audit/log.ts'
import { readCheckpoint } from '../../src/evidence/checkpoint.ts'
import { lastCheckpoint, makeDueCheckpoint } from '../../src/health/checkpoints.ts'
import { checksOf } from '../../src/health/checks.ts'
import { runChecks } from '../../src/health/finding.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { SYSTEM } from '../../src/ports.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { onSqlite } from '../support/engine.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

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

const read = (bytes: Uint8Array) => readCheckpoint(bytes, { timestampTrust: [], now: t.clock.now })
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

  test('without a place, none is made', async () => {
    await makeDueCheckpoint(t.app)
    expect([await lastCheckpoint(t.app.db), (await auditHead(t.app.db)).sequence]).toEqual([undefined, 0])
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
  const admin = async () => {
    await createAdmin(t.app, ADMIN)
    const visitor = openVisitor(t.fetch)
    await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
    return visitor
  }

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
