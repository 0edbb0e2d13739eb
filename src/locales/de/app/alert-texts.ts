/** Open alerts in German, by their English text. `$1` is a part of it. */
import { SERVER_FINDINGS } from './server-texts.ts'
import { WATCH_TEXTS } from './watch-texts.ts'

export const ALERTS: [english: RegExp, german: string][] = [
  ...lowDisk(
    'Below ([\\d.,]+ \\w+), new documents and pictures are refused\\.',
    'Sind es weniger als $2, werden neue Dokumente und Bilder abgelehnt.',
  ),
  ...lowDisk(
    'New documents and pictures are refused until ([\\d.,]+ \\w+) are free; signing works until ([\\d.,]+ \\w+) are left\\.',
    'Neue Dokumente und Bilder werden erst wieder angenommen, wenn $2 frei sind; unterschrieben werden kann, bis nur noch $3 übrig sind.',
  ),
  ...lowDisk(
    'Nothing can be changed or signed until ([\\d.,]+ \\w+) are free\\.',
    'Bis $2 frei sind, kann nichts geändert oder unterschrieben werden.',
  ),
  [
    /^SQLite reports damage in signet\.db: (.*)\. Stop the service, .*$/s,
    'SQLite meldet einen Schaden in signet.db: $1. Halten Sie den Dienst an, bewahren Sie eine Kopie des Datenordners auf, und spielen Sie eine Sicherung ein.',
  ],
  ...damagedFile('is missing', 'fehlt'),
  ...damagedFile('has changed on disk', 'wurde auf dem Datenträger verändert'),
  ...damagedFile('has changed in the bucket', 'wurde im Bucket verändert'),
  ...damagedFile('cannot be read from the disk', 'lässt sich nicht vom Datenträger lesen'),
  [
    /^The rows of document (\S+) cannot be read, so lists leave it out\. .*$/,
    'Die Zeilen des Dokuments $1 sind nicht lesbar, deshalb fehlt es in Listen. Spielen Sie eine Sicherung ein; diese Warnung endet dann von selbst innerhalb einer Stunde.',
  ],
  [
    /^The webhook (\S+) to (\S+) was disabled: the receiver answered 410 Gone\. .*$/,
    'Der Webhook $1 zu $2 wurde deaktiviert: Der Empfänger hat mit 410 Gone geantwortet. An ihn werden keine Ereignisse mehr gesendet. Aktivieren Sie ihn unter „Einstellungen → Webhooks“ wieder, sobald der Empfänger bereit ist, oder löschen Sie ihn.',
  ],
  [
    /^The webhook (\S+) to (\S+) was disabled: no delivery was accepted for five days\. The last attempt: (.*)\. No more .*$/,
    'Der Webhook $1 zu $2 wurde deaktiviert: Fünf Tage lang wurde keine Zustellung angenommen. Der letzte Versuch: $3. An ihn werden keine Ereignisse mehr gesendet. Aktivieren Sie ihn unter „Einstellungen → Webhooks“ wieder, sobald der Empfänger bereit ist, oder löschen Sie ihn.',
  ],
  [
    /^The webhook (\S+) to (\S+) has accepted no delivery for four days; .* The last attempt: (.*)\.$/,
    'Der Webhook $1 zu $2 hat seit vier Tagen keine Zustellung angenommen; nach fünf Tagen wird er deaktiviert. Der letzte Versuch: $3.',
  ],
  ...WATCH_TEXTS,
]

