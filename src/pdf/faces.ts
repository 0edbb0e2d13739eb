/**
 * The typefaces inside the executable. A further script is one more row.
 * Holds paths and, once asked, bytes; parses nothing. All faces are TrueType outlines (ISO 32000-2 §9.9, FontFile2), licence OFL 1.1.
 */
import { readFileSync } from 'node:fs'
import latinPath from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import latinItalicPath from '@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf' with { type: 'file' }
import latinBoldPath from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }
import arabicPath from '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf' with { type: 'file' }
import arabicBoldPath from '@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf' with { type: 'file' }
import devanagariPath from '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf' with {
  type: 'file',
}
import devanagariBoldPath from '@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf' with {
  type: 'file',
}
import hebrewPath from '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf' with { type: 'file' }
import hebrewBoldPath from '@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf' with { type: 'file' }
import japanesePath from '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf' with { type: 'file' }
import koreanPath from '@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf' with { type: 'file' }
import chinesePath from '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf' with { type: 'file' }
import thaiPath from '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf' with { type: 'file' }
import thaiBoldPath from '@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf' with { type: 'file' }

/** What a text is set as: running text, headings and names, or a typed signature. */
export type Style = 'text' | 'strong' | 'signature'

/** What one face is drawn for, by ISO 15924: Han characters have one form in Chinese (Hans), another in Japanese (Jpan) or in Korean (Kore). */
export type Writing = 'Latn' | 'Grek' | 'Cyrl' | 'Arab' | 'Hebr' | 'Thai' | 'Deva' | 'Hans' | 'Jpan' | 'Kore'

export interface Face {
  /** PostScript name, ISO 32000-2 §9.6.2. */
  name: string
  style: Style
  writings: readonly Writing[]
  path: string
}

const EUROPEAN = ['Latn', 'Grek', 'Cyrl'] as const

/** Faces of many thousand characters come last, so that they are asked last. */
export const FACES: readonly Face[] = [
  { name: 'NotoSans-Regular', style: 'text', writings: EUROPEAN, path: latinPath },
  { name: 'NotoSans-Bold', style: 'strong', writings: EUROPEAN, path: latinBoldPath },
  { name: 'NotoSans-Italic', style: 'signature', writings: EUROPEAN, path: latinItalicPath },
  { name: 'NotoSansArabic-Regular', style: 'text', writings: ['Arab'], path: arabicPath },
  { name: 'NotoSansArabic-Bold', style: 'strong', writings: ['Arab'], path: arabicBoldPath },
  { name: 'NotoSansHebrew-Regular', style: 'text', writings: ['Hebr'], path: hebrewPath },
  { name: 'NotoSansHebrew-Bold', style: 'strong', writings: ['Hebr'], path: hebrewBoldPath },
  { name: 'NotoSansThai-Regular', style: 'text', writings: ['Thai'], path: thaiPath },
  { name: 'NotoSansThai-Bold', style: 'strong', writings: ['Thai'], path: thaiBoldPath },
  { name: 'NotoSansDevanagari-Regular', style: 'text', writings: ['Deva'], path: devanagariPath },
  { name: 'NotoSansDevanagari-Bold', style: 'strong', writings: ['Deva'], path: devanagariBoldPath },
  { name: 'NotoSansSC-Regular', style: 'text', writings: ['Hans'], path: chinesePath },
  { name: 'NotoSansJP-Regular', style: 'text', writings: ['Jpan'], path: japanesePath },
  { name: 'NotoSansKR-Regular', style: 'text', writings: ['Kore'], path: koreanPath },
]

/**
 * All faces in the order in which they are asked for a character: those of its own writing, then European ones, then those of the text's Han
 * characters, then the rest; among them those of the style first: a letter in another style is better than none.
 */
export function facesFor(style: Style, writing: Writing, han: Writing): Face[] {
  const rank = ({ style: own, writings }: Face) => {
    const kin = [writing, 'Latn' as const, han].findIndex(each => writings.includes(each))
    return (kin < 0 ? 3 : kin) * 3 + (own === style ? 0 : own === 'text' ? 1 : 2)
  }
  // Sorting is stable: faces of one rank keep the order of the rows.
  return [...FACES].sort((a, b) => rank(a) - rank(b))
}

/** The bytes of a face, read anew: who needs them keeps what they say, not them. Throws where the executable was built without it. */
export function faceBytes(face: Face): Uint8Array {
  return readFileSync(face.path)
}
