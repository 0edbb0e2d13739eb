/** Decodes base64 (RFC 4648 §4) in parts, strictly: padding required, ASCII white space skipped. */
const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = 0x3d
const WHITE_SPACE = new Set(Buffer.from(' \t\n\f\r'))

/** The six bits of each character, shifted to its place in a group of four; -1 for other bytes. */
function shifted(by: number): Int32Array {
  const table = new Int32Array(256).fill(-1)
  for (const [bits, byte] of ALPHABET.entries()) table[byte] = bits << by
  return table
}

const [FIRST, SECOND, THIRD, FOURTH] = [shifted(18), shifted(12), shifted(6), shifted(0)] as const

export class Base64Decoder {
  /** Bits and number of characters of an incomplete group. */
  #bits = 0
  #count = 0
  #padding = 0

  /** Upper bound of the bytes that `decode` writes for a text of this length. */
  static maxBytes(length: number): number {
    return Math.ceil(((length + 4) * 3) / 4)
  }

  /** Writes the bytes into `target` and returns their number. Throws `SyntaxError`. */
  decode(text: Uint8Array, target: Uint8Array): number {
    let written = 0
    for (let i = 0; i < text.length; ) {
      if (this.#count === 0 && this.#padding === 0) {
        const groups = decodeGroups(text, i, target, written)
        i += 4 * groups
        written += 3 * groups
      }
      if (i < text.length && this.#take(text[i++] ?? 0)) {
        target[written++] = this.#bits >> 16
        target[written++] = this.#bits >> 8
        target[written++] = this.#bits
        this.#bits = this.#count = 0
      }
    }
    return written
  }

  /** Returns the last group's bytes. Throws `SyntaxError` when it is incomplete. */
  end(): Uint8Array {
    const [count, padding] = [this.#count, this.#padding]
    if (count === 0 && padding === 0) return new Uint8Array()
    const unused = count === 2 ? this.#bits & 0xf : this.#bits & 0x3
    if (count + padding !== 4 || unused !== 0) throw new SyntaxError('base64 ends within a group')
    return count === 2 ? Uint8Array.of(this.#bits >> 4) : Uint8Array.of(this.#bits >> 10, this.#bits >> 2)
  }

  /** Takes one character. Returns whether it completes a group. */
  #take(byte: number): boolean {
    if (WHITE_SPACE.has(byte)) return false
    if (byte === PADDING) {
      this.#padding++
      if (this.#count < 2 || this.#count + this.#padding > 4) throw new SyntaxError('base64 has misplaced padding')
      return false
    }
    const bits = FOURTH[byte] ?? -1
    if (bits < 0 || this.#padding > 0) throw new SyntaxError('not base64')
    this.#bits = (this.#bits << 6) | bits
    return ++this.#count === 4
  }
}

/** Decodes groups of four up to the first other character. Returns the number of groups. */
function decodeGroups(text: Uint8Array, start: number, target: Uint8Array, offset: number): number {
  let at = start
  let to = offset
  for (const end = text.length - 3; at < end; at += 4) {
    const bits =
      (FIRST[text[at] ?? 0] ?? 0) |
      (SECOND[text[at + 1] ?? 0] ?? 0) |
      (THIRD[text[at + 2] ?? 0] ?? 0) |
      (FOURTH[text[at + 3] ?? 0] ?? 0)
    if (bits < 0) break
    target[to] = bits >> 16
    target[to + 1] = bits >> 8
    target[to + 2] = bits
    to += 3
  }
  return (at - start) / 4
}