/** What the thorough checks of the Health page find. */
export const FINDINGS: [english: RegExp, german: string][] = [
  [/^intact$/, 'unversehrt'],
  [/^could not be checked: (.*)$/s, 'ließ sich nicht prüfen: $1'],
  [
    /^damaged \((.*)\): keep a copy of the data folder, then restore a backup$/s,
    'beschädigt ($1): Bewahren Sie eine Kopie des Datenordners auf, und spielen Sie dann eine Sicherung ein',
  ],
  [/^1 entry, head ([0-9a-f]{64})$/, '1 Eintrag, unversehrt; er hat den Hashwert $1'],
  [/^(\d+) entries, head ([0-9a-f]{64})$/, '$1 Einträge, unversehrt; der letzte hat den Hashwert $2'],
  [
    /^entry (\d+) does not follow from the one before: the log was changed$/,
    'Eintrag $1 folgt nicht aus dem vorigen: Das Protokoll wurde verändert',
  ],
  [/^it ends at entry (\d+): later entries were removed$/, 'es endet mit Eintrag $1: Spätere Einträge wurden entfernt'],
  [
    /^the entries up to (\d+) are not those of the checkpoint: the log was made anew$/,
    'die Einträge bis $1 sind nicht die des Prüfpunkts: Das Protokoll wurde neu erstellt',
  ],
  [/^(\d+) as the audit log says$/, '$1, wie es das Protokoll sagt'],
  [/^(\d+) more of this kind: .*$/, '$1 weitere dieser Art: signet audit verify nennt 100 davon'],
  [
    /^Document (\S+) is gone, and no entry says that it was deleted\.?$/,
    'Das Dokument $1 ist verschwunden, und kein Eintrag sagt, dass es gelöscht wurde.',
  ],
  [/^The rows of document (\S+) cannot be read: (.*?)\.?$/s, 'Die Zeilen des Dokuments $1 sind nicht lesbar: $2.'],
  [/^Document (\S+) has no entry in the log\.?$/, 'Das Dokument $1 hat keinen Eintrag im Protokoll.'],
  [/^Document (\S+): (\S+) is (.*), and the log says (.*?)\.?$/s, 'Dokument $1: $2 ist $3, laut Protokoll $4.'],
  ...SERVER_FINDINGS,
  [/^1 file, the hash of each matches its name$/, '1 Datei: Ihr Hashwert passt zu ihrem Namen'],
  [
    /^(\d+) files( of a random sample \(.*\))?, the hash of each matches its name$/,
    '$1 Dateien: Jeder Hashwert passt zum Namen der Datei',
  ],
  [/^(\S+\.pdf) is missing: restore it from a backup$/, '$1 fehlt: Spielen Sie sie aus einer Sicherung ein'],
  [/^(\S+\.pdf) has changed: restore it from a backup$/, '$1 wurde verändert: Spielen Sie sie aus einer Sicherung ein'],
  [/^(\d+) old and without a row, of (\d+) looked at$/, '$1 alt und ohne Zeile, von $2 angesehenen'],
  [
    /^(\d+) old and without a row, of (\d+) looked at: .*$/,
    '$1 alt und ohne Zeile, von $2 angesehenen: Das tägliche Aufräumen hätte sie entfernen sollen',
  ],
  [/^(\d+) stored, ([\d.]+) MB in all$/, '$1 gespeichert, zusammen $2 MB'],
  [/^a test page was sealed and is valid$/, 'Eine Testseite wurde gesiegelt und ist gültig'],
  [/^processes that read PDFs: (.*)$/, 'Für Prozesse, die PDFs lesen, gilt: $1'],
  [/^not in force for processes that read PDFs: (.*)$/, 'Für Prozesse, die PDFs lesen, gilt nicht: $1'],
]

/** The message names the documents of the file, if there are any. */
function damagedFile(english: string, german: string): [RegExp, string][] {
  const places = [
    ['the folder files/', 'den Ordner files/'],
    ['the bucket', 'den Bucket'],
  ]
  return places.flatMap(([place, ort]): [RegExp, string][] => {
    const end = `${english}\\. Restore it from a backup into ${place};.*$`
    const remedy = `Spielen Sie sie aus einer Sicherung in ${ort} ein; dieser Hinweis verschwindet dann innerhalb einer Stunde.`
    return [
      [new RegExp(`^The stored file (\\S+) of (.+) ${end}`), `Die gespeicherte Datei $1 von $2 ${german}. ${remedy}`],
      [new RegExp(`^The stored file (\\S+) ${end}`), `Die gespeicherte Datei $1 ${german}. ${remedy}`],
    ]
  })
}

function lowDisk(effect: string, folge: string): [RegExp, string][] {
  const remedy = 'Schaffen Sie Platz, oder vergrößern Sie den Datenträger.'
  const later = folge.replace('$3', '$4').replace('$2', '$3')
  return [
    [
      new RegExp(`^The disk of the data folder of the node (\\S+) has only ([\\d.,]+ \\w+) free\\. ${effect} .*$`),
      `Auf dem Datenträger des Datenordners des Knotens $1 sind nur noch $2 frei. ${later} ${remedy}`,
    ],
    [
      new RegExp(`^The disk of the data folder has only ([\\d.,]+ \\w+) free\\. ${effect} .*$`),
      `Auf dem Datenträger des Datenordners sind nur noch $1 frei. ${folge} ${remedy}`,
    ],
  ]
}
