/** Ends and starts the processes of one machine: as failures do, and as its supervisor does. */
import { resume } from './administrator.ts'
import type { Installation } from './instance.ts'
import { doUpkeep, type OfflineUpkeep } from './upkeep.ts'
import { Life, type World } from './world.ts'

/** `downMs`: until the next start. */
export interface Kill {
  power: boolean
  downMs: number
}

/** As a supervisor waits before the next start. */
const START_AGAIN_MS = 10_000
const EXIT_MS = 1_000

export class Supervisor {
  readonly #life = new Life('supervisor')
  #kill: (Kill & { atStep?: number; atCommit?: number }) | undefined
  #startAtMs: number | undefined
  #upkeep: OfflineUpkeep | undefined

  constructor(
    readonly world: World,
    readonly machine: Installation,
    /** Counts a failure. */
    readonly met: (failure: string) => void,
  ) {}

  killAfter(steps: number, { power, downMs }: Kill): void {
    this.#kill = { power, downMs, atStep: this.world.steps + steps }
  }

  killAtCommit(commits: number, { power, downMs }: Kill): void {
    this.#kill = { power, downMs, atCommit: this.machine.commits + 1 + commits }
  }

  /** A kill that waits for its step does not come. */
  spare(): void {
    this.#kill = undefined
  }

  /** Between two steps: a kill that is due, and the next start. */
  async beforeStep(): Promise<void> {
    const { world, machine } = this
    const kill = this.#kill
    if (kill && (world.steps >= (kill.atStep ?? Infinity) || machine.commits >= (kill.atCommit ?? Infinity))) {
      this.#kill = undefined
      await this.#end(kill)
    }
    if (machine.hasExited) await this.#end({ power: false, downMs: EXIT_MS })
    if (this.#startAtMs !== undefined && world.nowMs >= this.#startAtMs && !machine.life) {
      this.#startAtMs = undefined
      if (this.#upkeep !== undefined) await doUpkeep(machine, this.#upkeep)
      this.#upkeep = undefined
      this.#start()
    }
  }

  async #end({ power, downMs }: Kill): Promise<void> {
    this.met(power ? 'power' : 'kill')
    await this.machine.kill(power)
    this.#startAfter(downMs)
  }

  #startAfter(ms: number): void {
    this.#startAtMs = this.world.nowMs + ms
    // So that the time of the start comes.
    this.world.after(this.#life, ms, () => undefined)
  }

  /** A start that fails, as on a full disk, is tried again. */
  #start(): void {
    const { machine } = this
    const serve = async () => {
      await machine.start()
      if (machine.app) await resume(machine.app)
    }
    serve().catch(async (error: unknown) => {
      const { world } = this
      world.trace.say(world.nowMs, 'supervisor', `the start failed: ${error instanceof Error ? error.message : error}`)
      await this.#end({ power: false, downMs: START_AGAIN_MS })
    })
  }

  async restart(downMs: number): Promise<void> {
    if (!this.machine.isServing || this.#startAtMs !== undefined) return
    await this.machine.stop()
    this.#startAfter(downMs)
  }

  /** An administrator does this to the data of a process that was stopped or killed. */
  async upkeep({ way, isKilled }: { way: OfflineUpkeep; isKilled: boolean }): Promise<void> {
    if (!this.machine.isServing || this.#startAtMs !== undefined) return
    this.#upkeep = way
    // Between two steps: within one, statements run.
    if (isKilled) this.killAfter(0, { power: false, downMs: START_AGAIN_MS })
    else await this.restart(START_AGAIN_MS)
  }
}
