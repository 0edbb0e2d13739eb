/**
 * The fonts of one new PDF: writes text operators, and finally embeds each font with only the
 * glyphs shown. A CID is a glyph with one meaning, because letters can share a glyph.
 */
import { deflateSync } from 'node:zlib'
import { type PDFDocument, type PDFRef, PDFString } from 'pdf-lib'
import { loadForShaping, loadForSubsetting } from './font-cache.ts'
import { FONTS, type Font } from './fonts.ts'
import { openShaper, openSubsetter, type Shaper, type Subsetter } from './harfbuzz.ts'
import type { FontMetrics } from './sfnt.ts'
import type { Cluster, Glyph, Line, Run } from './shape.ts'

// Assigns text to glyphs so that common readers copy it in order. ISO 32000-2 §9.10, §14.9.4

/** A glyph's position in its run (em, from the run's left edge and the baseline), and its text. */
interface PlacedGlyph {
  glyph: number
  /** Empty if the glyph only completes another. */
  text: string
  x: number
  y: number
}

/** Glyphs that are read as one. Several glyphs need an ActualText. */
interface GlyphGroup {
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
function groupGlyphs(run: Run, blank: number, widthOf: (glyph: number) => number): GlyphGroup[] {
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
const NEAR_EM = 0.05

/**
 * Readers measure a group by its first and last glyph, and take a raised or shifted glyph for a
 * word of its own. A blank on the baseline beside such a glyph prevents that.
 */
function addBlanks({ text, placed, from, to }: Span, blank: number, widthOf: (glyph: number) => number): PlacedGlyph[] {
  const blankAt = (x: number, carried = ''): PlacedGlyph => ({ glyph: blank, text: carried, x, y: 0 })
  const [first, last] = [placed[0], placed.at(-1)]
  const end = to - widthOf(blank)
  if (!first || !last) return [blankAt(from, text), blankAt(end)]
  const isOff = (x: number, y: number, point: number) => y !== 0 || Math.abs(x - point) > NEAR_EM
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

/**
 * One font of the PDF: a Type 0 font with Identity-H (ISO 32000-2 §9.7). ToUnicode (§9.10.3) maps
 * each CID to its text; ActualText (§14.9.4) gives the text of several glyphs together.
 */
// The fonts of a PDF.

interface EmbeddedFont {
  key: string
  ref: PDFRef
  font: Font
  metrics: FontMetrics
  /** Indexed by CID; 0 is the box for missing characters (§9.7.4.2). */
  characters: Pick<PlacedGlyph, 'glyph' | 'text'>[]
  blank: number
  /** CIDs by glyph and text. */
  cids: Map<string, number>
  /** Advance widths in 1/1000 em. */
  widthOf(glyph: number): number
}

export async function openPdfFonts(pdf: PDFDocument): Promise<PdfFonts> {
  const [shaper, subsetter] = await Promise.all([openShaper(), openSubsetter()])
  return new PdfFonts(pdf, shaper, subsetter)
}

export class PdfFonts {
  readonly #pdf: PDFDocument
  readonly #shaper: Shaper
  readonly #subsetter: Subsetter
  readonly #fonts = new Map<Font, EmbeddedFont>()
  /** The Font resource dictionary of all pages (§7.8.3); `embed` writes it. */
  readonly resources: PDFRef

  constructor(pdf: PDFDocument, shaper: Shaper, subsetter: Subsetter) {
    this.#pdf = pdf
    this.#shaper = shaper
    this.#subsetter = subsetter
    this.resources = pdf.context.nextRef()
  }

  /** Content stream operators for a line whose baseline starts at x, y; in units of user space. */
  show(line: Line, x: number, y: number, size: number): string {
    const operators = ['BT']
    let at = x
    for (const run of line.runs) {
      const entry = this.#embeddedFont(run.font)
      operators.push(
        `/${entry.key} ${num(size * entry.font.scale)} Tf 1 0 0 1 ${num(at)} ${num(y)} Tm`,
        ...showRun(entry, run, size),
      )
      at += size * run.clusters.flatMap(cluster => cluster.glyphs).reduce((sum, glyph) => sum + glyph.advance, 0)
    }
    return [...operators, 'ET'].join('\n')
  }

  /** Call once, after the last `show`. */
  embed(): void {
    const { context } = this.#pdf
    const used = [...this.#fonts.values()]
    context.assign(this.resources, context.obj(Object.fromEntries(used.map(({ key, ref }) => [key, ref]))))
    for (const entry of used) embedFont(this.#pdf, entry, this.#subsetter)
  }

  #embeddedFont(font: Font): EmbeddedFont {
    const known = this.#fonts.get(font)
    if (known) return known
    const { handle, metrics, blank } = loadForShaping(this.#shaper, font)
    const entry: EmbeddedFont = {
      key: `F${FONTS.indexOf(font)}`,
      ref: this.#pdf.context.nextRef(),
      font,
      metrics,
      characters: [{ glyph: 0, text: '' }],
      blank,
      cids: new Map(),
      widthOf: glyph => (this.#shaper.advanceOf(handle, glyph) * 1000) / metrics.unitsPerEm,
    }
    this.#fonts.set(font, entry)
    return entry
  }
}

/** A number in a content stream: no exponent, four decimals. */
export function num(value: number): string {
  const text = value.toFixed(4).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** Builds TJ arrays; a change of the text rise or of the marked content ends one. */
function showRun(entry: EmbeddedFont, run: Run, size: number): string[] {
  const operators: string[] = []
  let parts: string[] = []
  let [position, rise] = [0, 0]
  const { scale } = entry.font
  const widthOf = (glyph: number) => (entry.widthOf(glyph) * scale) / 1000
  const flush = () => {
    if (parts.length > 0) operators.push(`[${parts.join('')}] TJ`)
    parts = []
  }
  const put = ({ glyph, text, x, y }: PlacedGlyph) => {
    if (y !== rise) {
      flush()
      rise = y
      operators.push(`${num(rise * size)} Ts`)
    }
    // TJ numbers are thousandths of the font's own size, subtracted from the position.
    if (Math.abs(x - position) > 1e-6) parts.push(`${num(((position - x) * 1000) / scale)} `)
    parts.push(`<${hex4(cidOf(entry, glyph, text))}>`)
    position = x + widthOf(glyph)
  }
  for (const { text, placed } of groupGlyphs(run, entry.blank, widthOf)) {
    if (placed.length < 2) placed.forEach(put)
    else {
      flush()
      operators.push(`/Span <</ActualText <feff${utf16(text)}>>> BDC`)
      placed.forEach(put)
      flush()
      operators.push('EMC')
    }
  }
  flush()
  if (rise !== 0) operators.push('0 Ts')
  return operators
}

function cidOf({ characters, cids }: EmbeddedFont, glyph: number, text: string): number {
  const key = `${glyph} ${text}`
  const cid = cids.get(key) ?? characters.push({ glyph, text }) - 1
  cids.set(key, cid)
  return cid
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0')
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function embedFont({ context }: PDFDocument, entry: EmbeddedFont, subsetter: Subsetter): void {
  const { font, characters, ref, widthOf } = entry
  const glyphs = [...new Set(characters.map(({ glyph }) => glyph))].sort((a, b) => a - b)
  const bytes = subsetter.subset(loadForSubsetting(subsetter, font), glyphs)
  const name = `${subsetTag(glyphs)}+${font.name}`
  const stream = (content: Uint8Array, more: Record<string, number>) =>
    context.register(context.stream(deflateSync(content), { Filter: 'FlateDecode', ...more }))
  const file = stream(bytes, { Length1: bytes.length })
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(context.obj({ ...descriptorOf(entry, name), FontFile2: file })),
    CIDToGIDMap: stream(Buffer.from(characters.map(({ glyph }) => hex4(glyph)).join(''), 'hex'), {}),
    DW: 0,
    W: [0, characters.map(({ glyph }) => widthOf(glyph))],
  })
  const type0 = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: stream(Buffer.from(toUnicode(characters)), {}),
  })
  context.assign(ref, type0)
}

/** ISO 32000-2 §9.8 */
function descriptorOf({ font, metrics }: EmbeddedFont, name: string) {
  return {
    Type: 'FontDescriptor',
    FontName: name,
    // §9.8.2: 4 symbolic (glyphs are addressed by number), 64 italic.
    Flags: 4 + (metrics.italicAngle === 0 ? 0 : 64),
    FontBBox: metrics.box,
    ItalicAngle: Math.round(metrics.italicAngle * 100) / 100,
    Ascent: metrics.ascent,
    Descent: metrics.descent,
    CapHeight: metrics.capHeight,
    StemV: font.style === 'strong' ? 140 : 80,
  }
}

/** §9.9.2: six capitals that distinguish the subsets of a font, by their glyphs. */
function subsetTag(glyphs: number[]): string {
  let rest = Bun.hash.crc32(glyphs.join()) >>> 0
  return Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(65 + (rest % 26))
    rest = Math.floor(rest / 26)
    return letter
  }).join('')
}

/** At most 100 entries a block, by Adobe Technical Note 5014. */
const BLOCK = 100

/** WORD JOINER, for glyphs without text: a reader without a mapping invents a character. */
const NO_TEXT = '\u2060'

function toUnicode(characters: EmbeddedFont['characters']): string {
  const rows = characters.slice(1).map(({ text }, i) => `<${hex4(i + 1)}> <${utf16(text || NO_TEXT)}>`)
  const blocks: string[] = []
  for (let i = 0; i < rows.length; i += BLOCK) {
    const block = rows.slice(i, i + BLOCK)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}
