/**
 * Which ranges are fetched for those asked. A reader of PDF asks in small pieces: neighbours become one request, and whoever reads on where the last
 * piece ended gets more each time. Pure.
 */

/** Bytes of a file, the end excluded. */
export interface Span {
  begin: number
  end: number
}

export interface Errand extends Span {
  /** What was asked, within the span. */
  parts: Span[]
}

/** The measure of what pdf.js asks for: spans begin at its multiples. */
export const PIECE_BYTES = 8 * 1024
/** What lies between two pieces comes along when it is no more than this. */
const MOST_GAP = 16 * 1024
/** One request fetches no more than this unless one piece alone is larger. */
const MOST_JOINED = 512 * 1024
const MOST_AHEAD = 256 * 1024

/** Remembers where each errand ended, and how long it was. */
export type Ends = Map<number, number>

/** One errand or several for what was asked at once. */
export function plan(asked: Span[], length: number, ends: Ends): Errand[] {
  const errands: Errand[] = []
  for (const span of [...asked].sort((a, b) => a.begin - b.begin)) {
    const last = errands.at(-1)
    if (last && span.begin - last.end <= MOST_GAP && span.end - last.begin <= MOST_JOINED) {
      last.parts.push(span)
      last.end = Math.max(last.end, span.end)
    } else errands.push({ ...span, parts: [span] })
  }
  for (const errand of errands) {
    const before = ends.get(errand.begin)
    ends.delete(errand.begin)
    if (before !== undefined) {
      const ahead = Math.min(2 * before, MOST_AHEAD)
      errand.end = Math.min(length, Math.max(errand.end, errand.begin + ahead))
    }
    ends.set(errand.end, errand.end - errand.begin)
  }
  return errands
}

/** What each part is given: the last one also what came beyond it. */
export function shares({ begin, end, parts }: Errand, bytes: Uint8Array): { begin: number; bytes: Uint8Array }[] {
  const furthest = parts.findLast(part => part.end === Math.max(...parts.map(p => p.end)))
  return parts.map(part => {
    const until = part === furthest ? end : part.end
    return { begin: part.begin, bytes: bytes.slice(part.begin - begin, until - begin) }
  })
}
