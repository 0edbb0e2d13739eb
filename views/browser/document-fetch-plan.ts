/** Joins the small ranges that pdf.js asks for, and reads ahead. Pure. */

/** `end` is excluded. */
export interface ByteRange {
  begin: number
  end: number
}

export interface RangeRequest extends ByteRange {
  /** The ranges that pdf.js asked for. */
  parts: ByteRange[]
}

/** pdf.js asks for ranges that begin at multiples of this. */
export const PIECE_BYTES = 8 * 1024
/** Two ranges are joined if the gap is at most this. */
const MAX_GAP = 16 * 1024
/** A joined request has at most this size. */
const MAX_JOINED = 512 * 1024
const MAX_AHEAD = 256 * 1024

/** Where each request ended, and its length. */
export type RequestEnds = Map<number, number>

export function plan(asked: ByteRange[], length: number, ends: RequestEnds): RangeRequest[] {
  const requests: RangeRequest[] = []
  for (const span of [...asked].sort((a, b) => a.begin - b.begin)) {
    const last = requests.at(-1)
    if (last && span.begin - last.end <= MAX_GAP && span.end - last.begin <= MAX_JOINED) {
      last.parts.push(span)
      last.end = Math.max(last.end, span.end)
    } else requests.push({ ...span, parts: [span] })
  }
  for (const request of requests) {
    const before = ends.get(request.begin)
    ends.delete(request.begin)
    if (before !== undefined) {
      const ahead = Math.min(2 * before, MAX_AHEAD)
      request.end = Math.min(length, Math.max(request.end, request.begin + ahead))
    }
    ends.set(request.end, request.end - request.begin)
  }
  return requests
}

/** Splits the response. The last range also gets the bytes that were read ahead. */
export function shares({ begin, end, parts }: RangeRequest, bytes: Uint8Array): { begin: number; bytes: Uint8Array }[] {
  const furthest = parts.findLast(part => part.end === Math.max(...parts.map(p => p.end)))
  return parts.map(part => {
    const until = part === furthest ? end : part.end
    return { begin: part.begin, bytes: bytes.slice(part.begin - begin, until - begin) }
  })
}
