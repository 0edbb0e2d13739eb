/** The list of events: order, filters, what a key may see, and how programs learn of deletions. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { PUBLIC_EVENTS } from '../../../src/core/document/event.ts'
import { changeRetention, eraseRetained } from '../../../src/documents/retention/retention.ts'
import { sweepWebhooks } from '../../../src/jobs/upkeep.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { tokenOfNew } from '../../support/accounts.ts'
import { withContact } from '../../support/announced.ts'
import { type HttpSink, openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, newDocument } from '../../support/sample.ts'
import { sentDocument, signAs, signedDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

interface Event {
  id: string
  type: string
  timestamp: string
  documentId: string
  recipientId: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
  data: any
}
type Headers = Record<string, string>

const page = async (query = '', headers: Headers = {}): Promise<{ data: Event[]; nextCursor: string | null }> =>
  (await t.api('GET', `/events?${query}`, undefined, headers)).body

/** All events, read in pages of this size. */
async function all(limit: number, query = '', headers: Headers = {}): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = ''; ; ) {
    const { data, nextCursor } = await page(`limit=${limit}${cursor ? `&cursor=${cursor}` : ''}&${query}`, headers)
    events.push(...data)
    if (nextCursor === null) return events
    cursor = nextCursor
  }
}

const typesOf = (events: Event[]) => events.map(({ type }) => type)
const create = async (headers: Headers = {}): Promise<string> =>
  (await t.api('POST', '/documents', await newDocument(), headers)).body.id

test('events come in the order in which they were recorded, public types only, the same in pages of any size', async () => {
  const id = await sentDocument(t)
  for (const { email, name } of [ADA, BOB]) await signAs(t, email, name)
  await t.drain()
  const events = await all(100)
  expect(typesOf(events)).toEqual(['document.created', 'document.sent', ...typesOf(events).slice(2, -1), 'document.completed'])
  for (const type of typesOf(events)) expect(PUBLIC_EVENTS as readonly string[]).toContain(type)
  const audit = (await t.api('GET', `/documents/${id}/audit`)).body.events as Event[]
  const isPublic = ({ type }: Event) => (PUBLIC_EVENTS as readonly string[]).includes(type)
  expect(events.map(e => e.id)).toEqual(audit.filter(isPublic).map(e => e.id))
  expect(await all(1)).toEqual(events)
  expect(await all(3)).toEqual(events)
})

test('an event shows the document and recipient as they were, without fields, links and codes', async () => {
  const id = await signedDocument(t, {})
  const events = await all(100)
  for (const { documentId, data } of events) expect([documentId, data.document.id]).toEqual([id, id])
  expect(events.at(-1)?.data.document).toEqual((await t.api('GET', '/documents')).body.data[0])
  expect(events[0]?.data.document.status).toBe('draft')
  const signed = events.find(({ type }) => type === 'recipient.signed')
  expect(signed?.recipientId).toBe(signed?.data.recipient.id)
  expect(signed?.data.recipient).toMatchObject({ email: ADA.email, status: 'signed' })
  expect(JSON.stringify(events)).not.toMatch(/"fields"|\/s\/|accessCodeHash/)
})

test('a consumer continues after the last event it knows, and another cursor is refused', async () => {
  await create()
  const known = (await all(100)).at(-1)?.id ?? ''
  expect(await page(`cursor=${known}`)).toEqual({ data: [], nextCursor: null })
  const id = await create()
  const { data } = await page(`cursor=${known}`)
  expect(data.map(e => [e.type, e.documentId])).toEqual([['document.created', id]])
  for (const cursor of ['evt_00000000000000000000000000', 'x', '']) {
    const { status, body } = await t.api('GET', `/events?cursor=${cursor}`)
    expect([status, body.error.details[0].path]).toEqual([422, 'cursor'])
  }
})

test('filters by type and by document, together and alone', async () => {
  const [first, second] = [await sentDocument(t), await sentDocument(t)]
  const sent = await all(1, 'type=document.sent')
  expect(sent.map(e => e.documentId)).toEqual([first, second])
  const ofSecond = await all(1, `documentId=${second}`)
  expect(new Set(ofSecond.map(e => e.documentId))).toEqual(new Set([second]))
  expect(typesOf(ofSecond)).toContain('document.created')
  expect((await all(1, `documentId=${second}&type=document.sent`)).map(e => e.id)).toEqual([sent[1]?.id as string])
  expect((await t.api('GET', '/events?type=document.erased')).status).toBe(422)
})

