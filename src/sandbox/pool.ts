/**
 * The pool of child processes that alone read uploads: kept warm, watched, ended and replaced. It
 * blames a file only for reasons independent of the machine's load.
 */
import { statSync } from 'node:fs'
import { busyRefusal, Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Log } from '../lib/log.ts'
import { Child } from './child.ts'
import { PoolFolder } from './child-folder.ts'
import type { Limits } from './child-limits.ts'
import { PdfChildError } from './errors.ts'
import type { RequestOf, ResultOf, Task, TaskKind } from './protocol.ts'
import { RefusedFiles } from './refused-files.ts'
import { currentOwner } from './task-owner.ts'
import { type Lane, type QueueLoad, type Slot, TaskQueue } from './task-queue.ts'

export interface PoolOptions {
  command: string[]
  /** Children at once. */
  size: number
  /** For an upload of any size. A document that was accepted gets more. */
  limits: Limits
  /** Children start with the pool, before there is a task, and are replaced at once. */
  isPrewarmed?: boolean
  /** Gets a line for every child that failed. */
  log?: Log
}

export const DEFAULT_LIMITS: Limits = { cpuMs: 10_000, wallMs: 60_000, rssBytes: 512 * 1024 * 1024 }

/**
 * Processor time and memory for an accepted document, as a multiple of its inspection's. Both need
 * about the same, with some variance: a file that inspection accepts close to its limits must never
 * fail to be sealed.
 */
const AFTER_INSPECTION = 4 / 3
/** A search for fields may fail: its result is only an offer. */
const SEARCH_SHARE = 4 / 5
/** Processor time of an upload in all its tries together, as a multiple of that of one. */
const ALL_TRIES = 6 / 5
/** Additional time to read, write and sync a large file on a slow disk, and memory for copies. */
const MS_PER_MB = 200
const RSS_PER_BYTE = 4
/** Additional time for each image of a signer that is drawn: one second of a slow processor. */
const MS_PER_IMAGE = 2_000

/** A start takes 100 ms of processor time; these allow for a machine with a hundredth of a core. */
const START_LIMITS: Pick<Limits, 'cpuMs' | 'wallMs'> = { cpuMs: 20_000, wallMs: 60_000 }

/** A child is replaced after so many tasks or at this share of its memory limit: libraries leak. */
const MAX_TASKS = 500
const MAX_MEMORY_SHARE = 1 / 2

