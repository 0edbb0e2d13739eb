/**
 * What a PDF may hold at most, and the error that says that one holds more. Such a file is not
 * damaged, and no rewriting makes it smaller.
 */
import { PdfSyntaxError } from './syntax.ts'

/** The message is a whole sentence with what to do, for the sender to read. */
export class PdfLimitError extends PdfSyntaxError {
  override name = 'PdfLimitError'
}

/** A single stream, and all of the content of one page, decoded. */
export const MAX_STREAM_BYTES = 128 * 1024 * 1024
/** The content of all pages, decoded; what several pages share counts for each. */
export const MAX_DECODED_BYTES = 512 * 1024 * 1024
/** Filters of one stream: each may multiply what the one before it gave. */
export const MAX_FILTERS = 3
/**
 * One image, decoded: readers hold all of it at once. Nothing here decodes images. A0 at 300 dpi
 * has 139 million pixels, at 600 dpi 558 million, which scanners store with one bit each.
 */
export const MAX_IMAGE_BYTES = 1024 * 1024 * 1024
