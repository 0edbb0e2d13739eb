/**
 * Prepares a document for sealing: writes source, fields, audit certificate and a signature with a
 * placeholder. The caller signs the digest that it returns. ISO 32000-2 §7.5.6, §12.8.1.
 */
import { readFile } from 'node:fs/promises'
import { drawOverlay } from '../appearance/draw-fields.ts'
import { composeOverlay, type FieldAppearance } from '../appearance/field-appearance.ts'
import { displayedSize } from '../core/field/geometry.ts'
import type { Machine } from '../lib/machine.ts'
import { newPlaceholder } from '../pades/byte-range.ts'
import { type PreparedFile, writePrepared } from '../pades/revision-file.ts'
import { type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { hasActiveContent, makeIncrement } from '../pdf/writer/increment.ts'
import type { Evidence } from './model.ts'
import { composeEvidence } from './page.ts'

export interface PrepareRequest {
  /** Canonical file. Its bytes become the first revision of the sealed file. */
  sourcePath: string
  outPath: string
  fields: FieldAppearance[]
  evidence: Evidence
  signature: { name: string; reason: string; location: string | undefined; at: string; contentsBytes: number }
}

const A4 = { width: 595.28, height: 841.89 }
const LETTER = { width: 612, height: 792 }

export interface Composers {
  overlay: typeof composeOverlay
  evidence: typeof composeEvidence
}

type Context = Pick<Machine, 'random'> & Partial<Composers>

/** The paper whose proportions are closest to the first page's, in portrait. */
function choosePaper({ pages }: OpenedForUpdate): typeof A4 {
  const [first] = pages
  if (first === undefined) return A4
  const { width, height } = displayedSize(first.box)
  const ratio = Math.max(width, height) / Math.min(width, height)
  const distance = (paper: typeof A4) => Math.abs(ratio - paper.height / paper.width)
  return distance(LETTER) < distance(A4) ? LETTER : A4
}

/** @throws PdfSyntaxError; RangeError for a missing page; EEXIST and other file system errors */
export async function prepare(request: PrepareRequest, context: Context): Promise<PreparedFile> {
  const { random, overlay: compose = composeOverlay, evidence: composeAppendix = composeEvidence } = context
  const source = await readFile(request.sourcePath)
  const pdf = openForUpdate(source)
  const placeholder = newPlaceholder(request.signature.contentsBytes, random)
  const overlay = await drawOverlay(pdf, request.fields, compose)
  const document = { ...request.evidence.document, hasActiveContent: hasActiveContent(pdf) }
  const appendix = await composeAppendix({ ...request.evidence, document }, choosePaper(pdf))
  const options = { overlay, appendix, signature: request.signature, placeholder, id: random(16) }
  const { bytes: update, pageCount } = makeIncrement(pdf, options)
  return writePrepared(request.outPath, source, { update, pageCount, placeholder })
}
