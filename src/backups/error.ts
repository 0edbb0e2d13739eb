/** Why a backup cannot be made or restored: problem and remedy in a sentence. */
export class BackupError extends Error {
  /** `too-new`: a newer executable is needed; `disk-full`: more space. */
  readonly kind: 'refused' | 'too-new' | 'disk-full'

  constructor(message: string, kind: 'refused' | 'too-new' | 'disk-full' = 'refused', options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
