/** Errors of the settings of backups, and alerts about them, in German. */
export const BACKUP_ERRORS: [english: RegExp, german: string][] = [
  [/^The service ended while the backup was made\.$/, 'Der Dienst endete, während die Sicherung erstellt wurde.'],
  [
    /^Stored files that are damaged or missing, also in the backup: (\d+)\. Run signet doctor\.$/,
    'Gespeicherte Dateien, die fehlen oder beschädigt sind, auch in der Sicherung: $1. Führen Sie signet doctor aus.',
  ],
  [
    /^(\S.*) exists already: name a new file, so that no backup is lost\.$/,
    '$1 besteht schon: Nennen Sie eine neue Datei, damit keine Sicherung verloren geht.',
  ],
  [
    /^The folder (\S.*) cannot be written \((.*)\): choose another, or give this user the right\.$/,
    'In den Ordner $1 lässt sich nicht schreiben ($2): Wählen Sie einen anderen, oder geben Sie diesem Benutzer das Recht.',
  ],
  [
    /^A disk is full, that of (\S.*) or that of the data folder: .*$/,
    'Ein Datenträger ist voll, der von $1 oder der des Datenordners: Schaffen Sie Platz, oder wählen Sie einen anderen. Es wurde keine Sicherung erstellt.',
  ],
  [
    /^The database did not answer for minutes, so files may be missing: run it again\.$/,
    'Die Datenbank hat minutenlang nicht geantwortet, so dass Dateien fehlen können: Starten Sie die Sicherung noch einmal.',
  ],
  [
    /^A copy of the database needs (\d+) MB on the disk of the data folder: free space\.$/,
    'Eine Kopie der Datenbank braucht $1 MB auf dem Datenträger des Datenordners: Schaffen Sie Platz.',
  ],
  [
    /^The backup has (\d+) GB, and S3 takes at most 5 GB at once: .*$/,
    'Die Sicherung hat $1 GB, und S3 nimmt höchstens 5 GB auf einmal: Verwenden Sie einen Ordner, oder PostgreSQL und S3.',
  ],
  [
    /^The file store returns other bytes than were stored: check the store\.$/,
    'Der Dateispeicher gibt andere Bytes zurück, als abgelegt wurden: Prüfen Sie ihn.',
  ],
  [
    /^The process that makes backups ended with exit code (\S+)\.$/,
    'Der Prozess, der Sicherungen erstellt, endete mit dem Code $1.',
  ],
  [
    /^The backup is damaged(?: or incomplete)? \(.*\): use another one\.$/,
    'Die Sicherung ist beschädigt oder unvollständig: Verwenden Sie eine andere.',
  ],
  [
    /^The database in the backup is not the one of its manifest \((.*)\): use another backup\.$/,
    'Die Datenbank in der Sicherung passt nicht zu deren Verzeichnis ($1): Verwenden Sie eine andere Sicherung.',
  ],
  [
    /^No backup was made: (.*?)(?: See Settings, Backups\.)?$/,
    'Es wurde keine Sicherung erstellt: $1 Siehe Einstellungen, Sicherungen.',
  ],
  [
    /^The last backup is not complete: (.*?)(?: See Settings, Backups\.)?$/,
    'Die letzte Sicherung ist nicht vollständig: $1 Siehe Einstellungen, Sicherungen.',
  ],
]
