/**
 * The executable beside hundreds of connections that send or read slowly, or not at all: others are
 * served, and each connection ends. Prints figures; exits 1 when a promise is broken.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { PDFDocument, PDFName } from 'pdf-lib'
import { demandBinary, emptyFolder, run, type Serving, serve } from '../test/support/executable.ts'
import { ADA, SIGNATURE } from '../test/support/sample.ts'
import { type ApiClient, apiClient, seconds } from './faults-client.ts'
import { exitCode, note, report } from './faults-report.ts'

const COPIES = 150
const READERS = 40
const EVERY_MS = 3_000
/** A body has a minute and what its bytes take; a connection without progress ends earlier. */
const ENDED_WITHIN_MS = 100_000
const LARGE_BYTES = 30_000_000
const UPLOAD_BYTES = 5_000_000
const UPLOAD_PER_SECOND = 128_000
const READ_PER_SECOND = 1_000_000
const SLOWER = 3
const NOISE_MS = 50
/** Sockets of our own that a moment leaves open, and files of the database. */
const MORE_FILES = 5

type End = 'closed' | `answered ${string}` | 'still open' | 'no connection'

interface Ended {
  kind: string
  end: End
  ms: number
}

/** Feeds a byte every three seconds after the first ones; an empty `byte` sends no more. */
function dribble(port: number, kind: string, first: string, byte: string): Promise<Ended> {
  const startMs = performance.now()
  const { promise, resolve } = Promise.withResolvers<Ended>()
  let isConnected = false
  const socket = connect(port, '127.0.0.1', () => {
    isConnected = true
    if (first !== '') socket.write(first)
  })
  const finish = (end: End) => {
    clearInterval(feeding)
    clearTimeout(limit)
    socket.destroy()
    resolve({ kind, end, ms: performance.now() - startMs })
  }
  const feeding = setInterval(() => byte !== '' && isConnected && socket.write(byte), EVERY_MS)
  const limit = setTimeout(() => finish('still open'), ENDED_WITHIN_MS)
  socket.on('data', data => finish(`answered ${String(data).slice(9, 12)}`))
  socket.on('error', () => finish(isConnected ? 'closed' : 'no connection'))
  socket.on('close', () => finish('closed'))
  return promise
}

/** Asks for a file and takes no more than the system buffers. Answers how to end it. */
function stopReading(port: number, request: string): () => void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(request)
    socket.pause()
  })
  socket.on('error', () => undefined)
  return () => socket.destroy()
}

async function largePdf(bytes: number): Promise<string> {
  const document = await PDFDocument.create()
  const stream = document.context.register(document.context.stream(randomBytes(bytes)))
  document.addPage().node.set(PDFName.of('PieceInfo'), stream)
  return Buffer.from(await document.save()).toString('base64')
}

const bodyOf = (file: string) => JSON.stringify({ fileName: 'large.pdf', file, recipients: [{ ...ADA, fields: [SIGNATURE] }] })

