/**
 * Limits on the contents of a PDF. A file beyond them is not damaged, and rewriting does not make
 * it smaller.
 */
import { PdfSyntaxError } from './syntax.ts'

/** The message is a sentence for the sender that says what to do. */
export class PdfLimitError extends PdfSyntaxError {
  override name = 'PdfLimitError'
}

/** A single stream, and all content of a page, decoded. */
export const MAX_STREAM_BYTES = 128 * 1024 * 1024
/** The content of all pages, decoded. Content that pages share counts for each page. */
export const MAX_DECODED_BYTES = 512 * 1024 * 1024
/** Filters of one stream. Each may multiply the data. */
export const MAX_FILTERS = 3
/**
 * One image, decoded: readers keep all of it in memory. Images are not decoded here. A0 has 139
 * million pixels at 300 dpi and 558 million at 600 dpi, which scanners store with one bit each.
 */
export const MAX_IMAGE_BYTES = 1024 * 1024 * 1024
