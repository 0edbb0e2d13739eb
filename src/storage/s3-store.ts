/** Files as objects `<prefix><sha256>.pdf` of an S3 bucket, with verified copies on this disk. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { writeAll } from '../lib/files.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { randomToken } from '../lib/token.ts'
import {
  FileDamagedError,
  type FileStore,
  FileStoreTakenError,
  fileNameOf,
  type StoreListeners,
  type StoreMachine,
  sha256OfName,
} from './file-store.ts'
import type { S3Location } from './files-url.ts'
import { type CopiesState, type Copy, LocalCopies } from './local-copies.ts'
import { type BucketMachine, S3Bucket, type S3Limits } from './s3-bucket.ts'
import { makeStoreFolder, Scratch } from './scratch.ts'

export interface S3StoreOptions extends StoreListeners {
  location: S3Location
  /** For temporary files and copies. */
  folder: string
  maxCacheBytes: number
  limits?: Partial<S3Limits>
}

const COPIES_FOLDER = 'copies'
const OWNER = '.instance'

/** Whose files the bucket holds, without changing it. @throws FileStoreUnavailableError */
export async function ownerOf(location: S3Location, machine: BucketMachine): Promise<string | undefined> {
  return (await smallObject(new S3Bucket(location, machine), location.prefix + OWNER))?.toString()
}

/** Of an object that is no stored file. */
async function smallObject(bucket: S3Bucket, key: string): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  const exists = await bucket.get(key, () => {
    parts.length = 0
    return part => void parts.push(part)
  })
  return exists ? Buffer.concat(parts) : undefined
}

/** @throws FileStoreTakenError */
export function requireOwner(owner: string | undefined, instanceId: string): void {
  if (owner === instanceId) return
  throw new FileStoreTakenError(`the bucket holds the files of another instance (${owner}) under this prefix: choose another`)
}

export async function openS3Store(options: S3StoreOptions, machine: StoreMachine & BucketMachine): Promise<S3Store> {
  const { folder, maxCacheBytes } = options
  const { fileSystem, now } = machine
  await makeStoreFolder(fileSystem, folder)
  const copies = new LocalCopies({ fileSystem, folder: join(folder, COPIES_FOLDER), maxBytes: maxCacheBytes, now })
  await copies.load()
  return new S3Store(options, machine, copies)
}

export class S3Store extends Scratch implements FileStore {
  readonly #bucket: S3Bucket
  readonly #prefix: string
  readonly #listeners: StoreListeners
  readonly #copies: LocalCopies
  /** One name for all probes: a process that is killed in the middle leaves one object at most. */
  readonly #probe = randomToken(this.machine.random)

  /** The folders exist: `openS3Store` makes them. */
  constructor(options: S3StoreOptions, machine: StoreMachine & BucketMachine, copies: LocalCopies) {
    const { location, folder, limits, onUnavailable } = options
    super(folder, machine, options)
    this.#bucket = new S3Bucket(location, machine, limits, onUnavailable)
    this.#prefix = location.prefix
    this.#listeners = options
    this.#copies = copies
  }