function fileBytesOf(task: Task): number {
  return [...pathsOf(task), ...imagesOf(task)].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

function pathsOf({ request }: Task): string[] {
  if (request === undefined) return []
  if ('path' in request) return [request.path]
  if ('sourcePath' in request) return [request.sourcePath]
  return 'parts' in request ? request.parts.map(({ path }) => path) : []
}

/** Files of signers that are drawn. Each was accepted alone; a document may have many. */
function imagesOf({ kind, request }: Task): string[] {
  if (kind !== 'prepare' && kind !== 'writeOverlay') return []
  const fields = kind === 'prepare' ? request.fields : request.pages.flatMap(page => page.fields)
  return [...new Set(fields.flatMap(({ content }) => (content.kind === 'image' ? [content.path] : [])))]
}

function laneOf(task: Task): Lane {
  switch (task.kind) {
    case 'prepare':
    case 'addValidationData':
    case 'prepareTimestamp':
      return 'seal'
    case 'verify':
      if (task.request.isPublic) return 'public'
      // A file that this instance sealed is compared with its original.
      return task.request.originalPath === undefined ? 'internal' : 'seal'
    default:
      return 'internal'
  }
}

const UPLOADS: ReadonlySet<TaskKind> = new Set<TaskKind>(['inspect', 'cleanSignature', 'checkLogo', 'examineFile'])
/** The file was not accepted before. */
const isUntrusted = (task: Task): boolean => UPLOADS.has(task.kind) || laneOf(task) === 'public'

/** The task leaves its slot to others. */
class RecalledError extends Error {}

type Try = { value: unknown } | { failure: PdfChildError }

/** A task with what it has used in the tries before. */
interface Run {
  readonly task: Task
  readonly lane: Lane
  readonly owner: string
  readonly wasRecalled: boolean
  cpuMs: number
}

export class ChildPool {
  readonly #options: PoolOptions
  readonly #queue: TaskQueue
  readonly #refused = new RefusedFiles()
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

  get load(): QueueLoad {
    return this.#queue.load
  }

  /** @throws PdfChildError when the file is to blame; Refusal; PdfTaskError */
  async run<K extends TaskKind>(kind: K, request: RequestOf<K>): Promise<ResultOf<K>> {
    const task = { kind, request } as Task
    const owner = currentOwner()
    const refused = isUntrusted(task) ? { kind, owner, path: pathsOf(task)[0] ?? '' } : undefined
    const known = refused && (await this.#refused.find(refused))
    if (known) throw known
    try {
      // A child runs our own code: its result has the type of its task.
      return (await this.#runInTurn({ task, lane: laneOf(task), owner, cpuMs: 0, wasRecalled: false })) as ResultOf<K>
    } catch (error) {
      if (refused && error instanceof PdfChildError) await this.#refused.add(refused, error)
      throw error
    }
  }

  /** Ends all children. Waiting tasks are refused as their turn comes. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map(child => child.end()))
    this.#folder?.close()
    this.#folder = undefined
  }

  /** A task that was recalled starts again from the beginning, later. */
  async #runInTurn(run: Run): Promise<unknown> {
    const { lane, owner, wasRecalled } = run
    let child: Child | undefined
    let isRecalled = false
    const slot = await this.#queue.acquire({ lane, owner, wasRecalled }, () => {
      isRecalled = true
      child?.recall()
    })
    try {
      return await this.#runTwice(run, slot, acquired => {
        child = acquired
        // Recalled between its two tries.
        if (isRecalled) child.recall()
      })
    } catch (error) {
      if (!(error instanceof RecalledError)) throw error
    } finally {
      slot.release()
    }
    return this.#runInTurn({ ...run, wasRecalled: true })
  }

  /**
   * No second try without processor time: it would wait as long. None either for an upload that
   * used up its own: a second child would need as much.
   */
  async #runTwice(run: Run, slot: Slot, note: (child: Child) => void): Promise<unknown> {
    const first = await this.#try(() => this.#acquireChild(), run, slot, note)
    if ('value' in first) return first.value
    const { failure } = first
    if (failure.reason === 'wall' || this.#isClosed) throw this.#refusal()
    if (failure.reason === 'cpu' && isUntrusted(run.task)) throw failure
    const second = await this.#try(() => this.#acquireFreshChild(), run, slot, note)
    if ('value' in second) return second.value
    throw failure.isCausedByFile && second.failure.isCausedByFile ? second.failure : this.#refusal()
  }

  #refusal(): Refusal {
    if (!this.#isClosed) return busyRefusal()
    return new Refusal('shutting_down', violation('shutting_down'), [], 5)
  }

  /** @throws RecalledError; the errors of a task */
  async #try(acquire: () => Promise<Child>, run: Run, slot: Slot, note: (child: Child) => void): Promise<Try> {
    let child: Child | undefined
    try {
      const limits = this.#limitsFor(run)
      child = await acquire()
      note(child)
      return { value: await child.run(run.task, limits, slot.becomeLong) }
    } catch (error) {
      if (!(error instanceof PdfChildError)) throw error
      if (error.reason === 'recalled') throw new RecalledError()
      if (!this.#isClosed) this.#report(error, run.task)
      return { failure: error }
    } finally {
      run.cpuMs += child?.cpuMs ?? 0
      if (child) await this.#release(child)
    }
  }

  /** Ends a worn-out child before the slot is released, so that none is one too many. */
  async #release(child: Child): Promise<void> {
    const isWornOut = child.tasksDone >= MAX_TASKS || child.rssBytes > this.#options.limits.rssBytes * MAX_MEMORY_SHARE
    if (child.isUsable && !isWornOut) this.#idle.push(child)
    else await child.end()
  }

  /**
   * Returns an idle child or starts one. The caller holds a slot, so at most `size` children run.
   * @throws PdfChildError `start` or `wall`
   */
  async #acquireChild(): Promise<Child> {
    // Popped again after each end: another may have become idle meanwhile.
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle
      await idle.end()
    }
    return this.#start()
  }

  /** Returns a child without earlier tasks. The caller's own child has ended. */
  async #acquireFreshChild(): Promise<Child> {
    const at = this.#idle.findIndex(idle => idle.isUsable && idle.tasksDone === 0)
    const [fresh] = at < 0 ? [] : this.#idle.splice(at, 1)
    if (fresh) return fresh
    if (this.#all.size >= this.#options.size) await this.#idle.pop()?.end()
    return this.#start()
  }

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
        // Drop the dead child from idle; a task that popped it would start a second replacement.
        if (this.#idle.includes(child)) this.#idle.splice(this.#idle.indexOf(child), 1)
        // A child that never was ready is not replaced: the next one would fail too.
        if (child.wasReady) this.#prewarm()
      })
      this.#all.add(child)
      return child
    } catch (error) {
      // No process or folder could be created: too many open files, or too little memory.
      throw new PdfChildError('start', error)
    }
  }

  #prewarm(): void {
    if (!this.#options.isPrewarmed || this.#isClosed) return
    // A child that does not start fails the task that needs it.
    this.#startIdle().catch(() => undefined)
  }

  async #startIdle(): Promise<void> {
    const slot = await this.#queue.acquire({ lane: 'spare', owner: '' })
    try {
      if (!this.#isClosed && this.#all.size < this.#options.size) this.#idle.push(await this.#start())
    } finally {
      slot.release()
    }
  }

  #limitsFor({ task, cpuMs: usedMs }: Run): Limits {
    const { cpuMs, wallMs, rssBytes } = this.#options.limits
    if (isUntrusted(task)) return { cpuMs: Math.min(cpuMs, cpuMs * ALL_TRIES - usedMs), wallMs, rssBytes }
    const bytes = fileBytesOf(task)
    const moreMs = (bytes / 1_000_000) * MS_PER_MB + imagesOf(task).length * MS_PER_IMAGE
    return {
      cpuMs: cpuMs * (task.kind === 'findFields' ? SEARCH_SHARE : AFTER_INSPECTION) + moreMs,
      wallMs: wallMs + moreMs,
      rssBytes: rssBytes * AFTER_INSPECTION + bytes * RSS_PER_BYTE,
    }
  }

  #report({ reason, cause }: PdfChildError, { kind }: Task): void {
    const detail = cause instanceof Error ? { cause: cause.message } : {}
    this.#options.log?.('warn', 'pdf child failed', { task: kind, reason, ...detail })
  }
}
