/** Die Seite, auf der auch das Gerät der Person signiert, auf Deutsch. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Zusätzlich mit einem Schlüssel dieses Geräts signieren',
  offerHint:
    'Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN. Das belegt zusätzlich, dass Sie unterschrieben haben. Nichts davon verlässt Ihr Gerät.',
  asked:
    'Ihr Gerät fragt außerdem nach Fingerabdruck, Gesicht oder PIN: Der Absender möchte, dass es mit einem eigenen Schlüssel signiert.',
  title: 'Noch ein Schritt: Ihr Gerät signiert',
  text: 'Ihr Gerät signiert mit einem Schlüssel, den nur es selbst hat. Der Dienst bekommt den Schlüssel nie, und Ihr Fingerabdruck oder Gesicht bleibt auf dem Gerät.',
  notYet: 'Sie haben noch nicht unterschrieben. Das geschieht, sobald Ihr Gerät signiert hat.',
  use: 'Mit diesem Gerät signieren',
  useKnown: date => `Mit dem Schlüssel vom ${date} signieren`,
  useNew: 'Neuen Schlüssel auf diesem Gerät erzeugen',
  sign: 'Mit dem neuen Schlüssel signieren',
  made: 'Der Schlüssel ist erzeugt. Jetzt signiert Ihr Gerät damit.',
  waiting: 'Bitte folgen Sie Ihrem Gerät …',
  without: 'Ohne Geräteschlüssel unterschreiben',
  back: 'Zurück zum Dokument',
  refused: 'Ihr Gerät hat nicht signiert. Nichts ist verloren: Versuchen Sie es noch einmal, oder gehen Sie zurück zum Dokument.',
  framed:
    'Diese Seite ist Teil einer anderen Website, die hier keine Schlüssel Ihres Geräts erlaubt. Bitte öffnen Sie den Link aus Ihrer E-Mail in einem eigenen Fenster.',
  unsupported:
    'Dieser Browser kann keinen Schlüssel Ihres Geräts benutzen. Bitte öffnen Sie den Link in einem anderen Browser oder auf einem anderen Gerät.',
  unscripted: 'Ihr Gerät kann nur signieren, wenn JavaScript eingeschaltet ist.',
}
