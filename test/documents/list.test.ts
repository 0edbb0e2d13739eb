/** The list of documents: every combination of filters finds what checking each document finds. */
import { describe, expect, test } from 'bun:test'
import { attentionOf } from '../../src/core/document/attention.ts'
import type { Document, DocumentStatus } from '../../src/core/document/document.ts'
import { changeTogether } from '../../src/db/together.ts'
import { documentInsertions } from '../../src/documents/change-queries.ts'
import { type DocumentFilter, listDocuments } from '../../src/documents/lists/list-queries.ts'
import { lastNumber } from '../../src/documents/lists/search-queries.ts'
import { find } from '../../src/documents/queries.ts'
import { delegate } from '../../src/documents/signing/signing.ts'
import { firstIdFrom } from '../../src/lib/id.ts'
import { foldText, PARTITION, searchText } from '../../src/lib/search-text.ts'
import type { Actor } from '../../src/ports.ts'
import { ENGINE, onSqlite } from '../support/engine.ts'
import { times } from '../support/long.ts'
import { ADA, newDocument, ONE, SIGNATURE } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { START } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const ALL: Actor = { label: 'x', userId: undefined, seesAll: true, isAdmin: true, idempotencyOwner: 'x', scopes: [] }

/** The ids of all pages and the number of pages. */
async function everyPage(actor: Actor, filter: DocumentFilter, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let after: string | undefined
  let pages = 0
  do {
    const page = await listDocuments(t.app, actor, filter, { limit, after })
    expect(page.documents.length).toBeLessThanOrEqual(limit)
    ids.push(...page.documents.map(({ document }) => document.id))
    after = page.next
    pages++
  } while (after !== undefined)
  return { ids, pages }
}

const found = async (filter: Partial<DocumentFilter>) => (await everyPage(ALL, { metadata: {}, ...filter }, 50)).ids

async function created(input: Parameters<typeof newDocument>[0]): Promise<string> {
  return (await t.api('POST', '/documents', await newDocument(input))).body.id
}

/** Stores modified copies of one document and returns them, oldest first. */
async function store(count: number, changed: (i: number, copy: Document) => Partial<Document>): Promise<Document[]> {
  const model = await find(t.app.db, await created({}))
  if (!model) throw new Error('there is no document')
  const documents = Array.from({ length: count }, (_, i) => {
    t.clock.pass({ seconds: 60 })
    const copy: Document = { ...model, id: t.app.newId('doc'), createdAt: t.clock.now }
    const document = { ...copy, ...changed(i, copy) }
    return { ...document, recipients: document.recipients.map(r => ({ ...r, id: t.app.newId('rcp'), fields: [] })) }
  })
  for (const document of documents)
    await t.app.write(async tx =>
      changeTogether(tx, await documentInsertions(tx, document, await lastNumber(tx).executeTakeFirst())),
    )
  return documents
}

