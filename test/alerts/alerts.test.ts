/** Alerts: raised once, mailed once at each step, together with others, ended once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { endAlert, mailAlerts, namedMessage, raiseAlert } from '../../src/alerts/alerts.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { sweepAccounts } from '../../src/jobs/upkeep.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { diagnosis, englishOfDiagnosis } from '../../src/locales/diagnoses.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { LOW_DISK, mailWarnings } from '../support/warnings.ts'

const DISK_MESSAGE = englishOfDiagnosis(LOW_DISK.found)
const TITLE = 'The disk is nearly full'

let place: TestApp
beforeAll(async () => {
  place = await openTestApp()
})
afterAll(() => place.close())

const instanceEvents = () =>
  place.app.db.selectFrom('events').select('type').where('type', 'like', 'alert.%').orderBy('sequence').execute()
const subjects = () => place.mails.map(({ to, subject }) => [to.address, subject.replace('[TEST] ', '')])

describe('an alert', () => {
  test('raised without administrator and contact is open without a mail', async () => {
    expect(await raiseAlert(place.app, { ...LOW_DISK, subject: 'first' })).toBe(true)
    await mailWarnings(place)
    expect(place.mails).toEqual([])
    expect((await listAlerts(place.app.db, 10)).map(({ subject }) => subject)).toEqual(['first'])
    expect(await endAlert(place.app, 'disk_low', 'first')).toBe(true)
  })

  test('is mailed to every administrator once, in their language, with a link to the page that mends it', async () => {
    await createAdmin(place.app, { email: 'ada@example.com', name: 'Ada', password: 'four quite ordinary words' })
    await createAdmin(place.app, { email: 'bob@example.com', name: 'Bob', password: 'four quite ordinary words' })
    await place.app.write(tx => tx.updateTable('users').set({ language: 'de' }).where('name', '=', 'Bob').execute())
    const alert = { kind: 'backup_overdue', found: diagnosis('backup_overdue', { days: 2 }) } as const
    expect(await raiseAlert(place.app, alert)).toBe(true)
    expect(await raiseAlert(place.app, alert)).toBe(false)
    await mailAlerts(place.app)
    await place.drain()
    expect(place.mails).toEqual([])
    await mailWarnings(place)
    await mailWarnings(place)
    expect(subjects()).toEqual([
      ['ada@example.com', 'The last backup is too old'],
      ['bob@example.com', 'Die letzte Sicherung ist zu alt'],
    ])
    expect(place.mails[0]?.text).toContain('For more than 2 days no backup has succeeded, although they are scheduled.')
    expect(place.mails[1]?.text).toContain('Seit mehr als 2 Tagen ist keine Sicherung gelungen')
    for (const { text } of place.mails) expect(text).toContain(`${place.app.config.baseUrl}/settings/backups`)
    await endAlert(place.app, 'backup_overdue')
  })

  test('is an audit event when it is raised and when it ends, and ends once', async () => {
    expect(await raiseAlert(place.app, LOW_DISK)).toBe(true)
    expect(await endAlert(place.app, 'disk_low')).toBe(true)
    expect(await endAlert(place.app, 'disk_low')).toBe(false)
    expect(await listAlerts(place.app.db, 10)).toEqual([])
    expect((await instanceEvents()).slice(-2).map(({ type }) => type)).toEqual(['alert.raised', 'alert.ended'])
    expect(await verifyChain(place.app.db)).toMatchObject({ count: expect.any(Number) })
  })

  test('that ends before it is mailed is not mailed', async () => {
    place.mails.length = 0
    await raiseAlert(place.app, LOW_DISK)
    await endAlert(place.app, 'disk_low')
    await mailWarnings(place)
    expect(place.mails).toEqual([])
  })

  test('is mailed again at each worse step, and at no better one; its words follow', async () => {
    place.mails.length = 0
    const step = async (days: number) => {
      const found = diagnosis('certificate_ends', { isOwn: true, days })
      await raiseAlert(place.app, { kind: 'certificate_ends', step: days, found })
      await mailWarnings(place)
    }
    for (const days of [30, 30, 14, 30, 14, 7]) await step(days)
    const daysIn = (text: string) => /within (\d+) days/.exec(text)?.[1]
    const toAda = place.mails.filter(({ to }) => to.address === 'ada@example.com')
    expect(toAda.map(({ text }) => daysIn(text))).toEqual(['30', '14', '7'])
    await step(30)
    expect((await listAlerts(place.app.db, 10)).map(({ step, message }) => [step, daysIn(message)])).toEqual([[7, '30']])
    await endAlert(place.app, 'certificate_ends')
  })

  test('of the same minutes as others goes into one mail with them, in which each kind has three sentences at most', async () => {
    place.mails.length = 0
    for (let i = 0; i < 30; i++) {
      const found = diagnosis('folder_file_missing', { file: `${i}.pdf`, hasDocuments: false, documents: [] })
      await raiseAlert(place.app, { kind: 'file_damaged', subject: String(i), found })
    }
    place.clock.pass({ minutes: 1 })
    await raiseAlert(place.app, LOW_DISK)
    place.clock.pass({ minutes: 1 })
    await mailAlerts(place.app)
    await mailWarnings(place)
    expect(subjects().map(([, subject]) => subject)).toEqual([
      '2 warnings about your signing service',
      '2 Warnungen zu Ihrem Signaturdienst',
    ])
    const text = place.mails[0]?.text ?? ''
    expect(text.match(/file \d+\.pdf is missing/g)).toHaveLength(3)
    expect(text).toContain('And 27 more of this kind.')
    expect(text).toContain(`${TITLE}. ${DISK_MESSAGE}`)
    expect(text).toContain(`${place.app.config.baseUrl}/settings/health`)
    await endAlert(place.app, 'disk_low')
    for (let i = 0; i < 30; i++) await endAlert(place.app, 'file_damaged', String(i))
  })

  test('is not mailed while mail fails, and once it works again only if it is still open', async () => {
    place.mails.length = 0
    await raiseAlert(place.app, {
      kind: 'mail_failing',
      found: diagnosis('mail_failing', { reason: 'None.' }),
      mailAfterMs: 'never',
    })
    await raiseAlert(place.app, LOW_DISK)
    await raiseAlert(place.app, { kind: 'clock_wrong', found: diagnosis('clock_goes_back') })
    await mailWarnings(place)
    expect(place.mails).toEqual([])
    await endAlert(place.app, 'clock_wrong')
    await endAlert(place.app, 'mail_failing')
    await mailWarnings(place)
    expect(subjects().map(([, subject]) => subject)).toEqual([TITLE, 'Der Datenträger ist fast voll'])
    await endAlert(place.app, 'disk_low')
  })

  test('is mailed ten times a day at most, and the last mail says so', async () => {
    place.clock.pass({ days: 2 })
    place.mails.length = 0
    for (let i = 0; i < 15; i++) {
      expect(await raiseAlert(place.app, LOW_DISK)).toBe(true)
      await mailWarnings(place)
      await endAlert(place.app, 'disk_low')
      place.clock.pass({ minutes: 30 })
    }
    const toAda = () => place.mails.filter(({ to }) => to.address === 'ada@example.com')
    expect(toAda().map(({ text }) => text.includes('no more will be sent for a day'))).toEqual([...Array(9).fill(false), true])
    place.clock.pass({ hours: 20 })
    await raiseAlert(place.app, LOW_DISK)
    await mailWarnings(place)
    expect(toAda()).toHaveLength(11)
    await endAlert(place.app, 'disk_low')
    place.clock.pass({ days: 2 })
    await sweepAccounts(place.app)
    expect(await place.app.db.selectFrom('alert_mails').selectAll().execute()).toEqual([])
  })

  test('about what belongs to a member is mailed to that person, too, who gets no other', async () => {
    place.clock.pass({ days: 2 })
    place.mails.length = 0
    const mia = { id: 'usr_mia', email: 'mia@example.com', name: 'Mia', role: 'member', passwordHash: 'x' } as const
    await place.app.write(tx => insertUser(tx, mia, place.clock.now))
    await raiseAlert(place.app, LOW_DISK)
    const found = diagnosis('webhook_failing', { webhookId: 'whk_1', host: 'a.example', cause: 'answered 500' })
    await raiseAlert(place.app, { kind: 'webhook_disabled', subject: 'whk_1', found, ownerId: mia.id })
    await mailWarnings(place)
    expect(subjects().map(([to]) => to)).toEqual(['ada@example.com', 'bob@example.com', 'mia@example.com'])
    const text = place.mails[2]?.text ?? ''
    expect(text).toContain(`${place.app.config.baseUrl}/settings/webhooks/whk_1`)
    expect(text).not.toContain(DISK_MESSAGE)
    expect(text).not.toContain('administrator')
    await endAlert(place.app, 'disk_low')
    await endAlert(place.app, 'webhook_disabled', 'whk_1')
  })

  test('is not mailed to an administrator who turned that off, but never to nobody', async () => {
    const mailedTo = async () => {
      place.mails.length = 0
      await raiseAlert(place.app, LOW_DISK)
      await mailWarnings(place)
      await endAlert(place.app, 'disk_low')
      place.clock.pass({ days: 2 })
      return place.mails.map(({ to }) => to.address)
    }
    const turnOff = (name: string) =>
      place.app.write(tx => tx.updateTable('users').set({ warning_mails: 0 }).where('name', '=', name).execute())
    await turnOff('Ada')
    expect(await mailedTo()).toEqual(['bob@example.com'])
    await turnOff('Bob')
    expect(await mailedTo()).toEqual(['ada@example.com', 'bob@example.com'])
  })
})

test.each([
  ['en', 'backup_missing', 'There are no backups: if this machine is lost, so is every contract on it.'],
  ['de', 'certificate_ends', 'Das Siegelzertifikat läuft innerhalb von 14 Tagen ab.'],
] as const)(
  'a message that begins with the words of its warning’s name has no name before it (%s)',
  (language, kind, message) => {
    expect(namedMessage(appTextsOf(language).alerts.kinds[kind], message)).toBe(message)
    expect(namedMessage(appTextsOf(language).alerts.kinds.clock_wrong, message)).toEndWith(`. ${message}`)
  },
)
