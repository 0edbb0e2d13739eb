/** The requests that are planned for the ranges that pdf.js asks for. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type ByteRange,
  CHUNK_BYTES,
  type LengthByEnd,
  planRequests,
  splitResponse,
} from '../../../views/documents/browser/document-pdf.ts'

const chunks = (n: number, count = 1): ByteRange => ({ begin: n * CHUNK_BYTES, end: (n + count) * CHUNK_BYTES })
const LENGTH = 1000 * CHUNK_BYTES
const planned = (asked: ByteRange[], lengthByEnd: LengthByEnd = new Map()) =>
  planRequests(asked, LENGTH, lengthByEnd).map(({ begin, end }) => ({ begin, end }))

describe('ranges asked at once', () => {
  test('become one request if the gaps are small, and stay separate otherwise', () => {
    expect(planned([chunks(5), chunks(3), chunks(4)])).toEqual([chunks(3, 3)])
    expect(planned([chunks(3), chunks(6)])).toEqual([chunks(3, 4)])
    expect(planned([chunks(3), chunks(60)])).toEqual([chunks(3), chunks(60)])
  })

  test('never become one request of a whole large document', () => {
    const all = Array.from({ length: 500 }, (_, n) => chunks(2 * n))
    const requests = planned(all)
    expect(requests.length).toBeGreaterThan(10)
    expect(Math.max(...requests.map(({ begin, end }) => end - begin))).toBeLessThanOrEqual(64 * CHUNK_BYTES)
  })

  test('all get their own bytes in full', () => {
    const file = Uint8Array.from({ length: 40 * CHUNK_BYTES }, (_, i) => (i * 31 + (i >> 8)) & 255)
    const asking = fc.uniqueArray(fc.nat(37), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(asking, { minLength: 1, maxLength: 4 }), rounds => {
        const lengthByEnd: LengthByEnd = new Map()
        for (const round of rounds) {
          const asked = round.map(n => chunks(n))
          const given = planRequests(asked, file.length, lengthByEnd).flatMap(request =>
            splitResponse(request, file.slice(request.begin, request.end)),
          )
          expect(given.map(part => part.begin).sort()).toEqual(asked.map(range => range.begin).sort())
          for (const { begin, bytes } of given) {
            expect(bytes.length).toBeGreaterThanOrEqual(CHUNK_BYTES)
            // A multiple of the chunk size, except at the end of the file.
            expect((begin + bytes.length) % CHUNK_BYTES).toBe(0)
            expect(Buffer.compare(bytes, file.subarray(begin, begin + bytes.length))).toBe(0)
          }
        }
      }),
    )
  })
})

describe('sequential reading', () => {
  test('doubles the request each time, up to a maximum and to the end of the file', () => {
    const lengthByEnd: LengthByEnd = new Map()
    let at = 0
    const lengths: number[] = []
    for (let i = 0; i < 8; i++) {
      const [request] = planRequests([{ begin: at, end: at + CHUNK_BYTES }], LENGTH, lengthByEnd)
      lengths.push((request!.end - request!.begin) / CHUNK_BYTES)
      at = request!.end
    }
    expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
    const last = { begin: LENGTH - 2 * CHUNK_BYTES, end: LENGTH - CHUNK_BYTES }
    lengthByEnd.set(last.begin, 100 * CHUNK_BYTES)
    expect(planned([last], lengthByEnd)).toEqual([{ ...last, end: LENGTH }])
  })

  test('elsewhere starts with a small request again', () => {
    const lengthByEnd: LengthByEnd = new Map()
    planRequests([chunks(0)], LENGTH, lengthByEnd)
    expect(planned([chunks(200)], lengthByEnd)).toEqual([chunks(200)])
  })
})
