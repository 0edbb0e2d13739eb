/** Decodes base64 (RFC 4648 §4) that arrives in parts, as strictly as in one piece: with padding, without stray bits. ASCII white space is skipped. */
export class Base64Decoder {
  /** Characters that wait for others: part of a group of four, or the padded last group, which nothing may follow. */
  #held = ''

  /** Bytes that a text of this length can make, with what waits from before. */
  static maxBytes(length: number): number {
    return Math.ceil(((length + 4) * 3) / 4)
  }

  /** Writes the bytes into `target` and returns how many they are. Throws `SyntaxError`. */
  decode(text: string, target: Uint8Array): number {
    const all = this.#held + text
    const padding = all.indexOf('=')
    const unpadded = padding < 0 ? all : all.slice(0, padding)
    const { read, written } = target.setFromBase64(unpadded, { lastChunkHandling: 'stop-before-partial' })
    this.#held = all.slice(read).replace(/[\t\n\f\r ]+/g, '')
    if (this.#held.length > 4) throw new SyntaxError('base64 goes on behind its padding')
    return written
  }

  /** The last group. Throws `SyntaxError` when it is not whole. */
  end(): Uint8Array {
    return Uint8Array.fromBase64(this.#held, { lastChunkHandling: 'strict' })
  }
}
