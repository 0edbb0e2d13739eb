import { expect, test } from 'bun:test'
import { idFactory } from '../../src/lib/id.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

test('an id is its type and a lower-case ULID', () => {
  expect(idFactory(() => Date.UTC(2026, 10, 20), THIS_MACHINE.random)('doc')).toMatch(/^doc_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('ids sort in order of creation, within a millisecond and after the clock was set back', () => {
  const moments = [1000, 1000, 1000, 2000, 1500, 10, 2000, 2001]
  let i = 0
  const newId = idFactory(() => moments[i++] ?? 0, THIS_MACHINE.random)
  const ids = moments.map(() => newId('evt'))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})

test('the time is in the first ten characters', () => {
  const [early, late] = [
    idFactory(
      () => 1,
      bytes => new Uint8Array(bytes),
    )('doc'),
    idFactory(
      () => 2 ** 40,
      bytes => new Uint8Array(bytes),
    )('doc'),
  ]
  expect(early.slice(4, 14)).toBe('0000000001')
  expect(late > early).toBe(true)
})

test('ten thousand ids of one millisecond are all different', () => {
  const newId = idFactory(() => 1_700_000_000_000, THIS_MACHINE.random)
  expect(new Set(Array.from({ length: 10_000 }, () => newId('job'))).size).toBe(10_000)
})
