/** Refusals of the members of fields in German, by their English text. */

export const FIELD_ERRORS: [english: RegExp, german: string][] = [
  [
    /^is used by another field of the document: give each field a name of its own$/,
    'gehört schon zu einem anderen Feld des Dokuments: Jedes Feld braucht einen eigenen Namen',
  ],
  [/^must be the name of a field of this document$/, 'muss der Name eines Feldes dieses Dokuments sein'],
  [
    /^must name a checkbox, a dropdown, a radio, a text or a number field$/,
    'muss ein Kästchen, eine Auswahl, einen Text oder eine Zahl nennen',
  ],
  [/^must be a value that the named field can have$/, 'muss ein Wert sein, den das genannte Feld haben kann'],
  [
    /^must name a field of the same recipient, of the sender, a read-only field, or one of a recipient who signs earlier: .*$/,
    'muss ein Feld derselben Person, des Absenders, ein festes Feld oder eines von jemandem nennen, der früher unterschreibt: Sein Wert muss bekannt sein',
  ],
  [/^must not depend on itself through other conditions$/, 'darf nicht über andere Bedingungen von sich selbst abhängen'],
  [
    /^must name a field whose value is known by then, and a value that it can have$/,
    'muss ein Feld nennen, dessen Wert dann bekannt ist, und einen Wert, den es haben kann',
  ],
  [/^must list the choices(?: of the \w+)?$/, 'braucht mindestens eine Auswahlmöglichkeit'],
  [/^must not be less than min$/, 'darf nicht kleiner als der kleinste Wert sein'],
  [/^is not for \w+ fields: each option has its box$/, 'passt nicht zu dieser Art von Feld: Jede Möglichkeit hat ihr Kästchen'],
  [/^must be an object with value, page, x, y, width and height$/, 'braucht einen Wert und einen Platz auf einer Seite'],
  [
    /^must be a text: only the options of a radio have a box$/,
    'muss ein Text sein: Nur bei der Einfachauswahl hat jede Möglichkeit ein Kästchen',
  ],
  [/^is used twice: give each option a value of its own$/, 'kommt zweimal vor: Jede Möglichkeit braucht einen eigenen Wert'],
]
