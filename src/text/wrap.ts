/** Wraps paragraphs to a width in em: at breaks, else after joints, else between letters. */
import type { Hand } from '../core/signing/signature-mark.ts'
import type { FontStyle } from './fonts.ts'
import { detectHanVariant, type HanVariant } from './itemize.ts'
import { JOINT_BREAK, REGULAR_BREAK } from './line-break.ts'
import { type Line, type Paragraph, type ShapeParagraph, toPrintable } from './shape.ts'

/** A line with the direction and Han variant of its paragraph. */
export interface WrappedLine extends Line {
  rtl: boolean
  han: HanVariant
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** em: shaped on its own, a line may be wider by a kerning pair than within its paragraph. */
const SLACK = 0.1
/** A joint break is taken only if it leaves the line this full. */
const MIN_FILL = 0.55

/**
 * One paragraph a line. `han`: the variant where the text has neither kana nor Hangul. `rtl`: the
 * direction of the whole text, where it is not that of its first letter.
 */
export function shapeParagraphs(
  shape: ShapeParagraph,
  text: string,
  style: FontStyle,
  { han, hand, rtl }: { han?: HanVariant | undefined; hand?: Hand | undefined; rtl?: boolean | undefined } = {},
): Paragraph[] {
  const options = { han: detectHanVariant(text, han), ...(hand && { hand }), ...(rtl !== undefined && { rtl }) }
  return toPrintable(text)
    .split('\n')
    .map(part => shape(part, style, options))
}

/** `width`: em, Infinity for no wrapping. */
export function wrapParagraphs(paragraphs: Paragraph[], width: number): WrappedLine[] {
  return paragraphs.flatMap(paragraph =>
    breakLines(paragraph, width).map(([start, end]) => ({
      ...paragraph.line(start, end),
      rtl: paragraph.rtl,
      han: paragraph.han,
    })),
  )
}

/** At most `count` lines; if there are more, the last one ends with an ellipsis. */
export function truncateLines(
  shape: ShapeParagraph,
  lines: WrappedLine[],
  style: FontStyle,
  width: number,
  count: number,
): WrappedLine[] {
  if (lines.length <= count) return lines
  const kept = lines.slice(0, Math.max(count, 1))
  const last = kept.pop()!
  const rest = Array.from(graphemes.segment(last.text), ({ segment }) => segment)
  for (let length = rest.length; ; length--) {
    const shortened = shape(`${rest.slice(0, length).join('').trimEnd()}…`, style, { rtl: last.rtl, han: last.han })
    const [line] = wrapParagraphs([shortened], Number.POSITIVE_INFINITY)
    if (line!.width <= width || length === 0) return [...kept, line!]
  }
}

/** The number of lines that `wrapParagraphs` would return, without shaping them. */
export function countLines(paragraphs: Paragraph[], width: number): number {
  return paragraphs.reduce((sum, paragraph) => sum + breakLines(paragraph, width).length, 0)
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\u3000'
}

/** Start and end of each line, without the blanks between them. */
function breakLines(paragraph: Paragraph, width: number): [number, number][] {
  const { text } = paragraph
  const lines: [number, number][] = []
  let start = 0
  do {
    const end = findLineEnd(paragraph, start, width - SLACK)
    lines.push([start, start + text.slice(start, end).trimEnd().length])
    start = end
    while (start < text.length && isBlank(text[start]!)) start++
  } while (start < text.length)
  return lines
}

/** An index after `start`. */
function findLineEnd({ text, widths, breaks }: Paragraph, start: number, width: number): number {
  let used = 0
  let regular = 0
  let joint = 0
  for (let at = start; at < text.length; at++) {
    const own = widths[at]!
    if (Number.isNaN(own)) continue
    if (at > start && breaks[at] === REGULAR_BREAK) regular = at
    else if (breaks[at] === JOINT_BREAK && used > width * MIN_FILL) joint = at
    if (used + own > width && !isBlank(text[at]!) && at > start) return regular || joint || at
    used += own
  }
  return text.length
}
