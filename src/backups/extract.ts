/** Takes the PDF of one document out of a backup. Reads all of it, and restores nothing. */
import { join } from 'node:path'
import { latestVersion, migrate, NO_CLOCK } from '../db/migrate.ts'
import { openRaw, openSnapshot } from '../db/sqlite.ts'
import { type NamedFile, newestOf } from '../documents/files/named-file.ts'
import { findUncached } from '../documents/queries.ts'
import { isDiskError, isDiskFull, syncFolder } from '../lib/disk.ts'
import { ArchiveNames } from '../lib/file-names.ts'
import { exists, removeIfExists, writeAll } from '../lib/files.ts'
import type { FileSystem, OpenFile, Random } from '../lib/machine.ts'
import { randomToken } from '../lib/token.ts'
import type { Identities } from './encryption.ts'
import { BackupError } from './error.ts'
import type { Manifest } from './manifest.ts'
import { type PartWriter, readBackup, type Unpacking } from './read.ts'

export interface ExtractOptions {
  path: string
  by: Identities
  documentId: string
  fileSystem: FileSystem
  /** An existing folder, in which no file is overwritten. */
  folder: string
  random: Random
  /** Called when the file is whole in the folder; the rest of the backup is read after it. */
  written(path: string): void
}

/**
 * Writes the sealed PDF, else the original, under the name that a download has.
 * @throws BackupError, SchemaTooNewError
 */
export async function extractDocument(options: ExtractOptions): Promise<void> {
  const { path, by, documentId, fileSystem, folder } = options
  if (!(await isFolder(fileSystem, folder))) throw new BackupError(`${folder} is no folder: make it, or name another with --to.`)
  const extraction = new Extraction(options)
  try {
    await readBackup(fileSystem, path, by, extraction)
  } catch (error) {
    throw diskRefusal(error, folder)
  } finally {
    await extraction.close()
  }
  if (extraction.isWritten) return
  throw new BackupError(`The PDF of ${documentId} was missing or damaged when the backup was made: use another backup.`)
}

const isFolder = (fileSystem: FileSystem, path: string) =>
  fileSystem.facts(path).then(
    found => found.isFolder,
    () => false,
  )

function diskRefusal(error: unknown, folder: string): unknown {
  if (isDiskFull(error)) {
    return new BackupError(`The disk of ${folder} is full: free space, or name another folder with --to.`, 'disk-full')
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!isDiskError(error) && code !== 'EACCES' && code !== 'EROFS') return error
  return new BackupError(`${folder} cannot be written (${code}): name another folder with --to.`)
}

class Extraction implements Unpacking {
  readonly #options: ExtractOptions
  /** Removed at the end, however that comes. */
  readonly #scratch: string
  #handle: OpenFile | undefined
  #manifest: Manifest | undefined
  #wanted: NamedFile | undefined
  isWritten = false

  constructor(options: ExtractOptions) {
    this.#options = options
    this.#scratch = join(options.folder, `.signet-${randomToken(options.random)}`)
  }

  accept(manifest: Manifest): void {
    this.#manifest = manifest
  }

  async database(): Promise<PartWriter> {
    return this.#write(async isIntact => {
      if (isIntact) this.#wanted = await this.#find()
      await this.#removeScratch()
    })
  }

  async file(sha256: string): Promise<PartWriter | undefined> {
    const { sha256: wanted, fileName = '' } = this.#wanted ?? {}
    if (sha256 !== wanted) return undefined
    const { fileSystem, folder } = this.#options
    const target = join(folder, fileName)
    return this.#write(async isIntact => {
      if (!isIntact) return this.#removeScratch()
      // Refuses a name that was taken meanwhile; a rename would overwrite.
      await fileSystem.link(this.#scratch, target)
      await fileSystem.unlink(this.#scratch)
      await syncFolder(fileSystem, folder)
      this.isWritten = true
      this.#options.written(target)
    })
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    await this.#removeScratch()
  }

  async #write(end: (isIntact: boolean) => Promise<void> | void): Promise<PartWriter> {
    const handle = await this.#options.fileSystem.open(this.#scratch, 'wx')
    this.#handle = handle
    let position = 0
    return {
      async write(part) {
        await writeAll(handle, part, position)
        position += part.length
      },
      end: async isIntact => {
        await handle.sync()
        await handle.close()
        this.#handle = undefined
        await end(isIntact)
      },
    }
  }

  /** With what SQLite may keep beside it. */
  async #removeScratch(): Promise<void> {
    const { fileSystem } = this.#options
    for (const suffix of ['', '-wal', '-shm', '-journal']) await removeIfExists(fileSystem, this.#scratch + suffix)
  }

  async #find(): Promise<NamedFile> {
    const { documentId, fileSystem, folder } = this.#options
    const { schema = 0, madeAt = '' } = this.#manifest ?? {}
    if (schema < latestVersion()) bringUpToDate(this.#scratch)
    const { db, close } = openSnapshot(this.#scratch)
    try {
      const { documents, unreadable } = await findUncached(db, [documentId])
      if (unreadable.has(documentId)) throw unreadable.get(documentId)
      const [document] = documents
      if (!document) {
        throw new BackupError(
          `The backup of ${madeAt} has no document ${documentId}: use one that was made while the document was there.`,
        )
      }
      const { sha256, fileName } = await newestOf(db, document)
      const safeName = new ArchiveNames().unique(fileName, 'pdf')
      if (await exists(fileSystem, join(folder, safeName))) {
        throw new BackupError(`${join(folder, safeName)} exists: move it away, or name another folder with --to.`)
      }
      return { sha256, fileName: safeName }
    } finally {
      await close()
    }
  }
}

function bringUpToDate(path: string): void {
  const raw = openRaw(path)
  try {
    migrate(raw, NO_CLOCK)
  } finally {
    raw.close()
  }
}
