/**
 * The sealing act: prepared file → CMS → sealed file. Each stage is a frozen value, so that a crash, a remote key or a test can stand between them.
 * Reads no PDF and needs no PDF library: it runs in the serving process, beside the key. Judging the result is `verify.ts`.
 */
import { constants, copyFile } from 'node:fs/promises'
import type { SealKey } from '../pki/key.ts'
import { fillContentsInFile } from './byte-range.ts'
import { createSignedData } from './cms.ts'
import type { PreparedFile } from './revision-file.ts'

/** The prepared file with what will stand in its gap; nothing is written yet. */
export interface Signed {
  prepared: PreparedFile
  /** DER of a CMS, or of the time-stamp token of a document time-stamp. */
  contents: Uint8Array
}

/** The sealed file; it was fsynced, its folder was not. */
export interface Sealed {
  path: string
}

const RESERVED_BYTES = 16 * 1024
/** Attributes, a signature of up to RSA-8192, and structure. */
const FRAME_BYTES = 4 * 1024
/** A time-stamp token with its authority's chain. */
const TOKEN_BYTES = 8 * 1024

/**
 * Bytes to keep free in a prepared file, by what will stand in its gap: 16 kB, or what a long chain needs beyond that. A CMS that needs more all the
 * same is refused by `fill`. A document time-stamp has no chain of ours: give `[]`.
 */
export function contentsBytesFor(chain: readonly Uint8Array[], withTimestamp: boolean): number {
  const certificates = chain.reduce((sum, certificate) => sum + certificate.length, 0)
  return Math.max(RESERVED_BYTES, certificates + FRAME_BYTES + (withTimestamp ? TOKEN_BYTES : 0))
}

/** Has the key sign the prepared digest. @throws whatever the key throws */
export async function sign(prepared: PreparedFile, key: SealKey): Promise<Signed> {
  const contents = await createSignedData({ digest: new Uint8Array(Buffer.from(prepared.digest, 'hex')), key })
  return Object.freeze({ prepared, contents })
}

/**
 * Fills the gap: in the prepared file itself, or in a copy at `outPath` (a file of that name is replaced). Repeating it after a crash gives the same file.
 * @throws ByteRangeError when the contents do not fit or the file has no such gap
 */
export async function fill({ prepared, contents }: Signed, outPath?: string): Promise<Sealed> {
  const path = outPath ?? prepared.path
  if (outPath !== undefined) await copyFile(prepared.path, outPath, constants.COPYFILE_FICLONE)
  await fillContentsInFile(path, prepared.byteRange, contents)
  return Object.freeze({ path })
}

export interface SealOptions {
  prepared: PreparedFile
  key: SealKey
  /** Without it the prepared file itself becomes the sealed one. */
  outPath?: string
}

/** Both stages at once. @throws as `sign` and `fill` do */
export async function seal({ prepared, key, outPath }: SealOptions): Promise<Sealed> {
  return fill(await sign(prepared, key), outPath)
}
