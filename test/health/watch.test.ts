/** The rules of the alerts: what raises each, what ends it, and what is mailed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { changeBackupPlan, readBackupPlan } from '../../src/backups/plan.ts'
import { runDueBackup } from '../../src/backups/runs.ts'
import { updateAlerts } from '../../src/health/watch.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { queueNotice } from '../../src/outbox/outbox.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { dropSetting, saveSetting } from '../../src/settings/queries.ts'
import { readRetention } from '../../src/settings/retention.ts'
import { pauseSending, resumeSending } from '../../src/settings/sending-pause.ts'
import { readServiceSettings } from '../../src/settings/service-settings.ts'
import { noteTimestampAnswer } from '../../src/settings/timestamp-settings.ts'
import { onSqlite } from '../support/engine.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { mailWarnings } from '../support/warnings.ts'

const DAY_MS = 86_400_000
const GRACE = { email: 'grace@example.com', name: 'Grace', password: 'four quite ordinary words' }

let t: TestApp
afterEach(() => t.close())

/** Open alerts after a minute, each as kind, subject and step. All are German where the app is. */
async function open(): Promise<string[]> {
  await updateAlerts(t.app)
  const alerts = await listAlerts(t.app.db, 20)
  for (const { message } of alerts) {
    const german = storedText(message)
    expect([message, german !== message]).toEqual([message, true])
    expect(german).not.toMatch(/\$\d|\b(?:the|has|been|hour|clock)\b/i)
  }
  return alerts
    .map(({ kind, subject, step }) => [kind, subject, step].filter(part => part !== '' && part !== undefined).join(' '))
    .sort()
}

const messageOf = async (kind: string) => (await listAlerts(t.app.db, 20)).find(alert => alert.kind === kind)?.message ?? ''
const subjectsSince = (from: number) => t.mails.slice(from).map(({ subject }) => subject.replace('[TEST] ', ''))
const REFUSED = { outcome: 'refused', permanent: false, reply: 'mail.acme.example said: 451 <ada@example.com> later' } as const

async function queueMail(): Promise<void> {
  const notice = { subject: 'A note', paragraphs: ['Words.'] }
  await t.app.write(tx => queueNotice(tx, t.app, { name: 'Ada', email: 'ada@example.com' }, notice))
}

describe('without any problem', () => {
  beforeEach(async () => {
    t = await openTestApp()
  })

  test('nothing is raised', async () => {
    expect(await open()).toEqual([])
    t.clock.pass({ days: 30 })
    expect(await open()).toEqual([])
  })
})

describe('a stored setting that its parser refuses', () => {
  const store = (name: string, text: string) => t.app.write(tx => saveSetting(tx, name, text))
  beforeEach(async () => {
    t = await openTestApp()
  })

  test.each([
    ['service.mailFrom', 'no address', 'mailFrom', '/settings/email'],
    ['service.oidcOnly', 'perhaps', 'oidcOnly', '/settings/sign-in'],
    ['organisation.timeZone', 'Mars/Olympus', 'organisation.timeZone', '/settings/organisation'],
    ['organisation.quietHours', '{"from":"late"', 'organisation.quietHours', '/settings/organisation'],
    ['organisation.defaults', '{"expiresInDays":"30","reminders":null}', 'organisation.defaults', '/settings/organisation'],
    ['retention', '{"periods":{"completed":0.5},"before":{},"from":"","announcedAt":null}', 'retention', '/settings/retention'],
    ['backups.plan', '[]', 'backups.plan', '/settings/backups'],
    ['signIn.secondFactor', 'perhaps', 'signIn.secondFactor', '/settings/sign-in'],
  ])('%s: its default is in force, and an alert names it and its page', async (name, text, named, page) => {
    const defaults = await inForce()
    await store(name, text)
    expect(await inForce()).toEqual(defaults)
    expect(await open()).toEqual(['setting_unreadable'])
    expect(await messageOf('setting_unreadable')).toContain(`The stored setting ${named} cannot be read`)
    expect(await messageOf('setting_unreadable')).toContain(page)
    await t.app.write(tx => dropSetting(tx, name))
    expect(await open()).toEqual([])
  })

  test('does not stop a start, nor the sign-in page', async () => {
    await store('service.oidcOnly', 'perhaps')
    await store('organisation.timeZone', 'Mars/Olympus')
    expect((await t.serve(new Request(`${t.app.config.baseUrl}/sign-in`))).status).toBe(200)
  })

  async function inForce() {
    const { app } = t
    const settings = Object.entries(await readServiceSettings(app)).map(([name, { value }]) => [name, value])
    return [settings, await readOrganisation(app.db), await readRetention(app.db, app.now()), await readBackupPlan(app.db)]
  }
})

