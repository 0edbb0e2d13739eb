/**
 * The sealing act: prepared file → CMS → sealed file. Each stage is a frozen value, so that a crash, a remote key or a test can stand between them.
 * Reads no PDF and needs no PDF library: it runs in the serving process, beside the key. Judging the result is `verify.ts`.
 */
import { constants, copyFile } from 'node:fs/promises'
import type { Prepared } from '../pdf/order.ts'
import { fillGapInFile } from './byte-range.ts'
import { signedData } from './cms.ts'
import type { SealKey } from './key.ts'

/** The prepared file with the CMS that will stand in its gap; nothing is written yet. */
export interface Signed {
  prepared: Prepared
  cms: Uint8Array
}

/** The sealed file; it was fsynced, its folder was not. */
export interface Sealed {
  path: string
}

/** Has the key sign the prepared digest. @throws whatever the key throws */
export async function sign(prepared: Prepared, key: SealKey): Promise<Signed> {
  const cms = await signedData({ digest: new Uint8Array(Buffer.from(prepared.digest, 'hex')), key })
  return Object.freeze({ prepared, cms })
}

/**
 * Fills the gap: in the prepared file itself, or in a copy at `outPath` (a file of that name is replaced). Repeating it after a crash gives the same file.
 * @throws ByteRangeError when the CMS does not fit or the file has no such gap
 */
export async function fill({ prepared, cms }: Signed, outPath?: string): Promise<Sealed> {
  const path = outPath ?? prepared.path
  if (outPath !== undefined) await copyFile(prepared.path, outPath, constants.COPYFILE_FICLONE)
  await fillGapInFile(path, prepared.byteRange, cms)
  return Object.freeze({ path })
}

export interface SealOrder {
  prepared: Prepared
  key: SealKey
  /** Without it the prepared file itself becomes the sealed one. */
  outPath?: string
}

/** Both stages at once. @throws as `sign` and `fill` do */
export async function seal({ prepared, key, outPath }: SealOrder): Promise<Sealed> {
  return fill(await sign(prepared, key), outPath)
}
