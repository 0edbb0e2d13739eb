/** Reads a backup and checks every part of it. What becomes of the parts, the caller decides. */
import { createHash } from 'node:crypto'
import type { FileSystem, OpenFile } from '../lib/machine.ts'
import { secretBox } from '../lib/secret-box.ts'
import { TarError, TarReader } from '../lib/tar.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import type { App } from '../ports.ts'
import { sha256OfName } from '../storage/file-store.ts'
import { examineDatabase } from './database-copy.ts'
import { decrypted, type Identities } from './encryption.ts'
import { BackupError } from './error.ts'
import { FILES_PREFIX, FileSummer, isSameSum, type Manifest, PART, parseJson, parseManifest } from './manifest.ts'

/** Takes the bytes of one part. */
export interface PartWriter {
  write(part: Uint8Array): Promise<void> | void
  /** All bytes have come. `isIntact`: they have the hash that the backup promises. */
  end(isIntact: boolean): Promise<void> | void
}

export interface Unpacking {
  /** Throws where the backup must not be used here. Nothing else has been read. */
  accept(manifest: Manifest): Promise<void> | void
  database(): Promise<PartWriter>
  file(sha256: string): Promise<PartWriter | undefined>
}

export interface Contents {
  manifest: Manifest
  /** Undefined if it is kept elsewhere. */
  masterKey: Uint8Array | undefined
  /** Files that were damaged before the backup was made. */
  damaged: string[]
}

const AGE_START = 'age-encryption.org/v1\n'
/** Begins the last line of the header. The library keeps all of the header in memory. */
const AGE_HEADER_END = '\n--- '
const MAX_HEADER_BYTES = 1 << 16
const MAX_SMALL_BYTES = 16 << 20
const KEY_BYTES = 32

/** Reads the whole file. @throws BackupError, SchemaTooNewError */
export async function readBackup(fileSystem: FileSystem, path: string, by: Identities, target: Unpacking): Promise<Contents> {
  const file = await fileSystem.open(path, 'r').catch(error => {
    throw new BackupError(`${path} cannot be read (${error.code}): name the file of a backup.`)
  })
  try {
    await requireAgeFile(path, file)
    return await new BackupReader(new TarReader(decrypted(file, by)), target).read()
  } catch (error) {
    if (error instanceof TarError) throw broken(error.message)
    throw error
  } finally {
    await file.close()
  }
}

/** What is no backup may be large, and must not be read in full to find out. */
async function requireAgeFile(path: string, file: OpenFile): Promise<void> {
  const header = Buffer.alloc(MAX_HEADER_BYTES)
  const { bytesRead } = await file.read(header, 0, MAX_HEADER_BYTES, 0).catch(error => {
    throw new BackupError(`${path} cannot be read (${String(error)}): name the file of a backup.`)
  })
  const text = header.toString('latin1', 0, bytesRead)
  if (text.startsWith(AGE_START) && text.includes(AGE_HEADER_END)) return
  throw new BackupError(`${path} is no backup of Signet, or its beginning is damaged: name another file.`)
}

const broken = (problem: string) => new BackupError(diagnosis('backup_damaged', { problem }))

class BackupReader {
  readonly #tar: TarReader
  readonly #target: Unpacking
  readonly #summer = new FileSummer()
  readonly #mismatched: string[] = []
  #lastFile = ''

  constructor(tar: TarReader, target: Unpacking) {
    this.#tar = tar
    this.#target = target
  }

  async read(): Promise<Contents> {
    await this.#expect(PART.manifest)
    const manifest = parseManifest((await this.#small()).toString())
    await this.#target.accept(manifest)
    const database = await this.#expect(PART.database)
    const sha256 = database.bytes === manifest.database.bytes ? manifest.database.sha256 : ''
    if (!(await this.#copy(await this.#target.database(), sha256))) throw broken('the database has another hash')
    const masterKey = manifest.masterKey.isIncluded ? await this.#masterKey() : undefined
    const damaged = await this.#files()
    if (!isSameSum(this.#summer.sum(), manifest.files)) throw broken('files are missing or too many')
    if (this.#mismatched.some(file => !damaged.includes(file))) throw broken('a file has another hash than its name')
    return { manifest, masterKey, damaged: this.#mismatched }
  }

  async #expect(name: string) {
    const entry = await this.#tar.next()
    if (entry?.name !== name) throw broken(`${name} is missing`)
    return entry
  }

  async #masterKey(): Promise<Uint8Array> {
    await this.#expect(PART.masterKey)
    const key = Buffer.from((await this.#small()).toString().trim(), 'base64')
    if (key.length !== KEY_BYTES) throw broken('the master key has another length')
    return key
  }

  /** Returns the files that were damaged before. */
  async #files(): Promise<string[]> {
    for (let entry = await this.#tar.next(); entry; entry = await this.#tar.next()) {
      const sha256 = entry.name.startsWith(FILES_PREFIX) ? sha256OfName(entry.name.slice(FILES_PREFIX.length)) : undefined
      if (sha256 === undefined) return this.#damaged(entry.name)
      if (sha256 <= this.#lastFile) throw broken('its files are not in order')
      this.#lastFile = sha256
      this.#summer.add({ sha256, bytes: entry.bytes })
      if (!(await this.#copy(await this.#target.file(sha256), sha256))) this.#mismatched.push(sha256)
    }
    throw broken('it ends too early')
  }

  async #damaged(name: string): Promise<string[]> {
    if (name !== PART.damaged) throw broken(`"${name}" is no part of a backup`)
    const damaged = parseJson((await this.#small()).toString())
    if ((await this.#tar.next()) !== undefined) throw broken('parts follow the last one')
    if (!Array.isArray(damaged)) throw broken('it does not say which files were damaged')
    return damaged.map(String)
  }

  /** Returns whether the bytes have the hash. */
  async #copy(writer: PartWriter | undefined, sha256: string): Promise<boolean> {
    const hash = createHash('sha256')
    for await (const part of this.#tar.content()) {
      hash.update(part)
      await writer?.write(part)
    }
    const isIntact = hash.digest('hex') === sha256
    await writer?.end(isIntact)
    return isIntact
  }

  async #small(): Promise<Buffer> {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of this.#tar.content()) {
      bytes += part.length
      if (bytes > MAX_SMALL_BYTES) throw broken('a small part is too large')
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
}

/** The test restore: decrypts and checks everything, and keeps nothing. */
export async function checkBackup(
  app: Pick<App, 'storage' | 'fileSystem' | 'secrets' | 'random'>,
  path: string,
  by: Identities,
): Promise<Contents> {
  const database = await app.storage.openTemporary()
  try {
    const contents = await readBackup(app.fileSystem, path, by, {
      accept() {},
      database: async () => ({ write: part => database.write(part), end() {} }),
      file: async () => undefined,
    })
    const { path: scratch, synced } = database.finish()
    await synced
    const secrets = contents.masterKey ? secretBox(contents.masterKey, app.random) : app.secrets
    await examineDatabase(scratch, contents.manifest, secrets)
    return contents
  } finally {
    await database.discard()
  }
}
