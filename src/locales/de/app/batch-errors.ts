/** Refusals of batches in German, by their English text. `$1` is a part of it. */
export const BATCH_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The list is read in another way now, .*$/,
    'Die Liste wird jetzt anders gelesen, vielleicht aus einem anderen Fenster: Prüfen Sie die Zeilen unten, und senden Sie sie dann.',
  ],
  [
    /^This batch has been started\. It can no longer be changed\.$/,
    'Diese Sendung wurde gestartet und lässt sich nicht mehr ändern.',
  ],
  [/^This batch is not being sent\. There is nothing to stop\.$/, 'Diese Sendung läuft nicht. Es gibt nichts anzuhalten.'],
  [
    /^There is no row of this batch that could be sent again\.$/,
    'In dieser Sendung gibt es keine Zeile, die sich noch einmal senden ließe.',
  ],
  [
    /^This batch has been started\. Only a draft can be deleted\.$/,
    'Diese Sendung wurde gestartet. Nur ein Entwurf lässt sich löschen.',
  ],
  [/^Batch not found\.$/, 'Sendung nicht gefunden.'],
  [
    /^The template was changed while the rows were checked\. Please send them again\.$/,
    'Die Vorlage wurde geändert, während die Zeilen geprüft wurden. Bitte senden Sie sie noch einmal.',
  ],
  [
    /^The same rows were sent with this template on (\S+) by (.*)\. If that is intended, send them again with force\.$/,
    'Dieselben Zeilen hat $2 am $1 mit dieser Vorlage gesendet. Wenn das beabsichtigt ist, senden Sie sie noch einmal mit force.',
  ],
  [
    /^(\d+) rows are for the same people as another row\. If that is intended, send the rows again with force\.$/,
    '$1 Zeilen sind für dieselben Personen wie eine andere Zeile. Wenn das beabsichtigt ist, senden Sie die Zeilen noch einmal mit force.',
  ],
  [
    /^1 row is for the same people as another row\. If that is intended, send the rows again with force\.$/,
    'Eine Zeile ist für dieselben Personen wie eine andere Zeile. Wenn das beabsichtigt ist, senden Sie die Zeilen noch einmal mit force.',
  ],
  // Before the reason why a row was refused.
  [/^E-mail address: (.+)$/, 'E-Mail-Adresse: $1'],
  [/^Name: (.+)$/, 'Name: $1'],
  [/^Language: (.+)$/, 'Sprache: $1'],
  [/^Title: (.+)$/, 'Titel: $1'],
  [/^Message: (.+)$/, 'Nachricht: $1'],
  [/^Date of expiry: (.+)$/, 'Ablaufdatum: $1'],
  [
    /^The document of this row could not be made\. An administrator finds the cause in the log\.$/,
    'Das Dokument dieser Zeile konnte nicht erstellt werden. Die Ursache steht im Protokoll des Dienstes.',
  ],
]