describe('the search text', () => {
  test('is found in title, file name, and recipients’ names and addresses, ignoring case and accents', async () => {
    const id = await created({
      title: 'Übergabe STRASSE Ёлка',
      fileName: 'Miete 2026.pdf',
      recipients: [{ email: 'zoe.k@example.com', name: 'Zoë Krämer', fields: [SIGNATURE] }],
    })
    await created({ title: 'Other' })
    for (const q of ['ubergabe', 'straße', 'ёлк', 'ЕЛКА', 'miete 2026', 'zoë', 'ZOE', 'kramer', '.k@exam', 'e 2']) {
      expect({ q, ids: await found({ q }) }).toEqual({ q, ids: [id] })
    }
    expect(await found({ q: 'krämers' })).toEqual([])
    // A name and its address are separate texts.
    expect(await found({ q: 'kramerzoe' })).toEqual([])
  })

  test('may be one or two characters, a quotation mark, or operators of the index', async () => {
    const id = await created({ title: 'He said "yes" AND* (no): 100%_x' })
    for (const q of ['"', 'yE', '"yes"', 'AND*', '(no):', '100%', '%_x', 'id "']) {
      expect({ q, ids: await found({ q }) }).toEqual({ q, ids: [id] })
    }
    for (const q of ['yes AND', '1%', '__x', 'NEAR("yes")']) expect({ q, ids: await found({ q }) }).toEqual({ q, ids: [] })
  })

  test('follows a delegation: the new name is found, the old one is not', async () => {
    const id = await sentDocument(t, ONE)
    const document = await find(t.app.db, id)
    const recipient = document?.recipients[0]
    if (!recipient) throw new Error('there is no recipient')
    await t.app.write(async tx => {
      await tx.updateTable('recipients').set({ status: 'viewed' }).where('id', '=', recipient.id).execute()
    })
    await delegate(
      t.app,
      { document, recipient },
      { name: 'Grace Hopper', email: 'grace@example.org' },
      { ip: '::1', userAgent: 'x' },
    )
    expect(await found({ q: 'grace hopper' })).toEqual([id])
    expect(await found({ q: ADA.name })).toEqual([])
  })

  test('is deleted with the document', async () => {
    const id = await created({ title: 'Quixotic', metadata: { case: '7' } })
    await created({ title: 'Other' })
    expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
    const rows = await t.sql('SELECT text FROM document_search UNION ALL SELECT value FROM document_metadata')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/quix|7/)
  })

  onSqlite(test)('is deleted from the index of trigrams at once', async () => {
    const id = await created({ title: 'Quixotic' })
    await created({ title: 'Other' })
    expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
    const blocks = await t.sql<{ block: Buffer }>('SELECT block FROM document_trigrams_data')
    const index = String(Buffer.concat(blocks.map(({ block }) => block)))
    await t.sql("INSERT INTO document_trigrams (document_trigrams) VALUES ('integrity-check')")
    expect(index).toContain('her')
    for (const trigram of ['qui', 'uix']) expect(index).not.toContain(trigram)
  })
})

test('a filter with a NUL character finds nothing and is no error', async () => {
  await created({ title: 'abc' })
  for (const text of ['\0', 'abc\0', '\0abc', 'a\0bcd']) {
    for (const filter of [{ q: text }, { email: text }, { label: text }, { metadata: { [text]: 'x' } }]) {
      expect({ filter, ids: await found(filter) }).toEqual({ filter, ids: [] })
    }
  }
})

test('after a start with an earlier clock all pages are complete and in the order of the ids', async () => {
  const at = (second: number) => firstIdFrom('doc', START.getTime() + 1000 * second)
  // The clock was ahead, was set back twice, and then passed the old time.
  for (const second of [50, 60, 10, 11, 12, 5, 61, 62]) {
    await store(1, () => ({ id: at(second), title: 'lease' }))
  }
  const expected = [62, 61, 60, 50, 12, 11, 10, 5].map(at)
  for (const limit of [1, 2, 3, 50]) {
    expect({ limit, ...(await everyPage(ALL, { metadata: {}, q: 'lease' }, limit)) }).toMatchObject({ limit, ids: expected })
  }
  await t.app.write(async tx => {
    const rows = await tx.selectFrom('document_search').select(['number', 'document_id']).orderBy('number').execute()
    const inOrder = rows.filter(row => row.number > 0).map(row => row.document_id)
    expect(inOrder).toEqual(inOrder.toSorted())
    expect(rows.length - inOrder.length).toBeGreaterThanOrEqual(4)
  })
  if (ENGINE === 'sqlite') await t.sql("INSERT INTO document_trigrams (document_trigrams) VALUES ('integrity-check')")
})

onSqlite(test)('the index stays in few segments, however many documents are added one by one', async () => {
  await store(600, i => ({ title: `Lease ${i}` }))
  const [index] = await t.sql<{ parts: number }>('SELECT count(DISTINCT segid) AS parts FROM document_trigrams_idx')
  expect(index?.parts).toBeLessThan(20)
  expect(await found({ q: 'lease 599' })).toHaveLength(1)
})

