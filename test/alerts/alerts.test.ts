/** Alerts: raised once, told once, shown to administrators alone, ended once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { endAlert, raiseAlert } from '../../src/alerts/alerts.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const DISK = { kind: 'disk_low', title: 'The disk is nearly full', message: 'Only 400 MiB are free. Make room.' } as const

let place: TestApp
beforeAll(async () => {
  place = await openTestApp()
})
afterAll(() => place.close())

const instanceEvents = () =>
  place.app.db.selectFrom('events').select('type').where('type', 'like', 'alert.%').orderBy('sequence').execute()

describe('an alert', () => {
  test('raised before there is an administrator and a contact mails nobody and is open all the same', async () => {
    expect(await raiseAlert(place.app, { ...DISK, subject: 'first' })).toBe(true)
    await place.drain()
    expect(place.mails).toEqual([])
    expect((await listAlerts(place.app.db, 10)).map(({ subject }) => subject)).toEqual(['first'])
    expect(await endAlert(place.app, 'disk_low', 'first')).toBe(true)
  })

  test('is mailed to every administrator once, however often it is raised, with a link into the web app', async () => {
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

  test('is an event of the audit log when it is raised and when it ends, and ends once', async () => {
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

  test('can be mailed to another person in place of the administrators', async () => {
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
