/** What alerts, checks and backups have found, in English, as it is stored and printed. */
import { counted, entriesText } from '../../lib/counted.ts'

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

interface DifferingMember {
  documentId: string
  member: string
  logged: string
}

interface AskedAuthority {
  authority: string
}

const damaged =
  (problem: string, place: string) =>
  ({ file, hasDocuments, documents }: DamagedFile) =>
    `The stored file ${file}${hasDocuments ? ` of ${documents.join(', ')}` : ''} ${problem}. Restore it from a backup into ${place}; this alert then ends by itself within an hour.`

const FOLDER = 'the folder files/'
const BUCKET = 'the bucket'

const lowDisk = (effect: (disk: LowDisk) => string) => (disk: LowDisk) =>
  `The disk of the data folder${disk.isOfNode ? ` of the node ${disk.node}` : ''} has only ${disk.free} free. ${effect(disk)} Free space, or enlarge the disk.`

const successor = ({ isOwn }: SealCertificateEnd) =>
  isOwn ? 'It should have been renewed by itself: renew it now.' : 'Get its successor from its issuer, and import it.'

const CUT_REMEDY =
  'entries were removed, or the log was made anew. Keep the database and all checkpoints, and compare them with a backup.'

const stuck = (what: string) => () =>
  `${what} have been waiting for more than an hour, and nothing works on them. Restart the service.`

const failing = (what: string) => (params: Failing) => `${what} It is tried again by itself. Last answer: ${params.reason}`

const connections = ({ count, needed, usable, open }: Connections) =>
  `${counted(count, 'node opens', 'nodes open')} up to ${needed} of ${usable}; ${open} are open now`

const seen = ({ node, version, seconds }: SeenNode) => `${node}, version ${version}, seen ${seconds} s ago`

const HASHES = 'the hash of each matches its name'

