/** What is said of signed statements, in German. */
import type { statementRemarks as English } from '../en/statement-remarks.ts'

export const statementRemarks: typeof English = {
  // Why one is not accepted; clauses.
  statement_malformed: () => 'sie hat nicht die Form einer signierten Erklärung',
  statement_without_signer: () => 'das Zertifikat des Unterzeichners fehlt darin',
  statement_changed: () => 'ihr Inhalt wurde nach dem Signieren geändert',
  statement_signature_wrong: () => 'ihre Signatur ist nicht gültig',
  statement_unreadable: ({ cause }) => `ihre Signatur ist nicht lesbar: ${cause}`,
  statement_weak: ({ why }) => `ihre Signatur wird nicht anerkannt: ${why}`,
  checkpoint_malformed: () => 'sie ist kein Prüfpunkt eines Prüfprotokolls',
  receipt_malformed: () => 'sie ist kein Beleg',
  receipt_of_other_kind: () => 'sie ist eine andere signierte Erklärung als ein Beleg',
  receipt_of_later_release: () => 'sie ist ein Beleg einer späteren Version',
  // What was found about a receipt; sentences.
  receipt_hash_wrong: () => 'Der Hashwert im Beleg ist nicht der seines Eintrags.',
  receipt_entry_wrong: () => 'Der Eintrag im Beleg ist nicht der einer Unterschrift.',
  receipt_contradicts: ({ members }) => `Der Beleg widerspricht seinem eigenen Eintrag: ${members.join(', ')}.`,
}
