/** Why a file store, a mail server, another server or a measure of the kernel fails, in German. */
const FILE_STORE: [english: RegExp, german: string][] = [
  [/^the file store does not answer$/, 'der Dateispeicher antwortet nicht'],
  [/^the file store does not answer \((\w+)\)$/, 'der Dateispeicher antwortet nicht ($1)'],
  [
    /^the file store does not answer \((\w+)\): trust the authority of its certificate by SSL_CERT_FILE$/,
    'der Dateispeicher antwortet nicht ($1): Nennen Sie die Zertifizierungsstelle seines Zertifikats in SSL_CERT_FILE',
  ],
  [/^the file store answers (\w+)$/, 'der Dateispeicher antwortet $1'],
  [/^the file store answers (\w+): (.*)$/, 'der Dateispeicher antwortet $1: $2'],
  [/^the connection to the file store ended$/, 'die Verbindung zum Dateispeicher brach ab'],
  [
    /^the bucket does not exist: create it, or correct its name$/,
    'Den Bucket gibt es nicht: Legen Sie ihn an, oder berichtigen Sie seinen Namen',
  ],
  [
    /^the access key lacks the right to do this: .*$/,
    'Dem Zugangsschlüssel fehlt das Recht dazu: Erlauben Sie ihm, Objekte zu lesen, abzulegen, zu löschen und aufzulisten',
  ],
  [/^the access key is unknown to the store: correct it$/, 'Der Speicher kennt den Zugangsschlüssel nicht: Berichtigen Sie ihn'],
  [
    /^the secret does not belong to the access key: correct it$/,
    'Das Geheimnis gehört nicht zum Zugangsschlüssel: Berichtigen Sie es',
  ],
  [
    /^the clock of this machine differs from that of the store: set it$/,
    'Die Uhr dieses Rechners weicht von der des Speichers ab: Stellen Sie sie',
  ],
  [
    /^the bucket is at another address or region: correct the URL$/,
    'Der Bucket liegt an einer anderen Adresse oder in einer anderen Region: Berichtigen Sie die URL',
  ],
  [/^the region is wrong: correct region= in the URL$/, 'Die Region ist falsch: Berichtigen Sie region= in der URL'],
]

const HOST = '([\\w.-]+(?::\\d+)?|\\[[0-9a-f:]+\\](?::\\d+)?)'
const ofHost = (english: string, german: string): [RegExp, string] => [new RegExp(`^${HOST} ${english}$`), `$1 ${german}`]
/** With the word of the system, which administrators search for. */
const called = (english: string, german: string): [RegExp, string] => ofHost(`${english} \\((\\w+)\\)`, `${german} ($2)`)

const SERVERS: [english: RegExp, german: string][] = [
  called('refused the connection', 'hat die Verbindung abgelehnt'),
  called('reset the connection', 'hat die Verbindung abgebrochen'),
  called('closed the connection while the request was sent', 'hat die Verbindung während der Anfrage geschlossen'),
  called('cannot be reached: no route to it', 'ist nicht erreichbar: kein Weg dorthin'),
  called('cannot be reached: the network is unreachable', 'ist nicht erreichbar: kein Netz'),
  called('cannot be reached: the connection timed out', 'ist nicht erreichbar: Zeitüberschreitung'),
  called('has a certificate for another name', 'hat ein Zertifikat für einen anderen Namen'),
  called('has a certificate that has expired', 'hat ein abgelaufenes Zertifikat'),
  called('has a self-signed certificate', 'hat ein selbst signiertes Zertifikat'),
  called('has a certificate from an unknown authority', 'hat ein Zertifikat einer unbekannten Zertifizierungsstelle'),
  called('could not be resolved', 'ließ sich nicht auflösen'),
  ofHost('closed the connection without an answer', 'hat die Verbindung ohne Antwort geschlossen'),
  ofHost('gave no answer within (\\S+ \\S+)', 'hat innerhalb von $2 nicht geantwortet'),
  ofHost('has no address', 'hat keine Adresse'),
]

