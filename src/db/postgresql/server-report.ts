/** What `signet doctor` and `/readyz` ask PostgreSQL. Needs no more rights than the service has. */
import type { Clocks } from '../../lib/machine.ts'
import type { Db } from '../open.ts'
import { LOGIN, type Login, loginIn, readClock } from './server-check.ts'

interface ServerSettings {
  version: string
  encoding: string
  collation: string
  fsync: string
  full_page_writes: string
  data_checksums: string
  synchronous_commit: string
  synchronous_standby_names: string
  max_connections: number
  /** Only for superusers. */
  reserved_connections: number
  /** Of all programs, at this moment. */
  open_connections: number
}

const SETTINGS = `
  SELECT current_setting('server_version') AS version, pg_encoding_to_char(encoding) AS encoding, datcollate AS collation,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('data_checksums') AS data_checksums, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    current_setting('max_connections')::int AS max_connections,
    current_setting('superuser_reserved_connections')::int AS reserved_connections,
    (SELECT sum(numbackends) FROM pg_stat_database)::int AS open_connections
  FROM pg_database WHERE datname = current_database()`

interface Standby {
  /** `null` if the user may not see it: that needs the role pg_monitor. */
  name: string | null
  sync_state: string | null
  /** Bytes of the log that the standby has not applied. */
  lag_bytes: number | null
}

const STANDBYS = `
  SELECT application_name AS name, sync_state, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint AS lag_bytes
  FROM pg_stat_replication ORDER BY application_name`

interface NodeRow {
  name: string
  boot: string
  version: string
  seen_at: string
}

export interface ServerReport extends ServerSettings {
  login: Login
  standbys: Standby[]
  nodes: NodeRow[]
  schema: number
  /** Executables that know an older schema cannot write. */
  oldest_writer: number
  /** Of the server, ms since 1970, when it answered. */
  clock_ms: number
  /** How far the clock of this machine is ahead of the server's. */
  clock_difference_ms: number
  /** The median of a few. */
  round_trip_ms: number
}

const ROUND_TRIPS = 7

export async function reportServer({ reads }: Db, clocks: Clocks): Promise<ServerReport> {
  const settings = (await reads.first(SETTINGS, [])) as ServerSettings
  const standbys = (await reads.all(STANDBYS, [])) as Standby[]
  const nodes = (await reads.all('SELECT name, boot, version, seen_at FROM nodes ORDER BY name, boot', [])) as NodeRow[]
  const writer = (await reads.first('SELECT schema, oldest_writer FROM writer', [])) as { schema: number; oldest_writer: number }
  const login = loginIn(await reads.first(LOGIN, []))
  const readings = await readClock(sql => reads.all(sql, []), clocks, ROUND_TRIPS)
  const [fastest] = readings
  return {
    ...settings,
    login,
    standbys,
    nodes,
    ...writer,
    clock_ms: fastest?.serverMs ?? 0,
    clock_difference_ms: fastest?.differenceMs ?? 0,
    round_trip_ms: readings[ROUND_TRIPS >> 1]?.roundTripMs ?? 0,
  }
}

/** Whether an executable that knows this schema may still write. */
export async function mayWrite({ reads }: Db, knownSchema: number): Promise<boolean> {
  const row = (await reads.first('SELECT oldest_writer FROM writer', [])) as { oldest_writer: number } | undefined
  return row !== undefined && row.oldest_writer <= knownSchema
}
