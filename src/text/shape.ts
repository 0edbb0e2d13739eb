/**
 * Text into glyphs: which face, which direction, which glyph, how far. Lines of one paragraph, measured in em (1 = the type size).
 * Knows no page and no PDF. Order by the Unicode Bidirectional Algorithm (UAX 9), shapes by HarfBuzz.
 */
import bidiFactory from 'bidi-js'
import { loadForShaping } from './font-cache.ts'
import type { Font, FontStyle } from './fonts.ts'
import { openShaper, type ShapedGlyph, type Shaper } from './harfbuzz.ts'
import { detectHanVariant, type HanVariant, type Item, itemize } from './itemize.ts'
import { findBreaks } from './line-break.ts'

/** One glyph, in em. */
export interface Glyph {
  id: number
  advance: number
  dx: number
  dy: number
}

/** What cannot be taken apart: a letter with its marks (from right to left each by itself), or a ligature. `text` is what it stands for. */
export interface Cluster {
  text: string
  glyphs: Glyph[]
}

/** Glyphs of one face, in visual order from left to right. */
export interface Run {
  face: Font
  /** Read from right to left. */
  rtl: boolean
  clusters: Cluster[]
}

/** How far ink reaches, em: above and below the baseline, and out of the line's own width at the left and at the right. Never negative. */
export interface InkExtent {
  above: number
  below: number
  left: number
  right: number
}

/** One line as it stands on paper. */
export interface Line {
  /** In reading order, without the blanks at its end. */
  text: string
  runs: Run[]
  /** em */
  width: number
  ink: InkExtent
}

/** What a paragraph is set as where its own letters do not say: its direction is that of its first strong letter, its Han characters are Chinese. */
export interface ParagraphOptions {
  rtl?: boolean
  han?: HanVariant
}

/** A paragraph whose direction, faces and widths are known. */
export interface Paragraph {
  text: string
  rtl: boolean
  han: HanVariant
  /** em for the cluster that starts at a UTF-16 index, NaN inside a cluster. */
  widths: Float64Array
  /** For each index whether a line may begin there, as `findBreaks` says. */
  breaks: Uint8Array
  /** The farthest its ink reaches from any baseline it may stand on; `left` and `right` of one line of it. */
  ink: InkExtent
  /** The line that `text[start, end)` makes. */
  line(start: number, end: number): Line
}

/** Shapes one paragraph; line breaks in it count as blanks. */
export type ShapeParagraph = (text: string, style: FontStyle, setting?: ParagraphOptions) => Paragraph

/** Embeddings, overrides, isolates and marks: they could show a name in another order than it is stored in. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Mandatory breaks of UAX 14. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** Variants no embedded face has: behind a letter of several parts one would leave its face without a glyph. Han characters may have theirs. */
const VARIATIONS = /(?<!\p{Script=Han})[\ufe00-\ufe0f]/gu

/** Text as it can be printed: lines end with LF, tabs are blanks, characters that steer a terminal, a reading order or a letter’s form are gone, halves of surrogate pairs are U+FFFD. */
export function toPrintable(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n').replace(/\t/g, ' ')
  return lines.replace(CONTROLS, '').replace(REORDERING, '').replace(VARIATIONS, '').toWellFormed()
}

const bidi = bidiFactory()

/** Gets the shaper ready for one document. Equal texts, such as labels, are shaped once. */
export async function openParagraphShaper(): Promise<ShapeParagraph> {
  const shaper = await openShaper()
  return (text, style, setting = {}) => {
    const han = setting.han ?? detectHanVariant(text)
    const key = `${style} ${han} ${setting.rtl ?? ''} ${text}`
    const paragraph = known.get(key) ?? paragraphOf(shaper, text, style, han, setting.rtl)
    if (text.length <= REMEMBERED_LENGTH) remember(key, paragraph)
    return paragraph
  }
}

/** Most of what stands on a certificate page stands on the one before too: a process shapes it once. The least recently used goes first. */
const known = new Map<string, Paragraph>()
const MOST_REMEMBERED = 2000
const REMEMBERED_LENGTH = 200

function remember(key: string, paragraph: Paragraph): void {
  known.delete(key)
  known.set(key, paragraph)
  for (const oldest of known.keys()) {
    if (known.size <= MOST_REMEMBERED) break
    known.delete(oldest)
  }
}

