/**
 * One child process that reads uploaded bytes: its protocol, its limits, its end. One task at a time, one answer to it; a byte beyond that ends it.
 * It has nothing of the service's environment, and a temporary folder of its own that goes with it. What it says is not judged here.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrokenFrame, frame, openFrames } from './frame.ts'
import type {
  ArchiveOrder,
  BoxesOrder,
  InspectOrder,
  LogoOrder,
  OverlayOrder,
  PrepareOrder,
  SignatureOrder,
  TimeStampOrder,
  VerifyOrder,
} from './order.ts'

export type Task =
  | { kind: 'inspect'; order: InspectOrder }
  | { kind: 'prepare'; order: PrepareOrder }
  | { kind: 'verify'; order: VerifyOrder }
  | { kind: 'addValidationMaterial'; order: ArchiveOrder }
  | { kind: 'prepareTimeStamp'; order: TimeStampOrder }
  | { kind: 'boxes'; order: BoxesOrder }
  | { kind: 'overlay'; order: OverlayOrder }
  | { kind: 'cleanSignature'; order: SignatureOrder }
  | { kind: 'judgeLogo'; order: LogoOrder }
  /** Loads what the others need, so that the first of them does not wait for it. */
  | { kind: 'warm' }

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

export interface Limits {
  wallMs: number
  rssBytes: number
}

const POLL_MS = 25
/** Folders of this name are a child's own, and may be removed with everything in them. */
export const CHILD_FOLDER_PREFIX = 'signet-pdf-'

export interface Child {
  /** One task at a time. Throws `PdfTaskError`, or `PdfChildFailure` when the child is done for. */
  run(task: Task, limits: Limits): Promise<unknown>
  /** False for good once it has exited, or said what it was not asked. */
  isUsable(): boolean
  /** Whether it has done a task. */
  hasServed(): boolean
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

/** The process with its folder; `gone` once both are no more. */
function spawnInFolder(command: string[]) {
  const folder = mkdtempSync(join(tmpdir(), CHILD_FOLDER_PREFIX))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // Nothing of the service's environment reaches a process that reads hostile bytes.
    const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env: { TMPDIR: folder } })
    yieldToOthers(child.pid)
    return { child, gone: child.exited.then(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

const NICENESS = 10

/** Where the processor is short, the process that answers people comes first. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch (error) {
    // Gone already: whoever waits for it is told.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
  }
}

/** Starts a child. @throws the system's error when it cannot be started */
export function spawnChild(command: string[], onExit: () => void): Child {
  const { child, gone } = spawnInFolder(command)
  let work: Work | undefined
  let served = false
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
  void gone.then(onExit)

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
        const reply = await promise
        served = true
        return resultOf(reply)
      } finally {
        work = undefined
        stop()
      }
    },
    isUsable: () => !failure && child.exitCode === null && child.signalCode === null,
    hasServed: () => served,
    async end() {
      fail('crash')
      await gone
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
