/** A database accepts only the master key that it was made with. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { secretBox } from '../../src/lib/secret-box.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { MasterKeyError } from '../../src/master-key.ts'
import { requireMatchingKey } from '../../src/settings/master-key-match.ts'
import { addSecret, instanceFact } from '../../src/settings/queries.ts'
import { secretName } from '../../src/settings/sealed.ts'
import { openSmallApp, type SmallApp } from '../support/small-app.ts'

const RIGHT = secretBox(Buffer.alloc(32, 1), THIS_MACHINE.random)
const WRONG = secretBox(Buffer.alloc(32, 2), THIS_MACHINE.random)

let small: SmallApp
beforeEach(async () => {
  small = await openSmallApp()
})
afterEach(() => small.close())

test('the first key is recorded, another one is refused and changes nothing', async () => {
  const { database } = small
  await requireMatchingKey(database, RIGHT)
  await requireMatchingKey(database, RIGHT)
  await expect(requireMatchingKey(database, WRONG)).rejects.toThrow(MasterKeyError)
  expect(await instanceFact(database.db, 'master-key')).toBe(RIGHT.fingerprint)
})

test('of two nodes that start together with different keys, one is refused', async () => {
  const starts = await Promise.allSettled([RIGHT, WRONG].map(box => requireMatchingKey(small.database, box)))
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a database without a fingerprint takes the key that opens its link key, and no other', async () => {
  const { database } = small
  await database.write(tx => addSecret(tx, 'link-key', RIGHT.encrypt(secretName('stored', 'link-key'), Buffer.alloc(32, 3))))
  await expect(requireMatchingKey(database, WRONG)).rejects.toThrow('put the right key back')
  expect(await instanceFact(database.db, 'master-key')).toBeUndefined()
  await requireMatchingKey(database, RIGHT)
  expect(await instanceFact(database.db, 'master-key')).toBe(RIGHT.fingerprint)
})

test('the fingerprint does not contain the key', () => {
  expect(RIGHT.fingerprint).toMatch(/^[0-9a-f]{32}$/)
  expect(RIGHT.fingerprint).not.toBe(WRONG.fingerprint)
})
