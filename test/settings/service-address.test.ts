/** The address of the running instance, or under which the service was last started. */
import { expect, test } from 'bun:test'
import { writeRunningAddress } from '../../src/lib/running-address.ts'
import { isServing, noteServiceAddress, serviceAddress } from '../../src/settings/service-address.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

test('a start under another address is noted in place of the one before', async () => {
  await noteServiceAddress(t.app)
  t.app.config.baseUrl = 'https://sign.example.com'
  await noteServiceAddress(t.app)
  expect(await serviceAddress(t.app)).toBe('https://sign.example.com')
})

test('that of an instance which runs counts before the last start and the configuration', async () => {
  await noteServiceAddress(t.app)
  expect(await isServing(t.app)).toBe(false)
  const running = { baseUrl: 'https://sign.example.com', local: 'http://127.0.0.1:41234' }
  await writeRunningAddress(t.app.fileSystem, t.app.config.dataFolder, running)
  expect([await isServing(t.app), await serviceAddress(t.app)]).toEqual([true, 'https://sign.example.com'])
})
