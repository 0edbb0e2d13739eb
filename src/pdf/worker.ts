/**
 * The pool of child processes that alone read uploaded bytes: the same executable under a hidden verb, kept warm, watched for time and memory, killed
 * and replaced. Loads no PDF library itself.
 */
import { statSync } from 'node:fs'
import type { PageBox } from '../core/geometry.ts'
import { type Child, type Limits, PdfChildFailure, spawnChild, type Task } from './child-process.ts'
import type {
  CleanSignature,
  Inspection,
  LogoVerdict,
  PdfTools,
  Prepared,
  Unreadable,
  VerifyOrder,
  VerifyReport,
} from './order.ts'

export interface PoolOptions {
  /** Starts a child. */
  command: string[]
  size: number
  /** For bytes of anyone, however many there are. A document of the house that was taken gets more by its size. */
  wallMs: number
  rssBytes: number
  /** Children start with the pool and load what they need before there is a task; one that has worked and ends is replaced at once. */
  isPrewarmed?: boolean
}

/** An order by anyone on the net: it is never the one that leaves no child for the documents of the house. */
export interface PublicVerifyOrder extends VerifyOrder {
  isPublic: boolean
}

/**
 * What a large document may cost beyond the base once it was taken: time to read, write and sync it on a slow disk, and memory to hold it several times.
 * What was judged within the base must never fail to be sealed for want of either.
 */
const MS_PER_MB = 200
const RSS_PER_BYTE = 4
/**
 * Memory for a document that was accepted, as a multiple of what its inspection had. The two need about the same, and what one run takes differs from
 * the next: a file that inspection accepts close to its bound must never fail to be sealed.
 */
const RSS_AFTER_INSPECTION = 4 / 3

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The file a task reads. */
function pathOf(task: Task): string | undefined {
  switch (task.kind) {
    case 'inspect':
    case 'verify':
    case 'boxes':
    case 'cleanSignature':
    case 'judgeLogo':
      return task.order.path
    case 'prepare':
    case 'addValidationMaterial':
    case 'prepareTimeStamp':
      return task.order.sourcePath
    case 'overlay':
    case 'warm':
      return undefined
  }
}

const isPublic = (task: Task): boolean => task.kind === 'verify' && 'isPublic' in task.order && task.order.isPublic === true

/** An upload, or a file that a stranger asks about. */
const OF_ANYONE: ReadonlySet<Task['kind']> = new Set(['inspect', 'cleanSignature', 'judgeLogo'])
const isOfAnyone = (task: Task): boolean => OF_ANYONE.has(task.kind) || isPublic(task)

const WARM: Task = { kind: 'warm' }

type Line = 'house' | 'public'

/**
 * Places for `size` at a time; the others wait in line, the public behind the house. A place goes from one to the next without ever being free between
 * them. The public takes none that is the last, unless there is only one.
 */
function openPlaces(size: number) {
  const most: Record<Line, number> = { house: size, public: Math.max(1, size - 1) }
  const waiting: Record<Line, (() => void)[]> = { house: [], public: [] }
  let taken = 0
  return {
    async take(line: Line): Promise<void> {
      if (taken < most[line]) taken++
      else await new Promise<void>(resolve => waiting[line].push(resolve))
    },
    giveBack(): void {
      const next = waiting.house.shift() ?? (taken <= most.public ? waiting.public.shift() : undefined)
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
    const child = spawnChild(options.command, () => {
      all.delete(child)
      // Or who comes to it would start another in its stead, beside the one that stands ready by then.
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1)
      // One that never did anything is not replaced: its successor would do no better.
      if (child.hasServed()) warm()
    })
    all.add(child)
    return child
  }

  /** Sees to it that a child stands ready. */
  function warm(): void {
    if (!options.isPrewarmed || closed) return
    // A child that does not start is for the task to tell that needs it.
    startWarm().catch(() => undefined)
  }

  async function startWarm(): Promise<void> {
    await places.take('house')
    try {
      if (!closed && all.size < options.size) await runIn(start(), WARM, limitsFor(WARM))
    } finally {
      places.giveBack()
    }
  }

  function limitsFor(task: Task): Limits {
    if (isOfAnyone(task)) return { wallMs: options.wallMs, rssBytes: options.rssBytes }
    const path = pathOf(task)
    const bytes = path === undefined ? 0 : sizeOf(path)
    return {
      wallMs: options.wallMs + (bytes / 1_000_000) * MS_PER_MB,
      rssBytes: options.rssBytes * RSS_AFTER_INSPECTION + bytes * RSS_PER_BYTE,
    }
  }

  /** For who has a place. Those idle and those at work are never more than the places: a new one starts only when none is idle, or in the stead of one that ended. */
  async function childForPlace(): Promise<Child> {
    // Asked again after each end: meanwhile another may have become idle.
    for (let free = idle.pop(); free; free = idle.pop()) {
      if (free.isUsable()) return free
      await free.end()
    }
    if (closed) throw new PdfChildFailure('crash')
    return start()
  }

  async function runIn(child: Child, task: Task, limits: Limits): Promise<unknown> {
    try {
      return await child.run(task, limits)
    } finally {
      // Gone before the place is given back, so that its successor is not one too many.
      if (child.isUsable()) idle.push(child)
      else await child.end()
    }
  }

  for (let i = 0; i < options.size; i++) warm()

  return {
    async run(task: Task): Promise<unknown> {
      const limits = limitsFor(task)
      await places.take(isPublic(task) ? 'public' : 'house')
      try {
        return await runIn(await childForPlace(), task, limits)
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

/** Opens the pool; unless it is prewarmed, no child starts before the first task. A task fails with the system's error when its child cannot be started. */
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
    verify: async order => (await run({ kind: 'verify', order })) as VerifyReport | Unreadable,
    addValidationMaterial: async order =>
      (await run({ kind: 'addValidationMaterial', order })) as { path: string; sha256: string; bytes: number },
    prepareTimeStamp: async order => (await run({ kind: 'prepareTimeStamp', order })) as Prepared,
    boxes: async order => (await run({ kind: 'boxes', order })) as PageBox[],
    overlay: async order => (await run({ kind: 'overlay', order })) as { bytes: number },
    cleanSignature: async order => (await run({ kind: 'cleanSignature', order })) as CleanSignature,
    async judgeLogo(order) {
      try {
        return (await run({ kind: 'judgeLogo', order })) as LogoVerdict
      } catch (error) {
        if (!(error instanceof PdfChildFailure)) throw error
        return { verdict: 'unreadable' }
      }
    },
    close,
  }
}
