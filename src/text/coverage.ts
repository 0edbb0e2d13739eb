/** Which characters can be printed. Asked at every request, so it loads no font or library. */
import { inflateRawSync } from 'node:zlib'
import { coverageTable } from './coverage-table.ts' with { type: 'macro' }
import { type Font, TEXT_FONTS } from './fonts.ts'

const table: Record<string, string> = coverageTable()
const decoded = new Map<Font, Uint32Array>()

/** First and last code points of the font's ranges, ascending. Decoded once a process. */
function rangesOf(font: Font): Uint32Array {
  const known = decoded.get(font)
  if (known) return known
  const bytes = inflateRawSync(Buffer.from(table[font.name]!, 'base64'))
  const ends: number[] = []
  let [value, shift, previous] = [0, 0, 0]
  for (const byte of bytes) {
    value |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    previous += value
    ends.push(previous)
    value = shift = 0
  }
  const ranges = Uint32Array.from(ends)
  decoded.set(font, ranges)
  return ranges
}

/** Whether the font has a glyph for this code point: an odd number of range ends is below it. */
function hasCodePoint(font: Font, code: number): boolean {
  const ends = rangesOf(font)
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle]! < code) low = middle + 1
    else high = middle
  }
  return low % 2 === 1 || ends[low] === code
}

/** Whether a font can draw one character, as such or by its canonical decomposition (UAX 15). */
export function hasCharacter(font: Font, character: string): boolean {
  if (hasCodePoint(font, character.codePointAt(0)!)) return true
  const parts = [...character.normalize('NFD')]
  return (parts.length > 1 || parts[0] !== character) && parts.every(part => hasCodePoint(font, part.codePointAt(0)!))
}

/** A line break, a blank, or invisible by definition: needs no glyph. */
export const INKLESS = /^[\t\n\r\p{Default_Ignorable_Code_Point}]$/u

/** Control characters are no text, though some fonts map them to a blank. */
const CONTROL = /^\p{Cc}$/u

/** The distinct characters that no text font has, such as emoji, in order of first appearance. */
export function unprintable(text: string): string[] {
  // Most characters need no decomposition, which costs more than a search in all fonts.
  const hasGlyph = (character: string) =>
    TEXT_FONTS.some(font => hasCodePoint(font, character.codePointAt(0)!)) ||
    TEXT_FONTS.some(font => hasCharacter(font, character))
  return [...new Set(text)].filter(character => !INKLESS.test(character) && (CONTROL.test(character) || !hasGlyph(character)))
}
