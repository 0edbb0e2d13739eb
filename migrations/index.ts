/**
 * The list of migrations, in order: an executable cannot read a folder. Only ever appended to, and
 * first expanding, then contracting: src/README.md, Change the schema.
 */
import start from './0001_start.sql' with { type: 'text' }
import alerts from './0002_alerts.sql' with { type: 'text' }
import signIn from './0003_sign_in.sql' with { type: 'text' }
import due from './0004_due.sql' with { type: 'text' }
import lanes from './0005_lanes.sql' with { type: 'text' }
import search from './0006_search.sql' with { type: 'text' }
import version from './0007_version.sql' with { type: 'text' }
import merge from './0008_merge.sql' with { type: 'text' }
import webhookDeletion from './0009_webhook_deletion.sql' with { type: 'text' }
import alertMails from './0010_alert_mails.sql' with { type: 'text' }
import searchOrder from './0011_search_order.sql' with { type: 'text' }
import names from './0012_names.sql' with { type: 'text' }
import contacts from './0013_contacts.sql' with { type: 'text' }
import fieldText from './0014_field_text.sql' with { type: 'text' }
import lists from './0015_lists.sql' with { type: 'text' }
import userLanguage from './0016_user_language.sql' with { type: 'text' }
import draftChanges from './0017_draft_changes.sql' with { type: 'text' }
import webhookChanges from './0018_webhook_changes.sql' with { type: 'text' }
import files from './0019_files.sql' with { type: 'text' }
import fieldCovers from './0020_field_covers.sql' with { type: 'text' }
import publicEvents from './0021_public_events.sql' with { type: 'text' }
import nodes from './0022_nodes.sql' with { type: 'text' }
import fileClaims from './0023_file_claims.sql' with { type: 'text' }
import people from './0024_people.sql' with { type: 'text' }
import secondFactor from './0025_second_factor.sql' with { type: 'text' }
import retention from './0026_retention.sql' with { type: 'text' }
import webhookPages from './0027_webhook_pages.sql' with { type: 'text' }
import backups from './0028_backups.sql' with { type: 'text' }
import auditPages from './0029_audit_pages.sql' with { type: 'text' }
import mailStatus from './0030_mail_status.sql' with { type: 'text' }
import passkeys from './0031_passkeys.sql' with { type: 'text' }
import openIdConnect from './0032_openid_connect.sql' with { type: 'text' }
import warnings from './0033_warnings.sql' with { type: 'text' }
import lastSignIn from './0034_last_sign_in.sql' with { type: 'text' }
import emailChanges from './0035_email_changes.sql' with { type: 'text' }
import fieldKinds from './0036_field_kinds.sql' with { type: 'text' }
import batches from './0037_batches.sql' with { type: 'text' }
import fieldFiles from './0038_field_files.sql' with { type: 'text' }
import templateUses from './0039_template_uses.sql' with { type: 'text' }
import templateScopes from './0040_template_scopes.sql' with { type: 'text' }
import batchSenders from './0041_batch_senders.sql' with { type: 'text' }
import fieldRule from './0042_field_rule.sql' with { type: 'text' }
import signingLinks from './0043_signing_links.sql' with { type: 'text' }
import oneTimeCodes from './0044_one_time_codes.sql' with { type: 'text' }
import cluster from './0045_cluster.sql' with { type: 'text' }
import eventData from './0046_event_data.sql' with { type: 'text' }
import documentSequence from './0047_document_sequence.sql' with { type: 'text' }
import consentTexts from './0048_consent_texts.sql' with { type: 'text' }
import sessionIdle from './0049_session_idle.sql' with { type: 'text' }
import toSign from './0050_to_sign.sql' with { type: 'text' }
import checkpoints from './0051_checkpoints.sql' with { type: 'text' }
import sealSubFilter from './0052_seal_sub_filter.sql' with { type: 'text' }
import receipts from './0053_receipts.sql' with { type: 'text' }
import deviceKeys from './0054_device_keys.sql' with { type: 'text' }
import verifyPages from './0055_verify_pages.sql' with { type: 'text' }
import witness from './0056_witness.sql' with { type: 'text' }

export interface Migration {
  version: number
  name: string
  sql: string
  /** In place of a translation of `sql`, where `translate.ts` refuses it. */
  postgresql?: string
  /**
   * Set by a migration that takes something away: the oldest schema whose executables do without
   * it. Older ones that still serve from this database can no longer write.
   */
  oldestWriter?: number
  /** The feature level that executables of this schema and of later ones know. */
  featureLevel?: number
}

