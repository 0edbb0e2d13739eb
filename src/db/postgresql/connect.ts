/** Connects to a PostgreSQL server that can hold an installation, or says what to do. */
import { errorMessage } from '../../lib/log.ts'
import type { Clocks } from '../../lib/machine.ts'
import type { PgConnection, PgConnections } from './connection.ts'
import { PooledConnections } from './pool.ts'
import { clockDifferenceMs, MAX_CLOCK_DIFFERENCE_MS, serverProblem } from './server-check.ts'
import { describeServer, type PostgresqlServer } from './url.ts'

/** The server cannot be used; the message contains the remedy. */
class DatabaseServerError extends Error {}

/** @throws DatabaseServerError that names the server, never its password */
export async function connectPostgresql(server: PostgresqlServer, clocks: Clocks): Promise<PgConnections> {
  let connections: PgConnections | undefined
  try {
    connections = new PooledConnections(server)
    await withOne(connections, async connection => {
      const problem = await serverProblem(connection)
      if (problem !== undefined) throw new DatabaseServerError(problem)
      const differenceMs = await clockDifferenceMs(connection, clocks)
      if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) return
      throw new DatabaseServerError(
        `The clock of this machine differs from the database's by ${(differenceMs / 1_000).toFixed(1)} s: synchronise both by NTP.`,
      )
    })
    return connections
  } catch (error) {
    await connections?.close()
    if (error instanceof DatabaseServerError) throw error
    throw new DatabaseServerError(
      `The database ${describeServer(server)} cannot be used (${errorMessage(error)}): correct SIGNET_DATABASE_URL, or start the server.`,
      { cause: error },
    )
  }
}

/** Runs `work` on one connection, outside transactions. */
export async function withOne<T>(connections: PgConnections, work: (connection: PgConnection) => Promise<T>): Promise<T> {
  const connection = await connections.acquire('write')
  try {
    return await work(connection)
  } finally {
    connections.release(connection, !connection.isUsable)
  }
}
