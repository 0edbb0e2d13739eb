/** What is wrong with a value is said in each language, with all that the code comes with. */
import { describe, expect, test } from 'bun:test'
import { errorAt, errorsIn, InvalidInputError, refuseIfInvalid } from '../../src/core/refusal.ts'
import { type Violation, type ViolationParams, violation } from '../../src/core/violation.ts'
import { violations as german } from '../../src/locales/de/violations.ts'
import { violations as english } from '../../src/locales/en/violations.ts'
import { storedTranslator } from '../../src/locales/stored-violations.ts'
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
  required: undefined,
  given_twice: undefined,
  malformed_id: { prefix: 'fld' },
  id_in_use: undefined,
  unknown_recipient: undefined,
  unknown_field: undefined,
  too_many_fields_in_all: { max: 500, count: 501 },
  not_for_type: { type: 'checkbox' },
  box_beside_options: { type: 'radio' },
  option_without_box: undefined,
  option_with_box: undefined,
  duplicate_option: undefined,
  choices_missing: { type: 'dropdown' },
  max_below_min: undefined,
  x_below_zero: undefined,
  y_below_zero: undefined,
  width_not_positive: undefined,
  height_not_positive: undefined,
  beyond_right_edge: undefined,
  beyond_bottom_edge: undefined,
  beyond_last_page: { pages: 3 },
  type_not_for_sender: { types: ['text', 'number'] },
  field_of_viewer: undefined,
  mark_of_approver: { type: 'signature' },
  not_prefillable: { type: 'signature', types: ['text', 'number'] },
  read_only_without_value: undefined,
  fields_unfit_for_role: undefined,
  not_a_tag: undefined,
  not_readable: undefined,
  search_unfinished: { searched: 3, pages: 40 },
  form_fields_ambiguous: { fields: 3, signers: 2 },
  tag_without_recipient: { tag: '{{signature:3}}', page: 1, party: 3, count: 2 },
  not_for_templates: undefined,
  not_for_roles: undefined,
  unknown_role: { names: ['Tenant', 'Landlord'] },
  role_taken: undefined,
  role_missing: { name: 'Tenant' },
  too_long_when_filled: { max: 255 },
  unknown_value_name: { names: ['Rent', 'Begin'], hasMore: false },
  ambiguous_label: { count: 2 },
  value_given_twice: { name: 'Rent' },
  sender_field_read_only: undefined,
  value_required_of_sender: undefined,
  page_not_in_new_file: { page: 4 },
  row_count: { max: 500 },
  access_code_in_batch: undefined,
  link_in_batch: undefined,
  rows_sent_before: { batchId: 'bat_01' },
  same_people: { row: 'line 5' },
  unknown_column: { names: ['Name', 'Rent'] },
  column_missing: undefined,
  spreadsheet_number: { iso: '2026-04-30' },
  ambiguous_number: { comma: '1.5', point: '1,500' },
  ambiguous_date: { dayFirst: '2026-04-03', monthFirst: '2026-03-04' },
  lost_digits: undefined,
  number_with_currency: undefined,
  malformed_number: undefined,
  too_small: { min: 3 },
  too_large: { max: 7 },
  not_yes_or_no: undefined,
  not_a_choice: { choices: ['cat', 'dog'], hasMore: false },
  short_year: undefined,
  not_a_date: undefined,
  more_cells_than_columns: { cells: 9, columns: 4 },
  list_empty: undefined,
  list_too_large: { megabytes: 5 },
  too_many_columns: { max: 500 },
  too_many_rows: { max: 500 },
  file_is_spreadsheet: undefined,
  file_is_pdf: undefined,
  file_not_csv: undefined,
  wrong_encoding: { encoding: 'utf-8' },
  unclosed_quotation: { line: 7 },
  wrong_type: { types: ['string', 'number'] },
  not_one_of: { values: ['left', 'right'] },
  too_short: { min: 2 },
  wrong_form: { form: 'The id of a document' },
  unknown_member: undefined,
  schema_mismatch: { words: 'must match format "date-time"' },
  too_many_entries: { max: 20 },
  too_few_entries: { min: 1 },
  too_many_members: { max: 50 },
  too_many_parts: { max: 300 },
  given_more_than_once: undefined,
  no_such_time: undefined,
  unknown_part: { parts: ['document', 'file'] },
  part_without_file_name: undefined,
  file_name_beside_files: undefined,
  one_file_only: undefined,
  too_many_files: { max: 20 },
  malformed_idempotency_key: undefined,
  not_an_etag: undefined,
  range_beyond_end: { bytes: 900 },
  malformed_host: undefined,
  not_a_version: undefined,
  changed_meanwhile: { by: 'Bo Li', at: '2026-07-01T12:00:00Z' },
  unknown_event: undefined,
  cursor_of_other_order: undefined,
  cursor_beyond_changes: undefined,
  reason_missing: undefined,
  not_a_receiver: undefined,
  code_webhook_missing: undefined,
  pdf_expected: undefined,
  pdf_with_password: undefined,
  pdf_protected: undefined,
  pdf_encrypted_otherwise: undefined,
  pdf_damaged: undefined,
  pdf_signed: undefined,
  pdf_dynamic_form: undefined,
  pdf_of_other_files: undefined,
  pdf_without_pages: undefined,
  pdf_page_size: { page: 2, points: '1 × 2', min: 3, max: 400 },
  pdf_too_many_pages: { count: 901, max: 900 },
  pdf_beyond_limits: { words: 'The content of a page is too large to process.' },
  pdf_not_sealable: { cause: 'a page is in the page tree twice' },
  pdf_not_processed: { cause: 'it needs too much memory' },
  pdf_not_joined: { cause: 'a page is in the page tree twice' },
  files_not_joined: { cause: 'it needs too much memory' },
  files_with_too_many_pages: { max: 900 },
}
/** German leaves out what only a program needs: paths, types of fields, and members of a schema. */
const UNSAID = new Set<string>([
  'mailbox_of_recipient',
  'malformed_id',
  'not_for_type',
  'box_beside_options',
  'choices_missing',
  'type_not_for_sender',
  'mark_of_approver',
  'not_prefillable',
  'wrong_type',
  'not_one_of',
  'wrong_form',
  'schema_mismatch',
  'changed_meanwhile',
  'pdf_beyond_limits',
  'pdf_not_sealable',
  'pdf_not_processed',
  'pdf_not_joined',
  'files_not_joined',
])
/** Of these, the English words do not tell enough. */
const UNTOLD = new Set<string>(['wrong_type', 'schema_mismatch', 'unknown_part', 'pdf_beyond_limits'])
const fromEnglish = storedTranslator(english, german)
const ALL = Object.entries(SAMPLES).map(([code, params]) => ({ code, params }) as Violation)

