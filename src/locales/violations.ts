/** The words for what is wrong with a value, and for what a refusal says, as the API has them. */
import { InvalidInputError, type Refusal, type ValidationError } from '../core/refusal.ts'
import type { SentenceParams } from '../core/sentence.ts'
import type { Violation, ViolationParams } from '../core/violation.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import { violations as english } from './en/violations.ts'

/**
 * By code. A text that begins with a small letter follows the name of the field, and both are a
 * sentence without its full stop, but for those of `standingAlone`; others are shown alone.
 */
export type ViolationTexts = TextsOf<ViolationParams>

export type SentenceTexts = Pick<ViolationTexts, keyof SentenceParams>

export const englishOfViolation = (violation: Violation): string => textOf(english, violation)

/** Its message is the English text, for logs and the command line; pages translate the code. */
export class CodedError extends Error {
  constructor(
    readonly violation: Violation,
    options?: ErrorOptions,
  ) {
    super(englishOfViolation(violation), options)
  }
}

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
