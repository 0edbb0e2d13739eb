/** Refusals of uploaded PDFs in German, by their English text. `$1` is a part of it. */
export const UPLOAD_ERRORS: [english: RegExp, german: string][] = [
  [/^This file is not a PDF; choose a PDF file\.$/, 'Diese Datei ist kein PDF. Wählen Sie eine PDF-Datei aus.'],
  [
    /^Page (\d+) measures ([\d. ×]+) points; print the PDF on pages with sides of (\d+) to (\d+) points\.$/,
    'Seite $1 misst $2 Punkt. Drucken Sie das PDF auf Seiten mit Kantenlängen von $3 bis $4 Punkt.',
  ],
  [
    /^This PDF has (\d+) pages, but may have at most (\d+); split it into smaller documents\.$/,
    'Dieses PDF hat $1 Seiten, erlaubt sind höchstens $2. Teilen Sie es in kleinere Dokumente.',
  ],
  [
    /^This PDF cannot be (?:sealed|processed).*$/s,
    'Dieses PDF lässt sich nicht verarbeiten. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
  ],
  [
    /^This PDF can only be opened with a password; remove the password and upload it again\.$/,
    'Dieses PDF lässt sich nur mit einem Passwort öffnen. Entfernen Sie das Passwort und laden Sie die Datei erneut hoch.',
  ],
  [
    /^This PDF is protected against changes; remove the protection and upload it again\.$/,
    'Dieses PDF ist gegen Änderungen geschützt. Entfernen Sie den Schutz und laden Sie die Datei erneut hoch.',
  ],
  [
    /^This PDF is encrypted in a way that cannot be read; save it without encryption and upload it again\.$/,
    'Dieses PDF ist so verschlüsselt, dass es nicht gelesen werden kann. Speichern Sie es ohne Verschlüsselung und laden Sie es erneut hoch.',
  ],
  [
    /^This PDF is damaged or incomplete and cannot be repaired; create it again, or print it to a new PDF\.$/,
    'Dieses PDF ist beschädigt oder unvollständig und lässt sich nicht reparieren. Erstellen Sie es neu oder drucken Sie es in ein neues PDF.',
  ],
  [
    /^This PDF already has a digital signature, which signing here would invalidate; upload a version without signatures\.$/,
    'Dieses PDF hat bereits eine digitale Signatur, die durch das Unterschreiben hier ungültig würde. Laden Sie eine Fassung ohne Signaturen hoch.',
  ],
  [
    /^This PDF is a dynamic XFA form, which only some readers can show; print it to a new PDF and upload that one\.$/,
    'Dieses PDF ist ein dynamisches XFA-Formular, das nur manche Programme anzeigen. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
  ],
  [
    /^This PDF takes parts of its pages from other files; save it with all content included, or print it to a new PDF\.$/,
    'Dieses PDF holt Teile seiner Seiten aus anderen Dateien. Speichern Sie es mit allen Inhalten oder drucken Sie es in ein neues PDF.',
  ],
  [
    /^This PDF has no pages; choose a PDF with at least one page\.$/,
    'Dieses PDF hat keine Seiten. Wählen Sie ein PDF mit mindestens einer Seite.',
  ],
  [
    /^The files? (?:is|are together) larger than the (\d+) bytes accepted(?: here)?\.$/,
    'Mehr als $1 Byte werden hier nicht angenommen. Verkleinern Sie die Datei, zum Beispiel durch Scannen mit geringerer Auflösung.',
  ],
  [
    /^The files together have more than (\d+) pages; send fewer files\.$/,
    'Die Dateien haben zusammen mehr als $1 Seiten. Senden Sie weniger Dateien.',
  ],
  [
    /^This PDF cannot be joined.*$/s,
    'Dieses PDF lässt sich nicht mit anderen verbinden. Drucken Sie es in ein neues PDF und laden Sie dieses hoch.',
  ],
  [/^These files cannot be joined.*$/s, 'Diese Dateien lassen sich nicht verbinden. Senden Sie weniger Dateien.'],
  [
    /^The service is busy at the moment\. Please try again in a few seconds\.$/,
    'Der Dienst ist gerade ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut.',
  ],
]