/** The codes, with what their sentences need. */
export const diagnoses = {
  // Alerts.
  database_damaged: ({ problem }: { problem: string }) =>
    `SQLite reports damage in signet.db: ${problem}. Stop the service, keep a copy of the data folder, and restore a backup.`,
  folder_file_missing: damaged('is missing', FOLDER),
  folder_file_changed: damaged('has changed on disk', FOLDER),
  folder_file_unreadable: damaged('cannot be read from the disk', FOLDER),
  bucket_file_missing: damaged('is missing', BUCKET),
  bucket_file_changed: damaged('has changed in the bucket', BUCKET),
  bucket_file_unreadable: damaged('cannot be read from the disk', BUCKET),
  document_unreadable: ({ documentId }: { documentId: string }) =>
    `The rows of document ${documentId} cannot be read, so lists leave it out. Restore a backup; this alert then ends by itself within an hour.`,
  sending_paused: () => 'Nothing is sent: this instance was restored from a backup.',
  clock_ahead: ({ shown, known }: DoubtedClock) =>
    `The clock of this server shows ${shown}, but the data was last used on ${known}. Until an administrator says which is right, no document expires, nothing is erased and nobody is reminded.`,
  clock_behind: ({ shown, known }: DoubtedClock) =>
    `The clock of this server shows ${shown}, but the data was already used on ${known}. Correct the clock: until then no document expires, nothing is erased and nobody is reminded.`,
  clock_goes_back: () =>
    'The clock of this server goes back: the audit log already holds later times. Synchronise the clock by NTP.',
  clock_differs_from_authority: ({ seconds }: { seconds: number }) =>
    `The clock of this server differs from that of the time-stamp authority by ${seconds} seconds. Synchronise it by NTP, then test the authority again.`,
  clock_of_node_differs: ({ node, seconds }: { node: string; seconds: number }) =>
    `The clock of the node ${node} differs from the database’s by more than ${seconds} seconds. Synchronise both by NTP.`,
  disk_nearly_low: lowDisk(({ low }) => `Below ${low}, new documents and pictures are refused.`),
  disk_low: lowDisk(
    ({ low, reserve }) =>
      `New documents and pictures are refused until ${low} are free; signing works until ${reserve} are left.`,
  ),
  disk_full: lowDisk(({ reserve }) => `Nothing can be changed or signed until ${reserve} are free.`),
  seal_failing: failing('For more than an hour a document that everybody has signed could not be sealed.'),
  augment_failing: failing('For more than a day a seal could not get its time-stamp or validation data.'),
  mail_failing: ({ reason }: Failing) =>
    `No e-mail has gone out for more than an hour, so warnings cannot be e-mailed either. The mail server’s last answer: ${reason}`,
  timestamps_failing: ({ reason }: Failing) =>
    `For more than an hour no time-stamp authority has given a time-stamp. Seals get theirs by themselves once one does. Last answer: ${reason}.`,
  certificate_ends: (end: SealCertificateEnd & { days: number }) =>
    `The seal certificate ends within ${end.days} days. ${successor(end)}`,
  certificate_ends_tomorrow: (end: SealCertificateEnd) => `The seal certificate ends within a day. ${successor(end)}`,
  certificate_ended: (end: SealCertificateEnd) => `The seal certificate has ended: new seals are not valid. ${successor(end)}`,
  mail_stuck: stuck('E-mails'),
  webhook_stuck: stuck('Webhook deliveries'),
  seal_stuck: stuck('Documents to be sealed'),
  augment_stuck: stuck('Seals to be time-stamped'),
  setting_unreadable: ({ name, page }: { name: string; page: string }) =>
    `The stored setting ${name} cannot be read, so its default is in force. Save it again on the page ${page}.`,
  audit_log_lacks_entry: ({ sequence, day }: CutLog) =>
    `The audit log has no entry ${sequence}, which the checkpoint of ${day} covers: ${CUT_REMEDY}`,
  audit_log_has_other_entry: ({ sequence, day }: CutLog) =>
    `The audit log holds another entry ${sequence}, which the checkpoint of ${day} covers: ${CUT_REMEDY}`,
  // A witness.
  witness_disagrees: ({ reason }: Failing) =>
    `The witness did not co-sign the last checkpoint. It answered: ${reason} Keep the database, and run signet audit verify. If a backup was restored here, ask the administrator of the witness to begin anew.`,
  witness_saw_more: ({ sequence }: { sequence: number }) =>
    `The witness has seen ${entriesText(sequence)}, more than this log has: entries were removed, or a backup was restored. In that case ask the administrator of the witness to begin anew.`,
  witness_refused: ({ reason }: Failing) => `The witness refused the checkpoint: ${reason}`,
  witness_unreachable: ({ reason }: Failing) => `The witness gave no answer: ${reason}.`,
  witness_answer_unusable: ({ reason }: Failing) => `The answer of the witness cannot be used: ${reason}.`,
  witness_silent: ({ days, reason }: Failing & { days: number }) =>
    `For more than ${days} days the witness has co-signed no checkpoint. It is asked again by itself. ${reason}`,
  witnessed_log_differs: ({ name, sequence, seen }: { name: string; sequence: number; seen: number }) =>
    `A checkpoint of ${name} that covers ${entriesText(sequence)} does not continue the log of ${entriesText(seen)} that was seen here before: entries were removed or changed, or a backup was restored there. It was not co-signed. Ask its administrator on another way than through that instance, and keep the list of what was seen.`,
  audit_log_has_gap: ({ sequence }: { sequence: number }) =>
    `The audit log has no entry ${sequence}, although it has later ones: ${CUT_REMEDY}`,
  checkpoint_failed: ({ folder, reason }: Failing & { folder: string }) =>
    `The checkpoint of the audit log could not be stored in ${folder}: ${reason}.`,
  backup_missing: () => 'There are no backups: if this machine is lost, so is every contract on it.',
  backup_overdue: ({ days }: { days: number }) =>
    `For more than ${days} days no backup has succeeded, although they are scheduled.`,
  backup_failed: ({ reason }: Failing) => `No backup was made: ${reason}`,
  backup_incomplete: ({ reason }: Failing) => `The last backup is not complete: ${reason}`,
  /** `cause`: the last attempt. */
  webhook_disabled: ({
    webhookId,
    host,
    reason,
    hasCause,
    cause,
  }: Failing & { webhookId: string; host: string; hasCause: boolean; cause: string }) =>
    `The webhook ${webhookId} to ${host} was disabled: ${reason}.${hasCause ? ` The last attempt: ${cause}.` : ''} No more events are sent to it. Once its receiver is ready, enable it again under Settings → Webhooks, or delete it.`,
  webhook_failing: ({ webhookId, host, cause }: { webhookId: string; host: string; cause: string }) =>
    `The webhook ${webhookId} to ${host} has accepted no delivery for four days; after five days it will be disabled. The last attempt: ${cause}.`,
  receiver_gone: () => 'the receiver answered 410 Gone',
  receiver_fails: () => 'no delivery was accepted for five days',
  // Backups.
  backup_interrupted: () => 'The service ended while the backup was made.',
  backup_lacks_files: ({ files }: { files: number }) =>
    `Stored files that are damaged or missing, also in the backup: ${files}. Run signet doctor.`,
  backup_exists: ({ path }: { path: string }) => `${path} exists already: name a new file, so that no backup is lost.`,
  backup_folder_not_writable: ({ folder, errno }: { folder: string; errno: string }) =>
    `The folder ${folder} cannot be written (${errno}): choose another, or give this user the right.`,
  backup_disk_full: ({ folder }: { folder: string }) =>
    `A disk is full, that of ${folder} or that of the data folder: free space, or name a file on another disk. No backup was made.`,
  backup_database_silent: () => 'The database did not answer for minutes, so files may be missing: run it again.',
  backup_copy_too_large: ({ megabytes }: { megabytes: number }) =>
    `A copy of the database needs ${megabytes} MB on the disk of the data folder: free space.`,
  backup_too_large_for_s3: ({ gigabytes }: { gigabytes: number }) =>
    `The backup has ${gigabytes} GB, and S3 takes at most 5 GB at once: use a folder, or PostgreSQL and S3.`,
  backup_store_changes_bytes: () => 'The file store returns other bytes than were stored: check the store.',
  backup_process_ended: ({ exitCode }: { exitCode: string }) =>
    `The process that makes backups ended with exit code ${exitCode}.`,
  backup_damaged: ({ problem }: { problem: string }) => `The backup is damaged (${problem}): use another one.`,
  backup_not_decrypted: ({ problem }: { problem: string }) =>
    `The backup is damaged or incomplete (${problem}): use another one.`,
  backup_database_differs: ({ problem }: { problem: string }) =>
    `The database in the backup is not the one of its manifest (${problem}): use another backup.`,
  // Checks.
  check_failed: ({ reason }: Failing) => `could not be checked: ${reason}`,
  seal_works: () => 'a test page was sealed and is valid',
  children_confined: ({ measures }: { measures: string }) => `processes that read PDFs: ${measures}`,
  child_not_confined: ({ measures, reason }: Failing & { measures: string }) =>
    `not in force for processes that read PDFs: ${measures} (${reason})`,
  database_intact: () => 'intact',
  database_pages_damaged: ({ problem }: { problem: string }) =>
    `damaged (${problem}): keep a copy of the data folder, then restore a backup`,
  log_intact: ({ count, head }: { count: number; head: string }) => `${entriesText(count)}, head ${head}`,
  log_entry_changed: ({ entry }: { entry: number }) => `entry ${entry} does not follow from the one before: the log was changed`,
  log_shortened: ({ entry }: { entry: number }) => `it ends at entry ${entry}: later entries were removed`,
  log_rewritten: ({ entry }: { entry: number }) =>
    `the entries up to ${entry} are not those of the checkpoint: the log was made anew`,
  documents_agree: ({ count }: { count: number }) => `${count} as the audit log says`,
  more_documents_differ: ({ count }: { count: number }) => `${count} more of this kind: signet audit verify lists 100 of them`,
  document_gone: ({ documentId }: { documentId: string }) =>
    `Document ${documentId} is gone, and no entry says that it was deleted`,
  document_rows_unreadable: ({ documentId, problem }: { documentId: string; problem: string }) =>
    `The rows of document ${documentId} cannot be read: ${problem}`,
  document_unlogged: ({ documentId }: { documentId: string }) => `Document ${documentId} has no entry in the log`,
  document_differs: ({ documentId, member, found, logged }: DifferingMember & { found: string }) =>
    `Document ${documentId}: ${member} is ${found}, and the log says ${logged}`,
  document_lacks_member: ({ documentId, member, logged }: DifferingMember) =>
    `Document ${documentId}: ${member} is missing, and the log says ${logged}`,
  files_intact: ({ count }: { count: number }) => `${counted(count, 'file')}, ${HASHES}`,
  file_sample_intact: ({ count }: { count: number }) =>
    `${counted(count, 'file')} of a random sample (all with --all-files), ${HASHES}`,
  file_missing: ({ file }: { file: string }) => `${file} is missing: restore it from a backup`,
  file_changed: ({ file }: { file: string }) => `${file} has changed: restore it from a backup`,
  file_unreadable: ({ file, reason }: Failing & { file: string }) =>
    `${file} cannot be read (${reason}): restore it from a backup`,
  files_stored: ({ count, megabytes }: { count: number; megabytes: string }) => `${count} stored, ${megabytes} MB in all`,
  store_answers: ({ ms }: { ms: number }) => `an object was put, read and deleted in ${ms} ms`,
  store_answers_slowly: ({ ms }: { ms: number }) =>
    `an object was put, read and deleted in ${ms} ms: uploads and pages wait for it`,
  objects_in_order: ({ old, objects }: { old: number; objects: number }) =>
    `${old} old and without a row, of ${objects} looked at`,
  objects_left_behind: ({ old, objects }: { old: number; objects: number }) =>
    `${old} old and without a row, of ${objects} looked at: the daily sweep should have removed them`,
  copies_kept: ({ megabytes, max }: { megabytes: number; max: number }) =>
    `${megabytes} MB of at most ${max} MB in the data folder`,
  // Checks of a PostgreSQL server, and of the nodes that share it.
  server_found: ({
    version,
    server,
    encoding,
    collation,
  }: {
    version: string
    server: string
    encoding: string
    collation: string
  }) => `PostgreSQL ${version} at ${server}, ${encoding}, collation ${collation}`,
  checksums_on: () => 'the server finds damaged pages',
  checksums_off: () => 'are off: damaged pages are not noticed. Stop the server and run pg_checksums --enable',
  login_owns: ({ login }: { login: string }) => `${login} owns the tables`,
  login_changes: ({ login }: { login: string }) => `${login} may change rows, not tables`,
  login_reads: ({ login }: { login: string }) => `${login} may only read`,
  fsync_off: () => 'fsync or full_page_writes is off: a power failure destroys the database. Set both to on',
  commit_not_synced: () => 'synchronous_commit is off: a crash of the server loses acknowledged changes. Set it to on',
  no_standby_named: () =>
    'synchronous_standby_names is empty: a standby that is promoted may lack acknowledged changes. Name a standby there',
  commit_local: () => 'synchronous_commit is local: no standby is waited for. Set it to on',
  commit_remote_write: () =>
    'synchronous_commit is remote_write: a standby that loses power loses acknowledged changes. Set it to on',
  named_standby_absent: ({ names }: { names: string }) =>
    `no standby that synchronous_standby_names (${names}) names is connected: every change waits for one`,
  commit_durable: ({ level, names }: { level: string; names: string }) =>
    `synchronous_commit ${level}, synchronous standbys ${names}`,
  standby_hidden: () => 'one is connected; its state is shown to members of pg_monitor: GRANT pg_monitor TO the user',
  standby_behind: ({ standby, state, kilobytes }: { standby: string; state: string; kilobytes: number }) =>
    `${standby} is ${state}, ${kilobytes} kB behind`,
  clock_agrees: ({ ms }: { ms: number }) => `differs from the database's by ${ms} ms`,
  clock_drifts: ({ ms, isTooFar }: { ms: number; isTooFar: boolean }) =>
    `differs from the database's by ${ms} ms: synchronise both by NTP${isTooFar ? ', or no node starts here' : ''}`,
  connections_suffice: connections,
  connections_exceeded: (found: Connections) =>
    `${connections(found)}: raise max_connections, lower read_connections in SIGNET_DATABASE_URL, or use a pooler`,
  schema_known: ({ schema, oldest }: { schema: number; oldest: number }) =>
    `${schema}; executables from schema ${oldest} on may write`,
  schema_newer: ({ schema, oldest, known }: { schema: number; oldest: number; known: number }) =>
    `${schema}; executables from schema ${oldest} on may write; this executable knows ${known}: bring this node up to date`,
  no_node: () => 'none serves from this database',
  node_serves: seen,
  node_silent: (node: SeenNode) => `${seen(node)}: it has stopped, or cannot reach the database`,
  node_of_other_version: (node: SeenNode & { own: string }) => `${seen(node)}: not the version of this executable (${node.own})`,
  round_trip_long: ({ ms }: { ms: string }) =>
    `${ms} ms: all changes wait for one another, so the distance limits them. Move the nodes closer`,
  writer_measured: ({ ms }: { ms: number }) => `an empty transaction took ${ms} ms`,
  writer_slow: ({ ms }: { ms: number }) =>
    `an empty transaction took ${ms} ms: the row that each change locks is busy, or the commit waits for a standby`,
  writer_unmeasured: () => 'not measured: this login may only read',
  // Why an authority gave no time-stamp, each after its name.
  authority_missing: () => 'no time-stamp authority is configured',
  authority_unreachable: ({ authority, reason }: AskedAuthority & Failing) => `${authority} could not be reached: ${reason}`,
  authority_answered: ({ authority, status }: AskedAuthority & { status: number }) => `${authority} answered ${status}`,
  authority_too_long: ({ authority, bytes }: AskedAuthority & { bytes: number }) =>
    `${authority} answered more than ${bytes} bytes`,
  authority_without_token: ({ authority, answer }: AskedAuthority & { answer: string }) =>
    `${authority} gave no token (${answer})`,
  authority_invalid: ({ authority, problem }: AskedAuthority & { problem: string }) =>
    `${authority} sent an invalid response: ${problem}`,
  authority_other_request: ({ authority }: AskedAuthority) => `${authority} answered with a token for another request (nonce)`,
  authority_other_hash: ({ authority }: AskedAuthority) => `${authority} answered with a token over another hash`,
  authority_ahead: ({ authority, minutes }: AskedAuthority & { minutes: number }) =>
    `${authority} has a time ${minutes} minutes ahead of this machine's clock: correct the clock`,
  authority_behind: ({ authority, minutes }: AskedAuthority & { minutes: number }) =>
    `${authority} has a time ${minutes} minutes behind this machine's clock: correct the clock`,
  authority_token_invalid: ({ authority, reason }: AskedAuthority & Failing) =>
    `${authority} answered with an invalid token: ${reason}`,
  authority_trust_unreadable: ({ authority, problem }: AskedAuthority & { problem: string }) =>
    `${authority} was not asked: a configured certificate cannot be read (${problem})`,
  authority_trust_not_pem: ({ authority }: AskedAuthority) =>
    `${authority} was not asked: its configured certificates are not PEM`,
  authority_without_certificate: ({ authority }: AskedAuthority) => `${authority} sent no certificate`,
}
