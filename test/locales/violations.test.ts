/** What is wrong with a value is said in each language, with all that the code comes with. */
import { describe, expect, test } from 'bun:test'
import { errorAt, errorsIn, InvalidInputError, refuseIfInvalid } from '../../src/core/refusal.ts'
import { type Violation, type ViolationParams, violation } from '../../src/core/violation.ts'
import { violations as german } from '../../src/locales/de/violations.ts'
import { violations as english } from '../../src/locales/en/violations.ts'
import { englishOf, englishOfList, violationText } from '../../src/locales/violations.ts'

/** One for each code. */
const SAMPLES: ViolationParams = {
  empty: undefined,
  several_lines: undefined,
  not_storable: undefined,
  unprintable: { characters: ['合', '同'] },
  half_character: undefined,
  too_long: { max: 100 },
  too_many_bytes: { max: 255 },
  not_an_email: undefined,
  not_a_time: undefined,
  not_in_the_future: undefined,
  too_far_ahead: { days: 365 },
  not_a_web_address: undefined,
  with_credentials: undefined,
  unknown_language: { code: 'xx' },
  not_chosen: undefined,
  too_many: { max: 20 },
  too_much_text: { maxBytes: 800, bytes: 900 },
  too_many_fields: { max: 500, count: 501 },
  metadata_names: { max: 100 },
  expiry_given_twice: undefined,
  mailbox_of_recipient: { index: 3 },
  mailbox_of_person: { name: 'Bo Li' },
  mailbox_of_signer: undefined,
  access_code_too_short: { min: 6 },
  verify_beside_access_code: undefined,
  verify_beside_link: undefined,
  role_name_in_use: undefined,
  field_name_in_use: undefined,
  condition_unknown: undefined,
  condition_wrong_kind: undefined,
  condition_not_a_choice: undefined,
  condition_not_known_yet: undefined,
  condition_circular: undefined,
  condition_invalid: undefined,
  no_signer: undefined,
  missing_before_sending: undefined,
  options_missing: undefined,
  value_missing: undefined,
  text_too_long: undefined,
}
/** The page has a row for each recipient: German names no path. */
const UNSAID = new Set(['mailbox_of_recipient'])
const ALL = Object.entries(SAMPLES).map(([code, params]) => ({ code, params }) as Violation)

describe.each(ALL)('$code', each => {
  const [inEnglish, inGerman] = [violationText(english, each), violationText(german, each)]

  test('has words in English and in German, which are not the same', () => {
    expect(inEnglish).not.toBe(inGerman)
    expect(inGerman).not.toMatch(/\b(the|must|cannot|please|already|has|again)\b/i)
  })

  test('says everything that it comes with, and ends without a full stop', () => {
    const texts = [inEnglish, ...(UNSAID.has(each.code) ? [] : [inGerman])]
    for (const part of Object.values(each.params ?? {}).flat()) for (const text of texts) expect(text).toContain(String(part))
    for (const text of [inEnglish, inGerman]) expect(text).not.toMatch(/[.!?]$/)
  })
})

describe('a refusal that lists what is wrong', () => {
  const refusalOf = (errors: Parameters<typeof refuseIfInvalid>[0]): InvalidInputError => {
    try {
      refuseIfInvalid(errors)
    } catch (error) {
      if (error instanceof InvalidInputError) return error
    }
    throw new Error('it was not refused')
  }

  test('says the first in the words of the API, and how many more there are', () => {
    const one = errorAt('recipients[0].name', violation('empty'))
    expect(englishOfList(refusalOf([one]))).toBe('recipients[0].name: must not be empty')
    expect(englishOfList(refusalOf([one, one, one]))).toBe('recipients[0].name: must not be empty (and 2 more, see details)')
  })

  test('keeps the sentence of a rule that has no code', () => {
    expect(errorsIn([['title', 'must be short']]).map(englishOf)).toEqual(['must be short'])
  })

  test('is none if no rule has found anything', () => {
    expect(errorsIn([['title', undefined]])).toEqual([])
    expect(() => refuseIfInvalid([])).not.toThrow()
  })
})
