/** The files of this machine, by Bun and Node.js. Child processes use it without a `Machine`. */
import { access, constants, link, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { listNames } from './folder-names.ts'
import type { FileSystem } from './machine.ts'

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
  requireWritable: folder => access(folder, constants.W_OK | constants.X_OK),
  rename,
  link,
  unlink,
  async space(folder) {
    const { bavail, bsize, blocks } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
}
