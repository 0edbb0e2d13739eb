/** The fonts inside the executable: TrueType, SIL OFL 1.1. Another script is one more row. */
import amaticPath from '@expo-google-fonts/amatic-sc/400Regular/AmaticSC_400Regular.ttf' with { type: 'file' }
import amitaPath from '@expo-google-fonts/amita/Amita_400Regular.ttf' with { type: 'file' }
import ruqaaPath from '@expo-google-fonts/aref-ruqaa/400Regular/ArefRuqaa_400Regular.ttf' with { type: 'file' }
import caveatPath from '@expo-google-fonts/caveat/400Regular/Caveat_400Regular.ttf' with { type: 'file' }
import charmPath from '@expo-google-fonts/charm/400Regular/Charm_400Regular.ttf' with { type: 'file' }
import charmonmanPath from '@expo-google-fonts/charmonman/Charmonman_400Regular.ttf' with { type: 'file' }
import greatVibesPath from '@expo-google-fonts/great-vibes/400Regular/GreatVibes_400Regular.ttf' with { type: 'file' }
import gveretLevinPath from '@expo-google-fonts/gveret-levin/400Regular/GveretLevin_400Regular.ttf' with { type: 'file' }
import kalamPath from '@expo-google-fonts/kalam/400Regular/Kalam_400Regular.ttf' with { type: 'file' }
import lateefPath from '@expo-google-fonts/lateef/400Regular/Lateef_400Regular.ttf' with { type: 'file' }
import maliPath from '@expo-google-fonts/mali/400Regular_Italic/Mali_400Regular_Italic.ttf' with { type: 'file' }
import marckPath from '@expo-google-fonts/marck-script/400Regular/MarckScript_400Regular.ttf' with { type: 'file' }
import mynervePath from '@expo-google-fonts/mynerve/Mynerve_400Regular.ttf' with { type: 'file' }
import nanumPenPath from '@expo-google-fonts/nanum-pen-script/400Regular/NanumPenScript_400Regular.ttf' with { type: 'file' }
import nastaliqPath from '@expo-google-fonts/noto-nastaliq-urdu/400Regular/NotoNastaliqUrdu_400Regular.ttf' with { type: 'file' }
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
import playpenHebrewPath from '@expo-google-fonts/playpen-sans-hebrew/400Regular/PlaypenSansHebrew_400Regular.ttf' with {
  type: 'file',
}
import kurenaidoPath from '@expo-google-fonts/zen-kurenaido/400Regular/ZenKurenaido_400Regular.ttf' with { type: 'file' }
import zhiMangXingPath from '@expo-google-fonts/zhi-mang-xing/400Regular/ZhiMangXing_400Regular.ttf' with { type: 'file' }
import type { Hand } from '../core/signing/signature-mark.ts'
import { readEmbeddedFile } from '../lib/embedded-file.ts'

/** Running text, headings and names, or a typed signature. */
export type FontStyle = 'text' | 'strong' | 'signature'

/** ISO 15924. Han characters differ in Chinese (Hans), Japanese (Jpan) and Korean (Kore). */
export type Script = 'Latn' | 'Grek' | 'Cyrl' | 'Arab' | 'Hebr' | 'Thai' | 'Deva' | 'Hans' | 'Jpan' | 'Kore'

export interface Font {
  /** PostScript name, ISO 32000-2 §9.6.2. */
  name: string
  style: FontStyle
  path: string
  /** Enlargement that makes the fonts of a style look equally large. */
  scale: number
}

interface TextFont extends Font {
  scripts: readonly Script[]
}

const EUROPEAN = ['Latn', 'Grek', 'Cyrl'] as const

/**
 * A character is printable if one of these has it. Of fonts for the same script, those of many
 * thousand characters come last: they load slowly.
 */
export const TEXT_FONTS: readonly TextFont[] = [
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
]

interface Handwriting extends Font {
  /**
   * Its number in each of its scripts. The first hand serves where a number has no font, also one
   * of an earlier release; then all others serve what it lacks.
   */
  hands: Partial<Record<Script, Hand>>
}

