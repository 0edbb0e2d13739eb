/** Texts of Settings → Seal → Time-stamps, and of what others install, in German. */
import type { timestamps as English } from '../../en/app/timestamps.ts'

export const timestamps: typeof English = {
  title: 'Zeitstempel',
  back: 'Siegel',
  lead: 'Ein Zeitstempel belegt durch eine unabhängige Stelle, wann ein Siegel entstanden ist. Er gilt auch nach dem Ende des Zertifikats.',
  fixed: variable => `Festgelegt durch \`${variable}\`. Ändern Sie es dort.`,
  authorities: 'Zeitstempeldienste',
  authoritiesText:
    'Sie werden in dieser Reihenfolge gefragt, bis einer antwortet. Um einen zu entfernen, leeren Sie seine Adresse.',
  authority: number => `Zeitstempeldienst ${number}`,
  url: 'Adresse',
  urlHint: 'Nach RFC 3161, zum Beispiel https://tsa.example.com/.',
  user: 'Benutzername',
  password: 'Passwort',
  passwordStored: 'Ein Passwort ist gespeichert. Lassen Sie das Feld leer, um es zu behalten.',
  passwordOf: number => `Das Passwort von Zeitstempeldienst ${number}`,
  urlOf: number => `Die Adresse von Zeitstempeldienst ${number}`,
  level: 'Stufe',
  levelHint: 'Höhere Stufen brauchen einen Zeitstempeldienst. PAdES B-LTA lässt sich über Jahrzehnte prüfen.',
  levels: {
    '': 'Die höchste mögliche',
    'B-B': 'B-B: nur das Siegel',
    'B-T': 'B-T: mit einem Zeitstempel',
    'B-LT': 'B-LT: mit den Daten für eine spätere Prüfung',
    'B-LTA': 'B-LTA: mit einem Zeitstempel über alles, der vor seinem Ende erneuert wird',
  },
  fallback: 'Wenn kein Zeitstempeldienst antwortet',
  fallbacks: {
    later: 'Das Dokument abschließen und den Zeitstempel später ergänzen',
    wait: 'Mit dem Siegel warten, bis ein Zeitstempeldienst antwortet',
  },
  save: 'Speichern',
  saveReason: 'Das ändert die Siegel Ihrer Organisation.',
  roots: 'Stammzertifikate der Zeitstempeldienste',
  rootsText:
    'Damit zählt ein Zeitstempel nur, wenn sein Aussteller vertrauenswürdig ist. Ohne sie wird der Zeitstempel geprüft, sein Aussteller nicht.',
  noRoots: 'Noch keine.',
  rootsCount: count => (count === 1 ? '1 Zertifikat ist vertrauenswürdig:' : `${count} Zertifikate sind vertrauenswürdig:`),
  rootsFile: file => `Die Datei \`${file}\`.`,
  rootsPick: 'Zertifikate',
  rootsPickHint: 'Eine Datei in PEM oder DER. Sie ersetzt die Zertifikate oben.',
  rootsRemove: 'Zertifikate entfernen',
  test: 'Test-Zeitstempel anfordern',
  testTitle: 'Test',
  testText:
    'Fordert mit den gespeicherten Einstellungen bei jedem Zeitstempeldienst einen Zeitstempel an. Er wird für kein Dokument verwendet.',
  answered: time => `Zeitstempel vom ${time}`,
  failed: why => `Kein Zeitstempel (${why}).`,
  signedBy: 'Unterschrieben von',
  issuedBy: 'Ausgestellt von',
  validUntil: 'Gültig bis',
  notices: {
    saved:
      'Die Einstellungen wurden gespeichert. Das nächste Siegel verwendet sie. Fordern Sie einen Test-Zeitstempel an, um zu sehen, ob es funktioniert.',
  },
  change: 'Ändern oder testen',
  rollout: 'Was andere brauchen, um dem Siegel zu vertrauen',
  rolloutOwn:
    'Das Zertifikat stammt von der eigenen Stammzertifizierungsstelle Ihrer Organisation. Andere Programme nennen das Siegel „gültig, Identität unbekannt“, bis sie dieses Stammzertifikat kennen. Installieren Sie es einmal dort, wo Ihre Dokumente gelesen werden.',
  rolloutImported:
    'Das Zertifikat stammt von einem Vertrauensdiensteanbieter. Acrobat und Windows kennen viele davon bereits: Öffnen Sie zuerst die Testseite. Nur wenn das Siegel als unbekannt angezeigt wird, installieren Sie dieses Zertifikat, nach jeder Erneuerung das neue. Nehmen Sie nie seinen Aussteller als vertrauenswürdig auf: Der Anbieter stellt auch Fremden Zertifikate aus.',
  rootName: 'Stammzertifikat',
  sealName: 'Siegelzertifikat',
  rootSha256: 'Fingerabdruck (SHA-256)',
  rootSha1: 'Fingerabdruck (SHA-1, wie Windows ihn zeigt)',
  rootDownload: 'Stammzertifikat herunterladen',
  sealDownload: 'Siegelzertifikat herunterladen',
  rolloutCheck: 'Vergleichen Sie den Fingerabdruck am Telefon oder auf anderem Weg, bevor Sie es irgendwo installieren.',
  acrobat: 'Adobe Acrobat und Reader',
  acrobatSteps: [
    'Voreinstellungen → Unterschriften → Identitäten und vertrauenswürdige Zertifikate → Weitere → Vertrauenswürdige Zertifikate → Importieren.',
    'Wählen Sie die heruntergeladene Datei und in der Liste darunter ihr Zertifikat.',
    'Vertrauenswürdigkeit → „Dieses Zertifikat als vertrauenswürdigen Stamm verwenden“ und „Zertifizierte Dokumente“ ankreuzen → OK → Importieren.',
    'Öffnen Sie ein gesiegeltes Dokument noch einmal: Das Unterschriftsfenster nennt das Siegel gültig.',
  ],
  windows: 'Windows, für alle in der Organisation',
  windowsSteps: [
    'Gruppenrichtlinienverwaltung → Computerkonfiguration → Richtlinien → Windows-Einstellungen → Sicherheitseinstellungen → Richtlinien für öffentliche Schlüssel.',
    'Vertrauenswürdige Stammzertifizierungsstellen → Importieren → die heruntergeladene Datei wählen.',
    'In Acrobat: Voreinstellungen → Unterschriften → Überprüfung → Windows-Integration: allen Stammzertifikaten im Windows-Speicher für die Überprüfung von Unterschriften vertrauen.',
  ],
}
