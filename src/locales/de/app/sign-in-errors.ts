/** Refusals and errors of sign-in and second factor in German, found by their English text. */
export const SIGN_IN_ERRORS: [english: RegExp, german: string][] = [
  [
    /^You have (\d+) minutes to enter the code\. Please sign in again\.$/,
    'Für die Eingabe des Codes haben Sie $1 Minuten. Bitte melden Sie sich noch einmal an.',
  ],
  [/^is not right, or was used before$/, 'ist nicht richtig oder wurde schon verwendet'],
  [
    /^is not right: enter the code that your app shows now$/,
    'ist nicht richtig: Bitte geben Sie den Code ein, den Ihre App jetzt anzeigt',
  ],
  [
    /^Set up your own second factor first, under Profile\.$/,
    'Richten Sie zuerst unter „Profil“ Ihren eigenen zweiten Faktor ein.',
  ],
  [
    /^The code to scan was shown too long ago\. Please set up the app again\.$/,
    'Der Code zum Scannen wurde vor zu langer Zeit angezeigt. Bitte richten Sie die App noch einmal ein.',
  ],
  [/^No second factor is set up\.$/, 'Es ist kein zweiter Faktor eingerichtet.'],
  [/^This person has no second factor\.$/, 'Diese Person hat keinen zweiten Faktor.'],
  [
    /^Too many attempts from this address\. Please wait a minute\.$/,
    'Von dieser Adresse gab es zu viele Versuche. Bitte warten Sie eine Minute.',
  ],
  [
    /^Passkeys need an address with https and a host name, such as (\S+)\.$/,
    'Passkeys brauchen eine Adresse mit https und Hostnamen, zum Beispiel $1.',
  ],
  [
    /^The passkey could not be registered\. Please try again\.$/,
    'Der Passkey konnte nicht registriert werden. Bitte versuchen Sie es noch einmal.',
  ],
  [/^You have (\d+) passkeys\. Please remove one first\.$/, 'Sie haben $1 Passkeys. Bitte entfernen Sie zuerst einen.'],
  [
    /^The passkey was not accepted\. Please try again, or sign in with your password\.$/,
    'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  ],
  [
    /^The passkey was not accepted\. Please try again, or enter your password\.$/,
    'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal, oder geben Sie Ihr Passwort ein.',
  ],
  [
    /^The password was changed meanwhile\. Please sign in again\.$/,
    'Das Passwort wurde inzwischen geändert. Bitte melden Sie sich erneut an.',
  ],
  [/^This passkey was removed\.$/, 'Dieser Passkey wurde entfernt.'],
  [
    /^Please enter your password again before you add a passkey\.$/,
    'Bitte geben Sie Ihr Passwort noch einmal ein, bevor Sie einen Passkey hinzufügen.',
  ],
]
