/** What alerts, checks and backups have found, in German. */
import type { DiagnosisParams, DiagnosisTexts } from '../diagnoses.ts'

type DamagedFile = DiagnosisParams['folder_file_missing']

const damaged =
  (problem: string, place: string) =>
  ({ file, hasDocuments, documents }: DamagedFile) =>
    `Die gespeicherte Datei ${file}${hasDocuments ? ` von ${documents.join(', ')}` : ''} ${problem}. Spielen Sie sie aus einer Sicherung in ${place} ein; dieser Hinweis verschwindet dann innerhalb einer Stunde.`

const FOLDER = 'den Ordner files/'
const BUCKET = 'den Bucket'
const UNREADABLE = 'lässt sich nicht vom Datenträger lesen'

type LowDisk = DiagnosisParams['disk_low']

const lowDisk = (effect: (disk: LowDisk) => string) => (disk: LowDisk) =>
  `Auf dem Datenträger des Datenordners${disk.isOfNode ? ` des Knotens ${disk.node}` : ''} sind nur noch ${disk.free} frei. ${effect(disk)} Schaffen Sie Platz, oder vergrößern Sie den Datenträger.`

type CertificateEnd = DiagnosisParams['certificate_ended']

const successor = ({ isOwn }: CertificateEnd) =>
  isOwn
    ? 'Es hätte von selbst erneuert werden sollen: Erneuern Sie es jetzt.'
    : 'Lassen Sie sich vom Aussteller ein Nachfolgezertifikat geben, und importieren Sie es.'

const CUT_REMEDY = 'Bewahren Sie die Datenbank und alle Prüfpunkte auf, und vergleichen Sie sie mit einer Sicherung.'

const NO_DELETIONS = 'läuft kein Dokument ab, nichts wird gelöscht und niemand wird erinnert.'

const stuck = (what: string) => () =>
  `${what} warten seit mehr als einer Stunde, und nichts bearbeitet sie. Starten Sie den Dienst neu.`

const failing = (what: string) => (params: { reason: string }) =>
  `${what} Es wird von selbst erneut versucht. Letzte Antwort: ${params.reason}`

const SEE_BACKUPS = 'Siehe Einstellungen, Sicherungen.'

const RESTORE = 'Spielen Sie sie aus einer Sicherung ein'
const DAMAGED_BACKUP = 'Die Sicherung ist beschädigt oder unvollständig: Verwenden Sie eine andere.'
const SET_ON = 'Setzen Sie es auf on'

const seen = ({ node, version, seconds }: DiagnosisParams['node_serves']) =>
  `${node}, Version ${version}, gesehen vor ${seconds} s`

