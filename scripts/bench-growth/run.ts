/**
 * Measures an executable with data folders of growing size, beside an earlier executable:
 * `sh scripts/bench growth [--against EXECUTABLE] [--documents 1000,100000] [--folder DIR]`.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openRaw } from '../../src/db/sqlite.ts'
import { freePort } from '../../test/support/executable.ts'
import { fill } from './fill.ts'
import { type Rate, rateOf, startService, watchStandstill } from './service.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    documents: { type: 'string', default: '1000,100000,1000000' },
    folder: { type: 'string', default: '/tmp/signet-growth' },
  },
})
const own = { name: 'this', path: resolve('dist/signet') }
const executables = values.against === undefined ? [own] : [{ name: 'against', path: resolve(values.against) }, own]
/** Over half a minute: every frequent task of the scheduler runs; a start runs the rare ones. */
const WATCHED_MS = 35_000
const IDS = 1000
const ROUNDS = 5

const DAY_MS = 86_400_000
const before = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const SEARCHES: Record<string, string> = {
  'words, rare': 'q=0000123',
  'words, none': 'q=nowhere%20to%20be%20found',
  'words, in all, with a state of none': 'q=.pdf&status=sealing',
  'two letters, none': 'q=zq',
  'words, old': `q=lovelace&createdBefore=${before(700)}`,
  'metadata, one': 'metadata[order]=A-300',
  'metadata of all, words of few': 'metadata[team]=sales&q=0000123',
  'address of half, state of few': 'email=office@example.com&status=declined',
}

function command(executable: string, folder: string, args: string[], stdin = ''): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([executable, ...args], { cwd: folder, env: {}, stdin: Buffer.from(stdin) })
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return String(stdout).trim()
}

/** A folder in the earlier executable's schema with this many documents, and a key for it. */
function filledFolder(count: number): { folder: string; key: string } {
  const folder = join(values.folder, String(count))
  const keyFile = join(folder, 'key.txt')
  if (!existsSync(keyFile)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { path } = executables[0] ?? own
    command(
      path,
      folder,
      ['admin', 'create', '--email', 'admin@example.com', '--name', 'Admin', '--password-stdin'],
      'four sound words here',
    )
    const key = command(path, folder, ['key', 'create', '--name', 'bench'])
    fill(join(folder, 'data'), count)
    writeFileSync(keyFile, key)
  }
  return { folder, key: readFileSync(keyFile, 'utf8').trim() }
}

/** A copy migrated to one executable's schema, and the time it took. Stored files are shared. */
function copyFor(name: string, executable: string, from: string): { folder: string; migrateMs: number } {
  const folder = `${from}-${name}`
  if (!existsSync(folder)) {
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    copyFileSync(join(from, 'data/signet.db'), join(folder, 'data/signet.db'))
    cpSync(join(from, 'data/keys'), join(folder, 'data/keys'), { recursive: true })
    symlinkSync(join(from, 'data/files'), join(folder, 'data/files'))
  }
  const startedMs = performance.now()
  command(executable, folder, ['migrate'])
  const migrateMs = performance.now() - startedMs
  rmSync(join(folder, 'data/backups'), { recursive: true, force: true })
  return { folder, migrateMs }
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const ms = (value: number) => (value < 100 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`)
const perSecond = ({ perSecond, p99 }: Rate) => `${Math.round(perSecond)}/s, p99 ${p99}`

/** What is measured, in the order of the table. */
type Figures = Record<string, string>

async function measure(executable: string, folder: string, key: string): Promise<Figures> {
  const figures: Figures = {}
  const service = await startService(executable, folder)
  const standstill = watchStandstill(service.url)
  await Bun.sleep(WATCHED_MS)
  figures['start to the first answer'] = ms(service.startMs)
  figures['longest standstill in the first 35 s'] = ms(await standstill())
  figures['GET of one id'] = perSecond(await rateOf(service.url, [`/api/v1/documents/${idsOf(folder)[0]}`], key))
  Object.assign(figures, await besideWriter(service.url, folder, key))
  figures['list of 50'] = perSecond(await rateOf(service.url, ['/api/v1/documents?limit=50'], key))
  Object.assign(figures, await searches(service.url, key))
  await service.stop()
  return figures
}

function idsOf(folder: string): string[] {
  const raw = openRaw(join(folder, 'data/signet.db'), { reader: true })
  const ids = raw.prepare(`SELECT id FROM documents ORDER BY id DESC LIMIT ${IDS}`).pluck().all() as string[]
  raw.close()
  return ids
}

/** Reads 1,000 documents while another process changes them; the same with the bare server. */
async function besideWriter(url: string, folder: string, key: string): Promise<Figures> {
  const ids = idsOf(folder)
  const database = join(folder, 'data/signet.db')
  const port = await freePort()
  const bare = Bun.spawn([process.execPath, join(import.meta.dir, '../bench-bare.ts'), database, String(port)], {
    stdout: 'pipe',
  })
  await bare.stdout.getReader().read()
  const writer = Bun.spawn([process.execPath, join(import.meta.dir, 'writer.ts'), database, ...ids])
  const yardstick = await rateOf(
    `http://127.0.0.1:${port}`,
    ids.map(id => `/documents/${id}`),
    key,
  )
  const measured = await rateOf(
    url,
    ids.map(id => `/api/v1/documents/${id}`),
    key,
  )
  for (const child of [writer, bare]) {
    child.kill()
    await child.exited
  }
  const share = Math.round((100 * measured.perSecond) / yardstick.perSecond)
  return {
    'GET of 1,000 ids in turn beside a writer, of a bare server': `${share} % (${perSecond(measured)}, bare ${Math.round(yardstick.perSecond)}/s)`,
  }
}

async function searches(url: string, key: string): Promise<Figures> {
  const figures: Figures = {}
  for (const [name, query] of Object.entries(SEARCHES)) {
    const times: number[] = []
    const standstill = watchStandstill(url)
    for (let i = 0; i < ROUNDS; i++) {
      const startedMs = performance.now()
      const response = await fetch(`${url}/api/v1/documents?${query}`, { headers: { authorization: `Bearer ${key}` } })
      if (!response.ok) throw new Error(`${query}: ${await response.text()}`)
      await response.text()
      times.push(performance.now() - startedMs)
    }
    figures[`search: ${name}`] = `${ms(median(times))}, others waited ${ms(await standstill())}`
  }
  return figures
}

for (const count of values.documents.split(',').map(Number)) {
  const { folder, key } = filledFolder(count)
  const columns: Figures[] = []
  for (const { name, path } of executables) {
    const copy = copyFor(name, path, folder)
    columns.push({ 'bringing the schema up to date': ms(copy.migrateMs), ...(await measure(path, copy.folder, key)) })
  }
  console.log(`\n${count.toLocaleString('en')} documents: ${executables.map(({ name }) => name).join(' → ')}`)
  for (const what of Object.keys(columns[0] ?? {})) {
    console.log(`  ${what.padEnd(58)} ${columns.map(figures => figures[what]).join('  →  ')}`)
  }
}
process.exit(0)
