/** Refusals of documents and drafts in German, by their English text. `$1` is a part of it. */

export const DOCUMENT_ERRORS: [english: RegExp, german: string][] = [
  [
    /^This document does not wait for you, or no longer does: see “Needs you” under Documents\.$/,
    'Dieses Dokument wartet nicht oder nicht mehr auf Sie: Was auf Sie wartet, steht unter Dokumente → Zu erledigen.',
  ],
  ...inEachStatus('it cannot be voided any more', 'Es kann nicht mehr zurückgezogen werden'),
  ...inEachStatus('it cannot be reminded of any more', 'Daran kann nicht mehr erinnert werden'),
  ...inEachStatus('it cannot be sealed again any more', 'Das Siegeln lässt sich nicht neu starten'),
  ...inEachStatus('it cannot be (?:completed|augmented) any more', 'Das ist nicht mehr möglich'),
  ...inEachStatus('only a draft can be sent', 'Nur ein Entwurf kann gesendet werden'),
  ...inEachStatus('only its labels can be changed', 'Nur seine Schlagwörter lassen sich ändern'),
  ...inEachStatus('its recipients cannot be corrected any more', 'Seine Empfänger lassen sich nicht mehr berichtigen'),
  ...inEachStatus(
    'void it first, or wait for its end, then delete it',
    'Ziehen Sie es zuerst zurück, oder warten Sie, bis es beendet ist. Danach können Sie es löschen',
  ),
  [
    /^The document is under legal hold: .*$/,
    'Für das Dokument gilt eine Löschsperre: Es kann gelöscht werden, nachdem ein Administrator die Sperre aufgehoben hat.',
  ],
  [/^The recipient is not locked: tries are left\.$/, 'Die Person ist nicht gesperrt: Sie hat noch Versuche.'],
  [
    /^The document is \w+: this recipient cannot open it, with or without a code\.$/,
    'Diese Person kann das Dokument nicht öffnen, mit oder ohne Code.',
  ],
  [/^The document is already under legal hold\.$/, 'Für das Dokument gilt bereits eine Löschsperre.'],
  [/^The document is not under legal hold\.$/, 'Für das Dokument gilt keine Löschsperre.'],
  [/^Only administrators can set and lift a legal hold\.$/, 'Nur Administratoren können eine Löschsperre setzen und aufheben.'],
  [
    /^must be a number of months from 1 to (\d+), or empty to keep them$/,
    'muss eine Zahl von Monaten von 1 bis $1 sein, oder leer, damit die Dokumente bleiben',
  ],
  [
    /^The document has expired: its recipients cannot be corrected any more\.$/,
    'Das Dokument ist abgelaufen: Seine Empfänger lassen sich nicht mehr berichtigen.',
  ],
  [
    /^The recipient has signed and cannot be corrected any more\.$/,
    'Der Empfänger hat schon unterschrieben und lässt sich nicht mehr berichtigen.',
  ],
  [/^The recipient has \w+ and cannot be corrected any more\.$/, 'Der Empfänger lässt sich nicht mehr berichtigen.'],
  [
    /^The document is \w+: only one that is out for signature has signing links\.$/,
    'Signierlinks gibt es nur für Dokumente, die gerade zur Unterschrift vorliegen.',
  ],
  [/^The document has expired: send it again first\.$/, 'Das Dokument ist abgelaufen: Senden Sie es zuerst noch einmal.'],
  [
    /^It is not the turn of this recipient: signing links are for those who have to act now\.$/,
    'Dieser Empfänger ist nicht an der Reihe: Signierlinks gibt es nur für die, die jetzt handeln müssen.',
  ],
  [
    /^Signing links are not allowed here: an administrator can allow them under Settings → Organisation\.$/,
    'Signierlinks sind hier nicht erlaubt: Die Administration kann sie unter Einstellungen → Organisation erlauben.',
  ],
  [/^Recipient not found\.$/, 'Der Empfänger wurde nicht gefunden.'],
  [
    /^No recipient has to act: add a signer or an approver before sending\.$/,
    'Niemand muss unterschreiben oder genehmigen: Fügen Sie vor dem Senden eine solche Person hinzu.',
  ],
  [/^Nobody has signed yet: download the original\.$/, 'Noch hat niemand unterschrieben: Laden Sie das Original herunter.'],
  [
    /^The document is sealed: download the sealed file\.$/,
    'Das Dokument ist gesiegelt: Laden Sie die gesiegelte Datei herunter.',
  ],
  [
    /^There is no sealed file yet: it exists once the document is completed\.$/,
    'Es gibt noch keine gesiegelte Datei: Sie entsteht, sobald das Dokument abgeschlossen ist.',
  ],
  [
    /^There is no evidence pack yet: it exists once the document is completed\.$/,
    'Es gibt noch kein Nachweispaket: Es entsteht, sobald das Dokument abgeschlossen ist.',
  ],
  [/^The document has no such page\.$/, 'Das Dokument hat diese Seite nicht.'],
  [/^There is no picture\.$/, 'Es gibt kein Bild.'],
  [/^The document has no such field for a file\.$/, 'Das Dokument hat kein solches Feld für eine Datei.'],
  [/^The document has no such file\.$/, 'Das Dokument hat keine solche Datei.'],
  [/^There is no such mark\.$/, 'Diese Unterschrift gibt es nicht.'],
  [/^Choose at most (\d+) documents at once\.$/, 'Wählen Sie höchstens $1 Dokumente auf einmal.'],
  [/^Choose at least one document\.$/, 'Wählen Sie mindestens ein Dokument aus.'],
  [
    /^These files have ([\d.,]+) GB together, a ZIP may have 2: choose fewer documents\.$/,
    'Diese Dateien haben zusammen $1 GB, eine ZIP-Datei höchstens 2: Wählen Sie weniger Dokumente.',
  ],
  [
    /^The document has changed since the version you have: .*$/,
    'Das Dokument wurde inzwischen geändert: Laden Sie die Seite neu, und ändern Sie es dann noch einmal.',
  ],
  [
    /^The access code of (.+) was not copied: set a new one before you send\.$/,
    'Der Zugangscode von $1 wurde nicht kopiert: Vergeben Sie vor dem Senden einen neuen.',
  ],

  [
    /^This recipient gets the link by e-mail: only a program whose key allows it can hand out another\.$/,
    'Diese Person erhält den Link per E-Mail: Nur ein Programm, dessen Schlüssel es erlaubt, kann einen weiteren ausgeben.',
  ],
  [
    /^The recipient has to enter a one-time code, which needs the link that was mailed: links are for recipients without `verify`\.$/,
    'Der Empfänger muss einen Einmalcode eingeben, wofür er den Link aus der E-Mail braucht: Signierlinks gibt es nur für Empfänger ohne Einmalcode.',
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

function inEachStatus(english: string, german: string): [RegExp, string][] {
  const status = {
    draft: 'ist ein Entwurf',
    sent: 'ist bereits versendet',
    sealing: 'wird gerade gesiegelt',
    completed: 'ist abgeschlossen',
    declined: 'wurde abgelehnt',
    voided: 'wurde zurückgezogen',
    expired: 'ist abgelaufen',
  }
  return Object.entries(status).map(([name, words]) => [
    new RegExp(`^The document is ${name}: ${english}\\.$`),
    `Das Dokument ${words}: ${german}.`,
  ])
}
