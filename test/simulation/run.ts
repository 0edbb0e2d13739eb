/** One run: a plan is carried out from its seed, and the model says what was broken. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '../../src/lib/log.ts'
import type { App } from '../../src/ports.ts'
import { makeAccounts } from './accounts.ts'
import { type Action, isCalm, type Plan, sentenceOf } from './action.ts'
import { answerQuestions, retainAMonth } from './administrator.ts'
import { Authority } from './authority.ts'
import { Batches } from './batches.ts'
import { Chance } from './chance.ts'
import { Client } from './client.ts'
import { Failures } from './failures.ts'
import { checkAll, checkBytes, checkLeft } from './final-checks.ts'
import { Follower } from './follower.ts'
import type { Surroundings } from './instance.ts'
import { Model } from './model.ts'
import { MailServer, Receiver } from './network.ts'
import { type Access, oneMachine, type Service, severalNodes } from './nodes.ts'
import { type Means, People } from './people.ts'
import { Sender } from './sender.ts'
import { Trace } from './trace.ts'
import { Life, World } from './world.ts'

const START = new Date('2026-11-20T09:00:00.000Z')
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** More than anything needs that ends. */
const MAX_STEPS = 100_000
/** When all failures have ended: no pause between two tries is longer than two days. */
const STAMPED_AFTER_DAYS = 3
/** After the last action: warnings, a month, and the erasure. */
const RETENTION_DAYS = 60
const HOOK = 'http://127.0.0.1:9/hook'

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
  /** One is a machine with SQLite. */
  nodes?: number
}

export async function simulate(plan: Plan, { days = 30, keepAll = false, nodes = 1 }: RunOptions = {}): Promise<Outcome> {
  const world = new World(new Chance(plan.seed), new Trace(keepAll), START)
  const violated: string[] = []
  const authority = plan.hasAuthority ? new Authority(world) : undefined
  const around = {
    mails: new MailServer(world),
    receiver: new Receiver(world),
    authority,
    violate: (sentence: string) => void violated.push(sentence),
  }
  const folder = mkdtempSync(join(ROOT, 'signet-simulation-'))
  const service = nodes === 1 ? oneMachine(world, folder, around) : await severalNodes(world, folder, around, nodes)
  const run = new Run(plan, days, { world, service, ...around })
  try {
    await run.all()
  } finally {
    await service.remove()
  }
  return {
    violations: [...run.model.violations, ...violated],
    digest: run.world.trace.digest(),
    lines: run.world.trace.lines,
    steps: run.world.steps,
    met: run.met,
  }
}

interface Parts extends Surroundings {
  world: World
  service: Service
}

/** Who acts in a run. */
interface Acting {
  program: Client
  people: People
  sender: Sender
  batches: Batches
}

class Run {
  readonly world: World
  readonly service: Service
  readonly model: Model
  readonly mails: MailServer
  readonly receiver: Receiver
  readonly authority: Authority | undefined
  readonly met = new Map<string, number>()
  readonly #plan: Plan
  readonly #outside = new Life('outside')
  readonly #failures: Failures
  #client: ((name: string, access: Access) => Client) | undefined
  #acting: Acting | undefined
  #follower: Follower | undefined

  constructor(
    plan: Plan,
    readonly days: number,
    { world, service, mails, receiver, authority }: Parts,
  ) {
    this.#plan = plan
    this.world = world
    this.service = service
    this.mails = mails
    this.receiver = receiver
    this.authority = authority
    this.model = new Model(world, service)
    const { model } = this
    const met = (failure: string) => this.#met(failure)
    this.#failures = new Failures({ world, service, model, mails, receiver, authority, met })
    world.beforeStep = () => this.#failures.beforeStep()
  }

