/** Refusals of documents and drafts in German, by their English text. `$1` is a part of it. */

const OTHER_NAME = 'Zwei Personen können sich eine Adresse teilen, aber nicht auch den Namen'

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
  [/^must say why$/, 'muss angegeben werden'],
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
  [/^was changed by .* at (\S+)$/, 'wurde inzwischen geändert'],

  [/^is given twice$/, 'ist doppelt angegeben'],
  [/^is required$/, 'fehlt'],
  [/^is in use already: make a new one$/, 'wird bereits verwendet'],
  [/^must be (?:rcp|fld)_ and a ULID in lower case$/, 'ist keine gültige Kennung'],
  [/^must be the version of the draft$/, 'muss die Version des Entwurfs sein'],
  [/^must be the id of a recipient of the draft$/, 'gehört zu keiner Person dieses Entwurfs'],
  [/^is not a field of this draft; a new field needs a type$/, 'ist in diesem Entwurf nicht mehr vorhanden'],
  [
    /^is already used by recipients\[\d+\] with the same name: two people at one address need different names$/,
    `Eine andere Person der Liste hat denselben Namen und dieselbe Adresse. ${OTHER_NAME}.`,
  ],
  [
    /^is already used by (.+) with the same name: two people at one address need different names$/,
    `ist schon die Adresse von $1, mit demselben Namen. ${OTHER_NAME}`,
  ],
  [
    /^is used by another signer with the same name: two people at one address need different names$/,
    `gehört schon einer anderen unterzeichnenden Person mit demselben Namen. ${OTHER_NAME}`,
  ],
  [
    /^does not allow all fields of this recipient: remove them or give them to another recipient first$/,
    'passt nicht zu allen Feldern dieser Person: Entfernen Sie diese zuerst, oder geben Sie sie einer anderen Person',
  ],
  [/^must be within the document: it has 1 page$/, 'muss 1 sein: Das Dokument hat nur eine Seite'],
  [/^must be within the document: it has (\d+) pages$/, 'muss von 1 bis $1 sein: So viele Seiten hat das Dokument'],
  [/^would be (\d+) in all: a document has at most (\d+)$/, 'Mit diesen wären es $1 Felder: Ein Dokument hat höchstens $2'],
  [/^must hold at most (\d+) fields in all, there are (\d+)$/, 'dürfen zusammen höchstens $1 Felder haben, es sind $2'],
  [/^must be at most (\d+)$/, 'dürfen höchstens $1 sein'],
  [/^must have a signer or an approver$/, 'braucht jemanden, der unterschreibt oder genehmigt'],
  [/^must be given before the document is sent$/, 'muss vor dem Senden angegeben werden'],
  [
    /^is too long for its place in the document: shorten it, or enlarge the field$/,
    'ist zu lang für die Stelle im Dokument: Kürzen Sie den Text, oder vergrößern Sie das Feld',
  ],
  [
    /^must be given (when the field is readOnly|before the document is sent: recipients cannot enter it)$/,
    'braucht einen Wert, weil die Person das Feld nicht ändern kann',
  ],
  [
    /^must begin with the code of a language, such as de or pt-BR: (.*) is none$/,
    'muss mit dem Kürzel einer Sprache beginnen, etwa de oder pt-BR: $1 ist keines',
  ],
  [/^must have at most (\d+) bytes in UTF-8: please shorten it$/, 'ist zu lang: Bitte kürzen Sie ihn'],
  [
    /^must have at least (\d+) characters, outer blanks not counted$/,
    'muss mindestens $1 Zeichen haben; Leerzeichen am Rand zählen nicht',
  ],
  [/^holds half a character \(a lone surrogate\): send it whole$/, 'enthält ein unvollständiges Zeichen'],
  [/^must have names of 1 to (\d+) characters$/, 'braucht Namen mit 1 bis $1 Zeichen'],
  [
    /^must hold less text: all texts of a document together may have ([\d,]+) bytes in UTF-8, these have ([\d,]+)\. .*$/,
    'enthält zu viel Text: Alle Texte eines Dokuments dürfen zusammen $1 Byte haben, diese haben $2. Bitte nehmen Sie lange Texte in das PDF auf',
  ],
  [/^a recipient who only reads cannot have fields$/, 'Eine Person, die nur liest, kann keine Felder haben'],
  [
    /^\w+ fields are for signers; an approver places no signature$/,
    'ist nur für Personen, die unterschreiben; wer genehmigt, leistet keine Unterschrift',
  ],
  [/^is not for \w+ fields$/, 'passt nicht zu dieser Art von Feld'],
  [/^cannot be prefilled in a field of type .*$/, 'lässt sich bei dieser Art von Feld nicht vorausfüllen'],
  [/^cannot be combined with accessCode: give one of the two$/, 'Wählen Sie entweder den Zugangscode oder den Einmalcode'],
  [
    /^cannot be combined with deliverBy link: leave one of the two out$/,
    'passt nicht zu einem ausgegebenen Link: Wählen Sie eines von beiden',
  ],
  [
    /^This recipient gets the link by e-mail: only a program whose key allows it can hand out another\.$/,
    'Diese Person erhält den Link per E-Mail: Nur ein Programm, dessen Schlüssel es erlaubt, kann einen weiteren ausgeben.',
  ],
  [
    /^needs an enabled webhook that subscribes to recipient\.code_sent by name and passes on the codes: add one, or choose email_code$/,
    'braucht einen aktiven Webhook, der recipient.code_sent ausdrücklich abonniert und die Codes weitergibt: Legen Sie ihn an, oder wählen Sie den Einmalcode per E-Mail',
  ],
  [
    /^The recipient has to enter a one-time code, which needs the link that was mailed: links are for recipients without `verify`\.$/,
    'Der Empfänger muss einen Einmalcode eingeben, wofür er den Link aus der E-Mail braucht: Signierlinks gibt es nur für Empfänger ohne Einmalcode.',
  ],
  [/^cannot be combined with expiresInDays: give one of the two$/, 'Geben Sie entweder ein Datum oder eine Zahl von Tagen an'],
  [/^must be a time such as (\S+)$/, 'muss ein Zeitpunkt sein, zum Beispiel $1'],
  [/^must lie at most (\d+) days ahead$/, 'darf höchstens $1 Tage in der Zukunft liegen'],
  [/^must not carry a user name or password$/, 'darf keinen Benutzernamen und kein Passwort enthalten'],
  [/^must be the place of a tag in the PDF, as in a proposal$/, 'muss die Stelle einer Textmarke im PDF sein'],
  [/^must be (?:0 or more|more than 0): percent of the page .*$/, 'muss auf der Seite liegen'],
  [/^[xy] \+ (?:width|height) must not pass 100: .*$/, 'Das Feld würde über den Rand der Seite hinausreichen'],

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
