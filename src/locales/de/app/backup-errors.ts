/** Errors of the settings of backups, and alerts about them, in German. */
export const BACKUP_ERRORS: [english: RegExp, german: string][] = [
  [/^must be a time such as (\S+)$/, 'muss eine Uhrzeit sein, zum Beispiel $1'],
  [/^must be a number from (\d+) to (\d+)$/, 'muss eine Zahl von $1 bis $2 sein'],
  [/^must be an absolute path such as (\S+)$/, 'muss ein absoluter Pfad sein, zum Beispiel $1'],
  [/^must be outside the data folder: .*$/, 'muss außerhalb des Datenordners liegen: Was darin ist, geht mit ihm verloren'],
  [/^must be a folder$/, 'muss ein Ordner sein'],
  [/^must exist: create it first$/, 'muss bestehen: Bitte legen Sie ihn zuerst an'],
  [/^must be writable for the user of this service \((\w+)\)$/, 'muss für den Benutzer dieses Dienstes beschreibbar sein ($1)'],
  [/^must be (\d+) to (\d+), one in each line$/, 'müssen $1 bis $2 sein, je Zeile einer'],
  [/^"(.*)" is no age recipient: .*$/, '„$1“ ist kein age-Empfänger: Ein solcher beginnt mit age1, wie age-keygen ihn ausgibt'],
  [/^must be reachable: (.*)$/, 'muss erreichbar sein: $1'],
  [/^A backup is being made already\.$/, 'Es läuft bereits eine Sicherung.'],
  [/^Say first where backups go\.$/, 'Legen Sie zuerst fest, wohin gesichert wird.'],
  [
    /^Nothing is sent after a restore until an administrator resumes sending .*$/,
    'Nach einer Wiederherstellung wird nichts gesendet, bis jemand mit Verwaltungsrecht den Versand fortsetzt (Einstellungen, Sicherungen): Ein Test würde den Empfänger des Originals erreichen.',
  ],
  [/^This backup is not where it was stored any more\.$/, 'Diese Sicherung ist nicht mehr dort, wo sie abgelegt wurde.'],
  [/^The S3 bucket does not hand out this backup: (.*)\.$/, 'Der S3-Bucket gibt diese Sicherung nicht heraus: $1.'],
  [
    /^No backup was made: (.*?)(?: See Settings, Backups\.)?$/,
    'Es wurde keine Sicherung erstellt: $1 Siehe Einstellungen, Sicherungen.',
  ],
  [
    /^The last backup is not complete: (.*?)(?: See Settings, Backups\.)?$/,
    'Die letzte Sicherung ist nicht vollständig: $1 Siehe Einstellungen, Sicherungen.',
  ],
]
