/** Begins and ends what goes wrong with the machines of a run, and with what is around them. */
import type { Action } from './action.ts'
import { Backups } from './backups.ts'
import type { Client } from './client.ts'
import type { ClusterAction } from './cluster-actions.ts'
import { ClusterFailures } from './cluster-failures.ts'
import type { Installation, Surroundings } from './instance.ts'
import type { Model } from './model.ts'
import type { MailServer, Receiver } from './network.ts'
import type { Service } from './nodes.ts'
import { type Kill, Supervisor } from './supervisor.ts'
import type { World } from './world.ts'

/** After the last signature, until the document is completed. */
const COMMITS_OF_A_SEAL = 8
const STEPS_OF_A_BACKUP = 400

interface Around {
  world: World
  service: Service
  model: Model
  mails: MailServer
  receiver: Receiver
  authority: Surroundings['authority']
  /** Counts what goes wrong, for the table of coverage. */
  met(failure: string): void
}

/** Of a node, counted around; of the first one where an action names none. */
type OfNode = { node?: number }

export class Failures {
  /** What goes wrong at present, as the table of coverage names it. */
  readonly present = new Set<string>()
  readonly #around: Around
  /** Of one machine with SQLite. */
  readonly backups: Backups | undefined
  readonly #cluster: ClusterFailures | undefined
  /** By node. */
  readonly #supervisors: readonly Supervisor[]
  #killAfterAnswer: Kill | undefined
  /** No failure begins any more, also of an action that others have overtaken. */
  #isEnding = false

  constructor(around: Around) {
    const { world, service, model, met } = around
    this.#around = around
    if (service.shared) this.#cluster = new ClusterFailures(world, service, service.shared, model)
    const [machine] = service.nodes
    if (machine && !service.shared) this.backups = new Backups(world, machine, model)
    this.#supervisors = service.nodes.map(node => new Supervisor(world, node, met))
  }

  async beforeStep(): Promise<void> {
    for (const supervisor of this.#supervisors) await supervisor.beforeStep()
  }

  get isEnding(): boolean {
    return this.#isEnding
  }

  #nodeOf({ node = 0 }: OfNode): Installation {
    const { nodes } = this.#around.service
    return nodes[node % nodes.length] as Installation
  }

  #supervisorOf({ node = 0 }: OfNode): Supervisor {
    return this.#supervisors[node % this.#supervisors.length] as Supervisor
  }

  async begin(action: Action, program: Client): Promise<void> {
    const { service, mails, receiver, authority, met } = this.#around
    switch (action.kind) {
      case 'kill':
        return this.#supervisorOf(action).killAfter(action.afterSteps, action)
      case 'kill at commit':
        return this.#supervisorOf({}).killAtCommit(action.afterCommits, action)
      case 'kill after answer':
        this.#killAfterAnswer = action
        return
      case 'restart':
        return this.#supervisorOf(action).restart(action.downMs)
      case 'clock':
        return this.#setClock(action)
      case 'upkeep':
        return this.#upkeep(action)
      case 'mail':
        mails.way = action.way
        return this.#note('mail', action.way, 'accepted')
      case 'receiver':
        receiver.way = action.way
        return this.#note('receiver', action.way, 'answers')
      case 'child':
        for (const node of service.nodes) node.childWay = action.way
        return this.#note('child', action.way, 'works')
      case 'authority':
        if (!authority) return
        authority.way = action.way
        return this.#note('authority', action.way, 'stamps')
      case 'disk':
        this.#nodeOf(action).disk.fail(action.code, action.calls)
        // A sync that somebody did not wait for shows at a loss of power alone.
        if (action.code === 'slow syncs' && !this.#isEnding) this.#killAfterAnswer ??= { power: true, downMs: 2_000 }
        return met(`disk ${action.code}`)
      default:
        return this.#beginOfNodes(action as ClusterAction, program)
    }
  }

  async #upkeep({ way, isKilled }: Extract<Action, { kind: 'upkeep' }>): Promise<void> {
    const supervisor = this.#supervisorOf({})
    if (way !== 'makes a backup') return supervisor.upkeep({ way, isKilled })
    if (isKilled) supervisor.killAfter(this.#around.world.chance.below(STEPS_OF_A_BACKUP), { power: false, downMs: 10_000 })
    await this.backups?.make()
  }

  async #beginOfNodes(action: ClusterAction, program: Client): Promise<void> {
    if (this.#isEnding) return
    if (action.kind === 'bucket') this.#note('bucket', action.way, 'works')
    if (action.kind === 'statement') this.#around.met(`${action.at} ${action.way}`)
    await this.#cluster?.begin(action, program)
  }

  #note(kind: string, way: string, usual: string): void {
    for (const failure of this.present) if (failure.startsWith(`${kind} `)) this.present.delete(failure)
    if (way !== usual) this.present.add(`${kind} ${way}`)
  }

  async #setClock(action: Extract<Action, { kind: 'clock' }>): Promise<void> {
    const { world, service, model } = this.#around
    const machine = this.#nodeOf(action)
    if (action.atStart) await this.#supervisorOf(action).restart(1000)
    if (this.#isEnding) return
    machine.clockOffsetMs += action.byMs
    machine.clockSetMs = world.nowMs
    // Several nodes follow the clock of their database, which is right.
    if (!service.shared) model.noteClock(machine.clockOffsetMs)
  }

  /** After an acknowledged change, the process may end before anything else is done. */
  acknowledged(): void {
    const kill = this.#killAfterAnswer
    if (!kill) return
    this.#killAfterAnswer = undefined
    const { world, service } = this.#around
    const supervisor = this.#supervisorOf({ node: service.shared?.answeredLast ?? 0 })
    // Or among the commits that follow from it, such as those of the seal.
    if (service.shared || world.chance.happens(0.5)) supervisor.killAfter(0, kill)
    else supervisor.killAtCommit(world.chance.below(COMMITS_OF_A_SEAL), kill)
  }

  /** Everything works again. */
  end(): void {
    const { service, mails, receiver, authority } = this.#around
    this.#isEnding = true
    mails.way = 'accepted'
    receiver.way = 'answers'
    if (authority) authority.way = 'stamps'
    this.#killAfterAnswer = undefined
    for (const supervisor of this.#supervisors) supervisor.spare()
    for (const node of service.nodes) {
      node.childWay = 'works'
      node.disk.fail(undefined)
      node.clockOffsetMs = 0
    }
    this.#cluster?.end()
  }
}
