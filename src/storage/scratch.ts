/** Temporary files in a folder of their own, which a start empties without reading other names. */
import { dirname, join } from 'node:path'
import { isSyncError, syncFolder } from '../lib/disk.ts'
import { DAY_MS } from '../lib/duration.ts'
import { mtimeOf, removeIfExists, writeAll } from '../lib/files.ts'
import type { FileSystem } from '../lib/machine.ts'
import { randomToken } from '../lib/token.ts'
import type { StoreListeners, StoreMachine, TemporaryFile, TemporaryFiles, Upload } from './file-store.ts'

export const SCRATCH_FOLDER = '.making'

/** Syncs the parent too: otherwise a power failure may remove the folder with its files. */
export async function makeStoreFolder(fileSystem: FileSystem, folder: string): Promise<void> {
  for (const path of [folder, join(folder, SCRATCH_FOLDER)]) {
    const made = await fileSystem.makeFolder(path)
    if (made !== undefined) await syncFolder(fileSystem, dirname(path))
  }
}

/** Awaits a sync and reports that data may not be durable. */
export async function watchSync(sync: Promise<void>, { onSyncError }: StoreListeners): Promise<void> {
  try {
    await sync
  } catch (error) {
    if (isSyncError(error)) onSyncError?.(error)
    throw error
  }
}

/** No upload takes so long. */
const MIN_OWN_AGE_MS = DAY_MS

export class Scratch implements TemporaryFiles {
  readonly #folder: string
  readonly #listeners: StoreListeners
  protected readonly machine: StoreMachine
  /** Those of this process, with the time of its steady clock: an upload may be in progress. */
  readonly #own = new Map<string, number>()

  /** `parent`: made by `makeStoreFolder`. */
  constructor(parent: string, machine: StoreMachine, listeners: StoreListeners) {
    this.#folder = join(parent, SCRATCH_FOLDER)
    this.machine = machine
    this.#listeners = listeners
  }

  temporaryPath(): string {
    const path = join(this.#folder, `${randomToken(this.machine.random)}.tmp`)
    this.#own.set(path, this.machine.steadyMs())
    return path
  }

  async openTemporary(): Promise<TemporaryFile> {
    const path = this.temporaryPath()
    const handle = await this.machine.fileSystem.open(path, 'wx')
    let bytes = 0
    let closed: Promise<unknown> | undefined
    const discard = (own: string) => this.discard(own)
    return {
      async write(part) {
        await writeAll(handle, part, bytes)
        bytes += part.length
      },
      finish: () => {
        const sync = handle.sync().finally(() => handle.close())
        const synced = watchSync(sync, this.#listeners)
        // The caller awaits `synced` later; until then a failure must not count as unhandled.
        closed = synced.catch(() => undefined)
        return { path, bytes, synced }
      },
      async discard() {
        await (closed ?? handle.close())
        await discard(path)
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

  async discard(temporaryPath: string): Promise<void> {
    this.#own.delete(temporaryPath)
    try {
      await removeIfExists(this.machine.fileSystem, temporaryPath)
    } catch (error) {
      this.#listeners.onLeftover?.(error)
    }
  }

  /** It has another name now. */
  protected forget(temporaryPath: string): void {
    this.#own.delete(temporaryPath)
  }

  async removeTemporaryFiles(): Promise<void> {
    const { fileSystem } = this.machine
    for (const name of await fileSystem.names(this.#folder)) await removeIfExists(fileSystem, join(this.#folder, name))
  }

  /**
   * Removes files that nothing has written to since. Returns their number. Those of this process
   * must be a day old by its steady clock: after a jump of the clock the time of a file is wrong.
   */
  async removeOlder(olderThan: Date): Promise<number> {
    const { fileSystem } = this.machine
    let removed = 0
    this.#forgetOld()
    for (const name of await fileSystem.names(this.#folder)) {
      const path = join(this.#folder, name)
      const mtime = await mtimeOf(fileSystem, path)
      if (mtime === undefined || mtime > olderThan || this.#own.has(path)) continue
      await removeIfExists(fileSystem, path)
      removed++
    }
    return removed
  }

  /** Also of files that somebody else has moved or deleted. */
  #forgetOld(): void {
    const sinceMs = this.machine.steadyMs() - MIN_OWN_AGE_MS
    for (const [path, madeMs] of this.#own) if (madeMs <= sinceMs) this.#own.delete(path)
  }
}
