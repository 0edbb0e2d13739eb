/**
 * The pool of child processes that alone read uploaded bytes: the same executable under a hidden verb, started when first needed and kept warm,
 * watched for time and memory, killed and replaced. Length-prefixed JSON over standard input and output. Loads no PDF library itself.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Inspection, InspectOrder, PdfTools, Prepared, PrepareOrder, VerifyOrder, VerifyReport } from './order.ts'

export type Task =
  | { kind: 'inspect'; order: InspectOrder }
  | { kind: 'prepare'; order: PrepareOrder }
  | { kind: 'verify'; order: VerifyOrder }

/** What a child writes back: the task's value, or the error it threw. */
export type Reply = { value: unknown } | { error: { message: string; code: string | undefined } }

/** A child that had to be killed, or died. */
export class PdfChildFailure extends Error {
  override name = 'PdfChildFailure'
  constructor(readonly reason: 'time' | 'memory' | 'crash') {
    super({ time: 'it took too long', memory: 'it needed too much memory', crash: 'reading it ended the reader' }[reason])
  }
}

/** The task itself failed in the child, with a system error's code where there is one. */
export class PdfTaskError extends Error {
  override name = 'PdfTaskError'
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message)
  }
}

export interface PoolOptions {
  /** Starts a child. */
  command: string[]
  size: number
  /** For a small file; larger ones get more. */
  wallMs: number
  rssBytes: number
}

const POLL_MS = 50
const HEADER_BYTES = 4
/** What a large file may cost beyond the base: time to read it and memory to hold it several times. */
const MS_PER_MB = 200
const RSS_PER_BYTE = 4

/** One JSON value with its length in four bytes before it, big-endian. */
export function frame(value: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(text.length)
  return Buffer.concat([header, text])
}

/** Cuts a stream of bytes into the JSON values it carries. */
export async function* unframe(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEADER_BYTES && rest.length >= HEADER_BYTES + rest.readUInt32BE(0)) {
      const end = HEADER_BYTES + rest.readUInt32BE(0)
      yield JSON.parse(rest.subarray(HEADER_BYTES, end).toString())
      rest = rest.subarray(end)
    }
  }
}

interface Child {
  run(task: Task, limits: { wallMs: number; rssBytes: number }): Promise<unknown>
  end(): Promise<void>
}

function spawnChild(command: string[], onExit: () => void): Child {
  // Nothing of the service's environment reaches a process that reads hostile bytes.
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env: {} })
  const replies = unframe(child.stdout)
  let reason: PdfChildFailure['reason'] = 'crash'
  void child.exited.then(onExit)
  return {
    async run(task, { wallMs, rssBytes }) {
      const kill = (why: typeof reason) => {
        reason = why
        child.kill('SIGKILL')
      }
      const deadline = setTimeout(() => kill('time'), wallMs)
      const poll = setInterval(() => {
        if (rssOf(child.pid) > rssBytes) kill('memory')
      }, POLL_MS)
      try {
        child.stdin.write(frame(task))
        await child.stdin.flush()
        const { value, done } = await replies.next()
        if (done) throw new PdfChildFailure(reason)
        return resultOf(value as Reply)
      } finally {
        clearTimeout(deadline)
        clearInterval(poll)
      }
    },
    async end() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

function resultOf(reply: Reply): unknown {
  if ('error' in reply) throw new PdfTaskError(reply.error.message, reply.error.code)
  return reply.value
}

const PAGE_BYTES = 4096

/** Resident memory in bytes; 0 once the process is gone, or where /proc is not there. */
function rssOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function pathOf(task: Task): string {
  return task.kind === 'prepare' ? task.order.sourcePath : task.order.path
}

export function openPdfTools(options: PoolOptions): PdfTools {
  const { command, size } = options
  const idle: Child[] = []
  const all = new Set<Child>()
  const waiting: ((child: Child | undefined) => void)[] = []
  let closed = false

  function start(): Child {
    const child = spawnChild(command, () => {
      all.delete(child)
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
    })
    all.add(child)
    return child
  }

  async function take(): Promise<Child> {
    if (closed) throw new PdfChildFailure('crash')
    const free = idle.pop()
    if (free) return free
    if (all.size < size) return start()
    const handed = await new Promise<Child | undefined>(resolve => waiting.push(resolve))
    if (closed) throw new PdfChildFailure('crash')
    return handed ?? start()
  }

  /** A child that failed is never used again: the next in line gets a new one. */
  function giveBack(child: Child, sound: boolean): void {
    if (!sound) all.delete(child)
    const next = waiting.shift()
    if (next) next(sound ? child : undefined)
    else if (sound && all.has(child)) idle.push(child)
  }

  async function run(task: Task): Promise<unknown> {
    const bytes = sizeOf(pathOf(task))
    const limits = {
      wallMs: options.wallMs + (bytes / 1_000_000) * MS_PER_MB,
      rssBytes: options.rssBytes + bytes * RSS_PER_BYTE,
    }
    const child = await take()
    let sound = false
    try {
      const value = await child.run(task, limits)
      sound = true
      return value
    } catch (error) {
      sound = error instanceof PdfTaskError
      if (!sound) await child.end()
      throw error
    } finally {
      giveBack(child, sound)
    }
  }

  return {
    async inspect(order) {
      try {
        return (await run({ kind: 'inspect', order })) as Inspection
      } catch (error) {
        if (!(error instanceof PdfChildFailure)) throw error
        const message = `This PDF cannot be processed: ${error.message}. Print it to a new PDF and send that one.`
        return { verdict: 'refused', code: 'unsupported_pdf', message }
      }
    },
    prepare: async order => (await run({ kind: 'prepare', order })) as Prepared,
    verify: async order => (await run({ kind: 'verify', order })) as VerifyReport | { unreadable: string },
    async close() {
      closed = true
      for (const give of waiting.splice(0)) give(undefined)
      await Promise.all([...all].map(child => child.end()))
    },
  }
}
