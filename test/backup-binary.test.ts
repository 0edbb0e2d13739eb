/** Backup and restore by the executable: while it serves, killed, on a full disk. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyLinks } from '../src/core/document/audit-chain.ts'
import { sha256Hex } from '../src/lib/sha256.ts'
import { contentOf, IDENTITY, recipient } from './support/backup-file.ts'
import { openVisitor, textOf } from './support/browser-less.ts'
import { BINARY, demandBinary, emptyFolder, outbox, run, type Serving, serve, until } from './support/executable.ts'
import { times } from './support/long.ts'
import { ADMIN, client, send } from './support/people.ts'
import { ADA, SIGNATURE } from './support/sample.ts'

const DOCUMENTS = times(40, 200)
/** Visitors that sign at once. */
const SIGNERS = 4
const KILLS = times(6, 12)

let folder: ReturnType<typeof emptyFolder>
let running: Serving | undefined
beforeAll(demandBinary)
beforeEach(async () => {
  folder = emptyFolder()
  await Bun.write(join(folder.path, 'identity.txt'), `# a test\n${IDENTITY}\n`)
})
afterEach(async () => {
  await running?.end('SIGKILL')
  running = undefined
  folder.remove()
})

const at = (name: string) => join(folder.path, name)
const restore = (...args: string[]) => run(folder.path, ['restore', 'one.age', '--identity', 'identity.txt', ...args])

