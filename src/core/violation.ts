/** What is wrong with a value: a code and what its sentence needs. The words are in `locales`. */

/** By code. */
export interface ViolationParams {
  // Texts.
  empty: undefined
  several_lines: undefined
  /** Contains NUL or half of a surrogate pair. */
  not_storable: undefined
  unprintable: { characters: string[] }
  /** Half of a surrogate pair. */
  half_character: undefined
  /** Characters. */
  too_long: { max: number }
  /** In UTF-8. */
  too_many_bytes: { max: number }
  not_an_email: undefined
  not_a_time: undefined
  not_in_the_future: undefined
  too_far_ahead: { days: number }
  not_a_web_address: undefined
  with_credentials: undefined
  unknown_language: { code: string }
  not_chosen: undefined
  too_many: { max: number }
  // A document, and its recipients.
  too_much_text: { maxBytes: number; bytes: number }
  too_many_fields: { max: number; count: number }
  metadata_names: { max: number }
  expiry_given_twice: undefined
  mailbox_of_recipient: { index: number }
  mailbox_of_person: { name: string }
  mailbox_of_signer: undefined
  access_code_too_short: { min: number }
  verify_beside_access_code: undefined
  verify_beside_link: undefined
  role_name_in_use: undefined
  // Conditions of fields.
  field_name_in_use: undefined
  condition_unknown: undefined
  condition_wrong_kind: undefined
  condition_not_a_choice: undefined
  condition_not_known_yet: undefined
  condition_circular: undefined
  condition_invalid: undefined
  // What keeps a draft from being sent.
  no_signer: undefined
  missing_before_sending: undefined
  options_missing: undefined
  value_missing: undefined
  text_too_long: undefined
}

export type ViolationCode = keyof ViolationParams

export type Violation = { [C in ViolationCode]: { code: C; params: ViolationParams[C] } }[ViolationCode]

type Given<C extends ViolationCode> = ViolationParams[C] extends undefined ? [] : [params: ViolationParams[C]]

export const violation = <C extends ViolationCode>(code: C, ...[params]: Given<C>) => ({ code, params }) as Violation
