/** Refusals of accounts, of requests and of the machine in German, by their English text. */
import { FEATURE_NAMES, type Feature, upgradeUnfinished } from '../../../core/feature.ts'
import { ENGLISH } from '../../../core/message.ts'
import { messages } from '../messages.ts'

const AGAIN = 'Bitte versuchen Sie es in einigen Sekunden noch einmal.'

export const SERVICE_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The clock still shows (.*? UTC): .*$/,
    'Die Uhr zeigt noch immer $1: Stellen Sie sie zuerst richtig, oder sagen Sie, dass sie richtig geht.',
  ],
  [/^Say whether the clock is right, or was corrected\.$/, 'Bitte sagen Sie, ob die Uhr richtig geht oder gestellt wurde.'],
  [/^There is no work of this kind\.$/, 'Arbeit dieser Art gibt es nicht.'],
  ...unfinishedUpgrade({
    approvalWithoutMark: 'Eine Zustimmung ohne Unterschriftsfeld ist',
    sharedAddress: 'Eine gemeinsame Adresse zweier Unterzeichnender ist',
    signNow: '„Jetzt unterschreiben“ ist hier',
    sessionEnd: 'Das Ende der Sitzung mit der Unterschrift ist',
  }),
  [
    /^The node (\S+) serves with version (\S+): replace its executable first\.$/,
    'Der Knoten $1 läuft mit Version $2: Bitte ersetzen Sie zuerst dort das Programm.',
  ],
  ...sharedWithSigners(),
  [/^Please sign in\.$/, 'Bitte melden Sie sich an.'],
  [
    /^Too many failed sign-ins\. Please wait 1 second\.$/,
    'Die Anmeldung ist zu oft fehlgeschlagen. Bitte warten Sie eine Sekunde.',
  ],
  [
    /^Too many failed sign-ins\. Please wait (\d+) seconds\.$/,
    'Die Anmeldung ist zu oft fehlgeschlagen. Bitte warten Sie $1 Sekunden.',
  ],
  [
    /^Too many failed sign-ins\. Please wait (\d+) minutes\.$/,
    'Die Anmeldung ist zu oft fehlgeschlagen. Bitte warten Sie $1 Minuten.',
  ],
  [
    /^This service is already set up: sign in at (\S+)\. If you forgot the password, run signet admin reset on the server\.$/,
    'Dieser Dienst ist schon eingerichtet: Melden Sie sich unter $1 an. Wenn Sie das Passwort vergessen haben, führen Sie auf dem Server „signet admin reset“ aus.',
  ],
  [
    /^This set-up link has expired or was replaced by a newer one\. Restart signet serve: it prints a new one\.$/,
    'Dieser Link ist abgelaufen oder wurde durch einen neueren ersetzt. Starten Sie „signet serve“ neu: Dabei wird ein neuer ausgegeben.',
  ],
  [
    /^This link was used, was replaced by a newer one, or has expired\. Ask for a new one on the sign-in page, or run signet admin reset again\.$/,
    'Dieser Link wurde schon verwendet, durch einen neueren ersetzt oder ist abgelaufen. Fordern Sie auf der Anmeldeseite einen neuen an, oder führen Sie „signet admin reset“ noch einmal aus.',
  ],
  [
    /^There is no account with the address (\S+): check it for typing errors\.$/,
    'Es gibt kein Konto mit der Adresse $1: Bitte prüfen Sie sie auf Tippfehler.',
  ],
  [/^Only a person has contacts\.$/, 'Nur Personen haben Kontakte.'],
  [/^Contact not found\.$/, 'Der Kontakt wurde nicht gefunden.'],
  [/^There is no such authority here\.$/, 'Diese Zertifizierungsstelle gibt es hier nicht.'],
  [/^There is no seal certificate yet\.$/, 'Es gibt noch kein Siegelzertifikat.'],

  [/^Too many pages are open: .*$/, 'Es sind zu viele Seiten geöffnet: Diese aktualisiert sich nicht von selbst.'],
  [/^Too many (?:large )?requests at once: .*$/, `Es gab zu viele Anfragen auf einmal. ${AGAIN}`],
  [
    /^The request body arrived too slowly: .*$/,
    'Die Übertragung war zu langsam: Bitte versuchen Sie es über eine schnellere Verbindung noch einmal.',
  ],
  [
    /^The connection ended before the whole request body had arrived\.$/,
    'Die Verbindung ist vor dem Ende der Übertragung abgebrochen. Bitte versuchen Sie es noch einmal.',
  ],
  [
    /^The request body (?:\S+ )?is larger than the (\d+) bytes accepted(?: here)?\.$/,
    'Mehr als $1 Byte werden hier nicht angenommen.',
  ],
  [
    /^The form has more than the (\d+) bytes accepted besides its files\.$/,
    'Das Formular enthält zu viel Text: Ohne Dateien werden höchstens $1 Byte angenommen.',
  ],
  [
    /^The form has too many fields: please send it again\.$/,
    'Das Formular hat zu viele Felder: Bitte senden Sie es noch einmal.',
  ],
  [
    /^The form could not be read: please send it again\.$/,
    'Das Formular konnte nicht gelesen werden: Bitte senden Sie es noch einmal.',
  ],
  [/^The service is shutting down: .*$/, `Der Dienst wird gerade beendet. ${AGAIN}`],
  [
    /^The disk of this service is nearly full: no files are accepted until its administrator has freed space\.$/,
    'Der Datenträger dieses Dienstes ist fast voll: Dateien werden erst wieder angenommen, wenn die Administration Platz geschaffen hat.',
  ],
  [
    /^This form was not sent to our own address: please open (\S+)\.$/,
    'Dieses Formular wurde nicht an unsere eigene Adresse gesendet: Bitte öffnen Sie $1.',
  ],
  [
    /^This service is reached at (\S+), not under the name your browser asked for\.$/,
    'Dieser Dienst ist unter $1 erreichbar, nicht unter dem Namen, den Ihr Browser verwendet hat.',
  ],
  [/^Another address$/, 'Andere Adresse'],
  [/^Go to (\S+)$/, 'Zu $1'],
  [
    /^For the administrator of a proxy: .*$/,
    'Für die Administration eines Proxys: Geben Sie den Hostnamen der Anfrage in Host weiter, oder in X-Forwarded-Host von einer Adresse aus SIGNET_TRUST_PROXY.',
  ],
  [
    /^The stored file is damaged or missing, so it was not sent\. .* Request ID (\S+)\.$/,
    'Die gespeicherte Datei ist beschädigt oder fehlt und wurde daher nicht gesendet. Die Administration kann sie aus einer Sicherung einspielen. Anfragenummer: $1.',
  ],
  [/^(.*)\. Details list the first (\d+) errors; at least (\d+) more exist\.$/s, '$1. Es gibt mindestens $3 weitere Fehler.'],
  [/^edit: must be valid JSON\.$/, 'Die Änderung konnte nicht gelesen werden. Bitte laden Sie die Seite neu.'],
  [/^Send the body (?:as|without) .*$/, 'Diese Art der Übertragung wird hier nicht angenommen.'],
  [/^The input does not fit the schema\.$/, 'Die Eingabe hat nicht die erwartete Form.'],
  [/^(\S+) is not allowed here\. Allowed: .*$/, 'Diese Adresse lässt sich so nicht aufrufen ($1).'],
  [/^must be of type .*$/, 'hat nicht die erwartete Form'],

  [/^it takes too long to read$/, 'Das Lesen dauert zu lange'],
  [/^it needs too much memory$/, 'Es braucht zu viel Arbeitsspeicher'],
  [/^reading it ended the reader$/, 'Das Leseprogramm ist daran gescheitert'],
  [/^the machine is too busy to read it$/, 'Der Server ist zu ausgelastet, um es zu lesen'],
  [/^the reader was ended from outside$/, 'Das Leseprogramm wurde von außen beendet'],
  [/^the reader could not be started$/, 'Das Leseprogramm ließ sich nicht starten'],
  [/^no time-stamp authority is configured$/, 'Es ist kein Zeitstempeldienst eingerichtet'],
  [/^(\S+) could not be reached: (.*)$/s, '$1 ist nicht erreichbar ($2)'],
  [/^(\S+) answered (\d+)$/, '$1 hat mit $2 geantwortet'],
  [/^(\S+) gave no token \((.*)\)$/s, '$1 hat keinen Zeitstempel ausgestellt ($2)'],
  [/^(\S+) sent an invalid response: (.*)$/s, '$1 hat eine ungültige Antwort gesendet ($2)'],
  [/^The key is neither an RSA nor an ECDSA key\.$/, 'Der Schlüssel ist weder ein RSA- noch ein ECDSA-Schlüssel.'],
  [/^The private key does not belong to the certificate\.$/, 'Der private Schlüssel gehört nicht zum Zertifikat.'],
  [
    /^The file requires more than ten million rounds of key derivation\.$/,
    'Die Datei verlangt mehr als zehn Millionen Durchläufe der Schlüsselableitung.',
  ],
]

