/** The audit log: one chain, tampering is found, personal data can be deleted. */
import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { appendEvents, appendInstanceEvent, auditEventsOf, auditHead, verifyChain } from '../../src/audit/log.ts'
import * as queries from '../../src/audit/queries.ts'
import { canonicalJson, chainHash, commitment, GENESIS } from '../../src/core/document/audit-chain.ts'
import type { DomainEvent, Json } from '../../src/core/document/event.ts'
import { type Origin, SYSTEM } from '../../src/ports.ts'
import { onSqlite } from '../support/engine.ts'
import { START } from '../support/small-app.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
const ADA: Origin = { actor: { ...SYSTEM.actor, label: 'recipient:ada' }, ip: '192.0.2.7', userAgent: 'Firefox' }
const SIGNED: DomainEvent = {
  type: 'recipient.signed',
  recipientId: 'ada',
  data: { intent: 'I sign' },
  personal: { signature: 'Ada' },
}
const SENT: DomainEvent = { type: 'document.sent' }

const add = (documentId: string, events: DomainEvent[], origin: Origin = SYSTEM) =>
  t.app.write(tx => appendEvents(tx, t.app, { id: documentId, ownerId: undefined }, events, origin))

/** Ten events of two documents. */
async function story(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await add('doc_1', [SENT])
    await add('doc_2', [SIGNED], ADA)
  }
}

const tamper = (sql: string, ...values: unknown[]) => t.database.tamper(sql, ...values)

test('an entry from before a type was renamed is read as the present type, and its chain stays intact', async () => {
  await add('doc_1', [{ type: 'recipient.mail_written' } as unknown as DomainEvent])
  const [event] = await auditEventsOf(t.database.db, 'doc_1')
  expect(event?.type).toBe('recipient.email_written')
  expect(event?.entry).toContain('"type":"recipient.mail_written"')
  expect(await verifyChain(t.database.db)).toMatchObject({ count: 1 })
})

