/** Line breaks after UAX 14 and JIS X 4051. Korean and Devanagari break at blanks, as in print. */

/** No break here; a break only if the line would otherwise be half empty; a regular break. */
const NO_BREAK = 0
export const JOINT_BREAK = 1
export const REGULAR_BREAK = 2

const BLANK = /[ \u3000\u200b]/
/** Inside long words such as addresses and file names. */
const JOINT = /[/\\@._\-?&=+:;,)]/
/** Scripts without blanks: a break is allowed between any two characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\u30fc\uff01-\uff65]/u
const HANGUL = /\p{Script=Hangul}/u
const THAI = /\p{Script=Thai}/u
const GLUE = /[\u00a0\u202f\u2060\ufeff]/
/** Marks, closing punctuation, small kana, signs of repetition and of length, units. */
const NOT_AT_START =
  /[\p{M}\p{Pe}\p{Pf}\p{Join_Control}!?.,:;%)\]}"'、。，．！？：；・‥…‐–〜～々〻ゝゞヽヾーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ％‰℃°ๆฯ]/u
/** Opening punctuation and signs before a number. */
const NOT_AT_END = /[\p{Ps}\p{Pi}"'#$¥￥£￡€＄＃№]/u

const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })

/** For each UTF-16 index: NO_BREAK, JOINT_BREAK or REGULAR_BREAK. */
export function findBreaks(text: string): Uint8Array {
  const breaks = new Uint8Array(text.length)
  let before = ''
  let at = 0
  for (const character of text) {
    if (before !== '') breaks[at] = breakBetween(before, character)
    before = character
    at += character.length
  }
  if (THAI.test(text)) {
    for (const { index } of thaiWords.segment(text)) if (isThaiBreak(text, index)) breaks[index] = REGULAR_BREAK
  }
  return breaks
}

function breakBetween(before: string, after: string): number {
  if (BLANK.test(after)) return NO_BREAK
  if (BLANK.test(before)) return REGULAR_BREAK
  const isUnspaced = (UNSPACED.test(before) || UNSPACED.test(after)) && !HANGUL.test(before) && !HANGUL.test(after)
  const isForbidden = GLUE.test(before) || GLUE.test(after) || NOT_AT_END.test(before) || NOT_AT_START.test(after)
  if (isUnspaced && !isForbidden) return REGULAR_BREAK
  return JOINT.test(before) ? JOINT_BREAK : NO_BREAK
}

function isThaiBreak(text: string, index: number): boolean {
  return index > 0 && THAI.test(text[index - 1]!) && THAI.test(text[index]!) && !NOT_AT_START.test(text[index]!)
}
