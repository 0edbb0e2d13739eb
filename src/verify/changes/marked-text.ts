/**
 * Checks that highlights and lines mark what the page shows: a short line beside an amount is a
 * minus sign. ISO 32000-2 §12.5.6.10.
 */
import { areaOf, intersect, type Rectangle } from './form-fields.ts'
import { isColourful, MIN_COLOUR } from './note-icons.ts'
import { type Ink, luminance, type Mark, seenArea, type TextMark } from './painted/marks.ts'
import { isBlankText, marksNear, type Surface } from './painted/page-surface.ts'

/** The part of its length that lies over what the page shows, and that its appearance draws. */
const [MIN_MARKED, MIN_DRAWN] = [0.5, 0.5]
/** In points: a shorter line could be a sign of a text of any size. */
const MIN_LENGTH = 12
/** Brighter than text, as a fraction of white. */
const MIN_BRIGHT = 0.6
const NOBODY: ReadonlySet<number> = new Set()

export interface Marking {
  quads: readonly Rectangle[]
  isUpright: boolean
}

const lengthOf = ({ left, bottom, right, top }: Rectangle, isUpright: boolean): number =>
  isUpright ? top - bottom : right - left

/** The signed text that the quadrilaterals touch. */
export function textBelow(surface: Surface, quads: readonly Rectangle[]): TextMark[] {
  return quads.flatMap(quad =>
    [...marksNear(surface, quad, NOBODY)].flatMap(({ mark }) => {
      const isBelow = mark.kind === 'text' && !isBlankText(mark) && areaOf(intersect(mark.area, quad)) > 0
      return isBelow ? [mark] : []
    }),
  )
}

/** What of the quadrilateral lies over content, from its first to its last mark along the text. */
function markedLength(surface: Surface, quad: Rectangle, isUpright: boolean): number {
  let [from, to] = [Infinity, -Infinity]
  for (const { mark, owner } of marksNear(surface, quad, NOBODY)) {
    if (owner !== undefined || (mark.kind === 'text' && isBlankText(mark))) continue
    const shared = intersect(seenArea(mark), quad)
    if (areaOf(shared) === 0) continue
    from = Math.min(from, isUpright ? shared.bottom : shared.left)
    to = Math.max(to, isUpright ? shared.top : shared.right)
  }
  return Math.max(0, to - from)
}

/** Why a marking could draw a letter, a digit or a sign where it is; a predicate. */
export function findPlaceError(surface: Surface, { quads, isUpright }: Marking): string | undefined {
  for (const quad of quads.filter(one => areaOf(one) > 0)) {
    const marked = markedLength(surface, quad, isUpright)
    if (marked === 0) return 'marks a place where the page shows nothing'
    if (marked < MIN_MARKED * lengthOf(quad, isUpright)) return 'lies beside the content that it marks, more than over it'
  }
  return undefined
}

const isLike = (ink: Ink, other: Ink): boolean =>
  typeof ink !== 'string' && typeof other !== 'string' && ink.every((part, i) => Math.abs(part - (other[i] ?? 0)) < MIN_COLOUR)

/** Why a marking that is no longer than a letter could be read as a sign; a predicate. */
export function findShortError(surface: Surface, { quads, isUpright }: Marking, inks: readonly Ink[]): string | undefined {
  const isShort = (quad: Rectangle) => {
    const sizes = textBelow(surface, [quad]).map(({ size }) => size)
    return areaOf(quad) > 0 && lengthOf(quad, isUpright) < Math.max(MIN_LENGTH, lengthOf(quad, !isUpright), ...sizes)
  }
  const short = quads.filter(isShort)
  if (short.length === 0) return undefined
  const texts = textBelow(surface, short)
  const isOfText = (ink: Ink) =>
    typeof ink === 'string' || (!isColourful(ink) && luminance(ink) < MIN_BRIGHT) || texts.some(text => isLike(ink, text.ink))
  return inks.some(isOfText) ? 'is as short as a letter and has a colour of text' : undefined
}

/** Whether the paths of an appearance draw most of each line, from end to end. */
export function drawsWholeLines(marks: readonly Mark[], { quads, isUpright }: Marking): boolean {
  const boxes = marks.flatMap(mark => (mark.kind === 'path' ? mark.parts.map(({ box }) => intersect(box, mark.clip)) : []))
  const [start, end, low, high] = isUpright
    ? (['bottom', 'top', 'left', 'right'] as const)
    : (['left', 'right', 'bottom', 'top'] as const)
  const drawn = (quad: Rectangle): number => {
    let [at, sum] = [quad[start], 0]
    const own = boxes.filter(box => box[low] <= quad[high] && box[high] >= quad[low])
    for (const box of own.toSorted((a, b) => a[start] - b[start])) {
      const [from, to] = [Math.max(at, box[start]), Math.min(quad[end], box[end])]
      if (to <= from) continue
      sum += to - from
      at = to
    }
    return sum
  }
  const total = quads.reduce((sum, quad) => sum + lengthOf(quad, isUpright), 0)
  return quads.reduce((sum, quad) => sum + drawn(quad), 0) >= MIN_DRAWN * total
}
