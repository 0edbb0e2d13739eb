/** Findings about a PostgreSQL server and the nodes that share it. */
import { latestVersion } from '../db/migrate.ts'
import { DEAD_AFTER_MS } from '../db/nodes.ts'
import { HEARTBEAT_CONNECTIONS } from '../db/postgresql/connection.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../db/postgresql/server-check.ts'
import { reportServer, type ServerReport } from '../db/postgresql/server-report.ts'
import { describeServer, parseDatabaseUrl } from '../db/postgresql/url.ts'
import { counted } from '../lib/relative-time.ts'
import type { App } from '../ports.ts'
import { type Finding, failed, passed, warning } from './finding.ts'

export interface OwnSide {
  /** Where the database is, without the login. */
  server: string
  version: string
  knownSchema: number
  /** Connections that each node may open. */
  connectionsPerNode: number
  /** How long an empty transaction took, to its commit. Undefined: this login may only read. */
  transactionMs: number | undefined
}

const WARN_CLOCK_DIFFERENCE_MS = 500
/** A change needs about ten round trips, and all changes of the cluster wait for one another. */
const WARN_ROUND_TRIP_MS = 3
const WARN_TRANSACTION_MS = 250
const WARN_LAG_BYTES = 64_000_000

export function serverFindings(report: ServerReport, own: OwnSide): Finding[] {
  const { version, encoding, collation, data_checksums } = report
  return [
    passed('database', `PostgreSQL ${version} at ${own.server}, ${encoding}, collation ${collation}`),
    data_checksums === 'on'
      ? passed('checksums', 'the server finds damaged pages')
      : warning('checksums', 'are off: damaged pages are not noticed. Stop the server and run pg_checksums --enable'),
    login(report),
    durability(report),
    ...standbys(report),
    clock(report),
    connections(report, own),
    schema(report, own),
    ...nodes(report, own),
    ...speed(report, own),
  ]
}

function login({ login: { name, mayMigrate, mayWrite } }: ServerReport): Finding {
  const rights = mayMigrate ? 'owns the tables' : mayWrite ? 'may change rows, not tables' : 'may only read'
  return passed('login', `${name} ${rights}`)
}

/** What an acknowledged change survives. */
function durability({ fsync, full_page_writes, synchronous_commit, synchronous_standby_names, standbys }: ServerReport): Finding {
  const name = 'durability'
  if (fsync !== 'on' || full_page_writes !== 'on')
    return failed(name, 'fsync or full_page_writes is off: a power failure destroys the database. Set both to on')
  if (synchronous_commit === 'off')
    return failed(name, 'synchronous_commit is off: a crash of the server loses acknowledged changes. Set it to on')
  if (synchronous_standby_names === '') {
    return warning(
      name,
      'synchronous_standby_names is empty: a standby that is promoted may lack acknowledged changes. Name a standby there',
    )
  }
  if (synchronous_commit === 'local' || synchronous_commit === 'remote_write') {
    const what =
      synchronous_commit === 'local' ? 'no standby is waited for' : 'a standby that loses power loses acknowledged changes'
    return warning(name, `synchronous_commit is ${synchronous_commit}: ${what}. Set it to on`)
  }
  const isVisible = standbys.every(({ sync_state }) => sync_state !== null)
  if (isVisible && !standbys.some(({ sync_state }) => sync_state === 'sync' || sync_state === 'quorum')) {
    return failed(
      name,
      `no standby that synchronous_standby_names (${synchronous_standby_names}) names is connected: every change waits for one`,
    )
  }
  return passed(name, `synchronous_commit ${synchronous_commit}, synchronous standbys ${synchronous_standby_names}`)
}

function standbys({ standbys }: ServerReport): Finding[] {
  return standbys.map(({ name, sync_state, lag_bytes }) => {
    if (name === null || sync_state === null || lag_bytes === null)
      return warning('standby', 'one is connected; its state is shown to members of pg_monitor: GRANT pg_monitor TO the user')
    const message = `${name} is ${sync_state}, ${Math.round(lag_bytes / 1000)} kB behind`
    return lag_bytes > WARN_LAG_BYTES ? warning('standby', message) : passed('standby', message)
  })
}

