/** A clock that is not what the data knows: nothing irreversible happens until somebody answers. */
import { describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { changeRetention } from '../../src/documents/retention/retention.ts'
import { answerClock, type ClockAnswer, DataClockWatch, MAX_GAP_MS, QUIET_AFTER_GAP_MS } from '../../src/health/clock-watch.ts'
import { clockDoubt } from '../../src/health/queries.ts'
import { runSchedule, SCHEDULE } from '../../src/jobs/schedule.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { onSqlite } from '../support/engine.ts'
import { newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { START } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

const t = useTestApp()

/** The App of a new process on the same data, which has run its schedule once. */
async function restart({ builtAt }: { builtAt?: Date } = {}): Promise<App> {
  const app: App = { ...t.app }
  app.clock = new DataClockWatch(app, { builtAt })
  await runSchedule(app)
  await t.drain()
  return app
}

/** While no process runs, or by a command. */
const jump = (ms: number) => {
  t.clock.now = new Date(t.clock.now.getTime() + ms)
}

const statusOf = async (id: string): Promise<string | number> => {
  const { status, body } = await t.api('GET', `/documents/${id}`)
  return status === 200 ? body.status : status
}
const alerts = async () => (await listAlerts(t.app.db, 10)).filter(({ kind }) => kind === 'clock_doubted')
const entries = async () =>
  (await t.app.db.selectFrom('events').select('entry').orderBy('sequence').execute()).map(({ entry }) => JSON.parse(entry))
const reminders = () => t.mails.filter(({ subject }) => subject.includes('Reminder')).length

/** A voided document whose retention of a month has begun, after all warnings, and an open one. */
async function inUse(): Promise<{ voided: string; open: string }> {
  await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
  const first = await sentDocument(t)
  await t.api('POST', `/documents/${first}/void`, { reason: 'Wrong file' })
  await changeRetention(t.app, SYSTEM, { voided: 1 })
  for (let day = 0; day < 50; day++) {
    t.clock.pass({ days: 1 })
    await runSchedule(t.app)
    await t.drain()
  }
  // The first one was announced and erased: erasure is at work.
  expect(await statusOf(first)).toBe(404)
  const [voided, open] = [
    await sentDocument(t),
    await sentDocument(t, { reminders: { firstAfterDays: 3, everyDays: 3, max: 5 } }),
  ]
  await t.api('POST', `/documents/${voided}/void`, { reason: 'Wrong file' })
  await runSchedule(t.app)
  t.mails.length = 0
  return { voided, open }
}

/** An hour, with the schedule every ten minutes. */
async function hour(app: App, minutes = 60): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 10) {
    t.clock.pass({ minutes: 10 })
    await runSchedule(app)
  }
  await t.drain()
}

describe('the schedule', () => {
  const named = (kind: string) => SCHEDULE.filter(entry => entry.kind === kind).map(({ name }) => name)

  test('names what cannot be undone: a new entry is put into one of two lists on purpose', () => {
    expect(named('irreversible').toSorted()).toEqual([
      'augment seals',
      'end file claims',
      'erase documents',
      'expire documents',
      'finish an upgrade',
      'note API keys that end',
      'remind recipients',
      'renew the seal certificate',
      'sweep accounts',
      'sweep batches',
      'sweep files',
      'sweep form values',
      'sweep mails',
      'sweep notices',
      'sweep snapshots',
      'sweep the disk',
      'sweep webhooks',
    ])
    expect(named('harmless').toSorted()).toEqual([
      'ask the witness',
      'back up',
      'check for damage',
      'compact the database',
      'end alerts of former nodes',
      'fill types of deliveries',
      'flush pending writes',
      'keep the assets',
      'mail alerts',
      'mail reset links',
      'make a checkpoint',
      'prune the feed of changes',
      'send batches',
      'update alerts',
      'watch the clock',
      'watch the disk',
    ])
  })

  test('runs no irreversible entry while the clock is doubted, and every other one', async () => {
    const ran: string[] = []
    const originals = SCHEDULE.map(({ run }) => run)
    for (const entry of SCHEDULE) entry.run = async () => void ran.push(entry.name)
    try {
      await runSchedule({ ...t.app, clock: { isBelieved: async () => false, guarded: guarded => guarded } })
      expect(ran).toEqual(named('harmless'))
    } finally {
      for (const [i, entry] of SCHEDULE.entries()) entry.run = originals[i] ?? entry.run
    }
  })
})

