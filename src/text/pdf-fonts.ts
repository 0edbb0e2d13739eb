/**
 * Fonts of one PDF under construction: remembers which glyphs its pages show, writes text operators, and at the end embeds each face cut down to them.
 * Type 0 font, CIDFontType2, Identity-H (ISO 32000-2 §9.7). A CID stands for a glyph in one meaning, so that ToUnicode (§9.10.3) is right for every
 * letter, though letters share glyphs; where a letter takes several glyphs, ActualText (§14.9.4) says what they are together.
 */
import { deflateSync } from 'node:zlib'
import { type PDFDocument, type PDFRef, PDFString } from 'pdf-lib'
import { loadForShaping, loadForSubsetting } from './font-cache.ts'
import { FONTS, type Font } from './fonts.ts'
import { groupGlyphs, type PlacedGlyph } from './glyph-text.ts'
import { openShaper, openSubsetter, type Subsetter } from './harfbuzz.ts'
import type { FontMetrics } from './sfnt.ts'
import type { Line, Run } from './shape.ts'

/** The type of one document. */
export interface PdfFonts {
  /** Content stream operators that set a line, its baseline starting at x, y; all in units of the current space. */
  show(line: Line, x: number, y: number, size: number): string
  /** The Font resource dictionary all pages share (§7.8.3); it stands once `embed` was called. */
  resources: PDFRef
  /** Embeds what was shown. Call once, after the last `show`. */
  embed(): void
}

interface Entry {
  key: string
  ref: PDFRef
  face: Font
  metrics: FontMetrics
  /** Indexed by CID; 0 is the box for missing characters (§9.7.4.2). */
  signs: Pick<PlacedGlyph, 'glyph' | 'text'>[]
  /** A glyph without ink. */
  blank: number
  /** CIDs by glyph and text. */
  known: Map<string, number>
  /** Advance widths in 1/1000 em. */
  widthOf(glyph: number): number
}

export async function openPdfFonts(pdf: PDFDocument): Promise<PdfFonts> {
  const [shaper, subsetter] = await Promise.all([openShaper(), openSubsetter()])
  const entries = new Map<Font, Entry>()
  const entryFor = (face: Font): Entry => {
    const known = entries.get(face)
    if (known) return known
    const { font, metrics, blank } = loadForShaping(shaper, face)
    const widthOf = (glyph: number) => (shaper.advanceOf(font, glyph) * 1000) / metrics.unitsPerEm
    const entry: Entry = {
      key: `F${FONTS.indexOf(face)}`,
      ref: pdf.context.nextRef(),
      face,
      signs: [{ glyph: 0, text: '' }],
      metrics,
      blank,
      known: new Map(),
      widthOf,
    }
    entries.set(face, entry)
    return entry
  }
  const resources = pdf.context.nextRef()
  return {
    resources,
    show(line, x, y, size) {
      const operators = ['BT']
      let at = x
      for (const run of line.runs) {
        const entry = entryFor(run.face)
        operators.push(
          `/${entry.key} ${num(size * entry.face.scale)} Tf 1 0 0 1 ${num(at)} ${num(y)} Tm`,
          ...showRun(entry, run, size),
        )
        at += size * run.clusters.flatMap(cluster => cluster.glyphs).reduce((sum, glyph) => sum + glyph.advance, 0)
      }
      return [...operators, 'ET'].join('\n')
    },
    embed() {
      const used = [...entries.values()]
      pdf.context.assign(resources, pdf.context.obj(Object.fromEntries(used.map(({ key, ref }) => [key, ref]))))
      for (const entry of used) embedFace(pdf, entry, subsetter)
    },
  }
}

/** A number as a content stream takes it: no exponent, four decimals. */
export function num(value: number): string {
  const text = value.toFixed(4).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** Builds TJ arrays; one is closed whenever the text rise or the marked content changes. */
function showRun(entry: Entry, run: Run, size: number): string[] {
  const operators: string[] = []
  let parts: string[] = []
  let [pen, rise] = [0, 0]
  const { scale } = entry.face
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
    // TJ numbers are thousandths of the face's own size, subtracted from the position.
    if (Math.abs(x - pen) > 1e-6) parts.push(`${num(((pen - x) * 1000) / scale)} `)
    parts.push(`<${hex4(cidOf(entry, glyph, text))}>`)
    pen = x + widthOf(glyph)
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

function cidOf({ signs, known }: Entry, glyph: number, text: string): number {
  const key = `${glyph} ${text}`
  const cid = known.get(key) ?? signs.push({ glyph, text }) - 1
  known.set(key, cid)
  return cid
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0')
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function embedFace(pdf: PDFDocument, entry: Entry, subsetter: Subsetter): void {
  const { context } = pdf
  const { face, signs, ref, widthOf } = entry
  const glyphs = [...new Set(signs.map(({ glyph }) => glyph))].sort((a, b) => a - b)
  const bytes = subsetter.subset(loadForSubsetting(subsetter, face), glyphs)
  const name = `${subsetTag(glyphs)}+${face.name}`
  const stream = (content: Uint8Array, more: Record<string, number>) =>
    context.register(context.stream(deflateSync(content), { Filter: 'FlateDecode', ...more }))
  const file = stream(bytes, { Length1: bytes.length })
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(context.obj({ ...descriptorOf(entry, name), FontFile2: file })),
    CIDToGIDMap: stream(Buffer.from(signs.map(({ glyph }) => hex4(glyph)).join(''), 'hex'), {}),
    DW: 0,
    W: [0, signs.map(({ glyph }) => widthOf(glyph))],
  })
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: stream(Buffer.from(toUnicode(signs)), {}),
  })
  context.assign(ref, font)
}

/** Entries of a font descriptor, ISO 32000-2 §9.8. */
function descriptorOf({ face, metrics }: Entry, name: string) {
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
    StemV: face.style === 'strong' ? 140 : 80,
  }
}

/** §9.9.2: six capitals that tell subsets of one face apart; the same glyphs give the same letters. */
function subsetTag(glyphs: number[]): string {
  let rest = Bun.hash.crc32(glyphs.join()) >>> 0
  return Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(65 + (rest % 26))
    rest = Math.floor(rest / 26)
    return letter
  }).join('')
}

/** At most 100 entries a block, as Adobe Technical Note 5014 asks. */
const BLOCK = 100

/** WORD JOINER, for glyphs that add no character: a reader that finds nothing in the map writes something of its own. */
const NO_TEXT = '\u2060'

function toUnicode(signs: Entry['signs']): string {
  const rows = signs.slice(1).map(({ text }, i) => `<${hex4(i + 1)}> <${utf16(text || NO_TEXT)}>`)
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
