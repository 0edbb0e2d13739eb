/**
 * The typefaces inside the executable, in the order in which they are asked for a character. A further script is one more row.
 * Holds paths and, once asked, bytes; parses nothing. All faces are TrueType outlines (ISO 32000-2 §9.9, FontFile2), licence OFL 1.1.
 */
import { readFileSync } from 'node:fs'
import regularPath from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import italicPath from '@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf' with { type: 'file' }
import boldPath from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }

/** What a text is set as: running text, headings and names, or a typed signature. */
export type Style = 'text' | 'strong' | 'signature'

export interface Face {
  /** PostScript name, ISO 32000-2 §9.6.2. */
  name: string
  style: Style
  path: string
}

export const FACES: readonly Face[] = [
  { name: 'NotoSans-Regular', style: 'text', path: regularPath },
  { name: 'NotoSans-Bold', style: 'strong', path: boldPath },
  { name: 'NotoSans-Italic', style: 'signature', path: italicPath },
]

/** The faces of a style, then all others: a letter in another style is better than none. */
export function facesOf(style: Style): Face[] {
  return [...FACES.filter(face => face.style === style), ...FACES.filter(face => face.style !== style)]
}

const loaded = new Map<Face, Uint8Array>()

/** The bytes of a face, read once a process. Throws where the executable was built without it. */
export function faceBytes(face: Face): Uint8Array {
  const known = loaded.get(face)
  if (known) return known
  const bytes = new Uint8Array(readFileSync(face.path))
  loaded.set(face, bytes)
  return bytes
}
