/**
 * JSON values on a stream of bytes, each with its length before it: how orders go to a child process and answers come back. Judges no value.
 */
const HEADER_BYTES = 4

/** The longest text of one encodeMessage, in bytes; orders and judgements stay far below it. */
const FRAME_BYTES = 64 * 1024 * 1024

/** Bytes that are no encodeMessage: too long, or no JSON. */
export class FramingError extends Error {
  override name = 'FramingError'
}

/** One JSON value with its length in four bytes before it, big-endian. Throws a `RangeError` when its text is longer than 64 MiB. */
export function encodeMessage(value: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(value))
  if (text.length > FRAME_BYTES) throw new RangeError(`a encodeMessage of ${text.length} bytes is longer than ${FRAME_BYTES}`)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(text.length)
  return Buffer.concat([header, text])
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new FramingError('a encodeMessage is no JSON', { cause })
  }
}

/** Takes a stream chunk by chunk. Each byte is copied once, so a encodeMessage cut into many chunks costs no more than one in a piece. */
export function openFrames() {
  let target = Buffer.alloc(HEADER_BYTES)
  let filled = 0
  let inHeader = true
  return {
    /** The values that the chunk completes. Throws `FramingError`. */
    push(chunk: Uint8Array): unknown[] {
      const values: unknown[] = []
      for (let at = 0; at < chunk.length; ) {
        const count = Math.min(target.length - filled, chunk.length - at)
        target.set(chunk.subarray(at, at + count), filled)
        at += count
        filled += count
        if (filled < target.length) break
        const length = inHeader ? target.readUInt32BE(0) : HEADER_BYTES
        if (length === 0 || length > FRAME_BYTES) throw new FramingError(`a encodeMessage of ${length} bytes`)
        if (!inHeader) values.push(parse(target))
        target = Buffer.alloc(length)
        filled = 0
        inHeader = !inHeader
      }
      return values
    },
    /** Whether the stream stands between two frames, with nothing of the next one begun. */
    isBetween: () => inHeader && filled === 0,
  }
}

/** Cuts a stream of bytes into the JSON values it carries. Throws at a encodeMessage longer than 64 MiB, before it is read, and at one that is no JSON. */
export async function* decodeMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const frames = openFrames()
  for await (const chunk of stream) yield* frames.push(chunk)
}