describe('appending', () => {
  test('appends events of the instance to the same chain, without a document sequence', async () => {
    await add('doc_1', [SENT])
    const changed = {
      type: 'organisation.changed',
      data: { changed: ['contact'] },
      personal: { contact: 'a@example.com' },
    } as const
    await t.app.write(tx => appendInstanceEvent(tx, t.app, { ...changed, data: { changed: ['contact'] } }, ADA))
    await add('doc_1', [SENT])
    const rows = await t.database.sql<{ entry: string }>('SELECT entry FROM events ORDER BY sequence')
    const entries = rows.map(r => JSON.parse(r.entry) as Record<string, unknown>)
    expect(entries[1]).toMatchObject({ type: 'organisation.changed', documentId: null, documentSequence: null })
    expect(JSON.stringify(entries)).not.toContain('a@example.com')
    expect(entries[2]).toMatchObject({ documentId: 'doc_1', documentSequence: 2 })
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 3 })
    expect((await auditEventsOf(t.app.db, 'doc_1')).map(e => e.sequence)).toEqual([1, 3])
  })

  test('chains across documents and counts within each', async () => {
    await add('doc_1', [SENT, SIGNED], ADA)
    await add('doc_2', [SENT])
    await add('doc_1', [SENT])
    const rows = await t.database.sql<{ sequence: number; entry: string; hash: string }>(
      'SELECT sequence, entry, hash FROM events ORDER BY sequence',
    )
    expect(rows.map(r => r.sequence)).toEqual([1, 2, 3, 4])
    const entries = rows.map(r => JSON.parse(r.entry) as { documentId: string; documentSequence: number })
    expect(entries.map(e => [e.documentId, e.documentSequence])).toEqual([
      ['doc_1', 1],
      ['doc_1', 2],
      ['doc_2', 1],
      ['doc_1', 3],
    ])
    let hash = GENESIS
    for (const row of rows) {
      hash = chainHash(hash, row.entry)
      expect(row.hash).toBe(hash)
      expect(row.entry).toBe(canonicalJson(JSON.parse(row.entry) as Json))
    }
    expect(await auditHead(t.app.db)).toEqual({ sequence: 4, hash })
    expect(await verifyChain(t.app.db)).toEqual({ head: hash, count: 4 })
  })

  test('stores in each entry the hash of the previous one of the same document', async () => {
    await add('doc_1', [SENT, SIGNED], ADA)
    await add('doc_2', [SENT])
    await add('doc_1', [SENT])
    const previous = (event: { entry: string }) => (JSON.parse(event.entry) as Record<string, unknown>).documentPreviousHash
    const events = await auditEventsOf(t.app.db, 'doc_1')
    expect(events.map(previous)).toEqual([null, events[0]?.hash, events[1]?.hash])
    expect((await auditEventsOf(t.app.db, 'doc_2')).map(previous)).toEqual([null])
  })

  test('returns the recorded events', async () => {
    const [first, second] = await add('doc_1', [SENT, SIGNED], ADA)
    expect(first).toMatchObject({ sequence: 1, at: START, event: SENT })
    expect(second).toMatchObject({ sequence: 2, event: SIGNED })
    expect(first?.id).not.toBe(second?.id)
  })

  test('no events write nothing', async () => {
    expect(await add('doc_1', [])).toHaveLength(0)
    expect(await auditHead(t.app.db)).toEqual({ sequence: 0, hash: GENESIS })
  })

  test('the chain has only a commitment to personal data, with a new salt each time', async () => {
    await add('doc_1', [SIGNED], ADA)
    await add('doc_1', [SIGNED], ADA)
    const [one, two] = await auditEventsOf(t.app.db, 'doc_1')
    for (const event of [one, two]) {
      for (const secret of ['"Ada"', '192.0.2.7', 'Firefox']) expect(event?.entry).not.toContain(secret)
      expect(event).toMatchObject({
        type: 'recipient.signed',
        recipientId: 'ada',
        actor: 'recipient:ada',
        data: { intent: 'I sign' },
        personal: { signature: 'Ada', ip: '192.0.2.7', userAgent: 'Firefox' },
        ip: '192.0.2.7',
        userAgent: 'Firefox',
      })
      const { personal } = JSON.parse(event?.entry ?? '{}') as { personal: string }
      expect(personal).toBe(commitment(event?.salt ?? '', event?.personal ?? null))
    }
    expect(one?.salt).not.toBe(two?.salt)
    expect(one?.salt).toMatch(/^[0-9a-f]{32}$/)
  })

  test('an event without personal data has no commitment and no details', async () => {
    await add('doc_1', [SENT])
    const [event] = await auditEventsOf(t.app.db, 'doc_1')
    expect(event).toMatchObject({ personal: null, salt: null, ip: undefined })
    expect(JSON.parse(event?.entry ?? '')).toMatchObject({ personal: null })
    expect(await t.database.sql('SELECT sequence FROM event_details')).toEqual([])
  })

  test('a change that is rolled back leaves no event', async () => {
    await add('doc_1', [SENT])
    const failing = t.app.write(async tx => {
      await appendEvents(tx, t.app, { id: 'doc_1', ownerId: undefined }, [SIGNED], ADA)
      throw new Error('changed my mind')
    })
    await failing.catch(() => {})
    expect(await auditHead(t.app.db)).toMatchObject({ sequence: 1 })
    await add('doc_1', [SENT])
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 2 })
  })

  test('concurrent writes make one chain', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(`doc_${i % 3}`, [SENT, SIGNED], ADA)))
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 40 })
  })

  test('events are read per document, in batches, and by the newest', async () => {
    await story()
    expect((await auditEventsOf(t.app.db, 'doc_1')).map(e => e.sequence)).toEqual([1, 3, 5, 7, 9])
    expect(await auditEventsOf(t.app.db, 'doc_3')).toEqual([])
    expect((await queries.eventsAfter(t.app.db, 3, 4)).map(e => e.sequence)).toEqual([4, 5, 6, 7])
    const newestOf = (id: string) =>
      t.app.write(async tx => (await queries.newestEvents(tx, id).execute()).find(row => row.document_id === id))
    expect(JSON.parse((await newestOf('doc_2'))?.entry ?? '')).toMatchObject({ documentSequence: 5 })
    expect(await newestOf('doc_3')).toBeUndefined()
  })
})

