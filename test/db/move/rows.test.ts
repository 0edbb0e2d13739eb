/** Rows that are moved: which tables, in which order, and a digest that shows every difference. */
import { describe, expect, test } from 'bun:test'
import { migrate, NO_CLOCK } from '../../../src/db/migrate.ts'
import { rowText } from '../../../src/db/move/rows.ts'
import { readMoveSchema } from '../../../src/db/move/tables.ts'
import { openInMemory } from '../../../src/db/sqlite.ts'

const { tables, triggers, searchIndexes } = readMoveSchema()
const indexOf = (name: string) => tables.findIndex(table => table.name === name)

describe('the tables of a move', () => {
  test('are all but those that each end has for itself', () => {
    const raw = openInMemory()
    migrate(raw, NO_CLOCK)
    const all = raw
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 1")
      .pluck()
      .all()
    raw.close()
    const missing = (all as string[]).filter(name => indexOf(name) < 0)
    expect(missing.sort()).toEqual(['cluster', 'file_claims', 'file_holds', 'leases', 'migrations', 'nodes'])
    expect(tables.length).toBe(all.length - missing.length)
  })

  test('come after those that they refer to', () => {
    expect(indexOf('users')).toBeLessThan(indexOf('documents'))
    expect(indexOf('files')).toBeLessThan(indexOf('documents'))
    expect(indexOf('documents')).toBeLessThan(indexOf('recipients'))
    expect(indexOf('recipients')).toBeLessThan(indexOf('fields'))
    expect(indexOf('events')).toBeLessThan(indexOf('event_details'))
    expect(indexOf('webhooks')).toBeLessThan(indexOf('deliveries'))
  })

  test('have the key by which they are read, in its order; all columns where there is none', () => {
    expect(tables[indexOf('document_metadata')]?.key).toEqual(['key', 'value', 'document_id'])
    expect(tables[indexOf('events')]?.key).toEqual(['sequence'])
    expect(tables.filter(table => !table.hasPrimaryKey).map(({ name }) => name)).toEqual(['webhook_former_secrets'])
  })

  test('leave out what is made of the rows: the full-text index is rebuilt', () => {
    expect(searchIndexes).toEqual(['document_trigrams'])
    expect(triggers.length).toBeGreaterThan(10)
    expect(tables.filter(({ name }) => name.startsWith('document_trigrams'))).toEqual([])
  })
})

describe('the text of a row', () => {
  const columns = [
    { name: 'a', kind: 'text' as const },
    { name: 'b', kind: 'text' as const },
    { name: 'c', kind: 'real' as const },
    { name: 'd', kind: 'integer' as const },
    { name: 'e', kind: 'blob' as const },
  ]
  const row = { a: 'x', b: 'y', c: 1, d: 1, e: new Uint8Array([1]) }
  const textOf = (change: object) => rowText({ ...row, ...change }, { columns })

  test('differs whenever a value differs, in content, type or place', () => {
    const others = [
      {},
      { a: 'xt1:y', b: '' },
      { a: 'xy', b: '' },
      { a: null },
      { a: 'n' },
      { b: '' },
      { b: null },
      { c: 1.0000000000000002 },
      { c: -1 },
      { c: 0 },
      { c: -0 },
      { d: 11 },
      { c: 11, d: 1 },
      { d: null },
      { e: null },
      { e: new Uint8Array([1, 0]) },
      { e: new Uint8Array() },
    ]
    expect(new Set(others.map(textOf)).size).toBe(others.length)
  })

  test('is the same for equal values of both engines', () => {
    expect(textOf({ e: Buffer.from([1]) })).toBe(textOf({}))
    expect(textOf({ c: 0.1 + 0.2 })).toBe(textOf({ c: 0.30000000000000004 }))
  })
})
