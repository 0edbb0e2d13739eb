/** A table of members gives the values that are blank, edited and given. */
import { expect, test } from 'bun:test'
import {
  blankOf,
  editedValues,
  flag,
  given,
  givenOf,
  line,
  list,
  namesOfKind,
  oneOf,
  optional,
  time,
} from '../../src/core/members.ts'

const TABLE = {
  name: given(line(10)),
  label: optional(line(10)),
  size: given(oneOf(['small', 'large'])),
  isOpen: given(flag()),
  tags: given(list<string>()),
  at: optional(time()),
}

const BLANK = { name: '', label: undefined, size: 'small' as const, isOpen: false, tags: [], at: undefined }

test('a blank value has the first choice, empty lists, and nothing that is optional', () => {
  expect(blankOf(TABLE)).toStrictEqual(BLANK)
})

test('an edit keeps what it leaves out, clears what is null, and takes no member that the table lacks', () => {
  const before = { ...BLANK, name: 'Ada', label: 'Tenant' }
  const edit = { label: null, size: 'large', owner: 'Eve' }
  expect(editedValues(TABLE, before, edit)).toStrictEqual({ ...before, label: undefined, size: 'large' })
})

test('a request has the members with a value, and times as texts', () => {
  const at = new Date('2026-11-20T17:25:00.000Z')
  expect(givenOf(TABLE, { ...BLANK, at })).toEqual({ name: '', size: 'small', isOpen: false, tags: [], at: at.toISOString() })
})

test('the names of a kind are in the order of the table', () => {
  expect(namesOfKind(TABLE, 'line')).toEqual(['name', 'label'])
})
