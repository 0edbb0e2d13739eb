/** After a restore nothing leaves the instance until an administrator says so. */
import { expect, test } from 'bun:test'
import { expireDue, remindAllDue } from '../../src/documents/lifecycle/upkeep.ts'
import { SYSTEM } from '../../src/ports.ts'
import { pauseSending, resumeSending, sendingPause } from '../../src/settings/sending-pause.ts'
import { testWebhookNow } from '../../src/webhooks/deliveries.ts'
import { openHttpSink } from '../support/http-sink.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const pause = () =>
  t.app.write(tx => pauseSending(tx, { since: t.app.now(), backupMadeAt: new Date(t.app.now().getTime() - 3_600_000) }))

async function sendOne(): Promise<string> {
  const { body } = await t.api('POST', '/documents', await newDocument())
  await t.api('POST', `/documents/${body.id}/send`)
  return body.id
}

test('mails wait while sending is paused, and go out when it is resumed', async () => {
  await pause()
  await sendOne()
  await t.drain()
  expect(t.mails).toEqual([])
  expect(await resumeSending(t.app, SYSTEM)).toBe(true)
  expect(await sendingPause(t.app.db)).toBeUndefined()
  await t.drain()
  expect(t.mails.map(mail => mail.to.address)).toContain(ADA.email)
  expect(await resumeSending(t.app, SYSTEM)).toBe(false)
})

test('a webhook is not called while sending is paused', async () => {
  const hook = await t.api('POST', '/webhooks', { url: 'https://hooks.example.com/x', events: ['document.created'] })
  expect(hook.status).toBe(201)
  await pause()
  await t.api('POST', '/documents', await newDocument())
  await t.drain()
  expect(await t.sql("SELECT attempts, state FROM jobs WHERE kind = 'webhook'")).toEqual([{ attempts: 0, state: 'open' }])
})

test('a test of a webhook is refused while sending is paused: it would reach the receiver of the original', async () => {
  const sink = await openHttpSink()
  try {
    const { body } = await t.api('POST', '/webhooks', { url: sink.url, events: ['*'] })
    await pause()
    await expect(testWebhookNow(t.app, SYSTEM.actor, body.id)).rejects.toThrow('sending_paused')
    await t.api('POST', `/webhooks/${body.id}/test`)
    await t.drain()
    expect(sink.requests).toEqual([])
    await resumeSending(t.app, SYSTEM)
    expect((await testWebhookNow(t.app, SYSTEM.actor, body.id)).isTest).toBe(true)
    expect(sink.requests.length).toBeGreaterThan(0)
  } finally {
    await sink.close()
  }
})

test('nobody is reminded and nothing expires while sending is paused', async () => {
  await sentDocument(t, { expiresInDays: 5 })
  await pause()
  t.clock.pass({ days: 30 })
  expect([await remindAllDue(t.app), await expireDue(t.app)]).toEqual([0, 0])
  await resumeSending(t.app, SYSTEM)
  expect(await expireDue(t.app)).toBe(1)
})

test('documents are signed and sealed while sending is paused', async () => {
  const id = await sentDocument(t, {
    recipients: [{ ...ADA, fields: [{ type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }] }],
  })
  await pause()
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
})

test('the instance says that sending is paused', async () => {
  await pause()
  const response = await t.fetch('/readyz')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'degraded', checks: { sending: 'paused' } })
})
