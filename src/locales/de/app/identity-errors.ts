/** Refusals of the identity provider and of its settings in German, by their English text. */
const TELL = 'Bitte sagen Sie es der Administration.'
const AGAIN = 'Bitte beginnen Sie noch einmal.'

export const IDENTITY_ERRORS: [english: RegExp, german: string][] = [
  [/^No identity provider is set up for this service\.$/, 'Für diesen Dienst ist kein Identitätsanbieter eingerichtet.'],
  [
    /^This sign-in is no longer open: it was begun more than (\d+) minutes ago .*$/,
    `Diese Anmeldung ist nicht mehr offen: Sie wurde vor mehr als $1 Minuten oder in einem anderen Browser begonnen, oder sie wurde verwendet. ${AGAIN}`,
  ],
  [
    /^An administrator has changed the identity provider meanwhile\. .*$/,
    `Inzwischen wurde der Identitätsanbieter geändert. ${AGAIN}`,
  ],
  [
    /^You signed in at the identity provider as somebody else\. .*$/,
    'Sie haben sich beim Identitätsanbieter als jemand anderes angemeldet. Es wurde nichts bestätigt.',
  ],
  [
    /^The identity provider does not say when you signed in there\. .*$/,
    'Der Identitätsanbieter sagt nicht, wann Sie sich dort angemeldet haben. Bitte verwenden Sie einen Passkey oder Ihr Passwort.',
  ],
  [
    /^The identity provider did not ask you to sign in again\. .*$/,
    'Der Identitätsanbieter hat Sie nicht noch einmal nach der Anmeldung gefragt. Es wurde nichts bestätigt.',
  ],
  [
    /^The identity provider cannot be reached\. .*$/,
    'Der Identitätsanbieter ist nicht erreichbar. Bitte versuchen Sie es später, oder melden Sie sich auf anderem Weg an.',
  ],
  [/^The identity provider does not answer as one should\. .*$/, `Der Identitätsanbieter antwortet nicht wie erwartet. ${TELL}`],
  [
    /^The identity provider gives another name than .*$/,
    `Der Identitätsanbieter nennt einen anderen Namen als den, der hier eingetragen ist. ${TELL}`,
  ],
  [/^You cancelled the sign-in at the identity provider\.$/, 'Sie haben die Anmeldung beim Identitätsanbieter abgebrochen.'],
  [
    /^The identity provider refused the request of this service\. .*$/,
    `Der Identitätsanbieter hat die Anfrage dieses Dienstes abgelehnt. ${TELL}`,
  ],
  [
    /^The identity provider does not accept the client ID or secret .*$/,
    `Der Identitätsanbieter nimmt Client-ID oder Secret dieses Dienstes nicht an. ${TELL}`,
  ],
  [
    /^The identity provider no longer accepts this sign-in: .*$/,
    `Der Identitätsanbieter nimmt diese Anmeldung nicht mehr an: Sie hat zu lange gedauert oder wurde verwendet. ${AGAIN}`,
  ],
  [
    /^The response was refused: it comes from another identity provider .*$/,
    'Die Antwort wurde abgelehnt: Sie kommt von einem anderen Identitätsanbieter als dem gefragten.',
  ],
  [
    /^The response was refused: another identity provider has issued it\. .*$/,
    `Die Antwort wurde abgelehnt: Ein anderer Identitätsanbieter hat sie ausgestellt. ${TELL}`,
  ],
  [
    /^The response was refused: it is meant for another service\. .*$/,
    `Die Antwort wurde abgelehnt: Sie ist für einen anderen Dienst bestimmt. ${TELL}`,
  ],
  [
    /^The response was refused: it belongs to another sign-in\. .*$/,
    `Die Antwort wurde abgelehnt: Sie gehört zu einer anderen Anmeldung. ${AGAIN}`,
  ],
  [
    /^The response was refused: it has expired or is not valid yet\. .*$/,
    `Die Antwort wurde abgelehnt: Sie ist abgelaufen oder noch nicht gültig. ${AGAIN} Hilft das nicht, geht eine Uhr falsch.`,
  ],
  [
    /^The response was refused: it is not signed with a key .*$/,
    `Die Antwort wurde abgelehnt: Sie ist nicht mit einem Schlüssel des Identitätsanbieters signiert. ${TELL}`,
  ],
  [
    /^The response of the identity provider was refused: .*$/,
    `Die Antwort des Identitätsanbieters wurde abgelehnt: Sie entspricht nicht dem Standard. ${TELL}`,
  ],
  [
    /^The identity provider gives no e-mail address for you\. .*$/,
    `Der Identitätsanbieter nennt keine E-Mail-Adresse von Ihnen. ${TELL}`,
  ],
  [
    /^The identity provider does not say that the address (.+) was verified as yours\.$/,
    'Der Identitätsanbieter sagt nicht, dass die Adresse $1 als Ihre bestätigt wurde.',
  ],
  [
    /^Addresses like (.+) may not sign in here by the identity provider\.$/,
    'Mit Adressen wie $1 ist hier keine Anmeldung über den Identitätsanbieter erlaubt.',
  ],
  [
    /^The account with the address (.+) is linked to another account at the identity provider\. .*$/,
    `Das Konto mit der Adresse $1 ist mit einem anderen Konto beim Identitätsanbieter verknüpft. ${TELL}`,
  ],
  [
    /^There is an account with the address (.+), which is not linked yet: .*$/,
    'Es gibt ein Konto mit der Adresse $1, das noch nicht verknüpft ist: Melden Sie sich wie bisher an, und verknüpfen Sie es unter „Profil“.',
  ],
  [
    /^There is no account for (.+)\. Please ask an administrator of this service to invite you\.$/,
    'Es gibt kein Konto für $1. Bitten Sie die Administration dieses Dienstes um eine Einladung.',
  ],
  [
    /^There is an invitation for (.+): please open the link in it, or ask for a new one\.$/,
    'Es gibt eine Einladung für $1: Öffnen Sie den Link darin, oder bitten Sie um eine neue.',
  ],
  [
    /^The identity provider gives you no role in this service\. .*$/,
    'Der Identitätsanbieter gibt Ihnen keine Rolle in diesem Dienst. Bitte fragen Sie die Administration.',
  ],
  [/^This account was removed\.$/, 'Dieses Konto wurde entfernt.'],
  [
    /^Your account at the identity provider is linked to another person here\.$/,
    'Ihr Konto beim Identitätsanbieter ist hier mit einer anderen Person verknüpft.',
  ],
  [
    /^You are linked to another account at the identity provider: .*$/,
    'Sie sind mit einem anderen Konto beim Identitätsanbieter verknüpft: Lösen Sie zuerst diese Verknüpfung.',
  ],
  [/^Your account is not linked to the identity provider\.$/, 'Ihr Konto ist nicht mit dem Identitätsanbieter verknüpft.'],
  [
    /^This is your only way to sign in\. Set a password first: .*$/,
    'Das ist Ihr einziger Weg zur Anmeldung. Legen Sie zuerst ein Passwort fest: Melden Sie sich ab, und folgen Sie „Passwort vergessen?“.',
  ],
  [
    /^You were signed out meanwhile\. Please sign in, and start again\.$/,
    `Sie wurden inzwischen abgemeldet. Bitte melden Sie sich an. ${AGAIN}`,
  ],
  [/^Please confirm first that it is you\.$/, 'Bitte bestätigen Sie zuerst, dass Sie es sind.'],
  [/^must be an address such as (https:\/\/login\S+)$/, 'muss eine Adresse sein, zum Beispiel $1'],
  [/^must begin with https:\/\/$/, 'muss mit https:// beginnen'],
  [/^must be an address without login, \? and #$/, 'muss eine Adresse ohne Anmeldung, ? und # sein'],
  [/^must be one line$/, 'muss eine einzige Zeile sein'],
  [/^must be domains such as (\S+), separated by commas$/, 'müssen Domains sein, zum Beispiel $1, durch Kommas getrennt'],
  [/^must be scopes, separated by spaces$/, 'müssen Scopes sein, durch Leerzeichen getrennt'],
  [/^must be entered$/, 'muss eingetragen werden'],
  [/^must be entered for this provider and client ID$/, 'muss für diesen Anbieter und diese Client-ID eingetragen werden'],
  [/^must be entered for what is chosen below$/, 'müssen für das eingetragen werden, was darunter gewählt ist'],
  [/^must be entered, or all its values removed$/, 'muss eingetragen werden, oder alle seine Werte müssen weg'],
  [
    /^must be entered for at least one role, or the claim removed$/,
    'müssen für mindestens eine Rolle eingetragen werden, oder der Claim muss weg',
  ],
]
