/**
 * Makes a document ready to be sealed: source, marks, certificate pages and a signature with an
 * empty gap, in a new file whose first bytes are the source. Runs in a child process and knows no
 * key: what is signed is the digest it returns. ISO 32000-2 §7.5.6, §12.8.1.
 */

import { readFile } from 'node:fs/promises'
import type { FieldAppearance } from '../appearance/field-appearance.ts'
import { composeOverlay } from '../appearance/field-appearance.ts'
import { displayedSize } from '../core/geometry.ts'
import { newPlaceholder } from '../pades/byte-range.ts'
import type { PreparedFile } from '../pades/revision-file.ts'
import { writePrepared } from '../pades/revision-file.ts'
import { type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { makeIncrement } from '../pdf/writer/increment.ts'
import type { Evidence } from './model.ts'
import { composeEvidence } from './page.ts'

export interface PrepareRequest {
  /** Canonical bytes; they become the sealed file's first revision, byte for byte. */
  sourcePath: string
  /**
   * Where the prepared update (source + marks + certificate pages + signature with an empty gap) is
   * written.
   */
  outPath: string
  fields: FieldAppearance[]
  evidence: Evidence
  signature: { name: string; reason: string; location: string | undefined; at: string; contentsBytes: number }
}

const A4 = { width: 595.28, height: 841.89 }
const LETTER = { width: 612, height: 792 }

/** What the drawing side gives: overlays in page space, and certificate pages. */
export interface Composers {
  overlay: typeof composeOverlay
  evidence: typeof composeEvidence
}

const COMPOSERS: Composers = { overlay: composeOverlay, evidence: composeEvidence }

/** The paper whose proportions are nearer to those of the first page, upright. */
function paperOf({ pages }: OpenedForUpdate): { width: number; height: number } {
  const [first] = pages
  if (first === undefined) return A4
  const { width, height } = displayedSize(first.box)
  const ratio = Math.max(width, height) / Math.min(width, height)
  const distance = (paper: typeof A4) => Math.abs(ratio - paper.height / paper.width)
  return distance(LETTER) < distance(A4) ? LETTER : A4
}

async function overlayOf({ pages }: OpenedForUpdate, marks: readonly FieldAppearance[], compose: Composers['overlay']) {
  const numbers = [...new Set(marks.map(mark => mark.page))].sort((a, b) => a - b)
  if (numbers.length === 0) return undefined
  const marked = numbers.map(number => {
    const page = pages[number - 1]
    if (page === undefined) throw new RangeError(`there is no page ${number} to put a mark on`)
    return { page: number, box: page.box, fields: marks.filter(mark => mark.page === number) }
  })
  return { bytes: await compose(marked), pages: numbers }
}

/**
 * Writes the prepared file.
 * @throws PdfSyntaxError when the source cannot carry the update (an inspected one can); RangeError
 * for a mark on a page that is not there; what the file system says, EEXIST when `outPath` is taken
 */
export async function prepare(order: PrepareRequest, composers = COMPOSERS): Promise<PreparedFile> {
  const source = await readFile(order.sourcePath)
  const readable = openForUpdate(source)
  const gap = newPlaceholder(order.signature.contentsBytes)
  const overlay = await overlayOf(readable, order.fields, composers.overlay)
  const appendix = await composers.evidence(order.evidence, paperOf(readable))
  const { bytes: update, pageCount } = makeIncrement(readable, {
    overlay,
    appendix,
    signature: order.signature,
    placeholder: gap,
  })
  return writePrepared(order.outPath, source, { update, pageCount, placeholder: gap })
}
