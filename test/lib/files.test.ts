/** Whole writes, and files that are read in parts. */
import { expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { sha256OfFile, writeSynced } from '../../src/lib/disk.ts'
import { partsOfFile } from '../../src/lib/files.ts'
import type { FileSystem } from '../../src/lib/machine.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { useFreshFolder } from '../support/folders.ts'

const BYTES = new Uint8Array(1_000_000).map((_, i) => i * 7)

const folder = useFreshFolder()

/** Writes at most 1,000 bytes in one call, and counts open files. */
function slowFileSystem() {
  let openFiles = 0
  const fileSystem: FileSystem = {
    ...THIS_FILE_SYSTEM,
    async open(path, flags) {
      const file = await THIS_FILE_SYSTEM.open(path, flags)
      openFiles++
      return {
        write: (bytes, offset, length, position) => file.write(bytes, offset, Math.min(length, 1000), position),
        read: (into, offset, length, position) => file.read(into, offset, Math.min(length, 70_000), position),
        truncate: bytes => file.truncate(bytes),
        sync: () => file.sync(),
        close: () => file.close().finally(() => void openFiles--),
      }
    },
  }
  return { fileSystem, openFiles: () => openFiles }
}

test('a file is written whole and for its owner alone, and its hash is that of its bytes', async () => {
  const { fileSystem, openFiles } = slowFileSystem()
  const path = folder('file')
  await writeSynced(fileSystem, path, BYTES, 'wx')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await sha256OfFile(fileSystem, path)).toBe(sha256Hex(BYTES))
  await expect(writeSynced(fileSystem, path, BYTES, 'wx')).rejects.toThrow('EEXIST')
  expect(openFiles()).toBe(0)
})

test('a reader that ends early leaves no file open', async () => {
  const { fileSystem, openFiles } = slowFileSystem()
  const path = folder('file')
  writeFileSync(path, BYTES)
  for await (const part of partsOfFile(fileSystem, path)) {
    expect([part.length, openFiles()]).toEqual([70_000, 1])
    break
  }
  expect(openFiles()).toBe(0)
})
