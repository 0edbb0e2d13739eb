/** Backup and restore: what went in comes out whole, and nothing else takes its place. */
import { test as anyTest, describe, expect } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { openApp } from '../../src/app.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { factsOf } from '../../src/backups/database-copy.ts'
import type { Identities } from '../../src/backups/encryption.ts'
import { BackupError } from '../../src/backups/error.ts'
import { extractDocument } from '../../src/backups/extract.ts'
import { dropInterrupted, fingerprintOf, restoreBackup } from '../../src/backups/restore.ts'
import { markWhole } from '../../src/backups/restored-folder.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { readConfig } from '../../src/config.ts'
import { latestVersion, migrate, NO_CLOCK, SchemaTooNewError } from '../../src/db/migrate.ts'
import { copyDatabase, openRaw, openSnapshot } from '../../src/db/sqlite.ts'
import { endUnfinishedClaims } from '../../src/files/claims.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { sendingPause } from '../../src/settings/sending-pause.ts'
import { contentOf, IDENTITY, partsOf, recipient, withManifest, writeParts } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, BOB, newDocument } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const test = onSqlite(anyTest)
const BY: Identities = { identities: [IDENTITY] }
const PASSPHRASE = 'correct horse battery staple'

const t = useTestApp()
const at = useFreshFolder()

const backup = async (name = 'one.age') => makeBackup(t.app, { path: at(name), to: { recipients: [await recipient()] } })

function restore(name: string, by: Identities = BY, environment = 'test') {
  const config = { dataFolder: at('restored'), environment, masterKeyFile: undefined }
  return restoreBackup({ ...THIS_MACHINE, path: at(name), by, config, now: () => t.clock.now, say() {} })
}

async function refusalOf(name: string, by?: Identities, environment?: string): Promise<string> {
  const before = contentOf(at('restored'))
  const error = await restore(name, by, environment).then(
    () => new Error('it was restored'),
    (error: Error) => error,
  )
  expect(error).toBeInstanceOf(error instanceof SchemaTooNewError ? SchemaTooNewError : BackupError)
  expect(contentOf(at('restored'))).toEqual(before)
  expect(existsSync(at('restored.restoring'))).toBe(false)
  expect(existsSync(at('restored'))).toBe(before !== undefined)
  return error.message
}

async function sealedDocument(title: string): Promise<string> {
  const id = await sentDocument(t, { title })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await signAs(t, BOB.email, 'Bob Søndergård')
  await t.drain()
  return id
}

/** The documents, the stored files and the audit log of a data folder, as the program sees them. */
async function stateOf(dataFolder: string) {
  const raw = openRaw(join(dataFolder, 'signet.db'))
  try {
    const all = (sql: string) => raw.prepare(sql).all()
    const names = readdirSync(join(dataFolder, 'files')).filter(name => name.endsWith('.pdf'))
    return {
      documents: all('SELECT * FROM documents ORDER BY id'),
      recipients: all('SELECT * FROM recipients ORDER BY id'),
      events: all("SELECT * FROM events WHERE type <> 'instance.restored' ORDER BY sequence"),
      secrets: all('SELECT * FROM secrets ORDER BY name'),
      files: Object.fromEntries(
        names.sort().map(name => [name, readFileSync(join(dataFolder, 'files', name)).toString('base64')]),
      ),
      key: readFileSync(join(dataFolder, 'keys', 'master.key'), 'utf8'),
    }
  } finally {
    raw.close()
  }
}

