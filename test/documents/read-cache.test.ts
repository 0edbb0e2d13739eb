/** A cached document is returned until anything of it changes. */
import { expect, test } from 'bun:test'
import { ReadCache } from '../../src/db/read-cache.ts'
import { find } from '../../src/documents/queries.ts'
import { LruCache } from '../../src/lib/lru-cache.ts'
import { ENGINE, onSqlite } from '../support/engine.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const titled = async (title: string) => (await t.api('POST', '/documents', await newDocument({ title }))).body.id as string

test('a change of one document keeps others cached', async () => {
  const [one, two] = [await titled('one'), await titled('two')]
  const [first, second] = [await find(t.app.db, one), await find(t.app.db, two)]
  await t.api('POST', `/documents/${two}/send`)
  expect(await find(t.app.db, one)).toBe(first as NonNullable<typeof first>)
  expect(await find(t.app.db, two)).not.toBe(second as NonNullable<typeof second>)
})

test('every change of a row of the document, its recipients or fields is visible at once, whoever writes it', async () => {
  const id = await titled('first')
  const changes = [
    "UPDATE documents SET title = 'second' WHERE id = ?",
    ...(ENGINE === 'sqlite' ? ["UPDATE OR REPLACE documents SET title = 'third' WHERE id = ?"] : []),
    "UPDATE recipients SET name = 'Eve' WHERE document_id = ?",
    "UPDATE fields SET value = 'x' WHERE document_id = ?",
    `INSERT INTO fields (id, recipient_id, document_id, position, type, page, x, y, width, height, required, read_only, label,
       placeholder, value, options, max_length, font_size, date_format, align, covers) SELECT 'fld_new', recipient_id, document_id, 99, type, page, x, y, width, height, required, read_only, label,
       placeholder, value, options, max_length, font_size, date_format, align, covers FROM fields WHERE document_id = ? LIMIT 1`,
    "DELETE FROM fields WHERE id = 'fld_new' AND document_id = ?",
    `INSERT INTO recipients (id, document_id, position, email, name, role, status, signing_order, locale, access_code_hash,
       access_code_tries, access_code_wait_until, email_status, link_version, sent_at, viewed_at, signed_at, declined_at, decline_reason, signature,
       initials, consent_version, consent_sha256, reminders_sent, last_mailed_at, next_reminder_at) SELECT 'rcp_new', document_id, 99, 'x@example.com', name, role, status, signing_order, locale, access_code_hash,
       access_code_tries, access_code_wait_until, email_status, link_version, sent_at, viewed_at, signed_at, declined_at, decline_reason, signature,
       initials, consent_version, consent_sha256, reminders_sent, last_mailed_at, next_reminder_at FROM recipients WHERE document_id = ? LIMIT 1`,
    "DELETE FROM recipients WHERE id = 'rcp_new' AND document_id = ?",
    'DELETE FROM fields WHERE document_id = ?',
    'DELETE FROM recipients WHERE document_id = ?',
    'DELETE FROM documents WHERE id = ?',
  ]
  for (const change of changes) {
    const before = await find(t.app.db, id)
    expect(before).toBe((await find(t.app.db, id)) as NonNullable<typeof before>)
    expect({ change, rows: (await t.sql(`${change} RETURNING id`, id)).length > 0 }).toEqual({ change, rows: true })
    const fresh = await t.app.write(tx => find(tx, id))
    expect(await find(t.app.db, id)).toEqual(fresh as NonNullable<typeof fresh>)
    expect({ change, after: fresh }).not.toEqual({ change, after: before })
  }
})

// PGlite has one session: there, no other can have a transaction.
onSqlite(test)('uncommitted changes are not visible, and rolled-back ones never are', async () => {
  const id = await titled('first')
  await t.sql('BEGIN IMMEDIATE')
  await t.sql("UPDATE documents SET title = 'never' WHERE id = ?", id)
  expect((await t.api('GET', `/documents/${id}`)).body.title).toBe('first')
  await t.sql('ROLLBACK')
  expect((await t.api('GET', `/documents/${id}`)).body.title).toBe('first')
})

test('at every step of a document the API returns what the database has', async () => {
  const id = await sentDocument(t, {
    recipients: [{ ...ADA, fields: [{ type: 'signature', page: 1, x: 1, y: 1, width: 9, height: 9 }] }],
  })
  const agree = async () => {
    const [held] = await t.sql<{ status: string; version: number }>('SELECT status, version FROM documents WHERE id = ?', id)
    const { body } = await t.api('GET', `/documents/${id}`)
    const mails = await t.sql('SELECT email_status FROM recipients WHERE document_id = ?', id)
    expect([body.status, body.recipients[0].emailStatus]).toEqual([held?.status, mails[0]?.email_status])
    return held?.version ?? 0
  }
  const sent = await agree()
  await signAs(t, ADA.email, 'Ada')
  const signed = await agree()
  await t.drain()
  const completed = await agree()
  expect(signed).toBeGreaterThan(sent)
  expect(completed).toBeGreaterThan(signed)
  await t.api('DELETE', `/documents/${id}`)
  expect((await t.api('GET', `/documents/${id}`)).status).toBe(404)
})

test('a slow read does not replace what a later one found in a newer version', async () => {
  const cache = new ReadCache()
  const at = (version: number) => ({ version, value: `version ${version}`, bytes: 1 })
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof at>>()
  const slow = cache.get('kind', { id: 'a', version: 1 }, () => promise)
  expect(await cache.get('kind', { id: 'a', version: 2 }, async () => at(2))).toBe('version 2')
  resolve(at(1))
  expect(await slow).toBe('version 1')
  expect(await cache.get('kind', { id: 'a', version: 2 }, async () => undefined)).toBe('version 2')
})

test('of several, only what is not cached in its version is read, once, and missing ones are left out', async () => {
  const cache = new ReadCache()
  const asked: string[][] = []
  const stored = new Map(['a', 'b'].map(id => [id, { version: 1, value: id.toUpperCase(), bytes: 1 }]))
  const all = (version: number) =>
    cache.getAll(
      'kind',
      ['a', 'none', 'b'].map(id => ({ id, version: id === 'b' ? version : 1 })),
      async ids => {
        asked.push(ids)
        return stored
      },
    )
  for (const version of [1, 1, 2]) expect(await all(version)).toEqual(['A', 'B'])
  expect(asked).toEqual([['a', 'none', 'b'], ['none'], ['none', 'b']])
})

test('what was read stays within a bound, the last used first, however many documents are read', async () => {
  const cache = new ReadCache()
  const bytes = 10_000
  const ids = Array.from({ length: 8000 }, (_, i) => `doc_${i}`)
  for (const id of ids) await cache.get('document', { id, version: 1 }, async () => ({ version: 1, value: id, bytes }))
  const held = ids.filter(id => cache.get('document', { id, version: 1 }, async () => undefined) === id)
  expect(held).toEqual(ids.slice(-800))
})

test('a cache keeps its weight limit and removes the least recently used entries', () => {
  const cache = new LruCache<string, number>(10)
  cache.set('a', 1, 4)
  cache.set('b', 2, 4)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3, 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  cache.set('a', 5, 6)
  expect([cache.get('a'), cache.get('c')]).toEqual([5, 3])
  cache.set('too heavy', 6, 11)
  expect([cache.get('too heavy'), cache.get('a'), cache.get('c')]).toEqual([undefined, 5, 3])
  cache.delete('a')
  cache.set('d', 7, 6)
  expect([cache.get('c'), cache.get('d')]).toEqual([3, 7])
})
