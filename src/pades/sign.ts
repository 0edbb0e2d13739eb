/** Signs the digest of a prepared file and fills /Contents. Reads no PDF. */
import type { FileSystem } from '../lib/machine.ts'
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

/** Bytes to reserve in /Contents: 16 kB, or more for a long chain. */
export function contentsBytesFor(chain: readonly Uint8Array[], withTimestamp: boolean): number {
  const certificates = chain.reduce((sum, certificate) => sum + certificate.length, 0)
  return Math.max(RESERVED_BYTES, certificates + STRUCTURE_BYTES + (withTimestamp ? TOKEN_BYTES : 0))
}

/** @throws any error of the key */
export async function sign(prepared: PreparedFile, key: SealKey): Promise<SignedFile> {
  const contents = await createSignedData({ digest: new Uint8Array(Buffer.from(prepared.digest, 'hex')), key })
  return Object.freeze({ prepared, contents })
}

/** Fsyncs the file, not its folder. Can be repeated. @throws ByteRangeError if it does not fit */
export function fill(fileSystem: FileSystem, { prepared, contents }: SignedFile): Promise<void> {
  return fillContentsInFile(fileSystem, prepared.path, prepared.byteRange, contents)
}
