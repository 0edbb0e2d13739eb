/**
 * Makes the incremental updates (ISO 32000-2 §7.5.6) that prepare a file for a seal or a document
 * time-stamp. The source stays their prefix. It signs nothing and touches no file.
 */
import { createHash } from 'node:crypto'
import { ObjectChanges, type UpdatablePdf } from './object-changes.ts'
import { addOverlay, appendPages, checkOverlay, type Overlay } from './overlay.ts'
import { addSignature, addTimestamp, type PlaceholderText, type SignatureTexts } from './signature-field.ts'
import { Update } from './update.ts'

interface IncrementOptions {
  overlay: Overlay | undefined
  /** A PDF whose pages are added after the last page. */
  appendix: Uint8Array | undefined
  signature: SignatureTexts
  placeholder: PlaceholderText
  /** Of the version of the file that the update makes, 16 bytes. */
  id: Uint8Array
}

interface Increment {
  bytes: Uint8Array
  pageCount: number
}

/** @throws PdfSyntaxError for an object that cannot be changed; RangeError for a missing page */
export function makeIncrement(pdf: UpdatablePdf, options: IncrementOptions): Increment {
  const update = new Update(pdf.file, options.id)
  const changes = withoutActiveContent(pdf)
  if (options.overlay !== undefined) addOverlay(pdf, update, changes, options.overlay)
  const added = options.appendix === undefined ? 0 : appendPages(pdf, update, changes, options.appendix)
  addSignature(pdf, update, changes, options.signature, options.placeholder)
  changes.writeTo(update)
  return { bytes: update.finish(), pageCount: pdf.pages.length + added }
}

export function hasActiveContent(pdf: UpdatablePdf): boolean {
  return !withoutActiveContent(pdf).isEmpty
}

/** Every file that others are given begins with these changes: they see what is sealed. */
function withoutActiveContent({ activeContentEdits, catalog }: UpdatablePdf): ObjectChanges {
  const changes = new ObjectChanges()
  for (const object of activeContentEdits.objects.values()) changes.add(object, object.changes)
  changes.add(catalog, activeContentEdits.catalog)
  return changes
}

/**
 * Disables active content and lays drawings over pages, without a signature. Empty if there is
 * neither. Without drawings, equal files get equal bytes. @throws PdfSyntaxError, RangeError
 */
export function makeOverlayIncrement(pdf: UpdatablePdf, drawn: { overlay: Overlay; id: Uint8Array } | undefined): Uint8Array {
  const changes = withoutActiveContent(pdf)
  if (drawn === undefined && changes.isEmpty) return new Uint8Array()
  const update = new Update(pdf.file, drawn?.id ?? createHash('sha256').update(pdf.file.bytes).digest().subarray(0, 16))
  if (drawn !== undefined) addOverlay(pdf, update, changes, drawn.overlay)
  changes.writeTo(update)
  return update.finish()
}

/** Changes only the form and page 1. @throws PdfSyntaxError if one of them cannot be changed */
export function makeTimestampIncrement(pdf: UpdatablePdf, placeholder: PlaceholderText, id: Uint8Array): Increment {
  const update = new Update(pdf.file, id)
  const changes = new ObjectChanges()
  addTimestamp(pdf, update, changes, placeholder)
  changes.writeTo(update)
  return { bytes: update.finish(), pageCount: pdf.pages.length }
}

const TRIAL: IncrementOptions = {
  overlay: undefined,
  appendix: undefined,
  signature: { name: '', reason: '', location: undefined, at: '2000-01-01T00:00:00Z' },
  placeholder: { byteRange: [0, 0, 0, 0], contentsHex: '' },
  id: new Uint8Array(16),
}

/** Checks that a seal and an overlay on any page can be written. @throws PdfSyntaxError */
export function tryIncrement(pdf: UpdatablePdf): void {
  for (const page of pdf.pages) checkOverlay(pdf.file, page)
  makeIncrement(pdf, TRIAL)
}
