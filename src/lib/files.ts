/** Uses of a file system: what may be missing, whole writes, and files that are read in parts. */
import type { FileFacts, FileSystem, OpenFile } from './machine.ts'

export const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** False also if nobody can say. */
export function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  return fileSystem.facts(path).then(
    () => true,
    () => false,
  )
}

export async function removeIfExists(fileSystem: FileSystem, path: string): Promise<void> {
  await fileSystem.unlink(path).catch(error => {
    if (!isMissing(error)) throw error
  })
}

export function factsIfExists(fileSystem: FileSystem, path: string): Promise<FileFacts | undefined> {
  return fileSystem.facts(path).catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })
}

export async function mtimeOf(fileSystem: FileSystem, path: string): Promise<Date | undefined> {
  return (await factsIfExists(fileSystem, path))?.mtime
}

/** A text in UTF-8. */
export async function readText(fileSystem: FileSystem, path: string): Promise<string> {
  return Buffer.from(await fileSystem.read(path)).toString()
}

/** One call of `write` may write only some of the bytes. */
export async function writeAll(file: Pick<OpenFile, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

const PART_BYTES = 1 << 18

/** All bytes, from the first one on; the file stays open. */
export async function* partsOf(file: Pick<OpenFile, 'read'>): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const part = Buffer.allocUnsafe(PART_BYTES)
    const { bytesRead } = await file.read(part, 0, part.length, position)
    if (bytesRead === 0) return
    yield part.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Reads a part only when it is asked for. */
export async function* partsOfFile(fileSystem: FileSystem, path: string): AsyncGenerator<Uint8Array> {
  const file = await fileSystem.open(path, 'r')
  try {
    yield* partsOf(file)
  } finally {
    await file.close()
  }
}
