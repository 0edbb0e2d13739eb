/** The files of this machine, by Bun and Node.js. Child processes use it without a `Machine`. */
import { closeSync, openSync } from 'node:fs'
import { access, constants, link, mkdir, open, readdir, rename, stat, statfs, unlink, utimes } from 'node:fs/promises'
import { LibcError, nextNames } from './libc.ts'
import type { FileSystem } from './machine.ts'

// Lists a folder in slices: Bun's `readdir` of a million names blocks the event loop for long.

/** Takes a few hundred names and a fraction of a millisecond. */
const BUFFER_BYTES = 32_768

/** The names in no particular order. Each slice blocks, so callers yield between slices. */
export async function* listNames(folder: string): AsyncGenerator<string[]> {
  const descriptor = openSync(folder, 'r')
  try {
    const buffer = Buffer.alloc(BUFFER_BYTES)
    for (let names = nextNames(descriptor, buffer); names.length > 0; names = nextNames(descriptor, buffer)) yield names
  } catch (error) {
    if (!(error instanceof LibcError)) throw error
    yield await readdir(folder)
  } finally {
    closeSync(descriptor)
  }
}

// The file system.

export const THIS_FILE_SYSTEM: FileSystem = {
  open: (path, flags) => open(path, flags, 0o600),
  async facts(path) {
    const found = await stat(path, { bigint: true })
    return {
      size: Number(found.size),
      mtime: found.mtime,
      atime: found.atime,
      isFolder: found.isDirectory(),
      disk: String(found.dev),
      state: [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':'),
    }
  },
  read: path => Bun.file(path).bytes(),
  blob: path => Bun.file(path),
  names: folder => readdir(folder),
  slicesOfNames: listNames,
  makeFolder: path => mkdir(path, { recursive: true, mode: 0o700 }),
  requireWritable,
  rename,
  link,
  unlink,
  async space(folder) {
    const { bavail, bsize, blocks } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
}

/**
 * `access` does not notice that the kernel refuses all writes after an error of the disk: only a
 * change shows it. Setting the times of the folder to what they are leaves no file behind.
 */
async function requireWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK)
  const { atime, mtime } = await stat(folder)
  try {
    await utimes(folder, atime, mtime)
  } catch (error) {
    // EPERM: the folder belongs to somebody else, who lets this user make files in it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