test('metadata is found by exact key and value', async () => {
  const id = await created({ metadata: { 'a.b["c"]': 'X', other: 'y' } })
  expect(await found({ metadata: { 'a.b["c"]': 'X' } })).toEqual([id])
  expect(await found({ metadata: { 'a.b["c"]': 'X', other: 'y' } })).toEqual([id])
  for (const metadata of [{ 'a.b["c"]': 'x' }, { 'a.b[c]': 'X' }, { other: 'X' }]) expect(await found({ metadata })).toEqual([])
})

test('the range of creation times excludes its bounds, to the millisecond', async () => {
  const id = await created({})
  const at = new Date((await t.api('GET', `/documents/${id}`)).body.createdAt)
  const by = (ms: number) => new Date(at.getTime() + ms)
  expect(await found({ createdAfter: by(-1), createdBefore: by(1) })).toEqual([id])
  expect(await found({ createdAfter: at })).toEqual([])
  expect(await found({ createdBefore: at })).toEqual([])
  expect(await found({ createdAfter: new Date(-1), createdBefore: new Date(8.64e15) })).toEqual([id])
})

test('a search for a letter with a million marks is folded at once', () => {
  expect(foldText(`Zo${'\u0316\u0301'.repeat(500_000)}e`)).toBe('zoe')
})

