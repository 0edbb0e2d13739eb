/** File modes and process limits of the executable, and what the kernel denies its children. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { run, until } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'
import { newDocument } from './support/sample.ts'

const folder = folderForEachTest()

const data = (...names: string[]) => join(folder.path, 'data', ...names)
const newKey = () => run(folder.path, ['key', 'create', '--name', 'test']).out.trim()

describe('the files of the data folder', () => {
  /** Every entry below the data folder with its mode. */
  function modes(): [path: string, mode: string][] {
    const entries = readdirSync(data(), { recursive: true, withFileTypes: true })
    return entries.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [`${entry.isDirectory() ? 'folder' : 'file'} ${path}`, (statSync(path).mode & 0o777).toString(8)]
    })
  }

  test('are for their owner alone, whatever the umask of the one who starts the service', async () => {
    await folder.serve({ shell: 'umask 000' })
    expect(statSync(data()).mode & 0o777).toBe(0o700)
    const open = modes().filter(([path, mode]) => mode !== (path.startsWith('folder') ? '700' : '600'))
    expect(open).toEqual([])
    expect(modes().map(([path]) => path)).toContain(`file ${data('signet.db-wal')}`)
  })

  test('that an earlier version left readable are closed without a word', () => {
    newKey()
    const names = ['signet.db', 'signet.lock', 'signet.holder']
    for (const name of names) chmodSync(data(name), 0o644)
    expect(run(folder.path, ['key', 'create', '--name', 'x'])).toMatchObject({ code: 0, err: '' })
    expect(names.map(name => statSync(data(name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  })

  test.each([0o755, 0o710, 0o701])('are refused in a folder of mode %o, with the command that mends it', mode => {
    mkdirSync(data(), { mode: 0o700 })
    chmodSync(data(), mode)
    const { code, err } = run(folder.path, ['serve', '--port', '0'])
    expect([code, err]).toEqual([1, expect.stringContaining(`run chmod 700 ${data()}`)])
    expect(readdirSync(data())).toEqual([])
    const [command = ''] = /chmod .*$/m.exec(err) ?? []
    Bun.spawnSync(['/bin/sh', '-c', command])
    expect(newKey()).toStartWith('esk_test_')
  })

  test('are refused where the folder of the master key is open to others', () => {
    newKey()
    chmodSync(data('keys'), 0o750)
    const { code, err } = run(folder.path, ['serve', '--port', '0'])
    expect([code, err]).toEqual([1, expect.stringContaining(`run chmod 700 ${data('keys')}`)])
  })
})

describe('the limit of open files', () => {
  const maxLengthOf = (pid: number, name: string) =>
    new RegExp(`${name} +(\\S+) +(\\S+)`).exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.slice(1)

  test('below 256 is refused in a sentence, before the data folder is touched', () => {
    const { code, err } = run(folder.path, ['serve', '--port', '0'], { shell: 'ulimit -n 64' })
    expect([code, err]).toEqual([1, expect.stringContaining('Only 64 files and connections')])
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('is raised to what the system allows', async () => {
    const running = await folder.serve({ shell: 'ulimit -Sn 64; ulimit -Hn 1024' })
    expect(maxLengthOf(running.pid, 'Max open files')).toEqual(['1024', '1024'])
    expect(maxLengthOf(running.pid, 'Max core file size')).toEqual(['0', '0'])
  })

  test('that is reached is answered 503, and the service continues when files can be opened again', async () => {
    const running = await folder.serve({ shell: 'ulimit -n 256' })
    const port = Number(new URL(running.url).port)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = {
      authorization: `Bearer ${newKey()}`,
      'content-type': 'application/json',
      'idempotency-key': 'attempt-1',
    }
    const body = JSON.stringify(await newDocument())
    /** Over one connection, which is made while files can be opened. */
    const ask = (method: string, path: string) =>
      new Promise<{ status: number | undefined; retryAfter: string | undefined; text: string }>((resolve, reject) => {
        const asked = request({ port, agent, method, path: `/api/v1${path}`, headers }, async response => {
          const text = await new Response(response as unknown as ReadableStream).text()
          resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], text })
        })
        asked.on('error', reject)
        asked.end(method === 'POST' ? body : undefined)
      })
    const create = () => ask('POST', '/documents')
    expect((await ask('GET', '/me')).status).toBe(200)
    const { pid } = running
    const openFiles = () => readdirSync(`/proc/${pid}/fd`).length
    const sockets: Socket[] = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await until('the last file', async () => (openFiles() >= 256 ? true : undefined))
    for (let i = 0; i < 3; i++) {
      const { status, retryAfter, text } = await create()
      expect([status, JSON.parse(text).error.code]).toEqual([503, expect.stringMatching(/^(overloaded|storage_unavailable)$/)])
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    for (const socket of sockets) socket.destroy()
    await until('free file descriptors', async () => (openFiles() < 200 ? true : undefined))
    expect((await create()).status).toBe(201)
    agent.destroy()
  })
})

test('a temporary folder from which nothing can be loaded is named in one sentence', () => {
  // Nobody can create files in /proc.
  const { code, err } = run(folder.path, ['serve', '--port', '0'], { env: { TMPDIR: '/proc' } })
  expect([code, err]).toEqual([1, expect.stringContaining('temporary folder (TMPDIR, now /proc)')])
  expect(err.trim().split('\n')).toHaveLength(1)
  const missing = join(folder.path, 'tmp')
  expect(run(folder.path, ['key', 'create', '--name', 'x'], { env: { TMPDIR: missing } }).code).toBe(0)
  expect(statSync(missing).mode & 0o777).toBe(0o700)
})

test('children end with a service that is killed, and the next start removes what was left of them', async () => {
  const temporary = join(folder.path, 'tmp')
  mkdirSync(temporary)
  const env = { TMPDIR: temporary }
  const left = () => readdirSync(temporary).filter(name => name.startsWith('signet-pdf-'))
  const childFolders = () => left().flatMap(name => readdirSync(join(temporary, name)))
  const running = await folder.serve({ env })
  const { pid } = running
  await until('two children', async () => (childFolders().length === 2 ? true : undefined))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  await running.end('SIGKILL')
  await until('their end', async () => (children.some(child => existsSync(`/proc/${child}`)) ? undefined : true))
  const [old = ''] = left()
  const then = new Date(Date.now() - 3_600_000)
  utimesSync(join(temporary, old), then, then)
  const next = await folder.serve({ env })
  await until('the folder of the next', async () => (left().length === 1 && left()[0] !== old ? true : undefined))
  expect(await next.end('SIGTERM')).toBe(0)
  expect(left()).toEqual([])
})

test('doctor tells what the children cannot do, in the executable with an empty environment', () => {
  newKey()
  const { out } = run(folder.path, ['doctor', '--json'])
  const findings = JSON.parse(out).findings.filter((finding: { name: string }) => finding.name === 'children')
  expect(findings).toEqual([
    {
      name: 'children',
      verdict: 'ok',
      message:
        'processes that read PDFs: no new privileges, no network, no other programs, no core dumps, ' +
        'few and bounded files, ended with the service',
    },
  ])
})