function paragraphOf(shaper: Shaper, given: string, style: FontStyle, han: HanVariant, rtl: boolean | undefined): Paragraph {
  const text = toPrintable(given).replaceAll('\n', ' ')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, rtl === undefined ? 'auto' : rtl ? 'rtl' : 'ltr')
  const items = itemize(text, levels, style, han)
  const widths = new Float64Array(text.length).fill(Number.NaN)
  const whole = new Map(items.map(item => [item, shapeItem(shaper, text, item)]))
  for (const [item, clusters] of whole) {
    let [at, letter] = [item.start, item.start]
    for (const cluster of isRtl(item) ? clusters.toReversed() : clusters) {
      if (!MARKS.test(cluster.text)) letter = at
      widths[letter] = (widths[letter] || 0) + widthOf(cluster)
      at += cluster.text.length
    }
  }
  const lines = new Map<string, Line>()
  const line = (start: number, end: number): Line => {
    const key = `${start} ${end}`
    const known = lines.get(key) ?? lineOf(start, end)
    lines.set(key, known)
    return known
  }
  const lineOf = (start: number, end: number): Line => {
    const cut = items.filter(item => item.start < end && item.end > start)
    const runs = visualOrder(cut).map(item => {
      if (item.start >= start && item.end <= end) return runOf(item, whole.get(item)!)
      const part = { ...item, start: Math.max(start, item.start), end: Math.min(end, item.end) }
      return runOf(item, shapeItem(shaper, text, part))
    })
    const width = runs.flatMap(run => run.clusters).reduce((sum, cluster) => sum + widthOf(cluster), 0)
    return { text: text.slice(start, end), runs, width, ink: inkOf(shaper, runs) }
  }
  const ink = inkOf(
    shaper,
    visualOrder(items).map(item => runOf(item, whole.get(item)!)),
  )
  return { text, rtl: rtl ?? (paragraphs[0]?.level ?? 0) % 2 === 1, han, widths, breaks: findBreaks(text), ink, line }
}

/** Marks are clusters of their own from right to left; no line ends before them. */
const MARKS = /^[\p{M}\p{Join_Control}]/u

function isRtl({ level }: Item): boolean {
  return level % 2 === 1
}

function runOf(item: Item, clusters: Cluster[]): Run {
  return { face: item.face, rtl: isRtl(item), clusters }
}

function widthOf(cluster: Cluster): number {
  return cluster.glyphs.reduce((sum, glyph) => sum + glyph.advance, 0)
}

/** Measured by the boxes of the glyphs themselves: what a face says of its height does not bound its stacked marks. */
function inkOf(shaper: Shaper, runs: Run[]): InkExtent {
  let [at, above, below, left, right] = [0, 0, 0, 0, 0]
  for (const { face, clusters } of runs) {
    const { boxes, metrics } = loadForShaping(shaper, face)
    for (const glyph of clusters.flatMap(cluster => cluster.glyphs)) {
      const side = (i: number) => (boxes[4 * glyph.id + i]! * face.scale) / metrics.unitsPerEm
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
  const { font, metrics } = loadForShaping(shaper, item.face)
  const glyphs = shaper.shape(font, text, item.start, item.end, isRtl(item), item.script)
  const starts = [...new Set(glyphs.map(glyph => glyph.cluster))].sort((a, b) => a - b)
  const endOf = new Map(starts.map((start, i) => [start, starts[i + 1] ?? item.end]))
  const clusters: Cluster[] = []
  let open: number | undefined
  for (const glyph of glyphs) {
    if (glyph.cluster !== open) clusters.push({ text: text.slice(glyph.cluster, endOf.get(glyph.cluster)), glyphs: [] })
    open = glyph.cluster
    clusters.at(-1)!.glyphs.push(inEm(glyph, metrics.unitsPerEm / item.face.scale))
  }
  return clusters
}

/** `units`: as many of the face's own as make an em of the line. */
function inEm(glyph: ShapedGlyph, units: number): Glyph {
  return { id: glyph.id, advance: glyph.advance / units, dx: glyph.dx / units, dy: glyph.dy / units }
}

/** UAX 9 rule L2: from the highest level down to the lowest odd one, turn round every sequence at that level or above. */
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
