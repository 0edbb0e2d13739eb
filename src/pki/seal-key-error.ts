/** A key cannot seal. The message is a sentence for the administrator. */
export class SealKeyError extends Error {
  override name = 'SealKeyError'
}
