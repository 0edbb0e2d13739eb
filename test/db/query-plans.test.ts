/** Scheduled work, a start and frequent requests scan no large table. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createKey } from '../../src/accounts/keys.ts'
import { createDraftBatch } from '../../src/batches/batches.ts'
import { listBatches } from '../../src/batches/queries.ts'
import { sweepBatches } from '../../src/batches/stop.ts'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { countViews, filterOfView, labelsInUse, VIEWS } from '../../src/documents/lists/count-queries.ts'
import { listDocuments } from '../../src/documents/lists/list-queries.ts'
import { documentsToSign } from '../../src/documents/signing/sign-now.ts'
import { instanceText } from '../../src/http/metrics.ts'
import { runSchedule, SCHEDULE } from '../../src/jobs/schedule.ts'
import { releaseLeases } from '../../src/outbox/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { countFailedSince, latestDeliveries, listDeliveries } from '../../src/webhooks/delivery-queries.ts'
import { rounds, rowsFor, sendAll, startBatch, tenancyTemplate } from '../support/batches.ts'
import { onSqlite } from '../support/engine.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

/** Tables that grow with the number of documents or with their use. */
const LARGE = new Set(
  `documents recipients fields files sealed_versions drafts mark_contents field_files events event_details public_events jobs mails deliveries
   delivery_attempts idempotency_keys sessions sign_in_failures contacts document_metadata document_search document_sequence
   document_labels draft_changes batch_rows`.split(/\s+/),
)

/** These stop at the first row of an index. */
const FIRST_ROW = [
  /^select "sequence", "hash" from "events" order by "sequence" desc limit \?$/,
  /^select "at" from "events" order by "sequence" desc limit \?$/,
  /^select "due_at" from "jobs" where "state" = 'open' and "lease_boot" is null order by "due_at" limit \?$/,
  /^select "number" from "document_search" order by "number" desc limit \?$/,
]

let t: TestApp
const asked = new Set<string>()
let restore: () => void

beforeEach(async () => {
  t = await openTestApp()
  asked.clear()
  restore = recordStatements()
})
afterEach(async () => {
  restore()
  await t.close()
})

/** Records the text of every statement that any connection prepares. */
function recordStatements(): () => void {
  const raw = openRaw(join(t.folder, 'any.db'))
  const prototype = Object.getPrototypeOf(raw) as Raw
  raw.close()
  const { prepare } = prototype
  prototype.prepare = function (this: Raw, sql: string) {
    asked.add(sql)
    return prepare.call(this, sql)
  } as Raw['prepare']
  return () => {
    prototype.prepare = prepare
  }
}

/** A plan names a table by its alias. */
function aliasesIn(sql: string): Map<string, string> {
  const named = sql.matchAll(/\b(?:from|join|update|into)\s+"?(\w+)"?\s+(?:as\s+)?"?(\w+)"?/gi)
  return new Map([...named].map(([, table = '', alias = '']) => [alias, table]))
}

/** Each line of a query plan that scans a large table, with its statement. */
function scans(): string[] {
  const raw = openRaw(join(t.folder, 'data', 'signet.db'), { reader: true })
  const statements = [...asked].filter(
    sql => /^\s*(select|update|delete|insert|with)\b/i.test(sql) && !FIRST_ROW.some(known => known.test(sql)),
  )
  try {
    return statements.flatMap(sql => {
      const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(sql.split('?').length - 1).fill(null)) as {
        detail: string
      }[]
      const tables = aliasesIn(sql)
      return plan
        .filter(({ detail }) => {
          // An index made for one statement reads the whole table.
          const name = /^(?:SCAN (\w+)|SEARCH (\w+) USING AUTOMATIC)/.exec(detail)?.slice(1).find(Boolean) ?? ''
          return LARGE.has(tables.get(name) ?? name)
        })
        .map(({ detail }) => `${detail} in ${sql}`)
    })
  } finally {
    raw.close()
  }
}

