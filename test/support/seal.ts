/** Seals prepared files in one call, and fills /Contents of bytes in memory. */
import { copyFile } from 'node:fs/promises'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import type { ByteRange } from '../../src/pades/byte-range.ts'
import { fill, sign } from '../../src/pades/cms.ts'
import type { PreparedFile } from '../../src/pades/revision-file.ts'
import type { SealKey } from '../../src/pki/key.ts'

/** With `outPath` the sealed file is a copy. */
export async function seal({ prepared, key, outPath }: { prepared: PreparedFile; key: SealKey; outPath?: string }) {
  const { contents } = await sign(prepared, key)
  const path = outPath ?? prepared.path
  if (outPath !== undefined) await copyFile(prepared.path, outPath)
  await fill(THIS_FILE_SYSTEM, { prepared: { ...prepared, path }, contents })
  return { path }
}

export function fillContents(bytes: Uint8Array, [, first, second]: ByteRange, contents: Uint8Array): void {
  const digits = Buffer.from(contents)
    .toString('hex')
    .padEnd(second - first - 2, '0')
  bytes.set(Buffer.from(digits, 'latin1'), first + 1)
}
