/** Who sees, uses and changes a template; where templates must never appear. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { belongingsOf } from '../../src/accounts/people-queries.ts'
import { handOver } from '../../src/documents/lifecycle/hand-over.ts'
import { linkAddress } from '../../src/documents/signing/link.ts'
import type { Scope } from '../../src/ports.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { createdTemplate, newTemplate, use } from './scene.ts'

const t = useTestApp()
let ada: TestPerson
let mia: TestPerson
let theo: TestPerson
let rita: TestPerson
beforeEach(async () => {
  ada = await addPerson(t, 'Ada', 'admin')
  mia = await addPerson(t, 'Mia', 'member')
  theo = await addPerson(t, 'Theo', 'member')
  rita = await addPerson(t, 'Rita', 'auditor')
})

async function keyOf({ id }: TestPerson, scopes: Scope[] = []) {
  const { key } = await createKey(t.app, { userId: id }, { name: 'k', scopes, expiresInDays: undefined })
  return { authorization: `Bearer ${key}` }
}

type Key = Awaited<ReturnType<typeof keyOf>>

async function templateOf(key: Key, overrides: Record<string, unknown> = {}): Promise<string> {
  return (await t.api('POST', '/templates', await newTemplate(overrides), key)).body.id
}

/** The statuses of: get, file, duplicate, use, edit, delete. */
async function statuses(id: string, key: Key): Promise<number[]> {
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', ''],
    ['GET', '/file'],
    ['POST', '/duplicate'],
    ['POST', '/documents', use()],
    ['PATCH', '', { title: 'New' }],
    ['DELETE', ''],
  ]
  const answers: number[] = []
  for (const [method, path, body] of calls) answers.push((await t.api(method, `/templates/${id}${path}`, body, key)).status)
  return answers
}

describe('a template', () => {
  test('is of its owner and of administrators alone; auditors read it', async () => {
    const id = await templateOf(await keyOf(mia))
    expect(await statuses(id, await keyOf(theo))).toEqual([404, 404, 404, 404, 404, 404])
    expect(await statuses(id, await keyOf(rita))).toEqual([200, 200, 403, 403, 403, 403])
    expect(await statuses(id, await keyOf(ada))).toEqual([200, 200, 201, 201, 200, 200])
  })

  test('that is shared is used and duplicated by everybody who may send, and changed by none of them', async () => {
    const hers = await keyOf(mia)
    const id = await templateOf(hers)
    await t.api('PATCH', `/templates/${id}`, { shared: true }, hers)
    const his = await keyOf(theo)
    expect(await statuses(id, his)).toEqual([200, 200, 201, 201, 403, 403])
    const { body } = await t.api('GET', '/templates', undefined, his)
    const [copy, original] = body.data
    expect(body.data).toHaveLength(2)
    expect([original.id, original.shared, copy.title, copy.shared]).toEqual([id, true, `${original.title} (copy)`, false])
    const { body: made } = await t.api('GET', '/documents', undefined, his)
    expect(made.data).toHaveLength(1)
    expect((await t.api('GET', '/documents', undefined, hers)).body.data).toEqual([])
    await t.api('PATCH', `/templates/${id}`, { shared: false }, hers)
    expect((await t.api('GET', `/templates/${id}`, undefined, his)).status).toBe(404)
  })

  test('is read with templates:read, changed with templates:write and used with documents:write', async () => {
    const id = await templateOf(await keyOf(mia))
    const missing = async (scopes: Scope[]) => await statuses(id, await keyOf(mia, scopes))
    expect(await missing(['templates:read'])).toEqual([200, 200, 403, 403, 403, 403])
    expect(await missing(['documents:read', 'documents:write'])).toEqual([403, 403, 403, 201, 403, 403])
    expect(await missing(['templates:write'])).toEqual([403, 403, 201, 403, 200, 200])
  })

  test('is made from a document only with a key that may read the document', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument(), await keyOf(mia))
    const status = async (scopes: Scope[]) =>
      (await t.api('POST', '/templates', { documentId: body.id }, await keyOf(mia, scopes))).status
    expect(await status(['templates:read', 'templates:write'])).toBe(403)
    expect(await status(['templates:write', 'documents:read'])).toBe(201)
  })

  test('goes to another person with the documents of its owner, who can then be removed', async () => {
    const [hers, his] = [await keyOf(mia), await keyOf(theo)]
    const id = await templateOf(hers)
    await t.api('POST', '/documents', await newDocument(), hers)
    expect(await belongingsOf(t.app.db, mia.id)).toEqual({ documents: 1, templates: 1, webhooks: 0, keys: 1 })
    await handOver(t.app, mia.id, theo.id, ada.origin)
    expect(await belongingsOf(t.app.db, mia.id)).toEqual({ documents: 0, templates: 0, webhooks: 0, keys: 1 })
    expect((await t.api('PATCH', `/templates/${id}`, { title: 'Mine' }, his)).status).toBe(200)
    expect((await t.api('GET', `/templates/${id}`, undefined, hers)).status).toBe(404)
  })
})

