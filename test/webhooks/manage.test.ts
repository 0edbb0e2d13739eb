/** Changing webhooks, replacing secrets, tests, the list of deliveries and their repetition. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createKey } from '../../src/accounts/keys.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { sweepWebhooks } from '../../src/jobs/upkeep.ts'
import { addPerson } from '../support/accounts.ts'
import { type HttpSink, openHttpSink, type SinkHandler } from '../support/http-sink.ts'
import { newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let sink: HttpSink
let answer: SinkHandler
beforeEach(async () => {
  answer = (_request, response) => response.end('thank you')
  sink = await openHttpSink((request, response) => answer(request, response))
})
afterEach(() => sink.close())

const register = async (events = ['document.sent']) =>
  (await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events })).body
const answerWith =
  (code: number, text = ''): SinkHandler =>
  (_request, response) => {
    response.writeHead(code)
    response.end(text)
  }
const deliveriesOf = async (id: string, query = '') => (await t.api('GET', `/webhooks/${id}/deliveries${query}`)).body

/** Whether the public library accepts the request with this secret. Its own clock is not ours. */
function accepts(secret: string, { headers, body }: HttpSink['requests'][number]): boolean {
  const id = String(headers['webhook-id'])
  const expected = new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), String(body))
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

describe('a webhook', () => {
  test('is shown with a masked secret, and changes what is named and nothing else', async () => {
    const { secret, ...registered } = await register()
    const masked = { ...registered, secret: `whsec_…${secret.slice(-4)}` }
    expect((await t.api('GET', `/webhooks/${registered.id}`)).body).toEqual(masked)
    expect((await t.api('PATCH', `/webhooks/${registered.id}`, {})).body).toEqual(masked)
    const changed = await t.api('PATCH', `/webhooks/${registered.id}`, {
      url: `${sink.url}/other`,
      events: ['document.created', 'document.created'],
    })
    expect(changed.body).toEqual({ ...masked, url: `${sink.url}/other`, events: ['document.created'] })
    await sentDocument(t)
    expect(sink.requests.map(({ path, body }) => [path, JSON.parse(String(body)).type])).toEqual([['/other', 'document.created']])
  })

  test('refuses a wrong address, event or member by its path, and keeps what it was', async () => {
    const { id } = await register()
    const before = (await t.api('GET', `/webhooks/${id}`)).body
    const { status, body } = await t.api('PATCH', `/webhooks/${id}`, { url: 'http://10.0.0.1/', events: ['document.opened'] })
    expect([status, body.error.details.map((d: { path: string }) => d.path)]).toEqual([422, ['url', 'events[0]']])
    for (const edit of [{ events: [] }, { enabled: 'yes' }, { secret: 'whsec_mine' }]) {
      expect((await t.api('PATCH', `/webhooks/${id}`, edit)).status).toBe(422)
    }
    expect((await t.api('GET', `/webhooks/${id}`)).body).toEqual(before)
  })

  test('gets nothing while it is disabled on request, which needs no reason', async () => {
    const { id } = await register()
    const { body } = await t.api('PATCH', `/webhooks/${id}`, { enabled: false })
    expect([body.enabled, body.disabledReason]).toEqual([false, null])
    await sentDocument(t)
    expect(sink.requests).toEqual([])
    for (const path of ['test', 'deliveries/dlv_0/redeliver']) {
      const refused = await t.api('POST', `/webhooks/${id}/${path}`)
      expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    }
    await t.api('PATCH', `/webhooks/${id}`, { enabled: true })
    await sentDocument(t)
    expect(sink.requests).toHaveLength(1)
  })

  test('that the service disabled says why, and enabling it clears the reason, the alert and earlier failures', async () => {
    const { id } = await register()
    answer = answerWith(410)
    await sentDocument(t)
    const disabled = (await t.api('GET', `/webhooks/${id}`)).body
    expect([disabled.enabled, disabled.disabledReason]).toEqual([false, 'the receiver answered 410 Gone'])
    const alerts = () => t.app.db.selectFrom('alerts').select('kind').execute()
    expect(await alerts()).toEqual([{ kind: 'webhook_disabled' }])
    t.clock.pass({ days: 30 })
    const enabled = (await t.api('PATCH', `/webhooks/${id}`, { enabled: true })).body
    expect([enabled.enabled, enabled.disabledReason]).toEqual([true, null])
    expect(await alerts()).toEqual([])
    // Without the new beginning, the first failure would raise the alert of four failing days.
    answer = answerWith(500)
    await sentDocument(t)
    for (let i = 0; i < 10; i++) {
      t.clock.pass({ hours: 25 })
      await t.drain()
      if (i < 2) expect(await alerts()).toEqual([])
    }
    expect((await t.api('GET', `/webhooks/${id}`)).body.disabledReason).toBe('no delivery was accepted for five days')
  })
})