describe('the database refuses', () => {
  beforeEach(story)
  const refused = async (sql: string) => {
    const events = () => t.database.sql('SELECT * FROM events ORDER BY sequence')
    const before = await events()
    await expect(t.database.sql(sql)).rejects.toThrow('the audit log is never changed')
    expect(await events()).toEqual(before)
  }

  test('to change an event', () => refused("UPDATE events SET type = 'document.sent' WHERE sequence = 2"))
  test('to delete an event', () => refused('DELETE FROM events WHERE sequence = 10'))
  onSqlite(test)('to replace one', () =>
    refused(
      "INSERT OR REPLACE INTO events SELECT sequence, id, document_id, 'document.sent', at, entry, hash FROM events WHERE sequence = 1",
    ),
  )
})

describe('the first tampered entry is found', () => {
  beforeEach(story)
  const broken = async (at: number) => expect(await verifyChain(t.app.db)).toEqual({ firstInvalid: at })

  test('an entry that was edited', async () => {
    await tamper("UPDATE events SET entry = replace(entry, 'document.sent', 'document.void') WHERE sequence = 3")
    await broken(3)
  })

  test('an entry that was edited together with its hash', async () => {
    const [before, row] = await t.database.sql<{ entry: string; hash: string }>(
      'SELECT entry, hash FROM events WHERE sequence IN (2, 3) ORDER BY sequence',
    )
    const entry = row?.entry.replace('"actor":"system"', '"actor":"user:eve"') ?? ''
    expect(entry).not.toBe(row?.entry as string)
    await tamper('UPDATE events SET entry = ?, hash = ? WHERE sequence = 3', entry, chainHash(before?.hash as string, entry))
    await broken(4)
  })

  test.each([
    ['type', "'document.voided'"],
    ['at', "'2026-11-20T17:25:00.001Z'"],
    ['id', "'evt_other'"],
    ['document_id', "'doc_other'"],
    ['document_id', 'NULL'],
    ['hash', "'00'"],
  ])('a row whose %s says another thing than its entry: %s', async (column, value) => {
    await tamper(`UPDATE events SET ${column} = ${value} WHERE sequence = 5`)
    await broken(5)
  })

  test.each([
    ['an entry that is no JSON', "UPDATE events SET entry = 'x' WHERE sequence = 5"],
    ['an entry that is no object', "UPDATE events SET entry = 'null' WHERE sequence = 5"],
    ['a time that is none', "UPDATE events SET at = 'yesterday' WHERE sequence = 5"],
    ['a personal part that is no JSON', "UPDATE event_details SET personal = 'x' WHERE sequence = 6"],
  ])('%s is an answer, not a crash', async (_, sql) => {
    await tamper(sql)
    await broken(sql.includes('event_details') ? 6 : 5)
  })

  test('an event that was deleted', async () => {
    await tamper('DELETE FROM events WHERE sequence = 4')
    await broken(5)
  })

  test('an event that was deleted, with the rest renumbered', async () => {
    await tamper('DELETE FROM events WHERE sequence = 4')
    // In two steps, in any order of the rows.
    await tamper('UPDATE events SET sequence = 1 - sequence WHERE sequence > 4')
    await tamper('UPDATE events SET sequence = -sequence WHERE sequence < 0')
    await broken(4)
  })

  test('two events that changed places', async () => {
    await tamper('UPDATE events SET sequence = -3 WHERE sequence = 3')
    await tamper('UPDATE events SET sequence = 3 WHERE sequence = 5')
    await tamper('UPDATE events SET sequence = 5 WHERE sequence = -3')
    await broken(3)
  })

  test('an event that was inserted', async () => {
    await tamper('UPDATE events SET sequence = -sequence WHERE sequence >= 5')
    await tamper('UPDATE events SET sequence = -sequence + 1 WHERE sequence < 0')
    await tamper(
      "INSERT INTO events SELECT 5, 'evt_x', document_id, type, at, replace(entry, id, 'evt_x'), hash FROM events WHERE sequence = 3",
    )
    await broken(5)
  })

  test('personal data that was changed, or its salt', async () => {
    await tamper("UPDATE event_details SET personal = replace(personal, 'Ada', 'Eve') WHERE sequence = 4")
    await broken(4)
    await tamper("UPDATE event_details SET personal = replace(personal, 'Eve', 'Ada') WHERE sequence = 4")
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 10 })
    await tamper("UPDATE event_details SET salt = '00' WHERE sequence = 4")
    await broken(4)
  })

  test('personal data that was invented', async () => {
    await tamper("INSERT INTO event_details VALUES (1, 'doc_1', '00', '{}')")
    await broken(1)
  })

  test('the first of two errors is reported', async () => {
    await tamper("UPDATE events SET hash = '00' WHERE sequence = 2")
    await tamper("UPDATE events SET type = 'document.voided' WHERE sequence = 7")
    await broken(2)
  })

  test('a truncated log is noticed by comparing the count with a kept head', async () => {
    const kept = await auditHead(t.app.db)
    await tamper('DELETE FROM events WHERE sequence = 10')
    const verdict = await verifyChain(t.app.db)
    expect(verdict).toMatchObject({ count: 9 })
    expect(verdict).not.toMatchObject({ head: kept.hash })
  })

  test('any edit of any byte of any entry or hash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom('entry', 'hash'),
        fc.nat(1000),
        async (sequence, column, at) => {
          const of = 'FROM events WHERE sequence = ?'
          const [{ text } = { text: '' }] = await t.database.sql<{ text: string }>(`SELECT ${column} AS text ${of}`, sequence)
          const i = at % text.length
          const other = text[i] === 'f' ? 'e' : 'f'
          await tamper(
            `UPDATE events SET ${column} = ? WHERE sequence = ?`,
            text.slice(0, i) + other + text.slice(i + 1),
            sequence,
          )
          const verdict = await verifyChain(t.app.db).catch(error => ({ crashed: String(error) }))
          await tamper(`UPDATE events SET ${column} = ? WHERE sequence = ?`, text, sequence)
          expect(verdict).toEqual({ firstInvalid: sequence })
        },
      ),
      { numRuns: 200, seed: 7 },
    )
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 10 })
  })
})

