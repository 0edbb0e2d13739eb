/** Refusals about people and invitations in German, by their English text. `$1` is a part of it. */
export const PEOPLE_ERRORS: [english: RegExp, german: string][] = [
  [
    /^This account is disabled\. Ask an administrator of this service to enable it again\.$/,
    'Dieses Konto ist gesperrt. Bitte wenden Sie sich an die Administration dieses Dienstes.',
  ],
  [
    /^(.*) is the only active administrator: .*$/,
    '$1 ist die einzige aktive Person der Administration: Geben Sie zuerst einer anderen Person diese Rolle.',
  ],
  [
    /^You cannot disable your own account: .*$/,
    'Ihr eigenes Konto können Sie nicht sperren: Bitten Sie eine andere Person der Administration darum.',
  ],
  [
    /^You cannot remove your own account: .*$/,
    'Ihr eigenes Konto können Sie nicht entfernen: Bitten Sie eine andere Person der Administration darum.',
  ],
  [
    /^Documents, templates or webhooks belong to (.*): .*$/,
    '$1 gehören noch Dokumente, Vorlagen oder Webhooks: Übergeben Sie diese zuerst, oder sperren Sie das Konto.',
  ],
  [
    /^The account with the address (\S+) is disabled: .*$/,
    'Das Konto mit der Adresse $1 ist gesperrt: Die Administration kann es unter Einstellungen → Personen entsperren.',
  ],
  [/^There is no account of this person\.$/, 'Diese Person hat kein Konto.'],
  [/^Only a person can invite others\.$/, 'Nur eine Person kann andere einladen.'],
  [/^This invitation was accepted or withdrawn\.$/, 'Diese Einladung wurde angenommen oder zurückgezogen.'],
  [
    /^This invitation was used, was withdrawn, .*$/,
    'Diese Einladung wurde verwendet, zurückgezogen oder durch eine neuere ersetzt, oder sie ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  ],
  [
    /^There is already an account with the address (\S+): sign in\.$/,
    'Zur Adresse $1 gibt es bereits ein Konto: Bitte melden Sie sich an.',
  ],
  [/^has been invited already: send that invitation again$/, 'ist bereits eingeladen: Bitte senden Sie diese Einladung erneut'],
  [/^may not contain (.*): auditors only read$/, 'dürfen $1 nicht enthalten: In dieser Rolle wird nur gelesen'],
  [/^is the present address already$/, 'ist schon die jetzige Adresse'],
  [/^has an open invitation, which must be withdrawn first$/, 'hat eine offene Einladung, die zuerst zurückgezogen werden muss'],
  [
    /^An address can be changed (\d+) times a day\. Please try again tomorrow\.$/,
    'Eine Adresse lässt sich $1-mal am Tag ändern. Bitte versuchen Sie es morgen wieder.',
  ],
  [
    /^This link was used, was replaced by a newer one, or has expired\. Nothing was changed by it\.$/,
    'Dieser Link wurde verwendet, durch einen neueren ersetzt oder ist abgelaufen. Er hat nichts geändert.',
  ],
  [
    /^The address (\S+) belongs to another account or invitation now\. Nothing was changed\.$/,
    'Die Adresse $1 gehört inzwischen zu einem anderen Konto oder einer Einladung. Es wurde nichts geändert.',
  ],
]