function clock({ clock_difference_ms }: ServerReport): Finding {
  const message = `differs from the database's by ${Math.round(clock_difference_ms)} ms`
  const size = Math.abs(clock_difference_ms)
  if (size > MAX_CLOCK_DIFFERENCE_MS) return failed('clock', `${message}: synchronise both by NTP, or no node starts here`)
  return size > WARN_CLOCK_DIFFERENCE_MS ? warning('clock', `${message}: synchronise both by NTP`) : passed('clock', message)
}

function connections(report: ServerReport, { connectionsPerNode }: OwnSide): Finding {
  const { nodes, max_connections, reserved_connections, open_connections } = report
  const usable = max_connections - reserved_connections
  const needed = nodes.length * connectionsPerNode
  const message = `${counted(nodes.length, 'node opens', 'nodes open')} up to ${needed} of ${usable}; ${open_connections} are open now`
  return needed > usable
    ? warning('connections', `${message}: raise max_connections, lower read_connections in SIGNET_DATABASE_URL, or use a pooler`)
    : passed('connections', message)
}

function schema({ schema, oldest_writer }: ServerReport, { knownSchema }: OwnSide): Finding {
  const message = `${schema}; executables from schema ${oldest_writer} on may write`
  if (schema > knownSchema)
    return warning('schema', `${message}; this executable knows ${knownSchema}: bring this node up to date`)
  return passed('schema', message)
}

function nodes({ nodes, clock_ms }: ServerReport, { version }: OwnSide): Finding[] {
  if (nodes.length === 0) return [warning('nodes', 'none serves from this database')]
  return nodes.map(node => {
    const silenceMs = clock_ms - Date.parse(node.seen_at)
    const message = `${node.name}, version ${node.version}, seen ${(Math.max(0, silenceMs) / 1000).toFixed(1)} s ago`
    if (silenceMs > DEAD_AFTER_MS) return warning('node', `${message}: it has stopped, or cannot reach the database`)
    return node.version === version
      ? passed('node', message)
      : warning('node', `${message}: not the version of this executable (${version})`)
  })
}

function speed({ round_trip_ms }: ServerReport, { transactionMs }: OwnSide): Finding[] {
  const trip = `${round_trip_ms.toFixed(1)} ms`
  return [
    round_trip_ms > WARN_ROUND_TRIP_MS
      ? warning('round trip', `${trip}: all changes wait for one another, so the distance limits them. Move the nodes closer`)
      : passed('round trip', trip),
    writer(transactionMs),
  ]
}

function writer(transactionMs: number | undefined): Finding {
  if (transactionMs === undefined) return passed('writer', 'not measured: this login may only read')
  const transaction = `an empty transaction took ${Math.round(transactionMs)} ms`
  return transactionMs > WARN_TRANSACTION_MS
    ? warning('writer', `${transaction}: the row that each change locks is busy, or the commit waits for a standby`)
    : passed('writer', transaction)
}

/** Asks the server. The findings follow from the answers alone. */
export async function examineServer(app: App): Promise<{ report: ServerReport; findings: Finding[] }> {
  const report = await reportServer(app.db, app)
  const server = parseDatabaseUrl(app.config.databaseUrl ?? '')
  const beganMs = app.steadyMs()
  if (report.login.mayWrite) await app.write(async () => undefined, { wake: false })
  const findings = serverFindings(report, {
    server: describeServer(server),
    version: app.instance.version,
    knownSchema: latestVersion(),
    connectionsPerNode: server.readConnections + server.writeConnections + HEARTBEAT_CONNECTIONS,
    transactionMs: report.login.mayWrite ? app.steadyMs() - beganMs : undefined,
  })
  return { report, findings }
}
