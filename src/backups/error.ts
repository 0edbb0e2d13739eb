/** Why a backup cannot be made or restored: problem and remedy. */
import { type Diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'

export class BackupError extends Error {
  /** `too-new`: a newer executable is needed; `disk-full`: more space. */
  readonly kind: 'refused' | 'too-new' | 'disk-full'

  /** `found`: a sentence where only the command line says it. */
  constructor(found: Diagnosis | string, kind: 'refused' | 'too-new' | 'disk-full' = 'refused', options?: ErrorOptions) {
    super(typeof found === 'string' ? found : englishOfDiagnosis(found), options)
    this.kind = kind
  }
}
