/**
 * What the service asks of its PDF tools, each question as a task of the pool of child processes.
 * Loads no PDF library itself.
 */
import type { PageBox } from '../core/geometry.ts'
import { ChildPool, type PoolOptions } from './child-pool.ts'
import { PdfChildFailure } from './child-process.ts'
import type {
  CleanSignature,
  Confinement,
  Inspection,
  LogoVerdict,
  PdfTools,
  Prepared,
  Unreadable,
  VerifyReport,
} from './order.ts'

/**
 * Opens the pool; unless it is prewarmed, no child starts before the first task. A question is
 * refused as `overloaded` where the machine is too busy for it, and fails with `PdfChildFailure`
 * where the file is to blame.
 */
export function openPdfTools(options: PoolOptions): PdfTools {
  const pool = new ChildPool(options)
  return {
    async inspect(order) {
      try {
        return (await pool.run({ kind: 'inspect', order })) as Inspection
      } catch (error) {
        if (!(error instanceof PdfChildFailure)) throw error
        const message = `This PDF cannot be processed: ${error.message}. Print it to a new PDF and send that one.`
        return { verdict: 'refused', code: 'unsupported_pdf', message }
      }
    },
    prepare: async order => (await pool.run({ kind: 'prepare', order })) as Prepared,
    async verify(order) {
      try {
        return (await pool.run({ kind: 'verify', order })) as VerifyReport | Unreadable
      } catch (error) {
        if (!(error instanceof PdfChildFailure)) throw error
        return { verdict: 'unreadable', reason: error.message }
      }
    },
    addValidationMaterial: async order =>
      (await pool.run({ kind: 'addValidationMaterial', order })) as { path: string; sha256: string; bytes: number },
    prepareTimeStamp: async order => (await pool.run({ kind: 'prepareTimeStamp', order })) as Prepared,
    boxes: async order => (await pool.run({ kind: 'boxes', order })) as PageBox[],
    overlay: async order => (await pool.run({ kind: 'overlay', order })) as { bytes: number },
    cleanSignature: async order => (await pool.run({ kind: 'cleanSignature', order })) as CleanSignature,
    async judgeLogo(order) {
      try {
        return (await pool.run({ kind: 'judgeLogo', order })) as LogoVerdict
      } catch (error) {
        if (!(error instanceof PdfChildFailure)) throw error
        return { verdict: 'unreadable' }
      }
    },
    confinement: async () => (await pool.run({ kind: 'confinement' })) as Confinement,
    close: () => pool.close(),
  }
}
