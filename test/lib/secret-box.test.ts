import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { secretBox } from '../../src/lib/secret-box.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { secretName } from '../../src/settings/sealed.ts'

const box = secretBox(Buffer.alloc(32, 1), THIS_MACHINE.random)
const A = secretName('stored', 'a')
const [ONE, TWO] = [secretName('webhook', '1'), secretName('webhook', '2')]
const SECRET = Buffer.from('whsec_Zm9vYmFy')

test('decryption returns the encrypted bytes, also when empty', () => {
  expect(box.decrypt(A, box.encrypt(A, SECRET))).toEqual(SECRET)
  expect(box.decrypt(A, box.encrypt(A, new Uint8Array()))).toHaveLength(0)
})

test('encryption adds 28 bytes and never returns the same twice', () => {
  const one = box.encrypt(A, SECRET)
  const two = box.encrypt(A, SECRET)
  expect(one).toHaveLength(SECRET.length + 28)
  expect(Buffer.from(one)).not.toEqual(Buffer.from(two))
  expect(Buffer.from(one).includes(SECRET)).toBe(false)
})

describe('does not decrypt', () => {
  const closed = box.encrypt(ONE, SECRET)

  test('under another name', () => {
    expect(() => box.decrypt(TWO, closed)).toThrow()
  })

  test('under another key', () => {
    expect(() => secretBox(Buffer.alloc(32, 2), THIS_MACHINE.random).decrypt(ONE, closed)).toThrow()
  })

  test('with any one byte changed', () => {
    for (let i = 0; i < closed.length; i++) {
      const changed = Buffer.from(closed)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => box.decrypt(ONE, changed)).toThrow()
    }
  })

  test('truncated anywhere', () => {
    for (let length = 0; length < closed.length; length++) expect(() => box.decrypt(ONE, closed.subarray(0, length))).toThrow()
  })
})

test('a key of another length is refused', () => {
  expect(() => secretBox(randomBytes(16), THIS_MACHINE.random).encrypt(A, SECRET)).toThrow()
})