describe('no template is shown', () => {
  test('where documents are: lists, search, counts, labels, events, webhooks', async () => {
    await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] })
    const id = await createdTemplate(t, { labels: ['lease'], metadata: { kind: 'lease' } })
    await t.api('PATCH', `/templates/${id}`, { title: 'Lease 2027', labels: ['rent'], metadata: { kind: 'rent' } })
    const queries = ['', 'q=lease', 'q=le', 'label=lease', 'label=rent', 'metadata[kind]=rent', 'status=draft']
    queries.push('updatedAfter=2020-01-01T00:00:00Z', 'createdAfter=2020-01-01T00:00:00Z', 'email=x@example.com')
    for (const query of queries) {
      const { body } = await t.api('GET', `/documents?${query}`)
      expect([query, body.data]).toEqual([query, []])
    }
    expect((await t.api('GET', '/documents?status=template')).status).toBe(422)
    expect((await t.api('GET', '/events')).body.data).toEqual([])
    const { countViews } = await import('../../src/documents/lists/count-queries.ts')
    const { labelsInUse } = await import('../../src/documents/lists/count-queries.ts')
    const { SYSTEM } = await import('../../src/ports.ts')
    const counts = await countViews(t.app.db, SYSTEM.actor, t.clock.now)
    expect(counts).toEqual({ attention: 0, waiting: 0, drafts: 0, completed: 0, all: 0 })
    expect(await labelsInUse(t.app.db, SYSTEM.actor)).toEqual([])
    const jobs = await t.app.db.selectFrom('jobs').select('id').execute()
    expect(jobs).toEqual([])
    expect(await t.app.db.selectFrom('document_search').select('number').execute()).toEqual([])
  })

  test('at an address of a document, and no document at that of a template', async () => {
    const id = await createdTemplate(t)
    const { body: document } = await t.api('POST', '/documents', await newDocument())
    const reason = { reason: 'x' }
    const calls: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['PATCH', '', { title: 'x' }],
      ['PATCH', '/recipients/rol_0', { name: 'x' }],
      ['POST', '/duplicate'],
      ['POST', '/send'],
      ['POST', '/void', reason],
      ['POST', '/remind'],
      ['POST', '/legal-hold', reason],
      ['POST', '/lift-legal-hold', reason],
      ['GET', '/file'],
      ['GET', '/audit'],
      ['GET', '/evidence'],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of calls) {
      const { status } = await t.api(method, `/documents/${id}${path}`, body)
      expect([method, path, status]).toEqual([method, path, 404])
    }
    const others: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['GET', '/file'],
      ['PATCH', '', { title: 'x' }],
      ['POST', '/duplicate'],
      ['POST', '/documents', use()],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of others) {
      const { status } = await t.api(method, `/templates/${document.id}${path}`, body)
      expect([method, path, status]).toEqual([method, path, 404])
    }
    expect((await t.api('GET', `/templates/${id}`)).status).toBe(200)
    expect((await t.api('GET', `/documents/${document.id}`)).status).toBe(200)
  })

  test('to whoever has the link of a role', async () => {
    const id = await createdTemplate(t)
    const { roles } = (await t.api('GET', `/templates/${id}`)).body
    for (const { id: role } of roles)
      for (const recipient of [role, role.replace('rol_', 'rcp_')]) {
        const address = new URL(linkAddress(t.app, { id: recipient, linkVersion: 1 }))
        expect([recipient, (await t.fetch(address.pathname)).status]).toEqual([recipient, 404])
      }
  })

  test('later documents are found by the search as if there were no template', async () => {
    await createdTemplate(t)
    const { body } = await t.api('POST', '/documents', await newDocument({ title: 'Offer' }))
    const rows = await t.app.db.selectFrom('document_search').select(['number', 'document_id']).execute()
    expect(rows.map(({ number, document_id }) => [number, document_id])).toEqual([[1, body.id]])
  })
})
