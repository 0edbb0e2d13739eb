/** Commands for the seal: completion, augmentation, failure. Pure. */
import { type Document, requireAllowed, type SealLevel, type SealSubFilter, type Transition } from './document.ts'
import type { DomainEvent, Json } from './event.ts'

/** A sealed file on disk that was verified. */
export interface SealedFile {
  sha256: string
  /** The level whose parts it has. */
  level: SealLevel
  subFilter: SealSubFilter
  /** Of the verify.html that its audit certificate names. */
  verifyPageSha256?: string
}

/** EN 319 142-1 §6.3: with another sub-filter it is no PAdES baseline signature. */
const baselineLevel = ({ level, subFilter }: SealedFile): SealLevel | undefined =>
  subFilter === 'ETSI.CAdES.detached' ? level : undefined

/** Members of the audit entry. Without `sealSubFilter` the seal is a PAdES signature. */
const sealFacts = (file: SealedFile): Record<string, Json> =>
  baselineLevel(file) === undefined ? { sealLevel: null, sealSubFilter: file.subFilter } : { sealLevel: file.level }

/** sealing → completed. */
export function sealed(document: Document, file: SealedFile, certificateSha256: string, now: Date): Transition {
  requireAllowed(document.status === 'sealing', document, 'complete')
  return {
    document: {
      ...document,
      status: 'completed',
      completedAt: now,
      sealingError: undefined,
      sha256Sealed: file.sha256,
      sealLevel: baselineLevel(file),
    },
    events: [
      {
        type: 'document.completed',
        data: {
          originalSha256: document.sha256Original,
          sealedSha256: file.sha256,
          sealCertificateSha256: certificateSha256,
          ...(file.verifyPageSha256 === undefined ? {} : { verifyPageSha256: file.verifyPageSha256 }),
          ...sealFacts(file),
        },
      },
    ],
  }
}

/** The new version of the file begins with the bytes of the previous one. */
export function sealAugmented(document: Document, file: SealedFile): Transition {
  requireAllowed(document.status === 'completed', document, 'augment')
  return {
    document: { ...document, sha256Sealed: file.sha256, sealLevel: baselineLevel(file) },
    events: [
      {
        type: 'document.seal_augmented',
        data: { previousSealedSha256: document.sha256Sealed ?? null, sealedSha256: file.sha256, ...sealFacts(file) },
      },
    ],
  }
}

/** Records the cause until sealing succeeds. An event is created only when it changes. */
export function sealingFailed(document: Document, cause: string): Transition {
  if (document.status !== 'sealing') return { document, events: [] }
  const events: DomainEvent[] = document.sealingError === cause ? [] : [{ type: 'document.sealing_failed', data: { cause } }]
  return { document: { ...document, sealingError: cause }, events }
}
