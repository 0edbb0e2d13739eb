/** Measures dist/signet beside yardsticks in the same run. Prints; asserts nothing. Needs wrk. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName } from 'pdf-lib'
import { openRaw } from '../src/db/sqlite.ts'
import { openVisitor } from '../test/support/browser-less.ts'
import { freePort, outbox, run, type Serving, serve, until } from '../test/support/executable.ts'
import { samplePdf } from '../test/support/sample.ts'

const ROUNDS = 15
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const rows: { what: string; figure: string; goal: string }[] = []
const say = (what: string, figure: string, goal: string) => rows.push({ what, figure, goal })

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Requests a second by wrk, one thread and 32 connections. */
async function rate(url: string, headers: string[] = []): Promise<{ perSecond: number; p99: string }> {
  const args = ['-t1', '-c32', '-d5s', '--latency', ...headers.flatMap(h => ['-H', h]), url]
  const text = await new Response(Bun.spawn(['wrk', ...args], { stdout: 'pipe' }).stdout).text()
  if (/Non-2xx/.test(text)) throw new Error(`wrk met failures:\n${text}`)
  return { perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]), p99: /99% +(\S+)/.exec(text)?.[1] ?? '?' }
}

function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .filter(name => Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === pid)
    .map(Number)
}

/** A PDF of this many bytes whose weight is one incompressible stream. */
async function heavyPdf(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create()
  const stream = document.context.register(document.context.stream(randomBytes(bytes)))
  // Joining copies only what a page refers to.
  document.addPage().node.set(PDFName.of('PieceInfo'), stream)
  return new Uint8Array(await document.save())
}

const folder = mkdtempSync(join(tmpdir(), 'signet-bench-'))
const data = join(folder, 'data')
const env = { SIGNET_RATE_PER_MINUTE: '10000000', SIGNET_LOG: 'info' }
let serving: Serving = await serve(folder, { env })
const key = run(folder, ['key', 'create', '--name', 'bench']).out.trim()
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const call = async (method: string, path: string, body?: unknown) => {
  const response = await serving.fetch(`/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json()
}
const ADA = {
  email: 'ada@example.com',
  name: 'Ada',
  fields: [{ type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }],
}

async function coldStart(): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 7; i++) {
    await serving.end('SIGTERM')
    const port = await freePort()
    times.push(
      await timed(async () => {
        serving = await serve(folder, { port, env })
        await serving.fetch('/healthz')
      }),
    )
  }
  say('cold start to the first 200, existing data folder', `${median(times).toFixed(0)} ms`, '≤ 300 ms')
}

async function reads(): Promise<void> {
  const { id } = await call('POST', '/documents', { fileName: 'a.pdf', file: await samplePdf(), recipients: [ADA] })
  const port = await freePort()
  const bare = Bun.spawn([process.execPath, join(import.meta.dir, 'bench-bare.ts'), join(data, 'signet.db'), String(port)], {
    stdout: 'pipe',
  })
  await bare.stdout.getReader().read()
  const yardstick = await rate(`http://127.0.0.1:${port}/documents/${id}`)
  const own = await rate(`${serving.url}/api/v1/documents/${id}`, [`Authorization: Bearer ${key}`])
  bare.kill()
  await bare.exited
  const share = Math.round((100 * own.perSecond) / yardstick.perSecond)
  const figures = `${Math.round(own.perSecond)}/s (p99 ${own.p99}) against ${Math.round(yardstick.perSecond)}/s`
  say('authed GET /documents/{id} against a bare Elysia with one prepared read', `${share} % (${figures})`, '≥ 40 %')
}

async function sealing(): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const email = `ada${i}@example.com`
    const { id } = await call('POST', '/documents', {
      fileName: 'a.pdf',
      file: await samplePdf(),
      recipients: [{ ...ADA, email }],
    })
    await call('POST', `/documents/${id}/send`)
    const finish = await opened(email)
    const ms = await timed(async () => {
      await finish()
      while ((await call('GET', `/documents/${id}`)).status !== 'completed');
    })
    // The first one starts the child.
    if (i > 0) times.push(ms)
  }
  say('last signature to completed, one page, sealed file on disk', `${median(times).toFixed(0)} ms median`, '≤ 150 ms')
}

/** Opens the link of the latest mail to this address, ready to be finished. */
async function opened(email: string) {
  const mail = await until('the mail', async () => (await outbox(data)).find(m => m.to === email && m.text.includes('/s/')))
  const visitor = openVisitor(serving.fetch, serving.url)
  const form = await visitor.submit(await visitor.get(/http\S+?(\/s\/\S+)/.exec(mail.text)?.[1] ?? ''))
  return () => visitor.submit(form, { signature: 'Ada', consent: 'on' }, '/finish')
}

