/** Connections that fail as those of a real server do, each at a chosen statement. */
import {
  ConnectionError,
  type PgAnswer,
  type PgConnection,
  type PgConnections,
  type Use,
} from '../../src/db/postgresql/connection.ts'

export interface Failure {
  /** Part of the statement; `acquire` for the opening of a connection. */
  at: string
  /** A code of the server; absent: the connection ends. */
  code?: string
  /** Whether the server still runs the statement: its answer is lost. */
  runs?: true
  /** The server rolls back in place of the statement, and says so by the command alone. */
  rollsBack?: true
  /** The server runs the statement and warns. */
  warning?: string
}

export class FailingConnections implements PgConnections {
  /** The next failures, in their order. */
  readonly failures: Failure[] = []
  /** Statements that were sent, and connections that were given up. */
  readonly sent: string[] = []
  broken = 0
  readonly #inner: PgConnections

  constructor(inner: PgConnections) {
    this.#inner = inner
  }

  async acquire(use: Use): Promise<PgConnection> {
    this.#fail('acquire')
    const inner = await this.#inner.acquire(use)
    const run = async (sql: string, send: () => Promise<PgAnswer>): Promise<PgAnswer> => {
      this.sent.push(sql)
      const { at = '', warning, rollsBack } = this.failures[0] ?? {}
      if (rollsBack && sql.includes(at)) {
        this.failures.shift()
        return { ...(await inner.script('ROLLBACK')), command: 'ROLLBACK' }
      }
      if (warning !== undefined && sql.includes(at)) {
        this.failures.shift()
        return { ...(await send()), warning }
      }
      if (this.failures[0]?.runs && sql.includes(this.failures[0].at)) await send()
      this.#fail(sql)
      return send()
    }
    const connection: PgConnection & { inner: PgConnection } = {
      inner,
      isUsable: true,
      run: (sql, values) => run(sql, () => inner.run(sql, values)),
      script: sql => run(sql, () => inner.script(sql)),
    }
    return connection
  }

  #fail(sql: string): void {
    const failure = this.failures[0]
    if (!failure || !sql.includes(failure.at)) return
    this.failures.shift()
    if (failure.code === undefined) throw new ConnectionError('Connection terminated unexpectedly')
    throw Object.assign(new Error(`refused with ${failure.code}`), { code: failure.code })
  }

  release(connection: PgConnection, isBroken: boolean): void {
    const { inner } = connection as PgConnection & { inner: PgConnection }
    // The server ends what a lost connection leaves open; this session goes on.
    const ended = isBroken ? inner.script('ROLLBACK') : Promise.resolve()
    if (isBroken) this.broken++
    void ended.then(() => this.#inner.release(inner, false))
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
