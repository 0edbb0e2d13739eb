/** The file store: names are hashes, files are whole or absent, and nothing goes that a row refers to or is about to. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/token.ts'
import { FileDamagedError, type FileStore, openFileStore } from '../../src/storage/files.ts'
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
  files = await openFileStore(folder)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

async function put(bytes: Uint8Array = BYTES): Promise<string> {
  const { path, synced } = await files.writeTemporary(bytes)
  await synced
  await files.keep(path, sha256Hex(bytes))
  return sha256Hex(bytes)
}

/** As if written this long ago. */
function aged(name: string, ms: number): void {
  const then = new Date(START.getTime() - ms)
  utimesSync(join(folder, name), then, then)
}

const never = async () => new Set<string>()
/** The files that were kept, and what is still being made. */
const keptNames = () => readdirSync(folder).filter(name => name !== '.making')
const beingMade = () => readdirSync(join(folder, '.making'))

describe('writing', () => {
  test('a file is readable under its hash alone, and no temporary one stays', async () => {
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
    expect(beingMade()).toEqual([])
    expect(Buffer.from(await files.read(HASH))).toEqual(BYTES)
    expect(files.pathOf(HASH)).toBe(join(folder, `${HASH}.pdf`))
    expect(await files.hashOf(HASH)).toBe(HASH)
  })

  test('nobody else may look into folder or file', async () => {
    await put()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(files.pathOf(HASH)).mode & 0o777).toBe(0o600)
  })

  test('until it is kept, a file has no name of its own', async () => {
    const { path, synced } = await files.writeTemporary(BYTES)
    await synced
    expect(existsSync(files.pathOf(HASH))).toBe(false)
    expect(path.startsWith(folder)).toBe(true)
    await files.discard(path)
    expect([...keptNames(), ...beingMade()]).toEqual([])
  })

  test('temporary names never meet', () => {
    expect(new Set(Array.from({ length: 100 }, () => files.temporaryPath())).size).toBe(100)
  })

  test('discarding what is not there is no fault', async () => {
    await files.discard(files.temporaryPath())
  })

  test('equal files share one', async () => {
    await put()
    await put()
    expect(keptNames()).toEqual([`${HASH}.pdf`])
  })

  test.each(['../escape', '', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}/..`, `${'a'.repeat(64)}\n`])(
    'a name that is no hash is refused: %j',
    async name => {
      expect(() => files.pathOf(name)).toThrow('SHA-256')
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
  test('never answers bytes that have changed', async () => {
    await put()
    writeFileSync(files.pathOf(HASH), 'x%PDF-1.7 a small one')
    expect(files.read(HASH)).rejects.toBeInstanceOf(FileDamagedError)
    expect(await files.hashOf(HASH)).not.toBe(HASH)
  })

  test('a missing file is told from a damaged one', async () => {
    expect(await files.hashOf(HASH)).toBeUndefined()
    const error = await files.read(HASH).catch(e => e as Error)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(FileDamagedError)
  })

  test('what cannot be read is not called missing', async () => {
    mkdirSync(files.pathOf(HASH))
    expect(files.hashOf(HASH)).rejects.toThrow('EISDIR')
  })
})

describe('removing', () => {
  test('takes a settled file away, and twice is no fault', async () => {
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    await files.remove(HASH, async () => false)
    expect(keptNames()).toEqual([])
  })

  test('leaves a file whose row is still to come', async () => {
    await put()
    await files.remove(HASH, async () => false)
    expect(existsSync(files.pathOf(HASH))).toBe(true)
  })

  test('leaves it until the last of several who keep it has settled', async () => {
    await put()
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(files.pathOf(HASH))).toBe(true)
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(files.pathOf(HASH))).toBe(false)
  })

  test('settling more often than keeping does no harm to a later keep', async () => {
    files.release(HASH)
    files.release(HASH)
    await put()
    await files.remove(HASH, async () => false)
    expect(existsSync(files.pathOf(HASH))).toBe(true)
  })

  test('a keep that failed holds nothing back', async () => {
    await files.keep(files.temporaryPath(), HASH).catch(() => {})
    await put()
    files.release(HASH)
    await files.remove(HASH, async () => false)
    expect(existsSync(files.pathOf(HASH))).toBe(false)
  })
})

describe('sweeping', () => {
  test('takes old temporary files and old files nobody refers to, and tells how many', async () => {
    const { path, synced } = await files.writeTemporary(OTHER)
    await synced
    aged(path.slice(folder.length + 1), 2 * DAY_MS)
    await put()
    files.release(HASH)
    aged(`${HASH}.pdf`, 2 * DAY_MS)
    writeFileSync(join(folder, 'orphan.pdf'), 'x')
    aged('orphan.pdf', 2 * DAY_MS)
    expect(await files.sweep(never, START.getTime(), DAY_MS)).toBe(3)
    expect([...keptNames(), ...beingMade()]).toEqual([])
  })

  test('leaves what is young, what is referred to, and what is about to be', async () => {
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
    expect(beingMade()).toHaveLength(1)
  })

  test('leaves a file that is kept again while its row is looked for', async () => {
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
    expect(existsSync(files.pathOf(HASH))).toBe(true)
  })

  test('goes on when a file is gone before its turn', async () => {
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

test('a removal and a new upload of the same bytes at once never lose the upload', async () => {
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(`round ${i}`)
    const hash = await put(bytes)
    files.release(hash)
    const { path, synced } = await files.writeTemporary(bytes)
    await synced
    await Promise.all([files.remove(hash, async () => false), files.keep(path, hash)])
    expect([i, existsSync(files.pathOf(hash))]).toEqual([i, true])
    files.release(hash)
  }
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written says so', async () => {
  chmodSync(folder, 0o500)
  expect(files.writeTemporary(BYTES)).rejects.toThrow('EACCES')
  chmodSync(folder, 0o700)
})
