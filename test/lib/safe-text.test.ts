/** Texts of unknown origin on our pages and in the terminal. */
import { expect, test } from 'bun:test'
import { toSafeText } from '../../src/lib/safe-text.ts'

test('what could change the order or place of the words around a name is a question mark', () => {
  expect(toSafeText('Ada\u202eyb dengis\u2028\u0007\u061c')).toBe('Ada?yb dengis???')
})

test('no stack of marks reaches over the lines around a name', () => {
  expect(toSafeText(`Z${'\u0334'.repeat(500)}oe`)).toBe(`Z${'\u0334'.repeat(10)}oe`)
})
