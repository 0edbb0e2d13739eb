/**
 * Which characters this service can print. Small on purpose: the serving process asks it at every request and must not load a PDF or shaping library.
 * Reads the character map of an embedded face when it is first needed, once a process.
 */
import { FACES, type Face, faceBytes } from './faces.ts'
import { codePointsOf } from './sfnt.ts'

const maps = new Map<Face, Set<number>>()

/** The code points a face holds. */
function coverageOf(face: Face): Set<number> {
  const known = maps.get(face)
  if (known) return known
  const held = codePointsOf(faceBytes(face))
  maps.set(face, held)
  return held
}

/** Whether a face can draw one character: itself, or composed of its canonical parts (Unicode Standard Annex 15). */
export function holds(face: Face, character: string): boolean {
  const held = coverageOf(face)
  if (held.has(character.codePointAt(0)!)) return true
  return [...character.normalize('NFD')].every(part => held.has(part.codePointAt(0)!))
}

/** Set as a line break or a blank, or with no ink by definition: these need no glyph. */
export const INKLESS = /^[\t\n\r\p{Default_Ignorable_Code_Point}]$/u

/** Control characters: some faces map them to a blank, yet they are no text. */
const CONTROL = /^\p{Cc}$/u

/** The distinct characters of a text that no embedded face holds, in the order of their first appearance. */
export function unprintable(text: string): string[] {
  return [...new Set(text)].filter(
    character => !INKLESS.test(character) && (CONTROL.test(character) || !FACES.some(face => holds(face, character))),
  )
}