describe('a replaced secret', () => {
  test('is shown once, and for 24 hours a receiver may know either', async () => {
    const { id, secret: old } = await register()
    const { status, body } = await t.api('POST', `/webhooks/${id}/rotate-secret`)
    expect([status, body.id]).toEqual([200, id])
    expect(body.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(body.secret).not.toBe(old)
    expect((await t.api('GET', `/webhooks/${id}`)).body.secret).toBe(`whsec_…${body.secret.slice(-4)}`)
    await sentDocument(t)
    t.clock.pass({ hours: 23, minutes: 59 })
    await sentDocument(t)
    for (const request of sink.requests) {
      expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2)
      expect([accepts(body.secret, request), accepts(old, request)]).toEqual([true, true])
    }
    t.clock.pass({ minutes: 1 })
    await sentDocument(t)
    const last = sink.requests[2] as HttpSink['requests'][number]
    expect(String(last.headers['webhook-signature'])).not.toContain(' ')
    expect([accepts(body.secret, last), accepts(old, last)]).toEqual([true, false])
  })

  test('the library itself accepts a delivery with two signatures', async () => {
    // The library compares the time-stamp with the real clock.
    t.clock.now = new Date()
    const { id, secret: old } = await register()
    const { body } = await t.api('POST', `/webhooks/${id}/rotate-secret`)
    await sentDocument(t)
    const [request] = sink.requests
    const headers = Object.fromEntries(Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]))
    for (const secret of [old, body.secret]) {
      expect(new Webhook(secret).verify(String(request?.body), headers)).toMatchObject({ type: 'document.sent' })
    }
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    expect(() => new Webhook(other).verify(String(request?.body), headers)).toThrow()
  })

  test('may follow another within the 24 hours, at most four times, and none remains stored after that', async () => {
    const { id, secret } = await register()
    const secrets = [secret]
    for (let i = 0; i < 4; i++) secrets.push((await t.api('POST', `/webhooks/${id}/rotate-secret`)).body.secret)
    expect((await t.api('POST', `/webhooks/${id}/rotate-secret`)).body.error.code).toBe('invalid_state')
    await sentDocument(t)
    for (const known of secrets) expect(accepts(known, sink.requests[0] as HttpSink['requests'][number])).toBe(true)
    const stored = async () => (await t.app.db.selectFrom('webhook_former_secrets').selectAll().execute()).length
    expect(await stored()).toBe(4)
    t.clock.pass({ days: 1 })
    await sweepWebhooks(t.app)
    expect(await stored()).toBe(0)
    expect((await t.api('POST', `/webhooks/${id}/rotate-secret`)).status).toBe(200)
    await t.api('DELETE', `/webhooks/${id}`)
    expect(await stored()).toBe(0)
  })

  test('is the same again for a repeated request', async () => {
    const { id } = await register()
    const headers = { 'idempotency-key': 'rotate-1' }
    const first = await t.api('POST', `/webhooks/${id}/rotate-secret`, undefined, headers)
    const second = await t.api('POST', `/webhooks/${id}/rotate-secret`, undefined, headers)
    expect(second.body).toEqual(first.body)
    expect(await t.app.db.selectFrom('webhook_former_secrets').selectAll().execute()).toHaveLength(1)
  })
})

