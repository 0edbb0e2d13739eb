/** The alerts of `health/watch.ts` in German, by their English text. `$1` is a part of it. */
export const WATCH_TEXTS: [english: RegExp, german: string][] = [
  [
    /^Nothing is sent: this instance was restored from a backup\.$/,
    'Es wird nichts gesendet: Diese Instanz wurde aus einer Sicherung wiederhergestellt.',
  ],
  [
    /^No e-mail has gone out for more than an hour, .* last answer: (.*)$/s,
    'Seit mehr als einer Stunde ist keine E-Mail hinausgegangen; auch Warnungen können daher nicht gemailt werden. Die letzte Antwort des Mailservers: $1',
  ],
  ...certificateEnd(
    'It should have been renewed by itself',
    'Es hätte von selbst erneuert werden sollen: Erneuern Sie es jetzt.',
  ),
  ...certificateEnd(
    'Get its successor from its issuer',
    'Lassen Sie sich vom Aussteller ein Nachfolgezertifikat geben, und importieren Sie es.',
  ),
  [
    /^For more than an hour no time-stamp authority has given a time-stamp\. .* Last answer: (.*)\.$/s,
    'Seit mehr als einer Stunde hat kein Zeitstempeldienst einen Zeitstempel ausgestellt. Siegel erhalten ihren von selbst, sobald einer antwortet. Letzte Antwort: $1.',
  ],
  [
    /^The stored setting (\S+) cannot be read, .* on the page (\S+)\.$/,
    'Die gespeicherte Einstellung $1 ist nicht lesbar; es gilt ihre Vorgabe. Speichern Sie sie auf der Seite $2 neu.',
  ],
  [
    /^The clock of this server shows (.*? UTC), but the data was last used on (.*? UTC)\. .*$/,
    'Die Uhr dieses Servers zeigt $1, die Daten wurden aber zuletzt am $2 benutzt. Bis ein Administrator sagt, was stimmt, läuft kein Dokument ab, nichts wird gelöscht und niemand wird erinnert.',
  ],
  [
    /^The clock of this server shows (.*? UTC), but the data was already used on (.*? UTC)\. .*$/,
    'Die Uhr dieses Servers zeigt $1, die Daten wurden aber schon am $2 benutzt. Stellen Sie die Uhr richtig: Bis dahin läuft kein Dokument ab, nichts wird gelöscht und niemand wird erinnert.',
  ],
  [
    /^The clock of this server goes back: .*$/,
    'Die Uhr dieses Servers geht nach: Das Audit-Protokoll enthält bereits spätere Zeiten. Stellen Sie die Uhr über NTP.',
  ],
  [
    /^The clock of this server differs from that of the time-stamp authority by (\d+) seconds\. .*$/,
    'Die Uhr dieses Servers weicht um $1 Sekunden von der des Zeitstempeldienstes ab. Stellen Sie sie über NTP, und testen Sie den Dienst dann erneut.',
  ],
  [
    /^The clock of the node (\S+) differs from the database’s by more than (\d+) seconds\. .*$/,
    'Die Uhr des Knotens $1 weicht um mehr als $2 Sekunden von der Uhr der Datenbank ab. Stellen Sie beide über NTP.',
  ],
  [
    /^The audit log has no entry (\d+), which the checkpoint of (\S+) covers: .*$/,
    'Im Protokoll fehlt der Eintrag $1, den der Prüfpunkt vom $2 abdeckt: Einträge wurden entfernt, oder das Protokoll wurde neu erstellt. Bewahren Sie die Datenbank und alle Prüfpunkte auf, und vergleichen Sie sie mit einer Sicherung.',
  ],
  [
    /^The audit log holds another entry (\d+), which the checkpoint of (\S+) covers: .*$/,
    'Der Eintrag $1 im Protokoll ist nicht der, den der Prüfpunkt vom $2 abdeckt: Das Protokoll wurde neu erstellt. Bewahren Sie die Datenbank und alle Prüfpunkte auf, und vergleichen Sie sie mit einer Sicherung.',
  ],
  [
    /^The checkpoint of the audit log could not be stored in (.*?): (.*)\.$/,
    'Der Prüfpunkt des Protokolls ließ sich nicht in $1 ablegen: $2.',
  ],
  [
    /^There are no backups: if this machine is lost, so is every contract on it\.$/,
    'Es gibt keine Sicherungen: Geht dieser Rechner verloren, sind alle Verträge darauf verloren.',
  ],
  [
    /^For more than (\d+) days no backup has succeeded, although they are scheduled\.$/,
    'Seit mehr als $1 Tagen ist keine Sicherung gelungen, obwohl sie geplant sind.',
  ],
  [
    /^For more than an hour a document that everybody has signed could not be sealed\. .* Last answer: (.*)$/s,
    'Seit mehr als einer Stunde lässt sich ein Dokument nicht siegeln, das alle unterschrieben haben. Es wird von selbst erneut versucht. Letzte Antwort: $1',
  ],
  [
    /^For more than a day a seal could not get its time-stamp or validation data\. .* Last answer: (.*)$/s,
    'Seit mehr als einem Tag erhält ein Siegel seinen Zeitstempel oder seine Prüfdaten nicht. Es wird von selbst erneut versucht. Letzte Antwort: $1',
  ],
  ...stuck('E-mails', 'E-Mails'),
  ...stuck('Webhook deliveries', 'Webhook-Zustellungen'),
  ...stuck('Documents to be sealed', 'Zu siegelnde Dokumente'),
  ...stuck('Seals to be time-stamped', 'Siegel ohne Zeitstempel'),
]

function certificateEnd(english: string, remedy: string): [RegExp, string][] {
  return [
    [
      new RegExp(`^The seal certificate has ended: new seals are not valid\\. ${english}.*$`),
      `Das Siegelzertifikat ist abgelaufen: Neue Siegel sind nicht gültig. ${remedy}`,
    ],
    [
      new RegExp(`^The seal certificate ends within a day\\. ${english}.*$`),
      `Das Siegelzertifikat läuft innerhalb eines Tages ab. ${remedy}`,
    ],
    [
      new RegExp(`^The seal certificate ends within (\\d+) days\\. ${english}.*$`),
      `Das Siegelzertifikat läuft innerhalb von $1 Tagen ab. ${remedy}`,
    ],
  ]
}

function stuck(english: string, german: string): [RegExp, string][] {
  const text = `${german} warten seit mehr als einer Stunde, und nichts bearbeitet sie. Starten Sie den Dienst neu.`
  return [[new RegExp(`^${english} have been waiting for more than an hour, .*$`), text]]
}
