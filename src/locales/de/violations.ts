/** What is wrong with a value, in German. */
import type { ViolationTexts } from '../violations.ts'

const OTHER_NAMES = 'Zwei Personen können sich eine Adresse teilen, aber nicht auch den Namen'

const number = (value: number) => value.toLocaleString('de')

export const violations: ViolationTexts = {
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
}