describe('a backup', () => {
  test('is restored with every document, file, key and entry of the audit log', async () => {
    await sealedDocument('Lease – Grüße')
    await sentDocument(t, { title: 'Still out' })
    const { manifest, damaged } = await backup()
    expect(manifest).toMatchObject({ schema: latestVersion(), environment: 'test', documents: 2, files: { count: 2 } })
    const { contents, keptAs } = await restore('one.age')
    expect([damaged, contents?.damaged, keptAs]).toEqual([[], [], undefined])
    expect(await stateOf(at('restored'))).toEqual(await stateOf(t.app.config.dataFolder))
  })

  test('opens with its pass-phrase, and with no other', async () => {
    await makeBackup(t.app, { path: at('one.age'), to: { passphrase: PASSPHRASE } })
    expect(await refusalOf('one.age', { passphrase: 'another four plain words' })).toContain('The pass-phrase is wrong')
    expect(await refusalOf('one.age')).toContain('None of these identities opens the backup')
    await restore('one.age', { passphrase: PASSPHRASE })
    expect(existsSync(at('restored/signet.db'))).toBe(true)
  })

  test('leaves nothing unencrypted behind, and shows nothing of its content', async () => {
    await sentDocument(t, { title: 'CanaryInATitle' })
    await backup()
    expect(readdirSync(at())).toEqual(['one.age'])
    expect(readdirSync(join(t.app.config.dataFolder, 'files', '.making'))).toEqual([])
    const bytes = readFileSync(at('one.age'))
    // Each text is long enough that encrypted bytes do not contain it by chance.
    const readable = ['CanaryInATitle', ADA.email, 'SQLite format', '%PDF-1.', 'ustar\u000000']
    expect(readable.filter(text => bytes.includes(text))).toEqual([])
  })

  test('does not overwrite a file', async () => {
    writeFileSync(at('one.age'), 'mine')
    await expect(backup()).rejects.toThrow('exists already')
    expect(readFileSync(at('one.age'), 'utf8')).toBe('mine')
  })

  test('contains a document that is deleted while it is made, whose file goes when it has ended', async () => {
    const draft = await t.api('POST', '/documents', await newDocument())
    const [row] = await t.sql<{ sha256: string }>('SELECT sha256 FROM files')
    const name = `${row?.sha256}.pdf`
    const stored = join(t.app.config.dataFolder, 'files', name)
    const made = await makeBackup(t.app, {
      path: at('one.age'),
      to: { recipients: [await recipient()] },
      async afterCopy() {
        expect((await t.api('DELETE', `/documents/${draft.body.id}`)).status).toBeLessThan(300)
        expect(existsSync(stored)).toBe(true)
      },
    })
    expect(made.damaged).toEqual([])
    await restore('one.age')
    expect(existsSync(at(`restored/files/${name}`))).toBe(true)
    expect(existsSync(stored)).toBe(true)
    await endUnfinishedClaims(t.app)
    expect(existsSync(stored)).toBe(false)
    expect(await t.sql('SELECT id FROM file_claims UNION ALL SELECT id FROM file_holds')).toEqual([])
  })

  test('of a damaged file says so, and is restored without it', async () => {
    await sealedDocument('Damaged')
    const [name = ''] = readdirSync(join(t.app.config.dataFolder, 'files')).filter(name => name.endsWith('.pdf'))
    writeFileSync(join(t.app.config.dataFolder, 'files', name), 'other bytes')
    const { damaged } = await backup()
    expect(damaged).toEqual([name.replace('.pdf', '')])
    expect((await restore('one.age')).contents?.damaged).toEqual(damaged)
    expect(existsSync(at(`restored/files/${name}`))).toBe(false)
  })
})

const OLDER_SCHEMA = 24

/** The rows of this instance in a database of an earlier release, with its facts for a manifest. */
async function olderDatabase() {
  const raw = openRaw(at('older.db'))
  migrate(raw, NO_CLOCK, { list: migrations.slice(0, OLDER_SCHEMA) })
  raw.pragma('foreign_keys = OFF')
  raw.prepare('ATTACH ? AS now').run(join(t.app.config.dataFolder, 'signet.db'))
  const tables = raw.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").pluck().all()
  for (const table of (tables as string[]).filter(name => !name.startsWith('sqlite_') && name !== 'migrations')) {
    const columnsOf = (schema: string) => (raw.pragma(`${schema}.table_info(${table})`) as { name: string }[]).map(c => c.name)
    const known = new Set(columnsOf('now'))
    const shared = columnsOf('main').filter(name => known.has(name))
    if (shared.length > 0) raw.exec(`INSERT OR REPLACE INTO main.${table} (${shared}) SELECT ${shared} FROM now.${table}`)
  }
  raw.exec('DETACH now')
  expect(raw.pragma('foreign_key_check')).toEqual([])
  copyDatabase(raw, at('copy.db'))
  raw.close()
  const snapshot = openSnapshot(at('copy.db'))
  const manifest = await factsOf(snapshot)
  await snapshot.close()
  const database = readFileSync(at('copy.db'))
  return { database, manifest: { ...manifest, database: { bytes: database.length, sha256: sha256Hex(database) } } }
}

/** The restored folder as an instance that starts on it. */
async function openRestored() {
  const config = readConfig({}, { SIGNET_DATA: at('restored'), SIGNET_SEAL_KEY: 'ec-p256' })
  const pdf = { ...pdfTools(), close: async () => undefined }
  return openApp(config, { command: [], exclusive: true, lockHolder: 'a test', pdf, log: () => undefined })
}

