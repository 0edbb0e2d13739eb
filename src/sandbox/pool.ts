/**
 * The pool of child processes that alone read uploaded bytes: the same executable under a hidden
 * verb, kept warm, watched, ended and replaced. A file is blamed only when two children failed at
 * it, each by what does not depend on the load of the machine.
 */
import { statSync } from 'node:fs'
import { busyRefusal, Refusal } from '../core/refusal.ts'
import type { Log } from '../lib/log.ts'
import { Child } from './child.ts'
import { PoolFolder } from './child-folder.ts'
import type { Limits } from './child-limits.ts'
import { PdfChildError } from './errors.ts'
import type { Task } from './protocol.ts'
import { type Lane, TaskQueue } from './task-queue.ts'

export interface PoolOptions {
  /** Starts a child. */
  command: string[]
  /** How many work at once. */
  size: number
  /** For an upload, whatever its size. A document that was accepted gets more. */
  limits: Limits
  /**
   * Children start with the pool and are warm before there is a task; one that was warm and ends is
   * replaced at once.
   */
  isPrewarmed?: boolean
  /** Told of every child that had to be ended or died. */
  log?: Log
}

/** For the service and its verbs. */
export const DEFAULT_LIMITS: Limits = { cpuMs: 10_000, wallMs: 60_000, rssBytes: 512 * 1024 * 1024 }

/**
 * Processor time and memory for a document that was accepted, as a multiple of what its inspection
 * had. The two need about the same, and what one run takes differs from the next: a file that
 * inspection accepts close to its bound must never fail to be sealed.
 */
const AFTER_INSPECTION = 4 / 3
/**
 * What it gets beyond that: time to read, write and sync a large file on a slow disk, and memory to
 * hold it several times.
 */
const MS_PER_MB = 200
const RSS_PER_BYTE = 4

/**
 * A warm start takes a tenth of a second of processor time; this is for a machine that gives a
 * hundredth of a core.
 */
const START_LIMITS: Pick<Limits, 'cpuMs' | 'wallMs'> = { cpuMs: 20_000, wallMs: 60_000 }

/**
 * A child is replaced after so many tasks, or when it keeps so much of its memory limit: what leaks
 * in a library does not add up.
 */
const MAX_TASKS = 500
const MAX_KEPT_SHARE = 1 / 2

/** The file a task reads. */
function pathOf(task: Task): string | undefined {
  switch (task.kind) {
    case 'inspect':
    case 'verify':
    case 'readPageBoxes':
    case 'cleanSignature':
    case 'checkLogo':
      return task.request.path
    case 'prepare':
    case 'addValidationData':
    case 'prepareTimestamp':
      return task.request.sourcePath
    case 'writeOverlay':
    case 'confinement':
    case 'warm':
      return undefined
  }
}

function laneOf(task: Task): Lane {
  switch (task.kind) {
    case 'prepare':
    case 'addValidationData':
    case 'prepareTimestamp':
      return 'seal'
    case 'verify':
      if (task.request.isPublic) return 'public'
      // A sealed file of our own is compared with its original.
      return task.request.originalPath === undefined ? 'internal' : 'seal'
    default:
      return 'internal'
  }
}

/** An upload, or a file that a stranger asks about. */
const UPLOADS: ReadonlySet<Task['kind']> = new Set(['inspect', 'cleanSignature', 'checkLogo'])
const isOfStranger = (task: Task): boolean => UPLOADS.has(task.kind) || laneOf(task) === 'public'

