/** The list of events: order, filters, what a key may see, deleted documents, concurrent writes. */
import { expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { insertUser } from '../../../src/accounts/queries.ts'
import { PUBLIC_EVENTS } from '../../../src/core/document/event.ts'
import { openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, newDocument } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
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

async function member(name: string): Promise<Headers> {
  const userId = t.app.newId('usr')
  const user = { id: userId, email: `${name}@example.com`, name, role: 'member' as const, passwordHash: 'x' }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  const { key } = await createKey(t.app, { userId }, { name, scopes: [], expiresInDays: undefined })
  return { authorization: `Bearer ${key}` }
}

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

test('an event has the id, type and time of its delivery, and shows the document and recipient as they were', async () => {
  const sink = await openHttpSink((_request, response) => response.end())
  try {
    await t.api('POST', '/webhooks', { url: sink.url, events: ['*'] })
    const id = await sentDocument(t)
    await signAs(t, ADA.email, ADA.name)
    await t.drain()
    const events = await all(100)
    const delivered = sink.requests.map(({ body }) => JSON.parse(String(body)) as Event)
    const heads = (list: Event[]) =>
      list.map(({ id, type, timestamp }) => ({ id, type, timestamp })).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(heads(events)).toEqual(heads(delivered))
    for (const { documentId, data } of events) expect([documentId, data.document.id]).toEqual([id, id])
    expect(events.at(-1)?.data.document).toEqual((await t.api('GET', '/documents')).body.data[0])
    expect(events[0]?.data.document.status).toBe('draft')
    const signed = events.find(({ type }) => type === 'recipient.signed')
    expect(signed?.recipientId).toBe(signed?.data.recipient.id)
    expect(signed?.data.recipient).toMatchObject({ email: ADA.email, status: 'signed' })
    expect(JSON.stringify(events)).not.toMatch(/"fields"|\/s\/|accessCodeHash/)
  } finally {
    await sink.close()
  }
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

test('a member sees the events of their own documents only, also of deleted ones, and a key needs the scope', async () => {
  const [mia, theo] = [await member('mia'), await member('theo')]
  const [hers, his] = [await create(mia), await create(theo)]
  const ours = await create()
  expect((await all(1, '', mia)).map(e => e.documentId)).toEqual([hers])
  expect((await all(1, 'type=document.created', theo)).map(e => e.documentId)).toEqual([his])
  expect(await all(1, `documentId=${hers}`, theo)).toEqual([])
  expect((await all(1)).map(e => e.documentId)).toEqual([hers, his, ours])
  await t.api('DELETE', `/documents/${hers}`, undefined, mia)
  expect((await all(1, '', mia)).map(e => [e.type, e.documentId, e.data.document])).toEqual([
    ['document.created', hers, null],
    ['document.deleted', hers, null],
  ])
  expect(
    (await t.api('GET', '/events', undefined, { authorization: `Bearer ${await t.key({ scopes: ['webhooks:read'] })}` })).status,
  ).toBe(403)
})

test('the events of a deleted document stay, without a name, address or title', async () => {
  const id = await sentDocument(t, { title: 'The secret merger' })
  await signAs(t, ADA.email, ADA.name)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Bob changed his mind' })
  const before = await all(100)
  await t.api('DELETE', `/documents/${id}`)
  const after = await all(100)
  expect(after.slice(0, -1).map(({ data: _, ...head }) => head)).toEqual(before.map(({ data: _, ...head }) => head))
  for (const event of after.slice(0, -1)) expect(event.data).toEqual({ document: null })
  expect(typesOf(after).at(-1)).toBe('document.deleted')
  expect(JSON.stringify(after)).not.toMatch(/merger|Ada|Bob|example\.com|mind/)
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
