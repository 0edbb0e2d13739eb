/**
 * What follows a seal so that it can be judged for decades: validation material, and time-stamps over the whole document. Each is one more revision
 * behind a file that is signed already. Runs in a child process; fetches nothing and knows no key. EN 319 142-1 §5.4, §6.3; ISO 32000-2 §12.8.4.3, §12.8.5.
 */
import { readFile } from 'node:fs/promises'
import { EncryptedPdfError, type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { findSignatureFields } from '../pdf/parser/signature-fields.ts'
import { PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { computeVriKey, makeDssUpdate } from '../pdf/writer/dss.ts'
import { makeTimestampIncrement } from '../pdf/writer/increment.ts'
import { TAG } from '../pki/der.ts'
import { newPlaceholder } from './byte-range.ts'
import type { PreparedFile } from './revision-file.ts'
import { writePrepared, writeRevision } from './revision-file.ts'
import type { ValidationData } from './validation-data.ts'

export interface AddValidationDataRequest {
  /** A sealed file; its bytes stay as they are. */
  sourcePath: string
  /** Source and one incremental update with the DSS. */
  outPath: string
  material: ValidationData
}

export interface PrepareTimestampRequest {
  sourcePath: string
  /** Source and one incremental update with a DocTimeStamp whose gap is empty. EN 319 142-1 §5.4.3. */
  outPath: string
  contentsBytes: number
}

/** The file cannot be archived; the message is a clause that can follow "The file cannot be archived: ". The code crosses the pipe to the parent. */
export class AugmentError extends Error {
  override name = 'AugmentError'
  constructor(
    readonly code: 'unsigned_pdf' | 'encrypted_pdf' | 'unsupported_pdf' | 'invalid_material',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

interface SignedFile {
  source: Uint8Array
  readable: OpenedForUpdate
  /** Keys of its signatures in /VRI, in the order of the form. */
  signatures: string[]
}

/** Runs `work`, whose failures are those of the file. */
function onFile<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof EncryptedPdfError) throw new AugmentError('encrypted_pdf', error.message, error)
    if (error instanceof PdfSyntaxError) throw new AugmentError('unsupported_pdf', error.message, error)
    throw error
  }
}

function signaturesOf({ file, catalog }: OpenedForUpdate): string[] {
  const { value } = catalog.dictionary
  if (value.kind !== 'dictionary') return []
  return findSignatureFields(file, value).map(field => {
    const contents = field.value.entries.get('Contents')
    if (contents?.kind !== 'string') throw new PdfSyntaxError(`the signature "${field.name}" has no /Contents`)
    return computeVriKey(contents.value)
  })
}

async function openSigned(path: string): Promise<SignedFile> {
  const source = await readFile(path)
  return onFile(() => {
    const readable = openForUpdate(source)
    const signatures = signaturesOf(readable)
    if (signatures.length === 0) throw new AugmentError('unsigned_pdf', 'it holds no signature')
    return { source, readable, signatures }
  })
}

/** True for one SEQUENCE that is as long as it says (X.690 §8.1.3); what stands in it was judged by who fetched it. */
function isOneSequence(bytes: Uint8Array): boolean {
  const [tag, first = 0] = bytes
  const octets = first < 0x80 ? 0 : first & 0x7f
  if (tag !== TAG.sequence || first === 0x80 || octets > 4) return false
  const length = bytes.subarray(2, 2 + octets).reduce((sum, octet) => sum * 256 + octet, octets === 0 ? first : 0)
  return bytes.length === 2 + octets + length
}

/** @throws AugmentError unless each text is Base64 of one DER element */
function decoded(objects: readonly string[], what: string): Uint8Array[] {
  return objects.map(text => {
    const bytes = Buffer.from(text, 'base64')
    // Node's decoder forgives what stands behind the padding.
    if (!isOneSequence(bytes) || bytes.toString('base64') !== text)
      throw new AugmentError('invalid_material', `${what} is not one whole DER element`)
    return bytes
  })
}

const materialOf = ({ certificates, ocspResponses, revocationLists }: ValidationData) => ({
  certificates: decoded(certificates, 'a certificate'),
  ocspResponses: decoded(ocspResponses, 'an OCSP response'),
  revocationLists: decoded(revocationLists, 'a revocation list'),
})

/**
 * Writes the file with the material behind it, fsynced; its folder is not. A file that holds all of it already is written as it is.
 * @throws AugmentError; what the file system says, EEXIST when `outPath` is taken
 */
export async function addValidationData(
  order: AddValidationDataRequest,
): Promise<{ path: string; sha256: string; bytes: number }> {
  const material = materialOf(order.material)
  const { source, readable, signatures } = await openSigned(order.sourcePath)
  const update = onFile(() => makeDssUpdate(readable, material, signatures)) ?? new Uint8Array()
  const { digest: sha256 } = await writeRevision({ path: order.outPath, source, update, isSynced: true })
  return { path: order.outPath, sha256, bytes: source.length + update.length }
}

/**
 * Writes the file with a document time-stamp behind it whose gap is empty; not fsynced, filling the gap does that.
 * @throws AugmentError; what the file system says, EEXIST when `outPath` is taken
 */
export async function prepareTimestamp(order: PrepareTimestampRequest): Promise<PreparedFile> {
  const { source, readable } = await openSigned(order.sourcePath)
  const gap = newPlaceholder(order.contentsBytes)
  const { bytes: update, pageCount } = onFile(() => makeTimestampIncrement(readable, gap))
  return writePrepared(order.outPath, source, { update, pageCount, gap })
}
