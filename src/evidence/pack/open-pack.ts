/** Opens the ZIP of an evidence pack, as bytes. It refuses what a pack of Signet never contains. */
import { listZip, readZipMember, ZipError, type ZipMember } from '../../lib/zip-read.ts'
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

class Gate {
  readonly #seen = new Set<string>()
  #bytes = 0

  /** Before anything of it is decompressed. */
  admit({ name, size, method }: ZipMember): void {
    this.#requireName(name)
    if (this.#seen.size > MAX_MEMBERS) throw new PackError(remark('pack_too_many_files', { max: MAX_MEMBERS }))
    const max = KNOWN.has(name) && !name.endsWith('.pdf') ? MAX_TEXT_BYTES : MAX_FILE_BYTES
    if (size > max) throw new PackError(remark('pack_file_too_large', { name, max: max / MEBIBYTE }))
    this.#bytes += size
    if (this.#bytes > MAX_BYTES) throw new PackError(remark('pack_too_large', { max: MAX_BYTES / MEBIBYTE }))
    if (method !== 0 && method !== 8) throw new PackError(remark('pack_compression_unknown', { name }))
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

/** Stored members are parts of the bytes, without a copy. @throws PackError */
export function openPack(bytes: Uint8Array): Pack {
  const gate = new Gate()
  const pack = new Map<string, Uint8Array>()
  try {
    const members = listZip(bytes)
    for (const member of members) gate.admit(member)
    for (const member of members) pack.set(member.name, readZipMember(bytes, member))
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    throw new PackError(error.failure === 'damaged' ? remark('pack_not_a_zip') : remark('pack_zip_ambiguous'))
  }
  const missing = REQUIRED.filter(name => !pack.has(name))
  if (missing.length > 0) throw new PackError(remark('pack_files_missing', { names: missing }))
  return pack
}
