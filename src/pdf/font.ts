/**
 * Fonts of one PDF under construction: remembers which glyphs its pages show, writes text operators, and at the end embeds each face cut down to them.
 * Type 0 font, CIDFontType2, Identity-H (ISO 32000-2 §9.7); CIDs are the face's own glyph numbers, kept by the subsetter, so a glyph can be written
 * before the subset exists. Text extraction by ToUnicode (§9.10.3), and by ActualText (§14.9.4) where glyphs and characters do not match one to one.
 */
import { deflateSync } from 'node:zlib'
import { type PDFDocument, type PDFRef, PDFString } from 'pdf-lib'
import { FACES, type Face, faceBytes } from './faces.ts'
import { openShaper, openSubsetter, type Subsetter } from './harfbuzz.ts'
import { type Metrics, metricsOf } from './sfnt.ts'
import { type Cluster, handleOf, type Line } from './shape.ts'

/** The type of one document. */
export interface FontBook {
  /** Content stream operators that set a line, its baseline starting at x, y; all in units of the current space. */
  show(line: Line, x: number, y: number, size: number): string
  /** The Font resource dictionary every page may share. */
  resources: Record<string, PDFRef>
  /** Embeds what was shown. Call once, after the last `show`. */
  embed(): void
}

interface Entry {
  key: string
  ref: PDFRef
  face: Face
  /** Glyph number to the text it stands for; the first use decides, others are written with ActualText. */
  meaning: Map<number, string>
  /** Advance widths in 1/1000 em. */
  widthOf(glyph: number): number
}

export async function openFontBook(pdf: PDFDocument): Promise<FontBook> {
  const [shaper, subsetter] = await Promise.all([openShaper(), openSubsetter()])
  const entryOf = (face: Face, i: number): Entry => ({
    key: `F${i}`,
    ref: pdf.context.nextRef(),
    face,
    meaning: new Map(),
    widthOf(glyph) {
      const { font, unitsPerEm } = handleOf(shaper, face)
      return (shaper.advanceOf(font, glyph) * 1000) / unitsPerEm
    },
  })
  const entries = new Map(FACES.map((face, i) => [face, entryOf(face, i)]))
  return {
    resources: Object.fromEntries([...entries.values()].map(({ key, ref }) => [key, ref])),
    show(line, x, y, size) {
      const operators = ['BT']
      let at = x
      for (const run of line.runs) {
        const entry = entries.get(run.face)!
        operators.push(`/${entry.key} ${num(size)} Tf 1 0 0 1 ${num(at)} ${num(y)} Tm`, ...showRun(entry, run.clusters, size))
        at += size * run.clusters.flatMap(cluster => cluster.glyphs).reduce((sum, glyph) => sum + glyph.advance, 0)
      }
      return [...operators, 'ET'].join('\n')
    },
    embed() {
      for (const entry of entries.values()) embedFace(pdf, entry, subsetter)
    },
  }
}

/** A number as a content stream takes it: no exponent, four decimals. */
export function num(value: number): string {
  const text = value.toFixed(4).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** Builds TJ arrays; one is closed whenever the text rise or the marked content changes. */
function showRun(entry: Entry, clusters: Cluster[], size: number): string[] {
  const operators: string[] = []
  let parts: string[] = []
  let rise = 0
  const flush = () => {
    if (parts.length > 0) operators.push(`[${parts.join('')}] TJ`)
    parts = []
  }
  // TJ numbers are thousandths of the type size, subtracted from the position.
  const shift = (em: number) => {
    if (Math.abs(em) > 1e-6) parts.push(`${num(-em * 1000)} `)
  }
  const place = (glyph: Cluster['glyphs'][number]) => {
    if (glyph.dy !== rise) {
      flush()
      rise = glyph.dy
      operators.push(`${num(rise * size)} Ts`)
    }
    shift(glyph.dx)
    parts.push(`<${hex4(glyph.id)}>`)
    shift(glyph.advance - glyph.dx - entry.widthOf(glyph.id) / 1000)
  }
  for (const cluster of clusters) {
    if (learn(entry, cluster)) {
      cluster.glyphs.forEach(place)
      continue
    }
    flush()
    operators.push(`/Span <</ActualText <feff${utf16(cluster.text)}>>> BDC`)
    cluster.glyphs.forEach(place)
    flush()
    operators.push('EMC')
  }
  flush()
  if (rise !== 0) operators.push('0 Ts')
  return operators
}

/** Gives a glyph its meaning at first sight. Whether copying gives the right text from ToUnicode alone. */
function learn({ meaning }: Entry, { glyphs, text }: Cluster): boolean {
  const [first, ...more] = glyphs
  if (!first) return true
  const known = meaning.get(first.id)
  if (more.length === 0 && first.id !== 0 && (known === undefined || known === text)) {
    meaning.set(first.id, text)
    return true
  }
  // Glyphs that mean something only together must be in the subset all the same.
  for (const glyph of glyphs) if (!meaning.has(glyph.id)) meaning.set(glyph.id, '')
  return false
}

function hex4(glyph: number): string {
  return glyph.toString(16).padStart(4, '0')
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function embedFace(pdf: PDFDocument, entry: Entry, subsetter: Subsetter): void {
  const { context } = pdf
  const { face, meaning, ref, widthOf } = entry
  const glyphs = [...new Set([0, ...meaning.keys()])].sort((a, b) => a - b)
  const bytes = subsetter.subset(faceBytes(face), glyphs)
  const name = `${subsetTag(glyphs)}+${face.name}`
  const stream = (content: Uint8Array, more: Record<string, number>) =>
    context.register(context.stream(deflateSync(content), { Filter: 'FlateDecode', ...more }))
  const file = stream(bytes, { Length1: bytes.length })
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(context.obj({ ...descriptorOf(face, name), FontFile2: file })),
    CIDToGIDMap: 'Identity',
    DW: 0,
    W: glyphs.flatMap(glyph => [glyph, [widthOf(glyph)]]),
  })
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: stream(Buffer.from(toUnicode(meaning)), {}),
  })
  context.assign(ref, font)
}

/** Entries of a font descriptor, ISO 32000-2 §9.8. */
function descriptorOf(face: Face, name: string) {
  const metrics: Metrics = metricsOf(faceBytes(face))
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

function toUnicode(meaning: Map<number, string>): string {
  const rows = [...meaning]
    .filter(([, text]) => text !== '')
    .sort(([a], [b]) => a - b)
    .map(([glyph, text]) => `<${hex4(glyph)}> <${utf16(text)}>`)
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
