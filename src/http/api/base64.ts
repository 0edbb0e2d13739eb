/** Base64 as RFC 4648 §4 writes it: strict, line breaks allowed. */
import { Refusal } from '../../core/refusal.ts'

export function decodeBase64(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Refusal(
      'invalid_base64',
      'file is not base64: encode the PDF by RFC 4648 §4, with padding and without a data: prefix.',
    )
  }
}
