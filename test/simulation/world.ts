/**
 * One process, one loop: what waits at a port of any instance goes on in the order that the seed
 * chooses, and time passes only when nothing waits. ../../src/lib/machine.ts has the ports.
 */
import type { Cancel } from '../../src/lib/machine.ts'
import type { Chance } from './chance.ts'
import type { Trace } from './trace.ts'

/** Who waits: one life of an instance, or somebody outside. What is dead is never resumed. */
export class Life {
  isDead = false
  /** As a machine that was suspended: nothing of it goes on, and its timers fire late. */
  isFrozen = false
  constructor(readonly name: string) {}
}

interface Waiting {
  life: Life
  what: string
  /** Until then it cannot be released. */
  isReady(): boolean
  resume(): void
}

interface Timer {
  life: Life
  atMs: number
  order: number
  run(): void
}

/** Part of the releases with which some milliseconds pass. */
const PASSING = 0.02
const MAX_PASSING_MS = 40

const mayGoOn = ({ life, isReady }: Waiting): boolean => !life.isFrozen && isReady()

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

export class World {
  /** The true time, which no clock of an instance has to show. */
  nowMs: number
  steps = 0
  /** Called before each choice: what happens to the instances between two steps. */
  beforeStep: () => void | Promise<void> = () => undefined
  readonly #waiting: Waiting[] = []
  #timers: Timer[] = []
  #order = 0
  #opaque = new Set<Promise<unknown>>()

  constructor(
    readonly chance: Chance,
    readonly trace: Trace,
    start: Date,
  ) {
    this.nowMs = start.getTime()
  }

  /** Goes on when the seed chooses it, of those that are ready. A dead life never does. */
  wait(life: Life, what: string, isReady = () => true): Promise<void> {
    return new Promise(resume => {
      if (!life.isDead) this.#waiting.push({ life, what, isReady, resume })
    })
  }

  /** Waits before the effect and after it: who ends between them has done it and never knows. */
  async call<T>(life: Life, what: string, effect: () => T | Promise<T>): Promise<T> {
    await this.wait(life, what)
    const result = await this.settle(effect)
    await this.wait(life, `${what}: done`)
    if ('error' in result) throw result.error
    return result.value
  }

  /** Work outside the order of the world, such as PDF code: the loop waits for its end. */
  async settle<T>(effect: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#opaque.add(promise)
    try {
      return { value: await effect() }
    } catch (error) {
      return { error }
    } finally {
      this.#opaque.delete(promise)
      resolve()
    }
  }

  after(life: Life, ms: number, run: () => void): Cancel {
    if (!Number.isFinite(ms)) return () => undefined
    const timer: Timer = { life, atMs: this.nowMs + Math.max(1, Math.ceil(ms)), order: this.#order++, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(each => each !== timer)
    }
  }

  every(life: Life, ms: number, run: () => void): Cancel {
    let cancel: Cancel = () => undefined
    const again = () => {
      cancel = this.after(life, ms, () => {
        again()
        run()
      })
    }
    again()
    return () => cancel()
  }

  sleep(life: Life, ms: number): Promise<void> {
    return new Promise(resolve => this.after(life, ms, resolve))
  }

  /** Whether something waits that time alone does not bring. */
  get isBusy(): boolean {
    return this.#waiting.some(mayGoOn)
  }

  /** As `work`, or undefined when it takes longer. The work itself goes on. */
  async within<T>(life: Life, ms: number, work: Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>()
    const cancel = this.after(life, ms, () => late.resolve(undefined))
    try {
      return await Promise.race([work, late.promise])
    } finally {
      cancel()
    }
  }

  /** Drops what a dead instance waits for. */
  bury(life: Life): void {
    life.isDead = true
    for (let i = this.#waiting.length - 1; i >= 0; i--) if (this.#waiting[i]?.life === life) this.#waiting.splice(i, 1)
    this.#timers = this.#timers.filter(timer => timer.life !== life)
  }

  /** No code runs any more until something is released. */
  async rest(): Promise<void> {
    do {
      while (this.#opaque.size > 0) await Promise.race(this.#opaque)
      await nextTurn()
      await nextTurn()
    } while (this.#opaque.size > 0)
  }

  /** Releases one that waits, or lets time pass to the next timer up to `untilMs`. */
  async step(untilMs: number): Promise<boolean> {
    await this.rest()
    await this.beforeStep()
    await this.rest()
    this.steps++
    return this.#release() || this.#fire(untilMs)
  }

  #release(): boolean {
    const free = this.#waiting.filter(mayGoOn)
    if (free.length === 0) return false
    const chosen = this.chance.pick(free)
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1)
    const { life, what, resume } = chosen
    if (this.chance.happens(PASSING)) this.nowMs += this.chance.between(1, MAX_PASSING_MS)
    this.trace.add(this.nowMs, life.name, what)
    resume()
    return true
  }

  #fire(untilMs: number): boolean {
    const next = this.#timers.reduce<Timer | undefined>(
      (first, timer) =>
        !timer.life.isFrozen &&
        (first === undefined || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order))
          ? timer
          : first,
      undefined,
    )
    if (next === undefined || next.atMs > untilMs) return false
    this.#timers = this.#timers.filter(timer => timer !== next)
    this.nowMs = Math.max(this.nowMs, next.atMs)
    this.trace.add(this.nowMs, next.life.name, 'timer')
    next.run()
    return true
  }

  /** Lets everything go on until this has settled. Returns false if it needs more steps. */
  async runUntilSettled(work: Promise<unknown>, maxSteps: number): Promise<boolean> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    work.then(settle, settle)
    for (let i = 0; i < maxSteps; i++) {
      await this.rest()
      if (isSettled) return true
      if (!(await this.step(Number.POSITIVE_INFINITY))) return isSettled
    }
    return false
  }

  /** As on a machine that was suspended: time has passed, and nothing has run. */
  leap(ms: number): void {
    this.nowMs += ms
  }
}
