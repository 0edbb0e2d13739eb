/** What is said of an evidence pack, in German: a part of the remarks. */
import type { packRemarks as english } from '../en/pack-remarks.ts'
import type { RemarkTexts } from '../remarks.ts'

const event = ({ number, type }: { number: number; type: string }): string => `Ereignis ${number} (${type})`
const printed = ({ page, sequence }: { page: number; sequence: number }): string =>
  `Seite ${page} von sealed.pdf, das Audit-Zertifikat, nennt Eintrag ${sequence} des Protokolls`

export const packRemarks: Pick<RemarkTexts, keyof typeof english> = {
  // Why a file is no evidence pack that can be read.
  pack_not_a_zip: () => 'Sie ist kein ZIP oder beschädigt',
  pack_zip_ambiguous: () =>
    'Sie ist ein ZIP, in dem Programme verschiedene Dateien sehen können: So ist kein Nachweispaket geschrieben',
  pack_too_many_files: ({ max }) => `Sie enthält mehr als ${max} Dateien`,
  pack_file_too_large: ({ name, max }) => `${name} darin ist größer als ${max} MB`,
  pack_too_large: ({ max }) => `Ihre Dateien sind zusammen größer als ${max} MB`,
  pack_compression_unknown: ({ name }) => `${name} darin ist auf unbekannte Weise komprimiert`,
  pack_name_unsafe: () => 'Sie enthält eine Datei, deren Name aus ihrem Ordner hinausführt oder nicht anzeigbar ist',
  pack_name_twice: ({ name }) => `Sie enthält zwei Dateien mit dem Namen ${name}`,
  pack_file_unknown: ({ name }) => `Sie enthält die Datei ${name}, die es in keinem Nachweispaket gibt`,
  pack_files_missing: ({ names }) => `Es fehlt: ${names.join(', ')}. Das enthält jedes Nachweispaket`,
  pack_certificates_unusable: ({ name, cause }) => `${name} darin ist nicht verwendbar: ${cause}`,
  trail_not_json: () => 'audit.json darin ist kein JSON',
  trail_no_object: () => 'audit.json darin ist kein Objekt',
  trail_without_document: () => 'audit.json darin nennt kein Dokument',
  trail_without_events: () => 'audit.json darin enthält keine Ereignisse',
  trail_event_no_object: ({ number }) => `Ereignis ${number} von audit.json darin ist kein Objekt`,
  trail_event_without_entry: ({ number }) => `Ereignis ${number} von audit.json darin hat keinen Eintrag oder keine Prüfsumme`,
  trail_entry_not_canonical: ({ number }) => `Der Eintrag von Ereignis ${number} von audit.json darin ist kein kanonisches JSON`,
  trail_event_incomplete: ({ number }) => `Ereignis ${number} von audit.json darin ist unvollständig`,
  // What was checked of an evidence pack.
  sums_differ: ({ names }) => `Anders, als SHA256SUMS angibt: ${names.join(', ')}.`,
  sums_incomplete: ({ names }) => `In SHA256SUMS fehlt: ${names.join(', ')}.`,
  sums_agree: ({ names }) => `Die Dateien haben die Prüfsummen aus SHA256SUMS: ${names.join(', ')}.`,
  original_as_logged: () => 'original.pdf ist die Datei, die gesendet und allen Unterzeichnenden gezeigt wurde.',
  original_differs: () => 'original.pdf ist nicht die Datei, die laut Protokoll gesendet und gezeigt wurde.',
  sealed_as_logged: () => 'sealed.pdf ist die Datei, die laut Protokoll gesiegelt wurde.',
  sealed_differs: () => 'sealed.pdf ist nicht die Datei, die laut Protokoll gesiegelt wurde.',
  sealed_begins_with_original: () => 'sealed.pdf beginnt mit original.pdf, Byte für Byte.',
  sealed_begins_otherwise: () => 'sealed.pdf beginnt nicht mit original.pdf.',
  marks_as_logged: ({ count }) => `Gezeichnete oder hochgeladene Unterschriften, wie sie im Protokoll stehen: ${count}.`,
  marks_differ: ({ names }) => `Nicht die Unterschriften, die im Protokoll stehen: ${names.join(', ')}.`,
  attachments_as_logged: ({ count }) => `Von Unterzeichnenden hinzugefügte Dateien, wie sie im Protokoll stehen: ${count}.`,
  attachments_differ: () =>
    'Die Dateien in attachments/ sind nicht die, die laut Protokoll von Unterzeichnenden hinzugefügt wurden.',
  trail_as_entries: ({ count }) => `Alle Angaben der ${count} Ereignisse in audit.json sind die ihrer verketteten Einträge.`,
  trail_member_differs: of => `${event(of)}: ${of.member} stimmt nicht mit dem Eintrag überein.`,
  trail_event_elsewhere: of => `${event(of)} gehört zu einem anderen Dokument, als audit.json nennt.`,
  trail_chain_whole: () =>
    'Die Kette ist vollständig: Jede Prüfsumme ist die ihres Eintrags, und kein Eintrag des Dokuments fehlt.',
  trail_hash_differs: of => `${event(of)}: Die Prüfsumme ist nicht die des Eintrags.`,
  trail_entry_missing: ({ number, type }) => `Der Eintrag vor Ereignis ${number} (${type}) fehlt.`,
  trail_out_of_order: of => `${event(of)} steht im Protokoll an falscher Stelle.`,
  trail_end_missing: () => 'Am Ende fehlen Ereignisse: audit.json nennt eine andere Anzahl oder eine andere letzte Prüfsumme.',
  trail_head_differs: () => 'Der Kopf des Protokolls in audit.json ist älter als das letzte Ereignis oder ein anderer.',
  trail_personal_committed: () =>
    'Die personenbezogenen Daten sind die, auf die sich die Einträge festlegen, und jeder Einwilligungstext hat seine Prüfsumme.',
  trail_personal_differs: of => `${event(of)}: Die personenbezogenen Daten sind nicht die, auf die sich der Eintrag festlegt.`,
  trail_consent_unmatched: of => `${event(of)}: Es folgt keine Unterschrift mit derselben Einwilligung.`,
  trail_consent_differs: of => `${event(of)}: Der Einwilligungstext hat eine andere Prüfsumme, als der Eintrag angibt.`,
  trail_personal_missing: ({ count }) =>
    `Die personenbezogenen Daten von ${count} Einträgen fehlen: Namen, Adressen und Werte in audit.json lassen sich nicht alle vergleichen.`,
  trail_rewritten: () =>
    'audit.json ist nicht so geschrieben, wie Signet es schreibt. Andere Programme lesen darin vielleicht etwas anderes, etwa eine Angabe, die zweimal vorkommt.',
  trail_members_unknown: ({ names }) =>
    `audit.json enthält Angaben, die diese Version von Signet nicht kennt: ${names.join(', ')}.`,
  trail_document_as_logged: () =>
    'Das Dokument in audit.json ist das des Protokolls: Titel, Dateien, Status, Zeiten, Empfänger mit Namen und Adressen sowie Werte.',
  trail_document_differs: ({ member, found, logged }) =>
    `Das Dokument in audit.json: ${member} ist ${found}, laut Protokoll aber ${logged}.`,
  trail_document_lacks: ({ member, logged }) => `Das Dokument in audit.json: ${member} fehlt, laut Protokoll ist es ${logged}.`,
  trail_document_malformed: ({ member }) => `Das Dokument in audit.json: ${member} hat nicht die Form, die Signet schreibt.`,
  trail_settings_unproven: ({ names }) =>
    `Diese Einstellungen des Dokuments stehen nicht im Protokoll: ${names.join(', ')}; auch nicht Sprache, Zustellung, Codes und Verbleib der E-Mails der Empfänger sowie Ort und Beschriftung der Felder. Die Felder zeigt die gesiegelte Datei.`,
  problems_more: ({ count }) => `Und ${count} weitere dieser Art.`,
  seal_not_logged: () => 'Laut Protokoll wurde das Dokument nicht abgeschlossen und gesiegelt.',
  seal_unreadable: ({ why }) => `sealed.pdf ist nicht lesbar: ${why}.`,
  seal_by_another: () => 'sealed.pdf ist nicht oder nicht allein mit dem Zertifikat gesiegelt, das im Protokoll steht.',
  seal_as_logged: () => 'sealed.pdf ist mit dem Zertifikat gesiegelt, das im Protokoll steht.',
  seal_certificate_missing: () => 'In seal.pem fehlt das Zertifikat, das im Protokoll steht.',
  seal_level_lower: ({ logged, found }) =>
    `Laut Protokoll hat das Siegel die Stufe ${logged}, hier hat es ${found}: Seine Zeitstempel oder deren Nachweise ließen sich mit den bekannten Zeitstempeldiensten nicht prüfen.`,
  issuers_as_named: ({ count }) =>
    `Zertifikate in seal-chain.pem, die jene in seal.pem oder einander ausgestellt haben: ${count}.`,
  issuers_unrelated: ({ names }) =>
    `seal-chain.pem enthält Zertifikate, die keines von denen in seal.pem ausgestellt haben: ${names.join('; ')}.`,
  issuers_too_many: () => 'seal.pem oder seal-chain.pem enthält zu viele Zertifikate, um sie miteinander zu vergleichen.',
  authorities_of_pack: ({ names }) =>
    `Zeitstempel wurden mit den Zeitstempeldiensten geprüft, die das Paket selbst in timestamp-authorities.pem nennt: ${names.join('; ')}.`,
  seal_unchecked: () => 'Das Siegel ließ sich nicht prüfen.',
  seal_not_valid: () => 'Das Siegel ist nicht gültig: siehe unten.',
  printed_unknown: ({ why }) => `sealed.pdf zeigt nicht, welcher Eintrag der neueste war: ${why}.`,
  printed_page_missing: () => 'Nach den Seiten des Originals folgt keine Seite eines Audit-Zertifikats',
  printed_entry_missing: () => 'Das Audit-Zertifikat nennt keinen Eintrag',
  printed_entry_twice: () => 'Das Audit-Zertifikat nennt zwei Einträge',
  printed_unreadable: ({ cause }) => `Das Audit-Zertifikat ist nicht lesbar (${cause})`,
  printed_hash_unknown: at => `${printed(at)}, mit einer Prüfsumme, die kein Ereignis in audit.json hat.`,
  printed_entry_found: at => `${printed(at)} mit seiner Prüfsumme: Das Siegel umfasst alle ${at.count} Ereignisse bis dahin.`,
  printed_instance_agrees: ({ instance, environment }) =>
    `Das Audit-Zertifikat nennt dieselbe Installation: ${instance}, ${environment}.`,
  printed_instance_differs: () => 'Das Audit-Zertifikat nennt eine andere Installation oder Umgebung als audit.json.',
  page_as_printed: () => 'verify.html ist die Seite, die das Audit-Zertifikat nennt.',
  page_differs: () => 'verify.html ist nicht die Seite, die das Audit-Zertifikat nennt: Öffnen Sie sie nicht.',
  page_not_printed: ({ sha256 }) =>
    `Das Audit-Zertifikat nennt keine Seite: Nichts im Paket zeigt, dass verify.html (SHA-256 ${sha256}) echt ist.`,
  page_missing: () => 'Das Audit-Zertifikat nennt eine Seite, verify.html, die das Paket nicht enthält.',
  entry_after_seal: ({ sequence, type }) => `Eintrag ${sequence} (${type}) folgt auf das Siegel, was unmöglich ist.`,
  entries_not_sealed: ({ names }) =>
    `Die Einträge danach umfasst das Siegel nicht (${names.join(', ')}): Nur das Protokoll des Dienstes oder ein Prüfpunkt davon zeigt sie.`,
  sealed_entries_differ: ({ member }) => `Die Einträge, die das Siegel umfasst, nennen ein anderes ${member} als audit.json.`,
}
