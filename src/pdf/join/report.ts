/** The request and the result of joining PDFs. */
import type { Violation } from '../../core/violation.ts'
import type { PdfWarning } from '../inspect/report.ts'

export interface JoinRequest {
  /** In order. Canonical files: each was accepted by the inspection. */
  parts: readonly { path: string; title: string }[]
  /** Must not exist. */
  outPath: string
  maxPages: number
}

/** `part`: the index of the file that the refusal is about. */
export type JoinResult =
  | { verdict: 'joined'; bytes: number /** One list for each part. */; warnings: PdfWarning[][] }
  | { verdict: 'refused'; part: number | undefined; violation: Violation }
