/** Opens the ZIP of an evidence pack, as bytes. It refuses what a pack of Signet never contains. */
import { unzipSync } from 'fflate'

/** Why the pack cannot be read: a clause. */
export class PackError extends Error {}

export const PACK_FILES = {
  readme: 'README.txt',
  sealed: 'sealed.pdf',
  original: 'original.pdf',
  audit: 'audit.json',
  seal: 'seal.pem',
  sealChain: 'seal-chain.pem',
  authorities: 'timestamp-authorities.pem',
  sums: 'SHA256SUMS',
  page: 'verify.html',
} as const

export const MARKS = 'marks/'
export const ATTACHMENTS = 'attachments/'

const REQUIRED: readonly string[] = [PACK_FILES.sealed, PACK_FILES.original, PACK_FILES.audit, PACK_FILES.seal, PACK_FILES.sums]
const KNOWN: ReadonlySet<string> = new Set(Object.values(PACK_FILES))

const MAX_MEMBERS = 10_000
const MAX_BYTES = 1024 * 1024 * 1024
const MEBIBYTE = 1024 * 1024
/** Of a member. Files of people may be larger than texts. */
const MAX_FILE_BYTES = 256 * MEBIBYTE
const MAX_TEXT_BYTES = 64 * MEBIBYTE

export type Pack = ReadonlyMap<string, Uint8Array>

interface Member {
  name: string
  originalSize: number
  compression: number
}

class Gate {
  readonly #seen = new Set<string>()
  #bytes = 0

  /** Before anything of it is decompressed. */
  admit({ name, originalSize, compression }: Member): true {
    this.#requireName(name)
    if (this.#seen.size > MAX_MEMBERS) throw new PackError(`it has more than ${MAX_MEMBERS} files`)
    const max = KNOWN.has(name) && !name.endsWith('.pdf') ? MAX_TEXT_BYTES : MAX_FILE_BYTES
    if (originalSize > max) throw new PackError(`${name} in it is larger than ${max / MEBIBYTE} MB`)
    this.#bytes += originalSize
    if (this.#bytes > MAX_BYTES) throw new PackError(`its files are larger than ${MAX_BYTES / MEBIBYTE} MB together`)
    if (compression !== 0 && compression !== 8) throw new PackError(`${name} in it is compressed in an unknown way`)
    return true
  }

  #requireName(name: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: must not be in a file name
    if (/[\u0000-\u001f\u007f\\:]|^\/|(^|\/)\.{1,2}(\/|$)/.test(name))
      throw new PackError('it has a file whose name leads out of its folder or cannot be shown')
    if (this.#seen.has(name.toLowerCase())) throw new PackError(`it has two files of the name ${name}`)
    this.#seen.add(name.toLowerCase())
    const isKnown = KNOWN.has(name) || /^(marks|attachments)\/[^/]+$/.test(name)
    if (!isKnown) throw new PackError(`it has the file ${name}, which no evidence pack has`)
  }
}

/** @throws PackError */
export function openPack(bytes: Uint8Array): Pack {
  const gate = new Gate()
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(bytes, { filter: member => gate.admit(member) })
  } catch (error) {
    if (error instanceof PackError) throw error
    // What else the library throws says that the archive is damaged.
    throw new PackError('it is not a ZIP, or it is damaged')
  }
  const pack = new Map(Object.entries(files))
  const missing = REQUIRED.filter(name => !pack.has(name))
  if (missing.length > 0) throw new PackError(`it lacks ${missing.join(', ')}: every evidence pack has them`)
  return pack
}
