/**
 * The words for what is wrong with a value. What is stored in English is said in another language:
 * the catalogue tells which violation it is.
 */
import { InvalidInputError, type Refusal, type ValidationError } from '../core/refusal.ts'
import type { SentenceParams } from '../core/sentence.ts'
import type { Violation, ViolationCode, ViolationParams } from '../core/violation.ts'
import { violations as english } from './en/violations.ts'

/**
 * By code. A text that begins with a small letter follows the name of the field, and both are a
 * sentence without its full stop, but for those of `standingAlone`; others are shown alone.
 */
export type ViolationTexts = { readonly [C in ViolationCode]: (params: ViolationParams[C]) => string }

export type SentenceTexts = Pick<ViolationTexts, keyof SentenceParams>

export function violationText(texts: ViolationTexts, { code, params }: Violation): string {
  return (texts[code] as (given: unknown) => string)(params)
}

export const englishOfViolation = (violation: Violation): string => violationText(english, violation)

/** As the API and the command line say it. */
export function englishOf(error: ValidationError): string {
  return error.code === undefined ? error.message : englishOfViolation(error)
}

/** What a refusal says; of one that lists what is wrong, the first of it. */
export function englishOfRefusal(refusal: Refusal): string {
  const { violation, message } = refusal
  if (refusal instanceof InvalidInputError) return firstOf(english, refusal, englishOf)
  return violation === undefined ? message : englishOfViolation(violation)
}

export function firstOf(
  texts: ViolationTexts,
  { details: [first, ...others], inSentence }: InvalidInputError,
  textOf: (error: ValidationError) => string,
): string {
  if (first === undefined) return ''
  const clause = textOf(first)
  if (inSentence) return inSentence(clause)
  const text = `${first.path}: ${clause}`
  return others.length === 0 ? text : texts.first_of_several({ first: text, more: others.length })
}

// Stored sentences, and the violations that they say.

/** In place of a number, a text or a list of them. */
class Part {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString = () => this.#text
  toLocaleString = this.toString
  join = this.toString
}

const MARK = '\0'
const LITERAL = /[\\^$.*+?()[\]{}|]/g

/** The parameters of any code. One that is a condition has `flag` as its value. */
export function paramsOf(partOf: (name: string) => string, flag: boolean): never {
  const get = (_: object, name: string) => (/^(has|is)[A-Z]/.test(name) ? flag : new Part(partOf(name)))
  return new Proxy({}, { get }) as never
}

/** A sentence of fewer characters beside its parameters, as "must be …", fits too many others. */
const MIN_LITERALS = 10

interface Pattern {
  code: ViolationCode
  flag: boolean
  regExp: RegExp
  names: string[]
  literals: number
}

function patternOf(texts: ViolationTexts, code: ViolationCode, flag: boolean): Pattern {
  const pieces = String(texts[code](paramsOf(name => `${MARK}${name}${MARK}`, flag))).split(MARK)
  const names = pieces.filter((_, i) => i % 2 === 1)
  const source = pieces.map((piece, i) => (i % 2 === 1 ? '(.*)' : piece.replace(LITERAL, '\\$&'))).join('')
  const literals = pieces.filter((_, i) => i % 2 === 0).join('').length
  return { code, flag, names, literals, regExp: new RegExp(`^${source}$`, 's') }
}

/** Those with more words of their own go first: others may fit by chance. */
function patternsOf(texts: ViolationTexts): Pattern[] {
  const codes = Object.keys(texts) as ViolationCode[]
  const all = [true, false].flatMap(flag => codes.map(code => patternOf(texts, code, flag)))
  return all
    .filter(({ names, literals }) => names.length === 0 || literals >= MIN_LITERALS)
    .sort((a, b) => b.literals - a.literals)
}

/** Finds the sentence in `from` and says it as `to` does; `undefined` for others. */
export function storedTranslator(from: ViolationTexts, to: ViolationTexts): (text: string) => string | undefined {
  let patterns: Pattern[] | undefined
  return text => {
    patterns ??= patternsOf(from)
    for (const { code, flag, regExp, names } of patterns) {
      const parts = regExp.exec(text)
      if (parts) return to[code](paramsOf(name => parts[names.indexOf(name) + 1] ?? '', flag))
    }
    return undefined
  }
}
