/** Reads files of the executable, which the build compresses; from source they are as they are. */
import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'

/** The first bytes of a Zstandard frame, RFC 8878 §3.1.1. No file begins with them by itself. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

/** Reads the file at each call. Throws if the build left it out. */
export function readEmbeddedFile(path: string): Uint8Array<ArrayBuffer> {
  const stored = readFileSync(path)
  return ZSTD.every((byte, i) => stored[i] === byte) ? zstdDecompressSync(stored) : stored
}

// Facts about this executable that its build has written into it.

/** Replaced by `scripts/compile.ts`. */
declare const SIGNET_BUILT_AT: string | undefined
declare const SIGNET_COMMIT: string | undefined

/** The date of its sources; `undefined` when it runs from sources. No right clock shows less. */
export const builtAt: Date | undefined = typeof SIGNET_BUILT_AT === 'string' ? new Date(SIGNET_BUILT_AT) : undefined

/** `source`: run from source, or built outside a repository. Ends with `+` if files differed. */
export const commit: string = typeof SIGNET_COMMIT === 'string' ? SIGNET_COMMIT : 'source'

/** The day of the commit: the same sources make the same bytes. */
export const committedOn: string | undefined = builtAt?.toISOString().slice(0, 10)
