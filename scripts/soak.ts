/**
 * The executable under an even load: documents are sent, signed, sealed, delivered and read. Prints
 * one row of figures a minute; exits 1 if anything fails or memory still grows at the end.
 */
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formsOf, openVisitor, type Page, type Visitor } from '../test/support/browser-less.ts'
import { demandBinary, emptyFolder, run, type Serving, serve } from '../test/support/executable.ts'
import { SIGNATURE, samplePdf } from '../test/support/sample.ts'
import { MailSink, WebhookSink } from './cluster/sinks.ts'
import { openCollector } from './soak-collector.ts'

const MINUTE_MS = 60_000
const READ_EVERY_MS = 5_000
const STORY_LIMIT_MS = 60_000
const PAGES = 5
/**
 * Growth of the floor for each document, over the last third of a run, that counts as flat: kB. At
 * ten documents a minute it is 6 MB an hour.
 */
const FLAT_KB_A_DOCUMENT = 10
const FLOOR_MINUTES = 5
/** The floor rises and falls by some MB: fewer documents would say nothing. */
const MIN_DOCUMENTS_TO_JUDGE = 3000
const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'a-minute': { type: 'string', default: '60' },
    out: { type: 'string' },
    executable: { type: 'string' },
  },
})
const minutes = Number(given.minutes)
const documentsAMinute = Number(given['a-minute'])

function print(line: string): void {
  console.log(line)
  if (given.out !== undefined) appendFileSync(given.out, `${line}\n`)
}

const errors = new Map<string, number>()
function failed(what: string, error: unknown): void {
  const text = `${what}: ${error instanceof Error ? error.message : error}`
  errors.set(text, (errors.get(text) ?? 0) + 1)
}

interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route
  call(method: string, path: string, body?: unknown): Promise<any>
  bytes(path: string): Promise<number>
}

