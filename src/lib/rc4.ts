/** The stream cipher of old encrypted PDFs (RFC 7465 §1), which is no longer secure. */

/** Encrypts and decrypts. `key`: 1 to 256 octets. */
export function applyRc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    const own = state[i] ?? 0
    j = (j + own + (key[i % key.length] ?? 0)) & 255
    state[i] = state[j] ?? 0
    state[j] = own
  }
  const out = new Uint8Array(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255
    const own = state[i] ?? 0
    j = (j + own) & 255
    const other = state[j] ?? 0
    state[i] = other
    state[j] = own
    out[at] = (data[at] ?? 0) ^ (state[(own + other) & 255] ?? 0)
  }
  return out
}
