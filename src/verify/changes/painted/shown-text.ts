/** Reads the text of an appearance in the order in which people see it, or says why it cannot. */
import { type Remark, remark } from '../../../locales/remarks.ts'
import { intersect, type Rectangle } from '../form-fields.ts'
import { findGap, grow, type Mark, type Painting, seenArea, type TextMark } from './marks.ts'

/** Parts of the font size: a new line, a step backwards, text beyond the edge of the field. */
const [LINE, BACK, BEYOND] = [0.5, 0.3, 0.6]
const MIN_SIZE = 2
const MAX_SIZE_RATIO = 1.05

const isSpace = (mark: TextMark): boolean => mark.text !== undefined && mark.text.trim() === ''

/** Text marks without those of white space. */
export const textMarks = (marks: readonly Mark[]): TextMark[] =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text' && !isSpace(mark))

/** The place of a mark along and across the direction of the text. */
interface Placed {
  mark: TextMark
  from: number
  to: number
  line: number
}

/** Undefined if the strings run in different directions. */
function placeAlong(marks: readonly TextMark[]): Placed[] | undefined {
  const longest = marks.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))
  const length = lengthOf(longest)
  if (length === 0) return undefined
  const [x, y] = [0, 1].map(i => ((longest.end[i] ?? 0) - (longest.start[i] ?? 0)) / length) as [number, number]
  const along = ([a, b]: readonly [number, number]) => a * x + b * y
  const across = ([a, b]: readonly [number, number]) => b * x - a * y
  const placed = marks.map(mark => ({ mark, from: along(mark.start), to: along(mark.end), line: across(mark.start) }))
  const isStraight = placed.every(({ mark, from, to, line }) => to >= from && Math.abs(across(mark.end) - line) < 0.1 * mark.size)
  return isStraight ? placed : undefined
}

const lengthOf = ({ start, end }: TextMark): number => Math.hypot(end[0] - start[0], end[1] - start[1])

/** From top to bottom and from left to right. */
function sortPlaced(placed: readonly Placed[]): Placed[] {
  const byLine = placed.toSorted((a, b) => b.line - a.line)
  const lines: Placed[][] = []
  for (const one of byLine) {
    const last = lines.at(-1)
    if (last?.[0] !== undefined && last[0].line - one.line < LINE * one.mark.size) last.push(one)
    else lines.push([one])
  }
  return lines.flatMap(line => line.toSorted((a, b) => a.from - b.from))
}

/** Why people do not see all of the text alike; a clause. */
function findDoubt(marks: readonly TextMark[], box: Rectangle): Remark | undefined {
  const [first] = marks
  if (first === undefined) return undefined
  for (const { doubt } of marks) if (doubt !== undefined) return doubt
  const sizes = marks.map(({ size }) => size)
  if (Math.min(...sizes) * MAX_SIZE_RATIO < Math.max(...sizes)) return remark('text_of_several_sizes')
  if (marks.some(({ ink }) => typeof ink === 'string' || ink.join() !== String(first.ink)))
    return remark('text_of_several_colours')
  if (marks.some(({ isOpaque }) => !isOpaque)) return remark('text_transparent')
  if (marks.some(({ isCut }) => isCut)) return remark('text_clipped')
  const isInside = (mark: TextMark) => {
    const bounds = grow(intersect(box, mark.clip), BEYOND * mark.size)
    const { left, bottom, right, top } = mark.area
    return left >= bounds.left && bottom >= bounds.bottom && right <= bounds.right && top <= bounds.top
  }
  return marks.every(isInside) ? undefined : remark('text_outside')
}

/** Text that a later path or picture covers. */
function isPaintedOver(marks: readonly Mark[]): boolean {
  const first = marks.findIndex(mark => mark.kind === 'text' && !isSpace(mark))
  return first !== -1 && marks.slice(first).some(mark => mark.kind === 'path' && mark.isFilled && coversAny(mark, marks))
}

const coversAny = (path: Mark, marks: readonly Mark[]): boolean =>
  marks.some(mark => {
    const shared = intersect(seenArea(path), mark.area)
    return mark.kind === 'text' && shared.left < shared.right && shared.bottom < shared.top
  })

export type ShownText = { text: string; doubt: undefined } | { text: undefined; doubt: Remark }

const unsure = (doubt: Remark): ShownText => ({ text: undefined, doubt })

/** The text that an appearance with this bounding box shows, or why that is not known; a clause. */
export function readShownText(painting: Painting, box: Rectangle, scale: number): ShownText {
  const { marks, doubts } = painting
  const [why = findGap(painting)] = doubts
  if (why !== undefined) return unsure(why)
  const texts = textMarks(marks)
  const doubt = findDoubt(texts, box)
  if (doubt !== undefined) return unsure(doubt)
  if (texts.length === 0) return { text: '', doubt: undefined }
  if (texts.some(({ text }) => text === undefined)) return unsure(remark('text_unnamed'))
  if (texts.some(({ size }) => size * scale < MIN_SIZE)) return unsure(remark('text_too_small'))
  if (isPaintedOver(marks)) return unsure(remark('text_painted_over'))
  const placed = placeAlong(texts)
  if (placed === undefined) return unsure(remark('text_of_several_directions'))
  const sorted = sortPlaced(placed)
  const overlaps = sorted.some(({ mark, from, line }, i) => {
    const before = sorted[i - 1]
    const isSameLine = before !== undefined && Math.abs(before.line - line) < LINE * mark.size
    return isSameLine && from < before.to - BACK * mark.size
  })
  return overlaps ? unsure(remark('text_overlapping')) : { text: sorted.map(({ mark }) => mark.text).join(''), doubt: undefined }
}
