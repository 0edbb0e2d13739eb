/**
 * Tells whether what a note draws itself could be read as a part of the page: a digit beside an
 * amount, also one that is drawn by lines. ISO 32000-2 §12.5.6.4.
 */
import { type Remark, remark } from '../../locales/remarks.ts'
import { areaOf, intersect, type Rectangle } from './form-fields.ts'
import { type Appearance, placeMarks } from './painted/appearance.ts'
import { findGap, grow, type Ink, luminance, type Mark, type PathMark, seenArea, WHITE_LUMINANCE } from './painted/marks.ts'
import { marksNear, type Surface } from './painted/page-surface.ts'

/** Between the strongest and the weakest of red, green and blue. Less is a shade of grey. */
export const MIN_COLOUR = 0.3
/** Of the rectangle: what the ground takes at least, and what may be painted white over it. */
const [MIN_GROUND, MAX_OVER_GROUND] = [0.6, 0.25]
/** Of the ground's sides: how far its edge and its round corners may reach inwards. */
const [EDGE, CORNER] = [0.1, 0.35]
/** A rectangle has four lines and one that closes it; with round corners, a line more. */
const [MAX_LINES, MAX_CURVES] = [6, 4]
/** A mark that is higher, in heights of the note, is no line of text. */
const MAX_LINE_HEIGHT = 4
/** How far along an upright line of text marks count. */
const REACH = 72

export const isColourful = (ink: Ink): boolean => typeof ink !== 'string' && Math.max(...ink) - Math.min(...ink) >= MIN_COLOUR

/** A line along an edge, or a curve in a corner. */
function isOutline({ box, isCurve }: PathMark['parts'][number], area: Rectangle): boolean {
  const [width, height] = [area.right - area.left, area.top - area.bottom]
  const part = isCurve ? CORNER : EDGE
  const isBeside = box.right <= area.left + part * width || box.left >= area.right - part * width
  const isAbove = box.top <= area.bottom + part * height || box.bottom >= area.top - part * height
  return isCurve ? isBeside && isAbove : isBeside || isAbove
}

/** A filled rectangle without a hole: any other form could be a letter or a digit. */
function isSolid({ parts, isFilled, area }: PathMark): boolean {
  const curves = parts.filter(({ isCurve }) => isCurve).length
  const lines = parts.length - curves
  return (
    isFilled && curves <= MAX_CURVES && lines <= MAX_LINES - (curves === 0 ? 1 : 0) && parts.every(one => isOutline(one, area))
  )
}

const isPale = ({ ink }: Mark): boolean => typeof ink === 'string' || (luminance(ink) > WHITE_LUMINANCE && !isColourful(ink))

/** A coloured ground that stays visible, by which readers tell a symbol from text. */
function hasGround(marks: readonly Mark[], rectangle: Rectangle): boolean {
  return marks.some((mark, i) => {
    if (mark.kind !== 'path' || mark.isFaint || mark.isCut || !isColourful(mark.ink) || !isSolid(mark)) return false
    const ground = intersect(seenArea(mark), rectangle)
    if (areaOf(ground) < MIN_GROUND * areaOf(rectangle)) return false
    const over = marks.slice(i + 1).filter(isPale)
    return over.reduce((sum, one) => sum + areaOf(intersect(seenArea(one), ground)), 0) <= MAX_OVER_GROUND * areaOf(ground)
  })
}

const isBeyond = (a: Rectangle, b: Rectangle): boolean => a.top <= b.bottom || a.bottom >= b.top

/** With the sides of x and y exchanged, for text that runs upwards or downwards. */
const turned = ({ left, bottom, right, top }: Rectangle): Rectangle => ({ left: bottom, bottom: left, right: top, top: right })

/** How far they are from each other on one line; undefined if they are not on one. */
const distanceOnLine = (a: Rectangle, b: Rectangle): number | undefined =>
  isBeyond(a, b) ? undefined : Math.max(0, a.left - b.right, b.left - a.right)

/** Text, and drawings of the height of a line, on one line with the rectangle. */
function* lineNeighbours(
  surface: Surface,
  rectangle: Rectangle,
  own: ReadonlySet<number>,
): Generator<{ mark: Mark; distance: number }> {
  for (const { mark, owner } of marksNear(surface, grow(rectangle, REACH), own)) {
    if (mark.kind !== 'text' && owner !== undefined) continue
    const seen = seenArea(mark)
    const isUpright = mark.kind === 'text' && Math.abs(mark.end[1] - mark.start[1]) > Math.abs(mark.end[0] - mark.start[0])
    if (mark.kind !== 'text' && seen.top - seen.bottom > MAX_LINE_HEIGHT * (rectangle.top - rectangle.bottom)) continue
    const distance = isUpright ? distanceOnLine(turned(seen), turned(rectangle)) : distanceOnLine(seen, rectangle)
    if (distance !== undefined) yield { mark, distance }
  }
}

/** Why the own appearance of a note is not taken for a symbol; a predicate. */
export function findIconError(
  surface: Surface,
  appearance: Appearance,
  rectangle: Rectangle,
  own: ReadonlySet<number>,
): Remark | undefined {
  const { painting } = appearance
  const [doubt = findGap(painting)] = painting.doubts
  if (doubt !== undefined) return remark('comment_doubtful', { why: doubt })
  const marks = placeMarks(appearance, rectangle)
  if (marks.some(({ kind }) => kind === 'text')) return remark('icon_with_text')
  if (marks.length === 0) return undefined
  const isSymbol = hasGround(marks, rectangle)
  for (const { mark, distance } of lineNeighbours(surface, rectangle, own)) {
    if (!isSymbol) return remark('icon_without_ground')
    if (mark.kind === 'text' && distance < mark.size) return remark('icon_beside_text')
  }
  return undefined
}
