/** Deliveries: signed, repeated, never to internal addresses, independent of mails. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { changeTogether } from '../../src/db/together.ts'
import { sweepWebhooks } from '../../src/jobs/upkeep.ts'
import { insertJob } from '../../src/outbox/queries.ts'
import { PAUSES_S } from '../../src/webhooks/deliver.ts'
import { deliveryInsertions } from '../../src/webhooks/delivery-queries.ts'
import { type HttpSink, openHttpSink, type SinkHandler } from '../support/http-sink.ts'
import { newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { openTestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let sink: HttpSink
let answer: SinkHandler
beforeEach(async () => {
  answer = (_request, response) => response.end()
  sink = await openHttpSink((request, response) => answer(request, response))
})
afterEach(() => sink.close())

const register = async (events = ['document.sent']) =>
  (await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events })).body
const statusCode =
  (code: number, headers: Record<string, string> = {}): SinkHandler =>
  (_request, response) => {
    response.writeHead(code, headers)
    response.end()
  }
const delivery = async () => t.app.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
const webhook = async () => t.app.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()

test('the public library accepts a real delivery and refuses it with one byte changed', async () => {
  const { secret } = await register(['*'])
  await sentDocument(t)
  const types = sink.requests.map(r => JSON.parse(String(r.body)).type)
  expect(types).toContain('document.created')
  expect(types).toContain('document.sent')
  for (const { body, headers } of sink.requests) {
    // The library would compare the time-stamp with the real clock: sign again instead.
    const signed = new Webhook(secret).sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1000),
      String(body),
    )
    expect(headers['webhook-signature']).toBe(signed)
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(t.clock.now.getTime() / 1000))
  }
})

test('a body contains the event and the document without fields, links or secrets', async () => {
  await register()
  const id = await sentDocument(t)
  const body = JSON.parse(String(sink.requests[0]?.body))
  expect(body).toMatchObject({
    type: 'document.sent',
    timestamp: '2026-11-20T17:25:00.000Z',
    data: { document: { id, status: 'sent' } },
  })
  expect(body.id).toBe(sink.requests[0]?.headers['webhook-id'])
  expect(body.data.document.recipients[0].fields).toBeUndefined()
  expect(String(sink.requests[0]?.body)).not.toMatch(/\/s\/|whsec_|accessCode/)
})

test('a failing receiver gets ten attempts by the published schedule, each signed anew', async () => {
  await register()
  answer = statusCode(500)
  await sentDocument(t)
  const pauses: number[] = []
  for (let i = 0; i < 12; i++) {
    const job = await t.app.db.selectFrom('jobs').selectAll().where('kind', '=', 'webhook').executeTakeFirstOrThrow()
    if (job.state !== 'open') break
    const due = new Date(job.due_at)
    pauses.push((due.getTime() - t.clock.now.getTime()) / 1000)
    t.clock.now = new Date(due.getTime() - 1)
    const before = sink.requests.length
    await t.drain()
    expect(sink.requests.length).toBe(before)
    t.clock.now = due
    await t.drain()
  }
  expect(sink.requests).toHaveLength(10)
  expect(pauses).toHaveLength(PAUSES_S.length)
  for (const [i, pause] of pauses.entries()) {
    const planned = PAUSES_S[i] ?? 0
    expect(pause).toBeGreaterThanOrEqual(planned * 0.9 - 0.001)
    expect(pause).toBeLessThanOrEqual(planned * 1.1 + 0.001)
  }
  expect(new Set(sink.requests.map(r => r.headers['webhook-id'])).size).toBe(1)
  expect(new Set(sink.requests.map(r => r.headers['webhook-timestamp'])).size).toBe(10)
  expect((await delivery()).status).toBe('failed')
  expect((await t.app.db.selectFrom('delivery_attempts').selectAll().execute()).map(a => a.status)).toEqual(Array(10).fill(500))
})

test('Retry-After lengthens a pause and never shortens it', async () => {
  await register()
  answer = statusCode(503, { 'retry-after': '600' })
  await sentDocument(t)
  const due = async () => {
    const job = await t.app.db.selectFrom('jobs').selectAll().where('kind', '=', 'webhook').executeTakeFirstOrThrow()
    return (new Date(job.due_at).getTime() - t.clock.now.getTime()) / 1000
  }
  expect(await due()).toBe(600)
  t.clock.pass({ seconds: 600 })
  answer = statusCode(503, { 'retry-after': '1' })
  await t.drain()
  expect(await due()).toBeGreaterThan(260)
})

test('410 disables the webhook at once, and waiting deliveries are dropped', async () => {
  await register(['document.created', 'document.sent'])
  answer = statusCode(410)
  await sentDocument(t)
  expect((await webhook()).enabled).toBe(0)
  await t.api('POST', '/documents', await newDocument())
  await t.drain()
  expect(sink.requests.length).toBeLessThanOrEqual(2)
})

test('a delivery waits in the lane of its receiver’s host and port', async () => {
  await register()
  answer = statusCode(500)
  await sentDocument(t)
  const job = await t.app.db.selectFrom('jobs').select('lane').where('kind', '=', 'webhook').executeTakeFirstOrThrow()
  expect(job.lane).toBe(`127.0.0.1:${sink.port}`)
})

test('no redirect is followed', async () => {
  const canary = await openHttpSink()
  try {
    await register()
    answer = statusCode(307, { location: `${canary.url}/stolen` })
    await sentDocument(t)
    expect(sink.requests).toHaveLength(1)
    expect(canary.requests).toEqual([])
    expect((await delivery()).status).toBe('pending')
  } finally {
    await canary.close()
  }
})

test('internal addresses are refused at registration, loopback only in production', async () => {
  const urls = [
    'http://10.0.0.1/',
    'http://192.168.1.1:8080/x',
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://0x0a000001/',
    'ftp://example.com/',
    'http://user:pw@example.com/',
    'nonsense',
  ]
  for (const url of urls) {
    const { status, body } = await t.api('POST', '/webhooks', { url, events: ['*'] })
    expect([url, status, body.error?.details?.[0]?.path]).toEqual([url, 422, 'url'])
  }
  const production = await openTestApp({ env: { SIGNET_ENVIRONMENT: 'production' } })
  try {
    const refused = await production.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })
    expect(refused.status).toBe(422)
  } finally {
    await production.close()
  }
  const allowed = await openTestApp({ env: { SIGNET_WEBHOOK_ALLOW: '10.0.0.0/8' } })
  try {
    expect((await allowed.api('POST', '/webhooks', { url: 'http://10.0.0.1/', events: ['*'] })).status).toBe(201)
  } finally {
    await allowed.close()
  }
})

test('unknown event types are named', async () => {
  const { body } = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['document.sent', 'document.opened'] })
  expect(body.error.details[0].path).toBe('events[1]')
})

test('failing mails do not delay deliveries', async () => {
  await register()
  t.mailVerdicts.push(...Array(10).fill({ outcome: 'refused', permanent: false, reply: '451 later' }))
  await sentDocument(t)
  expect(sink.requests).toHaveLength(1)
})

test('a deleted webhook gets no more deliveries', async () => {
  const { id } = await register()
  answer = statusCode(500)
  await sentDocument(t)
  await t.api('DELETE', `/webhooks/${id}`)
  t.clock.pass({ days: 1 })
  await t.drain()
  expect(sink.requests).toHaveLength(1)
})

test('a deleted webhook is unknown at once; its deliveries and jobs are removed in slices, those of others stay', async () => {
  const { id } = await register()
  const other = await register()
  const now = new Date()
  await t.app.write(
    async tx => {
      for (let i = 0; i < 450; i++) {
        const webhookId = i < 449 ? id : other.id
        const content = { eventId: `evt_${i}`, type: 'document.sent' as const, documentId: 'doc_1', body: '{}', isTest: false }
        const delivery = { ...content, id: t.app.newId('dlv'), webhookId }
        await changeTogether(tx, deliveryInsertions(tx, [delivery], now))
        const job = {
          id: t.app.newId('job'),
          kind: 'webhook',
          subject: delivery.id,
          lane: 'x',
          documentId: undefined,
          dueAt: now,
        } as const
        await insertJob(tx, job, now)
      }
    },
    { wake: false },
  )
  await t.api('DELETE', `/webhooks/${id}`)
  expect((await t.api('GET', '/webhooks')).body.map((hook: { id: string }) => hook.id)).toEqual([other.id])
  expect((await t.api('DELETE', `/webhooks/${id}`)).status).toBe(404)
  let slices = 0
  const write: typeof t.app.write = (work, how) => {
    slices++
    return t.app.write(work, how)
  }
  await sweepWebhooks({ ...t.app, write })
  // Expired secrets, two full slices, the rest, the webhook, and two calls that find nothing.
  expect(slices).toBe(7)
  const left = (table: 'webhooks' | 'deliveries' | 'jobs') => t.app.db.selectFrom(table).select('id').execute()
  expect([(await left('webhooks')).length, (await left('deliveries')).length, (await left('jobs')).length]).toEqual([1, 1, 1])
})

test('a webhook deleted during an attempt leaves no job', async () => {
  const { id } = await register()
  let end = () => {}
  const asked = Promise.withResolvers<void>()
  answer = (_request, response) => {
    end = () => void response.end()
    asked.resolve()
  }
  const sent = sentDocument(t)
  await asked.promise
  await t.api('DELETE', `/webhooks/${id}`)
  end()
  await sent
  const jobs = await t.app.db.selectFrom('jobs').select(['state', 'attempts']).where('kind', '=', 'webhook').execute()
  expect(jobs.filter(job => job.state === 'open')).toEqual([])
  expect(t.logged.filter(l => l.level === 'error')).toEqual([])
})
