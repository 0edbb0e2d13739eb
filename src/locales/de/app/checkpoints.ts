/** Texts of Settings → Audit log → Checkpoints, in German. */
import type { checkpoints as English } from '../../en/app/checkpoints.ts'

export const checkpoints: typeof English = {
  title: 'Prüfpunkte',
  back: 'Protokoll',
  lead: 'Ein Prüfpunkt besteht aus Nummer und Hashwert des neuesten Eintrags, signiert mit dem Siegelschlüssel. An jedem Tag, an dem etwas geschehen ist, wird einer erstellt und hier aufbewahrt. Wo ihn niemand ändern kann, der diesen Dienst ändern kann, zeigt er, ob später Einträge entfernt wurden oder das ganze Protokoll neu erstellt wurde. Vor jedem neuen wird das Protokoll mit dem letzten verglichen.',
  section: 'Anderswo aufbewahrt',
  settings: 'Prüfpunkte anderswo aufbewahren',
  none: 'Prüfpunkte werden noch nicht anderswo aufbewahrt',
  noneText: 'Wählen Sie einen Ordner auf einem anderen Datenträger, eine externe E-Mail-Adresse oder beides.',
  last: (sequence, at) => `Der letzte umfasst das Protokoll bis zum Eintrag ${sequence} und wurde am ${at} erstellt.`,
  inFolder: folder => `Er liegt in \`${folder}\`.`,
  mailed: email => `Er wurde an ${email} gemailt.`,
  failed: why => `Er ließ sich nicht im Ordner ablegen: ${why}.`,
  waiting: 'Der erste wird innerhalb einer Stunde erstellt.',
  fixed: variable => `Durch \`${variable}\` festgelegt. Ändern Sie es dort.`,
  folder: 'Ordner',
  folderHint: 'Auf einem anderen Datenträger oder einem eingebundenen Netzlaufwerk, zum Beispiel /backup/signet. Leer: keiner.',
  email: 'E-Mail-Adresse',
  emailHint: 'Am besten außerhalb Ihrer Organisation, zum Beispiel die Ihrer Prüfer. Leer: keine.',
  every: 'Wie oft',
  everyChoices: { daily: 'Täglich', weekly: 'Wöchentlich' },
  keep: 'Wie viele im Ordner bleiben',
  keepHint: 'Die ältesten werden entfernt. Gemailte sind davon nicht betroffen.',
  saveReason: 'Prüfpunkte beweisen, dass das Protokoll vollständig ist.',
  run: 'Jetzt einen erstellen',
  list: {
    title: 'Alle Prüfpunkte',
    text: 'Keiner wird je gelöscht. Ohne den Zeitstempel eines Dienstes zeigt nichts, dass einer nicht erst später erstellt wurde.',
    empty: 'Noch gibt es keinen: Der erste folgt innerhalb einer Stunde nach dem ersten Eintrag.',
    columns: { at: 'Erstellt', entries: 'Einträge', stamped: 'Zeitstempel' },
    noStamp: 'keiner',
    stampedAt: (at, authority) => `${at}, ${authority}`,
    download: 'Herunterladen',
    downloadOf: at => `Prüfpunkt vom ${at} herunterladen`,
    older: 'Ältere Prüfpunkte',
    newest: 'Neueste Prüfpunkte',
  },
  verify:
    '`signet audit verify` vergleicht das Protokoll mit allen Prüfpunkten, die hier und im Ordner liegen, und mit `--checkpoint DATEI` auch mit einem, der anderswo aufbewahrt wurde.',
  notices: {
    saved: 'Gespeichert. Der erste Prüfpunkt wird innerhalb einer Stunde erstellt.',
    made: 'Ein Prüfpunkt wurde erstellt.',
    failed: 'Der Prüfpunkt ließ sich nicht aufbewahren: siehe unten.',
  },
  mail: {
    subject: organisation => `Prüfpunkt des Protokolls von ${organisation}`,
    paragraphs: (sequence, hash) => [
      `Die angehängte Datei ist signiert. Sie umfasst das Protokoll bis zum Eintrag ${sequence} mit dem Hashwert ${hash}.`,
      'Bitte bewahren Sie sie auf. Es ist nichts zu tun: Sie zeigt später, ob Einträge entfernt oder geändert wurden.',
    ],
  },
}
