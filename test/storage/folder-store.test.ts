/** The file store: files are complete or absent, and none with a row is removed. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { FileDamagedError } from '../../src/storage/file-store.ts'
import { type FolderStore, openFolderStore } from '../../src/storage/folder-store.ts'
import { useFreshFolder } from '../support/folders.ts'
import { START } from '../support/small-app.ts'

const BYTES = Buffer.from('%PDF-1.7 a small one')
const HASH = sha256Hex(BYTES)
const OTHER = Buffer.from('%PDF-1.7 another')
const DAY_MS = 86_400_000

const root = useFreshFolder()
let folder: string
let files: FolderStore

beforeEach(async () => {
  folder = root('files')
  files = await openFolderStore(folder, THIS_MACHINE)
})

async function put(bytes: Uint8Array = BYTES): Promise<string> {
  const { path, synced } = await files.writeTemporary(bytes)
  await synced
  await files.keep(path, sha256Hex(bytes))
  return sha256Hex(bytes)
}

/** Sets the age of a file. */
function aged(name: string, ms: number): void {
  const then = new Date(START.getTime() - ms)
  utimesSync(join(folder, name), then, then)
}

const keptNames = () => readdirSync(folder).filter(name => name !== '.making')
const temporaryNames = () => readdirSync(join(folder, '.making'))

describe('writing', () => {
  test('a file is readable only by its hash, and no temporary file stays', async () => {
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
    expect(temporaryNames()).toEqual([])
    expect(Buffer.from(await files.read(HASH))).toEqual(BYTES)
    expect(await files.localPath(HASH)).toBe(join(folder, `${HASH}.pdf`))
    expect(await files.hashOf(HASH)).toBe(HASH)
  })

  test('folder and file are private', async () => {
    await put()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(await files.localPath(HASH)).mode & 0o777).toBe(0o600)
  })

  test('before it is kept, a file has no final name', async () => {
    const { path, synced } = await files.writeTemporary(BYTES)
    await synced
    expect(existsSync(await files.localPath(HASH))).toBe(false)
    expect(path.startsWith(folder)).toBe(true)
    await files.discard(path)
    expect([...keptNames(), ...temporaryNames()]).toEqual([])
  })

  test('temporary names are unique', () => {
    expect(new Set(Array.from({ length: 100 }, () => files.temporaryPath())).size).toBe(100)
  })

  test('discarding a missing file is not an error', async () => {
    await files.discard(files.temporaryPath())
  })

  test('a temporary file that cannot be removed undoes nothing: it is reported, and swept later', async () => {
    const { fileSystem } = THIS_MACHINE
    const refused = Object.assign(new Error('refused'), { code: 'EIO' })
    const machine = { ...THIS_MACHINE, fileSystem: { ...fileSystem, unlink: () => Promise.reject(refused) } }
    const leftovers: unknown[] = []
    const store = await openFolderStore(folder, machine, { onLeftover: error => leftovers.push(error) })
    const { path, synced } = await store.writeTemporary(BYTES)
    await synced
    await store.discard(path)
    expect(leftovers).toEqual([refused])
    expect(store.removeOlder(new Date(Date.now() + DAY_MS))).rejects.toThrow('refused')
    expect(await files.removeOlder(new Date(Date.now() + DAY_MS))).toBe(1)
    expect(temporaryNames()).toEqual([])
  })

  test('equal files share one', async () => {
    await put()
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
  })

  test.each(['../escape', '', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}/..`, `${'a'.repeat(64)}\n`])(
    'a name that is not a hash is refused: %j',
    async name => {
      expect(files.localPath(name)).rejects.toThrow('SHA-256')
      expect(files.read(name)).rejects.toThrow('SHA-256')
      expect(files.remove(name)).rejects.toThrow('SHA-256')
      expect(files.hashOf(name)).rejects.toThrow('SHA-256')
      const { path, synced } = await files.writeTemporary(BYTES)
      await synced
      expect(files.keep(path, name)).rejects.toThrow('SHA-256')
      expect(existsSync(path)).toBe(true)
    },
  )
})

describe('reading', () => {
  test('never returns changed bytes', async () => {
    await put()
    writeFileSync(await files.localPath(HASH), 'x%PDF-1.7 a small one')
    expect(files.read(HASH)).rejects.toBeInstanceOf(FileDamagedError)
    expect(await files.hashOf(HASH)).not.toBe(HASH)
  })

  test('a missing file is distinguished from a damaged one', async () => {
    expect(await files.hashOf(HASH)).toBeUndefined()
    const error = await files.read(HASH).catch(e => e as Error)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(FileDamagedError)
  })

  test('an unreadable file is not reported as missing', async () => {
    mkdirSync(await files.localPath(HASH))
    expect(files.hashOf(HASH)).rejects.toThrow('EISDIR')
  })
})

test('removes a file; a second time is not an error', async () => {
  await put()
  await files.remove(HASH)
  await files.remove(HASH)
  expect(keptNames()).toEqual([])
})

test('lists the names of stored files and when each was stored', async () => {
  const { path, synced } = await files.writeTemporary(BYTES)
  await synced
  writeFileSync(join(folder, 'orphan.pdf'), 'x')
  const kept = [await put(), await put(OTHER)]
  aged(`${HASH}.pdf`, DAY_MS)
  const listed: string[] = []
  for await (const names of files.list()) listed.push(...names)
  expect(listed.toSorted()).toEqual(kept.toSorted())
  expect(await files.storedAt(HASH)).toEqual(new Date(START.getTime() - DAY_MS))
  expect(await files.storedAt('f'.repeat(64))).toBeUndefined()
  await files.discard(path)
})

test('sweeps old temporary files and files with other names, never a stored file', async () => {
  const ofAnotherProcess = await openFolderStore(folder, THIS_MACHINE)
  const { path, synced } = await ofAnotherProcess.writeTemporary(OTHER)
  await synced
  aged(path.slice(folder.length + 1), 2 * DAY_MS)
  const young = await files.writeTemporary(OTHER)
  await young.synced
  aged(young.path.slice(folder.length + 1), DAY_MS - 1)
  await put()
  aged(`${HASH}.pdf`, 9 * DAY_MS)
  writeFileSync(join(folder, 'orphan.pdf'), 'x')
  aged('orphan.pdf', 2 * DAY_MS)
  expect(await files.sweepDisk(undefined, new Date(START.getTime() - DAY_MS))).toBe(2)
  expect(keptNames()).toEqual([`${HASH}.pdf`])
  expect(temporaryNames()).toHaveLength(1)
})

test('an upload in progress is not swept, however old its file looks after a jump of the clock', async () => {
  const upload = await files.openTemporary()
  await upload.write(BYTES)
  const [name = ''] = temporaryNames()
  aged(join('.making', name), 400 * DAY_MS)
  expect(await files.sweepDisk(undefined, new Date(START.getTime() - DAY_MS))).toBe(0)
  const { path, synced } = upload.finish()
  await synced
  await files.keep(path, HASH)
  expect(keptNames()).toEqual([`${HASH}.pdf`])
})

test('a check of the store leaves nothing', async () => {
  await files.ping()
  expect([...keptNames(), ...temporaryNames()]).toEqual([])
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written causes an error', async () => {
  chmodSync(folder, 0o500)
  expect(files.writeTemporary(BYTES)).rejects.toThrow('EACCES')
  chmodSync(folder, 0o700)
})
