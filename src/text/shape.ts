/** Shapes text by HarfBuzz, in the order of UAX 9. Lengths in em (1 = the font size). */
import bidiFactory from 'bidi-js'
import { ASCENT, DESCENT } from '../core/field/field-size.ts'
import type { Hand } from '../core/signing/signature-mark.ts'
import { LruCache } from '../lib/lru-cache.ts'
import { loadForShaping } from './font-cache.ts'
import type { Font, FontStyle } from './fonts.ts'
import { openShaper, type ShapedGlyph, type Shaper } from './harfbuzz.ts'
import { detectHanVariant, type HanVariant, type Item, itemize } from './itemize.ts'
import { findBreaks } from './line-break.ts'

export interface Glyph {
  id: number
  advance: number
  dx: number
  dy: number
}

/** An inseparable unit: a letter with its marks (from right to left each alone), or a ligature. */
export interface Cluster {
  text: string
  glyphs: Glyph[]
}

/** Glyphs of one font, in visual order from left to right. */
export interface Run {
  font: Font
  /** Read from right to left. */
  rtl: boolean
  clusters: Cluster[]
}

/** em: ink above and below the baseline, and beyond both ends of the line. Never negative. */
export interface InkExtent {
  above: number
  below: number
  left: number
  right: number
}

/** em. Renderers darken pixels this far beyond an outline. */
const ANTIALIASING = 0.03
/** em. Higher stacks of combining marks are cut off: no script needs more. */
const MAX_ASCENT = 2.2
const MAX_DESCENT = 1.6

/** em. What a line needs above and below its baseline, at least as much as European letters. */
export const ascentOf = ({ above }: Pick<InkExtent, 'above'>) => Math.max(ASCENT, Math.min(above + ANTIALIASING, MAX_ASCENT))
export const descentOf = ({ below }: Pick<InkExtent, 'below'>) => Math.max(DESCENT, Math.min(below + ANTIALIASING, MAX_DESCENT))

export interface Line {
  /** In reading order, without the blanks at its end. */
  text: string
  runs: Run[]
  /** em */
  width: number
  ink: InkExtent
}

/** The defaults: direction of the first strong letter, detected Han variant, first hand. */
export interface ParagraphOptions {
  rtl?: boolean
  han?: HanVariant
  hand?: Hand
}

export interface Paragraph {
  text: string
  rtl: boolean
  han: HanVariant
  /** The width in em of the cluster at a UTF-16 index, NaN within a cluster. */
  widths: Float64Array
  breaks: Uint8Array
  /** The extent of the whole paragraph on one line. */
  ink: InkExtent
  line(start: number, end: number): Line
}

/** Shapes one paragraph; line breaks in it count as blanks. */
export type ShapeParagraph = (text: string, style: FontStyle, options?: ParagraphOptions) => Paragraph

/** Embeddings, overrides, isolates and marks: they could show a name in another order. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Mandatory breaks of UAX 14. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** Only Han characters have variants in our fonts; other selectors would lack a glyph. */
const VARIATIONS = /(?<!\p{Script=Han})[\ufe00-\ufe0f]/gu

/** Normalises line ends and blanks; removes control, reordering and variation characters. */
export function toPrintable(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n').replace(/\t/g, ' ')
  return lines.replace(CONTROLS, '').replace(REORDERING, '').replace(VARIATIONS, '').toWellFormed()
}

const bidi = bidiFactory()

/** Most text of one audit certificate is on the next one too: a process shapes it once. */
const cachedParagraphs = new LruCache<string, Paragraph>(2000)
const MAX_CACHED_LENGTH = 200

export async function openParagraphShaper(): Promise<ShapeParagraph> {
  const shaper = await openShaper()
  return (text, style, options = {}) => {
    const han = options.han ?? detectHanVariant(text)
    const key = `${style} ${han} ${options.rtl ?? ''} ${options.hand ?? 1} ${text}`
    const paragraph = cachedParagraphs.get(key) ?? shapeParagraph(shaper, text, style, { ...options, han })
    if (text.length <= MAX_CACHED_LENGTH) cachedParagraphs.set(key, paragraph)
    return paragraph
  }
}

