/** A key cannot seal. The message is a sentence for the administrator. */
export class SealKeyError extends Error {
  override name = 'SealKeyError'
  /** What has to be entered anew. */
  readonly part: 'file' | 'passphrase'
  constructor(message: string, { part = 'file', ...options }: ErrorOptions & { part?: 'file' | 'passphrase' } = {}) {
    super(message, options)
    this.part = part
  }
}
