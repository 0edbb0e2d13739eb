/** Draws the text of a field: its size, lines and place in the box. ISO 32000-2 §9.4. */
import { A4_WIDTH, type Alignment, defaultFontSize } from '../core/field/field.ts'
import { AREA_LINES, ASCENT, DESCENT } from '../core/field/field-size.ts'
import type { PdfFonts } from '../text/pdf-fonts.ts'
import { ascentOf, descentOf, type InkExtent, type ShapeParagraph } from '../text/shape.ts'
import { countLines, shapeParagraphs, truncateLines, type WrappedLine, wrapParagraphs } from '../text/wrap.ts'
import type { Area } from './signature-appearance.ts'

export interface TextContent {
  kind: 'text'
  text: string
  /** pt. Undefined: by the width of the page. The text is smaller where the box needs it. */
  size?: number | undefined
  /** Undefined: where the direction of each line begins. */
  align?: Alignment | undefined
  /** Wraps before it shrinks, and begins at the top of its box. */
  isParagraph?: boolean
}

interface TextDeps {
  shape: ShapeParagraph
  fonts: PdfFonts
}

const INK = '0 0 0 rg'
/** Of the free width, the share before the text. */
const SHARE_BEFORE: Record<Alignment, number> = { left: 0, center: 0.5, right: 1 }

const LEADING = 1.25

/** Shares of the font size. */
interface LineMetrics {
  ascent: number
  descent: number
  leading: number
}

export function measureLines(inks: Pick<InkExtent, 'above' | 'below'>[]): LineMetrics {
  const ascent = Math.max(ASCENT, ...inks.map(ascentOf))
  const descent = Math.max(DESCENT, ...inks.map(descentOf))
  return { ascent, descent, leading: LEADING - ASCENT - DESCENT + ascent + descent }
}

/** pt. Text shrinks to MIN_UNWRAPPED_PT before it wraps. MIN_PT is legible on paper. */
const MIN_UNWRAPPED_PT = 8
const MIN_PT = 6

interface FittedText {
  lines: WrappedLine[]
  size: number
  metrics: LineMetrics
  isCut: boolean
}

function blockHeight(lines: number, size: number, { ascent, descent, leading }: LineMetrics): number {
  return size * (ascent + descent + (lines - 1) * leading)
}

interface TextBox {
  width: number
  height: number
  /** The wanted size of the text. */
  size: number
  /** One point. */
  unit: number
}

function textBox({ size }: TextContent, { width, height }: Area, unit: number): TextBox & { padding: number } {
  const padding = Math.min(2 * unit, width * 0.05)
  return { width: width - 2 * padding, height, size: (size ?? defaultFontSize(A4_WIDTH)) * unit, unit, padding }
}

/**
 * In the wanted size if it fits, else smaller, else wrapped, else truncated. A paragraph wraps
 * first. A very low box gets smaller text.
 */
function fitText({ text, isParagraph }: TextContent, box: TextBox, shape: ShapeParagraph): FittedText {
  const { width, height, size: wanted, unit } = box
  const paragraphs = shapeParagraphs(shape, text, 'text')
  const metrics = measureLines(paragraphs.map(({ ink }) => ink))
  const whole = wrapParagraphs(paragraphs, Number.POSITIVE_INFINITY)
  const widest = Math.max(...whole.map(line => line.width))
  const byHeight = (lines: number) => height / blockHeight(lines, 1, metrics)
  const unwrapped = Math.min(wanted, byHeight(whole.length), width / widest)
  const largest = Math.min(wanted, byHeight(1))
  const wholeText = { lines: whole, size: unwrapped, metrics, isCut: false }
  if (unwrapped >= (isParagraph ? largest : Math.min(MIN_UNWRAPPED_PT * unit, largest))) return wholeText
  const smallest = Math.min(MIN_PT * unit, largest)
  const fits = (size: number) => blockHeight(countLines(paragraphs, width / size), size, metrics) <= height
  const wrapped = largestFitting(smallest, largest, fits)
  if (wrapped !== undefined && wrapped > unwrapped) {
    return { lines: wrapParagraphs(paragraphs, width / wrapped), size: wrapped, metrics, isCut: false }
  }
  if (unwrapped >= smallest) return wholeText
  const count = Math.floor((height / smallest - metrics.ascent - metrics.descent) / metrics.leading + 1 + 1e-9)
  const cut = truncateLines(shape, wrapParagraphs(paragraphs, width / smallest), 'text', width / smallest, count)
  return { lines: cut, size: smallest, metrics, isCut: true }
}

/** About how many characters fit in the smallest size; undefined if all do. */
export function countFitting(content: TextContent, area: Area, unit: number, shape: ShapeParagraph): number | undefined {
  const { lines, isCut } = fitText(content, textBox(content, area, unit), shape)
  if (!isCut) return undefined
  const kept = lines.reduce((sum, line) => sum + [...line.text].length, 0)
  // The last one is the ellipsis.
  return Math.max(kept - 1, 1)
}

/** Finds the largest fitting size by bisection. Undefined if not even the smallest fits. */
function largestFitting(smallest: number, largest: number, fits: (size: number) => boolean): number | undefined {
  if (!fits(smallest)) return undefined
  if (fits(largest)) return largest
  let [low, high] = [smallest, largest]
  for (let i = 0; i < 6; i++) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** Coordinates are in the area; the lower left corner is the origin. `unit`: one point. */
export function drawText(content: TextContent, area: Area, unit: number, { shape, fonts }: TextDeps): string {
  const { width, height } = area
  const { padding, ...box } = textBox(content, area, unit)
  const { lines, size, metrics } = fitText(content, box, shape)
  const block = blockHeight(lines.length, size, metrics)
  const isArea = content.isParagraph || height >= blockHeight(AREA_LINES, size, metrics)
  // The lower edge is the line: the text is on it, and descenders end above it.
  const top = isArea ? height - Math.min(padding, (height - block) / 2) : Math.min(block, height)
  const shown = lines.map((line, i) => {
    const free = width - 2 * padding - line.width * size
    const x = padding + free * SHARE_BEFORE[content.align ?? (line.rtl ? 'right' : 'left')]
    return fonts.show(line, x, top - size * (metrics.ascent + i * metrics.leading), size)
  })
  return [INK, ...shown].join('\n')
}