async function createLarge(serving: Serving, { headers }: ApiClient, bytes: number): Promise<string> {
  const response = await serving.fetch('/api/v1/documents', { method: 'POST', headers, body: bodyOf(await largePdf(bytes)) })
  if (response.status !== 201) throw new Error(`the large document: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

/** An upload at 128 kB a second. Answers its status. */
async function uploadSlowly(serving: Serving, { headers }: ApiClient): Promise<number> {
  const bytes = Buffer.from(bodyOf(await largePdf(UPLOAD_BYTES)))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent >= bytes.length) return controller.close()
      await Bun.sleep(1_000)
      controller.enqueue(bytes.subarray(sent, sent + UPLOAD_PER_SECOND))
      sent += UPLOAD_PER_SECOND
    },
  })
  const response = await serving.fetch('/api/v1/documents', { method: 'POST', headers, body })
  await response.bytes()
  return response.status
}

/** A download at 1 MB a second. Answers how many bytes came. */
async function readSlowly(serving: Serving, { headers }: ApiClient, id: string): Promise<number> {
  const response = await serving.fetch(`/api/v1/documents/${id}/file`, { headers })
  const startMs = performance.now()
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    const aheadMs = (bytes / READ_PER_SECOND) * 1000 - (performance.now() - startMs)
    if (aheadMs > 0) await Bun.sleep(aheadMs)
  }
  return bytes
}

const openFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length
const residentMb = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
const percentile = (values: number[], share: number) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** Reads and creations one after another, as somebody who is not slow. */
async function workFor(
  ms: number,
  api: ApiClient,
  id: string,
  name: string,
): Promise<{ reads: number[]; creations: number[]; failed: number }> {
  const found = { reads: [] as number[], creations: [] as number[], failed: 0 }
  const endMs = performance.now() + ms
  for (let n = 0; performance.now() < endMs; n++) {
    const startMs = performance.now()
    const status = await api.statusOf(id)
    found.reads.push(performance.now() - startMs)
    if (status !== 200) found.failed++
    if (n % 50 !== 0) {
      await Bun.sleep(20)
      continue
    }
    const made = await api.create(n, `${name}-${n}`)
    found.creations.push(made.ms)
    if (made.status !== 201) found.failed++
  }
  return found
}

function reportEnds(ended: Ended[]): void {
  for (const [kind, all] of Map.groupBy(ended, ({ kind }) => kind)) {
    const ends = [...Map.groupBy(all, ({ end }) => end)].map(([end, of]) => `${of.length} ${end}`).join(', ')
    const times = all.map(({ ms }) => ms)
    const isEnded = all.every(({ end }) => end !== 'still open' && end !== 'no connection')
    report(`each ${kind} ends`, isEnded, `${ends}, after ${seconds(Math.min(...times))} to ${seconds(Math.max(...times))} s`)
  }
}

demandBinary()
const folder = emptyFolder()
const serving = await serve(folder.path, { env: { SIGNET_SEAL_KEY: 'ec-p256', SIGNET_RATE_PER_MINUTE: '1000000' } })
try {
  const api = apiClient(serving, run(folder.path, ['key', 'create', '--name', 'slow']).out.trim())
  const port = Number(new URL(serving.url).port)
  const [large, small] = [await createLarge(serving, api, LARGE_BYTES), (await api.create(0, 'small')).id ?? '']
  await Bun.sleep(3_000)
  const quiet = await workFor(5_000, api, small, 'quiet')
  const filesBefore = openFiles(serving.pid)
  const memoryBefore = residentMb(serving.pid)
  const host = `Host: 127.0.0.1:${port}\r\n`
  const authorization = `Authorization: ${api.headers.authorization}\r\n`
  const post = `POST /api/v1/documents HTTP/1.1\r\n${host}${authorization}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n`
  const get = `GET /api/v1/documents/${large}/file HTTP/1.1\r\n${host}${authorization}\r\n`
  const slow = [
    ...Array.from({ length: COPIES }, () => dribble(port, 'silent connection', '', '')),
    ...Array.from({ length: COPIES }, () => dribble(port, 'slow header', `GET /healthz HTTP/1.1\r\n${host}X-A: `, 'a')),
    ...Array.from({ length: COPIES }, () => dribble(port, 'slow body', post, ' ')),
  ]
  const stopped = Array.from({ length: READERS }, () => stopReading(port, get))
  const startMs = performance.now()
  let mostFiles = 0
  let mostMb = 0
  const watching = setInterval(() => {
    mostFiles = Math.max(mostFiles, openFiles(serving.pid))
    mostMb = Math.max(mostMb, residentMb(serving.pid))
  }, 500)
  const uploading = uploadSlowly(serving, api)
  const downloading = readSlowly(serving, api, large)
  const beside = await workFor(10_000, api, small, 'beside')
  const limit = SLOWER * percentile(quiet.reads, 0.99) + NOISE_MS
  const read = percentile(beside.reads, 0.99)
  report(
    'reads of others',
    read <= limit && beside.failed === 0,
    `99 % within ${Math.round(read)} ms, before ${Math.round(percentile(quiet.reads, 0.99))} ms, ${beside.failed} failed`,
  )
  const [made, madeBefore] = [Math.max(...beside.creations), Math.max(...quiet.creations)]
  report(
    'creations of others',
    made <= SLOWER * madeBefore + NOISE_MS,
    `slowest ${Math.round(made)} ms, before ${Math.round(madeBefore)} ms`,
  )
  const status = await uploading
  report('an upload of 5 MB at 128 kB a second', status === 201, String(status))
  const bytes = await downloading
  report('a download at 1 MB a second is whole', bytes > LARGE_BYTES, `${bytes} bytes`)
  reportEnds(await Promise.all(slow))
  // The end of a connection reaches nobody who reads nothing: the service's own files show it.
  const isFree = () => openFiles(serving.pid) <= filesBefore + MORE_FILES
  while (!isFree() && performance.now() - startMs < ENDED_WITHIN_MS) await Bun.sleep(500)
  const figures = `${filesBefore} open files before, ${mostFiles} at most, ${openFiles(serving.pid)} after ${seconds(performance.now() - startMs)} s`
  report(`no connection is left, also of ${READERS} that stopped reading`, isFree(), figures)
  clearInterval(watching)
  for (const end of stopped) end()
  note(`memory ${memoryBefore} MB before, ${mostMb} MB at most`)
} finally {
  await serving.end('SIGKILL')
  folder.remove()
}
process.exit(exitCode())
