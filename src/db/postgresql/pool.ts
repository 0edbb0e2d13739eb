/** Connections to a PostgreSQL server by `pg`. Only this file uses the driver. */
import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import {
  ConnectionError,
  HEARTBEAT_CONNECTIONS,
  isConnectionFailure,
  type PgAnswer,
  type PgConnection,
  type PgConnections,
  READERS,
  type Use,
} from './connection.ts'
import type { PostgresqlServer } from './url.ts'

interface PoolTimes {
  /** Waiting for a connection, new or free. */
  connectMs: number
  /** A server that has vanished answers nothing. A transaction waits for its turn, too. */
  answerMs: Record<'read' | 'write', number>
}

const POOL_TIMES: PoolTimes = { connectMs: 8_000, answerMs: { read: 20_000, write: 45_000 } }

/** Of a notice that is no warning. */
const SUCCESS = '00000'

const KEEP_ALIVE_MS = 10_000
const IDLE_MS = 60_000

const types = {
  // `pg` asks for a reader by type and format; without `binary` the format is always text.
  getTypeParser: ((oid: number) => READERS[oid] ?? ((text: string) => text)) as never,
}

/** `types` of a client: a mistake in a value must not be taken for a failed connection. */
function clientConfig(server: PostgresqlServer, times: PoolTimes): ClientConfig {
  return {
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.user,
    // A function, so that an absent password is not looked for in the environment and in ~/.pgpass.
    password: () => server.password ?? '',
    ssl: tlsOf(server),
    application_name: 'signet',
    options: '',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: times.connectMs,
    types,
  }
}

/** As libpq means `sslmode`: `require` encrypts and checks nothing, `verify-ca` not the name. */
function tlsOf({ sslmode, sslrootcert, host }: PostgresqlServer): ClientConfig['ssl'] {
  if (sslmode === 'disable') return false
  if (sslmode === 'require') return { rejectUnauthorized: false }
  const roots = sslrootcert === undefined ? {} : { ca: readFileSync(sslrootcert, 'utf8') }
  // By the name in the URL, which may be an address: without one Node.js compares with "localhost".
  const checkName = (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate)
  return {
    rejectUnauthorized: true,
    ...roots,
    checkServerIdentity: sslmode === 'verify-ca' ? () => undefined : checkName,
  }
}

interface Internals {
  connection: EventEmitter & { stream: { destroy(): void } }
}

/** Knows what the server reports of itself, at the begin and when it changes. */
class ReportingClient extends Client {
  isOnStandby = false

  constructor(config?: ClientConfig) {
    super(config)
    const { connection } = this as unknown as Internals
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.isOnStandby = parameterValue === 'on'
    })
  }
}

class PooledConnection implements PgConnection {
  readonly client: PoolClient
  /** Connection failures that were known when it was opened. */
  readonly generation: number
  readonly #answerMs: number
  #failure: Error | undefined
  #warning: string | undefined

  constructor(client: PoolClient, generation: number, answerMs: number) {
    this.client = client
    this.generation = generation
    this.#answerMs = answerMs
    client.on('error', error => this.#fail(error))
    client.on('end', () => this.#fail(new Error('the connection ended')))
    client.on('notice', ({ code, message }) => {
      if (code !== SUCCESS) this.#warning = message
    })
  }

  get isUsable(): boolean {
    return this.#failure === undefined
  }

  get isOnStandby(): boolean {
    return (this.client as unknown as ReportingClient).isOnStandby
  }

  run(sql: string, values: readonly unknown[]): Promise<PgAnswer> {
    return this.#answered(this.client.query({ text: sql, values: values as unknown[] }))
  }

  async script(sql: string, maxMs?: number): Promise<PgAnswer> {
    return this.#answered(this.client.query(sql) as Promise<QueryResult | QueryResult[]>, maxMs)
  }

  async #answered(query: Promise<QueryResult | QueryResult[]>, maxMs = this.#answerMs): Promise<PgAnswer> {
    const timer = setTimeout(() => this.#fail(new Error('the server did not answer')), maxMs)
    try {
      const result = await query
      const { rows, rowCount, command } = (Array.isArray(result) ? result.at(-1) : result) as QueryResult
      const warning = this.#warning
      this.#warning = undefined
      return { rows, count: rowCount ?? 0, command, warning }
    } catch (error) {
      if (isConnectionFailure(error)) this.#fail(error as Error)
      // Of several errors that end a connection the server's own says most.
      if (error instanceof DatabaseError || this.#failure === undefined) throw error
      throw new ConnectionError(this.#failure.message, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    // Ends the queries that wait for an answer.
    ;(this.client as unknown as Internals).connection.stream.destroy()
  }
}

/** Transactions that wait must not take the connections that reads and heartbeats need. */
export class PooledConnections implements PgConnections {
  readonly #times: PoolTimes
  readonly #pools: Record<Use, Pool>
  readonly #known = new WeakMap<PoolClient, PooledConnection>()
  #failures = 0

  constructor(server: PostgresqlServer, times = POOL_TIMES) {
    this.#times = times
    const open = (max: number): Pool => {
      // Pipelined: a statement may be sent before the one before it is answered.
      const pool = new Pool({
        ...clientConfig(server, times),
        max,
        idleTimeoutMillis: IDLE_MS,
        pipeline: true,
        Client: ReportingClient,
      })
      // An idle connection that the server ended: the pool has dropped it.
      pool.on('error', () => {})
      return pool
    }
    this.#pools = {
      read: open(server.readConnections),
      write: open(server.writeConnections),
      heartbeat: open(HEARTBEAT_CONNECTIONS),
    }
  }

  async acquire(use: Use): Promise<PgConnection> {
    try {
      for (;;) {
        const connection = this.#connectionOf(await this.#pools[use].connect(), use)
        // A server that was restarted has ended all connections: each would fail one request.
        const isGood = connection.isUsable && connection.generation === this.#failures
        if (isGood && !connection.isOnStandby) return connection
        connection.client.release(true)
        // Its reads are late: a revoked key would still be valid, and a new document missing.
        if (connection.isOnStandby) throw new Error('the server is a standby: the address must lead to the primary')
      }
    } catch (error) {
      throw new ConnectionError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  #connectionOf(client: PoolClient, use: Use): PooledConnection {
    const known =
      this.#known.get(client) ??
      new PooledConnection(client, this.#failures, this.#times.answerMs[use === 'write' ? 'write' : 'read'])
    this.#known.set(client, known)
    return known
  }

  release(connection: PgConnection, isBroken: boolean): void {
    const { client, generation } = connection as PooledConnection
    if (isBroken && generation === this.#failures) this.#failures++
    client.release(isBroken)
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map(pool => pool.end()))
  }
}
