/** An end of a move on servers: PostgreSQL and S3, which no node serves meanwhile. */
import { latestVersion } from '../db/migrate.ts'
import { clearMoveState, readMoveState, saveMoveState } from '../db/move/state.ts'
import { DEAD_AFTER_MS, livingNodes } from '../db/nodes.ts'
import { connectPostgresql, withOne } from '../db/postgresql/connect.ts'
import type { PgConnections } from '../db/postgresql/connection.ts'
import { openPostgresql, type PostgresqlDatabase } from '../db/postgresql/open.ts'
import { checkPostgresqlSchema, hasInstance, migratePostgresql } from '../db/postgresql/schema.ts'
import { describeServer, parseDatabaseUrl } from '../db/postgresql/url.ts'
import { errorMessage } from '../lib/log.ts'
import type { StoreMachine } from '../storage/file-store.ts'
import { parseFilesUrl, type S3Location } from '../storage/files-url.ts'
import type { BucketMachine } from '../storage/s3-bucket.ts'
import { undoMark } from './move.ts'
import { type MoveEnd, MoveError } from './rows.ts'
import { filesOfBucket, type StoredFiles } from './stored-files.ts'

interface Options extends StoreMachine, BucketMachine {
  /** Without: nodes may serve meanwhile, for a move that only reports. */
  exclusive: boolean
}

/** Servers that are connected to. */
export interface Servers {
  name: string
  connections: PgConnections
  files: StoredFiles
}

/** Addresses with their secrets, which no message repeats. */
export interface ServerUrls {
  database: string
  files: string
}

const describeBucket = ({ endpoint, bucket, prefix }: S3Location) =>
  `s3://${new URL(endpoint).host}/${bucket}${prefix && `/${prefix.replace(/\/$/, '')}`}`

/** @throws an error whose message contains the remedy */
export async function connectServers({ database, files }: ServerUrls, options: Options): Promise<Servers> {
  const server = parsed('database', () => parseDatabaseUrl(database))
  const location = parsed('files', () => parseFilesUrl(files))
  return {
    name: `${describeServer(server)} and ${describeBucket(location)}`,
    connections: await connectPostgresql(server, options),
    files: filesOfBucket(location, options),
  }
}

/** The parsers' messages are the end of a sentence. */
function parsed<T>(which: 'database' | 'files', parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new MoveError(`The URL of the ${which} ${errorMessage(error)}.`)
  }
}

/** Makes a database that was moved serve again. Returns where it was moved to. */
export async function undoMarkOfDatabase(url: string, options: Options): Promise<string> {
  const server = parsed('database', () => parseDatabaseUrl(url))
  const database = openPostgresql({ ...options, connections: await connectPostgresql(server, options) })
  return undoMark({ name: describeServer(server), database }).finally(() => database.close())
}

export function openSource(servers: Servers, options: Options): Promise<MoveEnd> {
  return orClose(servers, async () => {
    const version = await withOne(servers.connections, connection => checkPostgresqlSchema(connection))
    if (version === 0) throw new MoveError(`${servers.name} holds no installation: there is nothing to move.`)
    requireLatestSchema(version, servers)
    return endOf(servers, options)
  })
}

/** Makes the tables if the database is empty. Undefined for a move that only reports, then. */
export function openTarget(servers: Servers, options: Options): Promise<MoveEnd | undefined> {
  return orClose(servers, async () => {
    const version = await withOne(servers.connections, connection => checkPostgresqlSchema(connection))
    const isUnused = version === 0 || !(await withOne(servers.connections, hasInstance))
    if (!isUnused) requireLatestSchema(version, servers)
    else if (options.exclusive) await withOne(servers.connections, connection => migratePostgresql(connection, options))
    const end = isUnused && !options.exclusive ? undefined : endOf(servers, options)
    if (!end) await servers.connections.close()
    return end
  })
}

async function orClose<T>({ connections }: Servers, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await connections.close()
    throw error
  }
}

/** Rows are copied between equal schemas only. */
function requireLatestSchema(version: number, { name }: Servers): void {
  if (version === latestVersion()) return
  throw new MoveError(`${name} has schema ${version}, not ${latestVersion()}: run signet migrate on it first.`)
}

function endOf(servers: Servers, options: Options): MoveEnd {
  const { connections, name, files } = servers
  const database = openPostgresql({ ...options, connections })
  return {
    name,
    database,
    files,
    moveTo: (to, work) => moveTo(database, to, options.now, work),
    close: () => database.close(),
  }
}

/** The row keeps nodes from starting, also after this process was killed. */
async function moveTo<T>(
  { db, write }: PostgresqlDatabase,
  to: string,
  now: () => Date,
  work: (keepMark: () => void) => Promise<T>,
): Promise<T> {
  const save = (state: 'moving' | 'moved') =>
    write(tx => saveMoveState(tx, { role: 'source', state, to, at: now().toISOString() }))
  await requireNoNode(db)
  let isMarkKept = (await readMoveState(db)) !== undefined
  await save('moving')
  try {
    const result = await work(() => {
      isMarkKept = true
    })
    // A node that was starting when the row was written has joined since.
    await requireNoNode(db)
    await save('moved')
    return result
  } catch (error) {
    if (!isMarkKept) await write(clearMoveState)
    throw error
  }
}

async function requireNoNode(db: PostgresqlDatabase['db']): Promise<void> {
  const names = await livingNodes(db)
  if (names.length === 0) return
  throw new MoveError(
    `These nodes serve the database: ${names.join(', ')}. Stop them; a node that was killed counts as living for ${DEAD_AFTER_MS / 1000} s.`,
  )
}
