/**
 * The file store: PDFs, and the organisation's logo, under the SHA-256 of their bytes, written once, never in place. All have one ending: what a file
 * is stands in the rows. A file is on disk, with its name, before any row speaks of it. Knows no documents.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOutOfFiles, isSyncError, sha256OfFile, syncFolder } from '../lib/disk.ts'
import { listNames } from '../lib/folder-names.ts'
import { randomToken } from '../lib/token.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

export interface FileStore {
  /** A name of its own for a file being made, below the store's folder so that a rename keeps it on one disk. */
  temporaryPath(): string
  /** Writes a temporary file (created exclusively, 0600). */
  writeTemporary(bytes: Uint8Array): Promise<Upload>
  /** Opens a temporary file for content that arrives in parts. */
  openTemporary(): Promise<TemporaryFile>
  /** Gives a synced temporary file its name for good; equal files share one. Until `release` it cannot be removed: its row is still to come. */
  keep(temporaryPath: string, sha256: string): Promise<string>
  /** Forgets a temporary file; one that is not there is no fault. */
  discard(temporaryPath: string): Promise<void>
  pathOf(sha256: string): string
  /** The file's bytes, checked against its name. Throws `FileDamagedError`, or the system's error. */
  read(sha256: string): Promise<Uint8Array>
  /** Streams the file through SHA-256. `undefined` when it is missing. Throws the system's error when it cannot be read. */
  hashOf(sha256: string): Promise<string | undefined>
  /** The row that refers to a kept file stands, or never will. */
  release(sha256: string): void
  /** Removes a file unless a row refers to it, asked at the last moment, or it is just being kept again. */
  remove(sha256: string, isReferred: (sha256: string) => Promise<boolean>): Promise<void>
  /** Removes every temporary file: at a start, when nobody else works in the folder. */
  clear(): Promise<void>
  /** Removes temporary files, and files of which `referencedFiles` does not answer the name, when older than `olderThanMs`. Answers how many. */
  sweep(referencedFiles: (sha256s: string[]) => Promise<Set<string>>, nowMs: number, olderThanMs: number): Promise<number>
}

/** A temporary file that is complete. Whoever asked for it discards it, also when it was kept. */
export interface Upload {
  path: string
  bytes: number
  /** Settles when it is on disk; it may be read before. */
  synced: Promise<void>
}

export interface TemporaryFile {
  write(bytes: Uint8Array): Promise<void>
  /** No more comes. */
  finish(): Upload
  /** Removes it, finished or not. */
  discard(): Promise<void>
}

export class FileDamagedError extends Error {}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** `noteSync` is given each promise of durability. */
async function openWritten(path: string, noteSync: (sync: Promise<void>) => Promise<void>): Promise<TemporaryFile> {
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  let closed: Promise<unknown> | undefined
  return {
    async write(part) {
      for (let rest = part; rest.length > 0; ) {
        const { bytesWritten } = await handle.write(rest, 0, rest.length, bytes)
        bytes += bytesWritten
        rest = rest.subarray(bytesWritten)
      }
    },
    finish() {
      const synced = noteSync(handle.sync().finally(() => handle.close()))
      // Awaited by the caller in its own time; until then a failure is not unheard of.
      closed = synced.catch(() => undefined)
      return { path, bytes, synced }
    },
    async discard() {
      await (closed ?? handle.close())
      await removeIfThere(path)
    },
  }
}

/** Makes the folder; its own name is synced, or it may be gone after a power loss with everything in it. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(folder))
}

/** The folder of files being made. */
const MAKING = '.making'
const NAMES_AT_ONCE = 50
const sha256Of = (name: string) => /^([0-9a-f]{64})\.pdf$/.exec(name)?.[1]

interface Listeners {
  /** Called when what was to be made durable may not be. */
  onSyncError?(error: unknown): void
  /** Called when a file is found missing, is not what its name says, or cannot be read. */
  onDamage?(sha256: string, damage: 'missing' | 'changed' | 'unreadable'): void
}

