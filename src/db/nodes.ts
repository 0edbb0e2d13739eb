/**
 * The processes that serve one database. What a start (boot) leases or reserves counts while its
 * row in `nodes` exists; a deleted row never comes back.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type RawBuilder, sql } from 'kysely'
import { errorMessage, type Log } from '../lib/log.ts'
import type { Cancel, Random, Timers } from '../lib/machine.ts'
import { KNOWN_LEVEL } from './feature-level.ts'
import type { Db, Tx } from './open.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from './postgresql/server-check.ts'
import { wordsOf } from './words.ts'

export interface NodeHealth {
  /** Since the last heartbeat that the database stored. */
  silenceMs: number
  /** How far the clock of this machine is ahead of the database's, as far as that is certain. */
  clockDifferenceMs: number
}

/** This process, as a node of the instance. */
export interface OwnNode {
  /** Of this start. A node that was taken for dead continues under another one. */
  readonly boot: string
  readonly name: string
  /** Whether no other process serves this database. */
  readonly isAlone: boolean
  /** What the last heartbeat showed, and whether the clock was set since. */
  health(): NodeHealth
  /** The clock that all nodes share: the database's. One process alone has its own. */
  now(): Date
  /** Otherwise it runs no jobs and writes nothing: its times would be wrong. */
  hasRightClock(): boolean
  /** Adds this node. Before, it holds no lease. */
  join(): Promise<void>
  /** From now on reports by itself that this node lives, and removes nodes that do not. */
  start(): Promise<void>
  /** Removes this node, if it has joined: others take its work at once. */
  leave(): Promise<void>
  /**
   * Runs the work if this node has the lease, and takes the lease if no living node has it. Returns
   * whether it ran. A node that was stopped may still run it while another one does.
   */
  whileLeased(name: string, work: () => Promise<unknown>): Promise<boolean>
}

interface NodeOptions {
  name: string
  version: string
  /** The highest feature level that this executable knows. */
  featureLevel?: number
  /** The clock of this machine. */
  now(): Date
  /** Goes on at one pace, whatever that clock is set to. In milliseconds. */
  steadyMs(): number
  random: Random
  timers: Pick<Timers, 'every'>
  log: Log
  db: Db
  write<T>(work: (tx: Tx) => Promise<T>, options?: { wake?: boolean }): Promise<T>
  writeUnsynced<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Refuses a process that must not serve any more, in the transaction that adds its row. */
  admit(tx: Tx): Promise<void>
  /** Frees in the same transaction what only living nodes hold. */
  release(tx: Tx): Promise<void>
}

/** SQLite's folder has a lock; PostgreSQL is shared. */
export function openNode(options: NodeOptions & Pick<ClusterNodeOptions, 'bootFile'> & { heartbeats?: Db | undefined }): OwnNode {
  const { db, heartbeats = db } = options
  if (db.engine === 'sqlite') return new SingleNode(options)
  return new ClusterNode({ ...options, clock: () => sql.raw(wordsOf(db).clock), outside: work => work(heartbeats) })
}

const newBoot = ({ random }: NodeOptions) => random(8).toHex()

async function insertNode(tx: Tx, { boot, name }: OwnNode, options: NodeOptions, seenAt: RawBuilder<string>): Promise<void> {
  const { version, featureLevel = KNOWN_LEVEL, now } = options
  await tx
    .insertInto('nodes')
    .values({ boot, name, version, feature_level: featureLevel, started_at: now().toISOString(), seen_at: seenAt })
    .execute()
}

async function removeNode(tx: Tx, boot: string, { release }: NodeOptions): Promise<void> {
  await tx.deleteFrom('nodes').where('boot', '=', boot).execute()
  await release(tx)
}

/** The lock of the data folder proves that only this process serves: it writes no heartbeat. */
export class SingleNode implements OwnNode {
  readonly boot: string
  readonly name: string
  readonly isAlone = true
  readonly #options: NodeOptions
  #hasJoined = false

