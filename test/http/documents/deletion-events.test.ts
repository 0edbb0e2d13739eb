/** Programs learn that a document is gone, from webhooks and from the list of events. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { insertUser } from '../../../src/accounts/queries.ts'
import { changeRetention, eraseRetained } from '../../../src/documents/retention/retention.ts'
import { sweepWebhooks } from '../../../src/jobs/upkeep.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { withContact } from '../../support/announced.ts'
import { type HttpSink, openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, newDocument } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let sink: HttpSink
beforeEach(async () => {
  sink = await openHttpSink()
})
afterEach(() => sink.close())

type Headers = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: an event of any type
type Event = any

const create = async (headers: Headers = {}): Promise<string> =>
  (await t.api('POST', '/documents', await newDocument(), headers)).body.id
const subscribe = async (events: string[], headers: Headers = {}): Promise<string> =>
  (await t.api('POST', '/webhooks', { url: sink.url, events }, headers)).body.id
const feed = async (query = '', headers: Headers = {}): Promise<Event[]> =>
  (await t.api('GET', `/events?limit=100&${query}`, undefined, headers)).body.data
const delivered = (): Event[] => sink.requests.map(({ body }) => JSON.parse(String(body)))
const deletions = () => delivered().filter(({ type }) => type === 'document.deleted')

async function member(name: string): Promise<Headers> {
  const userId = t.app.newId('usr')
  const user = { id: userId, email: `${name}@example.com`, name, role: 'member' as const, passwordHash: 'x' }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  const { key } = await createKey(t.app, { userId }, { name, scopes: [], expiresInDays: undefined })
  return { authorization: `Bearer ${key}` }
}

async function voided(): Promise<string> {
  const id = await sentDocument(t)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  return id
}

test('a deleted draft and a deleted ended document are reported with id, reason and time, the same in feed and webhook', async () => {
  await subscribe(['document.deleted'])
  const draft = await create()
  const ended = await voided()
  t.clock.pass({ minutes: 5 })
  await t.api('DELETE', `/documents/${draft}`)
  await t.api('DELETE', `/documents/${ended}`)
  await t.drain()
  const at = t.clock.now.toISOString()
  const listed = await feed('type=document.deleted')
  expect(listed.map(({ documentId, recipientId, timestamp, data }) => ({ documentId, recipientId, timestamp, data }))).toEqual([
    { documentId: draft, recipientId: null, timestamp: at, data: { document: null, id: draft, reason: 'draft_deleted', at } },
    { documentId: ended, recipientId: null, timestamp: at, data: { document: null, id: ended, reason: 'deleted', at } },
  ])
  expect(delivered().sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(listed)
  expect(JSON.stringify([listed, delivered()])).not.toMatch(/Ada|Bob|example\.com|agreement|Wrong/)
})

test('the feed keeps the deletion for ever, and the document’s other events without their data', async () => {
  const id = await voided()
  await t.api('DELETE', `/documents/${id}`)
  t.clock.pass({ days: 400 })
  await sweepWebhooks(t.app)
  const events = await feed(`documentId=${id}`)
  expect(events.at(-1)).toMatchObject({ type: 'document.deleted', data: { id, reason: 'deleted' } })
  expect(events.length).toBeGreaterThan(3)
  for (const { data } of events.slice(0, -1)) expect(data).toEqual({ document: null })
  expect(await t.app.db.selectFrom('public_event_data').selectAll().execute()).toEqual([])
})

test('deleting drops the open deliveries of the document, but not the one that reports it', async () => {
  await sink.close()
  sink = await openHttpSink((_request, response) => response.writeHead(503).end())
  const hook = await subscribe(['*'])
  const id = await voided()
  const before = (await t.api('GET', `/webhooks/${hook}/deliveries`)).body.data
  expect(before.length).toBeGreaterThan(2)
  await t.api('DELETE', `/documents/${id}`)
  const { data } = (await t.api('GET', `/webhooks/${hook}/deliveries`)).body
  expect(data.map(({ type, status, documentId }: Event) => [type, status, documentId])).toEqual([
    ['document.deleted', 'pending', id],
  ])
})

test('a delivery of a deletion is repeated like any other, can be sent again, and is removed after 90 days', async () => {
  let status = 503
  await sink.close()
  sink = await openHttpSink((_request, response) => response.writeHead(status).end())
  const hook = await subscribe(['document.deleted'])
  const id = await create()
  await t.api('DELETE', `/documents/${id}`)
  await t.drain()
  t.clock.pass({ seconds: 10 })
  status = 204
  await t.drain()
  const [first] = (await t.api('GET', `/webhooks/${hook}/deliveries`)).body.data
  expect([first.status, first.attempts.length]).toEqual(['delivered', 2])
  const again = await t.api('POST', `/webhooks/${hook}/deliveries/${first.id}/redeliver`)
  expect([again.status, again.body.body]).toEqual([201, first.body])
  await t.drain()
  expect(deletions().map(({ data }) => data.id)).toEqual([id, id, id])
  t.clock.pass({ days: 89 })
  await sweepWebhooks(t.app)
  expect((await t.api('GET', `/webhooks/${hook}/deliveries`)).body.data).toHaveLength(2)
  t.clock.pass({ days: 2 })
  await sweepWebhooks(t.app)
  expect((await t.api('GET', `/webhooks/${hook}/deliveries`)).body.data).toEqual([])
})

test('a member learns of the deletion of their own documents only, also when an administrator deleted it', async () => {
  const [mia, theo] = [await member('mia'), await member('theo')]
  await subscribe(['*'], mia)
  const [hers, his] = [await create(mia), await create(theo)]
  await t.api('DELETE', `/documents/${hers}`)
  await t.api('DELETE', `/documents/${his}`, undefined, theo)
  await t.drain()
  expect((await feed('type=document.deleted', mia)).map(e => e.documentId)).toEqual([hers])
  expect((await feed('type=document.deleted', theo)).map(e => e.documentId)).toEqual([his])
  expect((await feed('type=document.deleted')).map(e => e.documentId)).toEqual([hers, his])
  expect(deletions().map(({ documentId }) => documentId)).toEqual([hers])
})

test('a deleted template is not reported, nor a refused deletion', async () => {
  await subscribe(['*'])
  const id = await sentDocument(t)
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(409)
  const template = (await t.api('POST', '/templates', { documentId: id })).body.id
  expect((await t.api('DELETE', `/templates/${template}`)).status).toBe(200)
  await t.drain()
  expect(await feed('type=document.deleted')).toEqual([])
  expect(deletions()).toEqual([])
})

test('retention reports each document, two in a second, so that other deliveries go between', async () => {
  await subscribe(['*'])
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.push(await voided())
  await t.drain()
  t.clock.pass({ days: 100 })
  await withContact(t)
  await changeRetention(t.app, SYSTEM, { voided: 1 })
  for (let i = 0; i < 15; i++) {
    t.clock.pass({ days: 1 })
    await eraseRetained(t.app)
    await t.drain()
  }
  const listed = await feed('type=document.deleted')
  expect(listed.map(({ data: { id, reason } }) => [id, reason])).toEqual(ids.map(id => [id, 'retention']))
  await t.drain()
  expect(deletions()).toHaveLength(1)
  const urgent = await create()
  await t.drain()
  expect(delivered().at(-1)).toMatchObject({ type: 'document.created', documentId: urgent })
  expect(deletions()).toHaveLength(1)
  t.clock.pass({ seconds: 2 })
  await t.drain()
  expect(deletions()).toHaveLength(5)
  t.clock.pass({ seconds: 1 })
  await t.drain()
  expect(new Set(deletions().map(({ documentId }) => documentId))).toEqual(new Set(ids))
})

test('feed and webhook are one shape: each event is listed exactly as it was delivered', async () => {
  await subscribe(['*'])
  await sentDocument(t)
  for (const { email, name } of [ADA, BOB]) await signAs(t, email, name)
  await t.drain()
  const listed = await feed()
  expect(listed.length).toBeGreaterThan(6)
  expect(delivered().sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(listed)
  const statuses = listed.map(({ data }) => data.document.status)
  expect(statuses[0]).toBe('draft')
  expect(statuses.at(-1)).toBe('completed')
})

test('what was entered comes with `recipient.signed` and `document.completed`, as JSON text, marks left out', async () => {
  const place = { page: 1, x: 10, width: 30, height: 4 }
  const fields = [
    { type: 'signature', ...place, y: 60 },
    { type: 'text', ...place, y: 20, name: 'Town', label: 'Town' },
    { type: 'checkbox', ...place, y: 30, width: 4, name: 'Pet' },
    { type: 'text', ...place, y: 40, name: 'Breed', showIf: { field: 'Pet', is: 'true' } },
  ]
  const senderFields = [{ type: 'text', ...place, y: 80, name: 'Rent', value: '1200' }]
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields }, BOB], senderFields })
  const { body } = await t.api('GET', `/documents/${id}`)
  const [ada] = body.recipients
  const town = ada.fields[1].id
  await signAs(t, ADA.email, ADA.name, { [`fields.${town}`]: 'London' })
  await signAs(t, BOB.email, BOB.name)
  await t.drain()
  const of = (name: string, value: string | null) => ({
    fieldId: ada.fields.find((f: Event) => f.name === name).id,
    name,
    recipientId: ada.id,
    value,
  })
  const hers = [of('Town', 'London'), of('Pet', 'false'), of('Breed', null)]
  const [first] = await feed('type=recipient.signed')
  expect(first.data.values).toEqual(hers)
  const [completed] = await feed('type=document.completed')
  const rent = { fieldId: body.senderFields[0].id, name: 'Rent', recipientId: null, value: '1200' }
  expect(completed.data.values).toEqual([rent, ...hers])
})

test('events of earlier releases, which have no data of their own, show the document as it is now', async () => {
  const id = await sentDocument(t)
  await t.app.write(tx => tx.deleteFrom('public_event_data').execute())
  const { body } = await t.api('GET', '/documents')
  for (const { data } of await feed(`documentId=${id}`)) expect(data.document).toEqual(body.data[0])
})
