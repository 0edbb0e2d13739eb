/** The quickstart of the README, run as printed: it ends with a sealed file and its proof. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openVisitor } from './support/browser-less.ts'
import { BINARY, demandBinary, emptyFolder, freePort, outbox, ROOT, type Serving, serve, until } from './support/executable.ts'

let folder: ReturnType<typeof emptyFolder>
let serving: Serving
beforeAll(async () => {
  demandBinary()
  folder = emptyFolder()
  mkdirSync(join(folder.path, 'dist'))
  symlinkSync(BINARY, join(folder.path, 'dist/signet'))
  serving = await serve(folder.path, { port: await freePort() })
})
afterAll(async () => {
  await serving.end('SIGTERM')
  folder.remove()
})

test('both blocks run as written, with the act of signing between them', async () => {
  const chapter = /## Quickstart with curl\n(.*?)\n## /s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? ''
  const [before, after, ...more] = [...chapter.matchAll(/```sh\n(.*?)```/gs)].map(m =>
    m[1]?.replaceAll('http://127.0.0.1:3000', serving.url),
  )
  expect(more).toEqual([])
  // One shell for both parts: it waits for a line while the reader is in the browser.
  const shell = Bun.spawn(['sh', '-c', `set -e\n${before}\necho; echo SIGN\nread answer\n${after}`], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '' },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 60_000,
  })
  let output = ''
  const reader = shell.stdout.getReader()
  const read = async (until: RegExp) => {
    while (!until.test(output)) {
      const { value, done } = await reader.read()
      if (done) return
      output += Buffer.from(value).toString()
    }
  }
  await read(/\nSIGN\n/)
  const link = /^(http:\/\/127\.0\.0\.1:\d+)(\/s\/\S+)$/m.exec(output)
  expect(link?.[1]).toBe(serving.url)
  const visitor = openVisitor(serving.fetch, serving.url)
  const page = await visitor.submit(await visitor.get(link?.[2] ?? ''))
  const done = await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  expect(done.status).toBe(200)
  await until('the mail with the sealed file', async () =>
    (await outbox(join(folder.path, 'data'))).find(mail => /^\[TEST\] Completed|^Completed/.test(mail.subject)),
  )
  shell.stdin.write('signed\n')
  shell.stdin.end()
  await read(/never/)
  expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
  expect(output).toContain('"status":"completed"')
  expect(output).toMatch(/^VALID: /m)
})
