/** JSON messages on a byte stream, each after its length in four bytes, big-endian. */
const HEADER_BYTES = 4

/** Far above every request and result. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** A message is too long or not JSON. */
export class FramingError extends Error {
  override name = 'FramingError'
}

/** @throws RangeError if the text is longer than 64 MiB */
export function encodeMessage(value: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(value))
  if (text.length > MAX_MESSAGE_BYTES) {
    throw new RangeError(`a message of ${text.length} bytes is longer than ${MAX_MESSAGE_BYTES}`)
  }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(text.length)
  return Buffer.concat([header, text])
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new FramingError('a message is not JSON', { cause })
  }
}

/** Copies each byte once, so a message in many chunks costs no more than one in a single chunk. */
export class MessageDecoder {
  #target = Buffer.alloc(HEADER_BYTES)
  #filled = 0
  #isInHeader = true

  /** Returns the values that the chunk completes. @throws FramingError */
  push(chunk: Uint8Array): unknown[] {
    const values: unknown[] = []
    for (let at = 0; at < chunk.length; ) {
      const count = Math.min(this.#target.length - this.#filled, chunk.length - at)
      this.#target.set(chunk.subarray(at, at + count), this.#filled)
      at += count
      this.#filled += count
      if (this.#filled < this.#target.length) break
      const length = this.#isInHeader ? this.#target.readUInt32BE(0) : HEADER_BYTES
      if (length === 0 || length > MAX_MESSAGE_BYTES) throw new FramingError(`a message of ${length} bytes`)
      if (!this.#isInHeader) values.push(parse(this.#target))
      this.#target = Buffer.alloc(length)
      this.#filled = 0
      this.#isInHeader = !this.#isInHeader
    }
    return values
  }

  get isBetweenMessages(): boolean {
    return this.#isInHeader && this.#filled === 0
  }
}

/** @throws FramingError for a message over 64 MiB, before it is read, or not JSON */
export async function* decodeMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new MessageDecoder()
  for await (const chunk of stream) yield* decoder.push(chunk)
}
