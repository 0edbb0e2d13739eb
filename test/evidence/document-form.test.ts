/** The form of the document in audit.json is that of the API, and any other type is found. */
import { expect, test } from 'bun:test'
import type { Json } from '../../src/core/document/event.ts'
import { documentFormProblems } from '../../src/evidence/pack/audit-file.ts'
import { Document } from '../../src/http/api/schema/responses.ts'

interface Schema {
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** A value of the schema, with every member that it describes. */
function sampleOf(schema: Schema): Json {
  const [first] = schema.anyOf ?? []
  if (first) return sampleOf(first)
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})]
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]))
  if (schema.type === 'boolean') return true
  if (schema.type !== 'string') return 1
  if (schema.format === 'date-time') return '2026-11-27T12:00:00.000Z'
  return schema.description?.startsWith('SHA-256 of') ? 'ab'.repeat(32) : 'text'
}

/** Each place in a value: its path, and the whole value with another one there. */
function* placesOf(value: Json, path = ''): Generator<[path: string, withOther: (other: Json) => Json]> {
  if (path !== '') yield [path, other => other]
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      for (const [inner, set] of placesOf(item, `${path}[${i}]`)) yield [inner, other => value.with(i, set(other))]
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value))
      for (const [inner, set] of placesOf(member, path === '' ? name : `${path}.${name}`))
        yield [inner, other => ({ ...value, [name]: set(other) })]
  }
}

const sample = () => sampleOf(Document as unknown as Schema)

test('every member that the API gives is known, with its type', () => {
  expect(documentFormProblems(sample())).toEqual({ wrong: [], unknown: [] })
  expect([...placesOf(sample())].length).toBeGreaterThan(100)
})

test('a member of another type is found at its place', () => {
  const others: Json[] = [[], [10], {}, 'x'.repeat(3), 1.5, true]
  for (const [path, withOther] of placesOf(sample())) {
    const found = others.filter(other => {
      const { wrong, unknown } = documentFormProblems(withOther(other))
      return wrong.length + unknown.length > 0
    })
    // An option is a text or an object; all else has one type.
    expect([path, found.length >= (path.endsWith('.options[0]') ? 4 : 5)]).toEqual([path, true])
  }
})

test('a member that the API does not have is named', () => {
  const recipient = { id: 'rcp_x', age: 1, fields: [{ id: 'fld_x', ['__proto__']: 1, hidden: true }] }
  const { wrong, unknown } = documentFormProblems({ id: 'doc_x', owner: 'x', recipients: [recipient] })
  expect(wrong).toEqual([])
  expect(unknown).toEqual(['owner', 'recipients[0].age', 'recipients[0].fields[0].__proto__', 'recipients[0].fields[0].hidden'])
})
