/** Alerts: raised once, mailed once, ended once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { endAlert, raiseAlert } from '../../src/alerts/alerts.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { sweepAccounts } from '../../src/jobs/upkeep.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const DISK = { kind: 'disk_low', title: 'The disk is nearly full', message: 'Only 400 MiB are free. Free space.' } as const

let place: TestApp
beforeAll(async () => {
  place = await openTestApp()
})
afterAll(() => place.close())

const instanceEvents = () =>
  place.app.db.selectFrom('events').select('type').where('type', 'like', 'alert.%').orderBy('sequence').execute()

describe('an alert', () => {
  test('raised without administrator and contact is open without a mail', async () => {
    expect(await raiseAlert(place.app, { ...DISK, subject: 'first' })).toBe(true)
    await place.drain()
    expect(place.mails).toEqual([])
    expect((await listAlerts(place.app.db, 10)).map(({ subject }) => subject)).toEqual(['first'])
    expect(await endAlert(place.app, 'disk_low', 'first')).toBe(true)
  })

  test('is mailed to every administrator once, however often it is raised, with a link to the web app', async () => {
    await createAdmin(place.app, { email: 'ada@example.com', name: 'Ada', password: 'four quite ordinary words' })
    await createAdmin(place.app, { email: 'bob@example.com', name: 'Bob', password: 'four quite ordinary words' })
    const alert = { ...DISK, link: { text: 'Open Settings', path: '/settings' } }
    expect(await raiseAlert(place.app, alert)).toBe(true)
    expect(await raiseAlert(place.app, alert)).toBe(false)
    await place.drain()
    expect(place.mails.map(({ to }) => to.address).sort()).toEqual(['ada@example.com', 'bob@example.com'])
    expect(place.mails[0]?.subject).toContain(DISK.title)
    expect(place.mails[0]?.text).toContain(DISK.message)
    expect(place.mails[0]?.text).toContain(`${place.app.config.baseUrl}/settings`)
  })

  test('is an audit event when it is raised and when it ends, and ends once', async () => {
    expect(await endAlert(place.app, 'disk_low')).toBe(true)
    expect(await endAlert(place.app, 'disk_low')).toBe(false)
    expect(await listAlerts(place.app.db, 10)).toEqual([])
    expect((await instanceEvents()).map(({ type }) => type)).toEqual([
      'alert.raised',
      'alert.ended',
      'alert.raised',
      'alert.ended',
    ])
    expect(await verifyChain(place.app.db)).toMatchObject({ count: expect.any(Number) })
  })

  test('raised again after it ended is mailed again', async () => {
    place.mails.length = 0
    expect(await raiseAlert(place.app, DISK)).toBe(true)
    await place.drain()
    expect(place.mails).toHaveLength(2)
    await endAlert(place.app, 'disk_low')
  })

  test('is mailed ten times a day at most, and the last mail says so', async () => {
    place.clock.pass({ days: 2 })
    place.mails.length = 0
    for (let i = 0; i < 30; i++) {
      expect(await raiseAlert(place.app, DISK)).toBe(true)
      await endAlert(place.app, 'disk_low')
      place.clock.pass({ minutes: 30 })
    }
    const file = { kind: 'file_damaged', title: 'A stored file is damaged', message: 'Restore it.' } as const
    for (let i = 0; i < 30; i++) await raiseAlert(place.app, { ...file, subject: String(i) })
    await place.drain()
    const mailsTo = (address: string, subject: string) =>
      place.mails.filter(({ to, subject: line }) => to.address === address && line.includes(subject))
    for (const address of ['ada@example.com', 'bob@example.com'])
      for (const { title } of [DISK, file]) {
        const texts = mailsTo(address, title).map(({ text }) => text.includes('no more will be sent for a day'))
        expect(texts).toEqual([...Array(9).fill(false), true])
      }
    expect(await listAlerts(place.app.db, 100)).toHaveLength(30)
    place.clock.pass({ hours: 10 })
    await raiseAlert(place.app, DISK)
    await place.drain()
    expect(mailsTo('ada@example.com', DISK.title)).toHaveLength(11)
    await endAlert(place.app, 'disk_low')
    for (let i = 0; i < 30; i++) await endAlert(place.app, 'file_damaged', String(i))
    place.clock.pass({ days: 1 })
    await sweepAccounts(place.app)
    expect(await place.app.db.selectFrom('alert_mails').selectAll().execute()).toEqual([])
  })

  test('can be mailed to another person instead of the administrators', async () => {
    place.mails.length = 0
    await raiseAlert(place.app, {
      ...DISK,
      kind: 'webhook_disabled',
      subject: 'whk_1',
      to: [{ name: 'Eve', email: 'eve@example.com' }],
    })
    await place.drain()
    expect(place.mails.map(({ to }) => to.address)).toEqual(['eve@example.com'])
    await endAlert(place.app, 'webhook_disabled', 'whk_1')
  })
})
