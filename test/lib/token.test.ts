import { expect, test } from 'bun:test'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { isSameSecret, keyedToken, randomToken } from '../../src/lib/token.ts'

test('a random token has 256 bits and is safe in a URL', () => {
  const tokens = Array.from({ length: 200 }, () => randomToken(THIS_MACHINE.random))
  expect(new Set(tokens).size).toBe(200)
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  }
})

test('sha256Hex is SHA-256 of FIPS 180-4', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256Hex(Buffer.from('abc'))).toBe(sha256Hex('abc'))
})

test('a keyed token depends on the key and every part, and on nothing else', () => {
  const key = Buffer.alloc(32, 1)
  expect(keyedToken(key, 'a', 'b')).toBe(keyedToken(key, 'a', 'b'))
  const others = [
    keyedToken(Buffer.alloc(32, 2), 'a', 'b'),
    keyedToken(key, 'a', 'c'),
    keyedToken(key, 'b', 'a'),
    keyedToken(key, 'ab'),
  ]
  expect(new Set([keyedToken(key, 'a', 'b'), ...others]).size).toBe(5)
  // RFC 4231 §4.3, test case 2.
  const expected = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex')
  expect(keyedToken(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(expected.toString('base64url'))
})

test('secrets of any length are compared completely', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) expect(isSameSecret('abc', other)).toBe(false)
})
