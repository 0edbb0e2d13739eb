/** The answer on an upload: accepted, rewritten or refused, with its warnings. */
import type { PageBox } from '../../core/geometry.ts'

/** Something found in an upload that its sender should know. */
export interface PdfWarning {
  code: string
  message: string
}

export type PdfRefusal = 'invalid_pdf' | 'encrypted_pdf' | 'unsupported_pdf'

/**
 * The judgement on an upload. `rewritten`: the canonical bytes were written to `canonicalPath`
 * because the upload cannot carry an incremental update.
 */
export type Inspection =
  | { verdict: 'accepted'; pages: PageBox[]; rewritten: boolean; sha256: string; bytes: number; warnings: PdfWarning[] }
  | { verdict: 'refused'; code: PdfRefusal; message: string }

export interface InspectRequest {
  path: string
  /** Written only when the upload has to be repaired; the caller owns it then. */
  canonicalPath: string
  maxPages: number
}
