/** One run: a plan is carried out from its seed, and the model says what was broken. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { changeRetention } from '../../src/documents/retention.ts'
import { answerClock } from '../../src/health/clock-watch.ts'
import { SCHEDULE } from '../../src/jobs/schedule.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import type { Action, Plan } from './action.ts'
import { sentenceOf } from './action.ts'
import { Authority } from './authority.ts'
import { Chance } from './chance.ts'
import { Client } from './client.ts'
import { Follower } from './follower.ts'
import { Installation } from './instance.ts'
import { Model } from './model.ts'
import { MailServer, Receiver } from './network.ts'
import { People } from './people.ts'
import { insertToken } from './token.ts'
import { Trace } from './trace.ts'
import { Life, World } from './world.ts'

const START = new Date('2026-11-20T09:00:00.000Z')
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** More than anything needs that ends. */
const MAX_STEPS = 100_000
/** As a supervisor waits before the next start. */
const START_AGAIN_MS = 10_000
const GRACE = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const MEMBER = 'usr_01m8e373j07cgvrn3g0kx11v21'
/** After the last action: warnings, a month, and the erasure. */
const RETENTION_DAYS = 60
const HOOK = 'http://127.0.0.1:9/hook'
const ALL_ENTRIES = SCHEDULE.map(({ name }) => name)

export interface Outcome {
  violations: string[]
  /** Hash of everything that happened, in order. */
  digest: string
  lines: readonly string[]
  steps: number
  /** Counts by action and failure, for the table of coverage. */
  met: Map<string, number>
}

export interface RunOptions {
  /** So long, at least. */
  days?: number
  /** Keeps each line of the trace. */
  keepAll?: boolean
}

export async function simulate(plan: Plan, { days = 30, keepAll = false }: RunOptions = {}): Promise<Outcome> {
  const run = new Run(plan, days, new Trace(keepAll))
  try {
    await run.all()
  } finally {
    await run.installation.remove()
  }
  return {
    violations: run.model.violations,
    digest: run.world.trace.digest(),
    lines: run.world.trace.lines,
    steps: run.world.steps,
    met: run.met,
  }
}

class Run {
  readonly world: World
  readonly installation: Installation
  readonly model: Model
  readonly mails: MailServer
  readonly receiver: Receiver
  readonly authority: Authority | undefined
  readonly met = new Map<string, number>()
  readonly #plan: Plan
  readonly #outside = new Life('outside')
  readonly #running = new Set<Promise<void>>()
  #program: Client | undefined
  #people: People | undefined
  #follower: Follower | undefined
  /** A kill that waits for its step, or for an answer. */
  #kill: { atStep: number; power: boolean; downMs: number } | undefined
  #killAfterAnswer: { power: boolean; downMs: number } | undefined
  #startAtMs: number | undefined
  #failures = new Set<string>()

  constructor(
    plan: Plan,
    readonly days: number,
    trace: Trace,
  ) {
    this.#plan = plan
    this.world = new World(new Chance(plan.seed), trace, START)
    this.mails = new MailServer(this.world)
    this.receiver = new Receiver(this.world)
    this.authority = plan.hasAuthority ? new Authority(this.world) : undefined
    const folder = mkdtempSync(join(ROOT, 'signet-simulation-'))
    const { mails, receiver, authority } = this
    this.installation = new Installation(this.world, folder, { mails, receiver, authority })
    this.model = new Model(this.world, this.installation)
    this.world.beforeStep = () => this.#beforeStep()
  }

  get people(): People {
    if (!this.#people) throw new Error('the run has not been set up')
    return this.#people
  }

  get program(): Client {
    if (!this.#program) throw new Error('the run has not been set up')
    return this.#program
  }

  async all(): Promise<void> {
    await this.#setUp()
    for (const planned of this.#plan.actions) {
      this.world.trace.say(this.world.nowMs, 'plan', sentenceOf(planned))
      const work = this.#carryOut(planned.action)
      if (planned.beside) {
        this.#keep(work)
        for (let i = this.world.chance.below(40); i > 0; i--) await this.world.step(this.world.nowMs + 1000)
      } else await this.#settle(work)
      if (this.model.violations.length > 0) return
    }
    await this.#finish()
  }

  #keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#running.delete(kept))
    this.#running.add(kept)
  }

  /** Others go on meanwhile, and may let days pass. */
  async #settle(work: Promise<unknown>): Promise<void> {
    let failure: unknown
    const watched = work.catch(error => {
      failure = error
    })
    if (!(await this.world.runUntilSettled(watched, MAX_STEPS))) this.model.violate('an action does not end')
    if (failure !== undefined) throw failure
  }

