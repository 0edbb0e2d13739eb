/** What is wrong with a value, in English, as the API says it. */
import type { ViolationTexts } from '../violations.ts'

export const violations: ViolationTexts = {
  empty: () => 'must not be empty',
  several_lines: () => 'must be one line: take out line breaks and NUL characters',
  not_storable: () => 'must not contain the character U+0000 or half of a surrogate pair',
  unprintable: ({ characters }) =>
    `contains characters that cannot be printed: ${characters.join(' ')}. Please remove or replace them`,
  not_an_email: () => 'must be an e-mail address such as ada@example.com',
}
