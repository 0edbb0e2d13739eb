/** What is wrong with a value, in German. */
import type { ViolationTexts } from '../violations.ts'

export const violations: ViolationTexts = {
  empty: () => 'darf nicht leer sein',
  several_lines: () => 'darf nur eine Zeile haben: Bitte entfernen Sie Zeilenumbrüche',
  not_storable: () => 'darf weder das Zeichen U+0000 noch ein halbes Ersatzzeichenpaar enthalten',
  unprintable: ({ characters }) =>
    `enthält Zeichen, die sich nicht drucken lassen: ${characters.join(' ')}. Bitte entfernen oder ersetzen Sie sie`,
  not_an_email: () => 'muss eine E-Mail-Adresse sein, zum Beispiel ada@example.com',
}
