/** Remarks on a PDF as codes, for verifier and parser. Each language says them in its catalogue. */
import type { Coded } from '../core/coded.ts'
import { remarks as english } from './en/remarks.ts'

/** In a catalogue: the words of a remark that is inside another. */
export type Said = string & { readonly said: true }

type Catalogue = typeof english

export type RemarkCode = keyof Catalogue

export type RemarkTexts = { readonly [C in RemarkCode]: (...params: Parameters<Catalogue[C]>) => string }

/** Given as remarks, and so in no language yet. */
type Unsaid<P> = P extends Said ? Remark : P extends readonly Said[] ? readonly Remark[] : P

/** By code. */
type RemarkParams = {
  [C in RemarkCode]: Parameters<Catalogue[C]> extends [infer P] ? { [K in keyof P]: Unsaid<P[K]> } : undefined
}

/** A sentence, a clause or a predicate, as the catalogue says. */
export type Remark = Coded<RemarkParams>

type PlainCode = { [C in RemarkCode]: RemarkParams[C] extends undefined ? C : never }[RemarkCode]

const PLAIN = new Map<RemarkCode, Remark>()

/** Without parameters it is the same object each time, so that a `Set` has it once. */
export function remark(code: PlainCode): Remark
export function remark<C extends RemarkCode>(code: C, params: RemarkParams[C]): Remark
export function remark(code: RemarkCode, params?: unknown): Remark {
  const known = params === undefined ? PLAIN.get(code) : undefined
  const made = known ?? Object.freeze({ code, params } as Remark)
  if (params === undefined) PLAIN.set(code, made)
  return made
}

/** Each once, in order. */
export function distinctRemarks(remarks: readonly Remark[]): Remark[] {
  return [...new Map(remarks.map(one => [JSON.stringify(one), one])).values()]
}

export function remarkText(texts: RemarkTexts, { code, params }: Remark): string {
  const said = Object.entries(params ?? {}).map(([name, value]) => [name, sayIn(texts, value)])
  return (texts[code] as (given: unknown) => string)(Object.fromEntries(said))
}

/** Remarks are the only parameters that are objects. */
function sayIn(texts: RemarkTexts, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => sayIn(texts, one))
  return typeof value === 'object' && value !== null ? remarkText(texts, value as Remark) : value
}

/** As the API and the command line say it. */
export const englishOfRemark = (found: Remark): string => remarkText(english, found)

/** Its message is the English text, for logs; reports and pages take words from the remark. */
export class RemarkError extends Error {
  constructor(
    readonly remark: Remark,
    options?: ErrorOptions,
  ) {
    super(englishOfRemark(remark), options)
  }
}
