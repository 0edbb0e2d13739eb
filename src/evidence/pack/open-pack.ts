/** Opens the ZIP of an evidence pack, as bytes. It refuses what a pack of Signet never contains. */
import { unzipSync } from 'fflate'
import { RemarkError, remark } from '../../locales/remarks.ts'

/** Why the pack cannot be read: a clause. */
export class PackError extends RemarkError {}

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
    if (this.#seen.size > MAX_MEMBERS) throw new PackError(remark('pack_too_many_files', { max: MAX_MEMBERS }))
    const max = KNOWN.has(name) && !name.endsWith('.pdf') ? MAX_TEXT_BYTES : MAX_FILE_BYTES
    if (originalSize > max) throw new PackError(remark('pack_file_too_large', { name, max: max / MEBIBYTE }))
    this.#bytes += originalSize
    if (this.#bytes > MAX_BYTES) throw new PackError(remark('pack_too_large', { max: MAX_BYTES / MEBIBYTE }))
    if (compression !== 0 && compression !== 8) throw new PackError(remark('pack_compression_unknown', { name }))
    return true
  }

  #requireName(name: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: must not be in a file name
    if (/[\u0000-\u001f\u007f\\:]|^\/|(^|\/)\.{1,2}(\/|$)/.test(name)) throw new PackError(remark('pack_name_unsafe'))
    if (this.#seen.has(name.toLowerCase())) throw new PackError(remark('pack_name_twice', { name }))
    this.#seen.add(name.toLowerCase())
    const isKnown = KNOWN.has(name) || /^(marks|attachments)\/[^/]+$/.test(name)
    if (!isKnown) throw new PackError(remark('pack_file_unknown', { name }))
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
    throw new PackError(remark('pack_not_a_zip'))
  }
  const pack = new Map(Object.entries(files))
  const missing = REQUIRED.filter(name => !pack.has(name))
  if (missing.length > 0) throw new PackError(remark('pack_files_missing', { names: missing }))
  return pack
}