/** The highest feature level that an executable with this list knows. */
export function featureLevelOf(list: readonly Migration[]): number {
  return list.reduce((highest, { featureLevel = 0 }) => Math.max(highest, featureLevel), 0)
}

/** The first schema whose executables know the level. */
export function schemaOfLevel(level: number, list: readonly Migration[]): number {
  return list.find(({ featureLevel = 0 }) => featureLevel >= level)?.version ?? 0
}

/** Executables of this schema and of later ones may write to a database that has all of `list`. */
export function oldestWriterOf(list: readonly Migration[]): number {
  return list.reduce((oldest, { oldestWriter = 0 }) => Math.max(oldest, oldestWriter), 0)
}

export const migrations: Migration[] = [
  { version: 1, name: 'start', sql: start },
  { version: 2, name: 'alerts', sql: alerts },
  { version: 3, name: 'sign_in', sql: signIn },
  { version: 4, name: 'due', sql: due },
  { version: 5, name: 'lanes', sql: lanes },
  { version: 6, name: 'search', sql: search },
  { version: 7, name: 'version', sql: version },
  { version: 8, name: 'merge', sql: merge },
  { version: 9, name: 'webhook_deletion', sql: webhookDeletion },
  { version: 10, name: 'alert_mails', sql: alertMails },
  { version: 11, name: 'search_order', sql: searchOrder },
  { version: 12, name: 'names', sql: names },
  { version: 13, name: 'contacts', sql: contacts },
  { version: 14, name: 'field_text', sql: fieldText },
  { version: 15, name: 'lists', sql: lists },
  { version: 16, name: 'user_language', sql: userLanguage },
  { version: 17, name: 'draft_changes', sql: draftChanges },
  { version: 18, name: 'webhook_changes', sql: webhookChanges },
  { version: 19, name: 'files', sql: files },
  { version: 20, name: 'field_covers', sql: fieldCovers },
  { version: 21, name: 'public_events', sql: publicEvents },
  { version: 22, name: 'nodes', sql: nodes },
  { version: 23, name: 'file_claims', sql: fileClaims },
  // The column it drops comes back under the same name: earlier executables do not miss it.
  { version: 24, name: 'people', sql: people, oldestWriter: 22 },
  { version: 25, name: 'second_factor', sql: secondFactor },
  { version: 26, name: 'retention', sql: retention },
  { version: 27, name: 'webhook_pages', sql: webhookPages },
  { version: 28, name: 'backups', sql: backups },
  { version: 29, name: 'audit_pages', sql: auditPages },
  { version: 30, name: 'mail_status', sql: mailStatus },
  { version: 31, name: 'passkeys', sql: passkeys },
  { version: 32, name: 'openid_connect', sql: openIdConnect },
  { version: 33, name: 'warnings', sql: warnings },
  { version: 34, name: 'last_sign_in', sql: lastSignIn },
  { version: 35, name: 'email_changes', sql: emailChanges },
  { version: 36, name: 'field_kinds', sql: fieldKinds },
  { version: 37, name: 'batches', sql: batches },
  { version: 38, name: 'field_files', sql: fieldFiles },
  { version: 39, name: 'template_uses', sql: templateUses },
  { version: 40, name: 'template_scopes', sql: templateScopes },
  { version: 41, name: 'batch_senders', sql: batchSenders },
  { version: 42, name: 'field_rule', sql: fieldRule },
  { version: 43, name: 'signing_links', sql: signingLinks },
  { version: 44, name: 'one_time_codes', sql: oneTimeCodes },
  { version: 45, name: 'cluster', sql: cluster },
  { version: 46, name: 'event_data', sql: eventData },
  { version: 47, name: 'document_sequence', sql: documentSequence },
  { version: 48, name: 'consent_texts', sql: consentTexts },
  { version: 49, name: 'session_idle', sql: sessionIdle },
  { version: 50, name: 'to_sign', sql: toSign, featureLevel: 1 },
  { version: 51, name: 'checkpoints', sql: checkpoints },
  { version: 52, name: 'seal_sub_filter', sql: sealSubFilter },
  { version: 53, name: 'receipts', sql: receipts },
  { version: 54, name: 'device_keys', sql: deviceKeys },
  { version: 55, name: 'verify_pages', sql: verifyPages },
  { version: 56, name: 'witness', sql: witness, featureLevel: 2 },
]