onSqlite(test)('neither scheduled work nor a start nor a scrape of the metrics scans a large table', async () => {
  await sentDocument(t, { reminders: { firstAfterDays: 1, everyDays: 1, max: 1 } })
  t.clock.pass({ days: 2 })
  await runSchedule(t.app)
  await t.drain()
  t.clock.pass({ days: 40 })
  await runSchedule(t.app)
  await t.drain()
  await t.app.write(tx => releaseLeases(tx))
  await instanceText(t.app)
  expect(SCHEDULE.length).toBeGreaterThan(5)
  expect(asked.size).toBeGreaterThan(20)
  expect(scans()).toEqual([])
})

onSqlite(test)('no list of documents scans a large table, whatever its filters', async () => {
  const member = { authorization: `Bearer ${await memberKey()}` }
  const input = await newDocument({ labels: ['mine'], metadata: { a: 'b', c: 'd' } })
  expect((await t.api('POST', '/documents', input, member)).status).toBe(201)
  const filters = [
    'status=draft,sent',
    'label=mine',
    'updatedAfter=2020-01-01T00:00:00Z',
    `email=${ADA.email}`,
    'q=pdf',
    'metadata[a]=b&metadata[c]=d',
    'createdBefore=2030-01-01T00:00:00Z',
  ]
  for (const headers of [{}, member]) {
    for (let chosen = 0; chosen < 2 ** filters.length; chosen++) {
      const query = filters.filter((_, i) => chosen & (1 << i)).join('&')
      expect({ query, found: (await t.api('GET', `/documents?${query}`, undefined, headers)).body.data.length }).toEqual({
        query,
        found: 1,
      })
    }
  }
  for (const headers of [{}, member]) {
    const { data, nextCursor } = (await t.api('GET', '/documents?order=changed&label=mine', undefined, headers)).body
    expect([data.length, nextCursor]).toEqual([1, expect.stringMatching(/^chg_/)])
  }
  expect(asked.size).toBeGreaterThan(30)
  expect(scans()).toEqual([])
})

onSqlite(test)('no edit, conflict, correction, duplicate or sending scans a large table', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const path = `/documents/${body.id}`
  const { headers, body: before } = await t.api('GET', path)
  const ifMatch = { 'if-match': headers.get('etag') ?? '' }
  const [ada, bob] = before.recipients
  const edit = {
    recipients: [{ id: bob.id }, { id: t.app.newId('rcp'), name: 'New', email: 'new@example.com' }],
    fields: [
      { id: ada.fields[0].id, recipientId: bob.id, x: 1 },
      { id: bob.fields[0].id, remove: true },
    ],
  }
  expect((await t.api('PATCH', path, edit, ifMatch)).status).toBe(200)
  expect((await t.api('PATCH', path, { title: 'Other' }, ifMatch)).status).toBe(412)
  expect((await t.api('POST', `${path}/duplicate`)).status).toBe(201)
  expect((await t.api('POST', `${path}/send`)).status).toBe(200)
  expect((await t.api('PATCH', `${path}/recipients/${bob.id}`, { email: 'bo@example.com' })).status).toBe(200)
  expect(asked.size).toBeGreaterThan(30)
  expect(scans()).toEqual([])
})

onSqlite(test)('no list of events or deliveries scans a large table, whatever its filters', async () => {
  const member = { authorization: `Bearer ${await memberKey()}` }
  const { body: hook } = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }, member)
  const { body } = await t.api('POST', '/documents', await newDocument(), member)
  const first = (await t.api('GET', '/events')).body.data[0].id
  const filters = ['type=document.created', `documentId=${body.id}`, `cursor=${first}`]
  for (const headers of [{}, member]) {
    for (let chosen = 0; chosen < 2 ** filters.length; chosen++) {
      const query = filters.filter((_, i) => chosen & (1 << i)).join('&')
      expect((await t.api('GET', `/events?${query}`, undefined, headers)).status).toBe(200)
    }
    expect((await t.api('GET', `/webhooks/${hook.id}/deliveries`, undefined, headers)).body.data).toHaveLength(1)
  }
  expect(asked.size).toBeGreaterThan(10)
  expect(scans()).toEqual([])
})

