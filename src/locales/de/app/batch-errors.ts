/** Refusals of batches in German, by their English text. `$1` is a part of it. */
export const BATCH_ERRORS: [english: RegExp, german: string][] = [
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