export async function openFileStore(folder: string, listeners: Listeners = {}): Promise<FileStore> {
  const { onSyncError = () => {}, onDamage = () => {} } = listeners
  await makeFolder(folder)
  const toldOf = <T>(sync: Promise<T>): Promise<T> =>
    sync.catch(error => {
      if (isSyncError(error)) onSyncError(error)
      throw error
    })
  const pathOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a stored file is named by a SHA-256')
    return join(folder, `${sha256}.pdf`)
  }
  const awaited = new Map<string, number>()
  // Apart from the kept files: a start looks for what a crash left, and must not read a million names to find it.
  const making = join(folder, MAKING)
  await makeFolder(making)
  const temporaryPath = () => join(making, `${randomToken()}.tmp`)
  const openTemporary = () => openWritten(temporaryPath(), toldOf)
  // Names are given and taken one at a time: the system may carry out a removal after a rename that was asked for later.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
  const release = (sha256: string) => {
    const left = (awaited.get(sha256) ?? 1) - 1
    if (left > 0) awaited.set(sha256, left)
    else awaited.delete(sha256)
  }
  const mtimeOf = async (path: string) => {
    try {
      return (await stat(path)).mtimeMs
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  const noteUnread = (sha256: string, error: unknown) => {
    // With too many files open nothing is known of this one.
    if (!isOutOfFiles(error)) onDamage(sha256, isMissing(error) ? 'missing' : 'unreadable')
  }
  return {
    temporaryPath,
    openTemporary,
    async writeTemporary(bytes) {
      const file = await openTemporary()
      try {
        await file.write(bytes)
        return file.finish()
      } catch (error) {
        // A full disk must not be filled further by what failed on it.
        await file.discard()
        throw error
      }
    },
    async keep(temporary, sha256) {
      const path = pathOf(sha256)
      awaited.set(sha256, (awaited.get(sha256) ?? 0) + 1)
      try {
        await inTurn(() => rename(temporary, path))
        await toldOf(syncFolder(folder))
      } catch (error) {
        release(sha256)
        throw error
      }
      return path
    },
    discard: removeIfThere,
    pathOf,
    async read(sha256) {
      const bytes = await Bun.file(pathOf(sha256))
        .bytes()
        .catch(error => {
          noteUnread(sha256, error)
          throw error
        })
      if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
      onDamage(sha256, 'changed')
      throw new FileDamagedError(`file ${sha256} has changed on disk`)
    },
    async hashOf(sha256) {
      try {
        const actual = await sha256OfFile(pathOf(sha256))
        if (actual !== sha256) onDamage(sha256, 'changed')
        return actual
      } catch (error) {
        noteUnread(sha256, error)
        if (isMissing(error)) return undefined
        throw error
      }
    },
    release,
    async remove(sha256, isReferred) {
      const path = pathOf(sha256)
      await inTurn(async () => {
        if (awaited.has(sha256) || (await isReferred(sha256))) return
        // Kept anew while its row was looked for: the row is still to come.
        if (!awaited.has(sha256)) await removeIfThere(path)
      })
      await toldOf(syncFolder(folder))
    },
    async clear() {
      for (const name of await readdir(making)) await removeIfThere(join(making, name))
    },
    async sweep(referencedFiles, nowMs, olderThanMs) {
      let swept = 0
      const isOld = async (path: string) => nowMs - ((await mtimeOf(path)) ?? nowMs) >= olderThanMs
      const sweepSlice = async (names: string[]) => {
        const slice = names.map(name => ({ path: join(folder, name), sha256: sha256Of(name) }))
        const hashes = slice.flatMap(({ sha256 }) => sha256 ?? [])
        const referred = hashes.length > 0 ? await referencedFiles(hashes) : new Set<string>()
        for (const { path, sha256 } of slice) {
          if ((sha256 && referred.has(sha256)) || !(await isOld(path))) continue
          // Asked again: it may have been kept anew since its row was looked for.
          await inTurn(async () => {
            if ((sha256 && awaited.has(sha256)) || !(await isOld(path))) return
            await removeIfThere(path)
            swept++
          })
        }
        await yieldToEventLoop()
      }
      await sweepSlice((await readdir(making)).map(name => join(MAKING, name)))
      for await (const names of listNames(folder)) {
        const kept = names.filter(name => name !== MAKING)
        for (let i = 0; i < kept.length; i += NAMES_AT_ONCE) await sweepSlice(kept.slice(i, i + NAMES_AT_ONCE))
      }
      return swept
    },
  }
}
