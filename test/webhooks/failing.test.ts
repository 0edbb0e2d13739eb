/** A failing webhook: warned about, disabled, and each mailed once. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { insertUser } from '../../src/accounts/queries.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { type HttpSink, openHttpSink } from '../support/http-sink.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { mailWarnings } from '../support/warnings.ts'

const t = useTestApp()
let sink: HttpSink
let status: number
beforeEach(async () => {
  status = 200
  sink = await openHttpSink((_request, response) => {
    response.writeHead(status)
    response.end()
  })
})
afterEach(() => sink.close())

async function addUser(email: string, role: 'admin' | 'member'): Promise<string> {
  const user = { id: t.app.newId('usr'), email, name: email.replace(/@.*/, ''), role, passwordHash: 'none' }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  return user.id
}

async function register(): Promise<string> {
  return (await t.api('POST', '/webhooks', { url: `${sink.url}/a-secret-path`, events: ['document.created'] })).body.id
}

/** Delivers one event with all attempts that are due within these hours. */
async function fail(hours: number): Promise<void> {
  await t.api('POST', '/documents', await newDocument())
  for (let hour = 0; hour < hours; hour++) {
    await t.drain()
    t.clock.pass({ hours: 1 })
  }
  await t.drain()
  await mailWarnings(t)
}

const mailed = () => t.mails.map(m => [m.to.address, m.subject])
const isEnabled = async () => (await t.app.db.selectFrom('webhooks').select('enabled').executeTakeFirstOrThrow()).enabled === 1
const alerts = async () => (await listAlerts(t.app.db, 10)).map(({ kind, subject }) => [kind, subject])

test('410 disables the webhook and mails the administrators once, without its URL; deletion ends the alert', async () => {
  await addUser('grace@example.com', 'admin')
  const id = await register()
  status = 410
  await t.api('POST', '/documents', await newDocument())
  await t.api('POST', '/documents', await newDocument())
  await t.drain()
  await mailWarnings(t)
  expect(await isEnabled()).toBe(false)
  expect(mailed()).toEqual([['grace@example.com', '[TEST] A webhook was disabled']])
  expect(t.mails[0]?.text).toContain('the receiver answered 410 Gone. No more events are sent to it.')
  expect(t.mails[0]?.text).not.toContain('a-secret-path')
  expect(await alerts()).toEqual([['webhook_disabled', id]])
  await t.api('DELETE', `/webhooks/${id}`)
  expect(await alerts()).toEqual([])
})

test('the owner and the administrators are mailed, each once', async () => {
  await addUser('grace@example.com', 'admin')
  const mia = await addUser('mia@example.com', 'admin')
  const id = await register()
  await t.app.write(tx => tx.updateTable('webhooks').set({ owner_id: mia }).where('id', '=', id).execute())
  status = 410
  await fail(0)
  expect(mailed().map(([to]) => to)).toEqual(['grace@example.com', 'mia@example.com'])
  for (const { text } of t.mails) expect(text).toContain(`/settings/webhooks/${id}\n`)
})

test('four days without success cause a warning, five days and a failed last attempt the end, each with a mail', async () => {
  await addUser('grace@example.com', 'admin')
  await register()
  status = 500
  await fail(90)
  expect(mailed()).toEqual([])
  await fail(20)
  expect(mailed().map(([, subject]) => subject)).toEqual(['[TEST] A webhook fails'])
  expect(t.mails[0]?.text).toContain('The last attempt: answered 500.')
  expect(await isEnabled()).toBe(true)
  await fail(80)
  expect(await isEnabled()).toBe(false)
  expect(mailed().map(([, subject]) => subject)).toEqual(['[TEST] A webhook fails', '[TEST] A webhook was disabled'])
  expect((await alerts()).map(([kind]) => kind)).toEqual(['webhook_disabled'])
})

test('a success ends the warning', async () => {
  await addUser('grace@example.com', 'admin')
  const id = await register()
  status = 500
  await fail(90)
  await fail(20)
  expect(await alerts()).toEqual([['webhook_failing', id]])
  status = 200
  await fail(0)
  expect(await alerts()).toEqual([])
  expect(await isEnabled()).toBe(true)
})

test('after a month without deliveries the first failure neither warns nor disables', async () => {
  await addUser('grace@example.com', 'admin')
  await register()
  await fail(0)
  t.clock.pass({ days: 30 })
  status = 500
  // All ten attempts.
  await fail(90)
  expect(sink.requests.length).toBe(11)
  expect(mailed()).toEqual([])
  expect(await isEnabled()).toBe(true)
  // A second delivery makes it four days.
  await fail(20)
  expect(mailed().map(([, subject]) => subject)).toEqual(['[TEST] A webhook fails'])
})
