/** The fonts this process has used: each is read and passed to HarfBuzz once. */
import { type Font, readFontFile } from './fonts.ts'
import type { FaceHandle, FontHandle, Shaper, Subsetter } from './harfbuzz.ts'
import { type FontMetrics, readFontMetrics, readGlyphBoxes, removeTables } from './sfnt.ts'

export interface CachedFont {
  handle: FontHandle
  metrics: FontMetrics
  boxes: Int16Array
  /** A glyph without ink: of zero width where the font has one, otherwise that of the space. */
  blank: number
}

/** Most of a font of many thousand characters, and not needed to shape. */
const OUTLINE_TABLES = ['glyf', 'loca', 'vmtx']
/** Characters without ink, most of them without width. */
const BLANKS = [0x200c, 0x200d, 0x200b, 0x2060, 0xfeff, 0x20]

const shapingFonts = new Map<Font, CachedFont>()
const subsettingFaces = new Map<Font, FaceHandle>()

/** Loads a font without its outlines. */
export function loadForShaping(shaper: Shaper, font: Font): CachedFont {
  const known = shapingFonts.get(font)
  if (known) return known
  const bytes = readFontFile(font)
  const handle = shaper.open(removeTables(bytes, OUTLINE_TABLES))
  const boxes = readGlyphBoxes(bytes)
  const cached = { handle, metrics: readFontMetrics(bytes), boxes, blank: findBlank(shaper, handle, boxes) }
  shapingFonts.set(font, cached)
  return cached
}

function findBlank(shaper: Shaper, handle: FontHandle, boxes: Int16Array): number {
  const glyphs = BLANKS.flatMap(code => shaper.glyphOf(handle, code) ?? [])
  const inkless = glyphs.filter(glyph => boxes.subarray(4 * glyph, 4 * glyph + 4).every(side => side === 0))
  const blank = inkless.find(glyph => shaper.advanceOf(handle, glyph) === 0) ?? inkless[0]
  if (blank === undefined) throw new Error('the font has no blank')
  return blank
}

export function loadForSubsetting(subsetter: Subsetter, font: Font): FaceHandle {
  const face = subsettingFaces.get(font) ?? subsetter.open(readFontFile(font))
  subsettingFaces.set(font, face)
  return face
}