describe('a start with the clock a year ahead', () => {
  test('expires nothing, erases nothing, reminds nobody and sweeps nothing, and raises an alert with both times', async () => {
    const { voided, open } = await inUse()
    const known = t.clock.now
    jump(YEAR_MS)
    const app = await restart()
    expect(await Promise.all([voided, open].map(statusOf))).toEqual(['voided', 'sent'])
    expect(reminders()).toBe(0)
    const [alert] = await alerts()
    for (const time of [known, t.clock.now]) expect(alert?.message).toContain(time.toISOString().slice(0, 16).replace('T', ' '))
    await hour(app, 6 * 60)
    expect(await Promise.all([voided, open].map(statusOf))).toEqual(['voided', 'sent'])
    // Administrators get a mail.
    expect(t.mails.map(({ to }) => to.address)).toContain('grace@example.com')
  })

  test('is still doubted after further starts, though the wrong clock has written entries meanwhile', async () => {
    const { open } = await inUse()
    jump(YEAR_MS)
    await restart()
    await t.api('POST', '/documents', await newDocument())
    t.clock.pass({ days: 3 })
    const app = await restart()
    await hour(app, 120)
    expect(await statusOf(open)).toBe('sent')
    expect(await alerts()).toHaveLength(1)
  })

  test('keeps rows of idempotency and sessions that look expired', async () => {
    await inUse()
    const body = await newDocument()
    const key = { 'idempotency-key': 'once' }
    const first = await t.api('POST', '/documents', body, key)
    const wasRight = t.clock.now
    jump(YEAR_MS)
    await restart()
    t.clock.now = wasRight
    const again = await t.api('POST', '/documents', body, key)
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([201, first.body.id, 'true'])
  })

  test('“I corrected it” is refused while the clock shows what it showed', async () => {
    await inUse()
    jump(YEAR_MS)
    const app = await restart()
    const refused = answerClock(app, 'corrected', SYSTEM)
    await expect(refused).rejects.toThrow('clock_still_wrong')
    expect(await alerts()).toHaveLength(1)
  })

  test('after the correction and its confirmation, all goes on an hour after the gap was found', async () => {
    const { voided, open } = await inUse()
    jump(YEAR_MS)
    const app = await restart()
    jump(-YEAR_MS)
    expect(await answerClock(app, 'corrected', SYSTEM)).toBe(true)
    expect(await alerts()).toEqual([])
    expect((await entries()).at(-2)).toMatchObject({ type: 'clock.confirmed', data: { answer: 'corrected' } })
    await hour(app, 50)
    t.clock.pass({ days: 4 })
    await hour(app, 10)
    expect(reminders()).toBe(2)
    expect(await Promise.all([voided, open].map(statusOf))).toEqual(['voided', 'sent'])
  })

  async function dueAfter(answer: ClockAnswer): Promise<string[]> {
    await inUse()
    jump(YEAR_MS)
    const app = await restart()
    t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 4.7.1 Try again later' })
    await sentDocument(t)
    jump(-YEAR_MS)
    await answerClock(app, answer, SYSTEM)
    return putOff()
  }

  async function putOff(): Promise<string[]> {
    const limit = new Date(t.clock.now.getTime() + 2 * DAY_MS).toISOString()
    const open = await t.app.db.selectFrom('jobs').select('due_at').where('state', '=', 'open').execute()
    return open.flatMap(({ due_at }) => (due_at > limit ? [due_at] : []))
  }

  test('what the wrong clock has put off is tried at once after the correction', async () => {
    expect(await dueAfter('corrected')).toEqual([])
  })

  onSqlite(test)('nor does it wait when the clock was ahead between two looks, and nobody doubted it', async () => {
    await inUse()
    const app = await restart()
    jump(YEAR_MS)
    t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 4.7.1 Try again later' })
    await sentDocument(t)
    jump(-YEAR_MS)
    t.clock.pass({ minutes: 11 })
    expect(await app.clock.isBelieved()).toBe(true)
    expect(await putOff()).toEqual([])
  })

  // Several nodes have the time of the database, which they read every few seconds.
  onSqlite(test)('also when the clock was set back and the answer is that it is right', async () => {
    expect(await dueAfter('right')).toEqual([])
  })

  test('a first start of this release compares with the audit log', async () => {
    const { open } = await inUse()
    await t.sql("DELETE FROM settings WHERE name = 'clock.believed'")
    jump(YEAR_MS)
    await restart()
    expect(await statusOf(open)).toBe('sent')
    expect(await alerts()).toHaveLength(1)
  })
})

