/**
 * One token sends two PDFs at a time that take as long to read as anything may, for a minute;
 * others upload, sign and verify beside it. Prints the worst times; exits 1 beyond a limit.
 */
import { join } from 'node:path'
import { openVisitor } from '../test/support/browser-less.ts'
import { demandBinary, emptyFolder, outbox, run, type Serving, serve, until } from '../test/support/executable.ts'
import { SIGNATURE, samplePdf } from '../test/support/sample.ts'
import { exitCode, note, report } from './faults-report.ts'

const MS = 60_000
const SLOW_AT_ONCE = 2
const SLOW_BYTES = 20_000_000
const LIMIT_S = 5
const CPU_LIMIT_S = 12

/** A file of which no reader finds the end. */
function slowPdf(n: number): Buffer {
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(SLOW_BYTES, '1 0 obj '), Buffer.from(`\n%${n}\n%%EOF\n`)])
}

const seconds = (fromMs: number) => (performance.now() - fromMs) / 1000
const shown = (values: number[]) =>
  `${values.length}, worst ${Math.max(0, ...values).toFixed(1)} s, mean ${(values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)).toFixed(1)} s`

const statuses = new Map<string, number>()
function count(what: string, status: number): void {
  const key = `${what} ${status}`
  statuses.set(key, (statuses.get(key) ?? 0) + 1)
}

function post(serving: Serving, key: string, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return serving.fetch(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

interface Times {
  uploads: number[]
  seals: number[]
  verifications: number[]
  slow: number[]
}

async function sendSlow(serving: Serving, key: string, times: Times, isOver: () => boolean, first: number): Promise<void> {
  for (let n = first; !isOver(); n += SLOW_AT_ONCE) {
    const startMs = performance.now()
    const file = slowPdf(n).toString('base64')
    const response = await post(serving, key, '/documents', {
      title: 'Slow',
      fileName: 'slow.pdf',
      file,
      recipients: [{ email: 'a@example.com', name: 'A', fields: [SIGNATURE] }],
    })
    await response.bytes()
    count('slow upload', response.status)
    times.slow.push(seconds(startMs))
  }
}

async function work(serving: Serving, key: string, data: string, times: Times, isOver: () => boolean): Promise<void> {
  const file = await samplePdf(5)
  for (let n = 0; !isOver(); n++) {
    const email = `signer-${n}@example.com`
    const recipients = [{ email, name: 'Ada Lovelace', fields: [SIGNATURE] }]
    const startMs = performance.now()
    const body = { title: `Document ${n}`, fileName: 'contract.pdf', file, recipients, send: true }
    const response = await post(serving, key, '/documents', body)
    const { id } = (await response.json()) as { id: string }
    times.uploads.push(seconds(startMs))
    count('upload', response.status)
    if (response.status !== 201) continue
    const link = await until(`the mail to ${email}`, async () => {
      const mail = (await outbox(data)).find(({ to, text }) => to === email && text.includes('/s/'))
      return /http\S+?(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
    })
    const visitor = openVisitor(serving.fetch, serving.url)
    const form = await visitor.submit(await visitor.get(link))
    const done = await visitor.submit(form, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    count('signature', done.status)
    const signedMs = performance.now()
    const authorization = `Bearer ${key}`
    await until('the seal', async () => {
      await Bun.sleep(100)
      const found = await serving.fetch(`/api/v1/documents/${id}`, { headers: { authorization } })
      return ((await found.json()) as { status: string }).status === 'completed' ? true : undefined
    })
    times.seals.push(seconds(signedMs))
  }
}

async function verify(serving: Serving, times: Times, isOver: () => boolean): Promise<void> {
  const bytes = Buffer.from(await samplePdf(), 'base64')
  while (!isOver()) {
    const visitor = openVisitor(serving.fetch, serving.url)
    const form = await visitor.get('/verify')
    const startMs = performance.now()
    const { status } = await visitor.upload(form, '/verify', { name: 'a.pdf', bytes })
    times.verifications.push(seconds(startMs))
    count('Verify', status)
    await Bun.sleep(2_500)
  }
}

demandBinary()
const folder = emptyFolder()
const serving = await serve(folder.path, { env: { SIGNET_SEAL_KEY: 'ec-p256' } })
try {
  const [hostile, friendly] = ['hostile', 'friendly'].map(name => run(folder.path, ['key', 'create', '--name', name]).out.trim())
  const times: Times = { uploads: [], seals: [], verifications: [], slow: [] }
  const endMs = performance.now() + MS
  const isOver = () => performance.now() > endMs
  const slow = Array.from({ length: SLOW_AT_ONCE }, (_, first) => sendSlow(serving, hostile ?? '', times, isOver, first))
  // Both are being read.
  await Bun.sleep(3_000)
  await Promise.all([
    ...slow,
    work(serving, friendly ?? '', join(folder.path, 'data'), times, isOver),
    verify(serving, times, isOver),
  ])
  const worst = (values: number[]) => values.length > 0 && Math.max(...values) <= LIMIT_S
  const only = (what: string, status: number) =>
    [...statuses.keys()].filter(key => key.startsWith(`${what} `)).join() === `${what} ${status}`
  report('two slow uploads: uploads of others within 5 s', worst(times.uploads) && only('upload', 201), shown(times.uploads))
  report('two slow uploads: seals within 5 s', worst(times.seals), shown(times.seals))
  report('two slow uploads: Verify within 5 s', worst(times.verifications) && only('Verify', 200), shown(times.verifications))
  report(
    'the slow uploads are refused',
    times.slow.length > 0 && !statuses.has('slow upload 201'),
    `${shown(times.slow)}; limit of processor time ${CPU_LIMIT_S} s each`,
  )
  note(`${[...statuses].map(([key, times]) => `${key}: ${times}`).join(', ')}`)
} finally {
  await serving.end('SIGKILL')
  folder.remove()
}
process.exit(exitCode())
