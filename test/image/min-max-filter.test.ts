/** The filters give what a search through every sample of each window gives. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { closing, type GreyImage, minFilter, opening } from '../../src/image/background-removal.ts'

const anySamples = fc
  .tuple(fc.integer({ min: 1, max: 23 }), fc.integer({ min: 1, max: 17 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((values): GreyImage => ({ values, width, height })),
  )

/** By a search through all samples; outside the image there are none. */
function filtered({ values, width }: GreyImage, radius: number, choose: (...of: number[]) => number): Uint8Array {
  return values.map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const near = Array.from(values).filter((_, at) => {
      return Math.abs((at % width) - x) <= radius && Math.abs(Math.floor(at / width) - y) <= radius
    })
    return choose(...near)
  })
}

test('minimum, opening and closing are those of a search through every sample of the window', () => {
  fc.assert(
    fc.property(anySamples, fc.integer({ min: 1, max: 30 }), (samples, radius) => {
      const before = samples.values.slice()
      const least = filtered(samples, radius, Math.min)
      const most = filtered(samples, radius, Math.max)
      expect(minFilter(samples, radius)).toEqual(least)
      expect(opening(samples, radius)).toEqual(filtered({ ...samples, values: least }, radius, Math.max))
      expect(closing(samples, radius)).toEqual(filtered({ ...samples, values: most }, radius, Math.min))
      expect(samples.values).toEqual(before)
    }),
    { numRuns: 60 },
  )
})
