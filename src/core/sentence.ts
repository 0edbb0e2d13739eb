/** What a refusal says: a code and what its sentence needs. The words are in `locales`. */
import type { Document, Recipient } from './document/document.ts'
import type { Feature } from './feature.ts'

/** What the status of a document ends. */
export type EndedAction = 'void' | 'remind' | 'sealAgain' | 'complete' | 'augment'

/** By code. */
export interface SentenceParams {
  // Of any request.
  details_omitted: { text: string; max: number; omitted: number }
  internal_error: { requestId: string }
  file_damaged: { requestId: string }
  // Accounts.
  administrators_only: undefined
  last_administrator: { name: string }
  contacts_of_nobody: undefined
  contact_not_found: undefined
  account_not_found: undefined
  email_changed_often: { times: number }
  email_link_spent: undefined
  address_taken: { email: string }
  inviter_not_a_person: undefined
  invitation_over: undefined
  invitation_link_spent: undefined
  account_exists: { email: string }
  account_disabled: undefined
  own_account_to_disable: undefined
  own_account_to_remove: undefined
  account_with_belongings: { name: string }
  address_unknown: { email: string }
  address_disabled: { email: string }
  reset_link_spent: undefined
  already_set_up: { address: string }
  setup_link_spent: undefined
  auditors_only_read: undefined
  readers_of_settings_only: undefined
  // API tokens.
  too_many_api_tokens: { max: number }
  api_token_not_found: undefined
  api_token_missing: undefined
  api_token_malformed: undefined
  api_token_unknown: undefined
  api_token_of_disabled: undefined
  api_token_expired: undefined
  scope_missing: { scope: string }
  // Sign-in.
  credentials_wrong: undefined
  password_changed: undefined
  sign_in_delayed: { seconds: number }
  please_sign_in: undefined
  please_confirm: undefined
  code_entered_late: { minutes: number }
  own_factor_first: undefined
  enrolment_expired: undefined
  no_second_factor: undefined
  person_without_factor: undefined
  passkey_site: undefined
  passkey_not_registered: undefined
  too_many_passkeys: { max: number }
  passkey_refused: undefined
  passkey_not_confirmed: undefined
  passkey_removed: undefined
  password_before_passkey: undefined
  // Identity provider.
  provider_missing: undefined
  provider_request_over: { minutes: number }
  provider_changed: undefined
  provider_somebody_else: undefined
  provider_time_missing: undefined
  provider_not_asked_again: undefined
  provider_unreachable: undefined
  provider_unusual: undefined
  provider_other_name: undefined
  provider_cancelled: undefined
  provider_refused_request: undefined
  provider_refused_client: undefined
  provider_refused_code: undefined
  provider_wrong_sender: undefined
  provider_wrong_issuer: undefined
  provider_wrong_audience: undefined
  provider_wrong_nonce: undefined
  provider_wrong_time: undefined
  provider_wrong_signature: undefined
  provider_response_invalid: undefined
  provider_without_email: undefined
  provider_email_unverified: { email: string }
  provider_domain_unlisted: { email: string }
  provider_account_other: { email: string }
  provider_account_unlinked: { email: string }
  provider_account_missing: { email: string }
  provider_invitation_open: { email: string }
  provider_no_role: undefined
  account_removed: undefined
  provider_identity_taken: undefined
  provider_linked_to_other: undefined
  provider_not_linked: undefined
  provider_only_way: undefined
  signed_out_meanwhile: undefined
  // Settings.
  no_logo: undefined
  no_colour: undefined
  setting_of_environment: { variable: string }
  level_without_authority: { level: string }
  export_format_missing: undefined
  audit_entry_missing: undefined
  checkpoint_unknown: undefined
  witness_unknown_signer: undefined
  witness_other_instance: undefined
  witness_shorter: { size: number }
  witness_fork: { size: number }
  witness_inconsistent: { size: number }
  witness_too_many: { max: number }
  witness_busy: undefined
  witnessed_unknown: undefined
  audit_log_has_gap: { sequence: number }
  email_missing: undefined
  email_sent_already: undefined
  email_not_sent: undefined
  email_not_in_outbox: undefined
  // Seal.
  authority_unknown: undefined
  seal_certificate_missing: undefined
  seal_certificate_unknown: undefined
  seal_certificate_imported: undefined
  seal_certificate_revoked: { at: string }
  seal_certificate_active: undefined
  seal_successor_not_imported: undefined
  seal_changed_meanwhile: undefined
  seal_certificate_spent: undefined
  revocation_reason_missing: undefined
  // The key that seals. `reason`: words of the verifier, or of the reader of DER.
  key_file_too_large: undefined
  key_file_damaged: { reason: string }
  key_file_passphrase: undefined
  key_file_encrypted_to_certificate: undefined
  key_file_signed: undefined
  key_file_rounds: undefined
  key_file_encryption: { id: string }
  key_file_derivation: { id: string }
  key_file_mac: { id: string }
  key_file_without_key: undefined
  key_file_with_several_keys: undefined
  key_file_without_certificate: undefined
  key_file_kind: undefined
  key_file_type: { type: string }
  key_file_short: { bits: number; min: number }
  seal_key_kind: undefined
  seal_key_of_other_certificate: undefined
  seal_key_origin: { reason: string }
  seal_key_test: { reason: string }
  seal_certificate_over: { name: string; day: string }
  seal_certificate_too_new: { name: string; day: string }
  seal_certificate_usage: { name: string }
  seal_too_early: { from: string }
  seal_ended: { on: string }
  // Why a document is not sealed yet, or a test page not at all.
  sealed_file_invalid: undefined
  /** As releases before stored it. */
  sealed_file_invalid_for: { reason: string }
  sealing_unreachable: undefined
  sealing_disk: undefined
  sealing_busy: undefined
  original_missing: undefined
  original_changed: undefined
  timestamp_missing: { reason: string }
  timestamp_awaited: { reason: string }
  seal_certificate_unusable: { reason: string }
  pdf_unsealable: { reason: string }
  test_page_invalid: { reason: string }
  test_page_unsealable: { reason: string }
  sealing_failed: undefined
  // Webhooks.
  sending_paused: undefined
  secret_replaced_often: { times: number }
  webhook_not_found: undefined
  delivery_not_found: undefined
  webhook_disabled: undefined
  too_many_webhooks: { max: number }
  // Backups.
  backup_place_missing: undefined
  backup_running: undefined
  backup_gone: undefined
  backup_not_handed_out: { reason: string }
  // Health.
  work_unknown: undefined
  clock_answer_missing: undefined
  clock_still_wrong: { time: string }
  node_to_upgrade: { name: string; version: string }
  // Requests.
  too_many_imports: undefined
  too_many_test_pages: undefined
  too_many_tests: undefined
  too_many_attempts: undefined
  too_many_sign_ins: undefined
  too_many_authentications: undefined
  nothing_here: undefined
  method_not_allowed: { method: string; allowed: string[] }
  too_many_requests: { count: number; seconds: number; waitS: number }
  requests_at_once: undefined
  large_requests_at_once: undefined
  pages_open: undefined
  shutting_down: undefined
  disk_nearly_full: undefined
  body_too_large: { bytes: number }
  body_cut_off: undefined
  body_too_slow: undefined
  body_encoded: undefined
  body_of_other_type: { type: string }
  form_unreadable: undefined
  form_with_many_fields: undefined
  form_too_large: { bytes: number }
  form_of_other_address: { address: string }
  input_unfit: undefined
  idempotency_key_reused: undefined
  idempotency_in_progress: undefined
  document_deleted_since: undefined
  file_too_large: { bytes: number }
  files_too_large: { bytes: number }
  pdf_too_large: { bytes: number }
  pdfs_too_large: { bytes: number }
  not_base64: { path: string }
  json_malformed: undefined
  json_too_deep: { levels: number }
  json_duplicate_member: { name: string }
  json_too_large: { bytes: number }
  json_too_large_beside: { member: string; bytes: number }
  pdf_not_chosen: undefined
  list_not_chosen: undefined
  // Documents.
  document_not_found: undefined
  document_over: { status: Document['status']; action: EndedAction }
  document_not_a_draft: { status: Document['status'] }
  document_not_ended: { status: Document['status'] }
  document_labels_only: { status: Document['status'] }
  recipients_not_correctable: { status: Document['status'] }
  document_expired_for_corrections: undefined
  recipient_not_correctable: { status: Recipient['status'] }
  recipient_not_found: undefined
  document_under_hold: undefined
  document_held_already: undefined
  document_not_held: undefined
  hold_by_administrators: undefined
  nothing_to_sign: undefined
  not_waiting_for_you: undefined
  link_by_email_only: undefined
  links_only_while_out: { status: Document['status'] }
  link_of_expired: undefined
  link_out_of_turn: undefined
  link_beside_code: undefined
  links_not_allowed: undefined
  not_locked: undefined
  locked_out_anyway: { status: Document['status'] }
  too_many_documents: { max: number }
  no_documents_chosen: undefined
  zip_too_large: { gigabytes: string }
  nobody_signed: undefined
  document_sealed: undefined
  not_sealed_yet: undefined
  no_receipt: undefined
  no_evidence_pack: undefined
  page_missing: undefined
  picture_missing: undefined
  file_field_missing: undefined
  file_missing: undefined
  mark_missing: undefined
  draft_changed: undefined
  edit_not_json: undefined
  access_code_not_copied: { name: string }
  upgrade_unfinished: { feature: Feature }
  // Templates and batches.
  template_not_found: undefined
  template_of_other: undefined
  template_unfinished: undefined
  template_and_document_changed: undefined
  batch_not_found: undefined
  list_read_anew: undefined
  template_changed: undefined
  batch_started: undefined
  batch_not_sending: undefined
  batch_nothing_to_retry: undefined
  batch_not_a_draft: undefined
  rows_repeated: { count: number }
  rows_sent_already: { at: string; by: string }
  row_not_made: undefined
}
