/** Refusals of templates in German, by their English text. `$1` is a part of it. */
export const TEMPLATE_ERRORS: [english: RegExp, german: string][] = [
  [/^Template not found\.$/, 'Die Vorlage wurde nicht gefunden.'],
  [
    /^Only its owner and administrators change this template: .*$/,
    'Diese Vorlage ändern nur die Besitzerin oder der Besitzer und die Administration: Duplizieren Sie sie für eine eigene.',
  ],
  [
    /^The template is not finished: .*$/,
    'Die Vorlage ist nicht fertig: Beheben Sie, was die Einzelheiten nennen, und verwenden Sie sie dann.',
  ],
  [
    /^The template and the document have changed: .*$/,
    'Vorlage und Dokument wurden geändert: Ändern Sie das Dokument auf seinen eigenen Seiten.',
  ],
]
