/**
 * What the service asks of its PDF tools, each question as a task of the pool of child processes.
 * Loads no PDF library itself.
 */
import type { BoxesOrder, OverlayOrder } from '../appearance/preview.ts'
import type { PageBox } from '../core/geometry.ts'
import type { PrepareOrder } from '../evidence/prepare.ts'
import type { LogoOrder, LogoVerdict } from '../image/logo.ts'
import type { CleanSignature, SignatureOrder } from '../image/signature-image.ts'
import type { ArchiveOrder, TimeStampOrder } from '../pades/augment.ts'
import type { Prepared } from '../pades/revision-file.ts'
import type { Inspection, InspectOrder } from '../pdf/inspect/report.ts'
import type { Unreadable, VerifyOrder, VerifyReport } from '../verify/report.ts'
import { PdfChildFailure } from './child.ts'
import type { Confinement } from './confinement.ts'
import { ChildPool, type PoolOptions } from './pool.ts'

/** The watched child processes that alone read uploaded bytes. A child that is killed for time or memory gives a `PdfChildFailure`. */
export interface PdfTools {
  inspect(order: InspectOrder): Promise<Inspection>
  prepare(order: PrepareOrder): Promise<Prepared>
  verify(order: VerifyOrder): Promise<VerifyReport | Unreadable>
  /** Adds validation material to a sealed file, in one incremental update. */
  addValidationMaterial(order: ArchiveOrder): Promise<{ path: string; sha256: string; bytes: number }>
  /** Prepares a document time-stamp over a sealed file. */
  prepareTimeStamp(order: TimeStampOrder): Promise<Prepared>
  /** The box of each page, in its own user space. */
  boxes(order: BoxesOrder): Promise<PageBox[]>
  /** A PDF with one page per entry. */
  overlay(order: OverlayOrder): Promise<{ bytes: number }>
  /** The ink of a picture, without its paper. A picture that is not taken gives a `PdfTaskError` whose code is a `SignatureRefusal`. */
  cleanSignature(order: SignatureOrder): Promise<CleanSignature>
  /** Judges an uploaded picture. */
  judgeLogo(order: LogoOrder): Promise<LogoVerdict>
  /** How a child is confined on this machine. */
  confinement(): Promise<Confinement>
  /** Ends all children; nothing is accepted afterwards. */
  close(): Promise<void>
}

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
