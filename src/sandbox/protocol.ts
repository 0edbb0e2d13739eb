/** What goes to a child process and comes back, as JSON values. Paths and hashes go through the pipe, never a file's bytes. */
import type { OverlayRequest, PageBoxesRequest } from '../appearance/preview.ts'
import type { PrepareRequest } from '../evidence/prepare.ts'
import type { LogoRequest } from '../image/logo.ts'
import type { SignatureImageRequest } from '../image/signature-image.ts'
import type { AddValidationDataRequest, PrepareTimestampRequest } from '../pades/augment.ts'
import type { InspectRequest } from '../pdf/inspect/report.ts'
import type { VerifyFileRequest } from '../verify/report.ts'

export type Task =
  | { kind: 'inspect'; request: InspectRequest }
  | { kind: 'prepare'; request: PrepareRequest }
  | { kind: 'verify'; request: VerifyFileRequest }
  | { kind: 'addValidationData'; request: AddValidationDataRequest }
  | { kind: 'prepareTimestamp'; request: PrepareTimestampRequest }
  | { kind: 'readPageBoxes'; request: PageBoxesRequest }
  | { kind: 'writeOverlay'; request: OverlayRequest }
  | { kind: 'cleanSignature'; request: SignatureImageRequest }
  | { kind: 'checkLogo'; request: LogoRequest }
  | { kind: 'confinement' }
  /**
   * Loads what the others need. The first task of every child: its start is not part of any other
   * task.
   */
  | { kind: 'warm' }

/** What a child writes back: the task's value, or the error it threw. */
export type Reply = { value: unknown } | { error: { message: string; code: string | undefined } }

/**
 * A task as it goes to a child, and the answer to it as it comes back. The number is drawn for each
 * task and cannot be foreseen: what a child wrote before it had the task is no answer to it.
 */
export interface Numbered<T> {
  number: string
  content: T
}
