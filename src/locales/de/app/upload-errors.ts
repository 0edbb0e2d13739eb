/** Refusals of uploaded PDFs in German, by their English text. `$1` is a part of it. */
export const UPLOAD_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The files? (?:is|are together) larger than the (\d+) bytes accepted(?: here)?\.$/,
    'Mehr als $1 Byte werden hier nicht angenommen. Verkleinern Sie die Datei, zum Beispiel durch Scannen mit geringerer Auflösung.',
  ],
  [
    /^The service is busy at the moment\. Please try again in a few seconds\.$/,
    'Der Dienst ist gerade ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut.',
  ],
]
