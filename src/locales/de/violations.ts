/** What is wrong with a value, in German. */
import { MAX_IDEMPOTENCY_KEY_LENGTH, MAX_SENDER_NAME } from '../../core/service-limits.ts'
import type { ViolationCode } from '../../core/violation.ts'
import { MAX_PORT } from '../../lib/net-guard.ts'
import type { ViolationTexts } from '../violations.ts'
import { sentences } from './sentences.ts'

const OTHER_NAMES = 'Zwei Personen können sich eine Adresse teilen, aber nicht auch den Namen'

const PRINT_AGAIN = 'Dieses PDF lässt sich nicht verarbeiten. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.'

const number = (value: number) => value.toLocaleString('de')

export const violations: ViolationTexts = {
  ...sentences,
  empty: () => 'darf nicht leer sein',
  several_lines: () => 'darf nur eine Zeile haben: Bitte entfernen Sie Zeilenumbrüche',
  not_storable: () => 'darf weder das Zeichen U+0000 noch ein halbes Ersatzzeichenpaar enthalten',
  unprintable: ({ characters }) =>
    `enthält Zeichen, die sich nicht drucken lassen: ${characters.join(' ')}. Bitte entfernen oder ersetzen Sie sie`,
  half_character: () => 'enthält ein unvollständiges Zeichen',
  too_long: ({ max }) => `darf höchstens ${max} Zeichen haben`,
  too_many_bytes: ({ max }) => `ist zu lang: Erlaubt sind ${max} Byte in UTF-8. Bitte kürzen Sie den Text`,
  not_an_email: () => 'muss eine E-Mail-Adresse sein, zum Beispiel ada@example.com',
  not_a_time: () => 'muss ein Zeitpunkt sein, zum Beispiel 2030-01-31T12:00:00Z',
  not_in_the_future: () => 'muss in der Zukunft liegen',
  too_far_ahead: ({ days }) => `darf höchstens ${days} Tage in der Zukunft liegen`,
  not_a_web_address: () => 'muss eine Adresse sein, die mit https:// oder http:// beginnt',
  with_credentials: () => 'darf keinen Benutzernamen und kein Passwort enthalten',
  unknown_language: ({ code }) => `muss mit dem Kürzel einer Sprache beginnen, etwa de oder pt-BR: ${code} ist keines`,
  not_chosen: () => 'muss zuerst ausgewählt werden',
  too_many: ({ max }) => `dürfen höchstens ${max} sein`,
  first_of_several: ({ first, more }) => `${first} (und ${more} weitere)`,
  too_much_text: ({ maxBytes, bytes }) =>
    `enthält zu viel Text: Alle Texte eines Dokuments dürfen zusammen ${number(maxBytes)} Byte haben, diese haben ${number(bytes)}. Bitte nehmen Sie lange Texte in das PDF auf`,
  too_many_fields: ({ max, count }) => `dürfen zusammen höchstens ${max} Felder haben, es sind ${count}`,
  metadata_names: ({ max }) => `braucht Namen mit 1 bis ${max} Zeichen`,
  expiry_given_twice: () => 'Geben Sie entweder ein Datum oder eine Zahl von Tagen an',
  mailbox_of_recipient: () => `Eine andere Person der Liste hat denselben Namen und dieselbe Adresse. ${OTHER_NAMES}`,
  mailbox_of_person: ({ name }) => `ist schon die Adresse von ${name}, mit demselben Namen. ${OTHER_NAMES}`,
  mailbox_of_signer: () => `gehört schon einer anderen unterzeichnenden Person mit demselben Namen. ${OTHER_NAMES}`,
  access_code_too_short: ({ min }) => `muss mindestens ${min} Zeichen haben; Leerzeichen am Rand zählen nicht`,
  verify_beside_access_code: () => 'Wählen Sie entweder den Zugangscode oder den Einmalcode',
  verify_beside_link: () => 'passt nicht zu einem ausgegebenen Link: Wählen Sie eines von beiden',
  role_name_in_use: () => 'ist schon der Name einer anderen Rolle: Geben Sie jeder einen eigenen',
  field_name_in_use: () => 'gehört schon zu einem anderen Feld des Dokuments: Jedes Feld braucht einen eigenen Namen',
  condition_unknown: () => 'muss der Name eines Feldes dieses Dokuments sein',
  condition_wrong_kind: () => 'muss ein Kästchen, eine Auswahl, einen Text oder eine Zahl nennen',
  condition_not_a_choice: () => 'muss ein Wert sein, den das genannte Feld haben kann',
  condition_not_known_yet: () =>
    'muss ein Feld derselben Person, des Absenders, ein festes Feld oder eines von jemandem nennen, der früher unterschreibt: Sein Wert muss bekannt sein',
  condition_circular: () => 'darf nicht über andere Bedingungen von sich selbst abhängen',
  condition_invalid: () => 'muss ein Feld nennen, dessen Wert dann bekannt ist, und einen Wert, den es haben kann',
  no_signer: () => 'braucht jemanden, der unterschreibt oder genehmigt',
  missing_before_sending: () => 'muss vor dem Senden angegeben werden',
  options_missing: () => 'braucht mindestens eine Auswahlmöglichkeit',
  value_missing: () => 'braucht einen Wert, weil die Person das Feld nicht ändern kann',
  text_too_long: () => 'ist zu lang für die Stelle im Dokument: Kürzen Sie den Text, oder vergrößern Sie das Feld',

  required: () => 'fehlt',
  given_twice: () => 'ist doppelt angegeben',
  malformed_id: () => 'ist keine gültige Kennung',
  id_in_use: () => 'wird bereits verwendet',
  unknown_recipient: () => 'gehört zu keiner Person dieses Entwurfs',
  unknown_field: () => 'ist in diesem Entwurf nicht mehr vorhanden',
  too_many_fields_in_all: ({ max, count }) => `Mit diesen wären es ${count} Felder: Ein Dokument hat höchstens ${max}`,
  not_for_type: () => 'passt nicht zu dieser Art von Feld',
  box_beside_options: () => 'passt nicht zu dieser Art von Feld: Jede Möglichkeit hat ihr Kästchen',
  option_without_box: () => 'braucht einen Wert und einen Platz auf einer Seite',
  option_with_box: () => 'muss ein Text sein: Nur bei der Einfachauswahl hat jede Möglichkeit ein Kästchen',
  duplicate_option: () => 'kommt zweimal vor: Jede Möglichkeit braucht einen eigenen Wert',
  choices_missing: () => 'braucht mindestens eine Auswahlmöglichkeit',
  max_below_min: () => 'darf nicht kleiner als der kleinste Wert sein',
  x_below_zero: () => 'muss auf der Seite liegen',
  y_below_zero: () => 'muss auf der Seite liegen',
  width_not_positive: () => 'muss auf der Seite liegen',
  height_not_positive: () => 'muss auf der Seite liegen',
  beyond_right_edge: () => 'Das Feld würde über den Rand der Seite hinausreichen',
  beyond_bottom_edge: () => 'Das Feld würde über den Rand der Seite hinausreichen',
  beyond_last_page: ({ pages }) =>
    pages === 1
      ? 'muss 1 sein: Das Dokument hat nur eine Seite'
      : `muss von 1 bis ${pages} sein: So viele Seiten hat das Dokument`,
  type_not_for_sender: () => 'passt nicht: Die absendende Person füllt diese Art von Feld nicht aus',
  field_of_viewer: () => 'Eine Person, die nur liest, kann keine Felder haben',
  mark_of_approver: () => 'ist nur für Personen, die unterschreiben; wer genehmigt, leistet keine Unterschrift',
  not_prefillable: () => 'lässt sich bei dieser Art von Feld nicht vorausfüllen',
  read_only_without_value: () => 'braucht einen Wert, weil die Person das Feld nicht ändern kann',
  fields_unfit_for_role: () =>
    'passt nicht zu allen Feldern dieser Person: Entfernen Sie diese zuerst, oder geben Sie sie einer anderen Person',
  not_a_tag: () => 'muss die Stelle einer Textmarke im PDF sein',
  not_readable: () => 'lässt sich nicht lesen',

  search_unfinished: ({ searched, pages }) =>
    `Das PDF ist zu komplex, um darin Felder zu suchen (${searched} von ${pages} Seiten): Geben Sie die Felder selbst an`,
  form_fields_ambiguous: ({ fields, signers }) =>
    `„form“ braucht genau eine unterzeichnende Person oder für jede genau ein Unterschriftsfeld: Das Formular des PDF hat ${fields} Felder für ${signers} Personen. Nehmen Sie Textmarken, oder geben Sie die Felder selbst an`,
  tag_without_recipient: ({ tag, page, party, count }) =>
    `Die Textmarke ${tag} auf Seite ${page} ist für Person ${party}, das Dokument hat aber ${count}`,

  not_for_templates: () => 'gilt nicht für Vorlagen: Geben Sie eine Zahl von Tagen ab dem Senden an',
  not_for_roles: () => 'gilt nicht für Rollen: Es wird beim Verwenden der Vorlage angegeben',
  unknown_role: ({ names }) => `muss eine Rolle der Vorlage sein: ${names.join(', ')}`,
  role_taken: () => 'ist schon besetzt: Nennen Sie jede Rolle einmal',
  role_missing: ({ name }) => `braucht eine Person für die Rolle ${name}`,
  too_long_when_filled: ({ max }) => `hätte mit diesen Werten mehr als ${max} Zeichen: Geben Sie einen kürzeren an`,
  unknown_value_name: ({ names, hasMore }) =>
    `ist nicht der Name eines Feldes, das einen Wert annimmt: Es gibt ${names.length === 0 ? 'keines' : `${names.join(', ')}${hasMore ? ' und andere' : ''}`}`,
  ambiguous_label: ({ count }) => `ist die Beschriftung von ${count} Feldern: Geben Sie jedem in der Vorlage einen eigenen Namen`,
  value_given_twice: ({ name }) => `ist dasselbe Feld wie ${name}: Geben Sie einen Wert an`,
  sender_field_read_only: () => 'muss wegbleiben: Felder der absendenden Person ändern die Empfänger nicht',
  value_required_of_sender: () => 'muss angegeben werden: Die Empfängerin oder der Empfänger kann es nicht eingeben',
  page_not_in_new_file: ({ page }) =>
    `liegt auf Seite ${page}, die das neue PDF nicht hat: Verschieben Sie das Feld zuerst, oder lassen Sie es entfernen`,

  row_count: ({ max }) => `muss 1 bis ${max} Zeilen haben`,
  access_code_in_batch: () =>
    'darf in einer Sendung an viele nicht stehen, deren Zeilen bis zum Senden gespeichert sind: Verwenden Sie POST /templates/{id}/documents',
  link_in_batch: () =>
    'ist bei einer Serie nicht möglich, die ihre Links per E-Mail sendet: Nehmen Sie POST /templates/{id}/documents',
  rows_sent_before: ({ batchId }) => `wurden mit ${batchId} gesendet`,
  same_people: ({ row }) => `ist für dieselben Personen wie ${row}`,
  unknown_column: ({ names }) => `ist keine Spalte der Vorlage. Sie hat: ${names.join(', ')}`,
  column_missing: () => 'fehlt: Fügen Sie eine Spalte mit diesem Namen hinzu',
  spreadsheet_number: ({ iso }) => `ist eine Zahl, die eine Tabelle als ${iso} zeigt: Schreiben Sie Daten wie 2026-04-30`,
  ambiguous_number: ({ comma, point }) =>
    `kann ${comma} oder ${point} sein: Lassen Sie Tausendertrennzeichen weg, und schreiben Sie nicht genau drei Nachkommastellen`,
  ambiguous_date: ({ dayFirst, monthFirst }) => `kann ${dayFirst} oder ${monthFirst} sein: Schreiben Sie Daten wie 2026-04-30`,
  lost_digits: () =>
    'hat in der Tabelle Ziffern verloren: Formatieren Sie die Spalte als Text und geben Sie die ganze Zahl noch einmal ein',
  number_with_currency: () => 'muss die Zahl allein sein, zum Beispiel 1250,50: Entfernen Sie die Währung',
  malformed_number: () => 'muss eine Zahl sein wie 1250, 12,50 oder 1.250,50',
  too_small: ({ min }) => `muss mindestens ${min} sein`,
  too_large: ({ max }) => `darf höchstens ${max} sein`,
  not_yes_or_no: () => 'muss ja oder nein sein',
  not_a_choice: ({ choices, hasMore }) =>
    `muss genau einer dieser Auswahlmöglichkeiten entsprechen: ${choices.join(', ')}${hasMore ? ' …' : ''}`,
  short_year: () => 'muss eine vierstellige Jahreszahl haben, zum Beispiel 2026-04-30',
  not_a_date: () => 'muss ein Datum sein, zum Beispiel 2026-04-30',
  more_cells_than_columns: ({ cells, columns }) =>
    `hat ${cells} Zellen, die Datei aber ${columns} Spalten: Setzen Sie einen Text, der das Trennzeichen enthält, in Anführungszeichen`,
  list_empty: () => 'darf nicht leer sein: Die erste Zeile enthält die Namen der Spalten',
  list_too_large: ({ megabytes }) => `darf höchstens ${megabytes} MB haben: Teilen Sie sie in mehrere Dateien`,
  too_many_columns: ({ max }) => `darf höchstens ${max} Spalten haben`,
  too_many_rows: ({ max }) => `darf höchstens ${number(max)} Zeilen haben: Teilen Sie sie in mehrere Dateien`,
  file_is_spreadsheet: () =>
    'ist eine Tabelle und keine CSV-Datei: Speichern Sie sie als CSV (in Excel: Datei, Speichern unter, „CSV UTF-8“; in LibreOffice: Datei, Speichern unter, „Text CSV“)',
  file_is_pdf: () => 'ist ein PDF und keine CSV-Datei: Wählen Sie die Liste der Empfängerinnen und Empfänger aus',
  file_not_csv: () => 'ist keine CSV-Datei: Speichern Sie die Liste als CSV und wählen Sie sie erneut aus',
  wrong_encoding: ({ encoding }) => `ist nicht in der Kodierung ${encoding}: Wählen Sie eine andere`,
  unclosed_quotation: ({ line }) =>
    `enthält in Zeile ${line} ein Anführungszeichen, das nicht geschlossen wird: Schließen oder entfernen Sie es`,

  wrong_type: () => 'ist von der falschen Art',
  not_one_of: () => 'muss ein Eintrag der Liste sein',
  too_short: ({ min }) => `muss mindestens ${min} Zeichen haben`,
  wrong_form: () => 'hat nicht die erwartete Form',
  unknown_member: () => 'ist hier nicht bekannt',
  schema_mismatch: () => 'hat nicht die erwartete Form',
  too_many_entries: ({ max }) => `hat nicht die erlaubte Anzahl (${max})`,
  too_few_entries: ({ min }) => `hat nicht die erlaubte Anzahl (${min})`,
  too_many_members: ({ max }) => `darf höchstens ${max} Einträge haben`,
  too_many_parts: ({ max }) => `darf zusammen höchstens ${max} Objekte, Listen und Einträge enthalten`,
  given_more_than_once: () => 'darf nur einmal angegeben sein',
  no_such_time: () => 'ist kein Zeitpunkt, den es gibt',
  unknown_part: ({ parts }) => `ist kein bekannter Teil: Senden Sie ${parts.join(' und ')}`,
  part_without_file_name: () => 'muss mit einem Dateinamen gesendet werden',
  file_name_beside_files: () => 'muss bei mehreren Dateien wegbleiben: Benennen Sie jede in ihrem Teil',
  one_file_only: () => 'muss eine einzelne Datei sein',
  too_many_files: ({ max }) => `Höchstens ${max} Dateien auf einmal`,
  malformed_idempotency_key: () => `muss aus 1 bis ${MAX_IDEMPOTENCY_KEY_LENGTH} druckbaren ASCII-Zeichen bestehen`,
  not_an_etag: () => 'muss ein ETag sein wie "v17", mit Anführungszeichen',
  range_beyond_end: ({ bytes }) => `beginnt hinter dem Ende der Datei, die ${bytes} Byte hat`,
  malformed_host: () => 'muss einen Rechner nennen, höchstens mit einem Port',

  not_a_version: () => 'muss die Version des Entwurfs sein',
  changed_meanwhile: () => 'wurde inzwischen geändert',
  unknown_event: () => 'ist nicht die Kennung eines Ereignisses',
  cursor_of_other_order: () => 'muss von einer Seite mit derselben Reihenfolge stammen',
  cursor_beyond_changes: () =>
    'liegt hinter allen Änderungen, weil die Daten aus einer Sicherung stammen: Beginnen Sie ohne Cursor',
  reason_missing: () => 'muss angegeben werden',
  not_a_receiver: () => 'muss eine andere aktive Person sein, die Dokumente versenden darf',
  code_webhook_missing: () =>
    'braucht einen aktiven Webhook, der recipient.code_sent ausdrücklich abonniert und die Codes weitergibt: Legen Sie ihn an, oder wählen Sie den Einmalcode per E-Mail',
  device_key_impossible: () =>
    'kann hier nicht verlangt werden: Browser erzeugen Schlüssel nur für eine Adresse, die ein Name mit https ist. Setzen Sie SIGNET_BASE_URL auf eine solche, oder wählen Sie etwas anderes',

  pdf_expected: () => 'Diese Datei ist kein PDF. Wählen Sie eine PDF-Datei aus.',
  pdf_with_password: () =>
    'Dieses PDF lässt sich nur mit einem Passwort öffnen. Entfernen Sie das Passwort und laden Sie die Datei erneut hoch.',
  pdf_protected: () => 'Dieses PDF ist gegen Änderungen geschützt. Entfernen Sie den Schutz und laden Sie die Datei erneut hoch.',
  pdf_encrypted_otherwise: () =>
    'Dieses PDF ist so verschlüsselt, dass es nicht gelesen werden kann. Speichern Sie es ohne Verschlüsselung und laden Sie es erneut hoch.',
  pdf_damaged: () =>
    'Dieses PDF ist beschädigt oder unvollständig und lässt sich nicht reparieren. Erstellen Sie es neu oder drucken Sie es in ein neues PDF.',
  pdf_signed: () =>
    'Dieses PDF hat bereits eine digitale Signatur, die durch das Unterschreiben hier ungültig würde. Laden Sie eine Fassung ohne Signaturen hoch.',
  pdf_dynamic_form: () =>
    'Dieses PDF ist ein dynamisches XFA-Formular, das nur manche Programme anzeigen. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
  pdf_of_other_files: () =>
    'Dieses PDF holt Teile seiner Seiten aus anderen Dateien. Speichern Sie es mit allen Inhalten oder drucken Sie es in ein neues PDF.',
  pdf_without_pages: () => 'Dieses PDF hat keine Seiten. Wählen Sie ein PDF mit mindestens einer Seite.',
  pdf_page_size: ({ page, points, min, max }) =>
    `Seite ${page} misst ${points} Punkt. Drucken Sie das PDF auf Seiten mit Kantenlängen von ${min} bis ${max} Punkt.`,
  pdf_too_many_pages: ({ count, max }) =>
    `Dieses PDF hat ${count} Seiten, erlaubt sind höchstens ${max}. Teilen Sie es in kleinere Dokumente.`,
  pdf_beyond_limits: () => PRINT_AGAIN,
  pdf_not_sealable: () => PRINT_AGAIN,
  pdf_not_processed: () => PRINT_AGAIN,
  pdf_not_joined: () =>
    'Dieses PDF lässt sich nicht mit anderen verbinden. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
  files_not_joined: () => 'Diese Dateien lassen sich nicht verbinden. Senden Sie weniger Dateien.',
  files_with_too_many_pages: ({ max }) => `Die Dateien haben zusammen mehr als ${max} Seiten. Senden Sie weniger Dateien.`,
  // Accounts.
  contact_known: ({ name }) => `ist bereits die Adresse von ${name}`,
  present_address: () => 'ist schon die jetzige Adresse',
  address_has_account: () => 'Es gibt bereits ein Konto mit dieser Adresse',
  address_has_invitation: () => 'hat eine offene Einladung, die zuerst zurückgezogen werden muss',
  invited_already: () => 'ist bereits eingeladen: Bitte senden Sie diese Einladung erneut',
  language_of_organisation: () => 'ist die der Organisation, die schon eingerichtet ist: Ändern Sie sie in deren Einstellungen',
  // API tokens.
  scopes_not_allowed: ({ scopes }) => `dürfen ${scopes.join(', ')} nicht enthalten: In dieser Rolle wird nur gelesen`,
  // Sign-in.
  not_right: () => 'ist nicht richtig',
  password_too_short: ({ min }) => `muss mindestens ${min} Zeichen haben; einige zufällige Wörter ergeben ein gutes Passwort`,
  password_common: () => 'gehört zu den häufigsten Passwörtern: Bitte wählen Sie ein anderes',
  entered_long_ago: () => 'muss noch einmal eingegeben werden: Die letzte Eingabe ist eine Weile her',
  code_used_or_wrong: () => 'ist nicht richtig oder wurde schon verwendet',
  code_wrong: () => 'ist nicht richtig: Bitte geben Sie den Code ein, den Ihre App jetzt anzeigt',
  // Settings.
  not_a_zone: () => 'muss eine Zeitzone sein, zum Beispiel Europe/Berlin',
  not_a_colour: () => 'muss eine Farbe wie #2346c7 sein',
  colour_too_light: ({ contrast, min, darker }) =>
    `muss dunkler sein: Der Kontrast zu Weiß ist ${contrast}, und zum Lesen ist ${min} nötig. Wählen Sie zum Beispiel ${darker}`,
  not_a_whole_number: ({ max }) => `muss eine ganze Zahl von 1 bis ${max} sein`,
  not_hours_of_a_day: () => 'muss eine Uhrzeit wie 20:00 sein, oder beide Felder müssen leer sein',
  not_months: ({ max }) => `muss eine Zahl von Monaten von 1 bis ${max} sein, oder leer, damit die Dokumente bleiben`,
  mail_server_missing: () => 'muss zuerst eingetragen werden: Es gibt noch keinen Mailserver',
  not_roots: () => 'müssen ein oder mehrere Zertifikate in PEM sein',
  not_a_port: () => `muss eine Zahl von 1 bis ${MAX_PORT} sein`,
  not_a_mail_security: () => 'muss STARTTLS, TLS oder keine sein',
  not_with_password: () => 'muss zusammen mit dem Passwort eingegeben werden',
  secret_of_other_server: () => 'muss für diesen Server und Benutzernamen eingegeben werden',
  metadata_address: () => 'darf nicht die Metadaten-Adresse einer Cloud sein',
  shorten: () => 'muss kürzer sein',
  not_a_host_name: () => 'muss ein Rechnername sein, zum Beispiel mail.example.com, ohne smtp:// und ohne Port',
  not_a_sender_name: () => `darf höchstens ${MAX_SENDER_NAME} Zeichen haben, ohne <, > und Anführungszeichen`,
  not_a_picture: () => 'muss ein PNG oder JPEG sein: Bitte exportieren Sie das Logo in einem dieser Formate',
  picture_too_large: ({ mb }) => `darf höchstens ${mb} MB haben: Bitte verkleinern Sie das Bild`,
  picture_too_wide: ({ pixels }) =>
    `darf an jeder Seite höchstens ${pixels} Pixel haben: Bitte verkleinern Sie es (800 Pixel genügen für Papier)`,
  picture_damaged: () =>
    'ist beschädigt oder hat ein Format, das PDF-Programme nicht anzeigen: Bitte speichern Sie es in einem Bildprogramm als PNG',
  not_a_key_copy: () => 'muss aus den 44 Zeichen des Schlüssels bestehen: Buchstaben, Ziffern, + und /, mit = am Ende',
  key_copy_differs: () => 'ist ein anderer Schlüssel, oder ein Zeichen stimmt nicht: Vergleichen Sie die Eingabe mit der Kopie',
  not_a_checkpoint: ({ problem }) => `muss ein signierter Prüfpunkt sein: ${problem}`,
  checkpoint_without_tree: () => 'muss die Wurzel des Baums enthalten: Er stammt von einer älteren Version',
  checkpoint_of_nothing: () => 'muss mindestens einen Eintrag umfassen',
  witness_without_certificate: () => 'muss gewählt werden: das Zertifikat des Zeugen, als PEM oder DER',
  witness_is_itself: () => 'muss von einer anderen Instanz sein: Dies ist das Zertifikat dieser Instanz',
  not_an_authority_url: () => 'muss eine Adresse sein, zum Beispiel https://tsa.example.com/',
  login_in_url: () => 'darf keine Anmeldung enthalten: Geben Sie sie in den Feldern daneben ein',
  secret_of_other_authority: () => 'muss für diese Adresse und diesen Benutzernamen eingegeben werden',
  not_certificates: () => 'muss Zertifikate in PEM oder DER enthalten',
  not_entered: () => 'muss eingetragen werden',
  secret_of_other_provider: () => 'muss für diesen Anbieter und diese Client-ID eingetragen werden',
  claim_missing: () => 'müssen für das eingetragen werden, was darunter gewählt ist',
  claim_value_missing: () => 'muss eingetragen werden, oder alle seine Werte müssen weg',
  claim_without_role: () => 'müssen für mindestens eine Rolle eingetragen werden, oder der Claim muss weg',
  program_rights_missing: () => 'müssen gewählt werden: Sagen Sie, was das Programm darf',
  scope_missing_in_form: () => 'müssen angekreuzt werden: Wählen Sie mindestens eine',
  expiry_missing: () => 'muss gewählt werden: Sagen Sie, wann oder dass es nie abläuft',
  expiry_out_of_range: () => 'muss ein Tag ab heute und innerhalb von zehn Jahren sein',
  too_many_addresses: ({ max }) => `dürfen höchstens ${max} Adressen sein`,
  not_origins: () => 'müssen Adressen wie https://portal.example.com sein, ohne Pfad; http:// nur auf diesem Rechner',
  not_authorities: () => 'müssen Adressen wie https://tsa.example.com/ sein, durch Kommas getrennt',
  login_not_encoded: () => 'enthält eine Anmeldung mit einem %, das nicht prozentkodiert ist: Schreiben Sie es als %25',
  not_a_sender: () => 'muss aussehen wie „Name <address@example.com>“',
  not_an_issuer: () => 'muss eine Adresse sein, zum Beispiel https://login.example.com',
  not_https: () => 'muss mit https:// beginnen',
  not_a_bare_address: () => 'muss eine Adresse ohne Anmeldung, ? und # sein',
  not_one_line: () => 'muss eine einzige Zeile sein',
  not_domains: () => 'müssen Domains sein, zum Beispiel example.com, durch Kommas getrennt',
  not_scopes: () => 'müssen Scopes sein, durch Leerzeichen getrennt',
  not_either: ({ values, last }) => `muss ${values.join(', ')} oder ${last} sein`,
  // Backups.
  hour_missing: () => 'muss gewählt werden',
  not_a_time_of_day: () => 'muss eine Uhrzeit sein, zum Beispiel 02:30',
  not_a_number: ({ min, max }) => `muss eine Zahl von ${min} bis ${max} sein`,
  not_an_absolute_path: () => 'muss ein absoluter Pfad sein, zum Beispiel /backup/signet',
  inside_data_folder: () => 'muss außerhalb des Datenordners liegen: Was darin ist, geht mit ihm verloren',
  not_a_folder: () => 'muss ein Ordner sein',
  folder_missing: () => 'muss bestehen: Bitte legen Sie ihn zuerst an',
  folder_not_writable: ({ errno }) => `muss für den Benutzer dieses Dienstes beschreibbar sein (${errno})`,
  lines_out_of_range: ({ max }) => `müssen 1 bis ${max} sein, je Zeile einer`,
  not_reachable: ({ reason }) => `muss erreichbar sein: ${reason}`,
  not_an_age_recipient: ({ text }) =>
    `„${text}“ ist kein age-Empfänger: Ein solcher beginnt mit age1, wie age-keygen ihn ausgibt`,
  s3_url_malformed: ({ shape }) => `muss so geschrieben sein: ${shape}`,
  s3_url_without_key: ({ shape }) => `muss den Zugangsschlüssel und sein Geheimnis enthalten, prozentkodiert: ${shape}`,
  s3_url_without_bucket: () =>
    'muss nach dem Host einen Bucket nennen: 3 bis 63 Kleinbuchstaben, Ziffern, Punkte oder Bindestriche',
  s3_url_prefix: () =>
    'muss ein Präfix aus Buchstaben, Ziffern, Punkten, Binde- und Unterstrichen haben, mit einfachen Schrägstrichen',
  s3_url_parameters: () => 'darf nach dem Fragezeichen die Parameter region und tls haben, jeden einmal',
  s3_url_tls: () => 'muss tls=on oder tls=off haben',
  s3_url_escapes: () => 'darf % nur als Prozentkodierung mit zwei hexadezimalen Ziffern enthalten',
  // Webhooks.
  event_types_missing: () => 'müssen mindestens einen Ereignistyp enthalten, oder *',
  event_type_unknown: ({ type, known }) => `„${type}“ ist kein Ereignistyp; es gibt ${known.join(', ')}`,
  event_types_not_chosen: () => 'müssen gewählt werden: Nehmen Sie alle, oder kreuzen Sie mindestens eines an',
  // Addresses that webhooks reach.
  url_with_spaces: () => 'Die URL darf keine Leerzeichen, Steuerzeichen oder Rückstriche enthalten.',
  url_too_long: ({ max }) => `Die URL darf höchstens ${max} Zeichen lang sein.`,
  url_not_http: () => 'Die URL muss mit https:// oder http:// und einem Host beginnen.',
  url_unreadable: () => 'Die URL lässt sich nicht lesen: Prüfen Sie Host und Port.',
  url_with_login: () => 'Die URL darf weder Benutzernamen noch Passwort enthalten.',
  url_with_fragment: () => 'Die URL darf kein Fragment (#…) enthalten: Es würde nie gesendet.',
  url_port_zero: () => 'Die URL darf nicht den Port 0 nennen.',
  url_host_refused: ({ host }) => `Der Host der URL wird abgelehnt: ${host} ist kein Hostname.`,
  url_network_refused: ({ reason }) => `Der Host der URL wird abgelehnt (${reason}). Ein Administrator kann sein Netz zulassen.`,
  network_unreadable: ({ text }) => `„${text}“ ist kein Netz; schreiben Sie es wie 10.0.0.0/8 oder fd00::/8.`,
  network_prefix_too_long: ({ text, version, bits }) =>
    `„${text}“ ist kein Netz: Ein Präfix von IPv${version} hat höchstens ${bits} Bits.`,
  network_beyond_prefix: ({ text, network }) =>
    `„${text}“ ist kein Netz: Es hat Bits hinter seinem Präfix; schreiben Sie ${network}.`,
  network_with_metadata: ({ network, address }) =>
    `${network} enthält die Metadaten-Adresse ${address} einer Cloud: Führen Sie kleinere Netze auf.`,
  // Filters of the audit log.
  not_a_day: () => 'muss ein Tag sein, zum Beispiel 2026-11-21',
  not_a_document: () => 'muss die Adresse oder die ID eines Dokuments sein',
  too_many_matches: ({ max }) =>
    `passt auf mehr als ${max} Personen und API-Tokens: Geben Sie eine E-Mail-Adresse oder einen vollen Namen ein`,
}

/** German has none. */
export const standingAlone: ReadonlySet<ViolationCode> = new Set()
