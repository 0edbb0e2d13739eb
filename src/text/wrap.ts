/**
 * Breaks text into lines of a given width, in reading order: where a line may well end, inside a long word after a joint such as / or @, and only then
 * between letters. Widths in em. Knows no page.
 */
import type { FontStyle } from './fonts.ts'
import { detectHanVariant, type HanVariant } from './itemize.ts'
import { GOOD_BREAK, JOINT_BREAK } from './line-break.ts'
import { type Line, type Paragraph, type ShapeParagraph, toPrintable } from './shape.ts'

/** A line with where it stands: right-to-left paragraphs start at the right. */
export interface WrappedLine extends Line {
  rtl: boolean
  han: HanVariant
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** em: a line shaped on its own may be wider by a kerning pair than the same letters within their paragraph. */
const SLACK = 0.1
/** A joint is taken only when it leaves the line this full. */
const FULL_ENOUGH = 0.55

/**
 * The paragraphs of a text, one for each of its own lines; an empty text is one empty paragraph. Shaped once, they can be wrapped to many widths.
 * `han`: whose Han characters they are where no kana or Hangul in the whole text tells.
 */
export function shapeParagraphs(shape: ShapeParagraph, text: string, style: FontStyle, han?: HanVariant): Paragraph[] {
  const setting = { han: detectHanVariant(text, han) }
  return toPrintable(text)
    .split('\n')
    .map(part => shape(part, style, setting))
}

/** The lines of paragraphs. `width`: em, Infinity for no wrapping. */
export function wrapParagraphs(paragraphs: Paragraph[], width: number): WrappedLine[] {
  return paragraphs.flatMap(paragraph => wrap(paragraph, width))
}

/** At most `count` lines; where the text goes on, the last one ends with an ellipsis. */
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

function wrap(paragraph: Paragraph, width: number): WrappedLine[] {
  const { rtl, han } = paragraph
  return breaksOf(paragraph, width).map(([start, end]) => ({ ...paragraph.line(start, end), rtl, han }))
}

/** How many lines `wrapParagraphs` would give, without shaping them. */
export function countLines(paragraphs: Paragraph[], width: number): number {
  return paragraphs.reduce((sum, paragraph) => sum + breaksOf(paragraph, width).length, 0)
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\u3000'
}

/** The stretches of a paragraph that are its lines, without the blanks between them. */
function breaksOf(paragraph: Paragraph, width: number): [number, number][] {
  const { text } = paragraph
  const breaks: [number, number][] = []
  let start = 0
  do {
    const end = breakAfter(paragraph, start, width - SLACK)
    breaks.push([start, start + text.slice(start, end).trimEnd().length])
    start = end
    while (start < text.length && isBlank(text[start]!)) start++
  } while (start < text.length)
  return breaks
}

/** Where the line that begins at `start` ends: an index after `start`. */
function breakAfter({ text, widths, breaks }: Paragraph, start: number, width: number): number {
  let used = 0
  let good = 0
  let joint = 0
  for (let at = start; at < text.length; at++) {
    const own = widths[at]!
    if (Number.isNaN(own)) continue
    if (at > start && breaks[at] === GOOD_BREAK) good = at
    else if (breaks[at] === JOINT_BREAK && used > width * FULL_ENOUGH) joint = at
    if (used + own > width && !isBlank(text[at]!) && at > start) return good || joint || at
    used += own
  }
  return text.length
}
