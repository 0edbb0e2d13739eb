/**
 * Stores PDFs and the logo under the SHA-256 of their bytes, never changed in place. A file has its
 * name on disk before a row refers to it.
 */
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOutOfFiles, isSyncError, sha256OfFile, syncFolder } from '../lib/disk.ts'
import { listNames } from '../lib/folder-names.ts'
import { randomToken, sha256Hex } from '../lib/token.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

export class FileDamagedError extends Error {}

/** A complete temporary file. Its creator calls `discard`, which has no effect after `keep`. */
export interface Upload {
  path: string
  bytes: number
  /** Settles when the file is synced; it may be read before. */
  synced: Promise<void>
}

export interface TemporaryFile {
  write(bytes: Uint8Array): Promise<void>
  /** Call after the last write: syncs and closes the file. */
  finish(): Upload
  /** Removes the file, finished or not. */
  discard(): Promise<void>
}

interface Listeners {
  /** Called when data that was written may not be durable. */
  onSyncError?(error: unknown): void
  /** Called when a file is missing, does not match its name, or cannot be read. */
  onDamage?(sha256: string, damage: 'missing' | 'changed' | 'unreadable'): void
}

/** Temporary files have their own folder: a start empties it without reading a million names. */
const TEMPORARY_FOLDER = '.making'
const NAMES_PER_SLICE = 50

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
/** All names end in .pdf, that of the logo too: the database knows the type. */
const sha256OfName = (name: string) => /^([0-9a-f]{64})\.pdf$/.exec(name)?.[1]

export async function openFileStore(folder: string, listeners: Listeners = {}): Promise<FileStore> {
  await makeFolder(folder)
  await makeFolder(join(folder, TEMPORARY_FOLDER))
  return new FileStore(folder, listeners)
}

