/**
 * PostgreSQL as several nodes see it: one PGlite in this process, whose statements wait at the
 * world. It has one session: transactions exclude each other whole, and reads wait for them.
 */
import {
  ConnectionError,
  type PgAnswer,
  type PgConnection,
  type PgConnections,
  type Use,
} from '../../src/db/postgresql/connection.ts'
import { connectionsTo, migratedSchema } from '../support/pglite.ts'
import { Life, type World } from './world.ts'

export const STATEMENT_WAYS = ['40001', '40P01', 'cut before', 'cut after'] as const
/** A code of the server; or the connection ends before the work, or before its answer. */
export type StatementWay = (typeof STATEMENT_WAYS)[number]

/** Of one statement of a transaction or heartbeat, or of one commit, after some others. */
export interface StatementFailure {
  at: 'statement' | 'commit'
  way: StatementWay
  after: number
  /** Counts only while the node answers requests, whose clients learn of it. */
  ofRequest: boolean
}

/** Between one node and the server. */
export class Link {
  /** Nothing arrives, and no answer comes back. */
  isSilent = false
  failure: StatementFailure | undefined
  isAnswering: () => boolean = () => false
  /** Called in each transaction when it has begun, and before it is committed. */
  watch: { begun(session: PgConnection): Promise<void>; committing(session: PgConnection): Promise<void> } | undefined
}

/** As `pool.ts` and `url.ts` have them. */
const ANSWER_MS: Record<Use, number> = { read: 20_000, heartbeat: 20_000, write: 45_000 }
const CONNECT_MS = 8_000
const CONNECTIONS: Record<Use, number> = { read: 8, heartbeat: 1, write: 2 }
/** As each transaction asks for; here those that read, too: they hold up the only session. */
const IDLE_MS = 5_000

const IDLE = '25P03'
const SHUT_DOWN = '57P01'

class CodedError extends Error {
  constructor(readonly code: string) {
    super(`the simulated server answers ${code}`)
  }
}

/** Answers of reads, until something is written: nodes that wait ask the same each second. */
class KnownAnswers {
  readonly #answers = new Map<string, { answer: PgAnswer; changes: number; beats: number }>()
  #changes = 0
  #beats = 0

  async read(sql: string, values: readonly unknown[], send: () => Promise<PgAnswer>): Promise<PgAnswer> {
    const key = `${sql} ${JSON.stringify(values)}`
    const known = this.#answers.get(key)
    const isSame = known?.changes === this.#changes && (known.beats === this.#beats || !sql.includes('nodes'))
    const answer = known && isSame ? known.answer : await send()
    this.#answers.set(key, { answer, changes: this.#changes, beats: this.#beats })
    return { ...answer, rows: answer.rows.map(row => ({ ...(row as object) })) }
  }

  /** A heartbeat changes the table of nodes alone. */
  changed(isBeat: boolean): void {
    if (isBeat) this.#beats++
    else {
      this.#changes++
      this.#answers.clear()
    }
  }
}

export class SimulatedServer {
  readonly known = new KnownAnswers()
  isDown = false
  /** The connection whose transaction has the session. */
  holder: Connection | undefined
  readonly #life = new Life('database')
  readonly #open = new Set<Connection>()

  constructor(
    readonly world: World,
    readonly session: PgConnection,
  ) {}

  /** For `AppOptions.connections` of one life. */
  connections(life: Life, link: Link): PgConnections {
    const used: Record<Use, number> = { read: 0, heartbeat: 0, write: 0 }
    return {
      acquire: async use => {
        if (used[use] >= CONNECTIONS[use]) await this.#untilFree(life, () => used[use] < CONNECTIONS[use])
        if (this.isDown) throw new ConnectionError('connection refused')
        used[use]++
        const connection = new Connection(this, { life, link, use })
        this.#open.add(connection)
        return connection
      },
      release: connection => {
        const known = connection as Connection
        used[known.of.use]--
        this.#open.delete(known)
        // A server that hears nothing of it waits until the transaction has been idle for too long.
        if (!link.isSilent) this.#rollBack(known)
      },
      close: async () => {},
    }
  }

