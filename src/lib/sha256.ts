/** SHA-256 as hex text. */
import { fromUtf8, toHex } from './bytes.ts'
import { hashOf } from './primitives.ts'

/** In lower case. Of a text: its UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return toHex(hashOf('sha256', typeof data === 'string' ? fromUtf8(data) : data))
}

export const isSha256Hex = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
