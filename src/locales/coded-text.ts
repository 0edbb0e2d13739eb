/**
 * The sentences of codes. What is stored in English is said in another language: the catalogue
 * tells which code it is.
 */
import type { Coded } from '../core/coded.ts'

/** By code. */
export type TextsOf<Params> = { readonly [C in keyof Params]: (params: Params[C]) => string }

export function textOf<Params>(texts: TextsOf<Params>, { code, params }: Coded<Params>): string {
  return (texts[code] as (given: unknown) => string)(params)
}

// Stored sentences, and the codes that they say.

/** In place of a number, a text or a list of them. */
class Part {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString = () => this.#text
  toLocaleString = this.toString
  join = this.toString;

  *[Symbol.iterator]() {
    yield this.#text
  }
}

const MARK = '\0'
const LITERAL = /[\\^$.*+?()[\]{}|]/g

/** What the words of a code depend on beside its parameters. */
export interface Variant {
  /** The value of each parameter that is a condition. */
  flag: boolean
  /** Whether `count` is 1. */
  isOne: boolean
}

const VARIANTS: Variant[] = [true, false].flatMap(flag => [false, true].map(isOne => ({ flag, isOne })))

/** The parameters of any code. */
export function paramsOf(partOf: (name: string) => string, { flag, isOne }: Variant): never {
  const get = (_: object, name: string) => {
    if (/^(has|is)[A-Z]/.test(name)) return flag
    return name === 'count' && isOne ? 1 : new Part(partOf(name))
  }
  return new Proxy({}, { get }) as never
}

/** A sentence of fewer characters beside its parameters, as "must be …", fits too many others. */
const MIN_LITERALS = 10
/** Of one that begins with a parameter, as "… was added". */
const MIN_LITERALS_AFTER = 20
/** Parameters that are sentences or clauses of their own. */
const NESTED = new Set(['reason', 'cause', 'why', 'clause', 'addition', 'missing', 'unreadable', 'measures'])
/** Parameters without blanks, where the words around them are few. */
const ONE_WORD = new Set(['address', 'authority', 'count', 'host', 'login', 'standby', 'status'])

type Text = (params: never) => string

/** The words of a family in two languages. */
export type Translation = readonly [from: Readonly<Record<string, Text>>, to: Readonly<Record<string, Text>>]

interface Pattern {
  to: Text
  variant: Variant
  source: string
  regExp: RegExp
  names: string[]
  literals: number
}

function patternOf(from: Text, to: Text, variant: Variant): Pattern {
  const pieces = String(from(paramsOf(name => `${MARK}${name}${MARK}`, variant))).split(MARK)
  const names = pieces.filter((_, i) => i % 2 === 1)
  const groupOf = (name: string) => (ONE_WORD.has(name) ? '(\\S+)' : '(.*?)')
  const source = pieces.map((piece, i) => (i % 2 === 1 ? groupOf(piece) : piece.replace(LITERAL, '\\$&'))).join('')
  const literals = pieces.filter((_, i) => i % 2 === 0).join('').length
  return { to, variant, source, names, literals, regExp: new RegExp(`^${source}$`, 's') }
}

/** Those of one code that differ. */
function patternsOf(from: Text, to: Text): Pattern[] {
  const all = VARIANTS.map(variant => patternOf(from, to, variant))
  const fit = all.filter(
    ({ source, names, literals }) =>
      names.length === 0 || literals >= (source.startsWith('(.*') ? MIN_LITERALS_AFTER : MIN_LITERALS),
  )
  return fit.filter(({ source }, i) => fit.findIndex(other => other.source === source) === i)
}

/** Those with more words of their own go first: others may fit by chance. */
function sortedPatterns(translations: readonly Translation[]): Pattern[] {
  const all = translations.flatMap(([from, to]) =>
    Object.entries(from).flatMap(([code, text]) => patternsOf(text, to[code] as Text)),
  )
  return all.sort((a, b) => b.literals - a.literals)
}

/** Finds a sentence and says it in the other language; `undefined` for others. */
export function storedTranslator(
  translations: readonly Translation[],
  translateNested: (text: string) => string,
): (text: string) => string | undefined {
  let patterns: Pattern[] | undefined
  return text => {
    patterns ??= sortedPatterns(translations)
    for (const { to, variant, regExp, names } of patterns) {
      const parts = regExp.exec(text)
      if (!parts) continue
      const partOf = (name: string) => {
        // What the English words leave out is not the whole of them.
        const part = names.includes(name) ? (parts[names.indexOf(name) + 1] ?? '') : ''
        return NESTED.has(name) ? translateNested(part) : part
      }
      return to(paramsOf(partOf, variant))
    }
    return undefined
  }
}