describe('a restore', () => {
  test('keeps the former folder and pauses sending', async () => {
    mkdirSync(at('restored'), { mode: 0o700 })
    writeFileSync(at('restored/signet.db.old'), 'of before', { mode: 0o600 })
    await backup()
    t.clock.pass({ hours: 3 })
    const { keptAs } = await restore('one.age')
    expect(keptAs).toBe(`${at('restored')}.before-restore-20261120T202500Z`)
    expect(readFileSync(join(keptAs ?? '', 'signet.db.old'), 'utf8')).toBe('of before')
    const reopened = await openRestored()
    expect(await sendingPause(reopened.app.db)).toEqual({
      since: new Date('2026-11-20T20:25:00Z'),
      backupMadeAt: new Date('2026-11-20T17:25:00Z'),
    })
    expect(await verifyChain(reopened.app.db)).not.toHaveProperty('firstInvalid')
    await reopened.close()
  })

  test('keeps stored files whose database is lost', async () => {
    mkdirSync(at('restored/files'), { recursive: true, mode: 0o700 })
    writeFileSync(at('restored/files/of-a-contract.pdf'), 'the last copy', { mode: 0o600 })
    await backup()
    const { keptAs } = await restore('one.age')
    expect(readFileSync(join(keptAs ?? '', 'files/of-a-contract.pdf'), 'utf8')).toBe('the last copy')
  })

  test('of the same backup is made again when the instance has served since, though the last step was interrupted', async () => {
    await backup()
    await restore('one.age')
    const state = await stateOf(at('restored'))
    const marker = JSON.stringify({ fingerprint: await fingerprintOf(THIS_FILE_SYSTEM, at('one.age')) })
    writeFileSync(at('restored/restored.json'), marker, { mode: 0o600 })
    const reopened = await openRestored()
    await reopened.close()
    const { contents, keptAs } = await restore('one.age')
    expect([contents?.damaged, keptAs]).toEqual([[], expect.stringContaining('.before-restore-')])
    expect(await stateOf(at('restored'))).toEqual(state)
  })

  test('refuses a backup of which one byte is other, wherever it is', async () => {
    await sealedDocument('Flipped')
    await backup()
    const whole = readFileSync(at('one.age'))
    const offsets = [...Array(48).keys(), ...Array.from({ length: 40 }, (_, i) => Math.floor((i / 40) * whole.length))]
    for (const offset of [...offsets, whole.length - 17, whole.length - 1]) {
      const flipped = Buffer.from(whole)
      flipped[offset] = (flipped[offset] ?? 0) ^ 1
      writeFileSync(at('flipped.age'), flipped)
      expect(await refusalOf('flipped.age')).toMatch(/damaged|no backup|None of these identities/)
    }
  }, 120_000)

  test('refuses a backup that was cut off', async () => {
    await backup()
    const whole = readFileSync(at('one.age'))
    for (const bytes of [0, 10, 200, 65_536, Math.floor(whole.length / 2), whole.length - 1]) {
      writeFileSync(at('cut.age'), whole.subarray(0, bytes))
      expect(await refusalOf('cut.age')).toMatch(/damaged|no backup/)
    }
  })

  test('refuses what was encrypted anew with another content', async () => {
    await sealedDocument('Rewritten')
    await backup()
    const changes: [string, (parts: Awaited<ReturnType<typeof partsOf>>, file: string) => void][] = [
      ['a file has another hash', (parts, file) => parts.set(file, Buffer.alloc((parts.get(file) ?? []).length))],
      ['files are missing', (parts, file) => parts.delete(file)],
      [
        'the database has another hash',
        parts => parts.set('signet.db', Buffer.from(parts.get('signet.db') ?? []).fill(1, 5000, 5100)),
      ],
      ['damaged.json|ends too early', parts => parts.delete('damaged.json')],
      ['does not open its secrets', parts => parts.set('keys/master.key', Buffer.from(Buffer.alloc(32, 1).toString('base64')))],
      ['no part of a backup', parts => parts.set('../../etc/passwd', Buffer.from('x'))],
    ]
    for (const [message, change] of changes) {
      const parts = await partsOf(at('one.age'))
      change(parts, [...parts.keys()].find(name => name.startsWith('files/')) ?? '')
      if (parts.has('../../etc/passwd')) parts.delete('damaged.json')
      await writeParts(at('other.age'), parts)
      expect(await refusalOf('other.age')).toMatch(new RegExp(message))
    }
  })

  test('refuses a backup of a newer executable, and names what to do', async () => {
    await backup()
    await withManifest(at('one.age'), at('newer.age'), manifest => {
      manifest.schema = latestVersion() + 1
    })
    expect(await refusalOf('newer.age')).toContain(
      `has schema ${latestVersion() + 1}, this executable knows schema ${latestVersion()}`,
    )
    await withManifest(at('one.age'), at('format.age'), manifest => {
      manifest.format = 2
    })
    expect(await refusalOf('format.age')).toContain('use a newer signet')
  })

  test('brings a backup of an older executable up to date, and gives one document out of it', async () => {
    const id = await sealedDocument('Of an older release')
    await backup()
    const { manifest, database } = await olderDatabase()
    const parts = await partsOf(at('one.age'))
    parts.set('signet.db', database)
    await writeParts(at('parts.age'), parts)
    await withManifest(at('parts.age'), at('older.age'), members => Object.assign(members, manifest))
    await extractDocument({
      path: at('older.age'),
      by: BY,
      documentId: id,
      fileSystem: THIS_FILE_SYSTEM,
      folder: at(),
      random: THIS_MACHINE.random,
      written: path => expect(existsSync(path)).toBe(true),
    })
    await restore('older.age')
    const reopened = await openRestored()
    expect(await verifyChain(reopened.app.db)).not.toHaveProperty('firstInvalid')
    expect(await reopened.app.db.selectFrom('backup_runs').selectAll().execute()).toEqual([])
    await reopened.close()
    const [found, wanted] = [await stateOf(at('restored')), await stateOf(t.app.config.dataFolder)]
    expect([found.recipients, found.files, found.key]).toEqual([wanted.recipients, wanted.files, wanted.key])
    const document = { status: 'completed', title: 'Of an older release' }
    expect(found.documents).toEqual([expect.objectContaining(document)])
    expect(found.events.slice(0, wanted.events.length)).toEqual(wanted.events)
  })

  test('refuses a backup of another environment', async () => {
    await backup()
    expect(await refusalOf('one.age', BY, 'production')).toContain('restore it with SIGNET_ENVIRONMENT=test')
  })

  test('that was killed between its renames goes on, and nothing else takes the place meanwhile', async () => {
    await sealedDocument('Killed')
    await backup()
    await restore('one.age')
    const whole = await stateOf(at('restored'))
    // The state between the renames: the former folder is aside, the new one has not its name yet.
    renameSync(at('restored'), at('restored.restoring'))
    await markWhole(THIS_FILE_SYSTEM, at('restored'), await fingerprintOf(THIS_FILE_SYSTEM, at('one.age')), t.clock.now)
    await expect(openRestored()).rejects.toThrow('run the same signet restore command again')
    expect(existsSync(at('restored'))).toBe(false)
    const { contents } = await restore('one.age')
    expect(contents).toBeUndefined()
    expect(await stateOf(at('restored'))).toEqual(whole)
    expect(readdirSync(at()).sort()).toEqual(['one.age', 'restored'])
  })

  test('that was killed before leaves the folder as it is, and begins again', async () => {
    await backup()
    mkdirSync(at('restored.restoring/files'), { recursive: true })
    writeFileSync(at('restored.restoring/.signet-restore'), '')
    writeFileSync(at('restored.restoring/signet.db'), 'half a database')
    await restore('one.age')
    const reopened = await openRestored()
    expect(await verifyChain(reopened.app.db)).not.toHaveProperty('firstInvalid')
    await reopened.close()
  })

  test('that was killed and is not finished is not served past: what is new would be lost when it goes on', async () => {
    await sealedDocument('Kept')
    await backup()
    await restore('one.age')
    mkdirSync(at('restored.restoring'))
    writeFileSync(at('restored.restoring/.signet-restore'), '')
    const before = await stateOf(at('restored'))
    await expect(openRestored()).rejects.toThrow(`signet restore --drop --data ${at('restored')}`)
    expect(existsSync(at('restored.restoring'))).toBe(true)
    expect(await dropInterrupted(THIS_FILE_SYSTEM, at('restored'))).toBe(true)
    expect(await dropInterrupted(THIS_FILE_SYSTEM, at('restored'))).toBe(false)
    expect(await stateOf(at('restored'))).toEqual(before)
    await (await openRestored()).close()
  })

  test('that was killed between its renames can be dropped: the former folder has its name again', async () => {
    await backup()
    await restore('one.age')
    t.clock.pass({ hours: 1 })
    const before = await stateOf(at('restored'))
    await restore('one.age')
    const kept = readdirSync(at()).find(name => name.startsWith('restored.before')) ?? ''
    renameSync(at(kept), at('former'))
    renameSync(at('restored'), at('restored.restoring'))
    writeFileSync(at('restored.restoring/.signet-restore'), '')
    renameSync(at('former'), at('restored'))
    await markWhole(THIS_FILE_SYSTEM, at('restored'), await fingerprintOf(THIS_FILE_SYSTEM, at('one.age')), t.clock.now)
    renameSync(at('restored'), at(kept))
    expect(await dropInterrupted(THIS_FILE_SYSTEM, at('restored'))).toBe(true)
    expect(readdirSync(at()).sort()).toEqual(['one.age', 'restored'])
    expect(await stateOf(at('restored'))).toEqual(before)
  })

  test('leaves alone a folder in its way that it has not made', async () => {
    await backup()
    mkdirSync(at('restored.restoring'))
    writeFileSync(at('restored.restoring/letter.txt'), 'mine')
    await expect(restore('one.age')).rejects.toThrow('is in the way')
    expect(readFileSync(at('restored.restoring/letter.txt'), 'utf8')).toBe('mine')
  })
})
