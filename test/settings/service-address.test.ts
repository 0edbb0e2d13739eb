/** The address under which the service was last started. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { noteServiceAddress, serviceAddress } from '../../src/settings/service-address.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

test('a start under another address is noted in place of the one before', async () => {
  await noteServiceAddress(t.app)
  t.app.config.baseUrl = 'https://sign.example.com'
  await noteServiceAddress(t.app)
  expect(await serviceAddress(t.app)).toBe('https://sign.example.com')
})
