/** PgBouncer in transaction mode before a PostgreSQL server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort, until } from '../../test/support/executable.ts'
import { PASSWORD, type PostgresServer } from './postgres-server.ts'
import { giveTo, type Program, type Programs } from './programs.ts'

const USER = 'postgres'

export interface Pooler {
  port: number
  program: Program
  restart(): Promise<void>
}

export async function startPgbouncer(programs: Programs, server: PostgresServer, folder: string): Promise<Pooler> {
  const port = await freePort()
  const home = join(folder, `pgbouncer-${port}`)
  mkdirSync(home, { mode: 0o700 })
  const users = join(home, 'users.txt')
  const settings = join(home, 'pgbouncer.ini')
  writeFileSync(users, `"signet" "${PASSWORD}"\n`)
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'max_client_conn = 200',
      'default_pool_size = 8',
      '',
    ].join('\n'),
  )
  for (const path of [home, users, settings]) giveTo(USER, path)
  const start = async () => {
    const program = programs.start('pgbouncer', ['pgbouncer', settings], { user: USER })
    await until('an answer of PgBouncer', () => answers(port))
    return program
  }
  return { port, program: await start(), restart: async () => void (await start()) }
}

async function answers(port: number): Promise<true | undefined> {
  const client = new Client({ host: '127.0.0.1', port, user: 'signet', password: PASSWORD, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    await Bun.sleep(50)
    return undefined
  }
}
