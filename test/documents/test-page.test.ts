/** The test page is sealed as documents are, by any key, and no file is left. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sealTestPage, testSealKey } from '../../src/documents/sealing/test-page.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { testAuthority } from '../support/test-pki.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const storedFiles = () => Array.fromAsync(new Bun.Glob('**').scan({ cwd: join(t.app.config.dataFolder, 'files'), dot: true }))

test('a key that is not the active one seals a valid page, and no file is left', async () => {
  const { key } = await testAuthority('ec-p384', { now: t.clock.now })
  expect(Buffer.compare(key.certificate, (await t.app.sealKey()).certificate)).not.toBe(0)
  expect(await testSealKey(t.app, key)).toBeUndefined()
  expect(await storedFiles()).toEqual([])
})

test('a key that signs with another private key is reported, and no file is left', async () => {
  const { key } = await testAuthority('ec-p384', { now: t.clock.now })
  const { key: other } = await testAuthority('ec-p384', { now: t.clock.now })
  expect(await testSealKey(t.app, { ...key, sign: other.sign })).toContain('does not verify with the key of its certificate')
  expect(await storedFiles()).toEqual([])
})

test('what a key throws is passed on, and no file is left', async () => {
  const active = await t.app.sealKey()
  const locked = { ...active, sign: () => Promise.reject(new Error('The token is locked.')) }
  await expect(testSealKey(t.app, locked)).rejects.toThrow('The token is locked.')
  expect(await storedFiles()).toEqual([])
})

test('the active key is tried without a time-stamp authority, the page in the settings with one', async () => {
  await t.close()
  t = await openTestApp({ env: { SIGNET_TSA_URL: 'http://127.0.0.1:9/', SIGNET_TSA_FALLBACK: 'wait' } })
  expect(await testSealKey(t.app, await t.app.sealKey())).toBeUndefined()
  expect(await sealTestPage(t.app)).toMatchObject({ failure: { code: 'timestamp_missing' } })
  expect(await storedFiles()).toEqual([])
})
