/** Verbs of the executable know where the instance of their data folder is reached. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'

const folder = folderForEachTest()

const createAdmin = () =>
  run(folder.path, ['admin', 'create', '--email', 'grace@example.com', '--name', 'Grace', '--password-stdin'], {
    stdin: 'four sound words here\n',
  })

const addressFile = () => existsSync(join(folder.path, 'data/signet.address'))

test('a link that a verb prints is one that the instance on port 0 answers', async () => {
  const running = await folder.serve({ port: 0 })
  const { greeting } = running
  const origin = /serves (http:\/\/127\.0\.0\.1:\d+)/.exec(greeting)?.[1] ?? 'no address'
  expect(createAdmin().out).toContain(`sign in at ${origin}/sign-in\n`)
  const link = run(folder.path, ['admin', 'reset', 'grace@example.com']).out.trim()
  expect(link).toStartWith(`${origin}/reset/`)
  const page = await fetch(link)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Set the password')])
  expect(run(folder.path, ['health'])).toMatchObject({ code: 0, out: 'ready\n' })
  const { out } = run(folder.path, ['doctor'])
  expect(out).toContain(`address: ${origin} is not https`)
  expect(out).toContain('service: runs\n')
})

test('a public address given to serve alone is in the links, and health asks the instance itself', async () => {
  await folder.serve({ env: { SIGNET_BASE_URL: 'https://sign.example.com' } })
  expect(createAdmin().out).toContain('sign in at https://sign.example.com/sign-in\n')
  expect(run(folder.path, ['health'])).toMatchObject({ code: 0, out: 'ready\n' })
  expect(run(folder.path, ['health', '--live'])).toMatchObject({ code: 0, out: 'alive\n' })
})

test('the address goes with the instance, and one that a killed instance left is not believed', async () => {
  const running = await folder.serve()
  const { url } = running
  await running.end('SIGKILL')
  expect(addressFile()).toBe(true)
  expect(run(folder.path, ['health'])).toMatchObject({ code: 1, err: expect.stringContaining(`no answer from ${url}/readyz`) })
  expect(run(folder.path, ['doctor']).out).toContain('service: does not run')
  expect(addressFile()).toBe(false)
  const next = await folder.serve()
  expect(await next.end('SIGTERM')).toBe(0)
  expect(addressFile()).toBe(false)
})
