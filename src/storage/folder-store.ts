/** Files in a folder: complete or absent, and with a durable name before a row refers to them. */
import { join } from 'node:path'
import { isOutOfFiles, sha256OfFile, syncFolder } from '../lib/disk.ts'
import { isMissing, mtimeOf, removeIfExists } from '../lib/files.ts'
import { sha256Hex } from '../lib/sha256.ts'
import {
  FileDamagedError,
  type FileStore,
  fileNameOf,
  type StoreListeners,
  type StoreMachine,
  sha256OfName,
} from './file-store.ts'
import { HashChecks } from './hash-checks.ts'
import { makeStoreFolder, SCRATCH_FOLDER, Scratch, watchSync } from './scratch.ts'

const NAMES_PER_SLICE = 50

interface Options extends StoreListeners {
  /** Hashes a file; a test counts the calls. */
  hashFile?(path: string): Promise<string>
}

export async function openFolderStore(folder: string, machine: StoreMachine, options: Options = {}): Promise<FolderStore> {
  await makeStoreFolder(machine.fileSystem, folder)
  return new FolderStore(folder, machine, options)
}

export class FolderStore extends Scratch implements FileStore {
  readonly #folder: string
  readonly #listeners: StoreListeners
  readonly #hashFile: (path: string) => Promise<string>
  readonly #checks: HashChecks
  // Renames and removals run one at a time: the system may carry out a removal after a rename that
  // was requested later.
  #lastNameChange: Promise<unknown> = Promise.resolve()

  /** The folder exists: `openFolderStore` makes it. */
  constructor(folder: string, machine: StoreMachine, options: Options) {
    super(folder, machine, options)
    const { hashFile = path => sha256OfFile(machine.fileSystem, path), ...listeners } = options
    this.#folder = folder
    this.#listeners = listeners
    this.#hashFile = hashFile
    this.#checks = new HashChecks(machine, hashFile)
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, fileNameOf(sha256))
  }

  async localPath(sha256: string): Promise<string> {
    return this.#pathOf(sha256)
  }

  async intact(sha256: string): Promise<{ path: string; bytes: number }> {
    const path = this.#pathOf(sha256)
    const bytes = await this.#requireExisting(sha256, this.#checks.sizeIfIntact(path, sha256))
    if (bytes !== undefined) return { path, bytes }
    this.#listeners.onDamage?.(sha256, 'changed')
    throw new FileDamagedError(`file ${sha256} has changed on disk`)
  }

  async sizeOf(sha256: string): Promise<number> {
    return (await this.#requireExisting(sha256, this.machine.fileSystem.facts(this.#pathOf(sha256)))).size
  }

  async keep(temporaryPath: string, sha256: string): Promise<void> {
    const path = this.#pathOf(sha256)
    await this.#changeNames(() => this.machine.fileSystem.rename(temporaryPath, path))
    this.forget(temporaryPath)
    await watchSync(syncFolder(this.machine.fileSystem, this.#folder), this.#listeners)
  }

  async read(sha256: string): Promise<Uint8Array> {
    const path = this.#pathOf(sha256)
    const bytes = await this.#reportUnreadable(sha256, this.machine.fileSystem.read(path))
    if (sha256Hex(bytes) === sha256) return bytes
    this.#listeners.onDamage?.(sha256, 'changed')
    throw new FileDamagedError(`file ${sha256} has changed on disk`)
  }

  async hashOf(sha256: string): Promise<string | undefined> {
    const path = this.#pathOf(sha256)
    try {
      const actual = await this.#reportUnreadable(sha256, this.#hashFile(path))
      if (actual !== sha256) this.#listeners.onDamage?.(sha256, 'changed')
      return actual
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async remove(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256)
    await this.#changeNames(() => removeIfExists(this.machine.fileSystem, path))
    await watchSync(syncFolder(this.machine.fileSystem, this.#folder), this.#listeners)
  }

  async *list(): AsyncGenerator<string[]> {
    for await (const names of this.#slices()) yield names.flatMap(name => sha256OfName(name) ?? [])
  }

  storedAt(sha256: string): Promise<Date | undefined> {
    return mtimeOf(this.machine.fileSystem, this.#pathOf(sha256))
  }

  /** Files with other names come from other programs, for example an interrupted copy. */
  async sweepDisk(_findReferenced: unknown, olderThan: Date): Promise<number> {
    let swept = await this.removeOlder(olderThan)
    for await (const names of this.#slices()) {
      for (const name of names.filter(name => sha256OfName(name) === undefined)) {
        const path = join(this.#folder, name)
        const mtime = await mtimeOf(this.machine.fileSystem, path)
        if (mtime === undefined || mtime > olderThan) continue
        await removeIfExists(this.machine.fileSystem, path)
        swept++
      }
      await this.machine.timers.yield()
    }
    return swept
  }

  copies(): undefined {
    return undefined
  }

  async ping(): Promise<void> {
    const { path, synced } = await this.writeTemporary(Buffer.from('probe'))
    await synced.finally(() => this.discard(path))
  }

  async *#slices(): AsyncGenerator<string[]> {
    for await (const names of this.machine.fileSystem.slicesOfNames(this.#folder)) {
      const kept = names.filter(name => name !== SCRATCH_FOLDER)
      for (let i = 0; i < kept.length; i += NAMES_PER_SLICE) yield kept.slice(i, i + NAMES_PER_SLICE)
    }
  }

  #changeNames<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastNameChange.then(work)
    this.#lastNameChange = result.catch(() => undefined)
    return result
  }

  async #requireExisting<T>(sha256: string, reading: Promise<T>): Promise<T> {
    try {
      return await this.#reportUnreadable(sha256, reading)
    } catch (error) {
      if (isMissing(error)) throw new FileDamagedError(`file ${sha256} is missing`, { cause: error })
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
