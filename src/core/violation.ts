/** What is wrong with a value: a code and what its sentence needs. The words are in `locales`. */
import { type Coded, coderOf } from './coded.ts'
import type { SentenceParams } from './sentence.ts'

/** By code. */
export interface ViolationParams extends SentenceParams {
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
  /** `first`: in words, with its path. */
  first_of_several: { first: string; more: number }
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
  // Fields, and edits of them.
  required: undefined
  given_twice: undefined
  malformed_id: { prefix: string }
  id_in_use: undefined
  unknown_recipient: undefined
  unknown_field: undefined
  too_many_fields_in_all: { max: number; count: number }
  not_for_type: { type: string }
  box_beside_options: { type: string }
  option_without_box: undefined
  option_with_box: undefined
  duplicate_option: undefined
  choices_missing: { type: string }
  max_below_min: undefined
  x_below_zero: undefined
  y_below_zero: undefined
  width_not_positive: undefined
  height_not_positive: undefined
  beyond_right_edge: undefined
  beyond_bottom_edge: undefined
  beyond_last_page: { pages: number }
  type_not_for_sender: { types: string[] }
  field_of_viewer: undefined
  mark_of_approver: { type: string }
  not_prefillable: { type: string; types: string[] }
  read_only_without_value: undefined
  fields_unfit_for_role: undefined
  not_a_tag: undefined
  /** Typed into the table of fields. */
  not_readable: undefined
  // Fields that the PDF contains.
  search_unfinished: { searched: number; pages: number }
  form_fields_ambiguous: { fields: number; signers: number }
  tag_without_recipient: { tag: string; page: number; party: number; count: number }
  // Templates, and documents made from them.
  not_for_templates: undefined
  not_for_roles: undefined
  unknown_role: { names: string[] }
  role_taken: undefined
  role_missing: { name: string }
  too_long_when_filled: { max: number }
  unknown_value_name: { names: string[]; hasMore: boolean }
  ambiguous_label: { count: number }
  value_given_twice: { name: string }
  sender_field_read_only: undefined
  value_required_of_sender: undefined
  page_not_in_new_file: { page: number }
  // Batches, and lists in CSV.
  row_count: { max: number }
  access_code_in_batch: undefined
  link_in_batch: undefined
  rows_sent_before: { batchId: string }
  same_people: { row: string }
  unknown_column: { names: string[] }
  column_missing: undefined
  spreadsheet_number: { iso: string }
  ambiguous_number: { comma: string; point: string }
  ambiguous_date: { dayFirst: string; monthFirst: string }
  lost_digits: undefined
  number_with_currency: undefined
  malformed_number: undefined
  too_small: { min: number }
  too_large: { max: number }
  not_yes_or_no: undefined
  not_a_choice: { choices: string[]; hasMore: boolean }
  short_year: undefined
  not_a_date: undefined
  more_cells_than_columns: { cells: number; columns: number }
  list_empty: undefined
  list_too_large: { megabytes: number }
  too_many_columns: { max: number }
  too_many_rows: { max: number }
  file_is_spreadsheet: undefined
  file_is_pdf: undefined
  file_not_csv: undefined
  wrong_encoding: { encoding: string }
  unclosed_quotation: { line: number }
  // Requests, and how they are written.
  wrong_type: { types: string[] }
  not_one_of: { values: readonly string[] }
  too_short: { min: number }
  /** Empty without a description. */
  wrong_form: { form: string }
  unknown_member: undefined
  /** In the words of the validator. */
  schema_mismatch: { words: string }
  too_many_entries: { max: number }
  too_few_entries: { min: number }
  too_many_members: { max: number }
  too_many_parts: { max: number }
  given_more_than_once: undefined
  no_such_time: undefined
  unknown_part: { parts: string[] }
  part_without_file_name: undefined
  file_name_beside_files: undefined
  one_file_only: undefined
  too_many_files: { max: number }
  malformed_idempotency_key: undefined
  not_an_etag: undefined
  range_beyond_end: { bytes: number }
  malformed_host: undefined
  // Documents in lists and in hands.
  not_a_version: undefined
  changed_meanwhile: { by: string; at: string }
  unknown_event: undefined
  cursor_of_other_order: undefined
  cursor_beyond_changes: undefined
  reason_missing: undefined
  not_a_receiver: undefined
  code_webhook_missing: undefined
  device_key_impossible: undefined
  // Files that no document is made of, in whole sentences.
  pdf_expected: undefined
  pdf_with_password: undefined
  pdf_protected: undefined
  pdf_encrypted_otherwise: undefined
  pdf_damaged: undefined
  pdf_signed: undefined
  pdf_dynamic_form: undefined
  pdf_of_other_files: undefined
  pdf_without_pages: undefined
  pdf_page_size: { page: number; points: string; min: number; max: number }
  pdf_too_many_pages: { count: number; max: number }
  /** The causes are in the words of the parser and of the child process. */
  pdf_beyond_limits: { words: string }
  pdf_not_sealable: { cause: string }
  pdf_not_processed: { cause: string }
  pdf_not_joined: { cause: string }
  files_not_joined: { cause: string }
  files_with_too_many_pages: { max: number }
  // Accounts.
  contact_known: { name: string }
  present_address: undefined
  address_has_account: undefined
  address_has_invitation: undefined
  invited_already: undefined
  language_of_organisation: undefined
  // API tokens.
  scopes_not_allowed: { scopes: string[] }
  // Sign-in.
  not_right: undefined
  password_too_short: { min: number }
  password_common: undefined
  entered_long_ago: undefined
  code_used_or_wrong: undefined
  code_wrong: undefined
  // Settings.
  not_a_zone: undefined
  not_a_colour: undefined
  colour_too_light: { contrast: string; min: number; darker: string }
  not_a_whole_number: { max: number }
  not_hours_of_a_day: undefined
  not_months: { max: number }
  mail_server_missing: undefined
  not_roots: undefined
  not_a_port: undefined
  not_a_mail_security: undefined
  not_with_password: undefined
  secret_of_other_server: undefined
  metadata_address: undefined
  shorten: undefined
  not_a_host_name: undefined
  not_a_sender_name: undefined
  not_a_picture: undefined
  picture_too_large: { mb: number }
  picture_too_wide: { pixels: number }
  picture_damaged: undefined
  not_a_key_copy: undefined
  key_copy_differs: undefined
  not_an_authority_url: undefined
  // A witness.
  not_a_checkpoint: { problem: string }
  checkpoint_without_tree: undefined
  checkpoint_of_nothing: undefined
  witness_without_certificate: undefined
  witness_is_itself: undefined
  login_in_url: undefined
  secret_of_other_authority: undefined
  not_certificates: undefined
  not_entered: undefined
  secret_of_other_provider: undefined
  claim_missing: undefined
  claim_value_missing: undefined
  claim_without_role: undefined
  program_rights_missing: undefined
  scope_missing_in_form: undefined
  expiry_missing: undefined
  expiry_out_of_range: undefined
  too_many_addresses: { max: number }
  not_origins: undefined
  not_authorities: undefined
  login_not_encoded: undefined
  not_a_sender: undefined
  not_an_issuer: undefined
  not_https: undefined
  not_a_bare_address: undefined
  not_one_line: undefined
  not_domains: undefined
  not_scopes: undefined
  not_either: { values: readonly string[]; last: string }
  // Backups.
  hour_missing: undefined
  not_a_time_of_day: undefined
  not_a_number: { min: number; max: number }
  not_an_absolute_path: undefined
  inside_data_folder: undefined
  not_a_folder: undefined
  folder_missing: undefined
  folder_not_writable: { errno: string }
  lines_out_of_range: { max: number }
  not_reachable: { reason: string }
  not_an_age_recipient: { text: string }
  s3_url_malformed: { shape: string }
  s3_url_without_key: { shape: string }
  s3_url_without_bucket: undefined
  s3_url_prefix: undefined
  s3_url_parameters: undefined
  s3_url_tls: undefined
  s3_url_escapes: undefined
  // Webhooks.
  event_types_missing: undefined
  event_type_unknown: { type: string; known: string[] }
  event_types_not_chosen: undefined
  // Addresses that webhooks reach, in whole sentences.
  url_with_spaces: undefined
  url_too_long: { max: number }
  url_not_http: undefined
  url_unreadable: undefined
  url_with_login: undefined
  url_with_fragment: undefined
  url_port_zero: undefined
  /** `host`: in quotation marks. */
  url_host_refused: { host: string }
  url_network_refused: { reason: string }
  network_unreadable: { text: string }
  network_prefix_too_long: { text: string; version: number; bits: number }
  network_beyond_prefix: { text: string; network: string }
  network_with_metadata: { network: string; address: string }
  // Filters of the audit log.
  not_a_day: undefined
  not_a_document: undefined
  too_many_matches: { max: number }
}

export type ViolationCode = keyof ViolationParams

export type Violation = Coded<ViolationParams>

export const violation = coderOf<ViolationParams>()
