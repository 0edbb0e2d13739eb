/** Refusals of documents and drafts in German, by their English text. `$1` is a part of it. */

export const DOCUMENT_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The recipient has signed and cannot be corrected any more\.$/,
    'Der Empfänger hat schon unterschrieben und lässt sich nicht mehr berichtigen.',
  ],
  [
    /^The access code of (.+) was not copied: set a new one before you send\.$/,
    'Der Zugangscode von $1 wurde nicht kopiert: Vergeben Sie vor dem Senden einen neuen.',
  ],

  [/^(.+): please fill this in$/, '$1: Bitte füllen Sie dieses Feld aus'],
  [/^(.+): please use at most (\d+) characters?$/, '$1: Bitte verwenden Sie höchstens $2 Zeichen'],
  [/^(.+): please choose one of (.*)$/s, '$1: Bitte wählen Sie eine dieser Möglichkeiten: $2'],
  [
    /^(.+): this can be two numbers\. Please enter (.+) or (.+)$/,
    '$1: Das können zwei Zahlen sein. Bitte geben Sie $2 oder $3 ein',
  ],
  [/^(.+): please enter a number such as .*$/, '$1: Bitte geben Sie eine Zahl ein, zum Beispiel 1250 oder 12,50'],
  [/^(.+): please enter at least (\S+)$/, '$1: Bitte geben Sie mindestens $2 ein'],
  [/^(.+): please enter at most (\S+)$/, '$1: Bitte geben Sie höchstens $2 ein'],
  [/^(.+): please enter a date such as (\S+)$/, '$1: Bitte geben Sie ein Datum ein, zum Beispiel $2'],
  [
    /^(.+): this is too long for its place in the document\. Please use at most about (\d+) characters?$/,
    '$1: Das ist zu lang für seinen Platz im Dokument. Bitte verwenden Sie höchstens etwa $2 Zeichen',
  ],
  [/^(.+): please enter an e-mail address such as (\S+)$/, '$1: Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel $2'],
  [/^(.+): must be true or false$/, '$1: Der Wert muss „true“ oder „false“ sein'],
  [/^(.+): please tick the box$/, '$1: Bitte kreuzen Sie das Kästchen an'],

  [
    /^The sealed file did not pass the check before publishing: (.*)\. Support needs the log of this time\.$/s,
    'Die gesiegelte Datei hat die abschließende Prüfung nicht bestanden: $1. Der Support braucht das Protokoll dieser Zeit.',
  ],
  [
    /^The sealed file did not pass the check before publishing, so it is not given out\. .*$/,
    'Die gesiegelte Datei hat die abschließende Prüfung nicht bestanden und wird daher nicht herausgegeben. Es wird von selbst erneut versucht; das Protokoll dieser Zeit nennt den Grund.',
  ],
  [
    /^The seal certificate cannot be used: It ended on (\S+): .*$/,
    'Das Siegelzertifikat lässt sich nicht verwenden: Es ist am $1 abgelaufen. Erneuern Sie es, oder importieren Sie seinen Nachfolger. Danach wird das Siegeln fortgesetzt.',
  ],
  [
    /^It ended on (\S+): renew it, or import its successor\. .*$/,
    'Es ist am $1 abgelaufen: Erneuern Sie es, oder importieren Sie seinen Nachfolger. Danach wird das Siegeln fortgesetzt.',
  ],
  [/^It is valid only from (\S+): .*$/, 'Es gilt erst ab $1: Prüfen Sie die Uhr dieses Servers.'],
  [
    /^The seal certificate cannot be used: It is valid only from (\S+): .*$/,
    'Das Siegelzertifikat lässt sich nicht verwenden: Es gilt erst ab $1. Prüfen Sie die Uhr dieses Servers.',
  ],
  [
    /^The disk is full or failing: free space in the data folder\. Sealing then continues by itself\.$/,
    'Der Datenträger ist voll oder gestört: Schaffen Sie im Datenordner Platz. Danach wird das Siegeln automatisch fortgesetzt.',
  ],
  [
    /^The database or the file store could not be reached: nothing is wrong with the file\. .*$/,
    'Die Datenbank oder der Dateispeicher war nicht erreichbar. Mit der Datei ist alles in Ordnung. In spätestens einer Minute wird es erneut versucht.',
  ],
  [
    /^The machine is too busy to seal the document now: .*$/,
    'Der Server ist gerade zu ausgelastet, um das Dokument zu siegeln. Die Datei ist in Ordnung; in einer Minute folgt der nächste Versuch.',
  ],
  [
    /^The original file is missing: restore it from a backup\.$/,
    'Die Originaldatei fehlt: Spielen Sie sie aus einer Sicherung ein.',
  ],
  [
    /^The original file has changed: restore it from a backup\.$/,
    'Die Originaldatei wurde verändert: Spielen Sie sie aus einer Sicherung ein.',
  ],
  [
    /^No time-stamp authority gave a time-stamp: (.*)\. The seal waits for one and is tried again by itself\.$/s,
    'Kein Zeitstempeldienst hat einen Zeitstempel ausgestellt: $1. Das Siegeln wird automatisch wiederholt, bis einer antwortet.',
  ],
  [/^The PDF cannot be sealed: (.*)\.$/s, 'Das PDF lässt sich nicht siegeln: $1.'],
  [
    /^Sealing failed for an unexpected reason; .*$/,
    'Das Siegeln ist aus einem unerwarteten Grund fehlgeschlagen; das Protokoll dieser Zeit nennt ihn. Es wird automatisch wiederholt.',
  ],
]
