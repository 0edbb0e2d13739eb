/**
 * Which characters which glyphs stand for, and where a reader will think them: so that selecting, searching and copying give the text in reading
 * order. ISO 32000-2 §9.10 and §14.9.4. Common readers were asked: they take a glyph that is raised or shifted for a word of its own, two in one place
 * for one printed twice, and turn right-to-left text round character by character.
 */
import type { Cluster, Glyph, Run } from './shape.ts'

/** A glyph where it stands in its run, em from the run's left edge and above its baseline, and the characters it carries. */
export interface PlacedGlyph {
  glyph: number
  /** Empty where the glyph only completes another. */
  text: string
  x: number
  y: number
}

/** Glyphs that are read as one; with more than one glyph their text has to be said by ActualText. */
export interface GlyphGroup {
  text: string
  placed: PlacedGlyph[]
}

/** Between two points of the baseline, em. */
interface Span extends GlyphGroup {
  from: number
  to: number
}

/** All glyphs of a run in the order in which they are to be shown. `blank`: a glyph without ink; `widthOf`: a glyph's own width, em. */
export function groupGlyphs(run: Run, blank: number, widthOf: (glyph: number) => number): GlyphGroup[] {
  const groups = known.get(run) ?? grouped(run, blank, widthOf)
  known.set(run, groups)
  return groups
}

/** Blank and widths are those of the run's own face: a run has one answer. */
const known = new WeakMap<Run, GlyphGroup[]>()

function grouped({ clusters, rtl }: Run, blank: number, widthOf: (glyph: number) => number): GlyphGroup[] {
  let start = 0
  const spans = (rtl ? lettersOf(clusters) : clusters).flatMap(cluster => {
    const from = start
    start += advanceOf(cluster.glyphs)
    return rtl ? charactersOf(cluster, from) : [wholeOf(cluster, from)]
  })
  return spans.map(span => ({ text: span.text, placed: framed(span, blank, widthOf) }))
}

/** em: nearer than this readers take a glyph for the next of its word. */
const NEAR = 0.05

/** Readers measure what they read by its first and its last glyph: one that stands off the baseline, or elsewhere, gets a blank one beside it. */
function framed({ text, placed, from, to }: Span, blank: number, widthOf: (glyph: number) => number): PlacedGlyph[] {
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

function placedAt(glyphs: Glyph[], start: number): PlacedGlyph[] {
  let at = start
  return glyphs.map(({ id, advance, dx, dy }) => {
    at += advance
    return { glyph: id, text: '', x: at - advance + dx, y: dy }
  })
}

/** A cluster read from left to right: its characters shared out among its glyphs for readers that know no ActualText. */
function wholeOf({ glyphs, text }: Cluster, start: number): Span {
  const characters = [...(glyphs.length > [...text].length ? text.normalize('NFD') : text)]
  const placed = placedAt(glyphs, start)
  const carriers = carriersOf(glyphs, characters.length)
  for (const [i, carrier] of carriers.entries()) {
    placed[carrier]!.text = i === carriers.length - 1 ? characters.slice(i).join('') : characters[i]!
  }
  return { text, placed, from: start, to: start + advanceOf(glyphs) }
}

/** From right to left, marks are clusters of their own, on paper left of their letter's: back together. */
function lettersOf(clusters: Cluster[]): Cluster[] {
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
 * A letter read from right to left, character by character in visual order: readers turn such text round themselves, and would turn round what
 * several characters together stand for. Its width is shared out among them: characters in one place are taken for one printed twice.
 */
function charactersOf({ glyphs, text }: Cluster, start: number): Span[] {
  const characters = [...text].reverse()
  const placed = placedAt(glyphs, start)
  const carriers = carriersOf(glyphs, characters.length)
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

/** Which glyphs carry a character, where there are more of them than characters: the widest; as indices in ascending order. */
function carriersOf(glyphs: Glyph[], count: number): number[] {
  const order = glyphs.map((_, i) => i).sort((a, b) => glyphs[b]!.advance - glyphs[a]!.advance)
  return order.slice(0, count).sort((a, b) => a - b)
}