  constructor(options: NodeOptions) {
    this.boot = newBoot(options)
    this.name = options.name
    this.#options = options
  }

  health(): NodeHealth {
    return { silenceMs: 0, clockDifferenceMs: 0 }
  }

  now(): Date {
    return this.#options.now()
  }

  hasRightClock(): boolean {
    return true
  }

  async join(): Promise<void> {
    const { writeUnsynced, now, admit, release } = this.#options
    // The next start replaces what a crash left.
    await writeUnsynced(async tx => {
      await admit(tx)
      await tx.deleteFrom('nodes').execute()
      await insertNode(tx, this, this.#options, sql.val(now().toISOString()))
      await release(tx)
    })
    this.#hasJoined = true
  }

  async start(): Promise<void> {}

  async leave(): Promise<void> {
    if (!this.#hasJoined) return
    await this.#options.writeUnsynced(tx => removeNode(tx, this.boot, this.#options))
  }

  async whileLeased(_name: string, work: () => Promise<unknown>): Promise<boolean> {
    await work()
    return true
  }
}

export const HEARTBEAT_MS = 5000
/**
 * Four heartbeats: a busy machine delays one by seconds, not by so much. A stopped node is removed
 * within this time and one more heartbeat, of another node.
 */
export const DEAD_AFTER_MS = 20_000
/** A longer pause between heartbeats means that this node or the database was not available. */
const MAX_PAUSE_MS = 2 * HEARTBEAT_MS

interface ClusterNodeOptions extends NodeOptions {
  /**
   * Names the boot of the process that had the data folder last. The folder's lock proves that it
   * is gone: what it held need not wait until it has been silent for long enough.
   */
  bootFile: string
  /** The time of the database's clock, as stored. */
  clock(): RawBuilder<string>
  /** Runs a statement outside `write`: a heartbeat must not wait for the transactions of others. */
  outside<T>(work: (db: Db | Tx) => Promise<T>): Promise<T>
}

/** One of several equal nodes. Its heartbeats show the others that it lives. */
export class ClusterNode implements OwnNode {
  readonly name: string
  readonly isAlone = false
  readonly #options: ClusterNodeOptions
  #boot: string
  /** By the database's clock. */
  #lastBeat: number | undefined
  /** Since then every heartbeat was in time. */
  #steadySince = 0
  #stopBeating: Cancel | undefined
  #beating: Promise<void> | undefined
  #hasJoined = false
  /** Both clocks of this machine at the last heartbeat. */
  #beatAt = { clock: 0, steady: 0 }
  #clockDifferenceMs = 0
  /** The clock of the database, and the steady one then; none before the first heartbeat. */
  #shared: { clock: number; steady: number } | undefined

  constructor(options: ClusterNodeOptions) {
    this.#boot = newBoot(options)
    this.name = options.name
    this.#options = options
  }

  get boot(): string {
    return this.#boot
  }

  async join(): Promise<void> {
    await this.#addRow()
    this.#beatAt = this.#read()
    this.#hasJoined = true
  }

  async #addRow(): Promise<void> {
    const { write, clock, admit, release, bootFile } = this.#options
    const former = formerBoot(bootFile)
    await write(
      async tx => {
        await admit(tx)
        if (former !== undefined) await tx.deleteFrom('nodes').where('boot', '=', former).execute()
        await insertNode(tx, this, this.#options, clock())
        // A database that was moved or restored contains leases of processes that never had a row.
        await release(tx)
      },
      { wake: false },
    )
    writeFileSync(bootFile, this.#boot, { mode: 0o600 })
  }

  health(): NodeHealth {
    const now = this.#read()
    // Beyond the steady clock: this one was set, or the machine slept.
    const jumpedMs = this.#shared ? now.clock - this.#beatAt.clock - (now.steady - this.#beatAt.steady) : 0
    const clockDifferenceMs = Math.round(this.#clockDifferenceMs + jumpedMs)
    return { silenceMs: now.clock - this.#beatAt.clock, clockDifferenceMs }
  }

  now(): Date {
    const shared = this.#shared
    return shared ? new Date(Math.round(shared.clock + this.#options.steadyMs() - shared.steady)) : this.#options.now()
  }

  hasRightClock(): boolean {
    return Math.abs(this.health().clockDifferenceMs) <= MAX_CLOCK_DIFFERENCE_MS
  }

  #read() {
    return { clock: this.#options.now().getTime(), steady: this.#options.steadyMs() }
  }

  async start(): Promise<void> {
    this.#beatInBackground()
    await this.#beating
    this.#stopBeating = this.#options.timers.every(HEARTBEAT_MS, () => this.#beatInBackground())
  }

  async leave(): Promise<void> {
    if (!this.#hasJoined) return
    this.#hasJoined = false
    this.#stopBeating?.()
    await this.#beating
    await this.#options.write(tx => removeNode(tx, this.#boot, this.#options), { wake: false })
  }

  async whileLeased(name: string, work: () => Promise<unknown>): Promise<boolean> {
    // Its clock would decide what is due: a document that expires too early cannot be signed again.
    if (!(this.hasRightClock() ? await this.#hasLease(name) : await this.#giveUp(name))) return false
    await work()
    return true
  }

  /** One heartbeat. A node whose row is gone joins again. */
  async beat(): Promise<void> {
    const asked = this.#read()
    const seenAt = await this.#options.outside(db => this.#touch(db))
    if (seenAt === undefined) return this.#rejoin()
    this.#compare(asked, seenAt)
    if (this.#lastBeat === undefined || Math.abs(seenAt - this.#lastBeat) > MAX_PAUSE_MS) this.#steadySince = seenAt
    this.#lastBeat = seenAt
    // After a failure of the database or a jump of its clock, the others first need time to report.
    if (seenAt - this.#steadySince >= DEAD_AFTER_MS) await this.#removeDead(seenAt)
  }

  /** The database read its clock between question and answer: a slow answer is no difference. */
  #compare(asked: { clock: number; steady: number }, seenAt: number): void {
    const answered = this.#read()
    const [atLeast, atMost] = [asked.clock - seenAt, answered.clock - seenAt]
    this.#clockDifferenceMs = atLeast > 0 ? atLeast : Math.min(atMost, 0)
    this.#beatAt = answered
    this.#shared = { clock: this.#timeAt(answered, seenAt, answered.steady - asked.steady), steady: answered.steady }
  }

  /**
   * The time of the database at an answer: what was known before, as far as the answer allows it.
   * When the database read its clock in these milliseconds is not known: it may be seconds off.
   */
  #timeAt(answered: { clock: number; steady: number }, seenAt: number, tookMs: number): number {
    const shared = this.#shared
    const known = shared ? shared.clock + answered.steady - shared.steady : answered.clock
    return Math.min(Math.max(known, seenAt), seenAt + tookMs)
  }

  #beatInBackground(): void {
    this.#beating ??= this.beat()
      .catch(error => this.#options.log('warn', 'heartbeat failed', { error: errorMessage(error) }))
      .finally(() => {
        this.#beating = undefined
      })
  }

  async #touch(db: Db | Tx): Promise<number | undefined> {
    const touch = sql<{ seen_at: string }>`UPDATE nodes SET seen_at = ${this.#options.clock()} WHERE boot = ${this.#boot}
      RETURNING seen_at`
    const [row] = (await touch.execute(db)).rows
    return row && Date.parse(row.seen_at)
  }

  /** Under another boot: work that began under the old one cannot be committed any more. */
  async #rejoin(): Promise<void> {
    if (!this.#hasJoined) return
    const former = this.#boot
    this.#boot = newBoot(this.#options)
    this.#lastBeat = undefined
    await this.#addRow()
    this.#options.log('warn', 'this node was taken for dead', { former, boot: this.#boot })
    // Its clock may have been set while it was halted: only a heartbeat compares it.
    await this.beat()
  }

  async #removeDead(nowMs: number): Promise<void> {
    const { outside, write, log, release } = this.#options
    if ((await outside(db => nodesNotSeen(db, nowMs))).length === 0) return
    const dead = await write(async tx => {
      // This transaction may have waited to begin, and the node may have reported meanwhile.
      const beganAt = await this.#touch(tx)
      const found = beganAt === undefined ? [] : await nodesNotSeen(tx, beganAt)
      for (const { boot } of found) await tx.deleteFrom('nodes').where('boot', '=', boot).execute()
      if (found.length > 0) await release(tx)
      return found
    })
    for (const { boot, name } of dead) log('warn', 'a node does not report any more', { boot, name })
  }

  /** Leaves the lease to nodes with the right clock. */
  async #giveUp(name: string): Promise<false> {
    const { db, write, log } = this.#options
    const own = { name, boot: this.#boot }
    const isHeld = await db
      .selectFrom('leases')
      .select('name')
      .where(eb => eb.and(own))
      .executeTakeFirst()
    if (isHeld === undefined) return false
    await write(
      tx =>
        tx
          .deleteFrom('leases')
          .where(eb => eb.and(own))
          .execute(),
      { wake: false },
    )
    log('warn', 'a lease was given up: the clock of this machine is wrong', { name, aheadMs: this.health().clockDifferenceMs })
    return false
  }

  async #hasLease(name: string): Promise<boolean> {
    const { db, write, now } = this.#options
    // A lease is deleted with the row of its node, so its holder lives.
    const holder = await db.selectFrom('leases').select('boot').where('name', '=', name).executeTakeFirst()
    if (holder) return holder.boot === this.#boot
    return write(tx => takeLease(tx, name, this.#boot, now()), { wake: false })
  }
}

/** The names of the nodes that reported lately, by the database's clock. */
export async function livingNodes(db: Db | Tx): Promise<string[]> {
  const clock = sql<string>`${sql.raw(wordsOf(db).clock)}`.as('clock')
  const all = await db.selectFrom('nodes').select(['boot', 'name', clock]).orderBy('name').execute()
  if (all[0] === undefined) return []
  const dead = new Set((await nodesNotSeen(db, Date.parse(all[0].clock))).map(({ boot }) => boot))
  return all.filter(({ boot }) => !dead.has(boot)).map(({ name }) => name)
}

function formerBoot(bootFile: string): string | undefined {
  return existsSync(bootFile) ? readFileSync(bootFile, 'utf8') : undefined
}

/** A time in the future is that of a clock that was set back since. */
function nodesNotSeen(db: Db | Tx, nowMs: number): Promise<{ boot: string; name: string }[]> {
  const [earliest, latest] = [nowMs - DEAD_AFTER_MS, nowMs + DEAD_AFTER_MS].map(ms => new Date(ms).toISOString())
  return db
    .selectFrom('nodes')
    .select(['boot', 'name'])
    .where(eb => eb.or([eb('seen_at', '<', earliest ?? ''), eb('seen_at', '>', latest ?? '')]))
    .execute()
}

/** Returns whether the lease was free. A node without a row gets none. */
async function takeLease(tx: Tx, name: string, boot: string, now: Date): Promise<boolean> {
  const row = tx
    .selectFrom('nodes')
    .select([sql.val(name).as('name'), 'boot', sql.val(now.toISOString()).as('taken_at')])
    .where('boot', '=', boot)
  const taken = await tx
    .insertInto('leases')
    .columns(['name', 'boot', 'taken_at'])
    .expression(row)
    .onConflict(c => c.column('name').doNothing())
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The names of all nodes with a row, also of a dead one that is not removed yet. */
export async function namesOfNodes(db: Db): Promise<string[]> {
  return (await db.selectFrom('nodes').select('name').execute()).map(({ name }) => name)
}
