/** The stored files of an end, past every cache: in a folder, or as objects of a bucket. */
import { createHash } from 'node:crypto'
import { partsOfFile } from '../lib/files.ts'
import type { FileSystem, Machine } from '../lib/machine.ts'
import { FileDamagedError, fileNameOf, sha256OfName, type TemporaryFile } from '../storage/file-store.ts'
import type { S3Location } from '../storage/files-url.ts'
import type { FolderStore } from '../storage/folder-store.ts'
import { type BucketMachine, S3Bucket, type S3Limits, type Sink } from '../storage/s3-bucket.ts'

export interface StoredFiles {
  /** Reads the whole file. `undefined` if it is missing. */
  hashOf(sha256: string): Promise<string | undefined>
  /** The hashes of all files, in slices. */
  list(): AsyncIterable<string[]>
  /** Passes all bytes on, each attempt from the first byte. False: the file is missing. */
  read(sha256: string, attempt: () => Promise<Sink>): Promise<boolean>
  /** Path of the file on this disk; undefined where it is elsewhere. */
  localPath(sha256: string): Promise<string | undefined>
  /** Streams a file: the memory does not grow with it. Overwrites what is there. */
  copyFrom(source: StoredFiles, sha256: string): Promise<void>
}

export function filesOfFolder(fileSystem: FileSystem, store: FolderStore): StoredFiles {
  return {
    hashOf: sha256 => store.hashOf(sha256),
    list: () => store.list(),
    async read(sha256, attempt) {
      const sink = await attempt()
      for await (const part of partsOfFile(fileSystem, await store.localPath(sha256))) await sink(part)
      return true
    },
    localPath: sha256 => store.localPath(sha256),
    async copyFrom(source, sha256) {
      let file: TemporaryFile | undefined
      try {
        let hash = createHash('sha256')
        const found = await source.read(sha256, async () => {
          await file?.discard()
          const temporary = await store.openTemporary()
          file = temporary
          hash = createHash('sha256')
          return part => {
            hash.update(part)
            return temporary.write(part)
          }
        })
        if (!found || hash.digest('hex') !== sha256) throw changed(sha256)
        const { path, synced } = (file as TemporaryFile).finish()
        await synced
        await store.keep(path, sha256)
      } finally {
        await file?.discard()
      }
    },
  }
}

/** What the objects contain is checked by `hashOf`, after they were stored. */
export function filesOfBucket(
  location: S3Location,
  machine: BucketMachine & Pick<Machine, 'fileSystem'>,
  limits: Partial<S3Limits> = {},
): StoredFiles {
  const bucket = new S3Bucket(location, machine, limits)
  const keyOf = (sha256: string) => `${location.prefix}${fileNameOf(sha256)}`
  return {
    hashOf: sha256 => bucket.hashOf(keyOf(sha256)),
    async *list() {
      for await (const keys of bucket.list(location.prefix)) {
        yield keys.flatMap(key => sha256OfName(key.slice(location.prefix.length)) ?? [])
      }
    },
    read: (sha256, attempt) => bucket.get(keyOf(sha256), attempt),
    localPath: async () => undefined,
    async copyFrom(source, sha256) {
      const path = await source.localPath(sha256)
      if (path === undefined) throw new Error('a bucket is filled from a folder only')
      await bucket.put(machine.fileSystem, keyOf(sha256), path)
    },
  }
}

const changed = (sha256: string) => new FileDamagedError(`File ${sha256} has changed at the source while it was moved.`)
