import { expect, test } from 'bun:test'
import { randomBelow, randomFraction } from '../../src/lib/id.ts'

/** Gives these numbers, six bytes each, in order. */
function drawing(...numbers: number[]) {
  return (bytes: number) => {
    const drawn = Buffer.alloc(bytes)
    drawn.writeUIntBE(numbers.shift() ?? 0, 0, 6)
    return new Uint8Array(drawn)
  }
}

test('a number is below its bound', () => {
  expect([0, 1, 9, 10, 123_457].map(number => randomBelow(drawing(number), 10))).toEqual([0, 1, 9, 0, 7])
  expect(randomBelow(drawing(2 ** 48 - 1), 2 ** 48)).toBe(2 ** 48 - 1)
  expect(randomBelow(drawing(5), 1)).toBe(0)
})

test('what would make small numbers more likely is drawn again', () => {
  // 2^48 has the remainder 6 by 10.
  expect(randomBelow(drawing(2 ** 48 - 6, 2 ** 48 - 1, 42), 10)).toBe(2)
  expect(randomBelow(drawing(2 ** 48 - 7, 42), 10)).toBe(9)
})

test('a fraction is at least 0 and below 1', () => {
  expect(randomFraction(drawing(0))).toBe(0)
  expect(randomFraction(drawing(2 ** 47))).toBe(0.5)
  expect(randomFraction(drawing(2 ** 48 - 1))).toBeLessThan(1)
})
