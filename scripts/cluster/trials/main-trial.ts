/** Documents with two signers while nodes are killed and stopped and their servers fail. */
import { signersOf } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import type { SignetNode } from '../node.ts'
import { seconds } from '../report.ts'
import type { S3Failure } from '../s3-proxy.ts'
import { endRun, nextTitle, type Trial, type TrialContext, withCluster } from './trial.ts'

const CLIENTS = 6
const MIN_KILLS = 8
const LONG_STOP_ROUND = 2
const DATABASE_ROUNDS = [6, 12]
const RESTART_MS = [500, 4_000] as const
const LONG_STOP_MS = 60_000
const MAX_RUN_MS = 900_000

const random = (min: number, max: number) => min + Math.random() * (max - min)
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

const S3_FAILURES: S3Failure[] = [
  { kind: 'slow', ms: 2_000 },
  { kind: 'status', status: 503 },
  { kind: 'wrong-bytes' },
  { kind: 'cut' },
  { kind: 'status', status: 500 },
]

interface Tally {
  kills: number
  stops: number
  longStops: number
  databaseCrashes: number
  cuts: number
  s3: number
}

class Chaos {
  readonly tally: Tally = { kills: 0, stops: 0, longStops: 0, databaseCrashes: 0, cuts: 0, s3: 0 }
  readonly #cluster: Cluster
  readonly #pending: Promise<unknown>[] = []
  #isOver = false
  #running: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Whether everything that the trial must do was done. */
  isComplete(): boolean {
    const { kills, longStops, databaseCrashes } = this.tally
    const isOnNodes = kills >= MIN_KILLS && longStops >= 1
    return isOnNodes && (this.#cluster.options.engine === 'sqlite' || databaseCrashes >= 2)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#running
    await Promise.all(this.#pending)
  }

  #idleNode(): SignetNode | undefined {
    return pick(this.#cluster.nodes.filter(node => node.isRunning() && !node.isStopped()))
  }

  async #run(): Promise<void> {
    const isSqlite = this.#cluster.options.engine === 'sqlite'
    const others = isSqlite ? [] : [() => this.#cutConnections(), () => this.#disturbS3()]
    for (let round = 0; !this.#isOver; round++) {
      await Bun.sleep(random(1_000, 5_000))
      // One node alone gets time to work between two kills.
      if (isSqlite) while (!(await this.#cluster.node(0).isReady()) && !this.#isOver) await Bun.sleep(250)
      if (round === LONG_STOP_ROUND) this.#stopNode(LONG_STOP_MS)
      else if (!isSqlite && DATABASE_ROUNDS.includes(round)) await this.#crashDatabase()
      else await pick([() => this.#killNode(), () => this.#killNode(), () => this.#stopNode(random(500, 8_000)), ...others])()
    }
  }

  async #killNode(): Promise<void> {
    const node = this.#idleNode()
    if (node === undefined) return
    this.tally.kills++
    await node.kill()
    this.#pending.push(Bun.sleep(random(...RESTART_MS)).then(() => node.launch()))
  }

  #stopNode(ms: number): void {
    const node = this.#idleNode()
    if (node === undefined) return
    this.tally.stops++
    if (ms >= LONG_STOP_MS) this.tally.longStops++
    node.stop()
    this.#pending.push(Bun.sleep(ms).then(() => node.continue()))
  }

  async #crashDatabase(): Promise<void> {
    const { postgres } = this.#cluster.site
    this.tally.databaseCrashes++
    await postgres.stop('immediate')
    await Bun.sleep(random(500, 3_000))
    await postgres.start()
  }

  #cutConnections(): void {
    this.tally.cuts++
    const proxy = pick(this.#cluster.postgresProxies)
    if (Math.random() < 0.5) void proxy.cutAtCommit(pick(['before', 'after']))
    else proxy.cut()
  }

  #disturbS3(): void {
    this.tally.s3++
    this.#cluster.s3Proxy?.arm(pick(S3_FAILURES), { share: 0.3 })
    this.#pending.push(Bun.sleep(random(1_000, 4_000)).then(() => this.#cluster.s3Proxy?.disarm()))
  }
}

async function run(context: TrialContext): Promise<void> {
  const { report, documents } = context
  await withCluster(context, {}, async cluster => {
    cluster.balancer.reset()
    const chaos = new Chaos(cluster)
    const startedMs = performance.now()
    const failures: string[] = []
    let begun = 0
    const client = async () => {
      while (performance.now() - startedMs < MAX_RUN_MS && (begun < documents || !chaos.isComplete())) {
        begun++
        const title = nextTitle()
        await cluster.client
          .wholeStory(title, signersOf(title))
          .catch((error: Error) => failures.push(`${title}: ${error.message}`))
      }
    }
    cluster.supervise()
    chaos.start()
    await Promise.all(Array.from({ length: CLIENTS }, client))
    await chaos.end()
    await cluster.restoreNodes()
    const workedMs = performance.now() - startedMs
    const { tally } = chaos
    report.promise('it disturbed as much as it had to', chaos.isComplete(), JSON.stringify(tally))
    report.promise(
      'every client finished its documents',
      failures.length === 0,
      `${begun} documents in ${seconds(workedMs)} ${failures.slice(0, 3).join('; ')}`,
    )
    await endRun(cluster, report)
  })
}

export const mainTrial: Trial = {
  name: 'main',
  title: 'documents under kill -9, SIGSTOP, database crashes, cut connections and S3 failures',
  isForSqlite: true,
  run,
}
