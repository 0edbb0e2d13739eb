/** Pairs each blank with the text that labels it, by position. `label-kind.ts` knows the words. */
import type { Blank } from './blanks.ts'
import type { LabelMeaning } from './label-kind.ts'
import type { Segment } from './text-rows.ts'

export interface LabelledBlank extends LabelMeaning {
  blank: Blank
  label: Segment
  /** The place of the label does not tell for sure that it belongs to the blank. */
  isDoubtful: true | undefined
}

/** pt. */
const MAX_GAP_BESIDE = 24
const MAX_GAP_BELOW = 16
const MAX_GAP_ABOVE = 26
/** A signature needs more space, as long as there is nothing else in it. */
const MAX_SIGNATURE_GAP = 80
const MAX_GAP_CELL = 6
const SAME_LEFT = 8
/** A label on the line may be drawn slightly higher or lower than the line. */
const MAX_RISE = 7
const MAX_DROP = 4
/** Of a caption below a line, beyond its ends. */
const MAX_OVERHANG = 30
/** Of a caption, in lengths of its line. */
const MAX_CAPTION_SHARE = 4

const endsInColon = ({ text }: Segment): boolean => /[:：]\s*$/.test(text)

type Rule = (blank: Blank, segment: Segment) => boolean

const isOnLine = (blank: Blank, { y }: Segment): boolean => y >= blank.y - MAX_RISE && y <= blank.y + MAX_DROP

const isBeside: Rule = (blank, segment) => {
  if (blank.kind === 'cell' || !isOnLine(blank, segment)) return false
  const gap = segment.isRightToLeft ? segment.left - blank.right : blank.left - segment.right
  return gap >= -2 && gap <= MAX_GAP_BESIDE
}

const isBelow: Rule = (blank, segment) => {
  if (blank.kind === 'cell' || endsInColon(segment)) return false
  const gap = segment.y - segment.size * 0.8 - blank.y
  const isUnder = segment.right > blank.left && segment.left < blank.right
  return (
    gap >= -3 &&
    gap <= MAX_GAP_BELOW &&
    isUnder &&
    segment.left >= blank.left - MAX_OVERHANG &&
    segment.right <= blank.right + MAX_OVERHANG
  )
}

/** Below a shorter line: both begin, end or have their middle at one place. */
const isLongBelow: Rule = (blank, segment) => {
  if (!isCaptionWider(blank, segment)) return false
  const [left, right] = [segment.left - blank.left, segment.right - blank.right]
  return [left, right, (left + right) / 2].some(shift => Math.abs(shift) <= SAME_LEFT)
}

/** The same beside its middle. */
const isAskewBelow: Rule = (blank, segment) =>
  isCaptionWider(blank, segment) && segment.left <= blank.left && segment.right >= blank.right

function isCaptionWider(blank: Blank, segment: Segment): boolean {
  if (blank.kind === 'cell' || endsInColon(segment)) return false
  const gap = segment.y - segment.size * 0.8 - blank.y
  const [length, width] = [blank.right - blank.left, segment.right - segment.left]
  const isUnder = segment.right > blank.left && segment.left < blank.right
  return isUnder && gap >= -3 && gap <= MAX_GAP_BELOW && width > length && width <= length * MAX_CAPTION_SHARE
}

const isAbove: Rule = (blank, segment) => {
  if (blank.kind === 'cell' || !endsInColon(segment)) return false
  const gap = blank.y - segment.y
  const edge = segment.isRightToLeft ? Math.abs(segment.right - blank.right) : Math.abs(segment.left - blank.left)
  return gap > MAX_DROP && gap <= MAX_SIGNATURE_GAP && edge <= SAME_LEFT
}

/** In the cell before: its text ends near the border. */
const isInCellBefore: Rule = ({ kind, left, right, top = 0, y, caption }, segment) => {
  if (kind !== 'cell' || caption !== undefined || segment.y <= top || segment.y >= y + 1) return false
  const width = right - left
  if (segment.isRightToLeft) return segment.left >= right && segment.left - right <= Math.max(width, MAX_GAP_CELL)
  return segment.right <= left && left - segment.right <= Math.max(width, MAX_GAP_CELL)
}

const isCaption: Rule = ({ caption }, segment) => caption === segment

/** The heading of a signature block: the party above its line, with space to sign between them. */
const isHeading: Rule = (blank, segment) => isOver(blank, segment) && segment.right - segment.left < blank.right - blank.left

/** The same above a line that is shorter. */
const isLongHeading: Rule = (blank, segment) =>
  isOver(blank, segment) &&
  segment.right - segment.left <= (blank.right - blank.left) * MAX_CAPTION_SHARE &&
  Math.abs(segment.left - blank.left) <= SAME_LEFT

function isOver(blank: Blank, segment: Segment): boolean {
  if (blank.kind === 'cell') return false
  const gap = blank.y - segment.y
  return gap > MAX_GAP_ABOVE && gap <= MAX_SIGNATURE_GAP && segment.right > blank.left && segment.left < blank.right
}

/** In this order: a label on the line is the surest. */
const RULES: readonly Rule[] = [
  isBeside,
  isInCellBefore,
  isCaption,
  isBelow,
  isLongBelow,
  isAbove,
  isHeading,
  isLongHeading,
  isAskewBelow,
]

/** A name alone, above a line or not quite below it, may be a heading that asks for nothing. */
const isDoubtful = (rule: Rule, { isPartyOnly }: LabelMeaning): boolean =>
  rule === isAskewBelow || (isPartyOnly && (rule === isHeading || rule === isLongHeading))

function distance(blank: Blank, { left, right, y }: Segment): number {
  const dx = Math.max(0, left - blank.right, blank.left - right)
  return dx + Math.abs(y - blank.y) + Math.abs((left + right - blank.left - blank.right) / 2) / 100
}

const lastSentence = (text: string): string => text.split(/[.;!?]\s+(?=\p{Lu})/u).at(-1) ?? text
const isFarAbove = (blank: Blank, label: Segment): boolean => blank.kind !== 'cell' && blank.y - label.y > MAX_GAP_ABOVE

function isFreeForSignature(blank: Blank, label: Segment, { kinds }: LabelMeaning, segments: readonly Segment[]): boolean {
  const isBetween = ({ y, left, right }: Segment) =>
    y > label.y + 1 && y < blank.y - 1 && right > blank.left && left < blank.right
  return kinds.every(kind => kind === 'signature') && !segments.some(isBetween)
}

/** A label is used once, by the blank that the earliest rule gives it to. */
export function labelBlanks(
  blanks: readonly Blank[],
  segments: readonly Segment[],
  read: (label: string) => LabelMeaning | undefined,
): LabelledBlank[] {
  const labels = segments.filter(segment => !segment.isLeader)
  const used = new Set<Segment>()
  const found = new Map<Blank, LabelledBlank>()
  for (const rule of RULES) {
    for (const blank of blanks) {
      if (found.has(blank)) continue
      const near = labels.filter(label => !used.has(label) && rule(blank, label))
      const nearest = near.sort((a, b) => distance(blank, a) - distance(blank, b))[0]
      const meaning = nearest && read(lastSentence(nearest.text))
      if (!meaning || (isFarAbove(blank, nearest) && !isFreeForSignature(blank, nearest, meaning, segments))) continue
      used.add(nearest)
      found.set(blank, { ...meaning, blank, label: nearest, isDoubtful: isDoubtful(rule, meaning) || undefined })
    }
  }
  return [...found.values()]
}
