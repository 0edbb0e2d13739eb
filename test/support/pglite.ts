/** PostgreSQL inside of the test process: one PGlite, and a schema for each open database. */
import { PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import { KNOWN_LEVEL } from '../../src/db/feature-level.ts'
import { NO_CLOCK } from '../../src/db/migrate.ts'
import { type PgAnswer, type PgConnection, type PgConnections, READERS } from '../../src/db/postgresql/connection.ts'
import { migratePostgresql } from '../../src/db/postgresql/schema.ts'

/**
 * As the driver's: PGlite's own readers give booleans, dates and parsed JSON. Given once, because
 * each query copies what it is given.
 */
const parsers = Object.fromEntries(
  [...Object.keys(READERS), '114', '3802', '1082', '1114', '1184'].map(oid => [
    oid,
    READERS[Number(oid)] ?? ((text: string) => text),
  ]),
)

const { serialize } = protocol

const asSent = (value: unknown) =>
  value instanceof Uint8Array ? value : value === undefined || value === null ? null : String(value)

/**
 * All messages of a statement at once, as drivers send them. PGlite's own `query` sends one after
 * another, asks for the types of the values, and takes three to five times as long.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
function messagesOf(sql: string, values: readonly unknown[]): Uint8Array {
  return Buffer.concat([
    serialize.parse({ text: sql }),
    serialize.bind({ values: values.map(asSent) }),
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
    serialize.sync(),
  ])
}

/** In the order of the calls. Answers what the last statement answered. */
async function answerTo(inner: PGlite, sent: Uint8Array): Promise<PgAnswer> {
  const { messages } = await inner._runExclusiveQuery(() => inner.execProtocol(sent, { syncToFs: false }))
  const { rows, affectedRows } = parse.parseResults(messages, parsers).at(-1) as Results
  return { rows, count: affectedRows || rows.length }
}

/** One session: who has acquired it keeps it, as transactions need it. */
class Session {
  readonly #inner: PGlite
  #schema = ''
  #free: Promise<void> = Promise.resolve()

  constructor(inner: PGlite) {
    this.#inner = inner
  }

  async acquire(schema: string): Promise<PgConnection & { release(): void }> {
    const before = this.#free
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#free = promise
    await before
    if (this.#schema !== schema) await answerTo(this.#inner, serialize.query(`SET search_path TO ${schema}`))
    this.#schema = schema
    const inner = this.#inner
    return {
      isUsable: true,
      run: (sql, values) => answerTo(inner, messagesOf(sql, values)),
      script: sql => answerTo(inner, serialize.query(sql)),
      release: resolve,
    }
  }
}

class SchemaConnections implements PgConnections {
  readonly #schema: string
  readonly #session: Session
  #isClosed = false

  constructor(session: Session, schema: string) {
    this.#session = session
    this.#schema = schema
  }

  async acquire(): Promise<PgConnection> {
    if (this.#isClosed) throw new Error('the database is closed')
    return this.#session.acquire(this.#schema)
  }

  release(connection: PgConnection): void {
    ;(connection as PgConnection & { release(): void }).release()
  }

  /** The schema stays until it is given back: a test may open the same database again. */
  async close(): Promise<void> {
    this.#isClosed = true
  }
}

let session: Promise<Session> | undefined
const free: string[] = []
let schemas = 0

async function openSession(): Promise<Session> {
  return new Session(await PGlite.create({ parsers }))
}

async function withSchema<T>(schema: string, work: (connection: PgConnection) => Promise<T>): Promise<T> {
  session ??= openSession()
  const connection = await (await session).acquire(schema)
  try {
    return await work(connection)
  } finally {
    connection.release()
  }
}

/** An empty schema of its own, without tables. */
export async function emptySchema(): Promise<string> {
  const schema = `test_${++schemas}`
  await withSchema('public', connection => connection.script(`CREATE SCHEMA ${schema}`))
  return schema
}

/** A schema with all tables and no rows. */
export async function migratedSchema(): Promise<string> {
  const known = free.pop()
  if (known !== undefined) return known
  const schema = await emptySchema()
  await withSchema(schema, connection => migratePostgresql(connection, NO_CLOCK))
  return schema
}

export async function connectionsTo(schema: string): Promise<PgConnections> {
  session ??= openSession()
  return new SchemaConnections(await session, schema)
}

/** Makes the schema as new for the next test: that takes a twentieth of the time of a new one. */
export async function giveBack(schema: string): Promise<void> {
  await withSchema(schema, async connection => {
    const { rows } = await connection.run(
      `SELECT 'DELETE FROM ' || tablename AS statement FROM pg_tables
       WHERE schemaname = current_schema() AND tablename NOT IN ('writer', 'migrations', 'cluster')
       UNION ALL
       SELECT 'ALTER SEQUENCE ' || sequencename || ' RESTART' FROM pg_sequences WHERE schemaname = current_schema()`,
      [],
    )
    const statements = (rows as { statement: string }[]).map(row => row.statement)
    statements.push(`UPDATE cluster SET feature_level = ${KNOWN_LEVEL}, finished_at = NULL, quiet_ms = 0, counted_at = NULL`)
    // Without triggers and foreign keys: events are never deleted otherwise.
    await connection.script(
      `SET session_replication_role = replica; ${statements.join('; ')}; SET session_replication_role = origin`,
    )
  })
  free.push(schema)
}