  /** For the oracle, which no failure reaches: what was committed. */
  async look<Row>(sql: string): Promise<Row[]> {
    await this.world.wait(this.#life, 'the oracle looks', () => this.holder === undefined)
    const result = await this.world.settle(() => this.session.run(sql, []))
    if ('error' in result) throw result.error
    return result.value.rows as Row[]
  }

  async #untilFree(life: Life, isFree: () => boolean): Promise<void> {
    let isLate = false
    const cancel = this.world.after(life, CONNECT_MS, () => {
      isLate = true
    })
    await this.world.wait(life, 'a free connection', () => isLate || isFree())
    cancel()
    if (!isFree()) throw new ConnectionError('no connection became free')
  }

  /** The server ends a connection; `code`: what it says to whoever still hears it. */
  end(connection: Connection, code: string | undefined): void {
    connection.ended = { code }
    this.#rollBack(connection)
  }

  #rollBack(connection: Connection): void {
    if (this.holder !== connection) return
    this.holder = undefined
    void this.world.settle(() => this.session.script('ROLLBACK'))
  }

  /** Ends a transaction whose client has been silent for too long. */
  watch(connection: Connection): void {
    this.world.after(this.#life, IDLE_MS, () => {
      if (this.holder !== connection) return
      if (this.world.nowMs - connection.activeAtMs >= IDLE_MS) this.end(connection, IDLE)
      else this.watch(connection)
    })
  }

  shutDown(): void {
    this.isDown = true
    for (const connection of this.#open) this.end(connection, SHUT_DOWN)
  }

  /** Ends the connections of one life: of its network, or because its process is gone. */
  cut(life: Life): void {
    for (const connection of this.#open) {
      if (connection.of.life !== life) continue
      this.end(connection, undefined)
      if (life.isDead) this.#open.delete(connection)
    }
  }
}

interface Of {
  life: Life
  link: Link
  use: Use
}

type Step = 'begin' | 'commit' | 'rollback' | 'statement'

const isRead = (sql: string) => /^\s*(select|with)\b/i.test(sql)

function stepOf(sql: string): Step {
  if (sql.startsWith('BEGIN')) return 'begin'
  if (sql.endsWith('COMMIT')) return 'commit'
  return sql === 'ROLLBACK' ? 'rollback' : 'statement'
}

