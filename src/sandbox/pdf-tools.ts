/** The PDF tools of the service, each run as a task in a child process. Loads no PDF library. */
import { NO_FOUND_FIELDS } from '../core/draft/proposal.ts'
import { violation } from '../core/violation.ts'
import { PdfChildError } from './errors.ts'
import { ChildPool, type PoolOptions } from './pool.ts'
import type { RequestOf, ResultOf, TaskKind } from './protocol.ts'
import type { QueueLoad } from './task-queue.ts'

/**
 * Each tool fails with a `Refusal` `overloaded` if the machine is too busy, and with a
 * `PdfChildError` if the file exceeds a child's time or memory.
 */
export type PdfTools = {
  [K in Exclude<TaskKind, 'confinement' | 'warm'>]: (request: RequestOf<K>) => Promise<ResultOf<K>>
} & {
  confinement(): Promise<ResultOf<'confinement'>>
  /** Of this process, at this moment. */
  load(): QueueLoad
  /** Ends all children and refuses further tasks. */
  close(): Promise<void>
}

/** Runs tasks, in child processes or in place of them. */
export type TaskRunner = Pick<ChildPool, 'run' | 'load' | 'close'>

/** Opens the pool. Unless it is prewarmed, no child starts before the first task. */
export const openPdfTools = (options: PoolOptions): PdfTools => toolsOf(new ChildPool(options))

export function toolsOf(pool: TaskRunner): PdfTools {
  const tool =
    <K extends TaskKind>(kind: K) =>
    (request: RequestOf<K>): Promise<ResultOf<K>> =>
      pool.run(kind, request)
  /** A tool with a result for files that exceed a child's time or memory. */
  const toolOr = <K extends TaskKind>(kind: K, resultFor: (error: PdfChildError) => ResultOf<K>) => {
    return (request: RequestOf<K>): Promise<ResultOf<K>> =>
      pool.run(kind, request).catch((error: unknown) => {
        if (error instanceof PdfChildError) return resultFor(error)
        throw error
      })
  }
  return {
    inspect: toolOr('inspect', ({ message: cause }) => ({
      verdict: 'refused',
      code: 'unsupported_pdf',
      violation: violation('pdf_not_processed', { cause }),
    })),
    join: toolOr('join', ({ message: cause }) => ({
      verdict: 'refused',
      part: undefined,
      violation: violation('files_not_joined', { cause }),
    })),
    prepare: tool('prepare'),
    verify: toolOr('verify', ({ remark }) => ({ verdict: 'unreadable', reason: remark })),
    verifyPack: toolOr('verifyPack', ({ remark }) => ({ verdict: 'unreadable', reason: remark })),
    verifyReceipt: toolOr('verifyReceipt', ({ remark }) => ({ verdict: 'unreadable', reason: remark })),
    addValidationData: tool('addValidationData'),
    prepareTimestamp: tool('prepareTimestamp'),
    readPageBoxes: tool('readPageBoxes'),
    writeOverlay: tool('writeOverlay'),
    fitTexts: tool('fitTexts'),
    drawHands: tool('drawHands'),
    drawFields: tool('drawFields'),
    disableActiveContent: tool('disableActiveContent'),
    findFields: toolOr('findFields', () => NO_FOUND_FIELDS),
    cleanSignature: tool('cleanSignature'),
    checkLogo: toolOr('checkLogo', () => ({ verdict: 'unreadable' })),
    shrinkLogo: toolOr('shrinkLogo', () => null),
    examineFile: toolOr('examineFile', () => ({ verdict: 'too_complex' })),
    confinement: () => pool.run('confinement', undefined),
    load: () => pool.load,
    close: () => pool.close(),
  }
}
