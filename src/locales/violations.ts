/** The words for what is wrong with a value. */
import type { InvalidInputError, ValidationError } from '../core/refusal.ts'
import type { Violation, ViolationCode, ViolationParams } from '../core/violation.ts'
import { violations as english } from './en/violations.ts'

/**
 * By code. A text that begins with a small letter follows the name of the field, and both are a
 * sentence without its full stop; others are shown alone.
 */
export type ViolationTexts = { readonly [C in ViolationCode]: (params: ViolationParams[C]) => string }

export function violationText(texts: ViolationTexts, { code, params }: Violation): string {
  return (texts[code] as (given: unknown) => string)(params)
}

export const englishOfViolation = (violation: Violation): string => violationText(english, violation)

/** As the API and the command line say it. */
export function englishOf(error: ValidationError): string {
  return error.code === undefined ? error.message : englishOfViolation(error)
}

/** Of a refusal that lists what is wrong: the first of it. */
export function englishOfList(
  { details: [first, ...others], inSentence }: InvalidInputError,
  textOf: (error: ValidationError) => string,
): string {
  if (first === undefined) return ''
  const clause = textOf(first)
  const more = others.length > 0 ? ` (and ${others.length} more, see details)` : ''
  return inSentence?.(clause) ?? `${first.path}: ${clause}${more}`
}