const HANDWRITINGS: readonly Handwriting[] = [
  { name: 'Caveat-Regular', style: 'signature', hands: { Latn: 1, Cyrl: 1 }, path: caveatPath, scale: 1.25 },
  // Second for Latin: Vietnamese and African letters that the first lacks.
  { name: 'Mynerve-Regular', style: 'signature', hands: { Latn: 1, Grek: 1 }, path: mynervePath, scale: 1.1 },
  // An italic, for what the handwriting fonts lack, such as the breathings of ancient Greek.
  { name: 'NotoSans-Italic', style: 'signature', hands: { Latn: 1, Grek: 1, Cyrl: 1 }, path: latinItalicPath, scale: 1 },
  { name: 'ArefRuqaa-Regular', style: 'signature', hands: { Arab: 1 }, path: ruqaaPath, scale: 1.1 },
  { name: 'GveretLevin-Regular', style: 'signature', hands: { Hebr: 1 }, path: gveretLevinPath, scale: 1 },
  { name: 'Charm-Regular', style: 'signature', hands: { Thai: 1 }, path: charmPath, scale: 1.15 },
  { name: 'Kalam-Regular', style: 'signature', hands: { Deva: 1 }, path: kalamPath, scale: 1 },
  { name: 'ZhiMangXing-Regular', style: 'signature', hands: { Hans: 1 }, path: zhiMangXingPath, scale: 1.2 },
  { name: 'ZenKurenaido-Regular', style: 'signature', hands: { Jpan: 1, Hans: 3 }, path: kurenaidoPath, scale: 1.05 },
  { name: 'NanumPenScript-Regular', style: 'signature', hands: { Kore: 1 }, path: nanumPenPath, scale: 1.35 },
  { name: 'GreatVibes-Regular', style: 'signature', hands: { Latn: 2, Cyrl: 2 }, path: greatVibesPath, scale: 1.25 },
  { name: 'MarckScript-Regular', style: 'signature', hands: { Latn: 3, Cyrl: 3 }, path: marckPath, scale: 1.05 },
  { name: 'NotoNastaliqUrdu-Regular', style: 'signature', hands: { Arab: 2 }, path: nastaliqPath, scale: 1 },
  { name: 'Lateef-Regular', style: 'signature', hands: { Arab: 3 }, path: lateefPath, scale: 1.35 },
  { name: 'PlaypenSansHebrew-Regular', style: 'signature', hands: { Hebr: 2 }, path: playpenHebrewPath, scale: 1 },
  { name: 'AmaticSC-Regular', style: 'signature', hands: { Hebr: 3 }, path: amaticPath, scale: 1.35 },
  { name: 'Charmonman-Regular', style: 'signature', hands: { Thai: 2 }, path: charmonmanPath, scale: 1.15 },
  { name: 'Mali-Italic', style: 'signature', hands: { Thai: 3 }, path: maliPath, scale: 1 },
  { name: 'Amita-Regular', style: 'signature', hands: { Deva: 2 }, path: amitaPath, scale: 1 },
]

export const FONTS: readonly Font[] = [...TEXT_FONTS, ...HANDWRITINGS]

/** The fonts of this handwriting, then those of the first one, then all others of the script. */
export function handwritingFontsFor(script: Script, hand: Hand): Font[] {
  const having = (wanted: Hand) => HANDWRITINGS.filter(({ hands }) => hands[script] === wanted)
  return [...new Set([...having(hand), ...having(1), ...HANDWRITINGS.filter(({ hands }) => hands[script])])]
}

/**
 * Text fonts in the order in which a character is looked up: fonts of its own script, European
 * fonts, fonts of the text's Han characters, the rest. Within each group the style comes first: a
 * letter in another style is better than none.
 */
export function textFontsFor(style: FontStyle, script: Script, han: Script): Font[] {
  const rank = ({ style: own, scripts }: TextFont) => {
    const group = [script, 'Latn' as const, han].findIndex(each => scripts.includes(each))
    return (group < 0 ? 3 : group) * 3 + (own === style ? 0 : own === 'text' ? 1 : 2)
  }
  // Sorting is stable: fonts of one rank keep the order of the rows.
  return [...TEXT_FONTS].sort((a, b) => rank(a) - rank(b))
}

/** Reads the file at each call. Throws if the build left it out. */
export const readFontFile = (font: Font): Uint8Array => readEmbeddedFile(font.path)
