/** Failed events since a moment are sent again: counted, bounded, never twice. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { changeTogether } from '../../src/db/together.ts'
import { MAX_REDELIVERED } from '../../src/webhooks/deliveries.ts'
import { deliveryInsertions, setDeliveryStatus } from '../../src/webhooks/delivery-queries.ts'
import { type HttpSink, openHttpSink } from '../support/http-sink.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let sink: HttpSink
let hook: string
beforeEach(async () => {
  sink = await openHttpSink((_request, response) => response.end())
  hook = (await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, description: ' Shop ', events: ['*'] })).body.id
})
afterEach(() => sink.close())

type Outcome = 'delivered' | 'failed' | 'pending'

/** Made now. */
async function delivery(eventId: string, outcome: Outcome, isTest = false): Promise<void> {
  const id = t.app.newId('dlv')
  const body = JSON.stringify({ id: eventId, type: 'document.sent' })
  const row = { id, webhookId: hook, eventId, type: 'document.sent' as const, documentId: undefined, body, isTest }
  await t.app.write(async tx => {
    await changeTogether(tx, deliveryInsertions(tx, [row], t.app.now()))
    if (outcome !== 'pending') await setDeliveryStatus(tx, id, outcome)
  })
}

const resend = (since: Date | string) =>
  t.api('POST', `/webhooks/${hook}/redeliver`, { since: typeof since === 'string' ? since : since.toISOString() })
const received = () => sink.requests.map(({ headers }) => headers['webhook-id'])

test('each event whose newest delivery failed is sent once, the oldest first', async () => {
  await delivery('evt_before', 'failed')
  t.clock.pass({ hours: 1 })
  const since = t.clock.now
  await delivery('evt_1', 'failed')
  await delivery('evt_1', 'failed')
  await delivery('evt_2', 'failed')
  await delivery('evt_2', 'delivered')
  await delivery('evt_3', 'failed')
  await delivery('evt_3', 'pending')
  await delivery('evt_test', 'failed', true)
  await delivery('evt_4', 'failed')
  const { status, body } = await resend(since)
  expect([status, body]).toEqual([200, { queued: 2, remaining: 0 }])
  await t.drain()
  expect(received()).toEqual(['evt_1', 'evt_4'])
  expect((await resend(since)).body).toEqual({ queued: 0, remaining: 0 })
  const entries = await t.app.db.selectFrom('events').select('entry').where('type', '=', 'webhook.redelivered').execute()
  expect(entries.map(({ entry }) => JSON.parse(entry).data.queued)).toEqual([2])
})

test('more than the limit are left, and counted', async () => {
  for (let i = 0; i < MAX_REDELIVERED + 3; i++) await delivery(`evt_${i}`, 'failed')
  expect((await resend(t.clock.now)).body).toEqual({ queued: MAX_REDELIVERED, remaining: 3 })
  expect((await resend(t.clock.now)).body).toEqual({ queued: 3, remaining: 0 })
}, 60_000)

test('is refused while the webhook is disabled, for a time that is none, and for strangers', async () => {
  expect((await resend('2026-13-01T00:00:00Z')).status).toBe(422)
  await t.api('PATCH', `/webhooks/${hook}`, { enabled: false })
  expect((await resend(t.clock.now)).body.error.code).toBe('invalid_state')
})

test('the description of a webhook is set, shown, changed and removed by the API', async () => {
  const shown = async () => (await t.api('GET', `/webhooks/${hook}`)).body.description
  expect(await shown()).toBe('Shop')
  await t.api('PATCH', `/webhooks/${hook}`, { description: 'Accounting' })
  expect(await shown()).toBe('Accounting')
  await t.api('PATCH', `/webhooks/${hook}`, { enabled: true })
  expect(await shown()).toBe('Accounting')
  await t.api('PATCH', `/webhooks/${hook}`, { description: '' })
  expect(await shown()).toBeNull()
})
