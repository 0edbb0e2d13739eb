/**
 * Pools whose children are small scripts that each misbehave in one way; records their processes.
 */
import { afterAll, afterEach, beforeAll } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'

const framing = join(import.meta.dir, '../../src/sandbox/protocol.ts')

/**
 * The program of a child. It appends its process id and the number of living children to `pids`,
 * and executes `act` for each task. `act` sees `task`, its `number`, `reply` (the proper answer),
 * `write` (any bytes), `isFirst` (of all children) and `turn` (0, 1, …). `before` runs before
 * anything is read; it may set `warmed`, awaited before the child reports that it is ready, and
 * `chunks`, its input.
 */
export const programOf = (
  pids: string,
  act: string,
  before: string,
) => `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { encodeMessage, decodeMessages } from ${JSON.stringify(framing)}
const pids = ${JSON.stringify(pids)}
const isFirst = !existsSync(pids)
const lives = pid => { try { return process.kill(Number(pid), 0) } catch { return false } }
const others = isFirst ? [] : readFileSync(pids, 'latin1').trim().split('\\n').map(line => line.split(' ')[0]).filter(lives)
appendFileSync(pids, process.pid + ' ' + (others.length + 1) + '\\n')
const write = bytes => Bun.write(Bun.stdout, bytes)
let warmed = async () => {}
let chunks = Bun.stdin.stream()
${before}
let turn = -1
for await (const { number, content: task } of decodeMessages(chunks)) {
  const reply = content => write(encodeMessage({ number, content }))
  if (task.kind === 'warm') { await warmed(); await reply({ value: true }); continue }
  turn++
  ${act}
}
`

/** A pool whose children execute `act`, see `programOf`. Its files go into `folder`. */
export function scriptedPool(
  folder: string,
  act: string,
  { size = 1, cpuMs = 60_000, wallMs = 120_000, rssBytes = 2 ** 31, before = '', isPrewarmed = false } = {},
) {
  const pids = join(folder, `pids-${Math.random().toString(36).slice(2)}`)
  const script = `${pids}.ts`
  writeFileSync(script, programOf(pids, act, before))
  const tools = openPdfTools({ command: [process.execPath, script], size, limits: { cpuMs, wallMs, rssBytes }, isPrewarmed })
  const notes = () =>
    (existsSync(pids) ? readFileSync(pids, 'latin1').trim().split('\n') : []).map(line => line.split(' ').map(Number))
  /** The process ids in order of start. */
  const started = () => notes().map(([pid = 0]) => pid)
  /** The greatest number of processes that lived at the same time. */
  const mostAlive = () => Math.max(...notes().map(([, count = 0]) => count))
  return { tools, started, mostAlive }
}

/** A temporary folder, and pools that are closed after each test. Call once in a test file. */
export function usePools() {
  let folder = ''
  const open: PdfTools[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'signet-pool-'))
  })
  afterEach(async () => {
    for (const tools of open.splice(0)) await tools.close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const opened = (tools: PdfTools): PdfTools => {
    open.push(tools)
    return tools
  }
  return {
    pathOf: (name: string) => join(folder, name),
    openTools: (options: Parameters<typeof openPdfTools>[0]) => opened(openPdfTools(options)),
    openScripted(act: string, options: Parameters<typeof scriptedPool>[2] = {}) {
      const pool = scriptedPool(folder, act, options)
      opened(pool.tools)
      return pool
    },
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** Polls by turns of the event loop until the process is gone. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise(resolve => setImmediate(resolve))
}

/** Polls by turns of the event loop. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setImmediate(resolve))
}

export const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** Replies with the path of the request. */
export const ECHO = 'await reply({ value: task.request.path })'

export const verifyRequest = { path: '/nowhere.pdf', trust: [], originalPath: undefined }