class Connection implements PgConnection {
  isUsable = true
  ended: { code: string | undefined } | undefined
  activeAtMs = 0
  #hasFailed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    readonly server: SimulatedServer,
    readonly of: Of,
  ) {}

  run(sql: string, values: readonly unknown[]): Promise<PgAnswer> {
    const { session, known } = this.server
    const text = () => this.#atWorldTime(sql)
    return this.#next(sql, () =>
      isRead(sql) && !this.#isInTransaction
        ? known.read(text(), values, () => session.run(text(), values))
        : session.run(text(), values),
    )
  }

  script(sql: string): Promise<PgAnswer> {
    return this.#next(sql, () => this.server.session.script(sql))
  }

  /** The clock of the database is that of the world. */
  #atWorldTime(sql: string): string {
    return sql.replaceAll('clock_timestamp()', `TIMESTAMPTZ '${new Date(this.server.world.nowMs).toISOString()}'`)
  }

  /** Statements may be sent before the one before is answered. */
  #next(sql: string, send: () => Promise<PgAnswer>): Promise<PgAnswer> {
    const own = this.#last.then(() => this.#one(sql, send))
    this.#last = own.catch(() => undefined)
    return own
  }

  #isWrite(step: Step): boolean {
    return step === 'commit' ? this.of.use === 'write' : this.of.use === 'heartbeat' && step === 'statement'
  }

  get #isInTransaction(): boolean {
    return this.server.holder === this
  }

  async #one(sql: string, send: () => Promise<PgAnswer>): Promise<PgAnswer> {
    const { server } = this
    const step = stepOf(sql)
    const isSeen = this.of.use !== 'read' && (step === 'commit' || !(this.#isInTransaction || step === 'begin'))
    await this.#until(sql, () => server.holder === undefined || this.#isInTransaction)
    const way = this.#failureAt(step)
    if (way === 'cut before') throw this.#cut()
    if (way === '40001' || way === '40P01') throw await this.#refuse(step, way)
    const answer = await this.#done(step, send)
    if (way === 'cut after') throw this.#cut()
    // Others may see the effect before this client hears of it.
    if (isSeen) await this.#until(`${step}: done`, () => true)
    return answer
  }

  #failureAt(step: Step): StatementWay | undefined {
    const { failure } = this.of.link
    if (failure === undefined || this.of.use === 'read' || step === 'rollback') return undefined
    if ((failure.at === 'commit') !== (step === 'commit') || (failure.ofRequest && !this.of.link.isAnswering())) return undefined
    if (failure.after-- > 0) return undefined
    this.of.link.failure = undefined
    return failure.way
  }

  #cut(): ConnectionError {
    this.isUsable = false
    this.server.end(this, undefined)
    return new ConnectionError('the simulated connection ended')
  }

  /** A refused commit is rolled back; a transaction with a failed statement can do nothing. */
  async #refuse(step: Step, code: string): Promise<Error> {
    this.#hasFailed = this.#isInTransaction
    if (step === 'commit') await this.#done('rollback', () => this.server.session.script('ROLLBACK'))
    return new CodedError(code)
  }

  async #done(step: Step, send: () => Promise<PgAnswer>): Promise<PgAnswer> {
    const { server } = this
    const { world, session } = server
    if (this.#hasFailed && step === 'statement') throw new CodedError('25P02')
    const rollsBack = this.#hasFailed && step === 'commit'
    const result = await world.settle(async () => {
      const watch = this.of.use === 'write' ? this.of.link.watch : undefined
      if (step === 'commit' && !rollsBack) await watch?.committing(session)
      // It may have been cut in the same turn: outside of the transaction nothing is done.
      if (this.ended !== undefined) throw new ConnectionError('the simulated connection ended')
      const answer = rollsBack ? await session.script('ROLLBACK') : await send()
      if (step === 'begin') await watch?.begun(session)
      return answer
    })
    this.activeAtMs = world.nowMs
    if (this.#isWrite(step)) server.known.changed(this.of.use === 'heartbeat')
    if (step === 'begin') {
      server.holder = this
      server.watch(this)
    }
    if (step === 'commit' || step === 'rollback') {
      server.holder = undefined
      this.#hasFailed = false
    }
    if (!('error' in result)) return rollsBack ? { ...result.value, command: 'ROLLBACK' } : result.value
    this.#hasFailed = this.#isInTransaction
    throw result.error
  }

  /** Until the server can be reached, as long as the client has patience. */
  async #until(sql: string, isReady: () => boolean): Promise<void> {
    const { world } = this.server
    const { life, link, use } = this.of
    let isLate = false
    const cancel = world.after(life, ANSWER_MS[use], () => {
      isLate = true
    })
    const isReached = () => !link.isSilent && (this.ended !== undefined || isReady())
    await world.wait(life, `${use} ${sql.replace(/\s+/g, ' ').slice(0, 60)}`, () => isLate || isReached())
    cancel()
    if (isReached() && this.ended === undefined) return
    this.isUsable = false
    throw this.ended?.code !== undefined && isReached()
      ? new CodedError(this.ended.code)
      : new ConnectionError('the simulated server did not answer')
  }
}

let schema: Promise<string> | undefined

/** A database with all tables and no rows, for one run at a time. */
export async function openDatabase(): Promise<{ session: PgConnection; close(): Promise<void> }> {
  schema ??= migratedSchema()
  const connections = await connectionsTo(await schema)
  const session = await connections.acquire('write')
  await emptyTables(session)
  return {
    session,
    async close() {
      await session.script('ROLLBACK')
      connections.release(session, false)
    },
  }
}

/** New files for all tables: the order of rows must not depend on the run before. */
async function emptyTables(session: PgConnection): Promise<void> {
  const names = async (sql: string) => ((await session.run(sql, [])).rows as { name: string }[]).map(({ name }) => name)
  const tables = await names(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename NOT IN ('writer', 'migrations', 'cluster') ORDER BY 1`,
  )
  const sequences = await names('SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1')
  await session.script(
    [
      'SET session_replication_role = replica',
      `TRUNCATE ${tables.join(', ')} CASCADE`,
      ...sequences.map(name => `ALTER SEQUENCE ${name} RESTART`),
      // As after the first start of this release on a database of the one before.
      'UPDATE cluster SET feature_level = 0, finished_at = NULL, quiet_ms = 0, counted_at = NULL',
      'UPDATE writer SET oldest_writer = 0',
      'SET session_replication_role = origin',
    ].join('; '),
  )
}