function openApi({ fetch }: Serving, key: string): Api {
  const authorization = `Bearer ${key}`
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new Error(`${method} ${path.replace(/\/\w+_\w+/g, '/…')} answered ${response.status} ${await response.text()}`)
  }
  return {
    call: async (method, path, body) => (await ask(method, path, body)).json(),
    bytes: async path => (await (await ask('GET', path)).bytes()).length,
  }
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + STORY_LIMIT_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${STORY_LIMIT_MS} ms`)
    await Bun.sleep(200)
  }
}

/** The addresses of PDFs in a page, as its script would fetch them. */
const filesOf = ({ html }: Page) => [...html.matchAll(/data-(?:file|pdf|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)

async function sign(serving: Serving, mails: MailSink, email: string, address: string): Promise<void> {
  const link = await until(`a mail to a signer`, () => mails.linkTo(email))
  const visitor = openVisitor((path, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', address)
    return serving.fetch(path, { ...init, headers })
  }, serving.url)
  const form = await visitor.submit(await visitor.get(link))
  for (const path of filesOf(form)) await visitor.get(path)
  const done = await visitor.submit(form, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  if (done.status !== 200 || formsOf(done.html).some(({ action }) => action.endsWith('/finish')))
    throw new Error(`signing answered ${done.status}`)
}

let completed = 0
let slowestSealMs = 0

interface Load {
  serving: Serving
  api: Api
  mails: MailSink
  person: Visitor
}

/**
 * From the upload to the evidence, as a program, two signers and a person in the web app see it.
 */
async function story({ serving, api, mails, person }: Load, n: number): Promise<void> {
  const emails = [`ada-${n}@example.com`, `bob-${n}@example.com`]
  const recipients = emails.map((email, i) => ({ email, name: `Signer ${i}`, fields: [{ ...SIGNATURE, x: 10 + 45 * i }] }))
  const body = { title: `Agreement ${n}`, fileName: 'agreement.pdf', file: await samplePdf(PAGES), recipients, send: true }
  const { id } = await api.call('POST', '/documents', body)
  await Promise.all(emails.map((email, i) => sign(serving, mails, email, `10.${i}.${(n >> 8) & 255}.${n & 255}`)))
  const signedMs = performance.now()
  await until('a seal', async () => ((await api.call('GET', `/documents/${id}`)).status === 'completed' ? true : undefined))
  slowestSealMs = Math.max(slowestSealMs, performance.now() - signedMs)
  for (const path of ['evidence', 'file', 'audit']) await api.bytes(`/documents/${id}/${path}`)
  for (const path of [`/documents/${id}`, `/documents/${id}/file`, `/documents/${id}/evidence`]) {
    const { status } = await person.get(path)
    if (status !== 200) throw new Error(`${path.replace(id, '…')} answered ${status}`)
  }
  completed++
}

/** Follows the list and the feed as a program does, and opens the list as a person does. */
async function follow({ api, person }: Load, isOver: () => boolean): Promise<void> {
  let cursor = ''
  let since = new Date(0).toISOString()
  while (!isOver()) {
    try {
      const feed = await api.call('GET', `/events?limit=100${cursor && `&cursor=${cursor}`}`)
      cursor = feed.data.at(-1)?.id ?? cursor
      const list = await api.call('GET', `/documents?limit=50&updatedAfter=${since}`)
      since = list.data[0]?.updatedAt ?? since
      const { status } = await person.get('/documents')
      if (status !== 200) throw new Error(`/documents answered ${status}`)
    } catch (error) {
      failed('following', error)
    }
    await Bun.sleep(READ_EVERY_MS)
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10
const kilobytesOf = (status: string, name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0)

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number) => readProc(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
const residentMb = (pid: number) => megabytes(kilobytesOf(readProc(pid, 'status'), 'VmRSS') * 1024)
/** The mapping of `brk`. https://man7.org/linux/man-pages/man5/proc_pid_smaps.5.html */
const cHeapMb = (pid: number) => {
  const [, mapping = ''] = readProc(pid, 'smaps').split(' [heap]\n')
  return megabytes(kilobytesOf(mapping, 'Rss') * 1024)
}
const sizeMb = (path: string) => megabytes(statSync(path, { throwIfNoEntry: false })?.size ?? 0)

const COLUMNS = [
  'minute',
  'parent MB',
  'anonymous MB',
  'peak MB',
  'JavaScript heap MB',
  'C heap MB',
  'children MB',
  'children',
  'open files',
  'threads',
  'database MB',
  'WAL MB',
  'completed',
  'deliveries',
  'slowest seal s',
  'errors',
]

async function figures({ serving }: Load, data: string, webhooks: WebhookSink, minute: number): Promise<number[]> {
  const { pid } = serving
  const status = readProc(pid, 'status')
  const metrics = await (await serving.fetch('/metrics')).text()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  const children = childrenOf(pid)
  return [
    minute,
    megabytes(metric('process_resident_memory_bytes')),
    megabytes(kilobytesOf(status, 'RssAnon') * 1024),
    megabytes(kilobytesOf(status, 'VmHWM') * 1024),
    megabytes(metric('signet_javascript_heap_bytes')),
    cHeapMb(pid),
    Math.round(children.reduce((sum, child) => sum + residentMb(child), 0)),
    children.length,
    readdirSync(`/proc/${pid}/fd`).length,
    Number(/Threads:\s+(\d+)/.exec(status)?.[1] ?? 0),
    sizeMb(join(data, 'signet.db')),
    sizeMb(join(data, 'signet.db-wal')),
    completed,
    webhooks.events.length,
    Math.round(slowestSealMs / 100) / 10,
    [...errors.values()].reduce((sum, count) => sum + count, 0),
  ]
}

/**
 * The smallest value of each few minutes, the last of which follows a full collection: between two
 * of the runtime's own the heap grows and shrinks by more than what is looked for.
 */
function floorsOf(values: number[]): number[] {
  const count = Math.floor(values.length / FLOOR_MINUTES)
  return Array.from({ length: count }, (_, i) => Math.min(...values.slice(i * FLOOR_MINUTES, (i + 1) * FLOOR_MINUTES)))
}

/** Slope of a line through the values, in their steps, by least squares. */
function slope(values: number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [over, under] = values.reduce<[number, number]>(
    ([a, b], value, i) => [a + (i - middle) * (value - mean), b + (i - middle) ** 2],
    [0, 0],
  )
  return over / under
}

/** Of the floor over the last third, in kB for each document. */
function printGrowth(parents: number[]): number {
  const last = floorsOf(parents.slice(Math.floor((2 * parents.length) / 3)))
  const growth = (1000 * slope(last)) / (FLOOR_MINUTES * documentsAMinute)
  print(`Growth of the parent's floor over the last third (${last.join(', ')} MB): ${growth.toFixed(1)} kB a document.`)
  return growth
}

