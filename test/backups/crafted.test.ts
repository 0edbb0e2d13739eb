/** Backups that somebody made on purpose to harm who restores them: a recipient is no secret. */
import { afterEach, test as anyTest, beforeEach, expect } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BackupError } from '../../src/backups/error.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { TarReader, tarHeader } from '../../src/lib/tar.ts'
import { IDENTITY, type Parts, partsOf, recipient, withManifest, writeParts } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { sentDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const test = onSqlite(anyTest)
const ESCAPE = '\u001b]0;owned\u0007'

let t: TestApp
let folder: string
beforeEach(async () => {
  t = await openTestApp()
  folder = mkdtempSync(join(tmpdir(), 'signet-crafted-'))
})
afterEach(async () => {
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)

/** The sentence of the refusal, after which nothing is left. What was said must be printable. */
async function refusalOf(name: string): Promise<string> {
  const said: string[] = []
  const config = { dataFolder: at('restored'), environment: 'test', masterKeyFile: undefined }
  const by = { identities: [IDENTITY] }
  const error = await restoreBackup({
    path: at(name),
    by,
    config,
    now: () => t.clock.now,
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
  const restored = restoreBackup({ path: at('costly.age'), by, config, now: () => t.clock.now, say() {} })
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
