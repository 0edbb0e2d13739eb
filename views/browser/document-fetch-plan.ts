/**
 * Which ranges are fetched for those asked. A reader of PDF asks in small pieces: neighbours become
 * one request, and whoever reads on where the last piece ended gets more each time. Pure.
 */

/** Bytes of a file, the end excluded. */
export interface ByteRange {
  begin: number
  end: number
}

export interface RangeRequest extends ByteRange {
  /** What was asked, within the span. */
  parts: ByteRange[]
}

/** The measure of what pdf.js asks for: spans begin at its multiples. */
export const PIECE_BYTES = 8 * 1024
/** What lies between two pieces comes along when it is no more than this. */
const MOST_GAP = 16 * 1024
/** One request fetches no more than this unless one piece alone is larger. */
const MOST_JOINED = 512 * 1024
const MOST_AHEAD = 256 * 1024

/** Remembers where each request ended, and how long it was. */
export type RequestEnds = Map<number, number>

/** One request or several for what was asked at once. */
export function plan(asked: ByteRange[], length: number, ends: RequestEnds): RangeRequest[] {
  const requests: RangeRequest[] = []
  for (const span of [...asked].sort((a, b) => a.begin - b.begin)) {
    const last = requests.at(-1)
    if (last && span.begin - last.end <= MOST_GAP && span.end - last.begin <= MOST_JOINED) {
      last.parts.push(span)
      last.end = Math.max(last.end, span.end)
    } else requests.push({ ...span, parts: [span] })
  }
  for (const request of requests) {
    const before = ends.get(request.begin)
    ends.delete(request.begin)
    if (before !== undefined) {
      const ahead = Math.min(2 * before, MOST_AHEAD)
      request.end = Math.min(length, Math.max(request.end, request.begin + ahead))
    }
    ends.set(request.end, request.end - request.begin)
  }
  return requests
}

/** What each part is given: the last one also what came beyond it. */
export function shares({ begin, end, parts }: RangeRequest, bytes: Uint8Array): { begin: number; bytes: Uint8Array }[] {
  const furthest = parts.findLast(part => part.end === Math.max(...parts.map(p => p.end)))
  return parts.map(part => {
    const until = part === furthest ? end : part.end
    return { begin: part.begin, bytes: bytes.slice(part.begin - begin, until - begin) }
  })
}
