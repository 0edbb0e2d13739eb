/** What `signet doctor` says about a PostgreSQL server, by what the server answers. */
import { describe, expect, test } from 'bun:test'
import type { ServerReport } from '../../src/db/postgresql/server-report.ts'
import { type OwnSide, serverFindings } from '../../src/health/server.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const seenBefore = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

const GOOD: ServerReport = {
  version: '15.8',
  login: { name: 'signet_serve', mayMigrate: false, mayWrite: true },
  encoding: 'UTF8',
  collation: 'C',
  fsync: 'on',
  full_page_writes: 'on',
  data_checksums: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: 'ANY 1 (db2)',
  max_connections: 100,
  reserved_connections: 3,
  open_connections: 20,
  standbys: [{ name: 'db2', sync_state: 'quorum', lag_bytes: 0 }],
  nodes: [
    { name: 'sign-1', boot: 'a', version: '1.2.3', seen_at: seenBefore(1) },
    { name: 'sign-2', boot: 'b', version: '1.2.3', seen_at: seenBefore(4) },
  ],
  schema: 24,
  oldest_writer: 22,
  clock_ms: NOW,
  clock_difference_ms: 3,
  round_trip_ms: 0.4,
}
const OWN: OwnSide = {
  server: 'postgres://db.example.com:5432/signet',
  version: '1.2.3',
  knownSchema: 24,
  connectionsPerNode: 12,
  transactionMs: 4,
}

/** `verdict name` of what is not in order. */
const problems = (report: Partial<ServerReport>, own: Partial<OwnSide> = {}) =>
  serverFindings({ ...GOOD, ...report }, { ...OWN, ...own })
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ verdict, name }) => `${verdict} ${name}`)

describe('a server', () => {
  test('in order has nothing but good findings, with the nodes by name', () => {
    const findings = serverFindings(GOOD, OWN)
    expect(problems({})).toEqual([])
    expect(findings.map(({ name, message }) => `${name}: ${message}`)).toContain('node: sign-2, version 1.2.3, seen 4.0 s ago')
  })

  test.each([
    ['fsync off', { fsync: 'off' }, 'error durability'],
    ['commits that wait for nothing', { synchronous_commit: 'off' }, 'error durability'],
    ['no synchronous standby', { synchronous_standby_names: '', standbys: [] }, 'warning durability'],
    ['commits that do not wait for the standby', { synchronous_commit: 'local' }, 'warning durability'],
    ['commits that wait for the memory of the standby', { synchronous_commit: 'remote_write' }, 'warning durability'],
    ['a standby that is named but not connected', { standbys: [] }, 'error durability'],
    ['no checksums', { data_checksums: 'off' }, 'warning checksums'],
    ['a clock that is 0.6 s behind', { clock_difference_ms: 600 }, 'warning clock'],
    ['a clock that is 3 s ahead', { clock_difference_ms: -3000 }, 'error clock'],
    ['too few connections', { max_connections: 25 }, 'warning connections'],
    ['a long way', { round_trip_ms: 12 }, 'warning round trip'],
    ['a newer schema that still accepts us', { schema: 25 }, 'warning schema'],
    ['no node', { nodes: [] }, 'warning nodes'],
  ] as [string, Partial<ServerReport>, string][])('with %s: %s', (_, report, problem) => {
    expect(problems(report)).toEqual([problem])
  })

  test('whose standby lags is reported, and one whose state is hidden too', () => {
    expect(problems({ standbys: [{ name: 'db2', sync_state: 'sync', lag_bytes: 1e9 }] })).toEqual(['warning standby'])
    expect(problems({ standbys: [{ name: null, sync_state: null, lag_bytes: null }] })).toEqual(['warning standby'])
  })

  test('that is slow to let us write is reported', () => {
    expect(problems({}, { transactionMs: 900 })).toEqual(['warning writer'])
  })

  test('nodes that are silent, and nodes of another version, are named', () => {
    const node = { name: 'sign-3', boot: 'c', version: '1.2.3', seen_at: seenBefore(1) }
    expect(problems({ nodes: [{ ...node, seen_at: seenBefore(60) }] })).toEqual(['warning node'])
    expect(problems({ nodes: [{ ...node, version: '1.2.2' }] })).toEqual(['warning node'])
  })
})
