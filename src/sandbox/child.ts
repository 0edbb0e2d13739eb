/**
 * One child process that reads uploaded bytes: its protocol, its limits, its end. It does one task
 * at a time; a byte beyond the one answer ends it. Its environment is empty but for a temporary
 * folder of its own, removed with it.
 */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type Limits, residentBytes, watchProcess } from './child-limits.ts'
import { type FailureReason, PdfChildError, PdfTaskError } from './errors.ts'
import { encodeMessage, FramingError, openFrames } from './framing.ts'
import type { Numbered, Reply, Task } from './protocol.ts'

/** The task a child has: over when it is wholly written and answered. */
interface Work {
  number: string
  isWritten: boolean
  reply: Reply | undefined
  resolve(reply: Reply): void
  reject(failure: PdfChildError): void
}

/** How long a child whose pipe closed is given to show how it ended. */
const EXIT_GRACE_MS = 1_000
/** Signals that a process does not send itself: the out-of-memory killer, a shutdown, a person. */
const SIGNALS_FROM_OUTSIDE: ReadonlySet<unknown> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

export class Child {
  readonly #process: ReturnType<typeof spawnInFolder>['process']
  readonly #gone: Promise<void>
  #work: Work | undefined
  #failure: PdfChildError | undefined
  #isLost = false
  #wasReady = false
  #tasksDone = 0

  /**
   * Starts a child. `folder`: its own, for temporary files, removed with it. `onExit` is called once
   * process and folder are gone. @throws the system's error when it cannot be started
   */
  constructor(command: string[], folder: string, onExit: () => void) {
    const { process, gone } = spawnInFolder(command, folder)
    this.#process = process
    this.#gone = gone
    this.#listen().then(
      () => this.#lose(),
      cause => this.#lose(cause),
    )
    void gone.then(onExit)
  }

  /** Whether it ever was ready for a task. */
  get wasReady(): boolean {
    return this.#wasReady
  }

  /** Tasks it has done since it was ready. */
  get tasksDone(): number {
    return this.#tasksDone
  }

  /** Resident memory, bytes. */
  get rssBytes(): number {
    return residentBytes(this.#process.pid)
  }

  /** False for good once it has exited, or written what it was not asked. */
  get isUsable(): boolean {
    return !this.#failure && !this.#isLost && this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Loads what tasks need. @throws PdfChildError `start`, or `wall` */
  async warm(limits: Limits): Promise<void> {
    try {
      await this.#answerTo({ kind: 'warm' }, limits)
      this.#wasReady = true
    } catch (error) {
      // However it failed: no file was read yet.
      if (error instanceof PdfChildError && error.reason === 'wall') throw error
      throw new PdfChildError('start', error)
    }
  }

  /**
   * One task at a time. @throws PdfTaskError; PdfChildError, and the child is gone then;
   * RangeError for a task too long for a encodeMessage
   */
  async run(task: Task, limits: Limits): Promise<unknown> {
    const value = await this.#answerTo(task, limits)
    this.#tasksDone++
    return value
  }

  async end(): Promise<void> {
    this.#fail('killed')
    await this.#gone
  }

  async #answerTo(task: Task, limits: Limits): Promise<unknown> {
    const number = randomUUID()
    const bytes = encodeMessage({ number, content: task } satisfies Numbered<Task>)
    if (this.#failure) throw this.#failure
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const work: Work = { number, isWritten: false, reply: undefined, resolve, reject }
    this.#work = work
    const stop = watchProcess(this.#process.pid, limits, overrun => this.#fail(overrun))
    this.#send(bytes, work).catch(cause => this.#lose(cause))
    try {
      return resultOf(await promise)
    } finally {
      this.#work = undefined
      stop()
    }
  }

  /** The first reason counts. */
  #fail(reason: FailureReason, cause?: unknown): void {
    this.#failure ??= new PdfChildError(reason, cause)
    this.#process.kill('SIGKILL')
    this.#work?.reject(this.#failure)
  }

  /**
   * A pipe of the child closed or broke, or it wrote what is no answer. Whether it was ended from
   * outside is known once it has exited.
   */
  async #lose(cause?: unknown): Promise<void> {
    if (this.#isLost || this.#failure) return
    this.#isLost = true
    if (!(cause instanceof FramingError)) await Promise.race([this.#process.exited, Bun.sleep(EXIT_GRACE_MS)])
    const signal = this.#process.signalCode
    this.#fail(SIGNALS_FROM_OUTSIDE.has(signal) ? 'killed' : 'crash', cause)
  }

  /**
   * Reads at all times, not only during a task: bytes nobody asked for must not be there when the
   * next task comes.
   */
  async #listen(): Promise<void> {
    const frames = openFrames()
    for await (const chunk of this.#process.stdout) {
      if (this.#failure) return
      const work = this.#work
      const reply = replyIn(frames, chunk, work)
      if (work && reply) work.reply = reply
      settle(work)
    }
  }

  async #send(bytes: Uint8Array, work: Work): Promise<void> {
    await this.#process.stdin.write(bytes)
    await this.#process.stdin.flush()
    work.isWritten = true
    settle(work)
  }
}

function isReplyTo(number: string, value: unknown): value is Numbered<Reply> {
  if (typeof value !== 'object' || value === null || !('number' in value) || value.number !== number) return false
  if (!('content' in value) || typeof value.content !== 'object' || value.content === null) return false
  if (!('error' in value.content)) return true
  const { error } = value.content
  if (typeof error !== 'object' || error === null || !('message' in error) || typeof error.message !== 'string') return false
  return !('code' in error) || typeof error.code === 'string'
}

/**
 * The one answer to a task, once a chunk completes it. Throws `FramingError` at anything else, be it
 * one byte more.
 */
function replyIn(frames: ReturnType<typeof openFrames>, chunk: Uint8Array, work: Work | undefined): Reply | undefined {
  // Checked before anything is parsed: nobody asked, or the answer is already there.
  if (!work || work.reply) throw new FramingError('bytes nobody asked for')
  const [value, ...more] = frames.push(chunk)
  if (value === undefined) return undefined
  if (more.length > 0 || !frames.isBetween()) throw new FramingError('bytes after the answer')
  if (!isReplyTo(work.number, value)) throw new FramingError('no answer to this task')
  return value.content
}

function settle(work: Work | undefined): void {
  if (work?.isWritten && work.reply) work.resolve(work.reply)
}

function resultOf(reply: Reply): unknown {
  if ('error' in reply) throw new PdfTaskError(reply.error.message, reply.error.code)
  return reply.value
}

/** The process with its folder; `gone` once both are no more. */
function spawnInFolder(command: string[], folder: string) {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // Nothing of the service's environment reaches a process that reads hostile bytes.
    const env = { TMPDIR: folder }
    const process = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env })
    yieldToOthers(process.pid)
    return { process, gone: process.exited.then(remove) }
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
    // It has ended already; the task that waits for it fails.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
  }
}
