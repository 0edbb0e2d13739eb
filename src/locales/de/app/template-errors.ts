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
  [/^is not for templates: give expiresInDays, .*$/, 'gilt nicht für Vorlagen: Geben Sie eine Zahl von Tagen ab dem Senden an'],
  [/^is not for roles: .*$/, 'gilt nicht für Rollen: Es wird beim Verwenden der Vorlage angegeben'],
  [/^is the name of another role already: .*$/, 'ist schon der Name einer anderen Rolle: Geben Sie jeder Rolle einen eigenen'],
  [/^must be a role of the template: (.*)$/, 'muss eine Rolle der Vorlage sein: $1'],
  [/^has a person already: .*$/, 'ist schon besetzt: Nennen Sie jede Rolle einmal'],
  [/^must name a person for the role (.*)$/, 'braucht eine Person für die Rolle $1'],
  [
    /^would have more than (\d+) characters with these values: .*$/,
    'hätte mit diesen Werten mehr als $1 Zeichen: Geben Sie einen kürzeren an',
  ],
  [
    /^is not the name of a field that takes a value: there is none$/,
    'ist nicht der Name eines Feldes, das einen Wert annimmt: Es gibt keines',
  ],
  [
    /^is not the name of a field that takes a value: there are (.*) and others$/,
    'ist nicht der Name eines Feldes, das einen Wert annimmt: Es gibt $1 und andere',
  ],
  [
    /^is not the name of a field that takes a value: (?:there are )?(.*)$/,
    'ist nicht der Name eines Feldes, das einen Wert annimmt: Es gibt $1',
  ],
  [
    /^is the label of (\d+) fields: .*$/,
    'ist die Beschriftung von $1 Feldern: Geben Sie jedem in der Vorlage einen eigenen Namen',
  ],
  [/^is the same field as (.*): give one value$/, 'ist dasselbe Feld wie $1: Geben Sie einen Wert an'],
  [
    /^must be left out: recipients cannot change the fields of the sender$/,
    'muss wegbleiben: Felder der absendenden Person ändern die Empfänger nicht',
  ],
  [
    /^must be given: the recipient cannot enter it$/,
    'muss angegeben werden: Die Empfängerin oder der Empfänger kann es nicht eingeben',
  ],
  [
    /^is on page (\d+), which the new PDF does not have: .*$/,
    'liegt auf Seite $1, die das neue PDF nicht hat: Verschieben Sie das Feld zuerst, oder lassen Sie es entfernen',
  ],
]
