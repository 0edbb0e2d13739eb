/** The errors of PDF tasks. Loads neither the pool nor a PDF library. */

/**
 * Why a child did not answer. `cpu`, `memory`: it passed a limit that does not depend on the load
 * of the machine. `crash`: it ended by itself, or wrote what was not asked. `wall`: the machine
 * gave it too little processor time. `killed`: another process or the system ended it. `start`: it
 * never became ready.
 */
export type FailureReason = 'cpu' | 'memory' | 'crash' | 'wall' | 'killed' | 'start'

const MESSAGES: Record<FailureReason, string> = {
  cpu: 'it takes too long to read',
  memory: 'it needs too much memory',
  crash: 'reading it ended the reader',
  wall: 'the machine is too busy to read it',
  killed: 'the reader was ended from outside',
  start: 'the reader could not be started',
}

/** A child that had to be killed, died, or never started. */
export class PdfChildError extends Error {
  override name = 'PdfChildError'
  constructor(
    readonly reason: FailureReason,
    cause?: unknown,
  ) {
    super(MESSAGES[reason], { cause })
  }

  /** Whether the file may be the cause; else it is the machine alone. */
  get isByFile(): boolean {
    return this.reason === 'cpu' || this.reason === 'memory' || this.reason === 'crash'
  }
}

/** The task itself failed in the child, with a system error's code where there is one. */
export class PdfTaskError extends Error {
  override name = 'PdfTaskError'
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message)
  }
}