describe('combinations', () => {
  const STATUSES: DocumentStatus[] = ['draft', 'sent', 'voided', 'declined']
  const NAMES = ['Ada', 'Bob', 'Zoë', 'Grace']

  /** What checking each document finds, newest first. */
  function expected(documents: Document[], actor: Actor, filter: DocumentFilter): string[] {
    const q = foldText(filter.q ?? '')
    const holds = (d: Document) =>
      (actor.seesAll || d.ownerId === actor.userId) &&
      (filter.statuses === undefined || filter.statuses.includes(d.status)) &&
      (filter.email === undefined || d.recipients.some(r => r.email.toLowerCase() === filter.email?.toLowerCase())) &&
      [d.title, d.fileName, ...d.recipients.flatMap(r => [r.name, r.email])].some(text => foldText(text).includes(q)) &&
      (filter.createdAfter === undefined || d.createdAt > filter.createdAfter) &&
      (filter.createdBefore === undefined || d.createdAt < filter.createdBefore) &&
      (filter.label === undefined || d.labels.includes(filter.label)) &&
      (filter.updatedAfter === undefined || d.updatedAt > filter.updatedAfter) &&
      (filter.attentionAt === undefined || attentionOf(d, filter.attentionAt).length > 0) &&
      Object.entries(filter.metadata).every(([key, value]) => d.metadata[key] === value)
    return documents
      .filter(holds)
      .map(d => d.id)
      .toReversed()
  }

  /** Of the 6,804 lists. Prime to the number of choices of each kind: any two of them meet. */
  const EACH = times(11, 1)

  test('find what checking each document finds, at any page size, across partitions', async () => {
    const owners = ['usr_a', 'usr_b']
    await t.app.write(async tx => {
      for (const id of owners) {
        const row = { id, email: `${id}@example.com`, name: id, role: 'member' as const, password_hash: '', created_at: '' }
        await tx.insertInto('users').values(row).execute()
      }
    })
    const first = await created({ title: 'first' })
    // The numbers continue from here, across the end of the partition.
    await t.app.write(async tx => {
      const number = PARTITION - 60
      const moved = { number, text: searchText(number, 'first') }
      await tx.updateTable('document_search').set(moved).where('document_id', '=', first).execute()
    })
    const stored = await store(120, (i, copy) => ({
      ownerId: owners[i % 7 === 0 ? 1 : 0],
      title: `${i % 3 === 0 ? 'Lease' : 'Order'} ${1000 + i}`,
      fileName: `${i % 5 === 0 ? 'lease' : 'paper'}.pdf`,
      status: STATUSES[i % 11 === 0 ? 3 : i % 3] ?? 'draft',
      metadata: { team: 'sales', ...(i % 4 === 0 ? { case: String(i % 8) } : {}) },
      labels: i % 4 === 1 ? ['red', 'blue'] : i % 9 === 0 ? ['red'] : [],
      updatedAt: new Date(START.getTime() + ((i * 37) % 120) * 60_000),
      expiresAt: new Date(START.getTime() + 86_400_000 * (i % 60)),
      recipients: copy.recipients
        .slice(0, 1)
        .map(r => ({ ...r, name: NAMES[i % 4] ?? '', email: `${NAMES[i % 4]?.slice(0, 2)}@example.com` })),
    }))
    const member = (userId: string): Actor => ({ ...ALL, seesAll: false, userId })
    const middle = stored[60]?.createdAt ?? START
    const others: Partial<DocumentFilter>[] = [
      { label: 'red' },
      { label: 'blue', createdAfter: middle },
      { label: 'green' },
      { updatedAfter: middle },
      { attentionAt: new Date(START.getTime() + 86_400_000 * 20), label: 'red' },
      { attentionAt: new Date(START.getTime() + 86_400_000 * 31) },
    ]
    const choices: { [D in 'statuses' | 'email' | 'q' | 'metadata']: DocumentFilter[D][] } & {
      actor: Actor[]
      between: Partial<DocumentFilter>[]
    } = {
      actor: [member('usr_a'), member('usr_b'), member('usr_nobody')],
      statuses: [undefined, ['declined'], ['sealing', 'sent', 'draft']],
      email: [undefined, 'ad@EXAMPLE.com', 'nobody@example.com'],
      q: [undefined, 'lease', '10', '1061', 'order 10', 'leasepaper', 'zoe'],
      metadata: [{}, { team: 'sales' }, { team: 'sales', case: '4' }, { case: '5' }],
      between: [{}, { createdAfter: middle }, { createdBefore: middle }, ...others],
    }
    let filters: { actor: Actor; filter: DocumentFilter }[] = choices.actor.map(actor => ({ actor, filter: { metadata: {} } }))
    const combine = (more: Partial<DocumentFilter>[]) => {
      filters = filters.flatMap(({ actor, filter }) => more.map(each => ({ actor, filter: { ...filter, ...each } })))
    }
    combine(choices.statuses.map(statuses => (statuses ? { statuses } : {})))
    combine(choices.email.map(email => (email ? { email } : {})))
    combine(choices.q.map(q => (q ? { q } : {})))
    combine(choices.metadata.map(metadata => ({ metadata })))
    combine(choices.between)
    for (const { actor, filter } of filters.filter((_, i) => i % EACH === 0)) {
      const { ids } = await everyPage(actor, filter, 7)
      expect({ filter, ids }).toEqual({ filter, ids: expected(stored, actor, filter) })
    }
  }, 180_000)

  const ROWS = times(11_000, 41_000)

  test('rare matches give short pages, and later pages find the rest', async () => {
    const id = await created({ title: 'a zq b' })
    await t.app.write(async tx => {
      const { sql } = await import('kysely')
      await sql`INSERT INTO documents (id, title, file_name, status, page_count, signing_order, allow_delegation, metadata, expires_in_days, created_at, updated_at, sha256_original)
        SELECT 'doc_zzzzzzzzzz' || (1000000000000000 + value), 'plain', file_name, status, page_count, signing_order, allow_delegation, metadata,
        expires_in_days, created_at, updated_at, sha256_original FROM documents,
        (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${ROWS}) SELECT value FROM n) WHERE id = ${id}`.execute(
        tx,
      )
      await sql`INSERT INTO document_search SELECT CAST(substr(id, 15) AS BIGINT) - 999999999999999, id, 'plain' FROM documents WHERE title = 'plain'`.execute(
        tx,
      )
    })
    const first = await listDocuments(t.app, ALL, { metadata: {}, q: 'zq' }, { limit: 5, after: undefined })
    expect(first.documents).toEqual([])
    expect(first.next).toMatch(/^doc_[0-9a-z]{26}$/)
    expect(await everyPage(ALL, { metadata: {}, q: 'zq' }, 5)).toEqual({ ids: [id], pages: Math.ceil(ROWS / 5_000) })
    // A longer text is found by its index at once.
    expect(await everyPage(ALL, { metadata: {}, q: 'a zq b' }, 5)).toEqual({ ids: [id], pages: 1 })
  }, 180_000)
})
