/**
 * Text into glyphs: which face, which direction, which glyph, how far. Lines of one paragraph, measured in em (1 = the type size).
 * Knows no page and no PDF. Order by the Unicode Bidirectional Algorithm (UAX 9), shapes by HarfBuzz.
 */
import bidiFactory from 'bidi-js'
import { holds, INKLESS } from './coverage.ts'
import { type Face, faceBytes, facesOf, type Style } from './faces.ts'
import { type FontHandle, openShaper, type ShapedGlyph, type Shaper } from './harfbuzz.ts'
import { metricsOf } from './sfnt.ts'

/** One glyph, in em. */
export interface Glyph {
  id: number
  advance: number
  dx: number
  dy: number
}

/** What cannot be taken apart: a letter with its marks, or a ligature. `text` is what it stands for. */
export interface Cluster {
  text: string
  glyphs: Glyph[]
}

/** Glyphs of one face, in visual order from left to right. */
export interface Run {
  face: Face
  clusters: Cluster[]
}

/** One line as it stands on paper. */
export interface Line {
  /** In reading order, without the blanks at its end. */
  text: string
  runs: Run[]
  /** em */
  width: number
}

/** A paragraph whose direction, faces and widths are known; `widths[i]` em for the cluster that starts at UTF-16 index i, NaN inside a cluster. */
export interface Paragraph {
  text: string
  rtl: boolean
  widths: Float64Array
  /** The line that `text[start, end)` makes. */
  line(start: number, end: number): Line
}

/** Shapes one paragraph; line breaks in it count as blanks. */
export type Shape = (text: string, style: Style) => Paragraph

interface Item {
  start: number
  end: number
  face: Face
  level: number
  script: string | undefined
}

/** Embeddings, overrides, isolates and marks: they could show a name in another order than it is stored in. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Mandatory breaks of UAX 14. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** Text as it can be printed: lines end with LF, tabs are blanks, characters that steer a terminal or a reading order are gone, halves of surrogate pairs are U+FFFD. */
export function printable(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n').replace(/\t/g, ' ')
  return lines.replace(CONTROLS, '').replace(REORDERING, '').toWellFormed()
}

const bidi = bidiFactory()
const handles = new Map<Face, { font: FontHandle; unitsPerEm: number }>()

/** Gets the shaper ready for one document. Equal texts, such as labels, are shaped once. */
export async function openShape(): Promise<Shape> {
  const shaper = await openShaper()
  const known = new Map<string, Paragraph>()
  return (text, style) => {
    const key = `${style} ${text}`
    const paragraph = known.get(key) ?? paragraphOf(shaper, text, style)
    known.set(key, paragraph)
    return paragraph
  }
}

/** A face as HarfBuzz holds it: handed over once a process. */
export function handleOf(shaper: Shaper, face: Face): { font: FontHandle; unitsPerEm: number } {
  const known = handles.get(face)
  if (known) return known
  const bytes = faceBytes(face)
  const handle = { font: shaper.open(bytes), unitsPerEm: metricsOf(bytes).unitsPerEm }
  handles.set(face, handle)
  return handle
}

function paragraphOf(shaper: Shaper, given: string, style: Style): Paragraph {
  const text = printable(given).replaceAll('\n', ' ')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  const items = itemsOf(text, levels, style)
  const widths = new Float64Array(text.length).fill(Number.NaN)
  const whole = new Map(items.map(item => [item, shapeItem(shaper, text, item)]))
  for (const [item, clusters] of whole) {
    let at = item.start
    for (const cluster of item.level % 2 === 0 ? clusters : clusters.toReversed()) {
      widths[at] = widthOf(cluster)
      at += cluster.text.length
    }
  }
  const line = (start: number, end: number): Line => {
    const cut = items.filter(item => item.start < end && item.end > start)
    const runs = visualOrder(cut).map(item => {
      if (item.start >= start && item.end <= end) return { face: item.face, clusters: whole.get(item)! }
      const part = { ...item, start: Math.max(start, item.start), end: Math.min(end, item.end) }
      return { face: item.face, clusters: shapeItem(shaper, text, part) }
    })
    const width = runs.flatMap(run => run.clusters).reduce((sum, cluster) => sum + widthOf(cluster), 0)
    return { text: text.slice(start, end), runs, width }
  }
  return { text, rtl: (paragraphs[0]?.level ?? 0) % 2 === 1, widths, line }
}

function widthOf(cluster: Cluster): number {
  return cluster.glyphs.reduce((sum, glyph) => sum + glyph.advance, 0)
}

/** ISO 15924 tags of the scripts the faces are made for; all else is shaped as common. */
const SCRIPTS: readonly [string, RegExp][] = [
  ['Latn', /^\p{Script=Latin}$/u],
  ['Grek', /^\p{Script=Greek}$/u],
  ['Cyrl', /^\p{Script=Cyrillic}$/u],
]
/** Characters of no script of their own are shaped with what stands before them. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]$/u

function scriptOf(character: string): string {
  return SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Zyyy'
}

/** Cuts a paragraph where face, script or direction changes. */
function itemsOf(text: string, levels: Uint8Array, style: Style): Item[] {
  const faces = facesOf(style)
  const items: Item[] = []
  let at = 0
  for (const character of text) {
    const last = items.at(-1)
    const level = levels[at]!
    const face = faceFor(character, faces, last?.face)
    const script = COMMON.test(character) ? last?.script : scriptOf(character)
    const fits = last && last.face === face && last.level === level && (last.script === script || last.script === undefined)
    if (fits) Object.assign(last, { end: at + character.length, script })
    else items.push({ start: at, end: at + character.length, face, level, script })
    at += character.length
  }
  return items
}

/** Marks stay with the face before them when it holds them, so that one font places both. */
function faceFor(character: string, faces: Face[], before: Face | undefined): Face {
  const inkless = INKLESS.test(character)
  if (before && (inkless || (/^\p{M}$/u.test(character) && holds(before, character)))) return before
  // What nobody holds is drawn as the box for missing characters.
  return faces.find(face => holds(face, character)) ?? faces[0]!
}

function shapeItem(shaper: Shaper, text: string, item: Item): Cluster[] {
  const { font, unitsPerEm } = handleOf(shaper, item.face)
  const glyphs = shaper.shape(font, text, item.start, item.end, item.level % 2 === 1, item.script)
  const starts = [...new Set(glyphs.map(glyph => glyph.cluster))].sort((a, b) => a - b)
  const endOf = new Map(starts.map((start, i) => [start, starts[i + 1] ?? item.end]))
  const clusters: Cluster[] = []
  let open: number | undefined
  for (const glyph of glyphs) {
    if (glyph.cluster !== open) clusters.push({ text: text.slice(glyph.cluster, endOf.get(glyph.cluster)), glyphs: [] })
    open = glyph.cluster
    clusters.at(-1)!.glyphs.push(inEm(glyph, unitsPerEm))
  }
  return clusters
}

function inEm(glyph: ShapedGlyph, unitsPerEm: number): Glyph {
  return { id: glyph.id, advance: glyph.advance / unitsPerEm, dx: glyph.dx / unitsPerEm, dy: glyph.dy / unitsPerEm }
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
