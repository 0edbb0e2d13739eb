/** The file store: files are complete or absent, and none with a row is removed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/token.ts'
import { FileDamagedError, type FileStore } from '../../src/storage/file-store.ts'
import { openFolderStore } from '../../src/storage/folder-store.ts'
import { START, temporaryFolder } from '../support/small-app.ts'

const BYTES = Buffer.from('%PDF-1.7 a small one')
const HASH = sha256Hex(BYTES)
const OTHER = Buffer.from('%PDF-1.7 another')
const DAY_MS = 86_400_000

let root: string
let folder: string
let files: FileStore

beforeEach(async () => {
  root = temporaryFolder()
  folder = join(root, 'files')
  files = await openFolderStore(folder)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

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

const never = async () => new Set<string>()
const keptNames = () => readdirSync(folder).filter(name => name !== '.making')
const temporaryNames = () => readdirSync(join(folder, '.making'))

describe('writing', () => {
  test('a file is readable only by its hash, and no temporary file stays', async () => {
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
    expect(temporaryNames()).toEqual([])
    expect(Buffer.from(await files.read(HASH))).toEqual(BYTES)
    expect(await files.near(HASH)).toBe(join(folder, `${HASH}.pdf`))
    expect(await files.hashOf(HASH)).toBe(HASH)
  })

  test('folder and file are private', async () => {
    await put()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(await files.near(HASH)).mode & 0o777).toBe(0o600)
  })

  test('before it is kept, a file has no final name', async () => {
    const { path, synced } = await files.writeTemporary(BYTES)
    await synced
    expect(existsSync(await files.near(HASH))).toBe(false)
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

  test('equal files share one', async () => {
    await put()
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
  })

  test.each(['../escape', '', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}/..`, `${'a'.repeat(64)}\n`])(
    'a name that is not a hash is refused: %j',
    async name => {
      expect(files.near(name)).rejects.toThrow('SHA-256')
      expect(files.read(name)).rejects.toThrow('SHA-256')
      expect(files.remove(name, async () => false)).rejects.toThrow('SHA-256')
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
    writeFileSync(await files.near(HASH), 'x%PDF-1.7 a small one')
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
    mkdirSync(await files.near(HASH))
    expect(files.hashOf(HASH)).rejects.toThrow('EISDIR')
  })
})

describe('removing', () => {
  test('removes a released file; a second time is not an error', async () => {
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    await files.remove(HASH, async () => false)
    expect(keptNames()).toEqual([])
  })

  test('skips a file that was not released', async () => {
    await put()
    await files.remove(HASH, async () => false)
    expect(existsSync(await files.near(HASH))).toBe(true)
  })

  test('skips it until it was released as often as kept', async () => {
    await put()
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(await files.near(HASH))).toBe(true)
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(await files.near(HASH))).toBe(false)
  })

  test('extra releases have no effect on a later keep', async () => {
    files.release(HASH)
    files.release(HASH)
    await put()
    await files.remove(HASH, async () => false)
    expect(existsSync(await files.near(HASH))).toBe(true)
  })

  test('a failed keep does not prevent removal', async () => {
    await files.keep(files.temporaryPath(), HASH).catch(() => {})
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(await files.near(HASH))).toBe(false)
  })
})

describe('sweeping', () => {
  test('removes old temporary files and old files without a row, and returns how many', async () => {
    const { path, synced } = await files.writeTemporary(OTHER)
    await synced
    aged(path.slice(folder.length + 1), 2 * DAY_MS)
    await put()
    files.release(HASH)
    aged(`${HASH}.pdf`, 2 * DAY_MS)
    writeFileSync(join(folder, 'orphan.pdf'), 'x')
    aged('orphan.pdf', 2 * DAY_MS)
    expect(await files.sweep(never, START.getTime(), DAY_MS)).toBe(3)
    expect([...keptNames(), ...temporaryNames()]).toEqual([])
  })

  test('skips young files, files with a row and files not released', async () => {
    const young = await put()
    files.release(young)
    aged(`${young}.pdf`, DAY_MS - 1)
    const referred = await put(OTHER)
    files.release(referred)
    aged(`${referred}.pdf`, 9 * DAY_MS)
    const coming = await put(Buffer.from('a third'))
    aged(`${coming}.pdf`, 9 * DAY_MS)
    const { path, synced } = await files.writeTemporary(BYTES)
    await synced
    aged(path.slice(folder.length + 1), DAY_MS - 1)
    expect(await files.sweep(async () => new Set([referred]), START.getTime(), DAY_MS)).toBe(0)
    expect(keptNames()).toHaveLength(3)
    expect(temporaryNames()).toHaveLength(1)
  })

  test('skips a file that is kept again while its row is searched', async () => {
    await put()
    files.release(HASH)
    aged(`${HASH}.pdf`, 2 * DAY_MS)
    await files.sweep(
      async () => {
        await put()
        return new Set()
      },
      START.getTime(),
      DAY_MS,
    )
    expect(existsSync(await files.near(HASH))).toBe(true)
  })

  test('continues when another process removed a file', async () => {
    const names = [sha256Hex('1'), sha256Hex('2'), sha256Hex('3')]
    for (const name of names) {
      writeFileSync(join(folder, `${name}.pdf`), 'x')
      aged(`${name}.pdf`, 2 * DAY_MS)
    }
    const swept = files.sweep(
      async asked => {
        for (const name of asked.slice(1)) rmSync(join(folder, `${name}.pdf`))
        return new Set()
      },
      START.getTime(),
      DAY_MS,
    )
    expect(await swept).toBe(1)
    expect(keptNames()).toEqual([])
  })
})

test('a simultaneous removal and upload of the same bytes never lose the upload', async () => {
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(`round ${i}`)
    const hash = await put(bytes)
    files.release(hash)
    const { path, synced } = await files.writeTemporary(bytes)
    await synced
    await Promise.all([files.remove(hash, async () => false), files.keep(path, hash)])
    expect([i, existsSync(await files.near(hash))]).toEqual([i, true])
    files.release(hash)
  }
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written causes an error', async () => {
  chmodSync(folder, 0o500)
  expect(files.writeTemporary(BYTES)).rejects.toThrow('EACCES')
  chmodSync(folder, 0o700)
})
