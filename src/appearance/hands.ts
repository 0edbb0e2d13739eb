/** Draws typed signatures for a page as they are stamped. Runs in a child process. */
import { HAND_AREA, type Hand } from '../core/signing/signature-mark.ts'
import { loadForShaping } from '../text/font-cache.ts'
import { outlinesOf } from '../text/glyph-outlines.ts'
import { openShaper } from '../text/harfbuzz.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { placeSignature } from './field-appearance.ts'

export interface DrawHandsRequest {
  text: string
  hands: Hand[]
}

/** `HAND_AREA` is in tenths of a point. */
const UNIT = 10

/** The data of one SVG path for each hand, in a box of `HAND_AREA`. */
export async function drawHands({ text, hands }: DrawHandsRequest): Promise<string[]> {
  const [shaper, shape] = await Promise.all([openShaper(), openParagraphShaper()])
  return hands.map(hand => {
    const { line, left, baseline, size } = placeSignature({ text, hand }, HAND_AREA, UNIT, shape)
    let at = left
    const paths = line.runs.flatMap(({ font, clusters }) => {
      const outlines = outlinesOf(font)
      const scale = (size * font.scale) / loadForShaping(shaper, font).metrics.unitsPerEm
      return clusters.flatMap(({ glyphs }) =>
        glyphs.map(({ id, dx, dy, advance }) => {
          // The y axis of SVG points down.
          const origin = [at + dx * size, HAND_AREA.height - baseline - dy * size] as const
          at += advance * size
          return outlines.pathOf(id, [scale, 0, 0, -scale, ...origin])
        }),
      )
    })
    return paths.join('')
  })
}
