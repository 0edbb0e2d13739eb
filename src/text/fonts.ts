/** The fonts inside the executable: TrueType, SIL OFL 1.1. Another script is one more row. */
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

/** Running text, headings and names, or a typed signature. */
export type FontStyle = 'text' | 'strong' | 'signature'

/** ISO 15924. Han characters differ in Chinese (Hans), Japanese (Jpan) and Korean (Kore). */
export type Script = 'Latn' | 'Grek' | 'Cyrl' | 'Arab' | 'Hebr' | 'Thai' | 'Deva' | 'Hans' | 'Jpan' | 'Kore'

export interface Font {
  /** PostScript name, ISO 32000-2 §9.6.2. */
  name: string
  style: FontStyle
  scripts: readonly Script[]
  path: string
  /** Enlargement that makes the fonts of a style look equally large. */
  scale: number
}

const EUROPEAN = ['Latn', 'Grek', 'Cyrl'] as const

/** Of fonts for the same script, those of many thousand characters come last: they load slowly. */
export const FONTS: readonly Font[] = [
  { name: 'NotoSans-Regular', style: 'text', scripts: EUROPEAN, path: latinPath, scale: 1 },
  { name: 'NotoSans-Bold', style: 'strong', scripts: EUROPEAN, path: latinBoldPath, scale: 1 },
  { name: 'NotoSansArabic-Regular', style: 'text', scripts: ['Arab'], path: arabicPath, scale: 1 },
  { name: 'NotoSansArabic-Bold', style: 'strong', scripts: ['Arab'], path: arabicBoldPath, scale: 1 },
  { name: 'NotoSansHebrew-Regular', style: 'text', scripts: ['Hebr'], path: hebrewPath, scale: 1 },
  { name: 'NotoSansHebrew-Bold', style: 'strong', scripts: ['Hebr'], path: hebrewBoldPath, scale: 1 },
  { name: 'NotoSansThai-Regular', style: 'text', scripts: ['Thai'], path: thaiPath, scale: 1 },
  { name: 'NotoSansThai-Bold', style: 'strong', scripts: ['Thai'], path: thaiBoldPath, scale: 1 },
  { name: 'NotoSansDevanagari-Regular', style: 'text', scripts: ['Deva'], path: devanagariPath, scale: 1 },
  { name: 'NotoSansDevanagari-Bold', style: 'strong', scripts: ['Deva'], path: devanagariBoldPath, scale: 1 },
  { name: 'NotoSansSC-Regular', style: 'text', scripts: ['Hans'], path: chinesePath, scale: 1 },
  { name: 'NotoSansJP-Regular', style: 'text', scripts: ['Jpan'], path: japanesePath, scale: 1 },
  { name: 'NotoSansKR-Regular', style: 'text', scripts: ['Kore'], path: koreanPath, scale: 1 },
  { name: 'Caveat-Regular', style: 'signature', scripts: ['Latn', 'Cyrl'], path: caveatPath, scale: 1.25 },
  // Second for Latin: Vietnamese and African letters that the first lacks.
  { name: 'Mynerve-Regular', style: 'signature', scripts: ['Latn', 'Grek'], path: mynervePath, scale: 1.1 },
  // An italic, for what the handwriting fonts lack, such as the breathings of ancient Greek.
  { name: 'NotoSans-Italic', style: 'signature', scripts: EUROPEAN, path: latinItalicPath, scale: 1 },
  { name: 'ArefRuqaa-Regular', style: 'signature', scripts: ['Arab'], path: ruqaaPath, scale: 1.1 },
  { name: 'GveretLevin-Regular', style: 'signature', scripts: ['Hebr'], path: gveretLevinPath, scale: 1 },
  { name: 'Charm-Regular', style: 'signature', scripts: ['Thai'], path: charmPath, scale: 1.15 },
  { name: 'Kalam-Regular', style: 'signature', scripts: ['Deva'], path: kalamPath, scale: 1 },
  { name: 'ZhiMangXing-Regular', style: 'signature', scripts: ['Hans'], path: zhiMangXingPath, scale: 1.2 },
  { name: 'ZenKurenaido-Regular', style: 'signature', scripts: ['Jpan'], path: kurenaidoPath, scale: 1.05 },
  { name: 'NanumPenScript-Regular', style: 'signature', scripts: ['Kore'], path: nanumPenPath, scale: 1.35 },
]

/** A character is printable if one of these has it. */
export const TEXT_FONTS: readonly Font[] = FONTS.filter(({ style }) => style !== 'signature')

export function handwritingFontsFor(script: Script): Font[] {
  return FONTS.filter(({ style, scripts }) => style === 'signature' && scripts.includes(script))
}

/**
 * Text fonts in the order in which a character is looked up: fonts of its own script, European
 * fonts, fonts of the text's Han characters, the rest. Within each group the style comes first: a
 * letter in another style is better than none.
 */
export function textFontsFor(style: FontStyle, script: Script, han: Script): Font[] {
  const rank = ({ style: own, scripts }: Font) => {
    const group = [script, 'Latn' as const, han].findIndex(each => scripts.includes(each))
    return (group < 0 ? 3 : group) * 3 + (own === style ? 0 : own === 'text' ? 1 : 2)
  }
  // Sorting is stable: fonts of one rank keep the order of the rows.
  return [...TEXT_FONTS].sort((a, b) => rank(a) - rank(b))
}

/** The first bytes of a gzip file (RFC 1952 §2.3.1); no TrueType file begins with them. */
const GZIP = [0x1f, 0x8b]

/** Reads the file at each call; the build may gzip it. Throws if the build left it out. */
export function readFontFile(font: Font): Uint8Array {
  const stored = readFileSync(font.path)
  return GZIP.every((byte, i) => stored[i] === byte) ? gunzipSync(stored) : stored
}
