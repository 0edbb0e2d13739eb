/** Findings about a PostgreSQL server and the nodes that share it. */
import { latestVersion } from '../db/migrate.ts'
import { DEAD_AFTER_MS } from '../db/nodes.ts'
import { HEARTBEAT_CONNECTIONS } from '../db/postgresql/connection.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../db/postgresql/server-check.ts'
import { reportServer, type ServerReport } from '../db/postgresql/server-report.ts'
import { describeServer, parseDatabaseUrl } from '../db/postgresql/url.ts'
import { diagnosis } from '../locales/diagnoses.ts'
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
    passed('database', diagnosis('server_found', { version, server: own.server, encoding, collation })),
    data_checksums === 'on' ? passed('checksums', diagnosis('checksums_on')) : warning('checksums', diagnosis('checksums_off')),
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
  const code = mayMigrate ? 'login_owns' : mayWrite ? 'login_changes' : 'login_reads'
  return passed('login', diagnosis(code, { login: name }))
}

/** What an acknowledged change survives. */
function durability(report: ServerReport): Finding {
  const { fsync, full_page_writes, synchronous_commit: level, synchronous_standby_names: names, standbys } = report
  const name = 'durability'
  if (fsync !== 'on' || full_page_writes !== 'on') return failed(name, diagnosis('fsync_off'))
  if (level === 'off') return failed(name, diagnosis('commit_not_synced'))
  if (names === '') return warning(name, diagnosis('no_standby_named'))
  if (level === 'local' || level === 'remote_write') return warning(name, diagnosis(`commit_${level}`))
  const isVisible = standbys.every(({ sync_state }) => sync_state !== null)
  if (isVisible && !standbys.some(({ sync_state }) => sync_state === 'sync' || sync_state === 'quorum')) {
    return failed(name, diagnosis('named_standby_absent', { names }))
  }
  return passed(name, diagnosis('commit_durable', { level, names }))
}

function standbys({ standbys }: ServerReport): Finding[] {
  return standbys.map(({ name, sync_state, lag_bytes }) => {
    if (name === null || sync_state === null || lag_bytes === null) return warning('standby', diagnosis('standby_hidden'))
    const found = diagnosis('standby_behind', { standby: name, state: sync_state, kilobytes: Math.round(lag_bytes / 1000) })
    return lag_bytes > WARN_LAG_BYTES ? warning('standby', found) : passed('standby', found)
  })
}

function clock({ clock_difference_ms }: ServerReport): Finding {
  const ms = Math.round(clock_difference_ms)
  const size = Math.abs(clock_difference_ms)
  if (size > MAX_CLOCK_DIFFERENCE_MS) return failed('clock', diagnosis('clock_drifts', { ms, isTooFar: true }))
  if (size > WARN_CLOCK_DIFFERENCE_MS) return warning('clock', diagnosis('clock_drifts', { ms, isTooFar: false }))
  return passed('clock', diagnosis('clock_agrees', { ms }))
}

function connections(report: ServerReport, { connectionsPerNode }: OwnSide): Finding {
  const { nodes, max_connections, reserved_connections, open_connections: open } = report
  const count = nodes.length
  const known = { count, needed: count * connectionsPerNode, usable: max_connections - reserved_connections, open }
  return known.needed > known.usable
    ? warning('connections', diagnosis('connections_exceeded', known))
    : passed('connections', diagnosis('connections_suffice', known))
}

function schema({ schema, oldest_writer: oldest }: ServerReport, { knownSchema: known }: OwnSide): Finding {
  if (schema > known) return warning('schema', diagnosis('schema_newer', { schema, oldest, known }))
  return passed('schema', diagnosis('schema_known', { schema, oldest }))
}

function nodes({ nodes, clock_ms }: ServerReport, { version: own }: OwnSide): Finding[] {
  if (nodes.length === 0) return [warning('nodes', diagnosis('no_node'))]
  return nodes.map(({ name, version, seen_at }) => {
    const silenceMs = clock_ms - Date.parse(seen_at)
    const seen = { node: name, version, seconds: (Math.max(0, silenceMs) / 1000).toFixed(1) }
    if (silenceMs > DEAD_AFTER_MS) return warning('node', diagnosis('node_silent', seen))
    if (version !== own) return warning('node', diagnosis('node_of_other_version', { ...seen, own }))
    return passed('node', diagnosis('node_serves', seen))
  })
}

function speed({ round_trip_ms }: ServerReport, { transactionMs }: OwnSide): Finding[] {
  const ms = round_trip_ms.toFixed(1)
  return [
    round_trip_ms > WARN_ROUND_TRIP_MS
      ? warning('round trip', diagnosis('round_trip_long', { ms }))
      : passed('round trip', `${ms} ms`),
    writer(transactionMs),
  ]
}

function writer(transactionMs: number | undefined): Finding {
  if (transactionMs === undefined) return passed('writer', diagnosis('writer_unmeasured'))
  const ms = Math.round(transactionMs)
  return transactionMs > WARN_TRANSACTION_MS
    ? warning('writer', diagnosis('writer_slow', { ms }))
    : passed('writer', diagnosis('writer_measured', { ms }))
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
