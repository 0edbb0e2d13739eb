/** An end of a move on servers: PostgreSQL and S3, which no node serves meanwhile. */
import { latestVersion } from '../db/migrate.ts'
import { clearMoveState, readMoveState, saveMoveState } from '../db/move-state.ts'
import { livingNodes } from '../db/nodes.ts'
import { openPostgresql, type PostgresqlDatabase } from '../db/postgresql.ts'
import { withOne } from '../db/postgresql-connect.ts'
import type { PgConnections } from '../db/postgresql-connection.ts'
import { checkPostgresqlSchema, migratePostgresql } from '../db/postgresql-schema.ts'
import type { FileStore } from '../storage/file-store.ts'
import { type MoveEnd, MoveError } from './end.ts'

interface Options {
  /** Without: nodes may serve meanwhile, for a move that only reports. */
  exclusive: boolean
  now(): Date
}

/** Servers that are connected to. */
export interface Servers {
  name: string
  connections: PgConnections
  storage: FileStore
  close(): Promise<void>
}

export async function openSource(servers: Servers, options: Options): Promise<MoveEnd> {
  const version = await withOne(servers.connections, connection => checkPostgresqlSchema(connection))
  if (version === 0) throw new MoveError(`${servers.name} holds no installation: there is nothing to move.`)
  requireLatestSchema(version, servers)
  return endOf(servers, options)
}

/** Makes the tables if the database is empty. Undefined for a move that only reports, then. */
export async function openTarget(servers: Servers, options: Options): Promise<MoveEnd | undefined> {
  const version = await withOne(servers.connections, connection => checkPostgresqlSchema(connection))
  if (version === 0 && !options.exclusive) return undefined
  if (version === 0) await withOne(servers.connections, connection => migratePostgresql(connection))
  else requireLatestSchema(version, servers)
  return endOf(servers, options)
}

/** Rows are copied between equal schemas only. */
function requireLatestSchema(version: number, { name }: Servers): void {
  if (version === latestVersion()) return
  throw new MoveError(`${name} has schema ${version}, not ${latestVersion()}: run signet migrate on it first.`)
}

function endOf(servers: Servers, { now }: Options): MoveEnd {
  const { connections, name, storage } = servers
  const database = openPostgresql({ connections })
  return {
    name,
    database,
    storage,
    moveTo: (to, work) => moveTo(database, to, now, work),
    async close() {
      await database.close()
      await servers.close()
    },
  }
}

/** The row keeps nodes from starting, also after this process was killed. */
async function moveTo<T>(
  { db, write }: PostgresqlDatabase,
  to: string,
  now: () => Date,
  work: (keep: () => void) => Promise<T>,
): Promise<T> {
  const save = (state: 'moving' | 'moved') =>
    write(tx => saveMoveState(tx, { role: 'source', state, to, at: now().toISOString() }))
  await requireNoNode(db)
  let isKept = (await readMoveState(db)) !== undefined
  await save('moving')
  try {
    const result = await work(() => {
      isKept = true
    })
    // A node that was starting when the row was written has joined since.
    await requireNoNode(db)
    await save('moved')
    return result
  } catch (error) {
    if (!isKept) await write(clearMoveState)
    throw error
  }
}

async function requireNoNode(db: PostgresqlDatabase['db']): Promise<void> {
  const names = await livingNodes(db)
  if (names.length === 0) return
  throw new MoveError(
    `These nodes serve the database: ${names.join(', ')}. Stop them; a node that was killed counts as living for 20 s.`,
  )
}
