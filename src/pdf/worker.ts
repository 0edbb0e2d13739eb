/**
 * The pool of child processes that alone read uploaded bytes: the same executable under a hidden verb, started when first needed and kept warm,
 * watched for time and memory, killed and replaced. Length-prefixed JSON over standard input and output. Loads no PDF library itself.
 * A child may say one thing only: one answer to the one task it has. A byte beyond that ends it. What it says is not judged here.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Inspection, InspectOrder, PdfTools, Prepared, PrepareOrder, VerifyOrder, VerifyReport } from './order.ts'

export type Task =
  | { kind: 'inspect'; order: InspectOrder }
  | { kind: 'prepare'; order: PrepareOrder }
  | { kind: 'verify'; order: VerifyOrder }

/** What a child writes back: the task's value, or the error it threw. */
export type Reply = { value: unknown } | { error: { message: string; code: string | undefined } }

/**
 * A task as it goes to a child, and the answer to it as it comes back. The number is drawn for each task and cannot be foreseen:
 * what a child wrote before it had the task is no answer to it.
 */
export interface Numbered<T> {
  number: string
  content: T
}

/** A child that had to be killed, or died. */
export class PdfChildFailure extends Error {
  override name = 'PdfChildFailure'
  constructor(
    readonly reason: 'time' | 'memory' | 'crash',
    cause?: unknown,
  ) {
    super({ time: 'it took too long', memory: 'it needed too much memory', crash: 'reading it ended the reader' }[reason], {
      cause,
    })
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

/** The longest text of one frame, in bytes; orders and judgements stay far below it. */
const FRAME_BYTES = 64 * 1024 * 1024

/** Bytes that are no frame: too long, or no JSON. */
class BrokenFrame extends Error {
  override name = 'BrokenFrame'
}

/** One JSON value with its length in four bytes before it, big-endian. Throws a `RangeError` when its text is longer than 64 MiB. */
export function frame(value: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(value))
  if (text.length > FRAME_BYTES) throw new RangeError(`a frame of ${text.length} bytes is longer than ${FRAME_BYTES}`)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(text.length)
  return Buffer.concat([header, text])
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new BrokenFrame('a frame is no JSON', { cause })
  }
}

/** Takes a stream chunk by chunk. Each byte is copied once, so a frame cut into many chunks costs no more than one in a piece. */
function openFrames() {
  let target = Buffer.alloc(HEADER_BYTES)
  let filled = 0
  let inHeader = true
  return {
    /** The values that the chunk completes. Throws `BrokenFrame`. */
    push(chunk: Uint8Array): unknown[] {
      const values: unknown[] = []
      for (let at = 0; at < chunk.length; ) {
        const count = Math.min(target.length - filled, chunk.length - at)
        target.set(chunk.subarray(at, at + count), filled)
        at += count
        filled += count
        if (filled < target.length) break
        const length = inHeader ? target.readUInt32BE(0) : HEADER_BYTES
        if (length === 0 || length > FRAME_BYTES) throw new BrokenFrame(`a frame of ${length} bytes`)
        if (!inHeader) values.push(parse(target))
        target = Buffer.alloc(length)
        filled = 0
        inHeader = !inHeader
      }
      return values
    },
    /** Whether the stream stands between two frames, with nothing of the next one begun. */
    isBetween: () => inHeader && filled === 0,
  }
}

/** Cuts a stream of bytes into the JSON values it carries. Throws at a frame longer than 64 MiB, before it is read, and at one that is no JSON. */
export async function* unframe(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const frames = openFrames()
  for await (const chunk of stream) yield* frames.push(chunk)
}

interface Limits {
  wallMs: number
  rssBytes: number
}

interface Child {
  /** One task at a time. Throws `PdfTaskError`, or `PdfChildFailure` when the child is done for. */
  run(task: Task, limits: Limits): Promise<unknown>
  /** False for good once it has exited, or said what it was not asked. */
  isUsable(): boolean
  end(): Promise<void>
}

/** The task a child has: over when it is wholly written and answered. */
interface Work {
  number: string
  isWritten: boolean
  reply: Reply | undefined
  resolve(reply: Reply): void
  reject(failure: PdfChildFailure): void
}

function isReplyTo(number: string, value: unknown): value is Numbered<Reply> {
  if (typeof value !== 'object' || value === null || !('number' in value) || value.number !== number) return false
  if (!('content' in value) || typeof value.content !== 'object' || value.content === null) return false
  if (!('error' in value.content)) return true
  const { error } = value.content
  if (typeof error !== 'object' || error === null || !('message' in error) || typeof error.message !== 'string') return false
  return !('code' in error) || typeof error.code === 'string'
}

