/** Die Wahl eines Schlüssels auf dem Gerät der unterzeichnenden Person. */
import type { deviceKeys as English } from '../../en/app/device-keys.ts'

export const deviceKeys: typeof English = {
  label: 'Schlüssel auf dem Gerät der unterzeichnenden Person',
  hint: 'Das Gerät signiert zusätzlich, nach Fingerabdruck, Gesicht oder PIN, mit einem Schlüssel, den dieser Dienst nie hat. Jeder kann das im Nachweispaket prüfen.',
  rules: {
    off: 'Nicht benutzt',
    offered: 'Angeboten: Jede Person entscheidet selbst',
    required: 'Verlangt: Niemand unterschreibt ohne',
  },
  asDocument: 'Wie für das Dokument eingestellt',
  asTemplate: 'Wie für die Vorlage eingestellt',
  asOrganisation: 'Wie für die Organisation eingestellt',
}
