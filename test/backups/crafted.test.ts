/** Backups that somebody made on purpose to harm who restores them: a recipient is no secret. */
import { test as anyTest, expect } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { BackupError } from '../../src/backups/error.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { TarReader, tarHeader } from '../../src/lib/tar.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { IDENTITY, type Parts, partsOf, recipient, withManifest, writeParts } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { newDocument, samplePdf } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const test = onSqlite(anyTest)
const ESCAPE = '\u001b]0;owned\u0007'

const t = useTestApp()
const at = useFreshFolder()

/** The sentence of the refusal, after which nothing is left. What was said must be printable. */
async function refusalOf(name: string): Promise<string> {
  const said: string[] = []
  const config = { dataFolder: at('restored'), environment: 'test', masterKeyFile: undefined }
  const by = { identities: [IDENTITY] }
  const error = await restoreBackup({
    path: at(name),
    by,
    config,
    fileSystem: THIS_FILE_SYSTEM,
    now: () => t.clock.now,
    random: THIS_MACHINE.random,
    say: line => void said.push(line),
  }).then(
    () => new Error('it was restored'),
    (error: Error) => error,
  )
  expect(error).toBeInstanceOf(BackupError)
  expect([...said, error.message].join('')).toMatch(/^[\x20-\x7e]*$/)
  expect([existsSync(at('restored')), existsSync(at('restored.restoring'))]).toEqual([false, false])
  return error.message
}

test('a header without an end is not read into memory', async () => {
  writeFileSync(at('endless.age'), `age-encryption.org/v1\n${`-> x aaaa\n${'A'.repeat(64)}\n\n`.repeat(100_000)}`)
  const before = process.memoryUsage().rss
  expect(await refusalOf('endless.age')).toContain('its beginning is damaged')
  expect(process.memoryUsage().rss - before).toBeLessThan(30e6)
})

test('a pass-phrase that would take gigabytes to try is refused', async () => {
  const salt = Buffer.alloc(16).toString('base64').replace(/=+$/, '')
  const body = Buffer.alloc(32).toString('base64').replace(/=+$/, '')
  writeFileSync(at('costly.age'), `age-encryption.org/v1\n-> scrypt ${salt} 30\n${body}\n--- ${body}\n${'x'.repeat(100)}`)
  const config = { dataFolder: at('restored'), environment: 'test', masterKeyFile: undefined }
  const by = { passphrase: 'four sound words here' }
  const restored = restoreBackup({
    path: at('costly.age'),
    by,
    config,
    fileSystem: THIS_MACHINE.fileSystem,
    now: () => t.clock.now,
    random: THIS_MACHINE.random,
    say() {},
  })
  expect(restored).rejects.toThrow('work factor is too high')
})

test('no member of the manifest reaches the terminal as a command', async () => {
  await makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
  for (const member of ['instance', 'environment', 'madeAt']) {
    await withManifest(at('one.age'), at('other.age'), manifest => {
      manifest[member] = `${manifest[member]}${ESCAPE}`
    })
    expect(await refusalOf('other.age')).toContain('no manifest that this executable understands')
  }
})

test('nor does the name of a part', async () => {
  const header = tarHeader({ name: 'abc', bytes: 0 })
  header[1] = 0x1b
  const sum = 'b'.charCodeAt(0) - 0x1b
  const checksum = Number.parseInt(header.toString('latin1', 148, 154), 8) - sum
  header.write(checksum.toString(8).padStart(6, '0'), 148, 'latin1')
  const reader = new TarReader(
    (async function* () {
      yield header
    })(),
  )
  expect(reader.next()).rejects.toThrow('no name of an entry')
})

test('a manifest of wrong times or counts, and a list of damaged files that is none, are refused', async () => {
  await sentDocument(t)
  await makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
  const changes: [string, (manifest: Record<string, unknown>) => void][] = [
    ['no manifest', manifest => Object.assign(manifest, { madeAt: 'yesterday' })],
    ['no manifest', manifest => Object.assign(manifest, { files: { ...(manifest.files as object), bytes: -1e15 } })],
  ]
  for (const [message, change] of changes) {
    await withManifest(at('one.age'), at('other.age'), change)
    expect(await refusalOf('other.age')).toContain(message)
  }
  for (const text of ['{"', '{}']) {
    const parts: Parts = await partsOf(at('one.age'))
    parts.set('damaged.json', Buffer.from(text))
    await writeParts(at('other.age'), parts)
    expect(await refusalOf('other.age')).toContain('which files were damaged')
  }
})

/** As `one.age`, with another database and its right hash, which anybody can compute. */
async function withDatabase(change: (raw: Raw) => void, facts: Record<string, unknown> = {}): Promise<void> {
  const parts = await partsOf(at('one.age'))
  const path = at('changed.db')
  writeFileSync(path, parts.get('signet.db') ?? '')
  const raw = openRaw(path)
  raw.pragma('foreign_keys = OFF')
  for (const { name } of raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as { name: string }[])
    raw.exec(`DROP TRIGGER ${name}`)
  change(raw)
  raw.pragma('wal_checkpoint(TRUNCATE)')
  raw.pragma('journal_mode = DELETE')
  raw.close()
  const bytes = readFileSync(path)
  parts.set('signet.db', bytes)
  await writeParts(at('changed.age'), parts)
  await withManifest(at('changed.age'), at('other.age'), manifest => {
    Object.assign(manifest, { database: { bytes: bytes.length, sha256: sha256Hex(bytes) } }, facts)
  })
}

test('a database that is not that of the manifest is refused, though its hash is right', async () => {
  await sentDocument(t)
  await makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
  const run = (sql: string) => (raw: Raw) => void raw.exec(sql)
  const others = "INSERT INTO files (sha256, bytes, created_at) VALUES ('00', 1, '2026-11-20')"
  const removed = ['event_details', 'public_event_data', 'public_events', 'events']
    .map(table => `DELETE FROM ${table} WHERE sequence > 3`)
    .join('; ')
  const changes: [string, (raw: Raw) => void, Record<string, unknown>?][] = [
    ['entry 3 of the audit log', run("UPDATE events SET entry = replace(entry, 'document', 'Document') WHERE sequence = 3")],
    ['its audit log is another', run(removed)],
    ['it refers to other files', run(others)],
    ['its documents is 1, not 2', run('SELECT 1'), { documents: 2 }],
    ['its instance is ', run("UPDATE instance SET value = 'ins_other' WHERE name = 'id'")],
    ['refers to none', run("UPDATE recipients SET document_id = 'doc_other'")],
  ]
  for (const [message, change, facts] of changes) {
    await withDatabase(change, facts)
    expect(await refusalOf('other.age')).toContain(message)
  }
}, 30_000)

test('files out of order are refused, so that none is there twice', async () => {
  await sentDocument(t)
  await t.api('POST', '/documents', await newDocument({ file: await samplePdf(2) }))
  await makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
  const parts = [...(await partsOf(at('one.age')))]
  const [first = 0] = parts.flatMap(([name], i) => (name.startsWith('files/') ? [i] : []))
  parts.splice(first, 2, ...parts.slice(first, first + 2).reverse())
  await writeParts(at('other.age'), new Map(parts))
  expect(await refusalOf('other.age')).toContain('its files are not in order')
})
