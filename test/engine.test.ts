/** A verb on a shared database: it takes no lock of a folder, and changes no schema. */
import { beforeEach, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { lockFolder } from '../src/db/lock.ts'
import { latestVersion } from '../src/db/migrate.ts'
import type { PgConnections } from '../src/db/postgresql/connection.ts'
import { useFreshFolder } from './support/folders.ts'
import { openS3Server } from './support/s3-server.ts'

const folder = useFreshFolder()
let statements: string[]
beforeEach(() => {
  statements = []
  writeFileSync(folder('master.key'), Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
})

/** A server on which nothing but the version of the schema can be read. */
function serverWith(schema: number): PgConnections {
  const rowsOf = (sql: string): unknown[] => {
    if (sql.includes('to_regclass')) return [{ ours: schema > 0 ? 1 : 0, used: 0 }]
    if (sql.includes('value FROM instance')) return [{ value: 'ins_own' }]
    return sql.includes('FROM writer') ? [{ application: 'signet', schema, oldest_writer: 1 }] : []
  }
  const answer = (sql: string) => {
    statements.push(sql)
    const rows = rowsOf(sql)
    return Promise.resolve({ rows, count: rows.length })
  }
  return { acquire: async () => ({ isUsable: true, run: answer, script: answer }), release() {}, async close() {} }
}

const openBeside = (schema: number, filesUrl = 's3://KEY:secret@127.0.0.1/signet', mayMigrate = false) =>
  openApp(
    readConfig(
      {},
      {
        SIGNET_DATA: folder(),
        SIGNET_DATABASE_URL: 'postgres://signet:secret@127.0.0.1/signet',
        SIGNET_FILES_URL: filesUrl,
        SIGNET_MASTER_KEY_FILE: folder('master.key'),
        SIGNET_SMTP_URL: 'smtp://127.0.0.1',
        SIGNET_BASE_URL: 'https://sign.example.com',
      },
    ),
    { command: [], exclusive: false, mayMigrate, lockHolder: 'a verb', log: () => {}, connections: serverWith(schema) },
  )

test('an empty database is left empty, and the sentence says what fills it', async () => {
  await expect(openBeside(0)).rejects.toThrow('The database is empty: run signet migrate first')
  expect(statements.filter(sql => /CREATE|INSERT|UPDATE/.test(sql))).toEqual([])
})

test('an older schema is left as it is: nodes of the release before serve from it', async () => {
  await expect(openBeside(latestVersion() - 1)).rejects.toThrow('run signet migrate first; nodes that serve continue to do so')
  expect(statements.filter(sql => /CREATE|INSERT|UPDATE/.test(sql))).toEqual([])
})

test('the folder of a node that serves is no obstacle, and one that does not serve is not locked', async () => {
  await expect(openBeside(0)).rejects.toThrow('The database is empty')
  expect(readdirSync(folder())).toEqual(['master.key'])
  const unlock = lockFolder(folder(), 'signet serve')
  await expect(openBeside(0)).rejects.toThrow('The database is empty')
  unlock()
})

test('a migration looks at the bucket first: one that is missing or that of another instance ends it', async () => {
  const server = openS3Server()
  try {
    const refusal = async () => {
      statements = []
      return openBeside(latestVersion() - 1, server.url, true).then(
        () => 'it was migrated',
        (error: Error) => error.message,
      )
    }
    server.always = 'no bucket'
    expect(await refusal()).toContain(
      'SIGNET_FILES_URL: the file store answers NoSuchBucket: the bucket does not exist: create it',
    )
    expect(statements.filter(sql => /CREATE|ALTER|INSERT|UPDATE|LOCK/.test(sql))).toEqual([])
    server.always = undefined
    server.objects.set('signet/.instance', { bytes: Buffer.from('ins_other'), storedAt: new Date(0) })
    expect(await refusal()).toContain('the bucket holds the files of another instance (ins_other)')
    expect(statements.filter(sql => /CREATE|ALTER|INSERT|UPDATE|LOCK/.test(sql))).toEqual([])
    server.objects.set('signet/.instance', { bytes: Buffer.from('ins_own'), storedAt: new Date(0) })
    expect(await refusal()).not.toContain('SIGNET_FILES_URL')
  } finally {
    await server.stop()
  }
})
