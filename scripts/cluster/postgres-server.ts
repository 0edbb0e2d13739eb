/** A PostgreSQL cluster of its own on loopback: started, ended at once, copied, promoted. */
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, types } from 'pg'
import { freePort } from '../../test/support/executable.ts'
import { giveTo, type Program, type Programs, runToEnd, treeOf } from './programs.ts'

const USER = 'postgres'
const LIBRARIES = '/usr/lib/postgresql'
export const PASSWORD = 'rig-only'
const START_MS = 30_000

// Counts are bigint; the figures of a run are far below 2^53.
types.setTypeParser(20, Number)

function programPath(name: string): string {
  const versions = readdirSync(LIBRARIES).sort((a, b) => Number(b) - Number(a))
  return join(LIBRARIES, versions[0] ?? '', 'bin', name)
}

export type Row = Record<string, unknown>

export class PostgresServer {
  readonly port: number
  readonly #programs: Programs
  readonly #name: string
  readonly #data: string
  #program: Program | undefined

  private constructor(programs: Programs, name: string, data: string, port: number) {
    this.#programs = programs
    this.#name = name
    this.#data = data
    this.port = port
  }

  /** A new cluster: text compared by bytes, every commit synced, only loopback. */
  static async create(programs: Programs, folder: string): Promise<PostgresServer> {
    const server = new PostgresServer(programs, 'postgres', join(folder, 'postgres'), await freePort())
    const passwordFile = join(folder, 'postgres-password')
    writeFileSync(passwordFile, PASSWORD)
    giveTo(USER, passwordFile)
    server.#makeFolder()
    const init = ['--encoding=UTF8', '--locale=C', '--username=signet', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    await runToEnd([programPath('initdb'), '-D', server.#data, ...init], { user: USER })
    rmSync(passwordFile)
    server.configure(COMMON)
    await server.start()
    return server
  }

  /** A standby that follows the server at this port, copied from it. */
  static async copyOf(primary: PostgresServer, folder: string, fromPort: number): Promise<PostgresServer> {
    const standby = new PostgresServer(primary.#programs, 'standby', join(folder, 'standby'), await freePort())
    standby.#makeFolder()
    const from = `host=127.0.0.1 port=${fromPort} user=signet password=${PASSWORD} application_name=standby`
    await runToEnd([programPath('pg_basebackup'), '-D', standby.#data, '-d', from, '-R', '-X', 'stream', '-c', 'fast'], {
      user: USER,
    })
    standby.configure([`port = ${standby.port}`])
    await standby.start()
    return standby
  }

  #makeFolder(): void {
    mkdirSync(this.#data, { mode: 0o700 })
    giveTo(USER, this.#data)
  }

  /** Later lines win. Takes effect at the next start or reload. */
  configure(lines: string[]): void {
    appendFileSync(join(this.#data, 'postgresql.conf'), `${lines.join('\n')}\n`)
  }

  async start(): Promise<void> {
    const command = [programPath('postgres'), '-D', this.#data, '-p', String(this.port)]
    this.#program = this.#programs.start(this.#name, command, { user: USER })
    const deadline = performance.now() + START_MS
    while (!(await this.#answers())) {
      if (!this.#program.isRunning() || performance.now() > deadline) throw new Error(`PostgreSQL did not start:\n${this.log()}`)
      await Bun.sleep(50)
    }
  }

  async #answers(): Promise<boolean> {
    return this.rows('postgres', 'SELECT 1').then(
      () => true,
      () => false,
    )
  }

  /** As when the machine is gone: every process at once. */
  async vanish(): Promise<void> {
    for (const pid of treeOf(this.pid)) process.kill(pid, 'SIGKILL')
    await this.#program?.exited
  }

  /** `immediate` is a crash: the next start recovers from the log. */
  async stop(mode: 'immediate' | 'fast'): Promise<void> {
    await this.#program?.end(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT')
  }

  async reload(): Promise<void> {
    await this.rows('postgres', 'SELECT pg_reload_conf()')
  }

  async promote(): Promise<void> {
    await this.rows('postgres', 'SELECT pg_promote(true, 30)')
  }

  async createDatabase(name: string): Promise<void> {
    await this.rows('postgres', `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`)
  }

  /** One statement on a connection of its own. */
  async rows(database: string, sql: string): Promise<Row[]> {
    const client = new Client(this.address(database))
    // The server may end in the middle; the statement fails then.
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  address(database: string, port = this.port): string {
    return `postgres://signet:${PASSWORD}@127.0.0.1:${port}/${database}?sslmode=disable`
  }

  get pid(): number {
    return this.#program?.pid ?? 0
  }

  log(): string {
    return this.#program?.log() ?? ''
  }
}

const COMMON = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'fsync = on',
  'synchronous_commit = on',
  'max_connections = 120',
  'shared_buffers = 64MB',
  'wal_level = replica',
  "shared_preload_libraries = 'pg_stat_statements'",
  'pg_stat_statements.track_utility = on',
]
