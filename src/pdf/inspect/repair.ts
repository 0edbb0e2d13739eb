/**
 * Rewrites a PDF that no incremental update can follow: damaged structure, or protection that its
 * reader may lift. One library after the other is asked, and what it wrote counts only when the
 * strict reader can read and update it. What a sender sees from then on is the rewritten file.
 */
import { PDF, PdfName, PermissionDeniedError } from '@libpdf/core'
import { PDFDocument } from 'pdf-lib'
import { PdfLimitError } from '../parser/limits.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue, readValue } from '../parser/syntax.ts'
import { tryIncrement } from '../writer/increment.ts'
import { isEncryptionDictionary, type OpenedForUpdate, openForUpdate } from './open-for-update.ts'

export interface RewrittenPdf {
  bytes: Uint8Array
  readable: OpenedForUpdate
}

/**
 * A whole new file of the objects the catalog reaches. The library writes only what it believes
 * changed, so something has to change.
 */
async function saveAnew(document: PDF): Promise<Uint8Array> {
  document.context.catalog.getDict().set('Type', PdfName.of('Catalog'))
  return document.save({ incremental: false })
}

/** Reads by the cross-reference where there is one, else by scanning for objects. */
async function byLibpdf(bytes: Uint8Array): Promise<Uint8Array> {
  return saveAnew(await PDF.load(bytes))
}

async function byPdfLib(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Number.POSITIVE_INFINITY })
  return document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    useObjectStreams: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })
}

/** The rewritten file when it can be updated and shows a page. @throws TooManyPagesError */
async function attempt(rewrite: () => Promise<Uint8Array>, maxPages: number): Promise<RewrittenPdf | undefined> {
  try {
    const bytes = await rewrite()
    const readable = openForUpdate(bytes, maxPages)
    if (readable.pages.length === 0) return undefined
    tryIncrement(readable)
    return { bytes, readable }
  } catch (error) {
    // Both libraries throw plain errors of many kinds on damage; only ours carry something that is
    // not damage.
    if (error instanceof TooManyPagesError || error instanceof PdfLimitError || !(error instanceof Error)) throw error
    return undefined
  }
}

const MAX_MENTIONS = 1_000

function valueAt(bytes: Uint8Array, at: number): PdfValue | undefined {
  try {
    return readValue({ bytes, at })
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

/**
 * True when some /Encrypt in the bytes leads to an encryption dictionary, whatever else is wrong
 * with the file. The dictionary never stands in an object stream (§7.5.7), so it can be found
 * without a cross-reference.
 */
export function hasEncryption(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = view.indexOf('/Encrypt')
  for (let count = 0; at !== -1 && count < MAX_MENTIONS; count++, at = view.indexOf('/Encrypt', at + 1)) {
    const value = valueAt(bytes, at + '/Encrypt'.length)
    if (value === undefined) continue
    if (value.kind !== 'reference') {
      if (isEncryptionDictionary(value)) return true
      continue
    }
    const head = `${value.number} ${value.generation} obj`
    for (let place = view.indexOf(head); place !== -1; place = view.indexOf(head, place + 1)) {
      const object = valueAt(bytes, place + head.length)
      if (object !== undefined && isEncryptionDictionary(object)) return true
    }
  }
  return false
}

/**
 * The first rewriting that can be sealed; undefined when the file is beyond repair. @throws
 * TooManyPagesError
 */
export async function repair(bytes: Uint8Array, maxPages: number): Promise<RewrittenPdf | undefined> {
  return (await attempt(() => byLibpdf(bytes), maxPages)) ?? (await attempt(() => byPdfLib(bytes), maxPages))
}

export type ProtectionResult = RewrittenPdf | { refused: 'password' | 'permission' | 'damaged' }

/**
 * Opens with the empty password, as readers do. Protection is lifted only where the file itself
 * allows changes to it.
 * @throws TooManyPagesError
 */
export async function removeProtection(bytes: Uint8Array, maxPages: number): Promise<ProtectionResult> {
  let refused: 'password' | 'permission' | 'damaged' = 'damaged'
  const rewrite = async () => {
    const document = await PDF.load(bytes)
    // Scanning a damaged file loses its trailer, and with it the key: all its strings would be
    // taken for plain ones.
    if (!document.isEncrypted) throw new PdfSyntaxError('the way to its key is lost')
    if (!document.isAuthenticated) refused = 'password'
    if (!document.isAuthenticated) throw new PdfSyntaxError('it needs a password')
    try {
      document.removeProtection()
    } catch (error) {
      if (error instanceof PermissionDeniedError) refused = 'permission'
      throw error
    }
    return saveAnew(document)
  }
  return (await attempt(rewrite, maxPages)) ?? { refused }
}
