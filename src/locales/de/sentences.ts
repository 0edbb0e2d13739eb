/** What refusals say, in German. */
import type { Document } from '../../core/document/document.ts'
import type { Feature } from '../../core/feature.ts'
import type { EndedAction } from '../../core/sentence.ts'
import { FORMER_SECRET_HOURS, MAX_KEY_FILE_BYTES } from '../../core/service-limits.ts'
import type { SentenceTexts } from '../violations.ts'

function pause(seconds: number): string {
  if (seconds === 1) return 'eine Sekunde'
  return seconds < 90 ? `${seconds} Sekunden` : `${Math.ceil(seconds / 60)} Minuten`
}

const IS: Record<Document['status'], string> = {
  draft: 'ist ein Entwurf',
  template: 'ist eine Vorlage',
  sent: 'ist bereits versendet',
  sealing: 'wird gerade gesiegelt',
  completed: 'ist abgeschlossen',
  declined: 'wurde abgelehnt',
  voided: 'wurde zurückgezogen',
  expired: 'ist abgelaufen',
}

const CANNOT: Record<EndedAction, string> = {
  void: 'Es kann nicht mehr zurückgezogen werden',
  remind: 'Daran kann nicht mehr erinnert werden',
  sealAgain: 'Das Siegeln lässt sich nicht neu starten',
  complete: 'Das ist nicht mehr möglich',
  augment: 'Das ist nicht mehr möglich',
}

const WHAT: Record<Feature, string> = {
  approvalWithoutMark: 'Eine Zustimmung ohne Unterschriftsfeld ist',
  sharedAddress: 'Eine gemeinsame Adresse zweier Unterzeichnender ist',
  signNow: '„Jetzt unterschreiben“ ist hier',
  sessionEnd: 'Das Ende der Sitzung mit der Unterschrift ist',
  consentEntry: 'Die Einwilligung als eigenes Ereignis ist',
  pkcs7Seal: 'Ein Siegel mit dem SubFilter adbe.pkcs7.detached ist',
  receiptMail: 'Ein Beleg per E-Mail ist',
  deviceKeyRequired: 'Ein Geräteschlüssel, der verlangt wird, ist',
}

const KEY_FILE_UNPROTECTED = 'Die Datei ist nicht durch eine Passphrase geschützt: Exportieren Sie sie mit einer Passphrase.'

