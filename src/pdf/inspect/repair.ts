/**
 * Rewrites a damaged or protected PDF with PDF libraries, so that an incremental update can follow.
 * The result counts only if the strict parser accepts it. Everybody then sees the rewritten file.
 */
import type { PDF } from '@libpdf/core'
import { PDFDocument } from 'pdf-lib'
import { remark } from '../../locales/remarks.ts'
import { readStartxref } from '../parser/cross-reference.ts'
import { openPdf, type PdfFile } from '../parser/file.ts'
import { PdfLimitError } from '../parser/limits.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, readValue } from '../parser/syntax.ts'
import { tryIncrement } from '../writer/increment.ts'
import { formatDictionary, formatReference, verbatim } from '../writer/object-changes.ts'
import { isEncryptionDictionary, type OpenedForUpdate, openForUpdate } from './open-for-update.ts'

export interface RewrittenPdf {
  bytes: Uint8Array
  pdf: OpenedForUpdate
}

/** Loaded at the first use: most children never meet a file that needs it. */
const loadLibrary = () => import('@libpdf/core')

/** Saves all reachable objects. The library saves only after a change, so one is made. */
async function saveFully(document: PDF): Promise<Uint8Array> {
  const { PdfName } = await loadLibrary()
  document.context.catalog.getDict().set('Type', PdfName.of('Catalog'))
  return document.save({ incremental: false })
}

async function rewriteByPdfLib(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Number.POSITIVE_INFINITY })
  return document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    useObjectStreams: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })
}

/** Undefined if the result cannot be updated. @throws TooManyPagesError, PdfLimitError */
async function attempt(rewrite: () => Promise<Uint8Array>, maxPages: number): Promise<RewrittenPdf | undefined> {
  try {
    const bytes = await rewrite()
    const pdf = openForUpdate(bytes, maxPages)
    if (pdf.pages.length === 0) return undefined
    tryIncrement(pdf)
    return { bytes, pdf }
  } catch (error) {
    // Both libraries throw errors of many kinds for damage. Only these two are not about damage.
    if (error instanceof TooManyPagesError || error instanceof PdfLimitError || !(error instanceof Error)) throw error
    return undefined
  }
}

const MAX_OCCURRENCES = 1_000

function tryReadValue(bytes: Uint8Array, at: number): PdfValue | undefined {
  try {
    return readValue({ bytes, at })
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

/** Needs no cross-reference: the dictionary is never in an object stream (§7.5.7). */
export function hasEncryption(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = view.indexOf('/Encrypt')
  for (let count = 0; at !== -1 && count < MAX_OCCURRENCES; count++, at = view.indexOf('/Encrypt', at + 1)) {
    const value = tryReadValue(bytes, at + '/Encrypt'.length)
    if (value === undefined) continue
    if (value.kind !== 'reference') {
      if (isEncryptionDictionary(value)) return true
      continue
    }
    const header = `${value.number} ${value.generation} obj`
    for (let place = view.indexOf(header); place !== -1; place = view.indexOf(header, place + 1)) {
      const object = tryReadValue(bytes, place + header.length)
      if (object !== undefined && isEncryptionDictionary(object)) return true
    }
  }
  return false
}

/** Undefined if it cannot be repaired. @throws TooManyPagesError, PdfLimitError */
export async function repair(bytes: Uint8Array, maxPages: number): Promise<RewrittenPdf | undefined> {
  return (
    (await attempt(async () => saveFully(await (await loadLibrary()).PDF.load(bytes)), maxPages)) ??
    (await attempt(() => rewriteByPdfLib(bytes), maxPages))
  )
}

type ProtectionResult = RewrittenPdf | { refused: 'password' | 'permission' | 'damaged' }

/** Requires that the file's own permissions allow it. @throws TooManyPagesError, PdfLimitError */
export async function removeProtection(bytes: Uint8Array, maxPages: number): Promise<ProtectionResult> {
  let refused: 'password' | 'permission' | 'damaged' = 'damaged'
  const rewrite = async () => {
    const { PDF, PermissionDeniedError } = await loadLibrary()
    const document = await PDF.load(completeEncryption(bytes))
    // Scanning a damaged file loses the key: encrypted strings would be saved as plain ones.
    if (!document.isEncrypted) throw new PdfSyntaxError(remark('encryption_lost'))
    if (!document.isAuthenticated) {
      refused = 'password'
      throw new PdfSyntaxError(remark('password_needed'))
    }
    try {
      document.removeProtection()
    } catch (error) {
      if (error instanceof PermissionDeniedError) refused = 'permission'
      throw error
    }
    return saveFully(document)
  }
  return (await attempt(rewrite, maxPages)) ?? { refused }
}

// Adds to a protected file what readers can do without, but the PDF library cannot: the first /ID
// and the length of the key. ISO 32000-2 §7.6.2, §7.6.4.

/** Of version 4, whatever /Length says. */
const KEY_BITS = '128'

/** Undefined if it is damaged or needs a password. */
function tryOpen(bytes: Uint8Array): PdfFile | undefined {
  try {
    return openPdf(bytes, { decrypts: true })
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

const isNumber = (dictionary: PdfDictionary, key: string, wanted: number): boolean => {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.value === wanted
}

/** The file itself, or with an update that decrypts to the same. For the library alone. */
function completeEncryption(bytes: Uint8Array): Uint8Array {
  const file = tryOpen(bytes)
  if (file === undefined) return bytes
  const { entries } = file.crossReference.trailer
  const [own, size] = [entries.get('Encrypt'), entries.get('Size')]
  const { value: encryption, bytes: source } = file.resolve(own)
  if (encryption.kind !== 'dictionary' || size?.kind !== 'number') return bytes
  const hasId = file.resolve(entries.get('ID')).value.kind === 'array'
  const hasLength = !isNumber(encryption, 'V', 4) || isNumber(encryption, 'Length', Number(KEY_BITS))
  if (hasId && hasLength) return bytes
  const [number, generation] = own?.kind === 'reference' ? [own.number, own.generation] : [size.value, 0]
  const dictionary = formatDictionary(source, encryption, new Map(hasLength ? [] : [['Length', KEY_BITS]]))
  const object = `\n${number} ${generation} obj\n${dictionary}\nendobj\n`
  const place = `${String(bytes.length + 1).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
  const trailer = [
    `/Size ${Math.max(size.value, number + 1)}`,
    `/Encrypt ${formatReference(number, generation)}`,
    `/Prev ${readStartxref(bytes)}`,
    ...(hasId ? [] : ['/ID [<> <>]']),
  ]
  const kept = hasId ? ['Root', 'Info', 'ID'] : ['Root', 'Info']
  const rest = kept.flatMap(key => {
    const value = entries.get(key)
    return value === undefined ? [] : [`/${key} ${verbatim({ bytes, value })}`]
  })
  const text = `${object}xref\n${number} 1\n${place}trailer\n<< ${[...trailer, ...rest].join(' ')} >>\nstartxref\n${bytes.length + object.length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(text, 'latin1')])
}