describe('a test', () => {
  test('is delivered whatever the webhook subscribes to, signed, and its result is shown', async () => {
    const { id, secret } = await register(['document.voided'])
    const { status, body: delivery } = await t.api('POST', `/webhooks/${id}/test`)
    expect([status, delivery.type, delivery.status, delivery.attempts]).toEqual([201, 'webhook.test', 'pending', []])
    await t.drain()
    const [request] = sink.requests
    expect(JSON.parse(String(request?.body))).toEqual({
      id: delivery.eventId,
      type: 'webhook.test',
      timestamp: t.clock.now.toISOString(),
      data: { webhook: { id } },
    })
    expect(accepts(secret, request as HttpSink['requests'][number])).toBe(true)
    const { data } = await deliveriesOf(id)
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ ...delivery, status: 'delivered', nextAttemptAt: null, attempts: [{ status: 200 }] })
    expect(data[0].attempts[0].answer).toBe('thank you')
    expect(await t.app.db.selectFrom('events').select('id').where('id', '=', delivery.eventId).execute()).toEqual([])
  })

  test('that fails is not repeated and does not count as a failure of the webhook', async () => {
    const { id } = await register()
    answer = answerWith(500, 'broken')
    await t.api('POST', `/webhooks/${id}/test`)
    await t.drain()
    const { data } = await deliveriesOf(id)
    expect(data[0]).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(data[0].attempts).toHaveLength(1)
    t.clock.pass({ days: 6 })
    await t.drain()
    expect(sink.requests).toHaveLength(1)
    await sentDocument(t)
    expect((await t.api('GET', `/webhooks/${id}`)).body.enabled).toBe(true)
    expect(await t.app.db.selectFrom('alerts').selectAll().execute()).toEqual([])
  })
})

describe('deliveries', () => {
  test('show every attempt with its time, status, latency, error and the first 2,048 bytes of the answer', async () => {
    const { id } = await register()
    answer = answerWith(503, 'x'.repeat(5000))
    await sentDocument(t)
    const [pending] = (await deliveriesOf(id)).data
    expect(pending).toMatchObject({ status: 'pending', type: 'document.sent', eventId: sink.requests[0]?.headers['webhook-id'] })
    expect(pending.body).toBe(String(sink.requests[0]?.body))
    expect(Date.parse(pending.nextAttemptAt) - t.clock.now.getTime()).toBeWithin(4000, 6000)
    t.clock.pass({ seconds: 10 })
    answer = answerWith(204)
    await t.drain()
    const [done] = (await deliveriesOf(id)).data
    expect(done).toMatchObject({ status: 'delivered', nextAttemptAt: null })
    expect(done.attempts).toEqual([
      {
        number: 1,
        at: '2026-11-20T17:25:00.000Z',
        status: 503,
        latencyMs: expect.any(Number),
        error: 'answered 503',
        answer: 'x'.repeat(2048),
      },
      { number: 2, at: '2026-11-20T17:25:10.000Z', status: 204, latencyMs: expect.any(Number), error: null, answer: '' },
    ])
  })

  test('come in pages, the newest first, each once', async () => {
    const { id } = await register(['*'])
    const other = await register(['*'])
    for (let i = 0; i < 3; i++) await sentDocument(t)
    const all = (await deliveriesOf(id)).data.map((d: { id: string }) => d.id)
    expect(all.length).toBeGreaterThan(5)
    expect(all).toEqual([...all].sort().reverse())
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await deliveriesOf(id, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      paged.push(...page.data.map((d: { id: string }) => d.id))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all)
    expect((await deliveriesOf(other.id)).data).toHaveLength(all.length)
    expect((await t.api('GET', `/webhooks/${id}/deliveries?cursor=x`)).status).toBe(422)
  })

  test('are repeated with the same event and body, a new signature and a new series of attempts', async () => {
    const { id, secret } = await register()
    answer = answerWith(500)
    await sentDocument(t)
    const [failing] = (await deliveriesOf(id)).data
    answer = answerWith(200)
    t.clock.pass({ seconds: 3 })
    const { status, body: again } = await t.api('POST', `/webhooks/${id}/deliveries/${failing.id}/redeliver`)
    expect([status, again.status, again.eventId, again.attempts]).toEqual([201, 'pending', failing.eventId, []])
    expect(again.id).not.toBe(failing.id)
    await t.drain()
    const [first, second] = sink.requests
    expect(second?.headers['webhook-id']).toBe(String(first?.headers['webhook-id']))
    expect(String(second?.body)).toBe(String(first?.body))
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(accepts(secret, second as HttpSink['requests'][number])).toBe(true)
    const { data } = await deliveriesOf(id)
    expect(data.map((d: { id: string; status: string }) => [d.id, d.status])).toEqual([
      [again.id, 'delivered'],
      [failing.id, 'pending'],
    ])
    expect(data[0].attempts.map((a: { number: number }) => a.number)).toEqual([1])
  })

  test('of another webhook, or of a deleted document, cannot be repeated', async () => {
    const { id } = await register()
    const other = await register()
    const documentId = await sentDocument(t)
    const [mine] = (await deliveriesOf(id)).data
    const redeliver = async (hook: string) => (await t.api('POST', `/webhooks/${hook}/deliveries/${mine.id}/redeliver`)).status
    expect(await redeliver(other.id)).toBe(404)
    await t.api('POST', `/documents/${documentId}/void`, { reason: 'A mistake' })
    await t.api('DELETE', `/documents/${documentId}`)
    expect(await redeliver(id)).toBe(404)
    expect((await deliveriesOf(id)).data).toEqual([])
  })
})