export class ChildPool {
  readonly #options: PoolOptions
  readonly #queue: TaskQueue
  /** Warm, without a task. */
  readonly #idle: Child[] = []
  readonly #all = new Set<Child>()
  #folder: PoolFolder | undefined
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new TaskQueue(options.size)
    for (let i = 0; i < options.size; i++) this.#prewarm()
  }

  /**
   * Runs a task in a child that has no other meanwhile.
   * @throws PdfChildError when two children failed at the file; Refusal `overloaded` when the
   * machine is too busy; PdfTaskError
   */
  async run(task: Task): Promise<unknown> {
    await this.#queue.acquire(laneOf(task))
    try {
      return await this.#runTwice(task)
    } finally {
      this.#queue.release()
    }
  }

  /** Ends all children; those that wait in the queue are refused as their turn comes. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map(child => child.end()))
    this.#folder?.close()
    this.#folder = undefined
  }

  /**
   * A second try in a fresh child, unless the machine gave the first no processor time: it would
   * wait as long again.
   */
  async #runTwice(task: Task): Promise<unknown> {
    try {
      return await this.#runIn(() => this.#acquireChild(), task)
    } catch (first) {
      if (!(first instanceof PdfChildError)) throw first
      if (first.reason === 'wall' || this.#isClosed) throw this.#refusal()
      try {
        return await this.#runIn(() => this.#acquireFreshChild(), task)
      } catch (second) {
        if (!(second instanceof PdfChildError)) throw second
        if (first.isByFile && second.isByFile) throw second
        throw this.#refusal()
      }
    }
  }

  #refusal(): Refusal {
    if (!this.#isClosed) return busyRefusal()
    return new Refusal('shutting_down', 'The service is restarting: try again in a few seconds.', [], 5)
  }

  async #runIn(acquire: () => Promise<Child>, task: Task): Promise<unknown> {
    const limits = this.#limitsFor(task)
    let child: Child | undefined
    try {
      child = await acquire()
      return await child.run(task, limits)
    } catch (error) {
      if (error instanceof PdfChildError && !this.#isClosed) this.#report(error, task)
      throw error
    } finally {
      if (child) await this.#giveBack(child)
    }
  }

  /** It is gone before the slot is given back, so that its replacement is not one too many. */
  async #giveBack(child: Child): Promise<void> {
    const isWornOut = child.tasksDone >= MAX_TASKS || child.rssBytes > this.#options.limits.rssBytes * MAX_KEPT_SHARE
    if (child.isUsable && !isWornOut) this.#idle.push(child)
    else await child.end()
  }

  /**
   * The caller holds a slot, so at most `size` children run. @throws PdfChildError `start` or
   * `wall`
   */
  async #acquireChild(): Promise<Child> {
    // Looked up again after each end: meanwhile another may have become idle.
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle
      await idle.end()
    }
    return this.#start()
  }

  /** A child that has done no task yet. The caller holds a slot, and its own child has ended. */
  async #acquireFreshChild(): Promise<Child> {
    const at = this.#idle.findIndex(idle => idle.isUsable && idle.tasksDone === 0)
    const [fresh] = at < 0 ? [] : this.#idle.splice(at, 1)
    if (fresh) return fresh
    if (this.#all.size >= this.#options.size) await this.#idle.pop()?.end()
    return this.#start()
  }

  /** Starts a child and waits until it is ready. */
  async #start(): Promise<Child> {
    if (this.#isClosed) throw new PdfChildError('killed')
    const child = this.#spawn()
    try {
      await child.warm({ ...START_LIMITS, rssBytes: this.#options.limits.rssBytes })
      return child
    } catch (error) {
      await child.end()
      throw error
    }
  }

  #spawn(): Child {
    try {
      this.#folder ??= new PoolFolder()
      const child = new Child(this.#options.command, this.#folder.makeFolder(), () => {
        this.#all.delete(child)
        // Drop the dead child from the idle ones: a task that took it would start a second
        // replacement.
        if (this.#idle.includes(child)) this.#idle.splice(this.#idle.indexOf(child), 1)
        // One that never was ready is not replaced: its successor would do no better.
        if (child.wasReady) this.#prewarm()
      })
      this.#all.add(child)
      return child
    } catch (error) {
      // No process or no folder to be had: too many files are open, or memory is short.
      throw new PdfChildError('start', error)
    }
  }

  #prewarm(): void {
    if (!this.#options.isPrewarmed || this.#isClosed) return
    // A child that does not start fails the task that needs it.
    this.#startIdle().catch(() => undefined)
  }

  async #startIdle(): Promise<void> {
    await this.#queue.acquire('internal')
    try {
      if (!this.#isClosed && this.#all.size < this.#options.size) this.#idle.push(await this.#start())
    } finally {
      this.#queue.release()
    }
  }

  #limitsFor(task: Task): Limits {
    const { cpuMs, wallMs, rssBytes } = this.#options.limits
    if (isOfStranger(task)) return this.#options.limits
    const path = pathOf(task)
    const bytes = path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    const moreMs = (bytes / 1_000_000) * MS_PER_MB
    return {
      cpuMs: cpuMs * AFTER_INSPECTION + moreMs,
      wallMs: wallMs + moreMs,
      rssBytes: rssBytes * AFTER_INSPECTION + bytes * RSS_PER_BYTE,
    }
  }

  #report({ reason, cause }: PdfChildError, { kind }: Task): void {
    const why = cause instanceof Error ? cause.message : undefined
    this.#options.log?.('warn', 'pdf child failed', { task: kind, reason, ...(why === undefined ? {} : { cause: why }) })
  }
}
