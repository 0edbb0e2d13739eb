/**
 * Writes a file and one revision behind it as a new file, and hashes while the system writes. ISO 32000-2 §7.5.6.
 * What is hashed are the bytes that were written, not what a path leads to a moment later. Reads no PDF.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { type Placeholder, writeByteRange } from './byte-range.ts'

/** A frozen stage: the file as it will be sealed, but for the CMS in its gap. */
export interface PreparedFile {
  path: string
  /** ISO 32000-2 §12.8.1: [0, offset of the gap, offset after the gap, bytes to the end]. */
  byteRange: readonly [number, number, number, number]
  /** SHA-256 over the byte range, hex. */
  digest: string
  /** SHA-256 of the source as it was read, hex: whoever knows what it must be compares before signing. */
  sourceSha256: string
  pageCount: number
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let done = 0; done < part.length; ) done += (await file.write(part, done)).bytesWritten
  }
}

/** Creates the file for its owner alone; a file that is already there is not touched. */
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

interface RevisionOrder {
  path: string
  source: Uint8Array
  /** What stands behind the source. */
  update: Uint8Array
  /** Offsets in the update that the hash leaves out, where there is a gap. */
  gap?: { from: number; to: number }
  /** Whether the file is on the disk when this ends; whoever fills a gap syncs after that. */
  isSynced: boolean
}

export interface Hashes {
  digest: string
  sourceSha256: string
}

/** The SHA-256 of the file without its gap, and of the source alone, hex. @throws what the file system says, EEXIST when the path is taken; no half file is left */
export async function writeRevision({ path, source, update, gap, isSynced }: RevisionOrder): Promise<Hashes> {
  const writing = create(path, [source, update], isSynced)
  const hash = createHash('sha256').update(source)
  const sourceHash = hash.copy()
  hash.update(update.subarray(0, gap?.from))
  if (gap !== undefined) hash.update(update.subarray(gap.to))
  await writing
  return { digest: hash.digest('hex'), sourceSha256: sourceHash.digest('hex') }
}

export interface Unfinished {
  update: Uint8Array
  pageCount: number
  /** What stands in the update in place of /ByteRange and /Contents. */
  gap: Placeholder
}

/** Writes source and update, with the true /ByteRange. Not fsynced: filling the gap does that. @throws what the file system says */
export async function writePrepared(
  path: string,
  source: Uint8Array,
  { update, pageCount, gap }: Unfinished,
): Promise<PreparedFile> {
  const byteRange = writeByteRange(update, gap, source.length)
  const [, first, second] = byteRange
  const range = { from: first - source.length, to: second - source.length }
  const hashes = await writeRevision({ path, source, update, gap: range, isSynced: false })
  return Object.freeze({ path, byteRange, ...hashes, pageCount })
}
