/** Checks a PostgreSQL server before it is used: version, encoding, collation, clock. */
import type { Clocks } from '../../lib/machine.ts'
import type { PgConnection } from './connection.ts'

// What the login of this process may do: the service changes rows, `migrate` changes tables.

export interface Login {
  name: string
  /** Owns the tables, or may make them in an empty schema. */
  mayMigrate: boolean
  /** May change rows. */
  mayWrite: boolean
}

/** `writer` is the first table: who owns it, owns them all. */
export const LOGIN = `
  SELECT current_user AS name, COALESCE(
    (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('writer')),
    has_schema_privilege(current_schema(), 'CREATE')) AS may_migrate,
    COALESCE(has_table_privilege(to_regclass('writer'), 'UPDATE'), false) AS may_write`

export function loginIn(row: unknown): Login {
  const { name, may_migrate, may_write } = row as { name: string; may_migrate: unknown; may_write: unknown }
  return { name, mayMigrate: Boolean(may_migrate), mayWrite: Boolean(may_write) }
}

export async function loginOf(connection: PgConnection): Promise<Login> {
  return loginIn((await connection.run(LOGIN, [])).rows[0])
}

const MIN_VERSION = 150_000
/** A node with another clock neither starts nor is ready: times of several nodes are compared. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000
const CLOCK_TRIES = 3

interface ServerRow {
  version: string
  number: number
  database: string
  encoding: string
  collation: string
  provider: string
}

/** Texts are compared bytewise: lists are paged by them, and due times are texts. */
function isBytewise({ collation, provider }: ServerRow): boolean {
  // PostgreSQL 17 and later: the provider `builtin` compares bytewise with every locale.
  return provider === 'b' || (provider === 'c' && (collation === 'C' || collation === 'POSIX'))
}

/** Returns why the database cannot be used, with the remedy. */
export async function serverProblem(connection: PgConnection): Promise<string | undefined> {
  const { rows } = await connection.run(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      datname AS database, pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, datlocprovider AS provider
    FROM pg_database WHERE datname = current_database()`,
    [],
  )
  const row = rows[0] as ServerRow
  const name = `"${row.database.replaceAll('"', '""')}"`
  const create = `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`
  if (row.number < MIN_VERSION) return `The server runs PostgreSQL ${row.version}: version 15 or later is needed.`
  if (row.encoding !== 'UTF8') return `The database has the encoding ${row.encoding}, UTF8 is needed: make it with ${create}.`
  if (!isBytewise(row)) return `The database has the collation ${row.collation}, C is needed: make it with ${create}.`
  return undefined
}

interface ClockReading {
  /** Time of the server, ms since 1970. */
  serverMs: number
  /** How far the clock of this machine is ahead of the server's. */
  differenceMs: number
  roundTripMs: number
}

/** Reads the server's clock a few times. The reading with the shortest round trip comes first. */
export async function readClock(
  run: (sql: string) => Promise<unknown[]>,
  { now, steadyMs }: Clocks,
  tries: number,
): Promise<ClockReading[]> {
  const readings: ClockReading[] = []
  for (let i = 0; i < tries; i++) {
    const beganMs = steadyMs()
    const [row] = await run('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
    const roundTripMs = steadyMs() - beganMs
    const serverMs = Number((row as { ms: number }).ms)
    // The server read its clock about half-way between question and answer.
    readings.push({ serverMs, roundTripMs, differenceMs: now().getTime() - roundTripMs / 2 - serverMs })
  }
  return readings.sort((a, b) => a.roundTripMs - b.roundTripMs)
}

/** How far the clock of this node is ahead of the database's. */
export async function clockDifferenceMs(connection: PgConnection, clocks: Clocks): Promise<number> {
  const [best] = await readClock(async sql => (await connection.run(sql, [])).rows, clocks, CLOCK_TRIES)
  return Math.round(best?.differenceMs ?? 0)
}
