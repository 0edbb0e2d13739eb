/** Measures an earlier executable beside dist/signet, in turn. Asserts nothing. Needs wrk. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { openVisitor } from '../test/support/browser-less.ts'
import { BINARY, outbox, run, type Serving, serve, until } from '../test/support/executable.ts'
import { samplePdf } from '../test/support/sample.ts'

const [earlier] = process.argv.slice(2)
if (earlier === undefined) throw new Error('usage: sh scripts/bench against EXECUTABLE')

const ROUNDS = 25
const STARTS = 9
const RATES = 5
const ENV = { SIGNET_RATE_PER_MINUTE: '10000000' }
const FIELD = { type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** One of the two executables, with a data folder of its own. */
class Side {
  readonly #executable: string
  readonly #folder: string
  #serving: Serving | undefined
  #key = ''

  constructor(executable: string, folder: string) {
    this.#executable = executable
    this.#folder = folder
    mkdirSync(folder)
  }

  get serving(): Serving {
    if (this.#serving === undefined) throw new Error('not started')
    return this.#serving
  }

  async start(): Promise<void> {
    this.#serving = await serve(this.#folder, { env: ENV, executable: this.#executable })
    await this.serving.fetch('/healthz')
  }

  async stop(): Promise<void> {
    await this.#serving?.end('SIGTERM')
    this.#serving = undefined
  }

  createKey(): void {
    this.#key = run(this.#folder, ['key', 'create', '--name', 'bench'], { executable: this.#executable }).out.trim()
  }

  get authorization(): string {
    return `Bearer ${this.#key}`
  }

  async call(method: string, path: string, body?: unknown) {
    const response = await this.serving.fetch(`/api/v1${path}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }

  create(file: string, email: string) {
    return this.call('POST', '/documents', { fileName: 'a.pdf', file, recipients: [{ email, name: 'Ada', fields: [FIELD] }] })
  }

  /** The link of the mail to this address, opened and ready to be finished. */
  async opened(email: string): Promise<() => Promise<unknown>> {
    const find = async () => (await outbox(join(this.#folder, 'data'))).find(m => m.to === email && m.text.includes('/s/'))
    const mail = await until('the mail', find)
    const visitor = openVisitor(this.serving.fetch, this.serving.url)
    const form = await visitor.submit(await visitor.get(/http\S+?(\/s\/\S+)/.exec(mail.text)?.[1] ?? ''))
    return () => visitor.submit(form, { signature: 'Ada', consent: 'on' }, '/finish')
  }

  memoryMb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.serving.pid}/status`, 'utf8'))?.[1]) / 1024
  }

  async rate(path: string): Promise<number> {
    const args = ['-t1', '-c32', '-d3s', '-H', `Authorization: ${this.authorization}`, this.serving.url + path]
    const text = await new Response(Bun.spawn(['wrk', ...args], { stdout: 'pipe' }).stdout).text()
    if (/Non-2xx/.test(text)) throw new Error(`wrk met failures:\n${text}`)
    return Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1])
  }
}

const root = mkdtempSync(join(tmpdir(), 'signet-against-'))
const sides = [new Side(resolve(earlier), join(root, 'earlier')), new Side(BINARY, join(root, 'this'))] as const
const rows: string[][] = []

/** Each side in turn; which one begins changes from round to round. */
async function compare(what: string, unit: string, rounds: number, measure: (side: Side, round: number) => Promise<number>) {
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) found[i].push(await measure(sides[i], round))
  const [before, now] = found.map(median) as [number, number]
  const shown = (value: number) => `${value >= 1000 ? Math.round(value) : value.toFixed(1)} ${unit}`
  rows.push([what, shown(before), shown(now), `${(now / before).toFixed(2)} ×`])
}

async function heavyPdf(bytes: number): Promise<string> {
  const document = await PDFDocument.create()
  document.addPage()
  document.context.register(document.context.stream(randomBytes(bytes)))
  return Buffer.from(await document.save()).toString('base64')
}

try {
  for (const side of sides) {
    await side.start()
    side.createKey()
  }
  await compare('cold start to the first 200, existing data folder', 'ms', STARTS, async side => {
    await side.stop()
    return timed(() => side.start())
  })
  await compare('memory after the start', 'MB', 1, async side => side.memoryMb())
  const sample = await samplePdf()
  const ids = new Map<Side, string>()
  for (const side of sides) for (let i = 0; i < 100; i++) ids.set(side, (await side.create(sample, `list${i}@example.com`)).id)
  await compare('GET /documents/{id} a second', '', RATES, side => side.rate(`/api/v1/documents/${ids.get(side)}`))
  await compare('GET /documents (50 of 100) a second', '', RATES, side => side.rate('/api/v1/documents?limit=50'))
  const heavy = await Promise.all(Array.from({ length: ROUNDS }, () => heavyPdf(1_000_000)))
  await compare('create from a PDF of 1 MB', 'ms', ROUNDS, (side, i) =>
    timed(() => side.create(heavy[i] ?? '', `heavy${i}@example.com`)),
  )
  await compare('create from a PDF of one page', 'ms', ROUNDS, (side, i) =>
    timed(() => side.create(sample, `small${i}@example.com`)),
  )
  await compare('last signature to completed', 'ms', ROUNDS, async (side, i) => {
    const email = `signer${i}@example.com`
    const { id } = await side.create(sample, email)
    await side.call('POST', `/documents/${id}/send`)
    const finish = await side.opened(email)
    return timed(async () => {
      await finish()
      while ((await side.call('GET', `/documents/${id}`)).status !== 'completed');
    })
  })
  await compare('memory afterwards', 'MB', 1, async side => side.memoryMb())
} finally {
  for (const side of sides) await side.stop()
  rmSync(root, { recursive: true, force: true })
}
const table = [['', 'earlier', 'this', 'ratio'], ...rows]
for (const row of table) console.log(row.map((cell, i) => cell.padEnd(Math.max(...table.map(r => r[i]?.length ?? 0)))).join('  '))
process.exit(0)
