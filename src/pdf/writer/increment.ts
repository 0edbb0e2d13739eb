/**
 * The one incremental update that makes an upload ready to be sealed: marks laid over its pages,
 * certificate pages behind the last, active content taken away, and a signature field whose
 * dictionary has an empty gap; and the one that makes a sealed file ready for a document
 * time-stamp. ISO 32000-2 §7.5.6. The source stays its prefix. Signs nothing and touches no file.
 */

import type { UpdatablePdf } from './object-changes.ts'
import { newEdits } from './object-changes.ts'
import { addOverlay, appendPages, type Overlay, tryOverlay } from './overlay.ts'
import { addSignature, addTimestamp, type PlaceholderText, type SignatureTexts } from './signature-field.ts'
import { newUpdate } from './update.ts'

export interface IncrementOptions {
  overlay: Overlay | undefined
  /** A document whose pages go behind the last. */
  appendix: Uint8Array | undefined
  signature: SignatureTexts
  gap: PlaceholderText
}

export interface Increment {
  /** To be written behind the source. */
  bytes: Uint8Array
  pageCount: number
}

/**
 * @throws PdfSyntaxError when an object that has to change cannot be written anew; RangeError when
 * marks are for a page that is not there
 */
export function makeIncrement(readable: UpdatablePdf, order: IncrementOptions): Increment {
  const { file, catalog, pages, active } = readable
  const update = newUpdate(file)
  const edits = newEdits()
  for (const object of active.objects.values()) edits.change(object, object.changes)
  edits.change(catalog, active.catalog)
  if (order.overlay !== undefined) addOverlay(readable, update, edits, order.overlay)
  const added = order.appendix === undefined ? 0 : appendPages(readable, update, edits, order.appendix)
  addSignature(readable, update, edits, order.signature, order.gap)
  edits.writeTo(update)
  return { bytes: update.finish(), pageCount: pages.length + added }
}

/**
 * Changes nothing but page 1's annotations and the form, for the field. @throws PdfSyntaxError when
 * one of them cannot be written anew
 */
export function makeTimestampIncrement(readable: UpdatablePdf, gap: PlaceholderText): Increment {
  const update = newUpdate(readable.file)
  const edits = newEdits()
  addTimestamp(readable, update, edits, gap)
  edits.writeTo(update)
  return { bytes: update.finish(), pageCount: readable.pages.length }
}

const TRIAL: IncrementOptions = {
  overlay: undefined,
  appendix: undefined,
  signature: { name: '', reason: '', location: undefined, at: '2000-01-01T00:00:00Z' },
  gap: { byteRange: [0, 0, 0, 0], contentsHex: '' },
}

/**
 * Makes the update of a seal and throws it away, and reads what marks on any page would change.
 * @throws PdfSyntaxError when it cannot be made
 */
export function tryIncrement(readable: UpdatablePdf): void {
  for (const page of readable.pages) tryOverlay(readable.file, page)
  makeIncrement(readable, TRIAL)
}
