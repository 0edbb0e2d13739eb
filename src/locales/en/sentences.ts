/** What refusals say, in English, as the API says it. */
import type { Feature } from '../../core/feature.ts'
import type { EndedAction } from '../../core/sentence.ts'
import { FORMER_SECRET_HOURS, MAX_KEY_FILE_BYTES } from '../../core/service-limits.ts'
import type { SentenceTexts } from '../violations.ts'

function pause(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

const DONE: Record<EndedAction, string> = {
  void: 'voided',
  remind: 'reminded of',
  sealAgain: 'sealed again',
  complete: 'completed',
  augment: 'augmented',
}

const WHAT: Record<Feature, string> = {
  approvalWithoutMark: 'An approver without a signature field',
  sharedAddress: 'One address for two people who sign',
  signNow: '“Sign now” in the web app',
  sessionEnd: 'The end of a session with the signature',
  consentEntry: 'The consent as an event of its own',
  pkcs7Seal: 'A seal with the sub-filter adbe.pkcs7.detached',
  receiptMail: 'A receipt by e-mail',
  deviceKeyRequired: 'A key of the device that is required',
}

export const sentences: SentenceTexts = {
  // Of any request.
  details_omitted: ({ text, max, omitted }) => `${text}. Details list the first ${max} errors; at least ${omitted} more exist.`,
  internal_error: ({ requestId }) => `Internal error. Try again, or give your administrator request ID ${requestId}.`,
  file_damaged: ({ requestId }) =>
    `The stored file is damaged or missing, so it was not sent. An administrator can restore it from a backup. Request ID ${requestId}.`,
  // Accounts.
  administrators_only: () => 'Only administrators can see and change these settings.',
  last_administrator: ({ name }) => `${name} is the only active administrator: make another person an administrator first.`,
  contacts_of_nobody: () => 'Only a person has contacts.',
  contact_not_found: () => 'Contact not found.',
  account_not_found: () => 'There is no account of this person.',
  email_changed_often: ({ times }) => `An address can be changed ${times} times a day. Please try again tomorrow.`,
  email_link_spent: () => 'This link was used, was replaced by a newer one, or has expired. Nothing was changed by it.',
  address_taken: ({ email }) => `The address ${email} belongs to another account or invitation now. Nothing was changed.`,
  inviter_not_a_person: () => 'Only a person can invite others.',
  invitation_over: () => 'This invitation was accepted or withdrawn.',
  invitation_link_spent: () =>
    'This invitation was used, was withdrawn, was replaced by a newer one, or has expired. Ask the person who invited you for a new one.',
  account_exists: ({ email }) => `There is already an account with the address ${email}: sign in.`,
  account_disabled: () => 'This account is disabled. Ask an administrator of this service to enable it again.',
  own_account_to_disable: () => 'You cannot disable your own account: ask another administrator.',
  own_account_to_remove: () => 'You cannot remove your own account: ask another administrator.',
  account_with_belongings: ({ name }) =>
    `Documents, templates or webhooks belong to ${name}: hand them over first, or disable the account.`,
  address_unknown: ({ email }) => `There is no account with the address ${email}: check it for typing errors.`,
  address_disabled: ({ email }) =>
    `The account with the address ${email} is disabled: an administrator can enable it under Settings → People.`,
  reset_link_spent: () =>
    'This link was used, was replaced by a newer one, or has expired. Ask for a new one on the sign-in page, or run signet admin reset again.',
  already_set_up: ({ address }) =>
    `This service is already set up: sign in at ${address}. If you forgot the password, run signet admin reset on the server.`,
  setup_link_spent: () =>
    'This set-up link has expired or was replaced by a newer one. Restart signet serve: it prints a new one.',
  auditors_only_read: () => 'Auditors can read documents, but not change them.',
  readers_of_settings_only: () => 'Only administrators and auditors can open this page.',
  // API tokens.
  too_many_api_tokens: ({ max }) => `There are ${max} API tokens already: revoke one that is not used any more.`,
  api_token_not_found: () => 'API token not found.',
  api_token_missing: () => 'Send your API token as "Authorization: Bearer <token>".',
  api_token_malformed: () => 'This is not an API token of this environment: check it for typing errors.',
  api_token_unknown: () => 'The API token is unknown or was revoked.',
  api_token_of_disabled: () => 'The account that this API token belongs to is disabled.',
  api_token_expired: () => 'The API token has expired: create a new one under Settings → API tokens.',
  scope_missing: ({ scope }) => `This API token lacks the scope ${scope}: use another token, or create one that has it.`,
  // Sign-in.
  credentials_wrong: () => 'E-mail address or password is not right.',
  password_changed: () => 'The password was changed meanwhile. Please sign in again.',
  sign_in_delayed: ({ seconds }) => `Too many failed sign-ins. Please wait ${pause(seconds)}.`,
  please_sign_in: () => 'Please sign in.',
  please_confirm: () => 'Please confirm first that it is you.',
  code_entered_late: ({ minutes }) => `You have ${minutes} minutes to enter the code. Please sign in again.`,
  own_factor_first: () => 'Set up your own second factor first, under Profile.',
  enrolment_expired: () => 'The code to scan was shown too long ago. Please set up the app again.',
  no_second_factor: () => 'No second factor is set up.',
  person_without_factor: () => 'This person has no second factor.',
  passkey_site: () => 'Passkeys need an address with https and a host name, such as https://sign.example.com.',
  passkey_not_registered: () => 'The passkey could not be registered. Please try again.',
  too_many_passkeys: ({ max }) => `You have ${max} passkeys. Please remove one first.`,
  passkey_refused: () => 'The passkey was not accepted. Please try again, or sign in with your password.',
  passkey_not_confirmed: () => 'The passkey was not accepted. Please try again, or enter your password.',
  passkey_removed: () => 'This passkey was removed.',
  password_before_passkey: () => 'Please enter your password again before you add a passkey.',
  // Identity provider.
  provider_missing: () => 'No identity provider is set up for this service.',
  provider_request_over: ({ minutes }) =>
    `This sign-in is no longer open: it was begun more than ${minutes} minutes ago or in another browser, or was used. Please start again.`,
  provider_changed: () => 'An administrator has changed the identity provider meanwhile. Please start again.',
  provider_somebody_else: () => 'You signed in at the identity provider as somebody else. Nothing was confirmed.',
  provider_time_missing: () =>
    'The identity provider does not say when you signed in there. Please use a passkey or your password instead.',
  provider_not_asked_again: () => 'The identity provider did not ask you to sign in again. Nothing was confirmed.',
  provider_unreachable: () => 'The identity provider cannot be reached. Please try again later, or sign in another way.',
  provider_unusual: () => 'The identity provider does not answer as one should. Please tell your administrator.',
  provider_other_name: () =>
    'The identity provider gives another name than the one that is set up here. Please tell your administrator.',
  provider_cancelled: () => 'You cancelled the sign-in at the identity provider.',
  provider_refused_request: () => 'The identity provider refused the request of this service. Please tell your administrator.',
  provider_refused_client: () =>
    'The identity provider does not accept the client ID or secret of this service. Please tell your administrator.',
  provider_refused_code: () =>
    'The identity provider no longer accepts this sign-in: it took too long, or was used. Please start again.',
  provider_wrong_sender: () => 'The response was refused: it comes from another identity provider than the one that was asked.',
  provider_wrong_issuer: () =>
    'The response was refused: another identity provider has issued it. Please tell your administrator.',
  provider_wrong_audience: () => 'The response was refused: it is meant for another service. Please tell your administrator.',
  provider_wrong_nonce: () => 'The response was refused: it belongs to another sign-in. Please start again.',
  provider_wrong_time: () =>
    'The response was refused: it has expired or is not valid yet. Please start again; if that does not help, a clock is wrong.',
  provider_wrong_signature: () =>
    'The response was refused: it is not signed with a key of the identity provider. Please tell your administrator.',
  provider_response_invalid: () =>
    'The response of the identity provider was refused: it is not as the standard says. Please tell your administrator.',
  provider_without_email: () => 'The identity provider gives no e-mail address for you. Please tell your administrator.',
  provider_email_unverified: ({ email }) => `The identity provider does not say that the address ${email} was verified as yours.`,
  provider_domain_unlisted: ({ email }) => `Addresses like ${email} may not sign in here by the identity provider.`,
  provider_account_other: ({ email }) =>
    `The account with the address ${email} is linked to another account at the identity provider. Please tell your administrator.`,
  provider_account_unlinked: ({ email }) =>
    `There is an account with the address ${email}, which is not linked yet: sign in as before, and link it under Profile.`,
  provider_account_missing: ({ email }) =>
    `There is no account for ${email}. Please ask an administrator of this service to invite you.`,
  provider_invitation_open: ({ email }) =>
    `There is an invitation for ${email}: please open the link in it, or ask for a new one.`,
  provider_no_role: () => 'The identity provider gives you no role in this service. Please ask your administrator.',
  account_removed: () => 'This account was removed.',
  provider_identity_taken: () => 'Your account at the identity provider is linked to another person here.',
  provider_linked_to_other: () => 'You are linked to another account at the identity provider: unlink that one first.',
  provider_not_linked: () => 'Your account is not linked to the identity provider.',
  provider_only_way: () =>
    'This is your only way to sign in. Set a password first: sign out, and follow “Forgotten your password?”.',
  signed_out_meanwhile: () => 'You were signed out meanwhile. Please sign in, and start again.',
  // Settings.
  no_logo: () => 'There is no logo.',
  no_colour: () => 'There is no colour.',
  setting_of_environment: ({ variable }) => `This setting is set by ${variable}: change it there, or unset the variable first.`,
  level_without_authority: ({ level }) => `The level ${level} needs a time-stamp authority: add one, or choose B-B.`,
  export_format_missing: () => 'Choose a format for the export.',
  audit_entry_missing: () => 'The audit log has no entry with this number.',
  checkpoint_unknown: () => 'There is no such checkpoint.',
  witness_unknown_signer: () =>
    'No instance that is witnessed here has this seal certificate: give it to the administrator of the witness.',
  witness_other_instance: () =>
    'This certificate is known for another instance: give the administrator of the witness the certificate of this one.',
  witness_shorter: ({ size }) =>
    `The witness has seen a log of ${size} entries, and this checkpoint covers fewer: entries were removed, or a backup was restored.`,
  witness_fork: ({ size }) =>
    `The witness has seen other entries up to number ${size}: the log was made anew, or a backup was restored.`,
  witness_inconsistent: ({ size }) =>
    `This log does not begin with the ${size} entries that the witness has seen: it was made anew, or a backup was restored.`,
  witness_too_many: ({ max }) => `The witness co-signs at most ${max} checkpoints of an instance in a day.`,
  witness_busy: () => 'Another checkpoint of this instance is being co-signed: try again in a few seconds.',
  witnessed_unknown: () => 'There is no such instance among those that are witnessed here.',
  audit_log_has_gap: ({ sequence }) =>
    `The audit log has no entry ${sequence}, although it has later ones, so no checkpoint can be made: run signet audit verify.`,
  email_missing: () => 'There is no such e-mail.',
  email_sent_already: () => 'This e-mail was sent already.',
  email_not_sent: () => 'Only an e-mail that was sent can be marked as not delivered.',
  email_not_in_outbox: () => 'This e-mail is not in the outbox folder.',
  // Seal.
  authority_unknown: () => 'There is no such authority here.',
  seal_certificate_missing: () => 'There is no seal certificate yet.',
  seal_certificate_unknown: () => 'There is no seal certificate with this SHA-256 fingerprint.',
  seal_certificate_imported: () => 'The certificate was imported: only its issuer can revoke it.',
  seal_certificate_revoked: ({ at }) => `The certificate was revoked on ${at}.`,
  seal_certificate_active: () => 'The certificate is active: renew it first, then revoke it.',
  seal_successor_not_imported: () => 'The certificate that seals was imported, so its successor must be imported too.',
  seal_changed_meanwhile: () => 'Another certificate has become active meanwhile. Nothing was changed.',
  seal_certificate_spent: () => 'This certificate was revoked here: it cannot seal again.',
  revocation_reason_missing: () => 'Choose a reason for the revocation.',
  // The key that seals.
  key_file_too_large: () =>
    `The file is larger than ${MAX_KEY_FILE_BYTES / 1_000_000} MB: it is not a PKCS#12 file with one key.`,
  key_file_damaged: ({ reason }) => `The file is damaged or no PKCS#12 file: ${reason}.`,
  key_file_passphrase: () => 'The pass-phrase is wrong, or the file is damaged.',
  key_file_encrypted_to_certificate: () =>
    'The file is encrypted for a certificate, not by a pass-phrase: export it with a pass-phrase.',
  key_file_signed: () => 'The file is signed by a certificate, not protected by a pass-phrase: export it with a pass-phrase.',
  key_file_rounds: () => 'The file requires more than ten million rounds of key derivation.',
  key_file_encryption: ({ id }) => `The encryption of the file is not supported (${id}).`,
  key_file_derivation: ({ id }) => `The key derivation of the file is not supported (${id}).`,
  key_file_mac: ({ id }) => `The MAC algorithm of the file is not supported (${id}).`,
  key_file_without_key: () => 'The file holds no private key: export it together with the key.',
  key_file_with_several_keys: () => 'The file holds several private keys: export only the one that will seal.',
  key_file_without_certificate: () => 'The file holds no certificate for its private key.',
  key_file_kind: () => 'The private key in the file is of a kind or on a curve that is not accepted: use RSA, P-256 or P-384.',
  key_file_type: ({ type }) => `The private key in the file cannot seal: a key of type ${type} is not accepted.`,
  key_file_short: ({ bits, min }) =>
    `The private key in the file cannot seal: RSA of ${bits} bits is too short, ${min} are needed.`,
  seal_key_kind: () => 'The key is neither an RSA nor an ECDSA key.',
  seal_key_of_other_certificate: () => 'The private key does not belong to the certificate.',
  seal_key_origin: ({ reason }) => reason,
  seal_key_test: ({ reason }) => `A test page sealed with this key is not valid: ${reason}.`,
  seal_certificate_over: ({ name, day }) => `The certificate ${name} has expired on ${day}.`,
  seal_certificate_too_new: ({ name, day }) => `The certificate ${name} is not valid before ${day}.`,
  seal_certificate_usage: ({ name }) =>
    `The key usage of ${name} does not allow signing (neither digitalSignature nor nonRepudiation).`,
  seal_too_early: ({ from }) => `It is valid only from ${from}: check the clock of this server.`,
  seal_ended: ({ on }) => `It ended on ${on}: renew it, or import its successor. Sealing then continues.`,
  // Why a document is not sealed yet, or a test page not at all.
  sealed_file_invalid: () =>
    'The sealed file did not pass the check before publishing, so it is not given out. It is tried again by itself; the log of this time has the reason.',
  sealed_file_invalid_for: ({ reason }) =>
    `The sealed file did not pass the check before publishing: ${reason}. Support needs the log of this time.`,
  sealing_unreachable: () =>
    'The database or the file store could not be reached: nothing is wrong with the file. It is tried again within a minute.',
  sealing_disk: () => 'The disk is full or failing: free space in the data folder. Sealing then continues by itself.',
  sealing_busy: () =>
    'The machine is too busy to seal the document now: nothing is wrong with the file. It is tried again within a minute.',
  original_missing: () => 'The original file is missing: restore it from a backup.',
  original_changed: () => 'The original file has changed: restore it from a backup.',
  timestamp_missing: ({ reason }) => `No time-stamp authority gave a time-stamp: ${reason}.`,
  timestamp_awaited: ({ reason }) =>
    `No time-stamp authority gave a time-stamp: ${reason}. The seal waits for one and is tried again by itself.`,
  seal_certificate_unusable: ({ reason }) => `The seal certificate cannot be used: ${reason}`,
  pdf_unsealable: ({ reason }) => `The PDF cannot be sealed: ${reason}.`,
  test_page_invalid: ({ reason }) => `The sealed page is not valid: ${reason}.`,
  test_page_unsealable: ({ reason }) => `The page could not be sealed: ${reason}.`,
  sealing_failed: () => 'Sealing failed for an unexpected reason; the log of this time names it. It is tried again by itself.',
  // Webhooks.
  sending_paused: () =>
    'Nothing is sent after a restore until an administrator resumes sending (Settings, Backups): a test would reach the receiver of the original.',
  secret_replaced_often: ({ times }) =>
    `The secret was replaced ${times} times within ${FORMER_SECRET_HOURS} hours: wait until the first of them has expired.`,
  webhook_not_found: () => 'Webhook not found.',
  delivery_not_found: () => 'Delivery not found. The deliveries of a deleted document are deleted with it.',
  webhook_disabled: () => 'The webhook is disabled: enable it, then repeat the request.',
  too_many_webhooks: ({ max }) => `There are ${max} webhooks already: delete one that is not used any more.`,
  // Backups.
  backup_place_missing: () => 'Say first where backups go.',
  backup_running: () => 'A backup is being made already.',
  backup_gone: () => 'This backup is not where it was stored any more.',
  backup_not_handed_out: ({ reason }) => `The S3 bucket does not hand out this backup: ${reason}.`,
  // Health.
  work_unknown: () => 'There is no work of this kind.',
  clock_answer_missing: () => 'Say whether the clock is right, or was corrected.',
  clock_still_wrong: ({ time }) => `The clock still shows ${time}: correct it first, or say that it is right.`,
  node_to_upgrade: ({ name, version }) => `The node ${name} serves with version ${version}: replace its executable first.`,
  // Requests.
  too_many_imports: () => 'Too many import attempts. Please wait a minute.',
  too_many_test_pages: () => 'Too many test pages were sealed. Please wait a minute.',
  too_many_tests: () => 'Too many tests were sent. Please wait a minute.',
  too_many_attempts: () => 'Too many attempts from this address. Please wait a minute.',
  too_many_sign_ins: () => 'Too many sign-ins from this address. Please wait a minute.',
  too_many_authentications: () => 'Too many failed authentications from this address: wait a little.',
  nothing_here: () => 'There is nothing at this address.',
  method_not_allowed: ({ method, allowed }) => `${method} is not allowed here. Allowed: ${allowed.join(', ')}.`,
  too_many_requests: ({ count, seconds, waitS }) => `More than ${count} requests in ${seconds} s: wait ${waitS} s.`,
  requests_at_once: () => 'Too many requests at once: try again.',
  large_requests_at_once: () => 'Too many large requests at once: try again in a few seconds.',
  pages_open: () => 'Too many pages are open: this one does not update itself.',
  shutting_down: () => 'The service is shutting down: try again in a few seconds.',
  disk_nearly_full: () =>
    'The disk of this service is nearly full: no files are accepted until its administrator has freed space.',
  body_too_large: ({ bytes }) => `The request body is larger than the ${bytes} bytes accepted here.`,
  body_cut_off: () => 'The connection ended before the whole request body had arrived.',
  body_too_slow: () => 'The request body arrived too slowly: send it again, over a faster connection.',
  body_encoded: () => 'Send the body without a Content-Encoding.',
  body_of_other_type: ({ type }) => `Send the body as ${type}.`,
  form_unreadable: () => 'The form could not be read: please send it again.',
  form_with_many_fields: () => 'The form has too many fields: please send it again.',
  form_too_large: ({ bytes }) => `The form has more than the ${bytes} bytes accepted besides its files.`,
  form_of_other_address: ({ address }) => `This form was not sent to our own address: please open ${address}.`,
  input_unfit: () => 'The input does not fit the schema.',
  idempotency_key_reused: () => 'This Idempotency-Key was used for another request: send a fresh value for each new operation.',
  idempotency_in_progress: () => 'The first request with this Idempotency-Key is still running: try again in a moment.',
  document_deleted_since: () => 'The document of this request was deleted since.',
  file_too_large: ({ bytes }) => `The file is larger than the ${bytes} bytes accepted here.`,
  files_too_large: ({ bytes }) => `The files are together larger than the ${bytes} bytes accepted here.`,
  pdf_too_large: ({ bytes }) => `The PDF is larger than the ${bytes} bytes accepted.`,
  pdfs_too_large: ({ bytes }) => `The PDFs are together larger than the ${bytes} bytes accepted.`,
  not_base64: ({ path }) => `${path} is not base64: encode the PDF by RFC 4648 §4, with padding and without a data: prefix.`,
  json_malformed: () => 'The request body is not valid JSON in UTF-8.',
  json_too_deep: ({ levels }) => `The request body is nested deeper than ${levels} levels.`,
  json_duplicate_member: ({ name }) => `The request body has an object with a duplicate member: ${name}.`,
  json_too_large: ({ bytes }) => `The request body is larger than the ${bytes} bytes accepted.`,
  json_too_large_beside: ({ member, bytes }) =>
    `The request body without its member ${member} is larger than the ${bytes} bytes accepted.`,
  pdf_not_chosen: () => 'Please choose a PDF.',
  list_not_chosen: () => 'Choose a CSV file.',
  // Documents.
  document_not_found: () => 'Document not found.',
  document_over: ({ status, action }) => `The document is ${status}: it cannot be ${DONE[action]} any more.`,
  document_not_a_draft: ({ status }) => `The document is ${status}: only a draft can be sent.`,
  document_not_ended: ({ status }) => `The document is ${status}: void it first, or wait for its end, then delete it.`,
  document_labels_only: ({ status }) => `The document is ${status}: only its labels can be changed.`,
  recipients_not_correctable: ({ status }) => `The document is ${status}: its recipients cannot be corrected any more.`,
  document_expired_for_corrections: () => 'The document has expired: its recipients cannot be corrected any more.',
  recipient_not_correctable: ({ status }) => `The recipient has ${status} and cannot be corrected any more.`,
  recipient_not_found: () => 'Recipient not found.',
  document_under_hold: () => 'The document is under legal hold: it can be deleted after an administrator has lifted the hold.',
  document_held_already: () => 'The document is already under legal hold.',
  document_not_held: () => 'The document is not under legal hold.',
  hold_by_administrators: () => 'Only administrators can set and lift a legal hold.',
  nothing_to_sign: () => 'No recipient has to act: add a signer or an approver before sending.',
  not_waiting_for_you: () => 'This document does not wait for you, or no longer does: see “Needs you” under Documents.',
  link_by_email_only: () => 'This recipient gets the link by e-mail: only a program whose key allows it can hand out another.',
  links_only_while_out: ({ status }) => `The document is ${status}: only one that is out for signature has signing links.`,
  link_of_expired: () => 'The document has expired: send it again first.',
  link_out_of_turn: () => 'It is not the turn of this recipient: signing links are for those who have to act now.',
  link_beside_code: () =>
    'The recipient has to enter a one-time code, which needs the link that was mailed: links are for recipients without `verify`.',
  links_not_allowed: () => 'Signing links are not allowed here: an administrator can allow them under Settings → Organisation.',
  not_locked: () => 'The recipient is not locked: tries are left.',
  locked_out_anyway: ({ status }) => `The document is ${status}: this recipient cannot open it, with or without a code.`,
  too_many_documents: ({ max }) => `Choose at most ${max} documents at once.`,
  no_documents_chosen: () => 'Choose at least one document.',
  zip_too_large: ({ gigabytes }) => `These files have ${gigabytes} GB together, a ZIP may have 2: choose fewer documents.`,
  nobody_signed: () => 'Nobody has signed yet: download the original.',
  document_sealed: () => 'The document is sealed: download the sealed file.',
  not_sealed_yet: () => 'There is no sealed file yet: it exists once the document is completed.',
  no_receipt: () => 'There is no receipt: the recipient has not signed or approved.',
  no_evidence_pack: () => 'There is no evidence pack yet: it exists once the document is completed.',
  page_missing: () => 'The document has no such page.',
  picture_missing: () => 'There is no picture.',
  file_field_missing: () => 'The document has no such field for a file.',
  file_missing: () => 'The document has no such file.',
  mark_missing: () => 'There is no such mark.',
  draft_changed: () => 'The document has changed since the version you have: get it and make your change again.',
  edit_not_json: () => 'edit: must be valid JSON.',
  access_code_not_copied: ({ name }) => `The access code of ${name} was not copied: set a new one before you send.`,
  upgrade_unfinished: ({ feature }) =>
    `${WHAT[feature]} can be used when the upgrade is finished, because nodes of the release before would ignore it: ask an administrator (Settings → Health).`,
  // Templates and batches.
  template_not_found: () => 'Template not found.',
  template_of_other: () => 'Only its owner and administrators change this template: duplicate it to make one of your own.',
  template_unfinished: () => 'The template is not finished: mend what the details name, then use it.',
  template_and_document_changed: () => 'The template and the document have changed: change the document by its own pages.',
  batch_not_found: () => 'Batch not found.',
  list_read_anew: () => 'The list is read in another way now, perhaps from another window: check the rows below, then send them.',
  template_changed: () => 'The template was changed while the rows were checked. Please send them again.',
  batch_started: () => 'This batch has been started. It can no longer be changed.',
  batch_not_sending: () => 'This batch is not being sent. There is nothing to stop.',
  batch_nothing_to_retry: () => 'There is no row of this batch that could be sent again.',
  batch_not_a_draft: () => 'This batch has been started. Only a draft can be deleted.',
  rows_repeated: ({ count }) =>
    `${count === 1 ? '1 row is' : `${count} rows are`} for the same people as another row. If that is intended, send the rows again with force.`,
  rows_sent_already: ({ at, by }) =>
    `The same rows were sent with this template on ${at} by ${by}. If that is intended, send them again with force.`,
  row_not_made: () => 'The document of this row could not be made. An administrator finds the cause in the log.',
}
