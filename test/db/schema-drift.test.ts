/** Compares the types of the tables with the migrations: columns, types, NULL and defaults. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { useFolder } from '../support/folders.ts'

type Shape = Record<string, Record<string, string>>

/** The bodies of the interfaces that make up the schema. */
const TEXT = bodiesOf(readFileSync(join(import.meta.dir, '../../src/db/schema.ts'), 'utf8'))

function bodiesOf(text: string): string {
  const bodies = [...text.matchAll(/^(?:export )?interface \w*Schema(?: extends [\w, ]+)? \{([\s\S]*?)\n\}/gm)]
  if (bodies.length === 0) throw new Error('the interfaces were not found')
  return bodies.map(([, body]) => body).join('\n')
}

/** Parses the interface: `table: { column: type … }`, on one line or several. */
function shapeOfText(body: string): Shape {
  const shape: Shape = {}
  for (const [, table = '', columns = ''] of body.matchAll(/^ {2}(\w+): \{([^}]*)\}/gm)) {
    const pairs = columns.split(/[;\n]/).flatMap(line => {
      const [, name, type] = /^\s*(\w+): (.+?)\s*$/.exec(line) ?? []
      return name && type ? [[name, kindOfType(type)] as const] : []
    })
    shape[table] = Object.fromEntries(pairs)
  }
  return shape
}

/** `TEXT`, `INTEGER or REAL` …, with `?` if it may be NULL and `=` if it has a default. */
function kindOfType(type: string): string {
  const isGenerated = type.startsWith('Generated<')
  const inner = isGenerated ? type.slice('Generated<'.length, -1) : type
  const parts = inner.split('|').map(part => part.trim())
  const mayBeNull = parts.includes('null')
  const first = parts.find(part => part !== 'null') ?? ''
  const kind =
    first === 'number' || first === 'Flag'
      ? 'NUMBER'
      : first === 'Uint8Array'
        ? 'BLOB'
        : /^(string|Time|'.*')$/.test(first)
          ? 'TEXT'
          : `unknown ${first}`
  return kind + (mayBeNull ? '?' : '') + (isGenerated ? '=' : '')
}

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

function shapeOfDatabase(raw: Raw): Shape {
  const tables = raw
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations' AND name NOT LIKE 'document_trigrams%' ORDER BY name",
    )
    .all() as { name: string }[]
  return Object.fromEntries(
    tables.map(({ name }) => {
      const columns = raw.pragma(`table_xinfo(${name})`) as Column[]
      return [name, Object.fromEntries(columns.map(c => [c.name, kindOfColumn(c)]))]
    }),
  )
}

function kindOfColumn({ type, notnull, pk, dflt_value }: Column): string {
  const kind = type === 'INTEGER' || type === 'REAL' ? 'NUMBER' : type
  return kind + (notnull || pk ? '' : '?') + (dflt_value === null ? '' : '=')
}

const folder = useFolder()
let raw: Raw

beforeAll(() => {
  raw = openRaw(join(folder, 'signet.db'))
  migrate(raw, NO_CLOCK)
})

afterAll(() => raw.close())

test('the types match the migrations', () => {
  expect(shapeOfText(TEXT)).toEqual(shapeOfDatabase(raw))
})

test('every table of the migrations is compared, with its columns', () => {
  const shape = shapeOfText(TEXT)
  expect(Object.keys(shape).length).toBeGreaterThan(15)
  for (const [table, columns] of Object.entries(shape)) expect([table, Object.keys(columns).length]).not.toEqual([table, 0])
  expect(JSON.stringify(shape)).not.toContain('unknown')
})

test('every table is strict', () => {
  const loose = (raw.pragma('table_list') as { schema: string; name: string; type: string; strict: number }[]).filter(
    t => t.schema === 'main' && t.type === 'table' && !t.name.startsWith('sqlite_') && !t.strict,
  )
  expect(loose).toEqual([])
})

describe('a difference is found', () => {
  test.each([
    [
      'a column in the types alone',
      TEXT.replace('  settings: { name: string; value: string }', '  settings: { name: string; value: string; extra: string }'),
    ],
    ['a table in the types alone', TEXT.replace('  settings: {', '  extras: { id: string }\n  settings: {')],
    ['a column gone from the types', TEXT.replace('    page_count: number\n', '')],
    ['an absence the database does not allow', TEXT.replace('page_count: number', 'page_count: number | null')],
    ['another kind of value', TEXT.replace('page_count: number', 'page_count: string')],
    ['a default the database does not have', TEXT.replace('page_count: number', 'page_count: Generated<number>')],
  ])('%s', (_, text) => {
    expect(text).not.toBe(TEXT)
    expect(shapeOfText(text)).not.toEqual(shapeOfDatabase(raw))
  })

  test('a column that only the database has', () => {
    raw.exec('SAVEPOINT drift; ALTER TABLE settings ADD COLUMN extra TEXT')
    expect(shapeOfText(TEXT)).not.toEqual(shapeOfDatabase(raw))
    raw.exec('ROLLBACK TO drift; RELEASE drift')
    expect(shapeOfText(TEXT)).toEqual(shapeOfDatabase(raw))
  })
})
