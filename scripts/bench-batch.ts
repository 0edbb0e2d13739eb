/**
 * Sends a batch of 5,000 rows with the executable: how long it takes, its peak memory, and how fast
 * lists and progress are answered meanwhile. Usage: bun scripts/bench-batch.ts [rows]
 */
import { readFileSync } from 'node:fs'
import { rowsFor, tenancyTemplate } from '../test/support/batches.ts'
import { demandBinary, emptyFolder, run, serve } from '../test/support/executable.ts'

const COUNT = Number(process.argv[2] ?? 5000)
const ENV = { SIGNET_BULK_MAILS_PER_MINUTE: '6000', SIGNET_RATE_PER_MINUTE: '60000', SIGNET_ENVIRONMENT: 'test' }
const PAUSE_MS = 200

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const peakMb = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

demandBinary()
const folder = emptyFolder()
const serving = await serve(folder.path, { env: ENV })
const key = run(folder.path, ['key', 'create', '--name', 'bench'], { env: ENV }).out.trim()

async function api(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await serving.fetch(`/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  return { status: response.status, body: await response.json() }
}

const took = new Map<string, number[]>()
async function timed(name: string, path: string) {
  const begunMs = performance.now()
  const { body } = await api('GET', path)
  took.set(name, [...(took.get(name) ?? []), performance.now() - begunMs])
  return body
}

try {
  const templateId = await tenancyTemplate({ api })
  const before = peakMb(serving.pid)
  const begunMs = performance.now()
  const { body: batch } = await api('POST', `/templates/${templateId}/batches`, { rows: rowsFor(COUNT) })
  const createdMs = performance.now() - begunMs
  for (let state = batch.state; state === 'running'; ) {
    state = (await timed('progress', `/batches/${batch.id}`)).state
    await timed('batches', '/batches')
    await timed('rows', `/batches/${batch.id}/rows?limit=100&cursor=${Math.floor(COUNT / 2)}`)
    await timed('failed rows', `/batches/${batch.id}/rows?limit=100&state=failed`)
    await timed('documents', '/documents')
    await Bun.sleep(PAUSE_MS)
  }
  const wholeMs = performance.now() - begunMs
  const { counts } = (await api('GET', `/batches/${batch.id}`)).body
  console.log(
    `${COUNT} rows: checked and stored in ${seconds(createdMs)}, sent in ${seconds(wholeMs)}, ${JSON.stringify(counts)}`,
  )
  console.log(`memory: ${before.toFixed(0)} MB at its peak before, ${peakMb(serving.pid).toFixed(0)} MB at its peak after`)
  for (const [name, all] of took) {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
    console.log(`${name}: ${at(0.5)} ms median, ${at(0.95)} ms of 95 %, ${at(1)} ms at most, of ${sorted.length}`)
  }
} finally {
  await serving.end('SIGTERM')
  folder.remove()
}