export const sentences: SentenceTexts = {
  // Of any request.
  details_omitted: ({ text, max, omitted }) =>
    `${text}. Das sind die ersten ${max} Fehler; mindestens ${omitted} weitere gibt es.`,
  internal_error: ({ requestId }) =>
    `Interner Fehler. Bitte versuchen Sie es noch einmal, oder nennen Sie Ihrer Administration die Anfragenummer ${requestId}.`,
  file_damaged: ({ requestId }) =>
    `Die gespeicherte Datei ist beschädigt oder fehlt, daher wurde sie nicht gesendet. Die Administration kann sie aus einer Sicherung einspielen. Anfragenummer ${requestId}.`,
  // Accounts.
  administrators_only: () => 'Diese Einstellungen kann nur die Administration sehen und ändern.',
  last_administrator: ({ name }) =>
    `${name} ist die einzige aktive Person der Administration: Geben Sie zuerst einer anderen Person diese Rolle.`,
  contacts_of_nobody: () => 'Nur Personen haben Kontakte.',
  contact_not_found: () => 'Der Kontakt wurde nicht gefunden.',
  account_not_found: () => 'Diese Person hat kein Konto.',
  email_changed_often: ({ times }) => `Eine Adresse lässt sich ${times}-mal am Tag ändern. Bitte versuchen Sie es morgen wieder.`,
  email_link_spent: () => 'Dieser Link wurde verwendet, durch einen neueren ersetzt oder ist abgelaufen. Er hat nichts geändert.',
  address_taken: ({ email }) =>
    `Die Adresse ${email} gehört inzwischen zu einem anderen Konto oder einer Einladung. Es wurde nichts geändert.`,
  inviter_not_a_person: () => 'Nur eine Person kann andere einladen.',
  invitation_over: () => 'Diese Einladung wurde angenommen oder zurückgezogen.',
  invitation_link_spent: () =>
    'Diese Einladung wurde verwendet, zurückgezogen oder durch eine neuere ersetzt, oder sie ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  account_exists: ({ email }) => `Zur Adresse ${email} gibt es bereits ein Konto: Bitte melden Sie sich an.`,
  account_disabled: () => 'Dieses Konto ist gesperrt. Bitte wenden Sie sich an die Administration dieses Dienstes.',
  own_account_to_disable: () =>
    'Ihr eigenes Konto können Sie nicht sperren: Bitten Sie eine andere Person der Administration darum.',
  own_account_to_remove: () =>
    'Ihr eigenes Konto können Sie nicht entfernen: Bitten Sie eine andere Person der Administration darum.',
  account_with_belongings: ({ name }) =>
    `${name} gehören noch Dokumente, Vorlagen oder Webhooks: Übergeben Sie diese zuerst, oder sperren Sie das Konto.`,
  address_unknown: ({ email }) => `Es gibt kein Konto mit der Adresse ${email}: Bitte prüfen Sie sie auf Tippfehler.`,
  address_disabled: ({ email }) =>
    `Das Konto mit der Adresse ${email} ist gesperrt: Die Administration kann es unter Einstellungen → Personen entsperren.`,
  reset_link_spent: () =>
    'Dieser Link wurde schon verwendet, durch einen neueren ersetzt oder ist abgelaufen. Fordern Sie auf der Anmeldeseite einen neuen an, oder führen Sie „signet admin reset“ noch einmal aus.',
  already_set_up: ({ address }) =>
    `Dieser Dienst ist schon eingerichtet: Melden Sie sich unter ${address} an. Wenn Sie das Passwort vergessen haben, führen Sie auf dem Server „signet admin reset“ aus.`,
  setup_link_spent: () =>
    'Dieser Link ist abgelaufen oder wurde durch einen neueren ersetzt. Starten Sie „signet serve“ neu: Dabei wird ein neuer ausgegeben.',
  auditors_only_read: () => 'Prüfer können Dokumente lesen, aber nicht ändern.',
  readers_of_settings_only: () => 'Diese Seite können nur Administratoren und Prüfer öffnen.',
  // API tokens.
  too_many_api_tokens: ({ max }) =>
    `Es gibt bereits ${max} API-Tokens: Bitte widerrufen Sie eines, das nicht mehr verwendet wird.`,
  api_token_not_found: () => 'Das API-Token wurde nicht gefunden.',
  api_token_missing: () => 'Senden Sie Ihr API-Token als „Authorization: Bearer <token>“.',
  api_token_malformed: () => 'Das ist kein API-Token dieser Umgebung: Prüfen Sie es auf Tippfehler.',
  api_token_unknown: () => 'Das API-Token ist unbekannt oder wurde widerrufen.',
  api_token_of_disabled: () => 'Das Konto, zu dem dieses API-Token gehört, ist gesperrt.',
  api_token_expired: () => 'Das API-Token ist abgelaufen: Erstellen Sie ein neues unter Einstellungen → API-Tokens.',
  scope_missing: ({ scope }) =>
    `Diesem API-Token fehlt die Berechtigung ${scope}: Verwenden Sie ein anderes, oder erstellen Sie eines, das sie hat.`,
  // Sign-in.
  credentials_wrong: () => 'E-Mail-Adresse oder Passwort ist nicht richtig.',
  password_changed: () => 'Das Passwort wurde inzwischen geändert. Bitte melden Sie sich erneut an.',
  sign_in_delayed: ({ seconds }) => `Die Anmeldung ist zu oft fehlgeschlagen. Bitte warten Sie ${pause(seconds)}.`,
  please_sign_in: () => 'Bitte melden Sie sich an.',
  please_confirm: () => 'Bitte bestätigen Sie zuerst, dass Sie es sind.',
  code_entered_late: ({ minutes }) =>
    `Für die Eingabe des Codes haben Sie ${minutes} Minuten. Bitte melden Sie sich noch einmal an.`,
  own_factor_first: () => 'Richten Sie zuerst unter „Profil“ Ihren eigenen zweiten Faktor ein.',
  enrolment_expired: () => 'Der Code zum Scannen wurde vor zu langer Zeit angezeigt. Bitte richten Sie die App noch einmal ein.',
  no_second_factor: () => 'Es ist kein zweiter Faktor eingerichtet.',
  person_without_factor: () => 'Diese Person hat keinen zweiten Faktor.',
  passkey_site: () => 'Passkeys brauchen eine Adresse mit https und Hostnamen, zum Beispiel https://sign.example.com.',
  passkey_not_registered: () => 'Der Passkey konnte nicht registriert werden. Bitte versuchen Sie es noch einmal.',
  too_many_passkeys: ({ max }) => `Sie haben ${max} Passkeys. Bitte entfernen Sie zuerst einen.`,
  passkey_refused: () =>
    'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  passkey_not_confirmed: () =>
    'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal, oder geben Sie Ihr Passwort ein.',
  passkey_removed: () => 'Dieser Passkey wurde entfernt.',
  password_before_passkey: () => 'Bitte geben Sie Ihr Passwort noch einmal ein, bevor Sie einen Passkey hinzufügen.',
  // Identity provider.
  provider_missing: () => 'Für diesen Dienst ist kein Identitätsanbieter eingerichtet.',
  provider_request_over: ({ minutes }) =>
    `Diese Anmeldung ist nicht mehr offen: Sie wurde vor mehr als ${minutes} Minuten oder in einem anderen Browser begonnen, oder sie wurde verwendet. Bitte beginnen Sie noch einmal.`,
  provider_changed: () => 'Inzwischen wurde der Identitätsanbieter geändert. Bitte beginnen Sie noch einmal.',
  provider_somebody_else: () =>
    'Sie haben sich beim Identitätsanbieter als jemand anderes angemeldet. Es wurde nichts bestätigt.',
  provider_time_missing: () =>
    'Der Identitätsanbieter sagt nicht, wann Sie sich dort angemeldet haben. Bitte verwenden Sie einen Passkey oder Ihr Passwort.',
  provider_not_asked_again: () =>
    'Der Identitätsanbieter hat Sie nicht noch einmal nach der Anmeldung gefragt. Es wurde nichts bestätigt.',
  provider_unreachable: () =>
    'Der Identitätsanbieter ist nicht erreichbar. Bitte versuchen Sie es später, oder melden Sie sich auf anderem Weg an.',
  provider_unusual: () => 'Der Identitätsanbieter antwortet nicht wie erwartet. Bitte sagen Sie es der Administration.',
  provider_other_name: () =>
    'Der Identitätsanbieter nennt einen anderen Namen als den, der hier eingetragen ist. Bitte sagen Sie es der Administration.',
  provider_cancelled: () => 'Sie haben die Anmeldung beim Identitätsanbieter abgebrochen.',
  provider_refused_request: () =>
    'Der Identitätsanbieter hat die Anfrage dieses Dienstes abgelehnt. Bitte sagen Sie es der Administration.',
  provider_refused_client: () =>
    'Der Identitätsanbieter nimmt Client-ID oder Secret dieses Dienstes nicht an. Bitte sagen Sie es der Administration.',
  provider_refused_code: () =>
    'Der Identitätsanbieter nimmt diese Anmeldung nicht mehr an: Sie hat zu lange gedauert oder wurde verwendet. Bitte beginnen Sie noch einmal.',
  provider_wrong_sender: () => 'Die Antwort wurde abgelehnt: Sie kommt von einem anderen Identitätsanbieter als dem gefragten.',
  provider_wrong_issuer: () =>
    'Die Antwort wurde abgelehnt: Ein anderer Identitätsanbieter hat sie ausgestellt. Bitte sagen Sie es der Administration.',
  provider_wrong_audience: () =>
    'Die Antwort wurde abgelehnt: Sie ist für einen anderen Dienst bestimmt. Bitte sagen Sie es der Administration.',
  provider_wrong_nonce: () =>
    'Die Antwort wurde abgelehnt: Sie gehört zu einer anderen Anmeldung. Bitte beginnen Sie noch einmal.',
  provider_wrong_time: () =>
    'Die Antwort wurde abgelehnt: Sie ist abgelaufen oder noch nicht gültig. Bitte beginnen Sie noch einmal. Hilft das nicht, geht eine Uhr falsch.',
  provider_wrong_signature: () =>
    'Die Antwort wurde abgelehnt: Sie ist nicht mit einem Schlüssel des Identitätsanbieters signiert. Bitte sagen Sie es der Administration.',
  provider_response_invalid: () =>
    'Die Antwort des Identitätsanbieters wurde abgelehnt: Sie entspricht nicht dem Standard. Bitte sagen Sie es der Administration.',
  provider_without_email: () =>
    'Der Identitätsanbieter nennt keine E-Mail-Adresse von Ihnen. Bitte sagen Sie es der Administration.',
  provider_email_unverified: ({ email }) =>
    `Der Identitätsanbieter sagt nicht, dass die Adresse ${email} als Ihre bestätigt wurde.`,
  provider_domain_unlisted: ({ email }) =>
    `Mit Adressen wie ${email} ist hier keine Anmeldung über den Identitätsanbieter erlaubt.`,
  provider_account_other: ({ email }) =>
    `Das Konto mit der Adresse ${email} ist mit einem anderen Konto beim Identitätsanbieter verknüpft. Bitte sagen Sie es der Administration.`,
  provider_account_unlinked: ({ email }) =>
    `Es gibt ein Konto mit der Adresse ${email}, das noch nicht verknüpft ist: Melden Sie sich wie bisher an, und verknüpfen Sie es unter „Profil“.`,
  provider_account_missing: ({ email }) =>
    `Es gibt kein Konto für ${email}. Bitten Sie die Administration dieses Dienstes um eine Einladung.`,
  provider_invitation_open: ({ email }) =>
    `Es gibt eine Einladung für ${email}: Öffnen Sie den Link darin, oder bitten Sie um eine neue.`,
  provider_no_role: () => 'Der Identitätsanbieter gibt Ihnen keine Rolle in diesem Dienst. Bitte fragen Sie die Administration.',
  account_removed: () => 'Dieses Konto wurde entfernt.',
  provider_identity_taken: () => 'Ihr Konto beim Identitätsanbieter ist hier mit einer anderen Person verknüpft.',
  provider_linked_to_other: () =>
    'Sie sind mit einem anderen Konto beim Identitätsanbieter verknüpft: Lösen Sie zuerst diese Verknüpfung.',
  provider_not_linked: () => 'Ihr Konto ist nicht mit dem Identitätsanbieter verknüpft.',
  provider_only_way: () =>
    'Das ist Ihr einziger Weg zur Anmeldung. Legen Sie zuerst ein Passwort fest: Melden Sie sich ab, und folgen Sie „Passwort vergessen?“.',
  signed_out_meanwhile: () => 'Sie wurden inzwischen abgemeldet. Bitte melden Sie sich an. Bitte beginnen Sie noch einmal.',
  // Settings.
  no_logo: () => 'Es gibt kein Logo.',
  no_colour: () => 'Es gibt keine Farbe.',
  setting_of_environment: ({ variable }) =>
    `Diese Einstellung ist durch ${variable} festgelegt: Ändern Sie sie dort, oder entfernen Sie zuerst die Variable.`,
  level_without_authority: ({ level }) =>
    `Für die Stufe ${level} braucht es einen Zeitstempeldienst: Tragen Sie einen ein, oder wählen Sie B-B.`,
  export_format_missing: () => 'Wählen Sie ein Format für den Export.',
  audit_entry_missing: () => 'Das Protokoll hat keinen Eintrag mit dieser Nummer.',
  checkpoint_unknown: () => 'Diesen Prüfpunkt gibt es nicht.',
  witness_unknown_signer: () =>
    'Keine Instanz, die hier bezeugt wird, hat dieses Siegelzertifikat: Geben Sie es dem Administrator des Zeugen.',
  witness_other_instance: () =>
    'Dieses Zertifikat gehört hier zu einer anderen Instanz: Geben Sie dem Administrator des Zeugen das Zertifikat dieser Instanz.',
  witness_shorter: ({ size }) =>
    `Der Zeuge hat ein Protokoll mit ${size} Einträgen gesehen, dieser Prüfpunkt umfasst weniger: Einträge wurden entfernt, oder eine Sicherung wurde wiederhergestellt.`,
  witness_fork: ({ size }) =>
    `Der Zeuge hat bis zum Eintrag ${size} andere Einträge gesehen: Das Protokoll wurde neu erstellt, oder eine Sicherung wurde wiederhergestellt.`,
  witness_inconsistent: ({ size }) =>
    `Dieses Protokoll beginnt nicht mit den ${size} Einträgen, die der Zeuge gesehen hat: Es wurde neu erstellt, oder eine Sicherung wurde wiederhergestellt.`,
  witness_too_many: ({ max }) => `Der Zeuge signiert höchstens ${max} Prüfpunkte einer Instanz am Tag mit.`,
  witness_busy: () =>
    'Ein anderer Prüfpunkt dieser Instanz wird gerade mitsigniert. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  witnessed_unknown: () => 'Diese Instanz wird hier nicht bezeugt.',
  audit_log_has_gap: ({ sequence }) =>
    `Im Protokoll fehlt der Eintrag ${sequence}, obwohl es spätere enthält. Daher lässt sich kein Prüfpunkt erstellen: Rufen Sie „signet audit verify“ auf.`,
  email_missing: () => 'Es gibt keine solche E-Mail.',
  email_sent_already: () => 'Diese E-Mail wurde bereits gesendet.',
  email_not_sent: () => 'Nur eine gesendete E-Mail lässt sich als nicht zugestellt markieren.',
  email_not_in_outbox: () => 'Diese E-Mail ist nicht im Postausgangsordner.',
  // Seal.
  authority_unknown: () => 'Diese Zertifizierungsstelle gibt es hier nicht.',
  seal_certificate_missing: () => 'Es gibt noch kein Siegelzertifikat.',
  seal_certificate_unknown: () => 'Es gibt kein Siegelzertifikat mit diesem Fingerabdruck (SHA-256).',
  seal_certificate_imported: () => 'Das Zertifikat wurde importiert: Nur sein Aussteller kann es widerrufen.',
  seal_certificate_revoked: () => 'Das Zertifikat wurde bereits widerrufen.',
  seal_certificate_active: () => 'Das Zertifikat ist in Gebrauch: Erneuern Sie es zuerst, und widerrufen Sie es dann.',
  seal_successor_not_imported: () =>
    'Das aktuelle Zertifikat wurde importiert. Daher muss auch sein Nachfolger importiert werden.',
  seal_changed_meanwhile: () => 'Inzwischen ist ein anderes Zertifikat in Gebrauch. Nichts wurde geändert.',
  seal_certificate_spent: () => 'Dieses Zertifikat wurde hier widerrufen und kann nicht wieder siegeln.',
  revocation_reason_missing: () => 'Wählen Sie einen Grund für den Widerruf.',
  // The key that seals.
  key_file_too_large: () =>
    `Die Datei ist größer als ${MAX_KEY_FILE_BYTES / 1_000_000} MB: Sie ist keine PKCS#12-Datei mit einem Schlüssel.`,
  key_file_damaged: ({ reason }) => `Die Datei ist beschädigt oder keine PKCS#12-Datei: ${reason}.`,
  key_file_passphrase: () => 'Die Passphrase ist falsch, oder die Datei ist beschädigt.',
  key_file_encrypted_to_certificate: () => KEY_FILE_UNPROTECTED,
  key_file_signed: () => KEY_FILE_UNPROTECTED,
  key_file_rounds: () => 'Die Datei verlangt mehr als zehn Millionen Runden der Schlüsselableitung.',
  key_file_encryption: ({ id }) => `Die Verschlüsselung der Datei wird nicht unterstützt (${id}).`,
  key_file_derivation: ({ id }) => `Die Schlüsselableitung der Datei wird nicht unterstützt (${id}).`,
  key_file_mac: ({ id }) => `Das MAC-Verfahren der Datei wird nicht unterstützt (${id}).`,
  key_file_without_key: () => 'Die Datei enthält keinen privaten Schlüssel: Exportieren Sie sie zusammen mit dem Schlüssel.',
  key_file_with_several_keys: () => 'Die Datei enthält mehrere private Schlüssel: Exportieren Sie nur den, der siegeln soll.',
  key_file_without_certificate: () => 'Die Datei enthält kein Zertifikat zu ihrem privaten Schlüssel.',
  key_file_kind: () => 'Der private Schlüssel der Datei wird nicht unterstützt: Verwenden Sie RSA, P-256 oder P-384.',
  key_file_type: ({ type }) =>
    `Mit dem privaten Schlüssel der Datei lässt sich nicht siegeln: Die Art ${type} wird nicht unterstützt.`,
  key_file_short: ({ bits, min }) =>
    `Mit dem privaten Schlüssel der Datei lässt sich nicht siegeln: RSA mit ${bits} Bit ist zu kurz, nötig sind ${min}.`,
  seal_key_kind: () => 'Der Schlüssel ist weder ein RSA- noch ein ECDSA-Schlüssel.',
  seal_key_of_other_certificate: () => 'Der private Schlüssel gehört nicht zum Zertifikat.',
  seal_key_origin: ({ reason }) => reason,
  seal_key_test: ({ reason }) => `Eine mit diesem Schlüssel gesiegelte Testseite ist nicht gültig: ${reason}.`,
  seal_certificate_over: ({ name, day }) => `Das Zertifikat ${name} ist am ${day} abgelaufen.`,
  seal_certificate_too_new: ({ name, day }) => `Das Zertifikat ${name} ist erst ab ${day} gültig.`,
  seal_certificate_usage: ({ name }) =>
    `Die Schlüsselverwendung von ${name} erlaubt es nicht zu siegeln (weder digitalSignature noch nonRepudiation).`,
  seal_too_early: ({ from }) => `Es gilt erst ab ${from}. Prüfen Sie die Uhr dieses Servers.`,
  seal_ended: ({ on }) =>
    `Es ist am ${on} abgelaufen. Erneuern Sie es, oder importieren Sie seinen Nachfolger. Danach wird das Siegeln fortgesetzt.`,
  // Why a document is not sealed yet, or a test page not at all.
  sealed_file_invalid: () =>
    'Die gesiegelte Datei hat die abschließende Prüfung nicht bestanden und wird daher nicht herausgegeben. Es wird von selbst erneut versucht; das Protokoll dieser Zeit nennt den Grund.',
  sealed_file_invalid_for: ({ reason }) =>
    `Die gesiegelte Datei hat die abschließende Prüfung nicht bestanden: ${reason}. Der Support braucht das Protokoll dieser Zeit.`,
  sealing_unreachable: () =>
    'Die Datenbank oder der Dateispeicher war nicht erreichbar. Mit der Datei ist alles in Ordnung. In spätestens einer Minute wird es erneut versucht.',
  sealing_disk: () =>
    'Der Datenträger ist voll oder gestört: Schaffen Sie im Datenordner Platz. Danach wird das Siegeln automatisch fortgesetzt.',
  sealing_busy: () =>
    'Der Server ist gerade zu ausgelastet, um das Dokument zu siegeln. Die Datei ist in Ordnung; in einer Minute folgt der nächste Versuch.',
  original_missing: () => 'Die Originaldatei fehlt: Spielen Sie sie aus einer Sicherung ein.',
  original_changed: () => 'Die Originaldatei wurde verändert: Spielen Sie sie aus einer Sicherung ein.',
  timestamp_missing: ({ reason }) => `Kein Zeitstempeldienst hat einen Zeitstempel ausgestellt: ${reason}.`,
  timestamp_awaited: ({ reason }) =>
    `Kein Zeitstempeldienst hat einen Zeitstempel ausgestellt: ${reason}. Das Siegeln wird automatisch wiederholt, bis einer antwortet.`,
  seal_certificate_unusable: ({ reason }) => `Das Siegelzertifikat lässt sich nicht verwenden: ${reason}`,
  pdf_unsealable: ({ reason }) => `Das PDF lässt sich nicht siegeln: ${reason}.`,
  test_page_invalid: ({ reason }) => `Die gesiegelte Seite ist nicht gültig: ${reason}.`,
  test_page_unsealable: ({ reason }) => `Die Seite ließ sich nicht siegeln: ${reason}.`,
  sealing_failed: () =>
    'Das Siegeln ist aus einem unerwarteten Grund fehlgeschlagen; das Protokoll dieser Zeit nennt ihn. Es wird automatisch wiederholt.',
  // Webhooks.
  sending_paused: () =>
    'Nach einer Wiederherstellung wird nichts gesendet, bis jemand mit Verwaltungsrecht den Versand fortsetzt (Einstellungen, Sicherungen): Ein Test würde den Empfänger des Originals erreichen.',
  secret_replaced_often: ({ times }) =>
    `Das Geheimnis wurde innerhalb von ${FORMER_SECRET_HOURS} Stunden ${times}-mal ersetzt: Warten Sie, bis das erste davon abgelaufen ist.`,
  webhook_not_found: () => 'Der Webhook wurde nicht gefunden.',
  delivery_not_found: () =>
    'Die Zustellung wurde nicht gefunden. Die Zustellungen eines gelöschten Dokuments werden mit ihm gelöscht.',
  webhook_disabled: () => 'Der Webhook ist deaktiviert: Aktivieren Sie ihn, und wiederholen Sie dann die Anfrage.',
  too_many_webhooks: ({ max }) => `Es gibt bereits ${max} Webhooks: Bitte löschen Sie einen, der nicht mehr verwendet wird.`,
  // Backups.
  backup_place_missing: () => 'Legen Sie zuerst fest, wohin gesichert wird.',
  backup_running: () => 'Es läuft bereits eine Sicherung.',
  backup_gone: () => 'Diese Sicherung ist nicht mehr dort, wo sie abgelegt wurde.',
  backup_not_handed_out: ({ reason }) => `Der S3-Bucket gibt diese Sicherung nicht heraus: ${reason}.`,
  // Health.
  work_unknown: () => 'Arbeit dieser Art gibt es nicht.',
  clock_answer_missing: () => 'Bitte sagen Sie, ob die Uhr richtig geht oder gestellt wurde.',
  clock_still_wrong: ({ time }) =>
    `Die Uhr zeigt noch immer ${time}: Stellen Sie sie zuerst richtig, oder sagen Sie, dass sie richtig geht.`,
  node_to_upgrade: ({ name, version }) =>
    `Der Knoten ${name} läuft mit Version ${version}: Bitte ersetzen Sie zuerst dort das Programm.`,
  // Requests.
  too_many_imports: () => 'Es gab zu viele Importversuche. Bitte warten Sie eine Minute.',
  too_many_test_pages: () => 'Es wurden zu viele Testseiten gesiegelt. Bitte warten Sie eine Minute.',
  too_many_tests: () => 'Es wurden zu viele Tests gesendet. Bitte warten Sie eine Minute.',
  too_many_attempts: () => 'Von dieser Adresse gab es zu viele Versuche. Bitte warten Sie eine Minute.',
  too_many_sign_ins: () => 'Von dieser Adresse gab es zu viele Anmeldungen. Bitte warten Sie eine Minute.',
  too_many_authentications: () => 'Von dieser Adresse gab es zu viele gescheiterte Anmeldungen: Bitte warten Sie etwas.',
  nothing_here: () => 'Unter dieser Adresse gibt es nichts.',
  method_not_allowed: ({ method }) => `Diese Adresse lässt sich so nicht aufrufen (${method}).`,
  too_many_requests: ({ count, seconds, waitS }) =>
    `Es gab mehr als ${count} Anfragen in ${seconds} s: Bitte warten Sie ${waitS} s.`,
  requests_at_once: () => 'Es gab zu viele Anfragen auf einmal. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  large_requests_at_once: () => 'Es gab zu viele Anfragen auf einmal. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  pages_open: () => 'Es sind zu viele Seiten geöffnet: Diese aktualisiert sich nicht von selbst.',
  shutting_down: () => 'Der Dienst wird gerade beendet. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  disk_nearly_full: () =>
    'Der Datenträger dieses Dienstes ist fast voll: Dateien werden erst wieder angenommen, wenn die Administration Platz geschaffen hat.',
  body_too_large: ({ bytes }) => `Mehr als ${bytes} Byte werden hier nicht angenommen.`,
  body_cut_off: () => 'Die Verbindung ist vor dem Ende der Übertragung abgebrochen. Bitte versuchen Sie es noch einmal.',
  body_too_slow: () => 'Die Übertragung war zu langsam: Bitte versuchen Sie es über eine schnellere Verbindung noch einmal.',
  body_encoded: () => 'Diese Art der Übertragung wird hier nicht angenommen.',
  body_of_other_type: () => 'Diese Art der Übertragung wird hier nicht angenommen.',
  form_unreadable: () => 'Das Formular konnte nicht gelesen werden: Bitte senden Sie es noch einmal.',
  form_with_many_fields: () => 'Das Formular hat zu viele Felder: Bitte senden Sie es noch einmal.',
  form_too_large: ({ bytes }) => `Das Formular enthält zu viel Text: Ohne Dateien werden höchstens ${bytes} Byte angenommen.`,
  form_of_other_address: ({ address }) =>
    `Dieses Formular wurde nicht an unsere eigene Adresse gesendet: Bitte öffnen Sie ${address}.`,
  input_unfit: () => 'Die Eingabe hat nicht die erwartete Form.',
  idempotency_key_reused: () =>
    'Dieser Idempotency-Key wurde für eine andere Anfrage verwendet: Senden Sie für jeden neuen Vorgang einen neuen Wert.',
  idempotency_in_progress: () => 'Die erste Anfrage mit diesem Idempotency-Key läuft noch: Versuchen Sie es gleich noch einmal.',
  document_deleted_since: () => 'Das Dokument dieser Anfrage wurde inzwischen gelöscht.',
  file_too_large: ({ bytes }) =>
    `Mehr als ${bytes} Byte werden hier nicht angenommen. Verkleinern Sie die Datei, zum Beispiel durch Scannen mit geringerer Auflösung.`,
  files_too_large: ({ bytes }) =>
    `Mehr als ${bytes} Byte werden hier nicht angenommen. Verkleinern Sie die Dateien, zum Beispiel durch Scannen mit geringerer Auflösung.`,
  pdf_too_large: ({ bytes }) => `Das PDF ist größer als die erlaubten ${bytes} Byte.`,
  pdfs_too_large: ({ bytes }) => `Die PDFs sind zusammen größer als die erlaubten ${bytes} Byte.`,
  not_base64: ({ path }) =>
    `${path} ist kein Base64: Kodieren Sie das PDF nach RFC 4648 §4, mit Auffüllung und ohne Präfix data:.`,
  json_malformed: () => 'Der Inhalt der Anfrage ist kein gültiges JSON in UTF-8.',
  json_too_deep: ({ levels }) => `Der Inhalt der Anfrage ist tiefer als ${levels} Ebenen verschachtelt.`,
  json_duplicate_member: ({ name }) => `Der Inhalt der Anfrage hat ein Objekt mit einem doppelten Member: ${name}.`,
  json_too_large: ({ bytes }) => `Mehr als ${bytes} Byte werden nicht angenommen.`,
  json_too_large_beside: ({ member, bytes }) =>
    `Ohne sein Member ${member} sind vom Inhalt der Anfrage höchstens ${bytes} Byte erlaubt.`,
  pdf_not_chosen: () => 'Bitte wählen Sie ein PDF aus.',
  list_not_chosen: () => 'Wählen Sie eine CSV-Datei aus.',
  // Documents.
  document_not_found: () => 'Das Dokument wurde nicht gefunden.',
  document_over: ({ status, action }) => `Das Dokument ${IS[status]}: ${CANNOT[action]}.`,
  document_not_a_draft: ({ status }) => `Das Dokument ${IS[status]}: Nur ein Entwurf kann gesendet werden.`,
  document_not_ended: ({ status }) =>
    `Das Dokument ${IS[status]}: Ziehen Sie es zuerst zurück, oder warten Sie, bis es beendet ist. Danach können Sie es löschen.`,
  document_labels_only: ({ status }) => `Das Dokument ${IS[status]}: Nur seine Schlagwörter lassen sich ändern.`,
  recipients_not_correctable: ({ status }) => `Das Dokument ${IS[status]}: Seine Empfänger lassen sich nicht mehr berichtigen.`,
  document_expired_for_corrections: () => 'Das Dokument ist abgelaufen: Seine Empfänger lassen sich nicht mehr berichtigen.',
  recipient_not_correctable: ({ status }) =>
    `Der Empfänger ${status === 'signed' ? 'hat schon unterschrieben und ' : ''}lässt sich nicht mehr berichtigen.`,
  recipient_not_found: () => 'Der Empfänger wurde nicht gefunden.',
  document_under_hold: () =>
    'Für das Dokument gilt eine Löschsperre: Es kann gelöscht werden, nachdem ein Administrator die Sperre aufgehoben hat.',
  document_held_already: () => 'Für das Dokument gilt bereits eine Löschsperre.',
  document_not_held: () => 'Für das Dokument gilt keine Löschsperre.',
  hold_by_administrators: () => 'Nur Administratoren können eine Löschsperre setzen und aufheben.',
  nothing_to_sign: () => 'Niemand muss unterschreiben oder genehmigen: Fügen Sie vor dem Senden eine solche Person hinzu.',
  not_waiting_for_you: () =>
    'Dieses Dokument wartet nicht oder nicht mehr auf Sie: Was auf Sie wartet, steht unter Dokumente → Zu erledigen.',
  link_by_email_only: () =>
    'Diese Person erhält den Link per E-Mail: Nur ein Programm, dessen Schlüssel es erlaubt, kann einen weiteren ausgeben.',
  links_only_while_out: () => 'Signierlinks gibt es nur für Dokumente, die gerade zur Unterschrift vorliegen.',
  link_of_expired: () => 'Das Dokument ist abgelaufen: Senden Sie es zuerst noch einmal.',
  link_out_of_turn: () => 'Dieser Empfänger ist nicht an der Reihe: Signierlinks gibt es nur für die, die jetzt handeln müssen.',
  link_beside_code: () =>
    'Der Empfänger muss einen Einmalcode eingeben, wofür er den Link aus der E-Mail braucht: Signierlinks gibt es nur für Empfänger ohne Einmalcode.',
  links_not_allowed: () =>
    'Signierlinks sind hier nicht erlaubt: Die Administration kann sie unter Einstellungen → Organisation erlauben.',
  not_locked: () => 'Die Person ist nicht gesperrt: Sie hat noch Versuche.',
  locked_out_anyway: () => 'Diese Person kann das Dokument nicht öffnen, mit oder ohne Code.',
  too_many_documents: ({ max }) => `Wählen Sie höchstens ${max} Dokumente auf einmal.`,
  no_documents_chosen: () => 'Wählen Sie mindestens ein Dokument aus.',
  zip_too_large: ({ gigabytes }) =>
    `Diese Dateien haben zusammen ${gigabytes} GB, eine ZIP-Datei höchstens 2: Wählen Sie weniger Dokumente.`,
  nobody_signed: () => 'Noch hat niemand unterschrieben: Laden Sie das Original herunter.',
  document_sealed: () => 'Das Dokument ist gesiegelt: Laden Sie die gesiegelte Datei herunter.',
  not_sealed_yet: () => 'Es gibt noch keine gesiegelte Datei: Sie entsteht, sobald das Dokument abgeschlossen ist.',
  no_receipt: () => 'Es gibt keinen Beleg: Die Person hat nicht unterschrieben oder zugestimmt.',
  no_evidence_pack: () => 'Es gibt noch kein Nachweispaket: Es entsteht, sobald das Dokument abgeschlossen ist.',
  page_missing: () => 'Das Dokument hat diese Seite nicht.',
  picture_missing: () => 'Es gibt kein Bild.',
  file_field_missing: () => 'Das Dokument hat kein solches Feld für eine Datei.',
  file_missing: () => 'Das Dokument hat keine solche Datei.',
  mark_missing: () => 'Diese Unterschrift gibt es nicht.',
  draft_changed: () => 'Das Dokument wurde inzwischen geändert: Laden Sie die Seite neu, und ändern Sie es dann noch einmal.',
  edit_not_json: () => 'Die Änderung konnte nicht gelesen werden. Bitte laden Sie die Seite neu.',
  access_code_not_copied: ({ name }) =>
    `Der Zugangscode von ${name} wurde nicht kopiert: Vergeben Sie vor dem Senden einen neuen.`,
  upgrade_unfinished: ({ feature }) =>
    `${WHAT[feature]} erst möglich, wenn das Upgrade abgeschlossen ist, weil Knoten mit der Version davor das nicht beachten würden: Bitte wenden Sie sich an die Administration (Einstellungen → Zustand).`,
  // Templates and batches.
  template_not_found: () => 'Die Vorlage wurde nicht gefunden.',
  template_of_other: () =>
    'Diese Vorlage ändern nur die Besitzerin oder der Besitzer und die Administration: Duplizieren Sie sie für eine eigene.',
  template_unfinished: () =>
    'Die Vorlage ist nicht fertig: Beheben Sie, was die Einzelheiten nennen, und verwenden Sie sie dann.',
  template_and_document_changed: () => 'Vorlage und Dokument wurden geändert: Ändern Sie das Dokument auf seinen eigenen Seiten.',
  batch_not_found: () => 'Sendung nicht gefunden.',
  list_read_anew: () =>
    'Die Liste wird jetzt anders gelesen, vielleicht aus einem anderen Fenster: Prüfen Sie die Zeilen unten, und senden Sie sie dann.',
  template_changed: () => 'Die Vorlage wurde geändert, während die Zeilen geprüft wurden. Bitte senden Sie sie noch einmal.',
  batch_started: () => 'Diese Sendung wurde gestartet und lässt sich nicht mehr ändern.',
  batch_not_sending: () => 'Diese Sendung läuft nicht. Es gibt nichts anzuhalten.',
  batch_nothing_to_retry: () => 'In dieser Sendung gibt es keine Zeile, die sich noch einmal senden ließe.',
  batch_not_a_draft: () => 'Diese Sendung wurde gestartet. Nur ein Entwurf lässt sich löschen.',
  rows_repeated: ({ count }) =>
    `${count === 1 ? 'Eine Zeile ist' : `${count} Zeilen sind`} für dieselben Personen wie eine andere Zeile. Wenn das beabsichtigt ist, senden Sie die Zeilen noch einmal mit force.`,
  rows_sent_already: ({ at, by }) =>
    `Dieselben Zeilen hat ${by} am ${at} mit dieser Vorlage gesendet. Wenn das beabsichtigt ist, senden Sie die Zeilen noch einmal mit force.`,
  row_not_made: () => 'Das Dokument dieser Zeile konnte nicht erstellt werden. Die Ursache steht im Protokoll des Dienstes.',
}