describe.each(ALL)('$code', each => {
  const [inEnglish, inGerman] = [violationText(english, each), violationText(german, each)]

  test('has words in English and in German, which are not the same', () => {
    expect(inEnglish).not.toBe(inGerman)
    expect(inGerman).not.toMatch(/\b(the|must|cannot|please|already|has|again)\b/i)
  })

  test('says everything that it comes with; a clause ends without a full stop, a sentence as it is', () => {
    const texts = [inEnglish, ...(UNSAID.has(each.code) ? [] : [inGerman])]
    const parts = Object.values(each.params ?? {})
      .flat()
      .filter(part => typeof part !== 'boolean')
    for (const part of parts) for (const text of texts) expect(text).toContain(String(part))
    if (!each.code.startsWith('pdf_') && !each.code.startsWith('files_'))
      for (const text of [inEnglish, inGerman]) expect(text).not.toMatch(/[.!?]$/)
  })

  test.if(!UNTOLD.has(each.code))('is found by its English words, as earlier releases have stored them', () => {
    expect(fromEnglish(inEnglish)).toBe(inGerman)
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
    expect(englishOfList(refusalOf([one]), englishOf)).toBe('recipients[0].name: must not be empty')
    expect(englishOfList(refusalOf([one, one, one]), englishOf)).toBe(
      'recipients[0].name: must not be empty (and 2 more, see details)',
    )
  })

  test('keeps the sentence of a rule that has no code', () => {
    expect(errorsIn([['title', 'must be short']]).map(englishOf)).toEqual(['must be short'])
  })

  test('is none if no rule has found anything', () => {
    expect(errorsIn([['title', undefined]])).toEqual([])
    expect(() => refuseIfInvalid([])).not.toThrow()
  })
})