async function backup(name = 'one.age') {
  const child = Bun.spawn([BINARY, 'backup', name, '--recipient', await recipient()], {
    cwd: folder.path,
    env: {},
    stderr: 'pipe',
    stdout: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { code: child.exitCode, out, err }
}

/** Documents with one signer each, sent. Returns the paths of their links. */
async function sendDocuments(serving: Serving, count: number): Promise<string[]> {
  const api = client(serving.url, run(folder.path, ['key', 'create', '--name', 'test']).out.trim())
  for (let i = 0; i < count; i++) await send(api, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  return until('the mails', async () => {
    const mails = await outbox(at('data'))
    const links = mails.flatMap(({ text }) => /http\S+?(\/s\/\S+)/.exec(text)?.[1] ?? [])
    return links.length === count ? links : undefined
  })
}

async function signAll(serving: Serving, links: readonly string[], signed: (count: number) => void): Promise<void> {
  const waiting = [...links]
  let count = 0
  const signer = async () => {
    for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
      const visitor = openVisitor(serving.fetch, serving.url)
      const form = await visitor.submit(await visitor.get(link))
      await visitor.submit(form, { signature: ADA.name, consent: 'on' }, '/finish')
      signed(++count)
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, signer))
}

/** What a folder that nothing serves holds, checked past the program. */
function examine(data: string) {
  const database = new Database(join(data, 'signet.db'), { readonly: true })
  try {
    const events = database.query<{ sequence: number; entry: string; hash: string }, []>('SELECT * FROM events ORDER BY sequence')
    const chain = verifyLinks('0'.repeat(64), events.all())
    const files = database.query<{ sha256: string }, []>('SELECT sha256 FROM files').all()
    const wrong = files.filter(({ sha256 }) => sha256Hex(readFileSync(join(data, 'files', `${sha256}.pdf`))) !== sha256)
    const statuses = database.query<{ status: string; n: number }, []>(
      'SELECT status, count(*) AS n FROM documents GROUP BY status',
    )
    const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0
    return {
      chain,
      wrong,
      documents: statuses.all().reduce((sum, { n }) => sum + n, 0),
      signed: count("SELECT count(*) AS n FROM recipients WHERE status = 'signed'"),
      signedEvents: count("SELECT count(*) AS n FROM events WHERE type = 'recipient.signed'"),
      sealedTwice: count(
        "SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE type = 'document.completed' GROUP BY document_id HAVING count(*) > 1)",
      ),
    }
  } finally {
    database.close()
  }
}

describe('the executable', () => {
  test(`backs up while ${DOCUMENTS} documents are being signed, and the copy is whole`, async () => {
    running = await serve(folder.path, { env: { SIGNET_RATE_PER_MINUTE: '1000000' } })
    const links = await sendDocuments(running, DOCUMENTS)
    let making: ReturnType<typeof backup> | undefined
    await signAll(running, links, count => {
      if (count === DOCUMENTS / 4) making = backup()
    })
    const made = await making
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(await running.end('SIGTERM')).toBe(0)
    running = undefined
    expect(restore('--data', 'elsewhere')).toMatchObject({ code: 0 })
    const found = examine(at('elsewhere'))
    expect(found.chain).toHaveProperty('head')
    expect(found).toMatchObject({ wrong: [], documents: DOCUMENTS, sealedTwice: 0 })
    // The backup was taken while they signed: some had, some had not.
    expect(found.signed).toBeGreaterThanOrEqual(DOCUMENTS / 4)
    expect(found.signed).toBe(found.signedEvents)
    const doctor = run(folder.path, ['doctor', '--data', 'elsewhere', '--json'])
    expect(JSON.parse(doctor.out).findings.filter((finding: { verdict: string }) => finding.verdict === 'error')).toEqual([])
  }, 400_000)

  test('makes a backup in a process of its own when an administrator asks for one', async () => {
    running = await serve(folder.path)
    const created = ['admin', 'create', '--email', ADMIN.email, '--name', ADMIN.name, '--password-stdin']
    expect(run(folder.path, created, { stdin: ADMIN.password }).code).toBe(0)
    mkdirSync(at('kept'))
    const visitor = openVisitor(running.fetch, running.url)
    await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
    const page = '/settings/backups'
    const plan = { place: 'folder', folder: at('kept'), encryption: 'recipients', recipients: await recipient() }
    await visitor.submit(await visitor.get(page), plan, page)
    await visitor.submit(await visitor.get(page), {}, `${page}/run`)
    await until('the result', async () => (textOf(await visitor.get(page)).includes('Checked') ? true : undefined))
    const [name = ''] = readdirSync(at('kept'))
    expect(name).toMatch(/^signet-test-\w{6}-\d{8}T\d{6}Z\.age$/)
    const restored = run(folder.path, ['restore', `kept/${name}`, '--identity', 'identity.txt', '--data', 'elsewhere'])
    expect(restored.code).toBe(0)
  }, 60_000)

  test('killed at any moment of a restore, the old or the new folder is whole, and the command goes on', async () => {
    run(folder.path, ['key', 'create', '--name', 'in the backup'])
    expect(await backup()).toMatchObject({ code: 0 })
    const begunMs = performance.now()
    expect(restore('--data', 'other')).toMatchObject({ code: 0 })
    const wholeMs = performance.now() - begunMs
    run(folder.path, ['key', 'create', '--name', 'since'])
    for (let i = 0; i < KILLS; i++) {
      const child = Bun.spawn([BINARY, 'restore', 'one.age', '--identity', 'identity.txt'], { cwd: folder.path, env: {} })
      const timer = setTimeout(() => child.kill('SIGKILL'), (wholeMs * (i + 1)) / KILLS)
      await child.exited
      clearTimeout(timer)
      const folders = readdirSync(folder.path).filter(name => name.startsWith('data'))
      const whole = folders.filter(name => existsSync(at(`${name}/signet.db`)) && !name.endsWith('.restoring'))
      for (const name of whole) expect(examine(at(name)).chain).toHaveProperty('head')
      expect(whole.length).toBeGreaterThan(0)
    }
    expect(restore()).toMatchObject({ code: 0 })
    expect(existsSync(at('data.restoring'))).toBe(false)
    expect(keyNames(at('data'))).toEqual(['in the backup'])
  }, 120_000)

  test('says in a sentence that the disk is full, wherever that happens, and changes nothing', async () => {
    run(folder.path, ['key', 'create', '--name', 'one'])
    expect(await backup()).toMatchObject({ code: 0 })
    if (Bun.which('strace') === null) return console.log('strace is not here: no disk is full.')
    const before = contentOf(at('data'))
    // Each thread counts its own calls: SQLite's and those to make folders are of the first one.
    const full = (call: string, from: number, command: string[], ...only: string[]) => {
      const inject = [`trace=${call}`, '-e', `inject=${call}:error=ENOSPC:when=${from}+`, ...only]
      const { exitCode, stderr } = Bun.spawnSync(['strace', '-f', '-o', at('trace'), '-e', ...inject, BINARY, ...command], {
        cwd: folder.path,
        env: {},
      })
      return { code: exitCode, err: String(stderr) }
    }
    const command = ['restore', 'one.age', '--identity', 'identity.txt']
    const nothingIsLeft = () => expect(readdirSync(folder.path).sort()).toEqual(['data', 'identity.txt', 'one.age', 'trace'])
    const moments: [string, number][] = [
      ['pwrite64', 1],
      ['pwrite64', 6],
      ['mkdir', 2],
      ['fsync', 1],
      ['rename', 1],
    ]
    for (const [call, from] of moments) {
      const { code, err } = full(call, from, command)
      expect([call, code]).toEqual([call, 1])
      expect(err).toContain('is full: free space, or restore to another disk with --data. Nothing was changed.')
      expect(withoutLock(contentOf(at('data')))).toEqual(withoutLock(before))
      nothingIsLeft()
    }
    const failed = full('pwrite64', 6, ['backup', 'two.age', '--recipient', await recipient()])
    expect(failed.code).toBe(1)
    expect(failed.err).toContain('full')
    nothingIsLeft()
    // When the former folder is aside already, the same command goes on.
    const late = full('rename', 1, command, '-P', at('data.restoring'))
    expect(late.err).toContain('run the same command again, which puts it in place')
    expect(restore()).toMatchObject({ code: 0 })
    expect(keyNames(at('data'))).toEqual(['one'])
  }, 60_000)

  test('refuses a folder that is in use, and one of a newer schema with exit code 3', async () => {
    running = await serve(folder.path)
    expect(await backup()).toMatchObject({ code: 0 })
    expect(restore().err).toContain('is in use by signet serve')
    await running.end('SIGTERM')
    running = undefined
    const database = new Database(at('data/signet.db'))
    database.run('PRAGMA user_version = 9999')
    // As after a power failure: the newer schema is in the log of the database alone.
    cpSync(at('data'), at('newer'), { recursive: true })
    database.close()
    const before = contentOf(at('newer'))
    expect(Object.keys(before ?? {})).toEqual(expect.arrayContaining(['signet.db', 'signet.db-shm', 'signet.db-wal']))
    const verbs = [
      ['backup', 'two.age', '--recipient', await recipient()],
      ['serve'],
      ['doctor'],
      ['migrate'],
      ['key', 'create', '--name', 'x'],
      ['audit', 'verify'],
    ]
    for (const verb of verbs) {
      const { code, err } = run(folder.path, [...verb, '--data', 'newer'])
      expect([verb[0], code]).toEqual([verb[0], 3])
      expect(err).toContain('schema 9999')
    }
    expect(withoutLock(contentOf(at('newer')))).toEqual(withoutLock(before))
  }, 60_000)
})

/** The lock names its last holder. */
function withoutLock(content: Record<string, string> | undefined) {
  return Object.fromEntries(Object.entries(content ?? {}).filter(([name]) => !/^signet\.(holder|lock)/.test(name)))
}

function keyNames(data: string): string[] {
  const database = new Database(join(data, 'signet.db'), { readonly: true })
  const names = database.query<{ name: string }, []>('SELECT name FROM api_keys').all()
  database.close()
  return names.map(({ name }) => name)
}
