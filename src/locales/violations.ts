/** The words for what is wrong with a value. */
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