export const diagnoses: DiagnosisTexts = {
  // Alerts.
  database_damaged: ({ problem }) =>
    `SQLite meldet einen Schaden in signet.db: ${problem}. Halten Sie den Dienst an, bewahren Sie eine Kopie des Datenordners auf, und spielen Sie eine Sicherung ein.`,
  folder_file_missing: damaged('fehlt', FOLDER),
  folder_file_changed: damaged('wurde auf dem Datenträger verändert', FOLDER),
  folder_file_unreadable: damaged(UNREADABLE, FOLDER),
  bucket_file_missing: damaged('fehlt', BUCKET),
  bucket_file_changed: damaged('wurde im Bucket verändert', BUCKET),
  bucket_file_unreadable: damaged(UNREADABLE, BUCKET),
  document_unreadable: ({ documentId }) =>
    `Die Zeilen des Dokuments ${documentId} sind nicht lesbar, deshalb fehlt es in Listen. Spielen Sie eine Sicherung ein; diese Warnung endet dann von selbst innerhalb einer Stunde.`,
  sending_paused: () => 'Es wird nichts gesendet: Diese Instanz wurde aus einer Sicherung wiederhergestellt.',
  clock_ahead: ({ shown, known }) =>
    `Die Uhr dieses Servers zeigt ${shown}, die Daten wurden aber zuletzt am ${known} benutzt. Bis ein Administrator sagt, was stimmt, ${NO_DELETIONS}`,
  clock_behind: ({ shown, known }) =>
    `Die Uhr dieses Servers zeigt ${shown}, die Daten wurden aber schon am ${known} benutzt. Stellen Sie die Uhr richtig: Bis dahin ${NO_DELETIONS}`,
  clock_goes_back: () =>
    'Die Uhr dieses Servers geht nach: Das Audit-Protokoll enthält bereits spätere Zeiten. Stellen Sie die Uhr über NTP.',
  clock_differs_from_authority: ({ seconds }) =>
    `Die Uhr dieses Servers weicht um ${seconds} Sekunden von der des Zeitstempeldienstes ab. Stellen Sie sie über NTP, und testen Sie den Dienst dann erneut.`,
  clock_of_node_differs: ({ node, seconds }) =>
    `Die Uhr des Knotens ${node} weicht um mehr als ${seconds} Sekunden von der Uhr der Datenbank ab. Stellen Sie beide über NTP.`,
  disk_nearly_low: lowDisk(({ low }) => `Sind es weniger als ${low}, werden neue Dokumente und Bilder abgelehnt.`),
  disk_low: lowDisk(
    ({ low, reserve }) =>
      `Neue Dokumente und Bilder werden erst wieder angenommen, wenn ${low} frei sind; unterschrieben werden kann, bis nur noch ${reserve} übrig sind.`,
  ),
  disk_full: lowDisk(({ reserve }) => `Bis ${reserve} frei sind, kann nichts geändert oder unterschrieben werden.`),
  seal_failing: failing('Seit mehr als einer Stunde lässt sich ein Dokument nicht siegeln, das alle unterschrieben haben.'),
  augment_failing: failing('Seit mehr als einem Tag erhält ein Siegel seinen Zeitstempel oder seine Prüfdaten nicht.'),
  mail_failing: ({ reason }) =>
    `Seit mehr als einer Stunde ist keine E-Mail hinausgegangen; auch Warnungen können daher nicht gemailt werden. Die letzte Antwort des Mailservers: ${reason}`,
  timestamps_failing: ({ reason }) =>
    `Seit mehr als einer Stunde hat kein Zeitstempeldienst einen Zeitstempel ausgestellt. Siegel erhalten ihren von selbst, sobald einer antwortet. Letzte Antwort: ${reason}.`,
  certificate_ends: end => `Das Siegelzertifikat läuft innerhalb von ${end.days} Tagen ab. ${successor(end)}`,
  certificate_ends_tomorrow: end => `Das Siegelzertifikat läuft innerhalb eines Tages ab. ${successor(end)}`,
  certificate_ended: end => `Das Siegelzertifikat ist abgelaufen: Neue Siegel sind nicht gültig. ${successor(end)}`,
  mail_stuck: stuck('E-Mails'),
  webhook_stuck: stuck('Webhook-Zustellungen'),
  seal_stuck: stuck('Zu siegelnde Dokumente'),
  augment_stuck: stuck('Siegel ohne Zeitstempel'),
  setting_unreadable: ({ name, page }) =>
    `Die gespeicherte Einstellung ${name} ist nicht lesbar; es gilt ihre Vorgabe. Speichern Sie sie auf der Seite ${page} neu.`,
  audit_log_lacks_entry: ({ sequence, day }) =>
    `Im Protokoll fehlt der Eintrag ${sequence}, den der Prüfpunkt vom ${day} abdeckt: Einträge wurden entfernt, oder das Protokoll wurde neu erstellt. ${CUT_REMEDY}`,
  audit_log_has_other_entry: ({ sequence, day }) =>
    `Der Eintrag ${sequence} im Protokoll ist nicht der, den der Prüfpunkt vom ${day} abdeckt: Das Protokoll wurde neu erstellt. ${CUT_REMEDY}`,
  witness_disagrees: ({ reason }) =>
    `Der Zeuge hat den letzten Prüfpunkt nicht mitsigniert. Seine Antwort: ${reason} Bewahren Sie die Datenbank auf, und rufen Sie „signet audit verify“ auf. Wurde hier eine Sicherung wiederhergestellt, bitten Sie den Administrator des Zeugen, neu zu beginnen.`,
  witness_saw_more: ({ sequence }) =>
    `Der Zeuge hat ${sequence} Einträge gesehen, mehr als dieses Protokoll enthält: Einträge wurden entfernt, oder eine Sicherung wurde wiederhergestellt. Bitten Sie dann den Administrator des Zeugen, neu zu beginnen.`,
  witness_refused: ({ reason }) => `Der Zeuge hat den Prüfpunkt abgelehnt: ${reason}`,
  witness_unreachable: ({ reason }) => `Der Zeuge hat nicht geantwortet: ${reason}.`,
  witness_answer_unusable: ({ reason }) => `Die Antwort des Zeugen ist nicht brauchbar: ${reason}.`,
  witness_silent: ({ days, reason }) =>
    `Seit mehr als ${days} Tagen hat der Zeuge keinen Prüfpunkt mitsigniert. Er wird von selbst wieder gefragt. ${reason}`,
  witnessed_log_differs: ({ name, sequence, seen }) =>
    `Ein Prüfpunkt von ${name} über ${sequence} Einträge setzt das Protokoll mit ${seen} Einträgen nicht fort, das hier zuvor gesehen wurde: Dort wurden Einträge entfernt oder geändert, oder eine Sicherung wurde wiederhergestellt. Er wurde nicht mitsigniert. Fragen Sie den dortigen Administrator auf einem anderen Weg als über diese Instanz, und bewahren Sie die Liste des Gesehenen auf.`,
  audit_log_has_gap: ({ sequence }) => `Im Protokoll fehlt der Eintrag ${sequence}, obwohl es spätere enthält. ${CUT_REMEDY}`,
  checkpoint_failed: ({ folder, reason }) => `Der Prüfpunkt des Protokolls ließ sich nicht in ${folder} ablegen: ${reason}.`,
  backup_missing: () => 'Es gibt keine Sicherungen: Geht dieser Rechner verloren, sind alle Verträge darauf verloren.',
  backup_overdue: ({ days }) => `Seit mehr als ${days} Tagen ist keine Sicherung gelungen, obwohl sie geplant sind.`,
  backup_failed: ({ reason }) => `Es wurde keine Sicherung erstellt: ${reason} ${SEE_BACKUPS}`,
  backup_incomplete: ({ reason }) => `Die letzte Sicherung ist nicht vollständig: ${reason} ${SEE_BACKUPS}`,
  webhook_disabled: ({ webhookId, host, reason, hasCause, cause }) =>
    `Der Webhook ${webhookId} zu ${host} wurde deaktiviert: ${reason}.${hasCause ? ` Der letzte Versuch: ${cause}.` : ''} An ihn werden keine Ereignisse mehr gesendet. Aktivieren Sie ihn unter „Einstellungen → Webhooks“ wieder, sobald der Empfänger bereit ist, oder löschen Sie ihn.`,
  webhook_failing: ({ webhookId, host, cause }) =>
    `Der Webhook ${webhookId} zu ${host} hat seit vier Tagen keine Zustellung angenommen; nach fünf Tagen wird er deaktiviert. Der letzte Versuch: ${cause}.`,
  receiver_gone: () => 'Der Empfänger hat mit 410 Gone geantwortet',
  receiver_fails: () => 'Fünf Tage lang wurde keine Zustellung angenommen',
  // Backups.
  backup_interrupted: () => 'Der Dienst endete, während die Sicherung erstellt wurde.',
  backup_lacks_files: ({ files }) =>
    `Gespeicherte Dateien, die fehlen oder beschädigt sind, auch in der Sicherung: ${files}. Führen Sie signet doctor aus.`,
  backup_exists: ({ path }) => `${path} besteht schon: Nennen Sie eine neue Datei, damit keine Sicherung verloren geht.`,
  backup_folder_not_writable: ({ folder, errno }) =>
    `In den Ordner ${folder} lässt sich nicht schreiben (${errno}): Wählen Sie einen anderen, oder geben Sie diesem Benutzer das Recht.`,
  backup_disk_full: ({ folder }) =>
    `Ein Datenträger ist voll, der von ${folder} oder der des Datenordners: Schaffen Sie Platz, oder wählen Sie einen anderen. Es wurde keine Sicherung erstellt.`,
  backup_database_silent: () =>
    'Die Datenbank hat minutenlang nicht geantwortet, so dass Dateien fehlen können: Starten Sie die Sicherung noch einmal.',
  backup_copy_too_large: ({ megabytes }) =>
    `Eine Kopie der Datenbank braucht ${megabytes} MB auf dem Datenträger des Datenordners: Schaffen Sie Platz.`,
  backup_too_large_for_s3: ({ gigabytes }) =>
    `Die Sicherung hat ${gigabytes} GB, und S3 nimmt höchstens 5 GB auf einmal: Verwenden Sie einen Ordner, oder PostgreSQL und S3.`,
  backup_store_changes_bytes: () => 'Der Dateispeicher gibt andere Bytes zurück, als abgelegt wurden: Prüfen Sie ihn.',
  backup_process_ended: ({ exitCode }) => `Der Prozess, der Sicherungen erstellt, endete mit dem Code ${exitCode}.`,
  backup_damaged: () => DAMAGED_BACKUP,
  backup_not_decrypted: () => DAMAGED_BACKUP,
  backup_database_differs: ({ problem }) =>
    `Die Datenbank in der Sicherung passt nicht zu deren Verzeichnis (${problem}): Verwenden Sie eine andere Sicherung.`,
  // Checks.
  check_failed: ({ reason }) => `ließ sich nicht prüfen: ${reason}`,
  seal_works: () => 'Eine Testseite wurde gesiegelt und ist gültig',
  children_confined: ({ measures }) => `Für Prozesse, die PDFs lesen, gilt: ${measures}`,
  child_not_confined: ({ measures, reason }) => `Für Prozesse, die PDFs lesen, gilt nicht: ${measures} (${reason})`,
  database_intact: () => 'unversehrt',
  database_pages_damaged: ({ problem }) =>
    `beschädigt (${problem}): Bewahren Sie eine Kopie des Datenordners auf, und spielen Sie dann eine Sicherung ein`,
  log_intact: ({ count, head }) =>
    count === 1
      ? `1 Eintrag, unversehrt; er hat den Hashwert ${head}`
      : `${count} Einträge, unversehrt; der letzte hat den Hashwert ${head}`,
  log_entry_changed: ({ entry }) => `Eintrag ${entry} folgt nicht aus dem vorigen: Das Protokoll wurde verändert`,
  log_shortened: ({ entry }) => `es endet mit Eintrag ${entry}: Spätere Einträge wurden entfernt`,
  log_rewritten: ({ entry }) => `die Einträge bis ${entry} sind nicht die des Prüfpunkts: Das Protokoll wurde neu erstellt`,
  documents_agree: ({ count }) => `${count}, wie es das Protokoll sagt`,
  more_documents_differ: ({ count }) => `${count} weitere dieser Art: signet audit verify nennt 100 davon`,
  document_gone: ({ documentId }) =>
    `Das Dokument ${documentId} ist verschwunden, und kein Eintrag sagt, dass es gelöscht wurde.`,
  document_rows_unreadable: ({ documentId, problem }) => `Die Zeilen des Dokuments ${documentId} sind nicht lesbar: ${problem}.`,
  document_unlogged: ({ documentId }) => `Das Dokument ${documentId} hat keinen Eintrag im Protokoll.`,
  document_differs: ({ documentId, member, found, logged }) =>
    `Dokument ${documentId}: ${member} ist ${found}, laut Protokoll ${logged}.`,
  document_lacks_member: ({ documentId, member, logged }) => `Dokument ${documentId}: ${member} fehlt, laut Protokoll ${logged}.`,
  files_intact: ({ count }) =>
    count === 1 ? '1 Datei: Ihr Hashwert passt zu ihrem Namen' : `${count} Dateien: Jeder Hashwert passt zum Namen der Datei`,
  file_sample_intact: ({ count }) =>
    count === 1
      ? '1 Datei einer Stichprobe: Ihr Hashwert passt zu ihrem Namen'
      : `${count} Dateien einer Stichprobe: Jeder Hashwert passt zum Namen der Datei`,
  file_missing: ({ file }) => `${file} fehlt: ${RESTORE}`,
  file_changed: ({ file }) => `${file} wurde verändert: ${RESTORE}`,
  file_unreadable: ({ file, reason }) => `${file} lässt sich nicht lesen (${reason}): ${RESTORE}`,
  files_stored: ({ count, megabytes }) => `${count} gespeichert, zusammen ${megabytes} MB`,
  store_answers: ({ ms }) => `ein Objekt wurde in ${ms} ms abgelegt, gelesen und gelöscht`,
  store_answers_slowly: ({ ms }) =>
    `ein Objekt wurde in ${ms} ms abgelegt, gelesen und gelöscht: Hochladen und Seiten warten darauf`,
  objects_in_order: ({ old, objects }) => `${old} alt und ohne Zeile, von ${objects} angesehenen`,
  objects_left_behind: ({ old, objects }) =>
    `${old} alt und ohne Zeile, von ${objects} angesehenen: Das tägliche Aufräumen hätte sie entfernen sollen`,
  copies_kept: ({ megabytes, max }) => `${megabytes} MB von höchstens ${max} MB im Datenordner`,
  // Checks of a PostgreSQL server, and of the nodes that share it.
  server_found: ({ version, server, encoding, collation }) =>
    `PostgreSQL ${version} unter ${server}, ${encoding}, Sortierung ${collation}`,
  checksums_on: () => 'der Server erkennt beschädigte Seiten',
  checksums_off: () =>
    'sind aus: Beschädigte Seiten werden nicht bemerkt. Halten Sie den Server an, und führen Sie pg_checksums --enable aus',
  login_owns: ({ login }) => `${login} gehören die Tabellen`,
  login_changes: ({ login }) => `${login} darf Zeilen ändern, keine Tabellen`,
  login_reads: ({ login }) => `${login} darf nur lesen`,
  fsync_off: () => 'fsync oder full_page_writes ist aus: Ein Stromausfall zerstört die Datenbank. Setzen Sie beide auf on',
  commit_not_synced: () =>
    `synchronous_commit ist aus: Bei einem Absturz des Servers gehen bestätigte Änderungen verloren. ${SET_ON}`,
  no_standby_named: () =>
    'synchronous_standby_names ist leer: Einer Replik, die übernimmt, können bestätigte Änderungen fehlen. Nennen Sie dort eine Replik',
  commit_local: () => `synchronous_commit ist local: Bestätigte Änderungen können verloren gehen. ${SET_ON}`,
  commit_remote_write: () => `synchronous_commit ist remote_write: Bestätigte Änderungen können verloren gehen. ${SET_ON}`,
  named_standby_absent: ({ names }) =>
    `keine Replik, die synchronous_standby_names (${names}) nennt, ist verbunden: Jede Änderung wartet auf eine`,
  commit_durable: ({ level, names }) => `synchronous_commit ${level}, synchrone Repliken ${names}`,
  standby_hidden: () => 'eine ist verbunden; ihren Zustand sehen Mitglieder von pg_monitor: GRANT pg_monitor TO dem Benutzer',
  standby_behind: ({ standby, state, kilobytes }) => `${standby} ist ${state}, ${kilobytes} kB zurück`,
  clock_agrees: ({ ms }) => `weicht um ${ms} ms von der Uhr der Datenbank ab`,
  clock_drifts: ({ ms }) => `weicht um ${ms} ms von der Uhr der Datenbank ab: Stellen Sie beide über NTP`,
  connections_suffice: ({ count, needed, usable, open }) =>
    `${count} Knoten ${count === 1 ? 'öffnet' : 'öffnen'} bis zu ${needed} von ${usable}; ${open} sind jetzt offen`,
  connections_exceeded: ({ count, needed, usable, open }) =>
    `${count} Knoten: bis zu ${needed} von ${usable} Verbindungen; ${open} sind jetzt offen: Erhöhen Sie max_connections, senken Sie read_connections in SIGNET_DATABASE_URL, oder verwenden Sie einen Pooler`,
  schema_known: ({ schema, oldest }) => `${schema}; Programme ab Schema ${oldest} dürfen schreiben`,
  schema_newer: ({ schema, oldest, known }) =>
    `${schema}; Programme ab Schema ${oldest} dürfen schreiben; dieses kennt ${known}: Bringen Sie diesen Knoten auf den neuesten Stand`,
  no_node: () => 'keiner arbeitet mit dieser Datenbank',
  node_serves: seen,
  node_silent: node => `${seen(node)}: Er wurde angehalten oder erreicht die Datenbank nicht`,
  node_of_other_version: node => `${seen(node)}: nicht die Version dieses Programms (${node.own})`,
  round_trip_long: ({ ms }) =>
    `${ms} ms: Alle Änderungen warten aufeinander, die Entfernung begrenzt sie also. Rücken Sie die Knoten näher`,
  writer_measured: ({ ms }) => `eine leere Transaktion dauerte ${ms} ms`,
  writer_slow: ({ ms }) =>
    `eine leere Transaktion dauerte ${ms} ms: Die Zeile, die jede Änderung sperrt, ist belegt, oder das Festschreiben wartet auf eine Replik`,
  writer_unmeasured: () => 'nicht gemessen: Diese Anmeldung darf nur lesen',
  // Why an authority gave no time-stamp, each after its name.
  authority_missing: () => 'Es ist kein Zeitstempeldienst eingerichtet',
  authority_unreachable: ({ authority, reason }) => `${authority} ist nicht erreichbar (${reason})`,
  authority_answered: ({ authority, status }) => `${authority} hat mit ${status} geantwortet`,
  authority_too_long: ({ authority, bytes }) => `${authority} hat mit mehr als ${bytes} Bytes geantwortet`,
  authority_without_token: ({ authority, answer }) => `${authority} hat keinen Zeitstempel ausgestellt (${answer})`,
  authority_invalid: ({ authority, problem }) => `${authority} hat eine ungültige Antwort gesendet (${problem})`,
  authority_other_request: ({ authority }) => `${authority} hat einen Zeitstempel für eine andere Anfrage gesendet (Nonce)`,
  authority_other_hash: ({ authority }) => `${authority} hat einen Zeitstempel über einen anderen Hashwert gesendet`,
  authority_ahead: ({ authority, minutes }) =>
    `${authority} geht gegenüber der Uhr dieses Servers ${minutes} Minuten vor: Stellen Sie die Uhr`,
  authority_behind: ({ authority, minutes }) =>
    `${authority} geht gegenüber der Uhr dieses Servers ${minutes} Minuten nach: Stellen Sie die Uhr`,
  authority_token_invalid: ({ authority, reason }) => `${authority} hat einen ungültigen Zeitstempel gesendet: ${reason}`,
  authority_trust_unreadable: ({ authority, problem }) =>
    `${authority} wurde nicht gefragt: Ein eingestelltes Zertifikat ist nicht lesbar (${problem})`,
  authority_trust_not_pem: ({ authority }) => `${authority} wurde nicht gefragt: Die eingestellten Zertifikate sind kein PEM`,
  authority_without_certificate: ({ authority }) => `${authority} hat kein Zertifikat gesendet`,
}
