/** Rows become values and values rows, and the type checker finds a table that does not fit. */
import { describe, expect, test } from 'bun:test'
import { rowMapper } from '../../src/db/row-mapper.ts'

interface Value {
  id: string
  role: 'signer' | 'viewer'
  createdAt: Date
  sentAt: Date | undefined
  isOpen: boolean
  tags: string[]
  plan: { days: number } | undefined
  note: string | undefined
}

interface Row {
  id: string
  role: string
  created_at: string
  sent_at: string | null
  is_open: number
  tags: string
  plan: string | null
  note: string | null
  version: number
}

const TABLE = {
  id: 'id',
  role: 'role',
  createdAt: ['created_at', 'time'],
  sentAt: ['sent_at', 'optional time'],
  isOpen: ['is_open', 'flag'],
  tags: ['tags', 'json'],
  plan: ['plan', 'optional json'],
  note: ['note', 'optional'],
} as const

const MAPPER = rowMapper<Value, Row>()(TABLE)

const FULL = {
  id: 'x',
  role: 'signer',
  created_at: '2026-01-31T12:00:00.000Z',
  sent_at: '2026-02-01T12:00:00.000Z',
  is_open: 1,
  tags: '["a","b"]',
  plan: '{"days":3}',
  note: '',
}
const EMPTY = { ...FULL, sent_at: null, is_open: 0, tags: '[]', plan: null, note: null }

describe('a row mapper', () => {
  test('reads every kind of column', () => {
    expect(MAPPER.read(FULL)).toEqual({
      id: 'x',
      role: 'signer',
      createdAt: new Date(FULL.created_at),
      sentAt: new Date(FULL.sent_at),
      isOpen: true,
      tags: ['a', 'b'],
      plan: { days: 3 },
      note: '',
    })
  })

  test('reads NULL as undefined', () => {
    expect(MAPPER.read(EMPTY)).toMatchObject({ sentAt: undefined, isOpen: false, tags: [], plan: undefined, note: undefined })
  })

  test.each([FULL, EMPTY])('writes what it read, and no other column', row => {
    expect(MAPPER.write(MAPPER.read(row))).toStrictEqual(row)
  })

  test('gives each value lists of its own', () => {
    expect(MAPPER.read(EMPTY).tags).not.toBe(MAPPER.read(EMPTY).tags)
  })
})

test('a table that does not fit is a type error', () => {
  const { note: _, ...withoutNote } = TABLE
  // @ts-expect-error A member without a column.
  rowMapper<Value, Row>()(withoutNote)
  // @ts-expect-error A column that does not exist.
  rowMapper<Value, Row>()({ ...TABLE, id: 'identifier' })
  // @ts-expect-error A column that may be NULL, for a member that must exist.
  rowMapper<Value, Row>()({ ...TABLE, id: 'note' })
  // @ts-expect-error A time that is read as text.
  rowMapper<Value, Row>()({ ...TABLE, sentAt: ['sent_at', 'optional'] })
  // @ts-expect-error A flag in a column of text.
  rowMapper<Value, Row>()({ ...TABLE, isOpen: ['tags', 'flag'] })
  // @ts-expect-error A column that is not mapped is not written.
  expect(MAPPER.write(MAPPER.read(FULL)).version).toBeUndefined()
})