  async #setUp(): Promise<void> {
    const { installation, world } = this
    await this.#settle(installation.start())
    const { app } = installation
    if (!app) throw new Error('the first start failed')
    const token = await insertToken(app, work => this.#settle(work))
    await this.#settle(createAdmin(app, GRACE))
    const memberToken = await insertToken(app, work => this.#settle(work), MEMBER)
    const client = (name: string, itsToken = token) =>
      new Client(world, installation, itsToken, name, (what, answer) => {
        this.model.noteAnswer(what, answer)
      })
    this.#program = client('program')
    const { mails, model } = this
    this.#people = new People({
      world,
      installation,
      model,
      mails,
      program: this.program,
      stranger: client('stranger', memberToken),
      acknowledged: () => this.#acknowledged(),
    })
    this.#follower = new Follower(client('follower'), this.model)
    const hook = this.program.ask('POST', '/webhooks', { url: HOOK, events: ['*'] })
    await this.#settle(hook)
    if ((await hook)?.status !== 201) throw new Error(`the webhook was not made: ${JSON.stringify((await hook)?.body)}`)
    this.#keep(this.#follow())
  }

  /** Polls while something goes on; a leap of time lets it poll once. */
  async #follow(): Promise<void> {
    const { world } = this
    const { chance } = world
    while (!this.#isOver) {
      await this.#follower?.poll()
      // Through each burst, in which hardly any time passes.
      for (let i = chance.between(5, 60); i > 0 && world.isBusy; i--) await world.wait(this.#outside, 'between two polls')
      if (!world.isBusy) await world.sleep(this.#outside, chance.between(300, 9_000))
    }
  }

  /** What the clock has shown beyond the true time. */
  readonly #offsetsMs = [0]
  /** No failure begins any more, also of an action that others have overtaken. */
  #isEnding = false
  #isOver = false

  /** Between two steps: a kill that is due, and the next start. */
  async #beforeStep(): Promise<void> {
    const { world, installation } = this
    const kill = this.#kill
    if (kill && world.steps >= kill.atStep) {
      this.#kill = undefined
      await this.#end(kill.power, kill.downMs)
    }
    if (installation.hasExited) await this.#end(false, 1000)
    if (this.#startAtMs !== undefined && world.nowMs >= this.#startAtMs && !installation.life) {
      this.#startAtMs = undefined
      this.#start()
    }
  }

  async #end(power: boolean, downMs: number): Promise<void> {
    this.#met(power ? 'power' : 'kill')
    await this.installation.kill(power)
    this.#startAtMs = this.world.nowMs + downMs
    // So that the time of the start comes.
    this.world.after(this.#outside, downMs, () => undefined)
  }

  /** A start that fails, as on a full disk, is tried again by the supervisor. */
  #start(): void {
    this.installation.start().catch(async (error: unknown) => {
      const { world } = this
      world.trace.say(world.nowMs, 'supervisor', `the start failed: ${error instanceof Error ? error.message : error}`)
      await this.#end(false, START_AGAIN_MS)
    })
  }

  #met(failure: string): void {
    this.met.set(failure, (this.met.get(failure) ?? 0) + 1)
  }

  async #carryOut(action: Action): Promise<void> {
    for (const failure of this.#failures) this.#met(`${action.kind} × ${failure}`)
    this.#met(action.kind)
    switch (action.kind) {
      case 'create':
        return this.people.create(action)
      case 'send':
      case 'void':
      case 'delete':
      case 'remind':
        return this.people.change(action)
      case 'sign':
        return this.people.signOne(action)
      case 'sign all':
        return this.people.signAll(action.which)
      case 'look':
        return this.people.look(action.which)
      case 'pass':
        return this.#pass(action.ms)
      case 'retention':
        return this.#retain()
      default:
        return this.#failure(action)
    }
  }

  async #retain(): Promise<void> {
    const { app } = this.installation
    if (!app) return
    this.model.retainedSinceMs ??= this.world.nowMs
    const months = { completed: 1, voided: 1, declined: 1, expired: 1 }
    await Promise.race([changeRetention(app, COMMAND_LINE, months), this.installation.gone]).catch(noteRefusal)
  }

  async #failure(action: Action): Promise<void> {
    const { installation, world } = this
    switch (action.kind) {
      case 'kill':
        this.#kill = { ...action, atStep: world.steps + action.afterSteps }
        return
      case 'kill after answer':
        this.#killAfterAnswer = action
        return
      case 'restart':
        return this.#restart(action.downMs)
      case 'clock':
        return this.#setClock(action.byMs, action.atStart)
      case 'mail':
        this.mails.way = action.way
        return this.#setFailure('mail', action.way, 'accepted')
      case 'receiver':
        this.receiver.way = action.way
        return this.#setFailure('receiver', action.way, 'answers')
      case 'child':
        installation.childWay = action.way
        return this.#setFailure('child', action.way, 'works')
      case 'authority':
        if (!this.authority) return
        this.authority.way = action.way
        return this.#setFailure('authority', action.way, 'stamps')
      case 'disk':
        installation.disk.failing = { code: action.code, calls: action.calls }
        this.#met(`disk ${action.code}`)
        return
      default:
        throw new Error(`no failure: ${action.kind}`)
    }
  }

  #setFailure(kind: string, way: string, usual: string): void {
    for (const failure of this.#failures) if (failure.startsWith(`${kind} `)) this.#failures.delete(failure)
    if (way !== usual) this.#failures.add(`${kind} ${way}`)
  }

  async #restart(downMs: number): Promise<void> {
    if (!this.installation.isServing || this.#startAtMs !== undefined) return
    await this.installation.stop()
    this.#startAtMs = this.world.nowMs + downMs
    this.world.after(this.#outside, downMs, () => undefined)
  }

  async #setClock(byMs: number, atStart: boolean): Promise<void> {
    if (atStart) await this.#restart(1000)
    if (this.#isEnding) return
    this.installation.clockOffsetMs += byMs
    this.#offsetsMs.push(this.installation.clockOffsetMs)
    this.model.largestJumpMs = Math.max(...this.#offsetsMs) - Math.min(...this.#offsetsMs)
  }

  /** After an acknowledged change, the process may end before anything else is done. */
  #acknowledged(): void {
    const kill = this.#killAfterAnswer
    if (!kill) return
    this.#killAfterAnswer = undefined
    this.#kill = { ...kill, atStep: this.world.steps }
  }

  /** Time passes: lived through at its ends, and between them in leaps with the schedule. */
  async #pass(ms: number): Promise<void> {
    const { world } = this
    const untilMs = world.nowMs + ms
    await world.sleep(this.#outside, Math.min(ms, 30_000))
    while (world.nowMs < untilMs) {
      if (untilMs - world.nowMs > MINUTE_MS) world.leap(Math.min(untilMs - world.nowMs, 12 * HOUR_MS) - 30_000)
      await this.installation.runSchedule(ALL_ENTRIES)
      await world.sleep(this.#outside, 30_000)
    }
  }

  /** Failures end, time passes, and everything must come to its end. */
  async #finish(): Promise<void> {
    const { world, installation, model } = this
    world.trace.say(world.nowMs, 'plan', 'all failures end')
    this.#isEnding = true
    this.mails.way = 'accepted'
    this.receiver.way = 'answers'
    if (this.authority) this.authority.way = 'stamps'
    installation.childWay = 'works'
    installation.disk.failing = undefined
    this.#kill = undefined
    this.#killAfterAnswer = undefined
    installation.clockOffsetMs = 0
    await this.#settle(this.#pass(MINUTE_MS))
    if (!installation.isServing) await this.#settle(this.#pass(12 * HOUR_MS))
    await this.#answerClock()
    const settledMs = world.nowMs + DAY_MS
    const moreDays = model.retainedSinceMs === undefined ? 4 : RETENTION_DAYS
    const endMs = Math.max(START.getTime() + this.days * DAY_MS, world.nowMs + moreDays * DAY_MS)
    while (world.nowMs < endMs) await this.#settle(this.#pass(DAY_MS))
    await this.#settle(this.#checkAll())
    this.#isOver = true
    model.checkLog()
    model.checkQueues()
    model.checkBounds()
    model.checkMails(this.mails)
    if (this.authority) model.checkTimestamps(this.authority, settledMs)
  }

  async #answerClock(): Promise<void> {
    const { app } = this.installation
    if (!app || this.model.largestJumpMs === 0) return
    await this.#settle(answerClock(app, this.world.chance.pick(['right', 'corrected']), COMMAND_LINE).catch(noteRefusal))
  }

  async #checkAll(): Promise<void> {
    const { model, program } = this
    await this.people.readAll()
    const listed = await program.ask('GET', '/documents?limit=100')
    if (listed) model.checkList(listed.body.data)
    await this.#follower?.poll()
    const feed = this.#follower?.events ?? []
    model.checkFeed(feed)
    model.checkDeliveries(this.receiver, feed)
  }
}

/** A disk that is full refuses: the administrator reads so. */
function noteRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
