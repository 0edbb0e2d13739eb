/**
 * What the service asks of its PDF tools, each question as a task of the pool of child processes.
 * Loads no PDF library itself.
 */
import type { OverlayRequest, PageBoxesRequest } from '../appearance/preview.ts'
import type { PageBox } from '../core/geometry.ts'
import type { PrepareRequest } from '../evidence/prepare.ts'
import type { LogoRequest, LogoVerdict } from '../image/logo.ts'
import type { SignatureImage, SignatureImageRequest } from '../image/signature-image.ts'
import type { AddValidationDataRequest, PrepareTimestampRequest } from '../pades/augment.ts'
import type { PreparedFile } from '../pades/revision-file.ts'
import type { Inspection, InspectRequest } from '../pdf/inspect/report.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest } from '../verify/report.ts'
import { PdfChildError } from './child.ts'
import type { Confinement } from './confinement.ts'
import { ChildPool, type PoolOptions } from './pool.ts'

/** The watched child processes that alone read uploaded bytes. A child that is killed for time or memory gives a `PdfChildError`. */
export interface PdfTools {
  inspect(order: InspectRequest): Promise<Inspection>
  prepare(order: PrepareRequest): Promise<PreparedFile>
  verify(order: VerifyFileRequest): Promise<VerificationReport | UnreadableReport>
  /** Adds validation material to a sealed file, in one incremental update. */
  addValidationData(order: AddValidationDataRequest): Promise<{ path: string; sha256: string; bytes: number }>
  /** Prepares a document time-stamp over a sealed file. */
  prepareTimestamp(order: PrepareTimestampRequest): Promise<PreparedFile>
  /** The box of each page, in its own user space. */
  boxes(order: PageBoxesRequest): Promise<PageBox[]>
  /** A PDF with one page per entry. */
  overlay(order: OverlayRequest): Promise<{ bytes: number }>
  /** The ink of a picture, without its paper. A picture that is not taken gives a `PdfTaskError` whose code is a `SignatureRefusal`. */
  cleanSignature(order: SignatureImageRequest): Promise<SignatureImage>
  /** Judges an uploaded picture. */
  judgeLogo(order: LogoRequest): Promise<LogoVerdict>
  /** How a child is confined on this machine. */
  confinement(): Promise<Confinement>
  /** Ends all children; nothing is accepted afterwards. */
  close(): Promise<void>
}

/**
 * Opens the pool; unless it is prewarmed, no child starts before the first task. A question is
 * refused as `overloaded` where the machine is too busy for it, and fails with `PdfChildError`
 * where the file is to blame.
 */
export function openPdfTools(options: PoolOptions): PdfTools {
  const pool = new ChildPool(options)
  return {
    async inspect(order) {
      try {
        return (await pool.run({ kind: 'inspect', order })) as Inspection
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        const message = `This PDF cannot be processed: ${error.message}. Print it to a new PDF and send that one.`
        return { verdict: 'refused', code: 'unsupported_pdf', message }
      }
    },
    prepare: async order => (await pool.run({ kind: 'prepare', order })) as PreparedFile,
    async verify(order) {
      try {
        return (await pool.run({ kind: 'verify', order })) as VerificationReport | UnreadableReport
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        return { verdict: 'unreadable', reason: error.message }
      }
    },
    addValidationData: async order =>
      (await pool.run({ kind: 'addValidationData', order })) as { path: string; sha256: string; bytes: number },
    prepareTimestamp: async order => (await pool.run({ kind: 'prepareTimestamp', order })) as PreparedFile,
    boxes: async order => (await pool.run({ kind: 'boxes', order })) as PageBox[],
    overlay: async order => (await pool.run({ kind: 'overlay', order })) as { bytes: number },
    cleanSignature: async order => (await pool.run({ kind: 'cleanSignature', order })) as SignatureImage,
    async judgeLogo(order) {
      try {
        return (await pool.run({ kind: 'judgeLogo', order })) as LogoVerdict
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        return { verdict: 'unreadable' }
      }
    },
    confinement: async () => (await pool.run({ kind: 'confinement' })) as Confinement,
    close: () => pool.close(),
  }
}