describe('a long log', () => {
  test('is verified completely, in more than one batch', async () => {
    for (let i = 0; i < 21; i++) await add('doc_1', Array<DomainEvent>(100).fill(SENT))
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 2100 })
    await tamper("UPDATE events SET hash = '00' WHERE sequence = 2050")
    expect(await verifyChain(t.app.db)).toEqual({ firstInvalid: 2050 })
  })

  test('of exactly one batch is verified completely', async () => {
    for (let i = 0; i < 10; i++) await add('doc_1', Array<DomainEvent>(100).fill(SENT))
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 1000 })
  })
})

describe('deleting personal data', () => {
  test('removes data and salts of one document, and the chain stays valid', async () => {
    await story()
    const head = await auditHead(t.app.db)
    await t.app.write(tx => queries.erasePersonal(tx, 'doc_2'))
    expect(await verifyChain(t.app.db)).toEqual({ head: head.hash, count: 10 })
    for (const event of await auditEventsOf(t.app.db, 'doc_2')) {
      expect(event).toMatchObject({ personal: null, salt: null, ip: undefined, userAgent: undefined, type: 'recipient.signed' })
    }
    expect(await t.database.sql('SELECT sequence FROM event_details')).toEqual([])
  })

  test('does not affect other documents', async () => {
    await add('doc_1', [SIGNED], ADA)
    await add('doc_2', [SIGNED], ADA)
    await t.app.write(tx => queries.erasePersonal(tx, 'doc_2'))
    expect((await auditEventsOf(t.app.db, 'doc_1'))[0]?.personal).toMatchObject({ signature: 'Ada' })
  })
})