/** What reading costs while large files are sealed one after the other. */
async function besideSealing(): Promise<void> {
  const file = Buffer.from(await heavyPdf(99_000_000)).toString('base64')
  const ids: string[] = []
  const finishes: (() => Promise<unknown>)[] = []
  for (let i = 0; i < 4; i++) {
    const email = `large${i}@example.com`
    const { id } = await call('POST', '/documents', { fileName: 'a.pdf', file, recipients: [{ ...ADA, email }] })
    await call('POST', `/documents/${id}/send`)
    ids.push(id)
    finishes.push(await opened(email))
  }
  const url = `${serving.url}/api/v1/documents/${ids[0]}`
  const login = [`Authorization: Bearer ${key}`]
  const idle = await rate(url, login)
  const beside = rate(url, login)
  for (const [i, finish] of finishes.entries()) {
    await finish()
    while ((await call('GET', `/documents/${ids[i]}`)).status !== 'completed')
      await new Promise(resolve => setTimeout(resolve, 20))
  }
  const busy = await beside
  say('p99 of GET /documents/{id} while files of 100 MB are sealed, against idle', `${busy.p99} against ${idle.p99}`, '≤ 2 ×')
}

async function creation(): Promise<void> {
  const pdf = await heavyPdf(1_000_000)
  const file = Buffer.from(pdf).toString('base64')
  const raw = openRaw(join(folder, 'yardstick.db'))
  raw.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)')
  const insert = raw.prepare('INSERT INTO t (text) VALUES (?)')
  const own: number[] = []
  const yardstick: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const body = JSON.stringify({
      fileName: 'a.pdf',
      file,
      recipients: [{ ...ADA, name: `Ada ${'abcdefghijklmnopqrstuvwxyz'[i]}` }],
    })
    own.push(
      await timed(async () => {
        const response = await serving.fetch('/api/v1/documents', { method: 'POST', headers, body })
        if (response.status !== 201) throw new Error(await response.text())
      }),
    )
    yardstick.push(
      await timed(async () => {
        const bytes = Uint8Array.fromBase64(file)
        createHash('sha256').update(bytes).digest('hex')
        const handle = await open(join(folder, `yardstick-${i}`), 'wx')
        await handle.writeFile(bytes)
        await handle.sync()
        await handle.close()
        insert.run('x')
      }),
    )
  }
  raw.close()
  const figures = `${median(own).toFixed(1)} ms against ${median(yardstick).toFixed(1)} ms`
  say(
    'create from a 1 MB PDF against decode, hash, one synced write, one synced commit',
    `${(median(own) / median(yardstick)).toFixed(1)} × (${figures})`,
    '≤ 4 ×',
  )
}

/** Ten files of 10 MB as a form: received, inspected, joined, inspected again, stored. */
async function joining(): Promise<void> {
  const files = await Promise.all(Array.from({ length: 10 }, () => heavyPdf(9_900_000)))
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const body = new FormData()
    body.append('document', JSON.stringify({ recipients: [ADA] }))
    for (const [n, bytes] of files.entries()) body.append('file', new File([bytes], `${n}.pdf`))
    const authorization = headers.authorization
    times.push(
      await timed(async () => {
        const response = await serving.fetch('/api/v1/documents', { method: 'POST', headers: { authorization }, body })
        if (response.status !== 201) throw new Error(await response.text())
      }),
    )
  }
  const pids = [serving.pid, ...childrenOf(serving.pid)]
  say('10 PDFs of 10 MB joined into a draft', `${Math.round(median(times))} ms`, '≤ 10 s')
  say('its memory afterwards, and of its children', `${pids.map(residentMb).join(' MB, ')} MB`, '')
}

async function memory(): Promise<void> {
  await serving.end('SIGTERM')
  serving = await serve(folder, { env })
  await serving.fetch('/readyz')
  const fresh = residentMb(serving.pid)
  await call('POST', '/documents', { fileName: 'a.pdf', file: await samplePdf(), recipients: [ADA] })
  const children = childrenOf(serving.pid).map(residentMb)
  say(
    'idle memory of the serving process',
    `${fresh} MB after the start, ${residentMb(serving.pid)} MB after the first upload`,
    '≤ 120 MB',
  )
  say('its children, started with the first PDF', `${children.join(' MB, ')} MB`, 'each child')
}

try {
  await coldStart()
  await memory()
  await reads()
  await creation()
  await joining()
  await sealing()
  await besideSealing()
} finally {
  await serving.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
const width = (name: 'what' | 'figure') => Math.max(...rows.map(row => row[name].length))
for (const row of rows) console.log(`${row.what.padEnd(width('what'))}  ${row.figure.padEnd(width('figure'))}  ${row.goal}`)
process.exit(0)