  #keyOf(sha256: string): string {
    return `${this.#prefix}${fileNameOf(sha256)}`
  }

  /**
   * Call before anything is stored or removed. Marks the bucket by an object with the instance's
   * id; of two instances that begin at once, each reads it back. @throws FileStoreTakenError
   */
  async takeFor(instanceId: string): Promise<void> {
    const key = this.#prefix + OWNER
    if ((await smallObject(this.#bucket, key)) === undefined) await this.#put(key, Buffer.from(instanceId))
    requireOwner((await smallObject(this.#bucket, key))?.toString(), instanceId)
  }

  /**
   * The temporary file becomes the first copy: this node reads it next. Its hash is checked first,
   * since rows may refer to the object that it replaces.
   */
  async keep(temporaryPath: string, sha256: string): Promise<void> {
    await this.#bucket.put(this.machine.fileSystem, this.#keyOf(sha256), temporaryPath, sha256)
    await this.#copies.adopt(temporaryPath, sha256)
    this.forget(temporaryPath)
  }

  async localPath(sha256: string): Promise<string> {
    return (await this.intact(sha256)).path
  }

  async intact(sha256: string): Promise<Copy> {
    const key = this.#keyOf(sha256)
    return this.#copies.get(sha256, () => this.#download(key, sha256))
  }

  async sizeOf(sha256: string): Promise<number> {
    const found = await this.#bucket.find(this.#keyOf(sha256))
    return found?.bytes ?? this.#missing(sha256)
  }

  async read(sha256: string): Promise<Uint8Array> {
    const { path } = await this.intact(sha256)
    const bytes = await this.machine.fileSystem.read(path)
    if (sha256Hex(bytes) === sha256) return bytes
    throw new FileDamagedError(`the copy of file ${sha256} has changed on disk`)
  }

  /** Of the object itself: a copy would hide damage of it. */
  async hashOf(sha256: string): Promise<string | undefined> {
    const actual = await this.#bucket.hashOf(this.#keyOf(sha256))
    if (actual !== sha256) this.#listeners.onDamage?.(sha256, actual === undefined ? 'missing' : 'changed')
    return actual
  }

  async remove(sha256: string): Promise<void> {
    await this.#bucket.delete(this.#keyOf(sha256))
    await this.#copies.drop(sha256)
  }

  async *list(): AsyncGenerator<string[]> {
    for await (const keys of this.#bucket.list(this.#prefix)) {
      yield keys.flatMap(key => sha256OfName(key.slice(this.#prefix.length)) ?? [])
    }
  }

  async storedAt(sha256: string): Promise<Date | undefined> {
    return (await this.#bucket.find(this.#keyOf(sha256)))?.storedAt
  }

  async sweepDisk(findReferenced: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number> {
    return (await this.removeOlder(olderThan)) + (await this.#copies.sweep(findReferenced))
  }

  copies(): CopiesState {
    return this.#copies.state
  }

  async ping(): Promise<void> {
    const content = Buffer.from(`probe ${randomToken(this.machine.random)}`)
    const key = `${this.#prefix}.probe-${this.#probe}`
    try {
      await this.#put(key, content)
      const found = await this.#bucket.find(key)
      if (found?.bytes !== content.length || !(await smallObject(this.#bucket, key))?.equals(content))
        throw new FileDamagedError('the file store does not return what was stored')
    } finally {
      // What failed before is the result; the next probe overwrites the object.
      await this.#bucket.delete(key).catch(() => undefined)
    }
  }

  async #put(key: string, content: Uint8Array): Promise<void> {
    const { path, synced } = await this.writeTemporary(content)
    try {
      await synced
      await this.#bucket.put(this.machine.fileSystem, key, path)
    } finally {
      await this.discard(path)
    }
  }

  /** Returns the path of a temporary file with verified bytes. */
  async #download(key: string, sha256: string): Promise<string> {
    const path = this.temporaryPath()
    const handle = await this.machine.fileSystem.open(path, 'wx')
    let hash = createHash('sha256')
    let isKept = false
    try {
      const exists = await this.#bucket.get(key, async () => {
        await handle.truncate(0)
        hash = createHash('sha256')
        let position = 0
        return async part => {
          hash.update(part)
          await writeAll(handle, part, position)
          position += part.length
        }
      })
      if (!exists) this.#missing(sha256)
      if (hash.digest('hex') !== sha256) this.#changed(sha256)
      isKept = true
      return path
    } finally {
      await handle.close()
      if (!isKept) await this.discard(path)
    }
  }

  #missing(sha256: string): never {
    this.#listeners.onDamage?.(sha256, 'missing')
    throw new FileDamagedError(`file ${sha256} is missing in the file store`)
  }

  #changed(sha256: string): never {
    this.#listeners.onDamage?.(sha256, 'changed')
    throw new FileDamagedError(`file ${sha256} has changed in the file store`)
  }
}
