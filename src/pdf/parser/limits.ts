/** Limits on the contents of a PDF. Rewriting does not make a larger file smaller. */
import { PdfSyntaxError } from './syntax.ts'

/** The remark is a sentence for the sender that says what to do. */
export class PdfLimitError extends PdfSyntaxError {
  override name = 'PdfLimitError'
}

/** A single stream, and all content of a page, decoded. */
export const MAX_STREAM_BYTES = 128 * 1024 * 1024
/** The content of all pages, decoded. Content that pages share counts for each page. */
export const MAX_DECODED_BYTES = 512 * 1024 * 1024
/** Filters of one stream. Each may multiply the data. */
export const MAX_FILTERS = 3
/** One decoded image, which readers keep in memory. A0 at 300 dpi has 139 million pixels. */
export const MAX_IMAGE_BYTES = 1024 * 1024 * 1024
