/** What goes to a child process and comes back, as JSON values. Paths and hashes go through the pipe, never a file's bytes. */
import type { BoxesOrder, OverlayOrder } from '../appearance/preview.ts'
import type { PrepareOrder } from '../evidence/prepare.ts'
import type { LogoOrder } from '../image/logo.ts'
import type { SignatureOrder } from '../image/signature-image.ts'
import type { ArchiveOrder, TimeStampOrder } from '../pades/augment.ts'
import type { InspectOrder } from '../pdf/inspect/report.ts'
import type { VerifyOrder } from '../verify/report.ts'

export type Task =
  | { kind: 'inspect'; order: InspectOrder }
  | { kind: 'prepare'; order: PrepareOrder }
  | { kind: 'verify'; order: VerifyOrder }
  | { kind: 'addValidationMaterial'; order: ArchiveOrder }
  | { kind: 'prepareTimeStamp'; order: TimeStampOrder }
  | { kind: 'boxes'; order: BoxesOrder }
  | { kind: 'overlay'; order: OverlayOrder }
  | { kind: 'cleanSignature'; order: SignatureOrder }
  | { kind: 'judgeLogo'; order: LogoOrder }
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
