/** Windows that move over samples find in each place what looking at every sample of the window finds. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { closing, type GreyImage, minFilter, opening } from '../../src/image/min-max-filter.ts'

const anySamples = fc
  .tuple(fc.integer({ min: 1, max: 23 }), fc.integer({ min: 1, max: 17 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((values): GreyImage => ({ values, width, height })),
  )

/** By looking everywhere; what lies beyond the picture does not count. */
function looked({ values, width }: GreyImage, radius: number, choose: (...of: number[]) => number): Uint8Array {
  return values.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const near = Array.from(values).filter((_, at) => {
      return Math.abs((at % width) - x) <= radius && Math.abs(Math.floor(at / width) - y) <= radius
    })
    return choose(...near)
  })
}

test('the least value of each window, and openings and closings made of such, are those of every sample looked at', () => {
  fc.assert(
    fc.property(anySamples, fc.integer({ min: 1, max: 30 }), (samples, radius) => {
      const before = samples.values.slice()
      const least = looked(samples, radius, Math.min)
      const most = looked(samples, radius, Math.max)
      expect(minFilter(samples, radius)).toEqual(least)
      expect(opening(samples, radius)).toEqual(looked({ ...samples, values: least }, radius, Math.max))
      expect(closing(samples, radius)).toEqual(looked({ ...samples, values: most }, radius, Math.min))
      expect(samples.values).toEqual(before)
    }),
    { numRuns: 60 },
  )
})
