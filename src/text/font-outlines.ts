/** The outlines of the fonts inside the executable. */
import { type Font, readFontFile } from './fonts.ts'
import { GlyphOutlines } from './glyph-outlines.ts'

const opened = new Map<Font, GlyphOutlines>()

/** Reads the font at the first call. */
export function outlinesOf(font: Font): GlyphOutlines {
  const known = opened.get(font) ?? new GlyphOutlines(readFontFile(font))
  opened.set(font, known)
  return known
}