describe('the seal certificate', () => {
  beforeEach(async () => {
    t = await openTestApp()
    await createAdmin(t.app, GRACE)
  })

  test('is warned of 30, 14, 7 and 1 days before its end and at its end, by one mail each', async () => {
    const { not_after } = await t.app.db.selectFrom('seal_certificates').select('not_after').executeTakeFirstOrThrow()
    const mailed: [number, string][] = []
    for (const days of [31, 30, 29, 14, 13, 8, 6.5, 2, 1, 0.5, 0, -1, -20]) {
      t.clock.now = new Date(Date.parse(not_after) - days * DAY_MS)
      const before = t.mails.length
      await updateAlerts(t.app)
      await mailWarnings(t)
      if (t.mails.length > before) mailed.push([days, await messageOf('certificate_ends')])
      expect(t.mails.length - before).toBeLessThanOrEqual(1)
    }
    expect(mailed.map(([days]) => days)).toEqual([30, 14, 6.5, 1, 0])
    expect(mailed.map(([, text]) => /within [\w ]+|has ended/.exec(text)?.[0])).toEqual([
      'within 30 days',
      'within 14 days',
      'within 7 days',
      'within a day',
      'has ended',
    ])
    expect(await open()).toEqual(['certificate_ends 0'])
  })
})

describe('mail', () => {
  beforeEach(async () => {
    t = await openTestApp()
    await createAdmin(t.app, GRACE)
  })

  test('that has failed for an hour is an alert that names the last answer, without the address in it', async () => {
    t.mailVerdicts.push(...Array(20).fill(REFUSED))
    await queueMail()
    await t.drain()
    t.clock.pass({ minutes: 59 })
    expect(await open()).toEqual([])
    t.clock.pass({ minutes: 1 })
    expect(await open()).toEqual(['mail_failing'])
    expect(await messageOf('mail_failing')).toContain('last answer: mail.acme.example said: 451 <…> later.')
    await mailWarnings(t)
    expect(t.mails).toEqual([])
  })

  test('that works again ends it, and one mail says from when to when none went out', async () => {
    t.mailVerdicts.push(REFUSED, REFUSED)
    await queueMail()
    await t.drain()
    t.clock.pass({ hours: 1 })
    await t.drain()
    await updateAlerts(t.app)
    t.clock.pass({ hours: 2 })
    await t.drain()
    expect(await open()).toEqual([])
    const before = t.mails.length
    await mailWarnings(t)
    expect(subjectsSince(before)).toEqual(['E-mails go out again'])
    expect(t.mails.at(-1)?.text).toContain('From 20 Nov 2026, 17:25')
  })

  test('to one address alone that fails for days is none: others were accepted meanwhile', async () => {
    t.mailVerdicts.push(REFUSED)
    await queueMail()
    await queueMail()
    await t.drain()
    for (let hour = 0; hour < 6; hour++) {
      t.clock.pass({ hours: 1 })
      t.mailVerdicts.push(REFUSED)
      await t.drain()
      expect(await open()).toEqual([])
    }
  })

  test('that waits because sending is paused is no alert; that it is paused is one, without a mail', async () => {
    await queueMail()
    await t.app.write(tx => pauseSending(tx, { since: t.clock.now, backupMadeAt: t.clock.now }))
    t.clock.pass({ hours: 3 })
    expect(await open()).toEqual(['sending_paused'])
    expect(await t.app.db.selectFrom('alerts').select('mail_due_at').execute()).toEqual([{ mail_due_at: null }])
    await resumeSending(t.app, COMMAND_LINE)
    await t.drain()
    expect(await open()).toEqual([])
  })
})

