/** The service as its clients see it: one machine with SQLite, or several nodes that share all. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withOne } from '../../src/db/postgresql/connect.ts'
import { clockDifferenceMs, MAX_CLOCK_DIFFERENCE_MS } from '../../src/db/postgresql/server-check.ts'
// Loaded before the first start, which does not wait for anything outside the world.
import '../../src/db/postgresql/open.ts'
import '../../src/db/postgresql/schema.ts'
import '../../src/storage/s3-store.ts'
import type { PgConnection } from '../../src/db/postgresql/connection.ts'
import { SimulatedBucket } from './bucket.ts'
import { ownStores, SimulatedDatabase } from './database.ts'
import { BASE_URL, Installation, type Stores, type Surroundings } from './instance.ts'
import { Link, openDatabase, SimulatedServer } from './postgresql.ts'
import { Life, type World } from './world.ts'

/** Where one client sends its requests to. */
export interface Access {
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface Service {
  readonly nodes: readonly Installation[]
  /** For one client. `stays`: it changes the node after a failure alone. */
  access(stays: boolean): Access
  /** For the oracle, which asks in words of its own. */
  rows<Row>(sql: string): Promise<Row[]>
  /** What nodes share; undefined for one machine, which has its own. */
  readonly shared: Shared | undefined
  remove(): Promise<void>
}

export interface Shared {
  server: SimulatedServer
  bucket: SimulatedBucket
  /** By node. */
  links: readonly Link[]
  /** Which node has answered last. */
  answeredLast: number
}

export function oneMachine(world: World, folder: string, around: Surroundings): Service {
  const data = join(folder, 'data')
  const database = new SimulatedDatabase(data)
  const machine = new Installation(world, folder, around, ownStores(world, database, data))
  database.disk = machine.disk
  return {
    nodes: [machine],
    access: () => machine,
    rows: async <Row>(sql: string) => (database.raw?.prepare(sql).all() ?? []) as Row[],
    shared: undefined,
    async remove() {
      await machine.kill(false)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** So often a client that need not stay goes to another node, as balancers send it. */
const WANDERING = 0.3

export async function severalNodes(world: World, folder: string, around: Surroundings, count: number): Promise<Service> {
  mkdirSync(folder, { recursive: true })
  const keyFile = join(folder, 'master.key')
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
  const database = await openDatabase()
  const server = new SimulatedServer(world, database.session)
  const links = Array.from({ length: count }, () => new Link())
  const shared: Shared = { server, bucket: new SimulatedBucket(world), links, answeredLast: 0 }
  const nodes = links.map((link, i) => {
    const name = `node-${i + 1}`
    link.isAnswering = () => node.isAnswering
    link.watch = new ClockWatch(world, name, () => node, around.violate)
    const stores = sharedStores(shared, link, { name, keyFile })
    const node = new Installation(world, join(folder, name), around, stores, `${name} `)
    return node
  })
  return {
    nodes,
    shared,
    access: stays => new ChangingAccess(world, nodes, shared, stays ? 0 : WANDERING),
    rows: async <Row>(sql: string) => (await database.session.run(sql, [])).rows as Row[],
    async remove() {
      for (const node of nodes) await node.kill(false)
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A transaction may have been asked for so long before the clock was set. */
const CLOCK_GRACE_MS = 10_000

/** A node whose clock is wrong takes no job. */
class ClockWatch {
  #leased = 0

  constructor(
    readonly world: World,
    readonly name: string,
    readonly node: () => Installation,
    readonly violate: (sentence: string) => void,
  ) {}

  get #isWrong(): boolean {
    const { clockOffsetMs, clockSetMs } = this.node()
    return Math.abs(clockOffsetMs) > MAX_CLOCK_DIFFERENCE_MS && this.world.nowMs - clockSetMs > CLOCK_GRACE_MS
  }

  async #countLeased(session: PgConnection): Promise<number> {
    const sql = 'SELECT count(*) AS number FROM jobs WHERE lease_boot IN (SELECT boot FROM nodes WHERE name = $1)'
    return ((await session.run(sql, [this.name])).rows[0] as { number: number }).number
  }

  async begun(session: PgConnection): Promise<void> {
    if (this.#isWrong) this.#leased = await this.#countLeased(session)
  }

  async committing(session: PgConnection): Promise<void> {
    if (this.#isWrong && (await this.#countLeased(session)) > this.#leased)
      this.violate(`${this.name} took a job while its clock was wrong`)
  }
}

function sharedStores({ server, bucket }: Shared, link: Link, { name, keyFile }: { name: string; keyFile: string }): Stores {
  return {
    settings: {
      SIGNET_NODE_NAME: name,
      SIGNET_BASE_URL: BASE_URL,
      SIGNET_MASTER_KEY_FILE: keyFile,
      // Never connected to: the options answer in its place.
      SIGNET_DATABASE_URL: 'postgres://signet@127.0.0.1/signet?sslmode=disable',
      SIGNET_FILES_URL: 's3://KEY:SECRET@127.0.0.1:9/files?tls=off',
    },
    folders: ['cache/.making', 'cache/copies'],
    options: life => ({ connections: server.connections(life, link) }),
    network: life => bucket.machine(life),
    /** As `connectPostgresql` asks each server. */
    async admit(life, clocks) {
      const differenceMs = await withOne(server.connections(life, link), one => clockDifferenceMs(one, clocks))
      if (Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS) throw new Error(`its clock differs by ${differenceMs} ms`)
    },
    async end(life) {
      server.cut(life)
      return undefined
    },
  }
}

const OUTSIDE = new Life('a client')
/** As clients have, less a moment. */
const PATIENCE_MS = 59_000

/** After a failure a client goes to another node. */
class ChangingAccess implements Access {
  #node: number | undefined

  constructor(
    readonly world: World,
    readonly nodes: readonly Installation[],
    readonly shared: Shared,
    readonly wandering: number,
  ) {}

  async fetch(path: string, init?: RequestInit): Promise<Response> {
    const { chance } = this.world
    if (this.#node === undefined || chance.happens(this.wandering)) this.#node = chance.below(this.nodes.length)
    const node = this.#node
    const leave = () => {
      this.#node = (node + 1 + chance.below(this.nodes.length - 1)) % this.nodes.length
    }
    // A client that gives up goes elsewhere, too.
    let hasAnswered = false
    const cancel = this.world.after(OUTSIDE, PATIENCE_MS, () => {
      if (!hasAnswered) leave()
    })
    try {
      const response = await (this.nodes[node] as Installation).fetch(path, init)
      this.shared.answeredLast = node
      if (response.status === 503) leave()
      return response
    } catch (error) {
      leave()
      throw error
    } finally {
      hasAnswered = true
      cancel()
    }
  }
}
