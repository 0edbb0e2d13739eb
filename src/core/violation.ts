/** What is wrong with a value: a code and what its sentence needs. The words are in `locales`. */

/** By code. */
export interface ViolationParams {
  empty: undefined
  several_lines: undefined
  /** Contains NUL or half of a surrogate pair. */
  not_storable: undefined
  unprintable: { characters: string[] }
  not_an_email: undefined
}

export type ViolationCode = keyof ViolationParams

export type Violation = { [C in ViolationCode]: { code: C; params: ViolationParams[C] } }[ViolationCode]

type Given<C extends ViolationCode> = ViolationParams[C] extends undefined ? [] : [params: ViolationParams[C]]

export const violation = <C extends ViolationCode>(code: C, ...[params]: Given<C>) => ({ code, params }) as Violation
