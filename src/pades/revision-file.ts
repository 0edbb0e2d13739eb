/** Writes a source and one incremental update as a new file, and hashes the same bytes. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { ByteRange } from './byte-range.ts'
import { type Placeholder, writeByteRange } from './placeholder.ts'

/** A file that is ready to be sealed: only /Contents is missing. */
export interface PreparedFile {
  path: string
  byteRange: ByteRange
  /** SHA-256 of the byte range, hex. */
  digest: string
  /** SHA-256 of the source as it was read, hex. The caller compares it before signing. */
  sourceSha256: string
  pageCount: number
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let done = 0; done < part.length; ) done += (await file.write(part, done)).bytesWritten
  }
}

/** Creates a file with mode 0600. An existing file is not changed. */
async function create(path: string, parts: readonly Uint8Array[], isSynced: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await writeAll(file, parts)
    if (isSynced) await file.sync()
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}

interface RevisionFile {
  path: string
  source: Uint8Array
  /** Appended to the source. */
  update: Uint8Array
  /** Offsets of /Contents in the update, which the digest omits. */
  contents?: { from: number; to: number }
  /** Whether to fsync the file. Filling /Contents does that later. */
  isSynced: boolean
}

interface Hashes {
  digest: string
  sourceSha256: string
}

/** Hashes in hex. No partial file is left. @throws EEXIST if the path exists */
export async function writeRevision({ path, source, update, contents, isSynced }: RevisionFile): Promise<Hashes> {
  const writing = create(path, [source, update], isSynced)
  const hash = createHash('sha256').update(source)
  const sourceHash = hash.copy()
  hash.update(update.subarray(0, contents?.from))
  if (contents !== undefined) hash.update(update.subarray(contents.to))
  await writing
  return { digest: hash.digest('hex'), sourceSha256: sourceHash.digest('hex') }
}

interface UpdateWithPlaceholder {
  update: Uint8Array
  pageCount: number
  /** In the update in place of /ByteRange and /Contents. */
  placeholder: Placeholder
}

/** Writes source and update with the actual /ByteRange. Not fsynced. @throws file system errors */
export async function writePrepared(
  path: string,
  source: Uint8Array,
  { update, pageCount, placeholder }: UpdateWithPlaceholder,
): Promise<PreparedFile> {
  const byteRange = writeByteRange(update, placeholder, source.length)
  const [, first, second] = byteRange
  const contents = { from: first - source.length, to: second - source.length }
  const hashes = await writeRevision({ path, source, update, contents, isSynced: false })
  return { path, byteRange, ...hashes, pageCount }
}
