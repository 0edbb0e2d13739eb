/** The result of inspecting an upload. */
import type { PageBox } from '../../core/field/geometry.ts'
import type { Violation } from '../../core/violation.ts'

/** A property of an upload that its sender should know. */
export interface PdfWarning {
  code: string
  message: string
  /** Indices of the joined files that have it; the message has their names. */
  files?: readonly number[]
}

export type PdfRefusal = 'invalid_pdf' | 'encrypted_pdf' | 'unsupported_pdf'

export interface RefusedPdf {
  code: PdfRefusal
  violation: Violation
}

/** `rewritten`: the canonical file is at `canonicalPath`, because the upload cannot be updated. */
export type Inspection =
  | { verdict: 'accepted'; pages: PageBox[]; rewritten: boolean; sha256: string; bytes: number; warnings: PdfWarning[] }
  | ({ verdict: 'refused' } & RefusedPdf)

export interface InspectRequest {
  path: string
  /** Written only if the upload has to be rewritten. The caller owns it then. */
  canonicalPath: string
  maxPages: number
}
