/** Which ranges are fetched for those a reader of PDF asks. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ByteRange, PIECE_BYTES, plan, type RequestEnds, shares } from '../../views/browser/document-fetch-plan.ts'

const piece = (n: number, count = 1): ByteRange => ({ begin: n * PIECE_BYTES, end: (n + count) * PIECE_BYTES })
const LENGTH = 1000 * PIECE_BYTES
const spans = (asked: ByteRange[], ends: RequestEnds = new Map()) =>
  plan(asked, LENGTH, ends).map(({ begin, end }) => ({ begin, end }))

describe('ranges asked at once', () => {
  test('become one request when they are neighbours, and stay apart when much lies between them', () => {
    expect(spans([piece(5), piece(3), piece(4)])).toEqual([piece(3, 3)])
    expect(spans([piece(3), piece(6)])).toEqual([piece(3, 4)])
    expect(spans([piece(3), piece(60)])).toEqual([piece(3), piece(60)])
  })

  test('never become one request of a whole large document', () => {
    const all = Array.from({ length: 500 }, (_, n) => piece(2 * n))
    const requests = spans(all)
    expect(requests.length).toBeGreaterThan(10)
    expect(Math.max(...requests.map(({ begin, end }) => end - begin))).toBeLessThanOrEqual(64 * PIECE_BYTES)
  })

  test('are all answered, each with its own bytes in full', () => {
    const file = Uint8Array.from({ length: 40 * PIECE_BYTES }, (_, i) => (i * 31 + (i >> 8)) & 255)
    const asking = fc.uniqueArray(fc.nat(37), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(asking, { minLength: 1, maxLength: 4 }), rounds => {
        const ends: RequestEnds = new Map()
        for (const round of rounds) {
          const asked = round.map(n => piece(n))
          const given = plan(asked, file.length, ends).flatMap(request => shares(request, file.slice(request.begin, request.end)))
          expect(given.map(share => share.begin).sort()).toEqual(asked.map(span => span.begin).sort())
          for (const { begin, bytes } of given) {
            expect(bytes.length).toBeGreaterThanOrEqual(PIECE_BYTES)
            // The measure of pieces, but at the end of the file.
            expect((begin + bytes.length) % PIECE_BYTES).toBe(0)
            expect(Buffer.compare(bytes, file.subarray(begin, begin + bytes.length))).toBe(0)
          }
        }
      }),
    )
  })
})

describe('who reads on', () => {
  test('gets twice as much each time, up to a bound and to the end of the file', () => {
    const ends: RequestEnds = new Map()
    let at = 0
    const lengths: number[] = []
    for (let i = 0; i < 8; i++) {
      const [request] = plan([{ begin: at, end: at + PIECE_BYTES }], LENGTH, ends)
      lengths.push((request!.end - request!.begin) / PIECE_BYTES)
      at = request!.end
    }
    expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
    const last = { begin: LENGTH - 2 * PIECE_BYTES, end: LENGTH - PIECE_BYTES }
    ends.set(last.begin, 100 * PIECE_BYTES)
    expect(spans([last], ends)).toEqual([{ ...last, end: LENGTH }])
  })

  test('elsewhere begins small again', () => {
    const ends: RequestEnds = new Map()
    plan([piece(0)], LENGTH, ends)
    expect(spans([piece(200)], ends)).toEqual([piece(200)])
  })
})
