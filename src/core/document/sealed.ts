/** Commands for the seal: completion, augmentation, failure. Pure. */
import { type Document, requireAllowed, type SealLevel, type Transition } from './document.ts'
import type { DomainEvent } from './event.ts'

/** A sealed file on disk that was verified. */
export interface SealedFile {
  sha256: string
  level: SealLevel
}

/** sealing → completed. */
export function sealed(document: Document, { sha256, level }: SealedFile, certificateSha256: string, now: Date): Transition {
  requireAllowed(document.status === 'sealing', document, 'complete')
  return {
    document: {
      ...document,
      status: 'completed',
      completedAt: now,
      sealingError: undefined,
      sha256Sealed: sha256,
      sealLevel: level,
    },
    events: [
      {
        type: 'document.completed',
        data: {
          originalSha256: document.sha256Original,
          sealedSha256: sha256,
          sealCertificateSha256: certificateSha256,
          sealLevel: level,
        },
      },
    ],
  }
}

/** The new version of the file begins with the bytes of the previous one. */
export function sealAugmented(document: Document, { sha256, level }: SealedFile): Transition {
  requireAllowed(document.status === 'completed', document, 'augment')
  return {
    document: { ...document, sha256Sealed: sha256, sealLevel: level },
    events: [
      {
        type: 'document.seal_augmented',
        data: { previousSealedSha256: document.sha256Sealed ?? null, sealedSha256: sha256, sealLevel: level },
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