/** Syncs the parent too: otherwise a power failure may remove the folder with its files. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(folder))
}

async function removeIfExists(path: string): Promise<void> {
  await unlink(path).catch(error => {
    if (!isMissing(error)) throw error
  })
}

export class FileStore {
  readonly #folder: string
  readonly #listeners: Listeners
  /** For each file the number of calls of `keep` without a `release`. */
  readonly #unreleased = new Map<string, number>()
  // Renames and removals run one at a time: the system may carry out a removal after a rename that
  // was requested later.
  #lastNameChange: Promise<unknown> = Promise.resolve()

  /** Both folders exist: `openFileStore` makes them. */
  constructor(folder: string, listeners: Listeners) {
    this.#folder = folder
    this.#listeners = listeners
  }

  pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a stored file is named by a SHA-256')
    return join(this.#folder, `${sha256}.pdf`)
  }

  /** A new unused path on the same disk, so that `keep` can rename the file. */
  temporaryPath(): string {
    return join(this.#folder, TEMPORARY_FOLDER, `${randomToken()}.tmp`)
  }

  /** Opens a temporary file (created exclusively, 0600) for content that arrives in parts. */
  async openTemporary(): Promise<TemporaryFile> {
    const path = this.temporaryPath()
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
      finish: () => {
        const synced = this.#watchSync(handle.sync().finally(() => handle.close()))
        // The caller awaits `synced` later; until then a failure must not count as unhandled.
        closed = synced.catch(() => undefined)
        return { path, bytes, synced }
      },
      async discard() {
        await (closed ?? handle.close())
        await removeIfExists(path)
      },
    }
  }

  async writeTemporary(bytes: Uint8Array): Promise<Upload> {
    const file = await this.openTemporary()
    try {
      await file.write(bytes)
      return file.finish()
    } catch (error) {
      // Otherwise the incomplete file would take space on a full disk.
      await file.discard()
      throw error
    }
  }

  /**
   * Renames a synced temporary file to its final name and syncs the folder. Files with equal bytes
   * share the name. Call `release` after the transaction that references the file.
   */
  async keep(temporaryPath: string, sha256: string): Promise<string> {
    const path = this.pathOf(sha256)
    this.#unreleased.set(sha256, (this.#unreleased.get(sha256) ?? 0) + 1)
    try {
      await this.#changeNames(() => rename(temporaryPath, path))
      await this.#watchSync(syncFolder(this.#folder))
    } catch (error) {
      this.release(sha256)
      throw error
    }
    return path
  }

  /** Call after the transaction has ended. Until then `remove` and `sweep` skip the file. */
  release(sha256: string): void {
    const left = (this.#unreleased.get(sha256) ?? 1) - 1
    if (left > 0) this.#unreleased.set(sha256, left)
    else this.#unreleased.delete(sha256)
  }

  discard(temporaryPath: string): Promise<void> {
    return removeIfExists(temporaryPath)
  }

  /** The bytes, verified against their hash. Throws `FileDamagedError` or a file system error. */
  async read(sha256: string): Promise<Uint8Array> {
    const path = this.pathOf(sha256)
    const bytes = await this.#reportUnreadable(sha256, Bun.file(path).bytes())
    if (sha256Hex(bytes) === sha256) return bytes
    this.#listeners.onDamage?.(sha256, 'changed')
    throw new FileDamagedError(`file ${sha256} has changed on disk`)
  }

  /** Hashes the file again. `undefined` if it is missing. Throws any other file system error. */
  async hashOf(sha256: string): Promise<string | undefined> {
    const path = this.pathOf(sha256)
    try {
      const actual = await this.#reportUnreadable(sha256, sha256OfFile(path))
      if (actual !== sha256) this.#listeners.onDamage?.(sha256, 'changed')
      return actual
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /** Removes a file unless a row refers to it or its `release` is still to come. */
  async remove(sha256: string, isReferenced: (sha256: string) => Promise<boolean>): Promise<void> {
    const path = this.pathOf(sha256)
    await this.#changeNames(async () => {
      if (this.#unreleased.has(sha256) || (await isReferenced(sha256))) return
      // Checked again: it may have been kept while the rows were searched.
      if (!this.#unreleased.has(sha256)) await removeIfExists(path)
    })
    await this.#watchSync(syncFolder(this.#folder))
  }

  /** Call only at start-up, while no other process uses the folder. */
  async removeTemporaryFiles(): Promise<void> {
    const folder = join(this.#folder, TEMPORARY_FOLDER)
    for (const name of await readdir(folder)) await removeIfExists(join(folder, name))
  }

  /** Removes old temporary files and old files without a row. Returns their number. */
  async sweep(findReferenced: (sha256s: string[]) => Promise<Set<string>>, nowMs: number, minAgeMs: number): Promise<number> {
    const isOld = async (path: string) => nowMs - ((await this.#mtimeMsOf(path)) ?? nowMs) >= minAgeMs
    let swept = 0
    for await (const names of this.#slices()) {
      const files = names.map(name => ({ path: join(this.#folder, name), sha256: sha256OfName(name) }))
      const hashes = files.flatMap(({ sha256 }) => sha256 ?? [])
      const referencedHashes = hashes.length > 0 ? await findReferenced(hashes) : new Set<string>()
      for (const { path, sha256 } of files) {
        if ((sha256 && referencedHashes.has(sha256)) || !(await isOld(path))) continue
        await this.#changeNames(async () => {
          // Checked again: it may have been kept since the rows were searched.
          if ((sha256 && this.#unreleased.has(sha256)) || !(await isOld(path))) return
          await removeIfExists(path)
          swept++
        })
      }
      await yieldToEventLoop()
    }
    return swept
  }

  /** All names. Those of the temporary files, which are few, come first and in one slice. */
  async *#slices(): AsyncGenerator<string[]> {
    const temporary = await readdir(join(this.#folder, TEMPORARY_FOLDER))
    yield temporary.map(name => join(TEMPORARY_FOLDER, name))
    for await (const names of listNames(this.#folder)) {
      const kept = names.filter(name => name !== TEMPORARY_FOLDER)
      for (let i = 0; i < kept.length; i += NAMES_PER_SLICE) yield kept.slice(i, i + NAMES_PER_SLICE)
    }
  }

  async #mtimeMsOf(path: string): Promise<number | undefined> {
    try {
      return (await stat(path)).mtimeMs
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  #changeNames<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastNameChange.then(work)
    this.#lastNameChange = result.catch(() => undefined)
    return result
  }

  async #watchSync(sync: Promise<void>): Promise<void> {
    try {
      await sync
    } catch (error) {
      if (isSyncError(error)) this.#listeners.onSyncError?.(error)
      throw error
    }
  }

  async #reportUnreadable<T>(sha256: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      // An error caused by too many open files is not about this file.
      if (!isOutOfFiles(error)) this.#listeners.onDamage?.(sha256, isMissing(error) ? 'missing' : 'unreadable')
      throw error
    }
  }
}
