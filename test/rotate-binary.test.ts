/** `signet key rotate-master` by the executable: beside a service, killed, and afterwards. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, demandBinary, emptyFolder, run, type Serving, serve } from './support/executable.ts'

const KILLS = 8
const ENV = { SIGNET_SEAL_KEY: 'ec-p256' }

let folder: ReturnType<typeof emptyFolder>
let running: Serving | undefined
beforeAll(demandBinary)
beforeEach(() => {
  folder = emptyFolder()
})
afterEach(async () => {
  await running?.end('SIGKILL')
  running = undefined
  folder.remove()
})

const verb = (...args: string[]) => run(folder.path, args, { env: ENV })
const keys = () => join(folder.path, 'data/keys')
const key = () => readFileSync(join(keys(), 'master.key'), 'utf8')

/** The seal key is decrypted: what it signs is proof. */
function expectWhole(): void {
  expect(verb('audit', 'checkpoint')).toMatchObject({ code: 0 })
  expect(verb('audit', 'verify').out).toStartWith('INTACT')
}

test('is refused while the service runs, and an API token works after it as before', async () => {
  running = await serve(folder.path, { env: ENV })
  const token = verb('key', 'create', '--name', 'test').out.trim()
  const before = key()
  const refused = verb('key', 'rotate-master')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is in use by signet serve')])
  expect(key()).toBe(before)
  await running.end('SIGTERM')
  const { code, out } = verb('key', 'rotate-master')
  expect(code).toBe(0)
  expect(out).toMatch(/^\d+ secrets are encrypted with the new master key [0-9a-f]{8}/)
  expect(key()).not.toBe(before)
  expect(out).not.toContain(key().trim())
  running = await serve(folder.path, { env: ENV })
  const { status } = await running.fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  expectWhole()
}, 120_000)

test('killed at any moment, everything opens with the key that is found, and the next run replaces it', async () => {
  expect(verb('migrate').code).toBe(0)
  const beganMs = performance.now()
  expect(verb('key', 'rotate-master').code).toBe(0)
  const tookMs = performance.now() - beganMs
  for (let i = 1; i <= KILLS; i++) {
    const child = Bun.spawn([BINARY, 'key', 'rotate-master'], { cwd: folder.path, env: ENV, stdout: 'ignore', stderr: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), (tookMs * i) / (KILLS + 1))
    await child.exited
    clearTimeout(timer)
    expectWhole()
  }
  const before = key()
  expect(verb('key', 'rotate-master').code).toBe(0)
  expect(key()).not.toBe(before)
  expectWhole()
  expect(readdirSync(keys()).filter(name => /\.(new|tmp)$/.test(name))).toEqual([])
}, 180_000)
