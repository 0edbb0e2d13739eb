/** Plans requests for the byte ranges pdf.js asks for: joins near ones, doubles sequential ones. */

/** `end` is exclusive. */
export interface ByteRange {
  begin: number
  end: number
}

export interface RangeRequest extends ByteRange {
  /** The ranges that pdf.js asked for. */
  ranges: ByteRange[]
}

/** The chunk size of pdf.js. Ranges start at its multiples. */
export const CHUNK_BYTES = 8 * 1024
/** Gaps up to this size are fetched too. */
const MAX_GAP_BYTES = 16 * 1024
const MAX_JOINED_BYTES = 512 * 1024
const MAX_GROWN_BYTES = 256 * 1024

/** The length of each earlier request, by where it ended. */
export type LengthByEnd = Map<number, number>

/** Updates `lengthByEnd`. */
export function planRequests(asked: ByteRange[], fileLength: number, lengthByEnd: LengthByEnd): RangeRequest[] {
  const requests: RangeRequest[] = []
  for (const range of [...asked].sort((a, b) => a.begin - b.begin)) {
    const last = requests.at(-1)
    if (last && range.begin - last.end <= MAX_GAP_BYTES && range.end - last.begin <= MAX_JOINED_BYTES) {
      last.ranges.push(range)
      last.end = Math.max(last.end, range.end)
    } else requests.push({ ...range, ranges: [range] })
  }
  for (const request of requests) {
    const previousLength = lengthByEnd.get(request.begin)
    lengthByEnd.delete(request.begin)
    if (previousLength !== undefined) {
      const grown = Math.min(2 * previousLength, MAX_GROWN_BYTES)
      request.end = Math.min(fileLength, Math.max(request.end, request.begin + grown))
    }
    lengthByEnd.set(request.end, request.end - request.begin)
  }
  return requests
}

/** Splits a response by range. The last range also gets the bytes that were read ahead. */
export function splitResponse({ begin, end, ranges }: RangeRequest, bytes: Uint8Array): { begin: number; bytes: Uint8Array }[] {
  const furthest = ranges.findLast(range => range.end === Math.max(...ranges.map(one => one.end)))
  return ranges.map(range => {
    const until = range === furthest ? end : range.end
    return { begin: range.begin, bytes: bytes.slice(range.begin - begin, until - begin) }
  })
}
