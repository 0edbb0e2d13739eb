/**
 * The faces this process has used so far: each is read and handed to HarfBuzz once, and only its measures are kept here. What shapes gets it without
 * outlines, what cuts it down has it whole. Knows no text.
 */
import { type Font, readFontFile } from './fonts.ts'
import type { FaceHandle, FontHandle, Shaper, Subsetter } from './harfbuzz.ts'
import { type FontMetrics, readFontMetrics, readGlyphBoxes, removeTables } from './sfnt.ts'

export interface CachedFont {
  /** Inside the shaper. */
  font: FontHandle
  metrics: FontMetrics
  /** As `readGlyphBoxes` says. */
  boxes: Int16Array
  /** A glyph without ink: one without width if the face has any, else its blank. */
  blank: number
}

/** Most of a face of many thousand characters, and nothing the shaper asks. */
const OUTLINES = ['glyf', 'loca', 'vmtx']
/** Characters without ink, most of them without width. */
const BLANKS = [0x200c, 0x200d, 0x200b, 0x2060, 0xfeff, 0x20]

const held = new Map<Font, CachedFont>()
const wholes = new Map<Font, FaceHandle>()

/** A face as the shaper hasCharacter it. */
export function loadForShaping(shaper: Shaper, face: Font): CachedFont {
  const known = held.get(face)
  if (known) return known
  const bytes = readFontFile(face)
  const font = shaper.open(removeTables(bytes, OUTLINES))
  const boxes = readGlyphBoxes(bytes)
  const fresh = { font, metrics: readFontMetrics(bytes), boxes, blank: blankOf(shaper, font, boxes) }
  held.set(face, fresh)
  return fresh
}

function blankOf(shaper: Shaper, font: FontHandle, boxes: Int16Array): number {
  const glyphs = BLANKS.flatMap(code => shaper.glyphOf(font, code) ?? [])
  const inkless = glyphs.filter(glyph => boxes.subarray(4 * glyph, 4 * glyph + 4).every(side => side === 0))
  const blank = inkless.find(glyph => shaper.advanceOf(font, glyph) === 0) ?? inkless[0]
  if (blank === undefined) throw new Error('the face has no blank')
  return blank
}

/** A face as the subsetter hasCharacter it. */
export function loadForSubsetting(subsetter: Subsetter, face: Font): FaceHandle {
  const whole = wholes.get(face) ?? subsetter.open(readFontFile(face))
  wholes.set(face, whole)
  return whole
}
