/** What is said of signed statements, in German. */
import type { statementRemarks as english } from '../en/statement-remarks.ts'
import type { RemarkTexts } from '../remarks.ts'

export const statementRemarks: Pick<RemarkTexts, keyof typeof english> = {
  // Why one is not accepted; clauses.
  statement_malformed: () => 'sie hat nicht die Form einer signierten Erklärung',
  statement_without_signer: () => 'das Zertifikat des Unterzeichners fehlt darin',
  statement_changed: () => 'ihr Inhalt wurde nach dem Signieren geändert',
  statement_signature_wrong: () => 'ihre Signatur ist nicht gültig',
  statement_unreadable: ({ cause }) => `ihre Signatur ist nicht lesbar: ${cause}`,
  statement_weak: ({ why }) => `ihre Signatur wird nicht anerkannt: ${why}`,
  checkpoint_malformed: () => 'sie ist kein Prüfpunkt des Protokolls',
  witness_malformed: () => 'sie ist keine Erklärung eines Zeugen',
  receipt_malformed: () => 'sie ist kein Beleg',
  receipt_of_other_kind: () => 'sie ist eine andere signierte Erklärung als ein Beleg',
  receipt_of_later_release: () => 'sie ist ein Beleg einer späteren Version',
  // What was found about a receipt; sentences.
  receipt_hash_wrong: () => 'Der Hashwert im Beleg ist nicht der seines Eintrags.',
  receipt_entry_wrong: () => 'Der Eintrag im Beleg ist nicht der einer Unterschrift.',
  receipt_contradicts: ({ members }) => `Der Beleg widerspricht seinem eigenen Eintrag: ${members.join(', ')}.`,
  receipt_unchanged: ({ name, sha256 }) =>
    `Der Beleg ist so, wie ${name} ihn signiert hat (Zertifikat mit der SHA-256 ${sha256}).`,
  receipt_agrees: ({ sequence }) =>
    `Er sagt dasselbe wie sein Eintrag im Protokoll, Eintrag ${sequence}, und hat dessen Hashwert.`,
  receipt_timestamped: ({ at, authority }) => `Ein Zeitstempel von ${authority} beweist, dass es ihn am ${at} gab.`,
  receipt_without_timestamp: () => 'Er hat keinen Zeitstempel: Seine Zeit ist die der Uhr des Dienstes.',
  receipt_timestamp_untrusted: ({ at, authority, why }) =>
    `Sein Zeitstempel vom ${at} von ${authority} beweist hier nichts. ${why.join(' ')}`,
  receipt_timestamp_false: ({ why }) => `Sein Zeitstempel ist falsch. ${why.join(' ')}`,
  receipt_without_log: ({ sequence }) =>
    `Ob das Protokoll den Eintrag ${sequence} noch enthält, zeigt das Nachweispaket daneben oder die Installation.`,
  receipt_pack_unreadable: ({ why }) => `Das Nachweispaket daneben ist nicht lesbar: ${why}.`,
  receipt_of_other_instance: ({ instance }) => `Das Nachweispaket daneben ist von einer anderen Installation, ${instance}.`,
  receipt_of_other_document: ({ document, title }) =>
    `Der Beleg ist von einem anderen Dokument: Das Nachweispaket ist das von „${title}“ (${document}).`,
  receipt_entry_in_log: ({ sequence }) =>
    `Dieser Beleg gehört zum Dokument des Nachweispakets, und das Protokoll enthält seinen Eintrag ${sequence} noch unverändert.`,
  receipt_entry_not_in_log: ({ sequence }) =>
    `Das Protokoll im Nachweispaket enthält den Eintrag des Belegs nicht: Eintrag ${sequence} wurde geändert, entfernt oder neu erstellt.`,
  receipt_values_agree: () => 'Die Werte und Unterschriften im Nachweispaket sind die des Belegs.',
  receipt_values_differ: () => 'Die Werte oder Unterschriften im Nachweispaket sind nicht die des Belegs.',
  receipt_values_erased: () => 'Das Nachweispaket hat keine Werte zum Vergleichen: Sie wurden gelöscht.',
  receipt_pack_valid: () => 'Das Nachweispaket ist vollständig und unverändert.',
  receipt_pack_false: () => 'Das Nachweispaket ist nicht gültig: `signet evidence verify` sagt, warum.',
  receipt_pack_unchecked: () => 'Nicht alles im Nachweispaket war prüfbar: `signet evidence verify` sagt, was.',
  receipt_of_file: () => 'Dieser Beleg gehört zum PDF daneben: Es beginnt mit den Bytes, die gezeigt wurden.',
  receipt_of_other_file: () =>
    'Der Beleg ist von einem anderen Dokument: Das PDF daneben beginnt nicht mit den Bytes, die gezeigt wurden.',
  receipt_file_valid: () => 'Das Siegel des PDFs ist gültig.',
  receipt_file_false: () => 'Das PDF ist nicht gültig: `signet verify` sagt, warum.',
  receipt_file_unchecked: () => 'Das Siegel des PDFs war nicht prüfbar: `signet verify` sagt, warum.',
}
