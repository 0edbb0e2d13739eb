/**
 * Cuts a paragraph into stretches that one face can shape at once: one writing, one direction. Scripts by UAX 24 with its extensions, brackets in
 * pairs; Han characters by the language the text's other letters tell. Shapes nothing, and reads no font.
 */
import { hasCharacter, INKLESS } from './coverage.ts'
import { type Font, type FontStyle, handwritingFontsFor, type Script, textFontsFor } from './fonts.ts'

/** `text[start, end)` of one face. `level`: embedding level of UAX 9, odd from right to left. */
export interface Item {
  start: number
  end: number
  face: Font
  level: number
  /** ISO 15924, as the shaper takes it; nothing where the whole text has no letter. */
  script: string | undefined
}

/** The forms Han characters can take. */
export type HanVariant = 'Hans' | 'Jpan' | 'Kore'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HANGUL = /\p{Script=Hangul}/gu

/** Whose Han characters a text has: Japanese where it has kana, Korean where it has Hangul (more of them than kana), else `otherwise`. */
export function detectHanVariant(text: string, otherwise: HanVariant = 'Hans'): HanVariant {
  const kana = text.match(KANA)?.length ?? 0
  const hangul = text.match(HANGUL)?.length ?? 0
  if (hangul > kana) return 'Kore'
  return kana > 0 ? 'Jpan' : otherwise
}

/** A writing with its own letters, and with all characters that are used in it; Han characters are a writing of the text's. */
const WRITINGS: readonly [Script | 'Hani', own: RegExp, used: RegExp][] = [
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
/** The script each writing is shaped by. */
const SHAPED_AS: Record<Script, string> = {
  Latn: 'Latn',
  Grek: 'Grek',
  Cyrl: 'Cyrl',
  Arab: 'Arab',
  Hebr: 'Hebr',
  Thai: 'Thai',
  Deva: 'Deva',
  Hans: 'Hani',
  Jpan: 'Kana',
  Kore: 'Hang',
}
const OPENING = /^\p{Ps}$/u
const CLOSING = /^\p{Pe}$/u
const ASCII_LETTER = /^[a-zA-Z]/

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The writing of a letter; for a character of several writings the one before it if that is among them, for one of all nothing. */
function writingOf(grapheme: string, before: Script | undefined, han: HanVariant): Script | undefined {
  if (ASCII_LETTER.test(grapheme)) return 'Latn'
  const first = String.fromCodePoint(grapheme.codePointAt(0)!)
  const named = (tag: Script | 'Hani'): Script => (tag === 'Hani' ? han : tag)
  const own = WRITINGS.find(([, letters]) => letters.test(first))
  if (own) return named(own[0])
  const users = WRITINGS.filter(([, , used]) => used.test(first)).map(([tag]) => named(tag))
  return users.find(tag => tag === before) ?? users[0]
}

/** Characters of no writing of their own go with what stands before them, at the beginning with what follows; a closing bracket with its opening one. */
function writingsOf(pieces: readonly string[], han: HanVariant): (Script | undefined)[] {
  const open: (Script | undefined)[] = []
  let before: Script | undefined
  const found = pieces.map(piece => {
    const own = writingOf(piece, before, han)
    if (own === undefined && CLOSING.test(piece) && open.length > 0) before = open.pop() ?? before
    before = own ?? before
    if (OPENING.test(piece)) open.push(before)
    return before
  })
  const first = found.find(writing => writing !== undefined)
  return found.map(writing => writing ?? first)
}

/** Cuts a paragraph where face, script or direction changes; never inside a letter with its marks that one face can draw. */
export function itemize(text: string, levels: Uint8Array, style: FontStyle, han: HanVariant): Item[] {
  const pieces = Array.from(graphemes.segment(text), ({ segment }) => segment)
  const writings = writingsOf(pieces, han)
  const orders = new Map<Script | undefined, Font[]>()
  const orderFor = (writing: Script | undefined) => {
    const tag = writing ?? 'Latn'
    const own = () => pieces.filter((_, i) => writings[i] === writing)
    const order = orders.get(writing) ?? [...(style === 'signature' ? handOf(own(), tag) : []), ...textFontsFor(style, tag, han)]
    orders.set(writing, order)
    return order
  }
  const items: Item[] = []
  let at = 0
  for (const [i, piece] of pieces.entries()) {
    const [writing, level] = [writings[i], levels[at]!]
    const script = writing && SHAPED_AS[writing]
    for (const [part, face] of facesIn(piece, orderFor(writing), items.at(-1)?.face)) {
      const last = items.at(-1)
      const end = at + part.length
      if (last && last.face === face && last.level === level && last.script === script) last.end = end
      else items.push({ start: at, end, face, level, script })
      at = end
    }
  }
  return items
}

const LETTER = /[\p{L}\p{M}]/u

/**
 * The one hand that writes a signature's letters of one writing: the first that hasCharacter them all. Where none does, none: a name written in two ways looks
 * like two people's. Digits and points do not decide; those it lacks come from elsewhere, alone.
 */
function handOf(pieces: readonly string[], writing: Script): Font[] {
  const letters = [...new Set(pieces)].filter(piece => LETTER.test(piece))
  const hand = handwritingFontsFor(writing).find(face => letters.every(letter => holdsWhole(face, letter)))
  return hand ? [hand] : []
}

/** Without ink, but drawn by a glyph of their own: where a face has none, the shaper gives its box for missing characters. */
const FILLER = /^[\u115f\u1160\u3164\uffa0]$/u

function needsNoGlyph(character: string): boolean {
  return INKLESS.test(character) && !FILLER.test(character)
}

/** Whether a face hasCharacter a letter with its marks: by its parts, or composed (Unicode Standard Annex 15), as the shaper composes them. */
function holdsWhole(face: Font, piece: string): boolean {
  const holdsAll = (text: string) => [...text].every(character => needsNoGlyph(character) || hasCharacter(face, character))
  return holdsAll(piece) || holdsAll(piece.normalize('NFC'))
}

/** One face for a letter and its marks; where none hasCharacter them all, the best for each. */
function facesIn(piece: string, order: Font[], before: Font | undefined): [string, Font][] {
  const characters = [...piece]
  if (characters.every(needsNoGlyph)) return [[piece, before ?? order[0]!]]
  const whole = order.find(face => holdsWhole(face, piece))
  if (whole) return [[piece, whole]]
  let last = before
  return characters.map(character => {
    // What nobody hasCharacter is drawn as the box for missing characters.
    if (!last || !needsNoGlyph(character)) last = order.find(face => hasCharacter(face, character)) ?? order[0]!
    return [character, last]
  })
}
