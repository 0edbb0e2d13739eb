/** The text in which a signing page says which pages it has displayed. */
import { expect, test } from 'bun:test'
import { readPages, writePages } from '../../src/core/signing/pages-shown.ts'

test.each([
  ['1', [1]],
  ['1-3,5', [1, 2, 3, 5]],
  ['7', [7]],
  ['1-7', [1, 2, 3, 4, 5, 6, 7]],
  ['none', []],
])('%s is read, and written again', (text, pages) => {
  expect(readPages(text, 7)).toEqual(pages)
  expect(writePages(pages.toReversed())).toBe(text)
})

test.each(['', '0', '8', '1-8', '3-1', '2,1', '1,1', '1-3,3', '1,', ',1', '1-2-3', 'all', '1 ', '+1', '1e3', '1-9999999', '-'])(
  'no list of pages of 7: “%s”',
  text => expect(readPages(text, 7)).toBeUndefined(),
)

test('the same page twice counts once, and neighbours are written as a range', () => {
  expect(writePages([3, 1, 2, 2, 9])).toBe('1-3,9')
  expect(writePages([3, 1, 2, 9], '–', ', ')).toBe('1–3, 9')
})
