/** Archives inside of a valid backup that would write elsewhere, or more than they say. */
import { test as anyTest, beforeEach, expect } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { BackupError } from '../../src/backups/error.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { tarHeader, tarPadding } from '../../src/lib/tar.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { contentOf, IDENTITY, partsOf, recipient, withManifest, writeBlocks, writeEntries } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const test = onSqlite(anyTest)
type Entry = [name: string, content: Uint8Array]

const t = useTestApp()
const at = useFreshFolder()
let entries: Entry[]
beforeEach(async () => {
  await sentDocument(t)
  await makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
  entries = [...(await partsOf(at('one.age')))]
  mkdirSync(at('data'), { mode: 0o700 })
  await restore('one.age')
})

function restore(name: string): Promise<unknown> {
  return restoreBackup({
    path: at(name),
    by: { identities: [IDENTITY] },
    config: { dataFolder: at('data'), environment: 'test', masterKeyFile: undefined },
    fileSystem: THIS_FILE_SYSTEM,
    now: () => t.clock.now,
    random: THIS_MACHINE.random,
    say() {},
  })
}

/** The lock names its last holder. */
const seen = () => [
  Object.entries(contentOf(at('data')) ?? {}).filter(([name]) => !/^signet\.(holder|lock)/.test(name)),
  readdirSync(at()).sort(),
]

/** The sentence, after which the data folder is as it was and nothing is beside it. */
async function refusalOf(name: string): Promise<string> {
  const before = seen()
  const error = await restore(name).then(
    () => new Error('it was restored'),
    (error: Error) => error,
  )
  expect(seen()).toEqual(before)
  expect([error.message, error instanceof BackupError]).toEqual([error.message, true])
  return error.message
}

const indexOfFile = () => entries.findIndex(([name]) => name.startsWith('files/'))
const blocksOf = (list: Entry[]) =>
  list.flatMap(([name, content]) => [tarHeader({ name, bytes: content.length }), content, tarPadding(content.length)])

/** The header with other bytes at an offset, and the checksum that it then has. */
function alteredHeader(name: string, bytes: number, offset: number, text: string): Buffer {
  const header = tarHeader({ name, bytes })
  header.write(text, offset, 'latin1')
  header.fill(0x20, 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

test.each(['../evil.pdf', 'files/../../evil.pdf', '/tmp/evil.pdf', 'files/sub/evil.pdf', 'keys/master.key', 'signet.db-wal'])(
  'an entry named %s is no part of a backup, wherever it is',
  async name => {
    const evil: Entry = [name, Buffer.from('evil')]
    for (const place of [0, 1, indexOfFile(), entries.length - 1, entries.length]) {
      await writeEntries(at('other.age'), [...entries.slice(0, place), evil, ...entries.slice(place)])
      expect(await refusalOf('other.age')).toMatch(/is missing|is no part of a backup|parts follow the last one/)
    }
  },
)

test.each([
  ['a hard link', '1'],
  ['a symbolic link', '2'],
  ['a device', '3'],
  ['a folder', '5'],
  ['a long name of GNU', 'L'],
])('%s in place of a file is refused', async (_, type) => {
  const place = indexOfFile()
  const [name = ''] = entries[place] ?? []
  const link = alteredHeader(name, 0, 156, `${type}/etc/passwd`)
  await writeBlocks(at('other.age'), [...blocksOf(entries.slice(0, place)), link, ...blocksOf(entries.slice(place))])
  expect(await refusalOf('other.age')).toContain('is no regular file')
})

test('a file that says to be larger than the archive is refused', async () => {
  const place = indexOfFile()
  const [name = ''] = entries[place] ?? []
  for (const bytes of [8 ** 11 - 1, 2 ** 45]) {
    await writeBlocks(at('other.age'), [...blocksOf(entries.slice(0, place)), tarHeader({ name, bytes }), Buffer.alloc(1024)])
    expect(await refusalOf('other.age')).toContain('ends too early')
  }
})

test('a manifest that promises more than the disk can hold is refused before anything is written', async () => {
  await withManifest(at('one.age'), at('other.age'), manifest => {
    manifest.files = { ...(manifest.files as object), bytes: 2 ** 50 }
  })
  expect(await refusalOf('other.age')).toContain('free space')
})

test('a part that is there twice is refused', async () => {
  for (const name of entries.map(([name]) => name)) {
    const place = entries.findIndex(entry => entry[0] === name)
    const twice = [...entries.slice(0, place + 1), ...entries.slice(place)]
    await writeEntries(at('other.age'), twice)
    expect([name, await refusalOf('other.age')]).toEqual([name, expect.stringMatching(/damaged/)])
  }
})

test('a file, a database and a key with other bytes of the same length are refused', async () => {
  for (const [index, [name, content]] of entries.entries()) {
    if (name === 'manifest.json' || name === 'damaged.json') continue
    const other = Buffer.from(content)
    other[Math.floor(other.length / 2)] = (other[Math.floor(other.length / 2)] ?? 0) ^ 1
    await writeEntries(at('other.age'), entries.with(index, [name, other]))
    expect([name, await refusalOf('other.age')]).toEqual([name, expect.any(String)])
  }
})

test('a small part that is none is not read into memory', async () => {
  const last = entries.length - 1
  await writeEntries(at('other.age'), entries.with(last, ['damaged.json', Buffer.alloc(17 << 20, ' ')]))
  expect(await refusalOf('other.age')).toContain('a small part is too large')
})

test('the archive as it was is restored', async () => {
  writeFileSync(at('marker'), '')
  await writeEntries(at('other.age'), entries)
  await restore('other.age')
})
