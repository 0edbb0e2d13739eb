/** Huffman codes and the bits of an entropy-coded segment. ITU-T T.81 annex C, F.2.2. */

/** Data that are not those of a sound JPEG of a kind read here. Caught where the picture is asked for. */
export class JpegError extends Error {
  override name = 'JpegError'
}

/** Codes by their length: the largest code of each (-1 where there is none), and where its values stand. F.2.2.3 */
export interface HuffmanTable {
  largest: Int32Array
  offsets: Int32Array
  values: Uint8Array
}

/** C.2, from the number of codes of each length. */
export function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
  const largest = new Int32Array(17).fill(-1)
  const offsets = new Int32Array(17)
  let [code, used] = [0, 0]
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1]!
    offsets[length] = used - code
    code += count
    used += count
    if (code > 1 << length) throw new JpegError('more codes than there can be')
    if (count > 0) largest[length] = code - 1
    code <<= 1
  }
  return { largest, offsets, values }
}

export interface Bits {
  bit(): number
  /** A number of so many bits, at most 16. */
  bits(count: number): number
  /** The same with its sign. F.2.2.1 */
  signed(count: number): number
  symbol(table: HuffmanTable): number
  /** Leaves what is left of the byte and takes the restart marker that must follow. F.2.2.4 */
  restart(): void
  /** Where the next byte stands. */
  position(): number
}

/** @throws JpegError where the data end before they should */
export function openBits(bytes: Uint8Array, start: number): Bits {
  let [at, held, count] = [start, 0, 0]
  const bit = () => {
    if (count === 0) {
      if (at >= bytes.length) throw new JpegError('the data end in the middle of a picture')
      held = bytes[at++]!
      // A byte of ones is followed by an empty one, else it is a marker. B.1.1.5
      if (held === 0xff && bytes[at++] !== 0) throw new JpegError('a marker in the middle of a picture')
      count = 8
    }
    count--
    return (held >> count) & 1
  }
  const bits = (length: number) => {
    let value = 0
    for (let i = 0; i < length; i++) value = (value << 1) | bit()
    return value
  }
  return {
    bit,
    bits,
    signed(length) {
      const value = bits(length)
      return length > 0 && value < 1 << (length - 1) ? value - (1 << length) + 1 : value
    },
    symbol({ largest, offsets, values }) {
      let code = 0
      for (let length = 1; length <= 16; length++) {
        code = (code << 1) | bit()
        if (code <= largest[length]!) return values[code + offsets[length]!]!
      }
      throw new JpegError('a code that means nothing')
    },
    restart() {
      count = 0
      const marker = bytes[at + 1] ?? 0
      if (bytes[at] !== 0xff || marker < 0xd0 || marker > 0xd7) throw new JpegError('no restart where one must be')
      at += 2
    },
    position: () => at,
  }
}
