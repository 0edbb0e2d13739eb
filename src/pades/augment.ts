/** Appends validation data or a document time-stamp, in a child process. EN 319 142-1 §5.4. */
import { readFile } from 'node:fs/promises'
import type { Machine } from '../lib/machine.ts'
import { remark } from '../locales/remarks.ts'
import { EncryptedPdfError, type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { findSignatureFields } from '../pdf/parser/signature-fields.ts'
import { PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { computeVriKey, makeDssUpdate } from '../pdf/writer/dss.ts'
import { makeTimestampIncrement } from '../pdf/writer/increment.ts'
import { TAG } from '../pki/der.ts'
import { newPlaceholder } from './placeholder.ts'
import { type PreparedFile, writePrepared, writeRevision } from './revision-file.ts'
import type { ValidationData } from './validation-data.ts'

export interface AddValidationDataRequest {
  sourcePath: string
  /** Receives the source and one update with the DSS. */
  outPath: string
  material: ValidationData
}

export interface PrepareTimestampRequest {
  sourcePath: string
  /** Receives the source and one update with a DocTimeStamp without /Contents. */
  outPath: string
  contentsBytes: number
}

/** The file cannot be augmented. The message is a clause. The parent process receives the code. */
class AugmentError extends Error {
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
  /** Keys of the signatures in /VRI, in the order of the form. */
  signatures: string[]
}

function withFileErrors<T>(work: () => T): T {
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
    if (contents?.kind !== 'string') throw new PdfSyntaxError(remark('signature_without_contents', { name: field.name }))
    return computeVriKey(contents.value)
  })
}

async function openSigned(path: string): Promise<SignedFile> {
  const source = await readFile(path)
  return withFileErrors(() => {
    const readable = openForUpdate(source)
    const signatures = signaturesOf(readable)
    if (signatures.length === 0) throw new AugmentError('unsigned_pdf', 'it holds no signature')
    return { source, readable, signatures }
  })
}

/** Checks tag and length only (X.690 §8.1.3): the parent process has verified the contents. */
function isOneSequence(bytes: Uint8Array): boolean {
  const [tag, first = 0] = bytes
  const octets = first < 0x80 ? 0 : first & 0x7f
  if (tag !== TAG.sequence || first === 0x80 || octets > 4) return false
  const length = bytes.subarray(2, 2 + octets).reduce((sum, octet) => sum * 256 + octet, octets === 0 ? first : 0)
  return bytes.length === 2 + octets + length
}

/** @throws AugmentError unless each text is Base64 of one DER element */
function decodeAll(objects: readonly string[], what: string): Uint8Array[] {
  return objects.map(text => {
    const bytes = Buffer.from(text, 'base64')
    // Node's decoder accepts characters after the padding.
    if (!isOneSequence(bytes) || bytes.toString('base64') !== text)
      throw new AugmentError('invalid_material', `${what} is not one whole DER element`)
    return bytes
  })
}

const decodeValidationData = ({ certificates, ocspResponses, revocationLists }: ValidationData) => ({
  certificates: decodeAll(certificates, 'a certificate'),
  ocspResponses: decodeAll(ocspResponses, 'an OCSP response'),
  revocationLists: decodeAll(revocationLists, 'a revocation list'),
})

/** Fsyncs the file, not its folder. @throws AugmentError, EEXIST if `outPath` exists */
export async function addValidationData(
  request: AddValidationDataRequest,
  { random }: Pick<Machine, 'random'>,
): Promise<{ path: string; sha256: string; bytes: number }> {
  const material = decodeValidationData(request.material)
  const { source, readable, signatures } = await openSigned(request.sourcePath)
  const update = withFileErrors(() => makeDssUpdate(readable, material, signatures, random(16))) ?? new Uint8Array()
  const { digest: sha256 } = await writeRevision({ path: request.outPath, source, update, isSynced: true })
  return { path: request.outPath, sha256, bytes: source.length + update.length }
}

/** Does not fsync. @throws AugmentError, EEXIST if `outPath` exists */
export async function prepareTimestamp(
  request: PrepareTimestampRequest,
  { random }: Pick<Machine, 'random'>,
): Promise<PreparedFile> {
  const { source, readable } = await openSigned(request.sourcePath)
  const placeholder = newPlaceholder(request.contentsBytes, random)
  const { bytes: update, pageCount } = withFileErrors(() => makeTimestampIncrement(readable, placeholder, random(16)))
  return writePrepared(request.outPath, source, { update, pageCount, placeholder })
}