describe('work', () => {
  beforeEach(async () => {
    t = await openTestApp()
  })

  const insert = (kind: 'seal' | 'augment' | 'mail', more: { last_error?: string; lease_boot?: string } = {}) =>
    t.app.write(tx => {
      const at = t.clock.now.toISOString()
      const job = {
        id: t.app.newId('job'),
        kind,
        subject: t.app.newId('doc'),
        lane: kind,
        document_id: null,
        due_at: at,
        created_at: at,
      }
      return tx
        .insertInto('jobs')
        .values({ ...job, ...more })
        .execute()
    })

  test('that nobody has begun for an hour is an alert, unless some of its kind is being done', async () => {
    await insert('mail')
    t.clock.pass({ minutes: 59 })
    expect(await open()).toEqual([])
    t.clock.pass({ minutes: 1 })
    expect(await open()).toEqual(['jobs_stuck mail'])
    await insert('mail', { lease_boot: t.app.node.boot })
    expect(await open()).toEqual([])
  })

  test('that waited while no node served is none', async () => {
    await insert('mail')
    t.clock.pass({ hours: 5 })
    await t.app.node.leave()
    await t.app.node.join()
    expect(await open()).toEqual([])
  })

  test('of sealing that fails is an alert after an hour, of augmenting after a day', async () => {
    for (const kind of ['seal', 'augment'] as const) await insert(kind, { last_error: 'no key', lease_boot: t.app.node.boot })
    t.clock.pass({ minutes: 61 })
    expect(await open()).toEqual(['seals_failing seal'])
    t.clock.pass({ days: 1 })
    expect(await open()).toEqual(['seals_failing augment', 'seals_failing seal'])
    await t.app.write(tx => tx.updateTable('jobs').set({ state: 'done', last_error: null }).execute())
    expect(await open()).toEqual([])
  })
})

describe('time', () => {
  beforeEach(async () => {
    t = await openTestApp({ env: { SIGNET_TSA_URL: 'http://tsa.example.com/' } })
  })

  test('an authority that has failed for an hour is an alert until it answers', async () => {
    await noteTimestampAnswer(t.app, { failure: 'tsa.example.com answered 500' })
    t.clock.pass({ minutes: 30 })
    await noteTimestampAnswer(t.app, { failure: 'tsa.example.com answered 503' })
    expect(await open()).toEqual([])
    t.clock.pass({ minutes: 30 })
    expect(await open()).toEqual(['timestamps_failing'])
    expect(await messageOf('timestamps_failing')).toContain('Last answer: tsa.example.com answered 503.')
    await noteTimestampAnswer(t.app, { stampedAt: t.clock.now })
    expect(await open()).toEqual([])
  })

  test('a clock that differs from the authority’s by more than a minute is an alert', async () => {
    await noteTimestampAnswer(t.app, { stampedAt: new Date(t.clock.now.getTime() - 59_000) })
    expect(await open()).toEqual([])
    t.clock.pass({ minutes: 11 })
    await noteTimestampAnswer(t.app, { stampedAt: new Date(t.clock.now.getTime() - 61_000) })
    expect(await open()).toEqual(['clock_wrong'])
  })

  test('a clock that was set back behind the audit log is an alert', async () => {
    await createAdmin(t.app, GRACE)
    t.clock.pass({ hours: -1 })
    expect(await open()).toEqual(['clock_wrong'])
  })
})

describe('backups', () => {
  const daily = () => {
    const input = {
      time: '02:30',
      keep: '3',
      place: 'folder',
      folder: t.folder,
      s3: '',
      encryption: 'passphrase',
      recipients: '',
    }
    return changeBackupPlan(t.app, COMMAND_LINE, { ...input, frequency: 'daily', newPassphrase: false })
  }

  onSqlite(test)('that are not set up are an alert at once in production, and a mail after three days', async () => {
    t = await openTestApp({ env: { SIGNET_ENVIRONMENT: 'production', SIGNET_BASE_URL: 'https://sign.example.com' } })
    await createAdmin(t.app, GRACE)
    expect(await open()).toEqual(['backup_missing'])
    t.clock.pass({ days: 2 })
    await mailWarnings(t)
    expect(t.mails).toEqual([])
    t.clock.pass({ days: 1 })
    await mailWarnings(t)
    expect(t.mails.map(({ subject }) => subject)).toEqual(['There are no backups'])
    await daily()
    expect(await open()).toEqual([])
  })

  onSqlite(test)('that have not succeeded for two days are an alert until one does', async () => {
    t = await openTestApp()
    await daily()
    t.clock.pass({ hours: 47 })
    expect(await open()).toEqual([])
    t.clock.pass({ hours: 1 })
    expect(await open()).toEqual(['backup_overdue'])
    await runDueBackup(t.app)
    expect(await open()).toEqual([])
  })
})
