import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { isWellFormed, newApiKey, prefixFor } from '../../src/lib/api-key.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('production has one prefix, every other environment the other', () => {
  expect(prefixFor('production')).toBe('esk_live_')
  for (const name of ['test', 'staging', 'Production', 'prod', '']) expect(prefixFor(name)).toBe('esk_test_')
})

test('a new key has prefix, 32 random characters and 6 of checksum', () => {
  const key = newApiKey('esk_live_', THIS_MACHINE.random)
  expect(key).toMatch(/^esk_live_[0-9A-Za-z]{38}$/)
  expect(isWellFormed(key)).toBe(true)
  const number = createHash('sha256').update(key.slice(0, -6)).digest().readUInt32BE(0) >>> 1
  const checksum = [...key.slice(-6)].reduce((sum, char) => sum * 62 + ALPHABET.indexOf(char), 0)
  expect(checksum).toBe(number)
})

test('no two keys are equal, and all letters of the alphabet occur', () => {
  const keys = Array.from({ length: 300 }, () => newApiKey('esk_test_', THIS_MACHINE.random))
  expect(new Set(keys).size).toBe(300)
  expect(new Set(keys.flatMap(k => [...k.slice(9, 41)])).size).toBe(62)
})

test('one wrong character makes a key malformed', () => {
  const key = newApiKey('esk_test_', THIS_MACHINE.random)
  fc.assert(
    fc.property(fc.integer({ min: 9, max: key.length - 1 }), fc.constantFrom(...ALPHABET), (at, char) => {
      fc.pre(key[at] !== char)
      expect(isWellFormed(key.slice(0, at) + char + key.slice(at + 1))).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('a key is valid only with its prefix', () => {
  expect(isWellFormed(newApiKey('esk_test_', THIS_MACHINE.random).replace('esk_test_', 'esk_live_'))).toBe(false)
})

test.each(['', 'esk_test_', 'esk_test_abc', `esk_prod_${'a'.repeat(38)}`, `esk_test_${'a'.repeat(39)}`])(
  '%j is not a key',
  text => {
    expect(isWellFormed(text)).toBe(false)
  },
)

test('a key with a line break is not a key', () => {
  expect(isWellFormed(`${newApiKey('esk_test_', THIS_MACHINE.random)}\n`)).toBe(false)
})
