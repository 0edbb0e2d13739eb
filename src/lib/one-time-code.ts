/** The six digits of a one-time code. */
import { createHmac } from 'node:crypto'

/** `id`: 256 random bits. Without the key, nobody can compute the code from its row. */
export function oneTimeCode(key: Uint8Array, id: string): string {
  // Of 64 bits, the remainder prefers no code noticeably.
  const bits = createHmac('sha256', key).update(`one-time-code|${id}`).digest().readBigUInt64BE()
  return String(bits % 1_000_000n).padStart(6, '0')
}