  /** Of any node that serves. */
  get #app(): App | undefined {
    return this.service.nodes.find(({ life, app }) => app && !life?.isFrozen)?.app
  }

  get acting(): Acting {
    if (!this.#acting) throw new Error('the run has not been set up')
    return this.#acting
  }

  async all(): Promise<void> {
    await this.#setUp()
    for (const planned of this.#plan.actions) {
      this.world.trace.say(this.world.nowMs, 'plan', sentenceOf(planned))
      const work = this.#noted(this.#carryOut(planned.action))
      if (planned.beside) {
        for (let i = this.world.chance.below(40); i > 0; i--) await this.world.step(this.world.nowMs + 1000)
      } else await this.#settle(work)
      if (this.model.violations.length > 0) return
    }
    await this.#finish()
  }

  /** Also of what nobody waits for: whatever happens to the service, an action ends. */
  async #noted(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.world.trace.say(this.world.nowMs, 'plan', error instanceof Error ? `${error.stack}` : 'an action failed')
      this.model.violate(`an action failed: ${errorMessage(error)}`)
    }
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
    const { service, world } = this
    await this.#settle(Promise.all(service.nodes.map(node => node.start())))
    const app = this.#app
    if (!app) throw new Error('the first start failed')
    const { token, memberToken } = await makeAccounts(app, work => this.#settle(work))
    const client = (name: string, access = service.access(false), itsToken = token) =>
      new Client(world, access, itsToken, name, (what, answer) => this.model.noteAnswer(what, answer))
    this.#client = client
    const program = client('program')
    const { mails, model } = this
    const means: Means = {
      world,
      service,
      model,
      mails,
      program,
      stranger: client('stranger', undefined, memberToken),
      acknowledged: () => this.#failures.acknowledged(),
    }
    this.#acting = { program, people: new People(means), sender: new Sender(means), batches: new Batches(means) }
    this.#follower = new Follower(client('follower'), this.model)
    const hook = program.ask('POST', '/webhooks', { url: HOOK, events: ['*'] })
    await this.#settle(hook)
    if ((await hook)?.status !== 201) throw new Error(`the webhook was not made: ${JSON.stringify((await hook)?.body)}`)
    void this.#noted(this.#follow())
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

  #isOver = false

  #met(failure: string): void {
    this.met.set(failure, (this.met.get(failure) ?? 0) + 1)
  }

  async #carryOut(action: Action): Promise<void> {
    for (const failure of this.#failures.present) this.#met(`${action.kind} × ${failure}`)
    this.#met(action.kind)
    const { people, sender, batches, program } = this.acting
    switch (action.kind) {
      case 'create':
        return people.create(action)
      case 'send':
      case 'void':
      case 'delete':
      case 'remind':
        return people.change(action)
      case 'sign':
        return people.signOne(action)
      case 'sign all':
        return people.signAll(action.which)
      case 'look':
        return people.look(action.which)
      case 'hand over':
        return people.handOver(action)
      case 'edit':
        return sender.edit(action)
      case 'correct':
        return sender.correct(action)
      case 'hold':
        return sender.hold(action)
      case 'batch':
        return batches.send(action)
      case 'look at batch':
        return batches.look(action)
      case 'pass':
        return this.#pass(action.ms)
      case 'retention':
        return this.#retain()
      default:
        return this.#failures.begin(action, program)
    }
  }

  async #retain(): Promise<void> {
    const node = this.service.nodes.find(({ app }) => app)
    if (!node?.app) return
    this.model.retainedSinceMs ??= this.world.nowMs
    await retainAMonth(node.app, node.gone)
  }

  /** Time passes: lived through at its ends, and between them in leaps with the schedule. */
  async #pass(ms: number): Promise<void> {
    const { world } = this
    const untilMs = world.nowMs + ms
    // Several nodes look each second for work, which takes them long. At the end little happens,
    // except that time-stamps are renewed.
    const isLong = this.service.shared || (this.#failures.isEnding && !this.authority)
    const leapMs = isLong ? DAY_MS : 12 * HOUR_MS
    await world.sleep(this.#outside, Math.min(ms, 30_000))
    while (world.nowMs < untilMs) {
      if (untilMs - world.nowMs > MINUTE_MS) world.leap(Math.min(untilMs - world.nowMs, leapMs) - 30_000)
      await Promise.all(this.service.nodes.map(node => node.runSchedule()))
      await world.sleep(this.#outside, 30_000)
    }
  }

  /** Failures end, time passes, and everything must come to its end. */
  async #finish(): Promise<void> {
    const { world } = this
    world.trace.say(world.nowMs, 'plan', 'all failures end')
    this.#failures.end()
    await this.#compare(await this.#comeToEnd())
  }

  /** Returns when nothing was sealed any more. */
  async #comeToEnd(): Promise<number> {
    const { world, service, model } = this
    await this.#settle(this.#pass(MINUTE_MS))
    if (!service.nodes.every(({ isServing }) => isServing)) await this.#settle(this.#pass(12 * HOUR_MS))
    const hasJumped = model.largestJumpMs > 0
    if (this.#app) await this.#settle(answerQuestions(this.#app, hasJumped ? world.chance.pick(['right', 'corrected']) : 'right'))
    await this.#settle(this.#sendBatches())
    const settledMs = world.nowMs + DAY_MS
    const moreDays = model.retainedSinceMs === undefined ? 4 : RETENTION_DAYS
    const endMs = Math.max(START.getTime() + this.days * DAY_MS, world.nowMs + moreDays * DAY_MS)
    for (let day = 1; world.nowMs < endMs; day++) {
      await this.#settle(this.#pass(DAY_MS))
      if (day !== STAMPED_AFTER_DAYS || !this.authority) continue
      model.level = 'B-LTA'
      await this.#settle(this.acting.people.readAll())
    }
    return settledMs
  }

  /** The schedule sends rows each second, which leaps leave out. */
  async #sendBatches(): Promise<void> {
    for (let i = 0; i < this.acting.batches.rowCount; i++) {
      await Promise.all(this.service.nodes.map(node => node.runSchedule()))
      await this.world.sleep(this.#outside, 1_000)
    }
  }

  /** `settledMs`: since when nothing is sealed any more. */
  async #compare(settledMs: number): Promise<void> {
    const { service, model } = this
    const { receiver } = this
    const { program, people, batches } = this.acting
    const [follower, client] = [this.#follower, this.#client]
    // Each asks one node alone.
    const nodes = service.shared ? service.nodes : []
    const ofNodes = nodes.flatMap((node, i) => client?.(`follower of node ${i + 1}`, node) ?? [])
    if (follower) await this.#settle(checkAll({ model, people, batches, program, receiver, follower, ofNodes }))
    this.#isOver = true
    const { mails, authority } = this
    await checkLeft({ model, mails, receiver, authority, settledMs, isCalm: isCalm(this.#plan) })
    await this.#checkStored()
  }

  /** On the disk of one machine. */
  async #checkStored(): Promise<void> {
    const [machine] = this.service.nodes
    if (!machine || this.service.shared) return
    await this.#failures.backups?.check()
    if (this.model.erased.size === 0) return
    await this.#settle(machine.stop())
    checkBytes(machine.folder, this.model)
  }
}
