/**
 * The typefaces inside the executable. A further script is one more row.
 * Holds paths and, once asked, bytes; parses nothing. All faces are TrueType outlines (ISO 32000-2 §9.9, FontFile2), licence OFL 1.1.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import ruqaaPath from '@expo-google-fonts/aref-ruqaa/400Regular/ArefRuqaa_400Regular.ttf' with { type: 'file' }
import caveatPath from '@expo-google-fonts/caveat/400Regular/Caveat_400Regular.ttf' with { type: 'file' }
import charmPath from '@expo-google-fonts/charm/400Regular/Charm_400Regular.ttf' with { type: 'file' }
import gveretLevinPath from '@expo-google-fonts/gveret-levin/400Regular/GveretLevin_400Regular.ttf' with { type: 'file' }
import kalamPath from '@expo-google-fonts/kalam/400Regular/Kalam_400Regular.ttf' with { type: 'file' }
import mynervePath from '@expo-google-fonts/mynerve/Mynerve_400Regular.ttf' with { type: 'file' }
import nanumPenPath from '@expo-google-fonts/nanum-pen-script/400Regular/NanumPenScript_400Regular.ttf' with { type: 'file' }
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
import kurenaidoPath from '@expo-google-fonts/zen-kurenaido/400Regular/ZenKurenaido_400Regular.ttf' with { type: 'file' }
import zhiMangXingPath from '@expo-google-fonts/zhi-mang-xing/400Regular/ZhiMangXing_400Regular.ttf' with { type: 'file' }

/** What a text is set as: running text, headings and names, or a typed signature. */
export type FontStyle = 'text' | 'strong' | 'signature'

/** What one face is drawn for, by ISO 15924: Han characters have one form in Chinese (Hans), another in Japanese (Jpan) or in Korean (Kore). */
export type Script = 'Latn' | 'Grek' | 'Cyrl' | 'Arab' | 'Hebr' | 'Thai' | 'Deva' | 'Hans' | 'Jpan' | 'Kore'

export interface Font {
  /** PostScript name, ISO 32000-2 §9.6.2. */
  name: string
  style: FontStyle
  writings: readonly Script[]
  path: string
  /** How much larger than the type size its letters are set, so that all faces of a style look of one size. */
  scale: number
}

const EUROPEAN = ['Latn', 'Grek', 'Cyrl'] as const

/** One row a face. Of faces for the same, those of many thousand characters come last, so that they are asked last. */
export const FONTS: readonly Font[] = [
  { name: 'NotoSans-Regular', style: 'text', writings: EUROPEAN, path: latinPath, scale: 1 },
  { name: 'NotoSans-Bold', style: 'strong', writings: EUROPEAN, path: latinBoldPath, scale: 1 },
  { name: 'NotoSansArabic-Regular', style: 'text', writings: ['Arab'], path: arabicPath, scale: 1 },
  { name: 'NotoSansArabic-Bold', style: 'strong', writings: ['Arab'], path: arabicBoldPath, scale: 1 },
  { name: 'NotoSansHebrew-Regular', style: 'text', writings: ['Hebr'], path: hebrewPath, scale: 1 },
  { name: 'NotoSansHebrew-Bold', style: 'strong', writings: ['Hebr'], path: hebrewBoldPath, scale: 1 },
  { name: 'NotoSansThai-Regular', style: 'text', writings: ['Thai'], path: thaiPath, scale: 1 },
  { name: 'NotoSansThai-Bold', style: 'strong', writings: ['Thai'], path: thaiBoldPath, scale: 1 },
  { name: 'NotoSansDevanagari-Regular', style: 'text', writings: ['Deva'], path: devanagariPath, scale: 1 },
  { name: 'NotoSansDevanagari-Bold', style: 'strong', writings: ['Deva'], path: devanagariBoldPath, scale: 1 },
  { name: 'NotoSansSC-Regular', style: 'text', writings: ['Hans'], path: chinesePath, scale: 1 },
  { name: 'NotoSansJP-Regular', style: 'text', writings: ['Jpan'], path: japanesePath, scale: 1 },
  { name: 'NotoSansKR-Regular', style: 'text', writings: ['Kore'], path: koreanPath, scale: 1 },
  { name: 'Caveat-Regular', style: 'signature', writings: ['Latn', 'Cyrl'], path: caveatPath, scale: 1.25 },
  // Second for Latin: Vietnamese and African letters that the first lacks.
  { name: 'Mynerve-Regular', style: 'signature', writings: ['Latn', 'Grek'], path: mynervePath, scale: 1.1 },
  // No hand, but slanting: for what the hands lack, such as the breathings of ancient Greek.
  { name: 'NotoSans-Italic', style: 'signature', writings: EUROPEAN, path: latinItalicPath, scale: 1 },
  { name: 'ArefRuqaa-Regular', style: 'signature', writings: ['Arab'], path: ruqaaPath, scale: 1.1 },
  { name: 'GveretLevin-Regular', style: 'signature', writings: ['Hebr'], path: gveretLevinPath, scale: 1 },
  { name: 'Charm-Regular', style: 'signature', writings: ['Thai'], path: charmPath, scale: 1.15 },
  { name: 'Kalam-Regular', style: 'signature', writings: ['Deva'], path: kalamPath, scale: 1 },
  { name: 'ZhiMangXing-Regular', style: 'signature', writings: ['Hans'], path: zhiMangXingPath, scale: 1.2 },
  { name: 'ZenKurenaido-Regular', style: 'signature', writings: ['Jpan'], path: kurenaidoPath, scale: 1.05 },
  { name: 'NanumPenScript-Regular', style: 'signature', writings: ['Kore'], path: nanumPenPath, scale: 1.35 },
]

/** Faces for reading: what one of these hasCharacter can be printed. */
export const TEXT_FONTS: readonly Font[] = FONTS.filter(({ style }) => style !== 'signature')

/** Faces written by a hand, for the letters of one writing; none where no such face is embedded. */
export function handwritingFontsFor(writing: Script): Font[] {
  return FONTS.filter(({ style, writings }) => style === 'signature' && writings.includes(writing))
}

/**
 * LayoutLocale faces in the order in which they are asked for a character: those of its own writing, then European ones, then those of the text's HanVariant
 * characters, then the rest; among them those of the style first: a letter in another style is better than none.
 */
export function textFontsFor(style: FontStyle, writing: Script, han: Script): Font[] {
  const rank = ({ style: own, writings }: Font) => {
    const kin = [writing, 'Latn' as const, han].findIndex(each => writings.includes(each))
    return (kin < 0 ? 3 : kin) * 3 + (own === style ? 0 : own === 'text' ? 1 : 2)
  }
  // Sorting is stable: faces of one rank keep the order of the rows.
  return [...TEXT_FONTS].sort((a, b) => rank(a) - rank(b))
}

/** The first bytes of a gzip file (RFC 1952 §2.3.1); no TrueType file begins with them. */
const GZIP = [0x1f, 0x8b]

/**
 * The bytes of a face, read anew: who needs them keeps what they say, not them. The bundle may hold a face gzipped, half as large.
 * Throws where the executable was built without it.
 */
export function readFontFile(face: Font): Uint8Array {
  const stored = readFileSync(face.path)
  return GZIP.every((byte, i) => stored[i] === byte) ? gunzipSync(stored) : stored
}
