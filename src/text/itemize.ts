/**
 * Cuts a paragraph into items of one font, script (UAX 24) and direction. Also says which
 * handwritings make a text look different.
 */
import { HANDS, type Hand } from '../core/signing/signature-mark.ts'
import { hasCharacter, INKLESS } from './coverage.ts'
import { type Font, type FontStyle, handwritingFontsFor, type Script, textFontsFor } from './fonts.ts'

export interface Item {
  start: number
  end: number
  font: Font
  /** Embedding level of UAX 9, odd from right to left. */
  level: number
  /** ISO 15924, by the tag that the shaper knows; undefined if the whole text has no letter. */
  script: string | undefined
}

/** The regional form of Han characters. */
export type HanVariant = 'Hans' | 'Jpan' | 'Kore'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HANGUL = /\p{Script=Hangul}/gu

/** Japanese for a text with kana, Korean for one with more Hangul than kana, else `otherwise`. */
export function detectHanVariant(text: string, otherwise: HanVariant = 'Hans'): HanVariant {
  const kana = text.match(KANA)?.length ?? 0
  const hangul = text.match(HANGUL)?.length ?? 0
  if (hangul > kana) return 'Kore'
  return kana > 0 ? 'Jpan' : otherwise
}

/** A script, its letters, and all characters used in it. `Hani`: the Han variant of the text. */
const SCRIPTS: readonly [Script | 'Hani', letters: RegExp, used: RegExp][] = [
  ['Latn', /\p{Script=Latin}/u, /\p{Script_Extensions=Latin}/u],
  ['Grek', /\p{Script=Greek}/u, /\p{Script_Extensions=Greek}/u],
  ['Cyrl', /\p{Script=Cyrillic}/u, /\p{Script_Extensions=Cyrillic}/u],
  ['Arab', /\p{Script=Arabic}/u, /\p{Script_Extensions=Arabic}/u],
  ['Hebr', /\p{Script=Hebrew}/u, /\p{Script_Extensions=Hebrew}/u],
  ['Thai', /\p{Script=Thai}/u, /\p{Script_Extensions=Thai}/u],
  ['Deva', /\p{Script=Devanagari}/u, /\p{Script_Extensions=Devanagari}/u],
  ['Kore', /\p{Script=Hangul}/u, /\p{Script=Hangul}/u],
  ['Jpan', /[\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u, /[\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u],
  ['Hani', /[\p{Script=Han}\p{Script=Bopomofo}]/u, /\p{Script_Extensions=Han}/u],
]
/** What the shaper calls scripts whose tag it does not know. */
const SHAPER_TAGS: Partial<Record<Script, string>> = { Hans: 'Hani', Jpan: 'Kana', Kore: 'Hang' }
const OPENING = /^\p{Ps}$/u
const CLOSING = /^\p{Pe}$/u
const ASCII_LETTER = /^[a-zA-Z]/

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function piecesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/**
 * Of several scripts that use the character, the previous one is preferred. Undefined for
 * characters of no script.
 */
function scriptOf(grapheme: string, previous: Script | undefined, han: HanVariant): Script | undefined {
  if (ASCII_LETTER.test(grapheme)) return 'Latn'
  const first = String.fromCodePoint(grapheme.codePointAt(0)!)
  const named = (tag: Script | 'Hani'): Script => (tag === 'Hani' ? han : tag)
  const own = SCRIPTS.find(([, letters]) => letters.test(first))
  if (own) return named(own[0])
  const users = SCRIPTS.filter(([, , used]) => used.test(first)).map(([tag]) => named(tag))
  return users.find(tag => tag === previous) ?? users[0]
}

/**
 * A character without a script takes that of the character before it, at the beginning that of the
 * first letter; a closing bracket takes that of its opening bracket.
 */
function scriptsOf(pieces: readonly string[], han: HanVariant): (Script | undefined)[] {
  const open: (Script | undefined)[] = []
  let previous: Script | undefined
  const found = pieces.map(piece => {
    const own = scriptOf(piece, previous, han)
    if (own === undefined && CLOSING.test(piece) && open.length > 0) previous = open.pop() ?? previous
    previous = own ?? previous
    if (OPENING.test(piece)) open.push(previous)
    return previous
  })
  const first = found.find(script => script !== undefined)
  return found.map(script => script ?? first)
}

/** Never separates a letter from its marks if one font can draw both. */
export function itemize(text: string, levels: Uint8Array, style: FontStyle, han: HanVariant, hand: Hand): Item[] {
  const pieces = piecesOf(text)
  const scripts = scriptsOf(pieces, han)
  const known = new Map<Script | undefined, Font[]>()
  const fontsFor = (script: Script | undefined) => {
    let fonts = known.get(script)
    if (!fonts) {
      const own = style === 'signature' ? chooseHandwriting(pieces, scripts, script, hand) : undefined
      fonts = [...(own ? [own] : []), ...textFontsFor(style, script ?? 'Latn', han)]
      known.set(script, fonts)
    }
    return fonts
  }
  const items: Item[] = []
  let at = 0
  for (const [i, piece] of pieces.entries()) {
    const [own, level] = [scripts[i], levels[at]!]
    const script = own && (SHAPER_TAGS[own] ?? own)
    for (const [part, font] of assignFonts(piece, fontsFor(own), items.at(-1)?.font)) {
      const last = items.at(-1)
      const end = at + part.length
      if (last && last.font === font && last.level === level && last.script === script) last.end = end
      else items.push({ start: at, end, font, level, script })
      at = end
    }
  }
  return items
}

/** Invisible but drawn by a glyph: without one the shaper shows its box for missing characters. */
const FILLER = /^[\u115f\u1160\u3164\uffa0]$/u

function needsNoGlyph(character: string): boolean {
  return INKLESS.test(character) && !FILLER.test(character)
}

/** Whether a font has a letter with its marks, as parts or composed (UAX 15). */
function hasLetter(font: Font, piece: string): boolean {
  const hasAll = (text: string) => [...text].every(character => needsNoGlyph(character) || hasCharacter(font, character))
  return hasAll(piece) || hasAll(piece.normalize('NFC'))
}

/** One font for a letter and its marks, or the first font that has it for each of them. */
function assignFonts(piece: string, fonts: Font[], previous: Font | undefined): [string, Font][] {
  const characters = [...piece]
  if (characters.every(needsNoGlyph)) return [[piece, previous ?? fonts[0]!]]
  const whole = fonts.find(font => hasLetter(font, piece))
  if (whole) return [[piece, whole]]
  let last = previous
  return characters.map(character => {
    // A character that no font has is drawn as the box for missing characters.
    if (!last || !needsNoGlyph(character)) last = fonts.find(font => hasCharacter(font, character)) ?? fonts[0]!
    return [character, last]
  })
}

// In which handwritings a text can be drawn.

const LETTER = /[\p{L}\p{M}]/u

/**
 * The first font of a hand with all letters of the text in one script, if there is one: a name in
 * two handwritings looks like the names of two people. Digits and punctuation may be borrowed.
 */
function chooseHandwriting(
  pieces: readonly string[],
  scripts: readonly (Script | undefined)[],
  script: Script | undefined,
  hand: Hand,
): Font | undefined {
  const letters = [...new Set(pieces.filter((piece, i) => scripts[i] === script && LETTER.test(piece)))]
  return handwritingFontsFor(script ?? 'Latn', hand).find(font => letters.every(letter => hasLetter(font, letter)))
}

/** The hands in which this text looks different, in their order. There is always one. */
export function handsFor(text: string): Hand[] {
  const pieces = piecesOf(text)
  const scripts = scriptsOf(pieces, detectHanVariant(text))
  const fontsOf = (hand: Hand) => [...new Set(scripts)].map(script => chooseHandwriting(pieces, scripts, script, hand)?.name)
  const looks = HANDS.map(hand => fontsOf(hand).join())
  return HANDS.filter((_, i) => looks.indexOf(looks[i] ?? '') === i)
}
