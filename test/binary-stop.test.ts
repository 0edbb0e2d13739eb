/** A node that is asked to stop says so to balancers first, and serves on meanwhile. */
import { expect, test } from 'bun:test'
import { freePort, serve, until } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'

const folder = folderForEachTest()

test('for SIGNET_STOP_DELAY /readyz answers 503 while requests are served, then the process ends in order', async () => {
  const running = await serve(folder.path, { port: await freePort(), env: { SIGNET_STOP_DELAY: '5' } })
  expect((await running.fetch('/readyz')).status).toBe(200)
  const ended = running.end('SIGTERM')
  const leaving = await until('the answer of /readyz', async () => {
    const answer = await running.fetch('/readyz')
    return answer.status === 503 ? await answer.json() : undefined
  })
  expect(leaving.checks.stopping).toBe(true)
  expect((await running.fetch('/sign-in')).status).toBe(200)
  expect((await running.fetch('/api/v1/documents')).status).toBe(401)
  expect(await ended).toBe(0)
}, 60_000)

test('without it, the first signal ends the process at once', async () => {
  const running = await serve(folder.path, { port: await freePort() })
  expect(await running.end('SIGTERM')).toBe(0)
}, 60_000)
