/** What is wrong with a value, in English, as the API says it. */
import type { ViolationTexts } from '../violations.ts'

const OTHER_NAMES = 'two people at one address need different names'

const number = (value: number) => value.toLocaleString('en')

export const violations: ViolationTexts = {
  empty: () => 'must not be empty',
  several_lines: () => 'must be one line: take out line breaks and NUL characters',
  not_storable: () => 'must not contain the character U+0000 or half of a surrogate pair',
  unprintable: ({ characters }) =>
    `contains characters that cannot be printed: ${characters.join(' ')}. Please remove or replace them`,
  half_character: () => 'holds half a character (a lone surrogate): send it whole',
  too_long: ({ max }) => `must have at most ${max} characters`,
  too_many_bytes: ({ max }) => `must have at most ${max} bytes in UTF-8: please shorten it`,
  not_an_email: () => 'must be an e-mail address such as ada@example.com',
  not_a_time: () => 'must be a time such as 2030-01-31T12:00:00Z',
  not_in_the_future: () => 'must lie in the future',
  too_far_ahead: ({ days }) => `must lie at most ${days} days ahead`,
  not_a_web_address: () => 'must be an address that begins with https:// or http://',
  with_credentials: () => 'must not carry a user name or password',
  unknown_language: ({ code }) => `must begin with the code of a language, such as de or pt-BR: ${code} is none`,
  not_chosen: () => 'must be chosen first',
  too_many: ({ max }) => `must be at most ${max}`,
  too_much_text: ({ maxBytes, bytes }) =>
    `must hold less text: all texts of a document together may have ${number(maxBytes)} bytes in UTF-8, these have ${number(bytes)}. Please put long texts into the PDF`,
  too_many_fields: ({ max, count }) => `must hold at most ${max} fields in all, there are ${count}`,
  metadata_names: ({ max }) => `must have names of 1 to ${max} characters`,
  expiry_given_twice: () => 'cannot be combined with expiresInDays: give one of the two',
  mailbox_of_recipient: ({ index }) => `is already used by recipients[${index}] with the same name: ${OTHER_NAMES}`,
  mailbox_of_person: ({ name }) => `is already used by ${name} with the same name: ${OTHER_NAMES}`,
  mailbox_of_signer: () => `is used by another signer with the same name: ${OTHER_NAMES}`,
  access_code_too_short: ({ min }) => `must have at least ${min} characters, outer blanks not counted`,
  verify_beside_access_code: () => 'cannot be combined with accessCode: give one of the two',
  verify_beside_link: () => 'cannot be combined with deliverBy link: leave one of the two out',
  role_name_in_use: () => 'is the name of another role already: give each a name of its own',
  field_name_in_use: () => 'is used by another field of the document: give each field a name of its own',
  condition_unknown: () => 'must be the name of a field of this document',
  condition_wrong_kind: () => 'must name a checkbox, a dropdown, a radio, a text or a number field',
  condition_not_a_choice: () => 'must be a value that the named field can have',
  condition_not_known_yet: () =>
    'must name a field of the same recipient, of the sender, a read-only field, or one of a recipient who signs earlier: its value must be known',
  condition_circular: () => 'must not depend on itself through other conditions',
  condition_invalid: () => 'must name a field whose value is known by then, and a value that it can have',
  no_signer: () => 'must have a signer or an approver',
  missing_before_sending: () => 'must be given before the document is sent',
  options_missing: () => 'must list the choices',
  value_missing: () => 'must be given before the document is sent: recipients cannot enter it',
  text_too_long: () => 'is too long for its place in the document: shorten it, or enlarge the field',
}
