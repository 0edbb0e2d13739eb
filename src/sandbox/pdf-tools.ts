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
import type { Confinement } from './confinement.ts'
import { PdfChildError } from './errors.ts'
import { ChildPool, type PoolOptions } from './pool.ts'

/** The watched child processes that alone read uploaded bytes. A child that is killed for time or memory gives a `PdfChildError`. */
export interface PdfTools {
  inspect(request: InspectRequest): Promise<Inspection>
  prepare(request: PrepareRequest): Promise<PreparedFile>
  verify(request: VerifyFileRequest): Promise<VerificationReport | UnreadableReport>
  /** Adds validation material to a sealed file, in one incremental update. */
  addValidationData(request: AddValidationDataRequest): Promise<{ path: string; sha256: string; bytes: number }>
  /** Prepares a document time-stamp over a sealed file. */
  prepareTimestamp(request: PrepareTimestampRequest): Promise<PreparedFile>
  /** The box of each page, in its own user space. */
  readPageBoxes(request: PageBoxesRequest): Promise<PageBox[]>
  /** A PDF with one page per entry. */
  writeOverlay(request: OverlayRequest): Promise<{ bytes: number }>
  /** The ink of a picture, without its paper. A picture that is not taken gives a `PdfTaskError` whose code is a `SignatureImageErrorCode`. */
  cleanSignature(request: SignatureImageRequest): Promise<SignatureImage>
  /** Judges an uploaded picture. */
  checkLogo(request: LogoRequest): Promise<LogoVerdict>
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
    async inspect(request) {
      try {
        return (await pool.run({ kind: 'inspect', request })) as Inspection
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        const message = `This PDF cannot be processed: ${error.message}. Print it to a new PDF and send that one.`
        return { verdict: 'refused', code: 'unsupported_pdf', message }
      }
    },
    prepare: async request => (await pool.run({ kind: 'prepare', request })) as PreparedFile,
    async verify(request) {
      try {
        return (await pool.run({ kind: 'verify', request })) as VerificationReport | UnreadableReport
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        return { verdict: 'unreadable', reason: error.message }
      }
    },
    addValidationData: async request =>
      (await pool.run({ kind: 'addValidationData', request })) as { path: string; sha256: string; bytes: number },
    prepareTimestamp: async request => (await pool.run({ kind: 'prepareTimestamp', request })) as PreparedFile,
    readPageBoxes: async request => (await pool.run({ kind: 'readPageBoxes', request })) as PageBox[],
    writeOverlay: async request => (await pool.run({ kind: 'writeOverlay', request })) as { bytes: number },
    cleanSignature: async request => (await pool.run({ kind: 'cleanSignature', request })) as SignatureImage,
    async checkLogo(request) {
      try {
        return (await pool.run({ kind: 'checkLogo', request })) as LogoVerdict
      } catch (error) {
        if (!(error instanceof PdfChildError)) throw error
        return { verdict: 'unreadable' }
      }
    },
    confinement: async () => (await pool.run({ kind: 'confinement' })) as Confinement,
    close: () => pool.close(),
  }
}
