/** A move to PostgreSQL and back: what returns equals what left, and no node serves meanwhile. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '../../migrations/index.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { NO_CLOCK } from '../../src/db/migrate.ts'
import { readMoveState } from '../../src/db/move/state.ts'
import { withOne } from '../../src/db/postgresql/connect.ts'
import { openPostgresql, type PostgresqlDatabase } from '../../src/db/postgresql/open.ts'
import { BASELINE, migratePostgresql } from '../../src/db/postgresql/schema.ts'
import { wordsOf } from '../../src/db/words.ts'
import { listDocuments } from '../../src/documents/lists/list-queries.ts'
import { secretBox } from '../../src/lib/secret-box.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { loadMasterKey } from '../../src/master-key.ts'
import { openSourceFolder, openTargetFolder } from '../../src/move/folder-end.ts'
import { moveInstallation, undoMark } from '../../src/move/move.ts'
import type { MoveEnd } from '../../src/move/rows.ts'
import { openSource, openTarget, type Servers } from '../../src/move/server-end.ts'
import { filesOfBucket } from '../../src/move/stored-files.ts'
import { SYSTEM } from '../../src/ports.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'
import { onSqlite } from '../support/engine.ts'
import { temporaryFolder } from '../support/folders.ts'
import { filesOf, makeInstallation, rowsOf, withRaw } from '../support/moved-installation.ts'
import { connectionsTo, emptySchema } from '../support/pglite.ts'
import { openS3Server, type S3Server } from '../support/s3-server.ts'

let installation: string
let folder: string
let source: string
let schema: string
let bucket: S3Server
let nodes = 0

onSqlite(describe)('an installation that begins in a folder', () => {
  beforeAll(async () => {
    installation = await makeInstallation()
  })
  afterAll(() => rmSync(installation, { recursive: true }))

  beforeEach(async () => {
    folder = temporaryFolder()
    source = join(folder, 'source')
    cpSync(installation, source, { recursive: true })
    schema = await emptySchema()
    bucket = openS3Server()
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true })
    await bucket.stop()
  })

  const ENDS = { ...THIS_MACHINE, exclusive: true }
  const MACHINE = { ...THIS_MACHINE, timers: { ...THIS_MACHINE.timers, sleep: async () => {} } }

  /** PostgreSQL in this process, and a bucket on loopback. */
  async function servers(): Promise<Servers> {
    return {
      name: 'postgres://db and s3://files',
      connections: await connectionsTo(schema),
      files: filesOfBucket(parseFilesUrl(bucket.url), MACHINE),
    }
  }

  const options = () => ({
    dryRun: false,
    allowDamaged: false,
    secrets: secretBox(loadMasterKey(source, undefined, false), THIS_MACHINE.random),
    say: () => {},
    now: ENDS.now,
  })

  async function move(from: MoveEnd, to: MoveEnd | undefined) {
    try {
      if (!to) throw new Error('the target was not made')
      return await moveInstallation(from, to, options())
    } finally {
      await from.close()
      await to?.close()
    }
  }

  const moveThere = async () => move(await openSourceFolder(source, ENDS), await openTarget(await servers(), ENDS))
  const moveBack = async (to: string) =>
    move(await openSource(await servers(), ENDS), await openTargetFolder(join(folder, to), ENDS))
  const errorOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: Error) => error.message,
    )

  test('there and back, every row and file is as it was', async () => {
    const [rows, files] = [rowsOf(source), filesOf(source)]
    const there = await moveThere()
    expect(await errorOf(moveThere())).toContain('was moved to postgres://db and s3://files')
    const back = await moveBack('back')
    expect([rowsOf(join(folder, 'back')), filesOf(join(folder, 'back'))]).toEqual([rows, files])
    expect(back.verification).toEqual(there.verification)
    expect(await errorOf(moveBack('again'))).toContain('was moved to')
  })

  async function withDatabase<T>(work: (database: PostgresqlDatabase) => Promise<T>): Promise<T> {
    const database = openPostgresql({ ...ENDS, connections: await connectionsTo(schema) })
    return work(database).finally(() => database.close())
  }

  /** Each start has a folder of its own: one that fails holds its lock until the process ends. */
  const serve = async () =>
    openApp(
      readConfig({}, { SIGNET_DATA: join(folder, `node${++nodes}`), SIGNET_MASTER_KEY_FILE: join(source, 'keys', 'master.key') }),
      {
        command: [],
        exclusive: true,
        lockHolder: 'a test',
        log: () => {},
        connections: await connectionsTo(schema),
      },
    )

  test('values at the limits arrive bit for bit, also many equal rows without a key', async () => {
    withRaw(source, raw => {
      raw.exec(`UPDATE fields SET x = 0.1 + 0.2, y = 5e-324, width = 1.7976931348623157e308, height = -0.0 WHERE rowid = 1`)
      raw.exec(`UPDATE fields SET x = -1e-7, y = 123456789012345680.0, width = 1e21, height = 100 WHERE rowid = 2`)
      raw.exec(`INSERT INTO alert_mails VALUES ('a', 'b', '', 9007199254740991), ('a', 'B', '', -9007199254740991)`)
      raw.exec(`INSERT INTO settings VALUES ('text', '😀éé�퟿''"\\x00
	' || char(0x10ffff) || char(1)), ('', '')`)
      raw.exec(`INSERT INTO secrets VALUES ('empty', x''), ('bytes', x'00ff5c7800')`)
      const webhook = raw.prepare('SELECT id FROM webhooks').pluck().get()
      const insert = raw.prepare("INSERT INTO webhook_former_secrets VALUES (?, '2030', x'01')")
      for (let i = 0; i < 60; i++) insert.run(webhook)
    })
    const rows = rowsOf(source)
    await moveThere()
    await moveBack('back')
    expect(rowsOf(join(folder, 'back'))).toEqual(rows)
  })

  test('the application serves what arrived: triggers count, and the search finds', async () => {
    await moveThere()
    const { app, close } = await serve()
    const before = await app.db
      .selectFrom('documents')
      .select(['id', 'version'])
      .where('status', '=', 'sent')
      .executeTakeFirstOrThrow()
    await app.write(tx => tx.updateTable('documents').set({ title: 'Changed' }).where('id', '=', before.id).execute())
    const after = await app.db.selectFrom('documents').select('version').where('id', '=', before.id).executeTakeFirstOrThrow()
    expect(after.version).toBe(before.version + 1)
    const found = await listDocuments(app, SYSTEM.actor, { metadata: {}, q: 'lease' }, { limit: 10, after: undefined })
    expect(found.documents.length).toBe(2)
    await close()
  })

  test('a database in a move is not served, and serves again after --undo-mark', async () => {
    await moveThere()
    const killed = await errorOf(
      (async () => {
        const from = await openSource(await servers(), ENDS)
        const to = await openTargetFolder(join(folder, 'back'), ENDS)
        const { write } = to.database
        let writes = 0
        to.database.write = (work, how) => (++writes > 5 ? Promise.reject(new Error('killed')) : write(work, how))
        return move(from, to)
      })(),
    )
    expect(killed).toBe('killed')
    expect(await errorOf(serve())).toContain(`The database is being moved to ${join(folder, 'back')}`)
    expect(await errorOf(moveBack('other'))).toContain(`is being moved to ${join(folder, 'back')}`)
    expect(await withDatabase(database => undoMark({ name: 'the database', database }))).toBe(join(folder, 'back'))
    await (await serve()).close()
  })

  test('a move from a database that nodes serve is refused, and leaves no trace', async () => {
    await moveThere()
    await withDatabase(({ write }) =>
      write(async tx => {
        const clock = sql<string>`${sql.raw(wordsOf(tx).clock)}`
        await tx
          .insertInto('nodes')
          .values({ boot: 'b1', name: 'node-7', version: '0', started_at: '', seen_at: clock })
          .execute()
        await tx
          .insertInto('nodes')
          .values({ boot: 'b2', name: 'killed', version: '0', started_at: '', seen_at: '2020' })
          .execute()
      }),
    )
    expect(await errorOf(moveBack('back'))).toContain('These nodes serve the database: node-7.')
    await withDatabase(async ({ db, write }) => {
      expect(await readMoveState(db)).toBeUndefined()
      await write(tx => tx.deleteFrom('nodes').where('boot', '=', 'b1').execute())
    })
    await moveBack('back')
  })

  test('a move that was killed while it made the tables makes the others', async () => {
    const { connections } = await servers()
    await withOne(connections, connection => migratePostgresql(connection, NO_CLOCK, { list: migrations.slice(0, BASELINE) }))
    await moveThere()
  })

  test('a move that only reports makes no tables', async () => {
    expect(await openTarget(await servers(), { ...ENDS, exclusive: false })).toBeUndefined()
    expect(await errorOf(openSource(await servers(), ENDS))).toContain('holds no installation')
  })

  test('a bucket that fails now and then is asked again', async () => {
    bucket.failures.push(undefined, 'unavailable', undefined, 'cut', 'busy')
    await moveThere()
    expect(bucket.objects.size).toBe(filesOf(source).length)
  })

  test('a file that is read back with other bytes stops the move, which stores it again when it continues', async () => {
    let damaged = ''
    bucket.before = request => {
      const key = request.replace('GET ', '')
      const object = bucket.objects.get(key)
      if (!object || !request.startsWith('GET') || damaged !== '') return
      damaged = key
      bucket.objects.set(key, { ...object, bytes: object.bytes.slice(1) })
    }
    const sha256 = () => damaged.replace('signet/', '').replace('.pdf', '')
    expect(await errorOf(moveThere())).toBe(
      `File ${sha256()} did not arrive unchanged at postgres://db and s3://files: check both stores, then run the move again.`,
    )
    const report = await moveThere()
    expect(report.files.copied).toBeGreaterThan(0)
    expect(sha256Hex(bucket.objects.get(damaged)?.bytes ?? '')).toBe(sha256())
  })

  test('objects that are missing or damaged are listed before anything is moved back', async () => {
    await moveThere()
    const [[lost = ''] = [], [damaged = '', object] = []] = [...bucket.objects]
    bucket.objects.delete(lost)
    if (object) bucket.objects.set(damaged, { ...object, bytes: object.bytes.slice(1) })
    const message = await errorOf(moveBack('back'))
    expect(message).toStartWith('2 files of the source are missing or damaged')
    expect(message).toContain(`${lost.replace('signet/', '')} is missing`)
    expect(message).toContain(`${damaged.replace('signet/', '')} has changed`)
    expect(await withDatabase(({ db }) => readMoveState(db))).toBeUndefined()
  })

  test('a bucket with files, and a bucket that does not exist, are refused', async () => {
    bucket.always = 'no bucket'
    expect(await errorOf(moveThere())).toContain('the bucket does not exist')
    bucket.always = undefined
    bucket.objects.set(`signet/${'0'.repeat(64)}.pdf`, { bytes: new Uint8Array(1), storedAt: new Date() })
    expect(await errorOf(moveThere())).toBe(
      'The file store of postgres://db and s3://files contains files: name an empty one. Nothing was changed.',
    )
  })
})