/** The messages to recipients that name nothing; some of them also appear on the other pages. */
function sharedWithSigners(): [RegExp, string][] {
  const keys = Object.keys(ENGLISH) as (keyof typeof ENGLISH)[]
  return keys
    .filter(key => ENGLISH[key].length === 0)
    .map(key => {
      const [english, german] = [ENGLISH, messages].map(each => (each[key] as () => string)())
      return [new RegExp(`^${RegExp.escape(english ?? '')}$`), german ?? '']
    })
}

/** The last one: of a feature that has no German name yet. */
function unfinishedUpgrade(subjects: Record<Feature, string>): [RegExp, string][] {
  const sentence = (subject: string) =>
    `${subject} erst möglich, wenn das Upgrade abgeschlossen ist, weil Knoten mit der Version davor das nicht beachten würden: Bitte wenden Sie sich an die Administration (Einstellungen → Zustand).`
  return [
    ...FEATURE_NAMES.map((feature): [RegExp, string] => [
      new RegExp(`^${RegExp.escape(upgradeUnfinished(feature).message)}$`),
      sentence(subjects[feature]),
    ]),
    [
      /^.+ can be used when the upgrade is finished, because nodes of the release before would ignore it: ask an administrator \(Settings → Health\)\.$/,
      sentence('Das ist'),
    ],
  ]
}
