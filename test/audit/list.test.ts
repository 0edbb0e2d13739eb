/** The filters of the audit log, on both engines, against a plain search of all entries. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { type EventFilter, findEvents } from '../../src/audit/list-queries.ts'
import { appendEvents, appendInstanceEvent, chainEvent } from '../../src/audit/log.ts'
import { entryNames, findSubjects } from '../../src/audit/name-queries.ts'
import type { DomainEvent } from '../../src/core/document/event.ts'
import { storedTypesOf } from '../../src/core/document/event.ts'
import { type Origin, SYSTEM } from '../../src/ports.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()

const by = (label: string): Origin => ({ actor: { ...SYSTEM.actor, label }, ip: '192.0.2.7', userAgent: 'Firefox' })
const add = (documentId: string, event: DomainEvent, origin: Origin = SYSTEM) =>
  t.app.write(tx => appendEvents(tx, t.app, { id: documentId, ownerId: undefined }, [event], origin))
const addOwn = (event: Parameters<typeof appendInstanceEvent>[2], origin: Origin = SYSTEM) =>
  t.app.write(tx => appendInstanceEvent(tx, t.app, event, origin))

const found = async (filter: EventFilter, slice: Partial<Parameters<typeof findEvents>[2]> = {}) => {
  const rows = await findEvents(t.database.db, filter, { limit: 100, order: 'newest first', ...slice })
  return rows.map(({ sequence }) => sequence)
}

const id = (prefix: string, name: string) => `${prefix}_${name.padStart(26, '0')}`
const ADA = id('usr', 'ada')
const HR = id('key', 'hr')

/** Twelve entries of three days, two documents, a user, a key and a recipient. */
async function story(): Promise<void> {
  for (const documentId of ['doc_1', 'doc_2']) {
    await add(documentId, { type: 'document.created' }, by(`user:${ADA}`))
    await add(documentId, { type: 'document.sent' }, by(`key:${HR}`))
    await add(documentId, { type: 'recipient.notified', recipientId: `rcp_${documentId}` })
    t.clock.pass({ days: 1 })
    await add(documentId, { type: 'recipient.signed', recipientId: `rcp_${documentId}` }, by(`recipient:rcp_${documentId}`))
  }
  await addOwn({ type: 'user.created', data: { userId: ADA } }, by('command-line'))
  await addOwn({ type: 'organisation.changed', data: {} }, by(`user:${ADA}`))
  await add('doc_1', { type: 'recipient.mail_accepted' } as unknown as DomainEvent)
  await add('doc_2', { type: 'recipient.email_accepted' })
}

describe('a filter finds its entries, newest first', () => {
  beforeEach(story)
  const cases: [name: string, filter: EventFilter, sequences: number[]][] = [
    ['none', {}, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['a kind', { types: ['document.sent'] }, [6, 2]],
    ['a kind with its former name', { types: storedTypesOf('recipient.email_accepted') }, [12, 11]],
    ['a document', { documentId: 'doc_2' }, [12, 8, 7, 6, 5]],
    ['a user: what they did and what concerns them, once each', { subjects: [{ kind: 'user', id: ADA }] }, [10, 9, 5, 1]],
    ['an API token', { subjects: [{ kind: 'key', id: HR }] }, [6, 2]],
    [
      'two subjects',
      {
        subjects: [
          { kind: 'key', id: HR },
          { kind: 'user', id: ADA },
        ],
      },
      [10, 9, 6, 5, 2, 1],
    ],
    ['nobody', { subjects: [] }, []],
    ['an actor in a document', { documentId: 'doc_1', subjects: [{ kind: 'user', id: ADA }] }, [1]],
    ['an actor and a kind', { subjects: [{ kind: 'user', id: ADA }], types: ['organisation.changed'] }, [10]],
    ['from a day', { from: new Date('2026-11-21T00:00:00Z') }, [12, 11, 10, 9, 8, 7, 6, 5, 4]],
    ['until a day', { before: new Date('2026-11-21T17:25:00Z') }, [3, 2, 1]],
    ['a day', { from: new Date('2026-11-21T00:00:00Z'), before: new Date('2026-11-22T00:00:00Z') }, [7, 6, 5, 4]],
    ['a future day', { from: new Date('2027-01-01T00:00:00Z') }, []],
    ['a past day', { before: new Date('2020-01-01T00:00:00Z') }, []],
  ]
  for (const [name, filter, sequences] of cases) {
    test(name, async () => {
      expect(await found(filter)).toEqual(sequences)
      expect(await found(filter, { order: 'oldest first' })).toEqual(sequences.toReversed())
    })
  }

  test('page after page, nothing twice and nothing left out', async () => {
    const pages: number[][] = []
    for (let after: number | undefined; ; ) {
      const page = await found({ subjects: [{ kind: 'user', id: ADA }] }, { limit: 2, ...(after && { after }) })
      if (page.length === 0) break
      pages.push(page)
      after = page.at(-1)
    }
    expect(pages).toEqual([
      [10, 9],
      [5, 1],
    ])
  })
})

test('entries of a time are found although the clock was set back between them', async () => {
  await addOwn({ type: 'organisation.changed' })
  t.clock.pass({ days: 3 })
  await addOwn({ type: 'organisation.changed' })
  t.clock.pass({ days: -2 })
  await addOwn({ type: 'organisation.changed' })
  t.clock.pass({ days: 2 })
  await addOwn({ type: 'organisation.changed' })
  expect(await found({ from: new Date('2026-11-23T00:00:00Z') })).toEqual([4, 2])
  expect(await found({ before: new Date('2026-11-22T00:00:00Z') })).toEqual([3, 1])
})

describe('persons', () => {
  beforeEach(async () => {
    const user = { id: ADA, email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin' as const, password_hash: 'x' }
    await t.app.write(tx =>
      tx
        .insertInto('users')
        .values({ ...user, created_at: t.clock.now.toISOString() })
        .execute(),
    )
  })

  test('are found by a part of their name or address, whatever its case', async () => {
    for (const text of ['LOVE', 'ada@', 'Ada Lovelace']) {
      expect([text, await findSubjects(t.database.db, text, 5)]).toEqual([text, [{ kind: 'user', id: ADA }]])
    }
    expect(await findSubjects(t.database.db, 'grace', 5)).toEqual([])
  })

  test('have names while their rows exist', async () => {
    const names = await entryNames(t.database.db, { users: [ADA, 'usr_gone'], keys: [], recipients: [], documents: [] })
    expect(names.users).toEqual(new Map([[ADA, 'Ada Lovelace']]))
  })
})

test('an entry says whether its personal data was erased or never existed', async () => {
  await addOwn({ type: 'organisation.changed', personal: { contact: 'a@example.com' } }, by(`user:${ADA}`))
  await addOwn({ type: 'organisation.changed' })
  await t.app.write(tx => tx.deleteFrom('event_details').where('sequence', '=', 1).execute())
  const rows = await findEvents(t.database.db, {}, { limit: 5, order: 'oldest first' })
  expect(rows.map(chainEvent).map(({ personal, isErased }) => [personal, isErased])).toEqual([
    [null, true],
    [null, false],
  ])
})
