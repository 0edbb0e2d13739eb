/**
 * Which characters this service can print. Small on purpose: the serving process asks it at every request and must not load a PDF, font or shaping
 * library, nor a font. What is known of a face is unpacked when that face is first asked, once a process.
 */
import { inflateRawSync } from 'node:zlib'
import { coverageTable } from './coverage-table.ts' with { type: 'macro' }
import { type Font, TEXT_FONTS } from './fonts.ts'

const table: Record<string, string> = coverageTable()
const unpacked = new Map<Font, Uint32Array>()

/** First and last code points of the ranges a face hasCharacter, in ascending order. */
function rangesOf(face: Font): Uint32Array {
  const known = unpacked.get(face)
  if (known) return known
  const bytes = inflateRawSync(Buffer.from(table[face.name]!, 'base64'))
  const ends: number[] = []
  let [value, shift, before] = [0, 0, 0]
  for (const byte of bytes) {
    value |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    before += value
    ends.push(before)
    value = shift = 0
  }
  const ranges = Uint32Array.from(ends)
  unpacked.set(face, ranges)
  return ranges
}

/** Whether the face maps this code point to a glyph: the number of range ends below it tells inside from outside. */
function maps(face: Font, code: number): boolean {
  const ends = rangesOf(face)
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle]! < code) low = middle + 1
    else high = middle
  }
  return low % 2 === 1 || ends[low] === code
}

/** Whether a face can draw one character: itself, or composed of its canonical parts (Unicode Standard Annex 15). */
export function hasCharacter(face: Font, character: string): boolean {
  if (maps(face, character.codePointAt(0)!)) return true
  const parts = [...character.normalize('NFD')]
  return (parts.length > 1 || parts[0] !== character) && parts.every(part => maps(face, part.codePointAt(0)!))
}

/** Set as a line break or a blank, or with no ink by definition: these need no glyph. */
export const INKLESS = /^[\t\n\r\p{Default_Ignorable_Code_Point}]$/u

/** Control characters: some faces map them to a blank, yet they are no text. */
const CONTROL = /^\p{Cc}$/u

/** The distinct characters of a text that no reading face hasCharacter, emoji among them, in the order of their first appearance. */
export function unprintable(text: string): string[] {
  // Most characters are in a map as they are; taking them apart costs more than looking in all maps.
  const isHeld = (character: string) =>
    TEXT_FONTS.some(face => maps(face, character.codePointAt(0)!)) || TEXT_FONTS.some(face => hasCharacter(face, character))
  return [...new Set(text)].filter(character => !INKLESS.test(character) && (CONTROL.test(character) || !isHeld(character)))
}