onSqlite(test)('no view, count or list of labels scans a large table', async () => {
  await t.api('POST', '/documents', await newDocument({ labels: ['mine'] }))
  for (const actor of [SYSTEM.actor, { ...SYSTEM.actor, seesAll: false, userId: 'usr_m' }]) {
    await countViews(t.app.db, actor, t.clock.now)
    await labelsInUse(t.app.db, actor)
    await documentsToSign(t.app, { id: 'usr_m', name: ADA.name, email: ADA.email })
    for (const view of VIEWS) {
      const filter = { metadata: {}, ...filterOfView(view, t.clock.now), label: 'mine' }
      await listDocuments(t.app, actor, filter, { limit: 50, after: undefined })
    }
  }
  expect(asked.size).toBeGreaterThan(10)
  expect(scans()).toEqual([])
})

onSqlite(test)('neither a batch, its pages nor its upkeep scans a large table', async () => {
  const templateId = await tenancyTemplate(t)
  const id = await startBatch(t, templateId, rowsFor(4))
  await rounds(t, 2)
  for (const path of ['?limit=1', `?templateId=${templateId}`, '?cursor=bat_00000000000000000000000000', `/${id}`, `/${id}/rows`])
    expect((await t.api('GET', `/batches${path}`)).status).toBe(200)
  const own = { ownerId: 'usr_m', templateId }
  for (const filter of [own, { ownerId: 'usr_m' }]) await listBatches(t.app.db, filter, { limit: 2, after: id })
  expect((await t.api('GET', `/batches/${id}/rows?state=sent&cursor=1`)).body.data).toHaveLength(1)
  expect((await t.api('POST', `/templates/${templateId}/batches`, { rows: rowsFor(4) })).status).toBe(409)
  await t.api('POST', `/batches/${id}/stop`)
  await t.api('POST', `/batches/${id}/retry`)
  await sendAll(t)
  await createDraftBatch(t.app, templateId, { title: 'x', source: new Uint8Array(1), reading: {}, total: 1 }, SYSTEM)
  t.clock.pass({ days: 8 })
  await sweepBatches(t.app)
  expect(scans()).toEqual([])
})

onSqlite(test)('no call about one document scans a large table', async () => {
  const id = await sentDocument(t)
  await t.drain()
  for (const path of ['', '/audit', '/file']) expect((await t.api('GET', `/documents/${id}${path}`)).status).toBe(200)
  await t.api('POST', `/documents/${id}/void`, { reason: 'x' }, { 'idempotency-key': 'one' })
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
  expect(scans()).toEqual([])
})

onSqlite(test)('no list of webhooks or deliveries scans a large table, whatever its filters', async () => {
  const { id } = (await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })).body
  await sentDocument(t)
  const filters = [{}, { status: 'failed' }, { type: 'document.sent' }, { status: 'failed', type: 'document.sent' }] as const
  for (const filter of filters) {
    await listDeliveries(t.app.db, id, { ...filter, limit: 25 })
    await listDeliveries(t.app.db, id, { ...filter, limit: 25, before: 'dlv_x' })
  }
  expect((await latestDeliveries(t.app.db, [id])).size).toBe(1)
  await countFailedSince(t.app.db, [id], t.clock.now)
  expect(scans()).toEqual([])
})

/** A key of a member, who sees only their own documents. */
async function memberKey(): Promise<string> {
  await t.app.write(async tx => {
    const user = { id: 'usr_m', email: 'm@example.com', name: 'm', role: 'member' as const, password_hash: '', created_at: '' }
    await tx.insertInto('users').values(user).execute()
  })
  return (await createKey(t.app, { userId: 'usr_m' }, { name: 'member', scopes: [], expiresInDays: undefined })).key
}
