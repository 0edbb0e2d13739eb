/** Runs long checks while the service goes on, and stores their progress and results in rows. */
import { appendInstanceEvent, auditHead, type ChainVerdict, verifyChain } from '../audit/log.ts'
import type { Json } from '../core/document/event.ts'
import { errorMessage } from '../lib/log.ts'
import type { App, LongCheck, LongChecks, Origin } from '../ports.ts'
import { deepChecksOf, type Pace } from './checks.ts'
import { type Finding, runChecks } from './finding.ts'
import { checkRun, finishRun, insertRun, isRunning, noteProgress } from './queries.ts'

/** Few, so that requests wait for milliseconds only. */
const ENTRIES_AT_ONCE = 200
const PROGRESS_EVERY_MS = 1000

export interface ChainResult {
  /** Undefined if the check itself failed. */
  verdict?: ChainVerdict
  failure?: string
}

/** Ends a check when the process ends. */
class ClosedError extends Error {}

export class BackgroundChecks implements LongChecks {
  readonly #app: App
  readonly #running = new Map<LongCheck, Promise<void>>()
  #isClosed = false

  constructor(app: App) {
    this.#app = app
  }

  async start(name: LongCheck, origin: Origin): Promise<boolean> {
    const app = this.#app
    const isNew = await app.write(
      async tx => {
        if (this.#running.has(name) || (await isRunning(tx, await checkRun(tx, name)))) return false
        const total = name === 'audit log' ? (await auditHead(tx)).sequence : 0
        await insertRun(tx, name, { boot: app.node.boot, actor: origin.actor.label, at: app.now(), total })
        return true
      },
      { wake: false },
    )
    if (!isNew) return false
    const work = name === 'audit log' ? this.#checkChain(origin) : this.#checkInstallation()
    const running = work.catch(error => this.#noteFailure(name, error)).finally(() => this.#running.delete(name))
    this.#running.set(name, running)
    return true
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  async #checkChain(origin: Origin): Promise<void> {
    const app = this.#app
    const verdict = await verifyChain(app.db, this.#pace('audit log'))
    const data: Record<string, Json> =
      'head' in verdict ? { entries: verdict.count, hash: verdict.head } : ({ ...verdict } as Record<string, Json>)
    await app.write(async tx => {
      await finishRun(tx, 'audit log', app.now(), { verdict } satisfies ChainResult)
      await appendInstanceEvent(tx, app, { type: 'audit.checked', data }, origin)
    })
  }

  async #checkInstallation(): Promise<void> {
    const app = this.#app
    const findings: Finding[] = await runChecks(deepChecksOf(app, this.#pace('installation')))
    if (this.#isClosed) throw new ClosedError()
    await app.write(tx => finishRun(tx, 'installation', app.now(), findings), { wake: false })
  }

  /** Uses the processor at most half of the time. Stores the progress of the audit log's check. */
  #pace(name: LongCheck): Pace {
    const app = this.#app
    let notedMs = app.steadyMs()
    let batchMs = notedMs
    return {
      rowsAtOnce: ENTRIES_AT_ONCE,
      progress: async done => {
        if (this.#isClosed) throw new ClosedError()
        const nowMs = app.steadyMs()
        if (name === 'audit log' && nowMs - notedMs >= PROGRESS_EVERY_MS) {
          notedMs = nowMs
          // A crash may undo it: the check ends with the process anyway.
          await app.writeUnsynced(tx => noteProgress(tx, name, done))
        }
        await app.timers.sleep(Math.min(50, nowMs - batchMs))
        batchMs = app.steadyMs()
      },
    }
  }

  /** A check that could not be finished is an answer, too. */
  async #noteFailure(name: LongCheck, error: unknown): Promise<void> {
    const app = this.#app
    if (error instanceof ClosedError) return
    const failure = errorMessage(error)
    app.log('error', 'a check did not end', { name, error: failure })
    const result = name === 'audit log' ? { failure } : [{ name, verdict: 'error', message: failure } satisfies Finding]
    await app
      .write(tx => finishRun(tx, name, app.now(), result), { wake: false })
      .catch(cause => app.log('error', 'the result of a check could not be stored', { name, error: errorMessage(cause) }))
  }
}
