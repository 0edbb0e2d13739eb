/**
 * Seals a prepared file: signs its digest and fills /Contents. Each stage is a value, so that a
 * crash or a remote key can come between. Runs in the serving process and reads no PDF.
 */
import { constants, copyFile } from 'node:fs/promises'
import type { SealKey } from '../pki/key.ts'
import { fillContentsInFile } from './byte-range.ts'
import { createSignedData } from './cms.ts'
import type { PreparedFile } from './revision-file.ts'

/** The prepared file and its /Contents, which are not written yet. */
interface SignedFile {
  prepared: PreparedFile
  /** A CMS, or the token of a document time-stamp, DER. */
  contents: Uint8Array
}

const RESERVED_BYTES = 16 * 1024
/** Attributes, a signature of up to RSA-8192, and structure. */
const STRUCTURE_BYTES = 4 * 1024
/** A time-stamp token with its authority's chain. */
const TOKEN_BYTES = 8 * 1024

/**
 * Bytes to reserve in /Contents: 16 kB, or more for a long chain. `fill` refuses a CMS that does
 * not fit. For a document time-stamp the chain is empty.
 */
export function contentsBytesFor(chain: readonly Uint8Array[], withTimestamp: boolean): number {
  const certificates = chain.reduce((sum, certificate) => sum + certificate.length, 0)
  return Math.max(RESERVED_BYTES, certificates + STRUCTURE_BYTES + (withTimestamp ? TOKEN_BYTES : 0))
}

/** @throws any error of the key */
export async function sign(prepared: PreparedFile, key: SealKey): Promise<SignedFile> {
  const contents = await createSignedData({ digest: new Uint8Array(Buffer.from(prepared.digest, 'hex')), key })
  return Object.freeze({ prepared, contents })
}

/**
 * Writes /Contents into the prepared file, or into a copy at `outPath`, and fsyncs it but not its
 * folder. Can be repeated.
 * @throws ByteRangeError if the contents do not fit
 */
export async function fill({ prepared, contents }: SignedFile, outPath?: string): Promise<{ path: string }> {
  const path = outPath ?? prepared.path
  if (outPath !== undefined) await copyFile(prepared.path, outPath, constants.COPYFILE_FICLONE)
  await fillContentsInFile(path, prepared.byteRange, contents)
  return { path }
}

interface SealOptions {
  prepared: PreparedFile
  key: SealKey
  outPath?: string
}

/** Both stages. */
export async function seal({ prepared, key, outPath }: SealOptions): Promise<{ path: string }> {
  return fill(await sign(prepared, key), outPath)
}
