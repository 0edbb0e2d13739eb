/** Assigns text to glyphs so that common readers copy it in order. ISO 32000-2 §9.10, §14.9.4 */
import type { Cluster, Glyph, Run } from './shape.ts'

/** A glyph's position in its run (em, from the run's left edge and the baseline), and its text. */
export interface PlacedGlyph {
  glyph: number
  /** Empty if the glyph only completes another. */
  text: string
  x: number
  y: number
}

/** Glyphs that are read as one. Several glyphs need an ActualText. */
export interface GlyphGroup {
  text: string
  placed: PlacedGlyph[]
}

/** A group between two points of the baseline, em. */
interface Span extends GlyphGroup {
  from: number
  to: number
}

/** The font of the run decides blank and widths, so a run has one result. */
const groupsByRun = new WeakMap<Run, GlyphGroup[]>()

/** All glyphs of a run in painting order. `blank`: a glyph without ink; `widthOf`: em. */
export function groupGlyphs(run: Run, blank: number, widthOf: (glyph: number) => number): GlyphGroup[] {
  const groups = groupsByRun.get(run) ?? groupRun(run, blank, widthOf)
  groupsByRun.set(run, groups)
  return groups
}

function groupRun({ clusters, rtl }: Run, blank: number, widthOf: (glyph: number) => number): GlyphGroup[] {
  let start = 0
  const spans = (rtl ? joinMarks(clusters) : clusters).flatMap(cluster => {
    const from = start
    start += advanceOf(cluster.glyphs)
    return rtl ? splitCharacters(cluster, from) : [placeCluster(cluster, from)]
  })
  return spans.map(span => ({ text: span.text, placed: addBlanks(span, blank, widthOf) }))
}

/** em: readers take a glyph nearer than this for the next one of its word. */
const NEAR = 0.05

/**
 * Readers measure a group by its first and last glyph, and take a raised or shifted glyph for a
 * word of its own. A blank on the baseline beside such a glyph prevents that.
 */
function addBlanks({ text, placed, from, to }: Span, blank: number, widthOf: (glyph: number) => number): PlacedGlyph[] {
  const blankAt = (x: number, carried = ''): PlacedGlyph => ({ glyph: blank, text: carried, x, y: 0 })
  const [first, last] = [placed[0], placed.at(-1)]
  const end = to - widthOf(blank)
  if (!first || !last) return [blankAt(from, text), blankAt(end)]
  const isOff = (x: number, y: number, point: number) => y !== 0 || Math.abs(x - point) > NEAR
  const before = isOff(first.x, first.y, from) ? [blankAt(from)] : []
  const after = isOff(last.x + widthOf(last.glyph), last.y, to) ? [blankAt(end)] : []
  return [...before, ...placed, ...after]
}

function advanceOf(glyphs: Glyph[]): number {
  return glyphs.reduce((sum, glyph) => sum + glyph.advance, 0)
}

function placeGlyphs(glyphs: Glyph[], start: number): PlacedGlyph[] {
  let at = start
  return glyphs.map(({ id, advance, dx, dy }) => {
    at += advance
    return { glyph: id, text: '', x: at - advance + dx, y: dy }
  })
}

/** Left to right: distributes characters among glyphs, for readers that ignore ActualText. */
function placeCluster({ glyphs, text }: Cluster, start: number): Span {
  const characters = [...(glyphs.length > [...text].length ? text.normalize('NFD') : text)]
  const placed = placeGlyphs(glyphs, start)
  const carriers = chooseCarriers(glyphs, characters.length)
  for (const [i, carrier] of carriers.entries()) {
    placed[carrier]!.text = i === carriers.length - 1 ? characters.slice(i).join('') : characters[i]!
  }
  return { text, placed, from: start, to: start + advanceOf(glyphs) }
}

/** Right to left, a mark is a cluster left of its letter's: joins the two. */
function joinMarks(clusters: Cluster[]): Cluster[] {
  const letters: Cluster[] = []
  let open: Cluster = { text: '', glyphs: [] }
  for (const { text, glyphs } of clusters) {
    open = { text: text + open.text, glyphs: [...open.glyphs, ...glyphs] }
    if (advanceOf(glyphs) === 0) continue
    letters.push(open)
    open = { text: '', glyphs: [] }
  }
  return open.text === '' ? letters : [...letters, open]
}

/**
 * Right to left, readers reverse the text character by character, and would reverse an ActualText
 * of several too. So each character is a span of its own, in visual order. They share the width:
 * two characters in one place are taken for one printed twice.
 */
function splitCharacters({ glyphs, text }: Cluster, start: number): Span[] {
  const characters = [...text].reverse()
  const placed = placeGlyphs(glyphs, start)
  const carriers = chooseCarriers(glyphs, characters.length)
  const bare = characters.length - carriers.length
  const share = advanceOf(glyphs) / characters.length
  return characters.map((character, i): Span => {
    const [from, to] = [start + i * share, start + (i + 1) * share]
    const carrier = carriers[i - bare]
    if (carrier === undefined) return { text: character, placed: [], from, to }
    placed[carrier]!.text = character
    const first = i === bare ? 0 : carrier
    return { text: character, placed: placed.slice(first, carriers[i - bare + 1] ?? glyphs.length), from, to }
  })
}

/** The glyphs that carry a character: the widest, as ascending indices. */
function chooseCarriers(glyphs: Glyph[], count: number): number[] {
  const order = glyphs.map((_, i) => i).sort((a, b) => glyphs[b]!.advance - glyphs[a]!.advance)
  return order.slice(0, count).sort((a, b) => a - b)
}
