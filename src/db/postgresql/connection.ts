/** A connection to PostgreSQL as our engine needs it: by `pg`, or by PGlite in tests. */
import { DatabaseUnavailableError } from '../open.ts'

export interface PgAnswer {
  rows: unknown[]
  /** Rows that were changed or returned. */
  count: number
  /** The command that was run, such as COMMIT; of tests without a server none. */
  command?: string | undefined
  /** What the server warned of since the answer before. */
  warning?: string | undefined
}

/** Calls may follow before the answers: statements run in their order. */
export interface PgConnection {
  /** `false` once it failed: what is sent then does not reach the server. */
  readonly isUsable: boolean
  /** One statement with `$1`, `$2` … */
  run(sql: string, values: readonly unknown[]): Promise<PgAnswer>
  /**
   * Statements without values in one round trip. Answers what the last one answered, within `maxMs`
   * or the time that every statement has.
   */
  script(sql: string, maxMs?: number): Promise<PgAnswer>
}

/** A heartbeat must not wait for anything else: a busy node would be taken for dead. */
export type Use = 'read' | 'write' | 'heartbeat'
export const HEARTBEAT_CONNECTIONS = 1

/**
 * Connections belong to a caller from `acquire` to `release`. Errors of a connection, not of a
 * statement, are `ConnectionError`.
 */
export interface PgConnections {
  acquire(use: Use): Promise<PgConnection>
  /** A connection that failed is not used again, nor are those that were opened before it did. */
  release(connection: PgConnection, isBroken: boolean): void
  close(): Promise<void>
}

/** The connection ended, was refused or did not answer in time. */
export class ConnectionError extends Error {}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CODES = {
  serialization: /^(40001|40P01)$/,
  /** Ended by an administrator or a time-out, no connection to be had, a standby. */
  connection: /^(08...|57P0[1235]|25P0[34]|53300|25006|28...|3D000)$/,
  /** The time-out of a statement, or of waiting for a lock. */
  timeOut: /^(57014|55P03)$/,
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Another transaction was in the way: the same work can succeed when it is repeated. */
export function isSerializationFailure(error: unknown): boolean {
  return CODES.serialization.test(codeOf(error))
}

/** Whether the connection failed: it must not be used again. */
export function isConnectionFailure(error: unknown): boolean {
  return error instanceof ConnectionError || CODES.connection.test(codeOf(error))
}

/** Errors of connections and time-outs as the application knows them; others as they are. */
export function asUnavailable(error: unknown, outcome: DatabaseUnavailableError['outcome']): unknown {
  const isUnavailable = isConnectionFailure(error) || CODES.timeOut.test(codeOf(error))
  return isUnavailable ? new DatabaseUnavailableError(outcome, { cause: error }) : error
}

const OIDS = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701, numeric: 1700 }

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}: too large for a number`)
  return value
}

function decimalNumber(text: string): number {
  return Number.isInteger(Number(text)) ? wholeNumber(text) : Number(text)
}

/** Values as SQLite gives them: numbers, texts, bytes, and 0 or 1. All other types stay texts. */
export const READERS: Record<number, (text: string) => unknown> = {
  [OIDS.bool]: text => (text === 't' || text === 'true' ? 1 : 0),
  [OIDS.bytea]: text => Buffer.from(text.slice(2), 'hex'),
  [OIDS.int8]: wholeNumber,
  [OIDS.int2]: wholeNumber,
  [OIDS.int4]: wholeNumber,
  [OIDS.oid]: wholeNumber,
  [OIDS.float4]: Number,
  [OIDS.float8]: Number,
  [OIDS.numeric]: decimalNumber,
}

/** `?` for each value becomes `$1`, `$2` … but not inside texts. */
export function numbered(sql: string): string {
  let number = 0
  return sql.replace(/'(?:[^']|'')*'|\?/g, found => (found === '?' ? `$${++number}` : found))
}
