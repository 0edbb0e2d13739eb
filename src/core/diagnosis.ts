/** What an alert, a check or a backup has found. The words are in `locales`. */
import { type Coded, coderOf } from './coded.ts'

interface LowDisk {
  /** Of several, each of which has its own disk. */
  isOfNode: boolean
  node: string
  /** Amounts with their unit. */
  free: string
  /** Below it, uploads are refused. */
  low: string
  /** Below it, every change is refused. */
  reserve: string
}

interface DamagedFile {
  file: string
  hasDocuments: boolean
  documents: string[]
}

interface SealCertificateEnd {
  /** Issued here, not imported. */
  isOwn: boolean
}

interface DoubtedClock {
  shown: string
  known: string
}

interface CutLog {
  sequence: number
  day: string
}

interface Failing {
  reason: string
}

interface Connections {
  /** Nodes. */
  count: number
  needed: number
  usable: number
  open: number
}

interface SeenNode {
  node: string
  version: string
  seconds: string
}

interface AskedAuthority {
  authority: string
}

/** By code. `reason` and `cause` are what another diagnosis or another program says. */
export interface DiagnosisParams {
  // Alerts.
  database_damaged: { problem: string }
  folder_file_missing: DamagedFile
  folder_file_changed: DamagedFile
  folder_file_unreadable: DamagedFile
  bucket_file_missing: DamagedFile
  bucket_file_changed: DamagedFile
  bucket_file_unreadable: DamagedFile
  document_unreadable: { documentId: string }
  sending_paused: undefined
  clock_ahead: DoubtedClock
  clock_behind: DoubtedClock
  clock_goes_back: undefined
  clock_differs_from_authority: { seconds: number }
  clock_of_node_differs: { node: string; seconds: number }
  disk_nearly_low: LowDisk
  disk_low: LowDisk
  disk_full: LowDisk
  seal_failing: Failing
  augment_failing: Failing
  mail_failing: Failing
  timestamps_failing: Failing
  certificate_ends: SealCertificateEnd & { days: number }
  certificate_ends_tomorrow: SealCertificateEnd
  certificate_ended: SealCertificateEnd
  mail_stuck: undefined
  webhook_stuck: undefined
  seal_stuck: undefined
  augment_stuck: undefined
  setting_unreadable: { name: string; page: string }
  audit_log_lacks_entry: CutLog
  audit_log_has_other_entry: CutLog
  checkpoint_failed: Failing & { folder: string }
  backup_missing: undefined
  backup_overdue: { days: number }
  backup_failed: Failing
  backup_incomplete: Failing
  /** `cause`: the last attempt. */
  webhook_disabled: Failing & { webhookId: string; host: string; hasCause: boolean; cause: string }
  webhook_failing: { webhookId: string; host: string; cause: string }
  receiver_gone: undefined
  receiver_fails: undefined
  // Backups.
  backup_interrupted: undefined
  backup_lacks_files: { files: number }
  backup_exists: { path: string }
  backup_folder_not_writable: { folder: string; errno: string }
  backup_disk_full: { folder: string }
  backup_database_silent: undefined
  backup_copy_too_large: { megabytes: number }
  backup_too_large_for_s3: { gigabytes: number }
  backup_store_changes_bytes: undefined
  backup_process_ended: { exitCode: string }
  backup_damaged: { problem: string }
  backup_not_decrypted: { problem: string }
  backup_database_differs: { problem: string }
  // Checks.
  check_failed: Failing
  seal_works: undefined
  children_confined: { measures: string }
  child_not_confined: { measures: string; reason: string }
  database_intact: undefined
  database_pages_damaged: { problem: string }
  log_intact: { count: number; head: string }
  log_entry_changed: { entry: number }
  log_shortened: { entry: number }
  log_rewritten: { entry: number }
  documents_agree: { count: number }
  more_documents_differ: { count: number }
  document_gone: { documentId: string }
  document_rows_unreadable: { documentId: string; problem: string }
  document_unlogged: { documentId: string }
  document_differs: { documentId: string; member: string; found: string; logged: string }
  document_lacks_member: { documentId: string; member: string; logged: string }
  files_intact: { count: number }
  file_sample_intact: { count: number }
  file_missing: { file: string }
  file_changed: { file: string }
  file_unreadable: Failing & { file: string }
  files_stored: { count: number; megabytes: string }
  store_answers: { ms: number }
  store_answers_slowly: { ms: number }
  objects_in_order: { old: number; objects: number }
  objects_left_behind: { old: number; objects: number }
  copies_kept: { megabytes: number; max: number }
  // Checks of a PostgreSQL server, and of the nodes that share it.
  server_found: { version: string; server: string; encoding: string; collation: string }
  checksums_on: undefined
  checksums_off: undefined
  login_owns: { login: string }
  login_changes: { login: string }
  login_reads: { login: string }
  fsync_off: undefined
  commit_not_synced: undefined
  no_standby_named: undefined
  commit_local: undefined
  commit_remote_write: undefined
  named_standby_absent: { names: string }
  commit_durable: { level: string; names: string }
  standby_hidden: undefined
  standby_behind: { standby: string; state: string; kilobytes: number }
  clock_agrees: { ms: number }
  clock_drifts: { ms: number; isTooFar: boolean }
  connections_suffice: Connections
  connections_exceeded: Connections
  schema_known: { schema: number; oldest: number }
  schema_newer: { schema: number; oldest: number; known: number }
  no_node: undefined
  node_serves: SeenNode
  node_silent: SeenNode
  node_of_other_version: SeenNode & { own: string }
  round_trip_long: { ms: string }
  writer_measured: { ms: number }
  writer_slow: { ms: number }
  writer_unmeasured: undefined
  // Why an authority gave no time-stamp, each after its name.
  authority_missing: undefined
  authority_unreachable: AskedAuthority & Failing
  authority_answered: AskedAuthority & { status: number }
  authority_too_long: AskedAuthority & { bytes: number }
  authority_without_token: AskedAuthority & { answer: string }
  authority_invalid: AskedAuthority & { problem: string }
  authority_other_request: AskedAuthority
  authority_other_hash: AskedAuthority
  authority_ahead: AskedAuthority & { minutes: number }
  authority_behind: AskedAuthority & { minutes: number }
  authority_token_invalid: AskedAuthority & Failing
  authority_trust_unreadable: AskedAuthority & { problem: string }
  authority_trust_not_pem: AskedAuthority
  authority_without_certificate: AskedAuthority
}

export type DiagnosisCode = keyof DiagnosisParams

export type Diagnosis = Coded<DiagnosisParams>

export const diagnosis = coderOf<DiagnosisParams>()
