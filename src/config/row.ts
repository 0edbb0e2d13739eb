/** The form of a setting that pages change, and parsers that several share. */
import { violation } from '../core/violation.ts'
import { CodedError } from '../locales/violations.ts'

/** A setting that pages change. */
export interface ServiceRow<T = unknown> {
  /** Of the environment, if it has one. */
  variable?: string
  /** The text while none is set; empty by default. */
  fallback?: string
  /** For the help text, if there is a variable. */
  what?: string
  /** @throws CodedError, which never shows a secret */
  parse(text: string): T
  /** Address of the page that changes it. */
  page: string
  /**
   * What the audit log shows of a change: the text, the text as personal data, or only that there
   * was one. A `secret` is also stored encrypted.
   */
  kind: 'plain' | 'personal' | 'long' | 'secret'
  /** Of the stored row; by default `service.` and the name of the setting. */
  key?: string
  /** Its changes have an entry of this type in the audit log, in place of `settings.changed`. */
  event?: 'organisation.changed'
}

export const oneOf =
  <const T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const found = values.find(value => value === text)
    if (found === undefined)
      throw new CodedError(violation('not_either', { values: values.slice(0, -1), last: values.at(-1) ?? '' }))
    return found
  }

/** Undefined for an empty text. */
export const optional =
  <T>(parse: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parse(text)

/** For parsers of JSON. @throws Error */
export function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`must have ${what}`)
}

/** Checks the types of a row, and keeps them. */
export const row = <T>(one: ServiceRow<T>): ServiceRow<T> => one
