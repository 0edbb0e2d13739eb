/** The errors of PDF tasks. Loads neither the pool nor a PDF library. */
import { RemarkError, remark } from '../locales/remarks.ts'

/**
 * Why a child did not answer.
 * - `cpu`, `memory`: it exceeded a limit that does not depend on the machine's load.
 * - `crash`: it ended by itself, or wrote unexpected bytes.
 * - `wall`: the machine gave it too little processor time.
 * - `killed`: another process or the system ended it.
 * - `start`: it never became ready.
 * - `recalled`: the pool ended it, since its task takes long and others wait.
 */
export type FailureReason = 'cpu' | 'memory' | 'crash' | 'wall' | 'killed' | 'start' | 'recalled'

/** A child was killed, crashed, or never started. */
export class PdfChildError extends RemarkError {
  override name = 'PdfChildError'
  constructor(
    readonly reason: FailureReason,
    cause?: unknown,
  ) {
    super(remark(`reader_${reason}`), { cause })
  }

  /** Whether the file may be the cause; else the machine is. */
  get isCausedByFile(): boolean {
    return this.reason === 'cpu' || this.reason === 'memory' || this.reason === 'crash'
  }
}

/** The task threw an error in the child; `code` is the error's own, such as a system error's. */
export class PdfTaskError extends Error {
  override name = 'PdfTaskError'
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message)
  }
}
