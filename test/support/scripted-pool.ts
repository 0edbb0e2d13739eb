/** Pools whose children are small scripts, so that each does exactly one wrong thing, and notes of which processes there were. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'

const frames = join(import.meta.dir, '../../src/sandbox/framing.ts')

/**
 * The program of a child that notes in `pids` its process and how many of the noted ones live with it, and does `act` with each task.
 * `act` sees `task`, its `number`, `reply` (the proper answer), `write` (any bytes), `isFirst` (of all children) and `turn` (0, 1, …).
 * `before` runs before anything is read; it may set `warmed`, done before the child says that it is ready, and `chunks`, what it reads.
 */
export const programOf = (
  pids: string,
  act: string,
  before: string,
) => `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { encodeMessage, decodeMessages } from ${JSON.stringify(frames)}
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

/** A pool whose children do `act`, see `programOf`. Its scripts and notes go into `folder`. */
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
  /** The processes, in the order they started. */
  const started = () => notes().map(([pid = 0]) => pid)
  /** The most that lived at the start of one of them. */
  const mostAlive = () => Math.max(...notes().map(([, count = 0]) => count))
  return { tools, started, mostAlive }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** Turns of the event loop until the process is gone. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise(resolve => setImmediate(resolve))
}

/** Turns of the event loop until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}

export const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** Answers with the path of the order. */
export const ECHO = 'await reply({ value: task.request.path })'

export const verifyOrder = { path: '/nowhere.pdf', trust: [], originalPath: undefined }