async function soak(load: Load, data: string, webhooks: WebhookSink): Promise<number[]> {
  const startMs = performance.now()
  const endMs = startMs + minutes * MINUTE_MS
  const isOver = () => performance.now() >= endMs
  const running = new Set<Promise<void>>()
  const following = follow(load, isOver)
  const parents: number[] = []
  let n = 0
  let minute = 0
  const everyMs = MINUTE_MS / documentsAMinute
  while (!isOver()) {
    const one: Promise<void> = story(load, n)
      .catch(error => failed('a document', error))
      .finally(() => running.delete(one))
    running.add(one)
    n++
    await Bun.sleep(Math.max(0, startMs + n * everyMs - performance.now()))
    if (performance.now() - startMs < (minute + 1) * MINUTE_MS) continue
    minute++
    if (minute % FLOOR_MINUTES === 0) await collector.collect()
    const row = await figures(load, data, webhooks, minute)
    parents.push(row[1] ?? 0)
    print(`| ${row.join(' | ')} |`)
  }
  await Promise.all([...running, following])
  return parents
}

demandBinary()
const folder = emptyFolder()
const data = join(folder.path, 'data')
const mails = await MailSink.open()
const webhooks = await WebhookSink.open()
run(folder.path, ['admin', 'create', '--email', ADMIN.email, '--name', ADMIN.name, '--password-stdin'], { stdin: ADMIN.password })
const key = run(folder.path, ['key', 'create', '--name', 'soak']).out.trim()
const collector = openCollector()
const serving = await serve(folder.path, {
  env: {
    ...collector.env,
    SIGNET_SMTP_URL: mails.url,
    SIGNET_MAIL_FROM: 'sign@example.com',
    SIGNET_TRUST_PROXY: '127.0.0.0/8',
    SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8',
    SIGNET_RATE_PER_MINUTE: '100000',
  },
  ...(given.executable === undefined ? {} : { executable: given.executable }),
})
try {
  const api = openApi(serving, key)
  const person = openVisitor(serving.fetch, serving.url)
  await person.submit(await person.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password }, '/sign-in')
  const hook = await api.call('POST', '/webhooks', { url: webhooks.url, events: ['*'] })
  webhooks.trust(hook.secret)
  const stream = await serving.fetch('/documents/live', {
    headers: { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  void stream.body?.pipeTo(new WritableStream()).catch(() => undefined)
  if (given.out !== undefined) writeFileSync(given.out, '')
  print(
    `${documentsAMinute} documents a minute, ${PAGES} pages and two signers each, for ${minutes} minutes. ${new Date().toISOString()}`,
  )
  print('')
  print(`| ${COLUMNS.join(' | ')} |`)
  print(`|${' ---: |'.repeat(COLUMNS.length)}`)
  const parents = await soak({ serving, api, mails, person }, data, webhooks)
  print('')
  for (const [text, count] of errors) print(`${count} × ${text}`)
  const isFlat = completed < MIN_DOCUMENTS_TO_JUDGE || printGrowth(parents) <= FLAT_KB_A_DOCUMENT
  if (!isFlat || errors.size > 0 || webhooks.invalid > 0) process.exitCode = 1
} finally {
  await serving.end('SIGTERM')
  await Promise.all([mails.close(), webhooks.close()])
  folder.remove()
}
process.exit()
