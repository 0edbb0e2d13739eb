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