test('a member sees the events of their own documents only, and a key needs the scope', async () => {
  const [mia, theo] = [await tokenOfNew(t, 'mia'), await tokenOfNew(t, 'theo')]
  const [hers, his] = [await create(mia), await create(theo)]
  const ours = await create()
  expect((await all(1, '', mia)).map(e => e.documentId)).toEqual([hers])
  expect((await all(1, 'type=document.created', theo)).map(e => e.documentId)).toEqual([his])
  expect(await all(1, `documentId=${hers}`, theo)).toEqual([])
  expect((await all(1)).map(e => e.documentId)).toEqual([hers, his, ours])
  expect(
    (await t.api('GET', '/events', undefined, { authorization: `Bearer ${await t.key({ scopes: ['webhooks:read'] })}` })).status,
  ).toBe(403)
})

test('the events of a deleted document stay for ever, without their data, a name, address or title', async () => {
  const id = await sentDocument(t, { title: 'The secret merger' })
  await signAs(t, ADA.email, ADA.name)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Bob changed his mind' })
  const before = await all(100)
  await t.api('DELETE', `/documents/${id}`)
  t.clock.pass({ days: 400 })
  await sweepWebhooks(t.app)
  const after = await all(100)
  expect(after.slice(0, -1).map(({ data: _, ...head }) => head)).toEqual(before.map(({ data: _, ...head }) => head))
  for (const event of after.slice(0, -1)) expect(event.data).toEqual({ document: null })
  expect(after.at(-1)).toMatchObject({ type: 'document.deleted', data: { id, reason: 'deleted' } })
  expect(JSON.stringify(after)).not.toMatch(/merger|Ada|Bob|example\.com|mind/)
  expect(await t.app.db.selectFrom('public_event_data').selectAll().execute()).toEqual([])
})

test('while others write, a consumer that follows the log misses no event and gets none twice', async () => {
  let isWriting = true
  let wake = () => {}
  t.app.changes.subscribe(() => wake())
  const seen: string[] = []
  const follow = async () => {
    for (let cursor = ''; ; ) {
      const changed = new Promise<void>(resolve => {
        wake = resolve
      })
      const mayEnd = !isWriting
      const { data } = await page(`limit=3${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...data.map(e => e.id))
      cursor = data.at(-1)?.id ?? cursor
      if (mayEnd && data.length === 0) return
      if (data.length === 0 && isWriting) await changed
    }
  }
  const write = async () => {
    for (let i = 0; i < 5; i++) {
      const id = await create()
      await t.api('POST', `/documents/${id}/send`)
    }
  }
  const following = follow()
  await Promise.all([write(), write(), write(), write()])
  isWriting = false
  wake()
  await following
  expect(seen.length).toBeGreaterThanOrEqual(40)
  expect(seen).toEqual((await all(100)).map(e => e.id))
})

describe('a deletion', () => {
  let sink: HttpSink
  beforeEach(async () => {
    sink = await openHttpSink()
  })
  afterEach(() => sink.close())

  // biome-ignore lint/suspicious/noExplicitAny: an event of any type
  const delivered = (): any[] => sink.requests.map(({ body }) => JSON.parse(String(body)))
  const deletions = () => delivered().filter(({ type }) => type === 'document.deleted')
  const feed = async (query = '', headers: Headers = {}) => (await page(`limit=100&${query}`, headers)).data
  const subscribe = async (events: string[], headers: Headers = {}): Promise<string> =>
    (await t.api('POST', '/webhooks', { url: sink.url, events }, headers)).body.id
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

  test('deleting drops the open deliveries of the document, but not the one that reports it', async () => {
    await sink.close()
    sink = await openHttpSink((_request, response) => response.writeHead(503).end())
    const hook = await subscribe(['*'])
    const id = await voided()
    const before = (await t.api('GET', `/webhooks/${hook}/deliveries`)).body.data
    expect(before.length).toBeGreaterThan(2)
    await t.api('DELETE', `/documents/${id}`)
    const { data } = (await t.api('GET', `/webhooks/${hook}/deliveries`)).body
    expect(data.map(({ type, status, documentId }: Record<string, string>) => [type, status, documentId])).toEqual([
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
    const [mia, theo] = [await tokenOfNew(t, 'mia'), await tokenOfNew(t, 'theo')]
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
      fieldId: ada.fields.find((f: { name: string }) => f.name === name).id,
      name,
      recipientId: ada.id,
      value,
    })
    const hers = [of('Town', 'London'), of('Pet', 'false'), of('Breed', null)]
    const [first] = await feed('type=recipient.signed')
    expect(first?.data.values).toEqual(hers)
    const [completed] = await feed('type=document.completed')
    const rent = { fieldId: body.senderFields[0].id, name: 'Rent', recipientId: null, value: '1200' }
    expect(completed?.data.values).toEqual([rent, ...hers])
  })

  test('events of earlier releases, which have no data of their own, show the document as it is now', async () => {
    const id = await sentDocument(t)
    await t.app.write(tx => tx.deleteFrom('public_event_data').execute())
    const { body } = await t.api('GET', '/documents')
    for (const { data } of await feed(`documentId=${id}`)) expect(data.document).toEqual(body.data[0])
  })
})