describe('a long pause that was real', () => {
  test('is one answer: then what has become due happens, an hour after the start', async () => {
    const { voided, open } = await inUse()
    jump(60 * DAY_MS)
    const app = await restart()
    expect(await answerClock(app, 'right', SYSTEM)).toBe(true)
    await hour(app, 50)
    expect(await Promise.all([voided, open].map(statusOf))).toEqual(['voided', 'sent'])
    await hour(app, 20)
    expect(await Promise.all([voided, open].map(statusOf))).toEqual([404, 'expired'])
    expect(await answerClock(app, 'right', SYSTEM)).toBe(false)
  })

  test('of up to a day needs no answer', async () => {
    await inUse()
    jump(MAX_GAP_MS)
    const app = await restart()
    expect(await app.clock.isBelieved()).toBe(true)
    expect(await alerts()).toEqual([])
  })

  test('that the process has lived through needs none either', async () => {
    await inUse()
    t.clock.pass({ days: 40 })
    await runSchedule(t.app)
    expect(await alerts()).toEqual([])
  })
})

describe('a running service', () => {
  test('doubts a clock that jumps by more than a day', async () => {
    const { open } = await inUse()
    jump(YEAR_MS)
    await runSchedule(t.app)
    expect(await statusOf(open)).toBe('sent')
    expect(await alerts()).toHaveLength(1)
  })

  test('stops irreversible work in the middle when the clock jumps', async () => {
    await inUse()
    await t.app.clock.isBelieved()
    const guarded = t.app.clock.guarded(t.app)
    expect(guarded.now()).toEqual(t.clock.now)
    jump(YEAR_MS)
    expect(() => guarded.now()).toThrow('the clock jumped')
  })

  test('doubts a clock that is set back by more than a day, until it has caught up', async () => {
    await inUse()
    jump(-3 * DAY_MS)
    await runSchedule(t.app)
    expect((await alerts())[0]?.message).toContain('was already used on')
    jump(3 * DAY_MS)
    await runSchedule(t.app)
    expect(await alerts()).toEqual([])
    // Quiet for an hour all the same.
    expect(await t.app.clock.isBelieved()).toBe(false)
    t.clock.pass({ seconds: QUIET_AFTER_GAP_MS / 1000 })
    expect(await t.app.clock.isBelieved()).toBe(true)
  })
})

describe('a clock before the date of the executable', () => {
  test('is doubted, also with an empty database', async () => {
    const app = await restart({ builtAt: new Date(START.getTime() + 2 * DAY_MS) })
    expect((await clockDoubt(app.db))?.direction).toBe('behind')
  })

  test('an old executable on an empty database doubts nothing', async () => {
    const app = await restart({ builtAt: new Date(START.getTime() - 3 * YEAR_MS) })
    expect(await clockDoubt(app.db)).toBeUndefined()
  })
})
