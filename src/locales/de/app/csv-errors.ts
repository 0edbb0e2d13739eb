/** Refusals of CSV files in German, by their English text. `$1` is a part of it. */
export const CSV_ERRORS: [english: RegExp, german: string][] = [
  [
    /^must not be empty: its first row has the names of the columns$/,
    'darf nicht leer sein: Die erste Zeile enthält die Namen der Spalten',
  ],
  [/^must have at most (\d+) columns$/, 'darf höchstens $1 Spalten haben'],
  [
    /^is a spreadsheet, not a CSV file: .*$/,
    'ist eine Tabelle und keine CSV-Datei: Speichern Sie sie als CSV (in Excel: Datei, Speichern unter, „CSV UTF-8“; in LibreOffice: Datei, Speichern unter, „Text CSV“)',
  ],
  [
    /^is a PDF, not a CSV file: .*$/,
    'ist ein PDF und keine CSV-Datei: Wählen Sie die Liste der Empfängerinnen und Empfänger aus',
  ],
  [
    /^must have at most ([\d.]+) MB: divide it into several files$/,
    'darf höchstens $1 MB haben: Teilen Sie sie in mehrere Dateien',
  ],
  [/^must have at most (\S+) rows: .*$/, 'darf höchstens $1 Zeilen haben: Teilen Sie sie in mehrere Dateien'],
  [/^is not in the encoding (\S+): .*$/, 'ist nicht in der Kodierung $1: Wählen Sie eine andere'],
  [
    /^is not a CSV file: save the list as CSV and choose it again$/,
    'ist keine CSV-Datei: Speichern Sie die Liste als CSV und wählen Sie sie erneut aus',
  ],
  [
    /^has a quotation mark in line (\d+) that is never closed: .*$/,
    'enthält in Zeile $1 ein Anführungszeichen, das nicht geschlossen wird: Schließen oder entfernen Sie es',
  ],
  [
    /^has (\d+) cells, but the file has (\d+) columns: .*$/,
    'hat $1 Zellen, die Datei aber $2 Spalten: Setzen Sie einen Text, der das Trennzeichen enthält, in Anführungszeichen',
  ],
  [
    /^has lost digits in the spreadsheet: .*$/,
    'hat in der Tabelle Ziffern verloren: Formatieren Sie die Spalte als Text und geben Sie die ganze Zahl noch einmal ein',
  ],
  [/^must be a number such as 1250, 12\.50 or .*$/, 'muss eine Zahl sein wie 1250, 12,50 oder 1.250,50'],
  [/^must be the number alone, such as .*$/, 'muss die Zahl allein sein, zum Beispiel 1250,50: Entfernen Sie die Währung'],
  [/^must be yes or no$/, 'muss ja oder nein sein'],
  [/^must be exactly one of these choices: (.*)$/, 'muss genau einer dieser Auswahlmöglichkeiten entsprechen: $1'],
  [/^must be a date such as (\S+)$/, 'muss ein Datum sein, zum Beispiel $1'],
  [/^must have a year of four digits, such as (\S+)$/, 'muss eine vierstellige Jahreszahl haben, zum Beispiel $1'],
  [/^must be (\S+) or more$/, 'muss mindestens $1 sein'],
  [/^must be (\S+) or less$/, 'darf höchstens $1 sein'],
]