function shapeParagraph(
  shaper: Shaper,
  given: string,
  style: FontStyle,
  { han, rtl, hand = 1 }: ParagraphOptions & { han: HanVariant },
): Paragraph {
  const text = toPrintable(given).replaceAll('\n', ' ')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, rtl === undefined ? 'auto' : rtl ? 'rtl' : 'ltr')
  const items = itemize(text, levels, style, han, hand)
  const shaped = new Map(items.map(item => [item, shapeItem(shaper, text, item)]))
  const shapeLine = (start: number, end: number): Line => {
    const runs = visualOrder(items.filter(item => item.start < end && item.end > start)).map(item => {
      if (item.start >= start && item.end <= end) return runOf(item, shaped.get(item)!)
      const part = { ...item, start: Math.max(start, item.start), end: Math.min(end, item.end) }
      return runOf(item, shapeItem(shaper, text, part))
    })
    const width = runs.flatMap(run => run.clusters).reduce((sum, cluster) => sum + widthOf(cluster), 0)
    return { text: text.slice(start, end), runs, width, ink: inkOf(shaper, runs) }
  }
  const lines = new Map<string, Line>()
  return {
    text,
    rtl: rtl ?? (paragraphs[0]?.level ?? 0) % 2 === 1,
    han,
    widths: clusterWidths(text, shaped),
    breaks: findBreaks(text),
    ink: shapeLine(0, text.length).ink,
    line(start, end) {
      const key = `${start} ${end}`
      const line = lines.get(key) ?? shapeLine(start, end)
      lines.set(key, line)
      return line
    },
  }
}

/** From right to left, a mark is a cluster of its own, but no line ends before it. */
const MARKS = /^[\p{M}\p{Join_Control}]/u

function clusterWidths(text: string, shaped: Map<Item, Cluster[]>): Float64Array {
  const widths = new Float64Array(text.length).fill(Number.NaN)
  for (const [item, clusters] of shaped) {
    let [at, letter] = [item.start, item.start]
    for (const cluster of isRtl(item) ? clusters.toReversed() : clusters) {
      if (!MARKS.test(cluster.text)) letter = at
      widths[letter] = (widths[letter] || 0) + widthOf(cluster)
      at += cluster.text.length
    }
  }
  return widths
}

function isRtl({ level }: Item): boolean {
  return level % 2 === 1
}

function runOf(item: Item, clusters: Cluster[]): Run {
  return { font: item.font, rtl: isRtl(item), clusters }
}

function widthOf(cluster: Cluster): number {
  return cluster.glyphs.reduce((sum, glyph) => sum + glyph.advance, 0)
}

/** Measured by glyph boxes: a font's declared height does not bound stacked marks. */
function inkOf(shaper: Shaper, runs: Run[]): InkExtent {
  let [at, above, below, left, right] = [0, 0, 0, 0, 0]
  for (const { font, clusters } of runs) {
    const { boxes, metrics } = loadForShaping(shaper, font)
    for (const glyph of clusters.flatMap(cluster => cluster.glyphs)) {
      const side = (i: number) => (boxes[4 * glyph.id + i]! * font.scale) / metrics.unitsPerEm
      if (side(0) !== side(2)) {
        above = Math.max(above, glyph.dy + side(3))
        below = Math.max(below, -glyph.dy - side(1))
        left = Math.max(left, -(at + glyph.dx + side(0)))
        right = Math.max(right, at + glyph.dx + side(2))
      }
      at += glyph.advance
    }
  }
  return { above, below, left, right: Math.max(0, right - at) }
}

function shapeItem(shaper: Shaper, text: string, item: Item): Cluster[] {
  const { handle, metrics } = loadForShaping(shaper, item.font)
  const glyphs = shaper.shape(handle, text, item.start, item.end, isRtl(item), item.script)
  const starts = [...new Set(glyphs.map(glyph => glyph.cluster))].sort((a, b) => a - b)
  const endOf = new Map(starts.map((start, i) => [start, starts[i + 1] ?? item.end]))
  const clusters: Cluster[] = []
  let open: number | undefined
  for (const glyph of glyphs) {
    if (glyph.cluster !== open) clusters.push({ text: text.slice(glyph.cluster, endOf.get(glyph.cluster)), glyphs: [] })
    open = glyph.cluster
    clusters.at(-1)!.glyphs.push(inEm(glyph, metrics.unitsPerEm / item.font.scale))
  }
  return clusters
}

/** `units`: the font's units in one em of the line. */
function inEm(glyph: ShapedGlyph, units: number): Glyph {
  return { id: glyph.id, advance: glyph.advance / units, dx: glyph.dx / units, dy: glyph.dy / units }
}

/** UAX 9 rule L2: from the highest level down to 1, reverses each sequence at or above it. */
function visualOrder(items: Item[]): Item[] {
  const order = [...items]
  for (let level = Math.max(0, ...order.map(item => item.level)); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && order[to]!.level >= level) to++
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  }
  return order
}
