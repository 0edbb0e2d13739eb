/** A child process. A byte beyond its answer ends it. Its environment holds only a folder. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type Limits, residentBytes, watchProcess } from './child-limits.ts'
import { type FailureReason, PdfChildError, PdfTaskError } from './errors.ts'
import { encodeMessage, FramingError, MessageDecoder, type Numbered, type Reply, type Task } from './protocol.ts'

/** The task of a child. It is done once it is completely written and answered. */
interface PendingTask {
  number: string
  isWritten: boolean
  reply: Reply | undefined
  resolve(reply: Reply): void
  reject(failure: PdfChildError): void
}

/** A child whose pipe closed has this long to exit with a signal or a code. */
const EXIT_GRACE_MS = 1_000
/** Signals that come from outside: the out-of-memory killer, a shutdown, a person. */
const EXTERNAL_SIGNALS: ReadonlySet<unknown> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

export class Child {
  readonly #process: ReturnType<typeof spawnInFolder>['process']
  readonly #gone: Promise<void>
  #task: PendingTask | undefined
  #failure: PdfChildError | undefined
  #isLost = false
  #wasReady = false
  #tasksDone = 0
  #cpuMs = 0

  /**
   * `folder`: for temporary files, removed with the process. `onExit` is called once both are gone.
   * @throws the system's error when it cannot be started
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

  get tasksDone(): number {
    return this.#tasksDone
  }

  /** Processor time of the last task. */
  get cpuMs(): number {
    return this.#cpuMs
  }

  get rssBytes(): number {
    return residentBytes(this.#process.pid)
  }

  /** Permanently false once it has exited or written unexpected bytes. */
  get isUsable(): boolean {
    return !this.#failure && !this.#isLost && this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Loads the libraries. @throws PdfChildError `start` or `wall` */
  async warm(limits: Limits): Promise<void> {
    try {
      await this.#answerTo({ kind: 'warm', request: undefined }, limits)
      this.#wasReady = true
    } catch (error) {
      // Whatever the reason: no file was read yet.
      if (error instanceof PdfChildError && error.reason === 'wall') throw error
      throw new PdfChildError('start', error)
    }
  }

  /**
   * Call for one task at a time. `becomeLong` may be called often. @throws PdfTaskError;
   * PdfChildError, after which the child is gone; RangeError for a task too long for a message
   */
  async run(task: Task, limits: Limits, becomeLong: () => void): Promise<unknown> {
    const value = await this.#answerTo(task, limits, becomeLong)
    this.#tasksDone++
    return value
  }

  async end(): Promise<void> {
    this.#fail('killed')
    await this.#gone
  }

  /** Ends it: its task leaves its place to others. */
  recall(): void {
    this.#fail('recalled')
  }

  async #answerTo(task: Task, limits: Limits, becomeLong?: () => void): Promise<unknown> {
    const number = randomUUID()
    const bytes = encodeMessage({ number, content: task } satisfies Numbered<Task>)
    if (this.#failure) throw this.#failure
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const pending: PendingTask = { number, isWritten: false, reply: undefined, resolve, reject }
    this.#task = pending
    const watch = watchProcess(this.#process.pid, limits, exceeded => this.#fail(exceeded), becomeLong)
    this.#send(bytes, pending).catch(cause => this.#lose(cause))
    try {
      return resultOf(await promise)
    } finally {
      this.#task = undefined
      watch.stop()
      this.#cpuMs = watch.cpuMs()
    }
  }

  /** The first reason counts. */
  #fail(reason: FailureReason, cause?: unknown): void {
    this.#failure ??= new PdfChildError(reason, cause)
    this.#process.kill('SIGKILL')
    this.#task?.reject(this.#failure)
  }

  /** A pipe closed, or the child wrote something else than an answer. Its exit shows why. */
  async #lose(cause?: unknown): Promise<void> {
    if (this.#isLost || this.#failure) return
    this.#isLost = true
    if (!(cause instanceof FramingError)) await Promise.race([this.#process.exited, Bun.sleep(EXIT_GRACE_MS)])
    const signal = this.#process.signalCode
    this.#fail(EXTERNAL_SIGNALS.has(signal) ? 'killed' : 'crash', cause)
  }

  /** Reads between tasks too, so that unexpected bytes never wait for the next task. */
  async #listen(): Promise<void> {
    const decoder = new MessageDecoder()
    for await (const chunk of this.#process.stdout) {
      if (this.#failure) return
      const task = this.#task
      const reply = decodeReply(decoder, chunk, task)
      if (task && reply) task.reply = reply
      resolveIfDone(task)
    }
  }

  async #send(bytes: Uint8Array, task: PendingTask): Promise<void> {
    await this.#process.stdin.write(bytes)
    await this.#process.stdin.flush()
    task.isWritten = true
    resolveIfDone(task)
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

/** The answer to the task, once a chunk completes it. @throws FramingError for any other byte */
function decodeReply(decoder: MessageDecoder, chunk: Uint8Array, task: PendingTask | undefined): Reply | undefined {
  // Checked before anything is parsed.
  if (!task || task.reply) throw new FramingError('bytes without a task')
  const [value, ...more] = decoder.push(chunk)
  if (value === undefined) return undefined
  if (more.length > 0 || !decoder.isBetweenMessages) throw new FramingError('bytes after the answer')
  if (!isReplyTo(task.number, value)) throw new FramingError('not an answer to this task')
  return value.content
}

function resolveIfDone(task: PendingTask | undefined): void {
  if (task?.isWritten && task.reply) task.resolve(task.reply)
}

function resultOf(reply: Reply): unknown {
  if ('error' in reply) throw new PdfTaskError(reply.error.message, reply.error.code)
  return reply.value
}

/** `gone` resolves once the process and its folder are gone. */
function spawnInFolder(command: string[], folder: string) {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // A process that reads untrusted bytes gets no variable of the service's environment.
    const env = { TMPDIR: folder }
    const process = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', env })
    lowerPriority(process.pid)
    return { process, gone: process.exited.then(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

const NICENESS = 10

/** The serving process takes precedence on a busy machine. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch (error) {
    // The process has ended already; the task that waits for it fails.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
  }
}