/** The one answer to a task, once a chunk completes it. Throws `BrokenFrame` at anything else, be it one byte more. */
function replyIn(frames: ReturnType<typeof openFrames>, chunk: Uint8Array, work: Work | undefined): Reply | undefined {
  // Checked before anything is parsed: nobody asked, or the answer is already there.
  if (!work || work.reply) throw new BrokenFrame('bytes nobody asked for')
  const [value, ...more] = frames.push(chunk)
  if (value === undefined) return undefined
  if (more.length > 0 || !frames.isBetween()) throw new BrokenFrame('bytes after the answer')
  if (!isReplyTo(work.number, value)) throw new BrokenFrame('no answer to this task')
  return value.content
}

/** Calls `fail` when the process takes too long or too much memory; gives back how to stop watching. */
function watch(pid: number, { wallMs, rssBytes }: Limits, fail: (reason: 'time' | 'memory') => void): () => void {
  const deadline = setTimeout(() => fail('time'), wallMs)
  const poll = setInterval(() => {
    if (rssOf(pid) > rssBytes) fail('memory')
  }, POLL_MS)
  return () => {
    clearTimeout(deadline)
    clearInterval(poll)
  }
}

function spawnChild(command: string[], onExit: () => void): Child {
  // Nothing of the service's environment reaches a process that reads hostile bytes.
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env: {} })
  let work: Work | undefined
  let failure: PdfChildFailure | undefined

  /** The first reason stands. */
  function fail(reason: PdfChildFailure['reason'], cause?: unknown): void {
    failure ??= new PdfChildFailure(reason, cause)
    child.kill('SIGKILL')
    work?.reject(failure)
  }

  // Read at all times, not only while a task is on: what comes unasked must not lie there until the next one.
  async function listen(): Promise<void> {
    const frames = openFrames()
    for await (const chunk of child.stdout) {
      if (failure) return
      const reply = replyIn(frames, chunk, work)
      if (work && reply) work.reply = reply
      settle(work)
    }
  }

  async function send(bytes: Uint8Array, to: Work): Promise<void> {
    await child.stdin.write(bytes)
    await child.stdin.flush()
    to.isWritten = true
    settle(to)
  }

  // However its output or its input ends, the child ends with it; the cause goes with the failure.
  const failFor = (cause: unknown) => fail('crash', cause)
  listen().then(() => fail('crash'), failFor)
  void child.exited.then(onExit)

  return {
    async run(task, limits) {
      const number = randomUUID()
      const bytes = frame({ number, content: task } satisfies Numbered<Task>)
      if (failure) throw failure
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      work = { number, isWritten: false, reply: undefined, resolve, reject }
      const stop = watch(child.pid, limits, fail)
      send(bytes, work).catch(failFor)
      try {
        return resultOf(await promise)
      } finally {
        work = undefined
        stop()
      }
    },
    isUsable: () => !failure && child.exitCode === null && child.signalCode === null,
    async end() {
      fail('crash')
      await child.exited
    },
  }
}

function settle(work: Work | undefined): void {
  if (work?.isWritten && work.reply) work.resolve(work.reply)
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

/** Places for `size` at a time; the others wait in line. A place goes from one to the next without ever being free between them. */
function openPlaces(size: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    async take(): Promise<void> {
      if (taken < size) taken++
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    giveBack(): void {
      const next = waiting.shift()
      if (next) next()
      else taken--
    },
  }
}

/** Runs tasks, each in a child of its own for the while, and keeps the children warm between them. */
function openPool(options: PoolOptions) {
  const places = openPlaces(options.size)
  const idle: Child[] = []
  const all = new Set<Child>()
  let closed = false

  function start(): Child {
    const child = spawnChild(options.command, () => all.delete(child))
    all.add(child)
    return child
  }

  /** For who has a place. Those idle and those at work are never more than the places: a new one starts only when none is idle, or in the stead of one that ended. */
  async function childForPlace(): Promise<Child> {
    const free = idle.pop()
    if (free?.isUsable()) return free
    await free?.end()
    if (closed) throw new PdfChildFailure('crash')
    return start()
  }

  async function runInPlace(task: Task, limits: Limits): Promise<unknown> {
    const child = await childForPlace()
    try {
      return await child.run(task, limits)
    } finally {
      // Gone before the place is given back, so that its successor is not one too many.
      if (child.isUsable()) idle.push(child)
      else await child.end()
    }
  }

  return {
    async run(task: Task): Promise<unknown> {
      const bytes = sizeOf(pathOf(task))
      const limits = {
        wallMs: options.wallMs + (bytes / 1_000_000) * MS_PER_MB,
        rssBytes: options.rssBytes + bytes * RSS_PER_BYTE,
      }
      await places.take()
      try {
        return await runInPlace(task, limits)
      } finally {
        places.giveBack()
      }
    },
    async close(): Promise<void> {
      // Who is in line comes to its turn as those at work end, and finds the pool closed.
      closed = true
      await Promise.all([...all].map(child => child.end()))
    },
  }
}

/** Opens the pool; no child starts before the first task. A task fails with the system's error when its child cannot be started. */
export function openPdfTools(options: PoolOptions): PdfTools {
  const { run, close } = openPool(options)
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
    close,
  }
}