test('a member sees and changes only their own webhooks, and a key needs the scope', async () => {
  const { id } = await register()
  const userId = t.app.newId('usr')
  const user = { id: userId, email: 'mia@example.com', name: 'Mia', role: 'member' as const, passwordHash: 'x' }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  const { key } = await createKey(t.app, { userId }, { name: 'mia', scopes: [], expiresInDays: undefined })
  const reader = await t.key({ scopes: ['webhooks:read'] })
  await sentDocument(t)
  const [delivery] = (await deliveriesOf(id)).data
  const calls: [string, string, unknown?][] = [
    ['GET', `/webhooks/${id}`],
    ['GET', `/webhooks/${id}/deliveries`],
    ['PATCH', `/webhooks/${id}`, { enabled: false }],
    ['POST', `/webhooks/${id}/rotate-secret`],
    ['POST', `/webhooks/${id}/test`],
    ['POST', `/webhooks/${id}/deliveries/${delivery.id}/redeliver`],
  ]
  for (const [method, path, body] of calls) {
    expect([path, (await t.api(method, path, body, { authorization: `Bearer ${key}` })).status]).toEqual([path, 404])
    const read = await t.api(method, path, body, { authorization: `Bearer ${reader}` })
    expect([path, read.status]).toEqual([path, method === 'GET' ? 200 : 403])
  }
  expect(sink.requests).toHaveLength(1)
  expect((await t.api('POST', '/documents', await newDocument(), { authorization: `Bearer ${reader}` })).status).toBe(403)
})

test('an auditor reads no path of an address by the API either: it may hold a secret', async () => {
  const { id } = await register()
  const auditor = await addPerson(t, 'Theo', 'auditor')
  const { key } = await createKey(t.app, { userId: auditor.id }, { name: 'theo', scopes: [], expiresInDays: undefined })
  for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
    const read = await t.api('GET', path, undefined, { authorization: `Bearer ${key}` })
    expect(read.status).toBe(200)
    expect(JSON.stringify(read.body)).not.toContain('/hook')
  }
})