const MAIL_SERVER = '^The mail server (\\S+:\\d+)'
const mail = (english: string, german: string): [RegExp, string] => [
  new RegExp(`${MAIL_SERVER} ${english}\\.?$`, 's'),
  `Der Mailserver $1 ${german}.`,
]

const MAIL_SERVERS: [english: RegExp, german: string][] = [
  [/^(The mail server \S+:\d+ .*\.) It said: (.*)$/s, '$1 Er sagte: $2'],
  mail('refused the sender: (.*)', 'hat den Absender abgelehnt: $2'),
  mail('refused the recipient: (.*)', 'hat den Empfänger abgelehnt: $2'),
  mail('refused the mail: (.*)', 'hat die E-Mail abgelehnt: $2'),
  mail('refused the connection: (.*)', 'hat die Verbindung abgelehnt: $2'),
  mail('refused the login; .*', 'hat die Anmeldung abgelehnt; prüfen Sie Benutzername und Passwort'),
  mail('refused the connection \\((\\w+)\\); .*', 'hat die Verbindung abgelehnt ($2); prüfen Sie Adresse und Port'),
  mail('could not be found: \\S+ does not resolve \\((\\w+)\\); .*', 'wurde nicht gefunden ($2); prüfen Sie die Adresse'),
  mail(
    'could not be reached within (\\S+ \\S+); .*',
    'war innerhalb von $2 nicht erreichbar; prüfen Sie Adresse, Port und Firewall',
  ),
  mail('did not answer within (\\S+ \\S+)', 'hat innerhalb von $2 nicht geantwortet'),
  mail('took longer than (\\S+ \\S+)', 'hat länger als $2 gebraucht'),
  mail(
    'sent no greeting within (\\S+ \\S+); .*',
    'hat sich innerhalb von $2 nicht gemeldet; prüfen Sie Port und Verschlüsselung',
  ),
  mail('closed the connection; .*', 'hat die Verbindung geschlossen; prüfen Sie Port und Verschlüsselung'),
  mail('does not begin with TLS on this port .*', 'beginnt an diesem Port nicht mit TLS; prüfen Sie Port und Verschlüsselung'),
  mail('offers no STARTTLS; .*', 'bietet kein STARTTLS an; prüfen Sie Port und Verschlüsselung'),
  mail('could not be used: (.*)', 'ließ sich nicht verwenden: $2'),
]

/** A measure alone, first in a list, and with a reason. */
const measure = (english: string, german: string): [RegExp, string][] => [
  [new RegExp(`^${english}$`), german],
  [new RegExp(`^${english}, (.*)$`), `${german}, $1`],
  [new RegExp(`^${english} \\((.*)\\)$`), `${german} ($1)`],
]

const CONFINEMENT: [english: RegExp, german: string][] = [
  ...measure('no new privileges', 'keine neuen Rechte'),
  ...measure('no network, no other programs', 'kein Netz, keine anderen Programme'),
  ...measure('no core dumps', 'keine Speicherabbilder'),
  ...measure('few and bounded files', 'wenige und begrenzte Dateien'),
  ...measure('ended with the service', 'Ende mit dem Dienst'),
  [/^the kernel accepted it without effect$/, 'der Kernel hat es ohne Wirkung angenommen'],
  [/^seccomp: thread \S+ has a filter of its own$/, 'seccomp: ein anderer Thread hat einen eigenen Filter'],
  [/^no system call filter is known for (\w+)$/, 'für $1 ist kein Filter der Systemaufrufe bekannt'],
  [/^libc\.so\.6 has no (.*)$/, 'in libc.so.6 fehlt $1'],
]

export const REASONS: [english: RegExp, german: string][] = [...FILE_STORE, ...SERVERS, ...MAIL_SERVERS, ...CONFINEMENT]
