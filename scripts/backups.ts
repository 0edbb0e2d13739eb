/**
 * Backs up documents while they are served and changed, and restores them elsewhere; compares every
 * file and audit entry past the program. Prints times and memory: `backups [COUNT]`.
 */
import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyLinks } from '../src/core/document/audit-chain.ts'
import { sha256Hex } from '../src/lib/sha256.ts'
import { IDENTITY, recipient } from '../test/support/backup-file.ts'
import { BINARY, run, type Serving, serve } from '../test/support/executable.ts'
import { client } from '../test/support/people.ts'
import { ADA, samplePdf } from '../test/support/sample.ts'
import { fillFolder } from './cluster/filled-folder.ts'

const count = Number(process.argv[2] ?? 10_000)
/** A tenth of them is measured first: what grows with their number is seen in both. */
const SIZES = [Math.ceil(count / 10), count]
const MAX_SEALED = 300
const MAX_GROWTH_MB = 40
const PAUSE_MS = 50
const WATCH_MS = 10

let isBroken = false
function check(what: string, isTrue: boolean, found: unknown): void {
  console.log(`${isTrue ? 'ok     ' : 'BROKEN '} ${what}: ${found}`)
  isBroken ||= !isTrue
}

interface Measured {
  seconds: number
  /** Resident, at most. */
  megabytes: number
}

async function measure(cwd: string, args: string[]): Promise<Measured> {
  const begunMs = performance.now()
  const child = Bun.spawn([BINARY, ...args], { cwd, env: {}, stdout: 'ignore', stderr: 'pipe' })
  let kilobytes = 0
  const watch = setInterval(() => {
    kilobytes = Math.max(kilobytes, peakOf(child.pid))
  }, WATCH_MS)
  const err = await new Response(child.stderr).text()
  clearInterval(watch)
  if ((await child.exited) !== 0) throw new Error(`signet ${args[0]}: ${err}`)
  return { seconds: (performance.now() - begunMs) / 1000, megabytes: Math.round(kilobytes / 1000) }
}

/** `resourceUsage()` counts the memory of this process, too, from before the child's exec. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has ended.
    return 0
  }
}

/** Creates documents until `ended`. Returns how long each took. */
async function create(serving: Serving, cwd: string, ended: Promise<unknown>): Promise<number[]> {
  const api = client(serving.url, run(cwd, ['key', 'create', '--name', 'meanwhile']).out.trim())
  const file = await samplePdf()
  let isOver = false
  void ended.finally(() => {
    isOver = true
  })
  const waits: number[] = []
  for (let i = 0; !isOver; i++) {
    const begunMs = performance.now()
    await api('POST', '/documents', { title: `Meanwhile ${i}`, fileName: 'a.pdf', file, recipients: [ADA] })
    waits.push(performance.now() - begunMs)
    await Bun.sleep(PAUSE_MS)
  }
  return waits.sort((a, b) => a - b)
}

interface Entry {
  sequence: number
  entry: string
  hash: string
}

function rowsOf<T>(data: string, sql: string): T[] {
  const database = new Database(join(data, 'signet.db'), { readonly: true })
  const rows = database.query(sql).all() as T[]
  database.close()
  return rows
}

function compare(restored: string, original: string): void {
  const entries = (data: string) => rowsOf<Entry>(data, 'SELECT sequence, entry, hash FROM events ORDER BY sequence')
  const [copied, now] = [entries(restored), entries(original)]
  const chain = verifyLinks('0'.repeat(64), copied)
  check('the audit chain is whole', 'head' in chain, `${copied.length} entries`)
  // The last entry is that of the restore.
  const other = copied.slice(0, -1).filter(({ hash }, i) => hash !== now[i]?.hash)
  check('its entries are those of the original', other.length === 0, `${other.length} others`)
  const files = rowsOf<{ sha256: string }>(restored, 'SELECT sha256 FROM files').map(({ sha256 }) => sha256)
  const wrong = files.filter(sha256 => sha256Hex(readFileSync(join(restored, 'files', `${sha256}.pdf`))) !== sha256)
  check('each file has its hash', wrong.length === 0, `${files.length} files`)
  const stored = readdirSync(join(restored, 'files')).filter(name => name.endsWith('.pdf'))
  check('there is no other file', stored.length === files.length, `${stored.length} in the folder`)
  const ids = (data: string) => rowsOf<{ id: string }>(data, 'SELECT id FROM documents').map(({ id }) => id)
  const known = new Set(ids(original))
  const documents = ids(restored)
  check('each document is there', documents.length >= count && documents.every(id => known.has(id)), `${documents.length}`)
}

async function trial(cwd: string, documents: number): Promise<{ backup: Measured; restore: Measured }> {
  mkdirSync(cwd)
  const data = join(cwd, 'data')
  await Bun.write(join(cwd, 'identity.txt'), `${IDENTITY}\n`)
  await fillFolder({ folder: data, documents, sealed: Math.min(MAX_SEALED, documents) })
  const serving = await serve(cwd)
  const making = measure(cwd, ['backup', 'one.age', '--recipient', await recipient()])
  const waits = await create(serving, cwd, making)
  const backup = await making
  await serving.end('SIGTERM')
  const restore = await measure(cwd, ['restore', 'one.age', '--identity', 'identity.txt', '--data', join(cwd, 'elsewhere')])
  const figures = ({ seconds, megabytes }: Measured) => `${seconds.toFixed(1)} s, ${megabytes} MB of memory at most`
  const megabytes = (statSync(join(cwd, 'one.age')).size / 1e6).toFixed(1)
  console.log(`         ${documents} documents, a backup of ${megabytes} MB`)
  console.log(`         backup: ${figures(backup)}; restore: ${figures(restore)}`)
  const at = (part: number) => Math.round(waits[Math.floor(part * (waits.length - 1))] ?? 0)
  console.log(`         meanwhile ${waits.length} creations took ${at(0.5)} ms (median), at most ${at(1)} ms`)
  return { backup, restore }
}

const folder = mkdtempSync(join(tmpdir(), 'signet-backups-'))
try {
  const measured = []
  for (const [i, size] of SIZES.entries()) measured.push(await trial(join(folder, String(i)), size))
  const [few, many] = measured
  for (const verb of ['backup', 'restore'] as const) {
    const growth = (many?.[verb].megabytes ?? 0) - (few?.[verb].megabytes ?? 0)
    check(`memory of a ${verb} does not grow with the documents`, growth <= MAX_GROWTH_MB, `${growth} MB more`)
  }
  compare(join(folder, '1/elsewhere'), join(folder, '1/data'))
  const doctor = run(join(folder, '1'), ['doctor', '--data', 'elsewhere', '--json'])
  const errors = JSON.parse(doctor.out).findings.filter((finding: { verdict: string }) => finding.verdict === 'error')
  check('signet doctor finds no error', errors.length === 0, errors.length)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isBroken ? 1 : 0)
