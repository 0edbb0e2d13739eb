/** Errors in the format of signatures and key files in German, by their English text. */

const NOT_VERIFIED = 'die nicht geprüft werden'
const LIKE_SIGNET = 'anders als in Siegeln von Signet'

export const FORMAT_ERRORS: [english: RegExp, german: string][] = [
  [/^The certificate (.*) has expired on (\S+)\.$/s, 'Das Zertifikat $1 ist am $2 abgelaufen.'],
  [/^The certificate (.*) is not valid before (\S+)\.$/s, 'Das Zertifikat $1 ist erst ab $2 gültig.'],
  [
    /^The key usage of (.*) does not allow signing \(neither digitalSignature nor nonRepudiation\)\.$/s,
    'Die Schlüsselverwendung von $1 erlaubt es nicht zu siegeln (weder digitalSignature noch nonRepudiation).',
  ],
  [/^The private key in the file cannot seal: (.*)\.$/s, 'Mit dem privaten Schlüssel der Datei lässt sich nicht siegeln: $1.'],
  [/^The encryption of the file is not supported \((.*)\)\.$/s, 'Die Verschlüsselung der Datei wird nicht unterstützt ($1).'],
  [
    /^The key derivation of the file is not supported \((.*)\)\.$/s,
    'Die Schlüsselableitung der Datei wird nicht unterstützt ($1).',
  ],
  [/^The MAC algorithm of the file is not supported \((.*)\)\.$/s, 'Das MAC-Verfahren der Datei wird nicht unterstützt ($1).'],

  [/^The digest algorithm is not supported \((.*)\)\.?$/s, 'Das Hash-Verfahren wird nicht unterstützt ($1).'],
  [/^The signature algorithm is not supported \((.*)\)\.?$/s, 'Das Signaturverfahren wird nicht unterstützt ($1).'],
  [
    /^The (?:digest|signature) algorithm has parameters that are not supported \((.*)\)\.?$/s,
    'Die Parameter des Verfahrens werden nicht unterstützt ($1).',
  ],
  [
    /^The check of the changes after the signature takes more than (\d+) s of processor time\.$/,
    'Die Prüfung der Änderungen nach der Unterschrift dauert länger als $1 s.',
  ],
  [
    /^The algorithms differ from those of the signature \(CMSAlgorithmProtection\)\.$/,
    'Die Verfahren sind nicht die der Unterschrift (CMSAlgorithmProtection).',
  ],
  [/^The signed attribute ([\w-]+) is missing\.$/, 'Das signierte Attribut $1 fehlt.'],
  [
    /^The signed attribute signing-certificate names a different certificate from the one used\.$/,
    'Das signierte Attribut signing-certificate nennt ein anderes Zertifikat als das verwendete.',
  ],
  [/^The signed attributes are not in DER order .*$/, 'Die signierten Attribute stehen nicht in der Reihenfolge von DER.'],
  [/^There are no signed attributes, which PAdES requires\.$/, 'Die von PAdES verlangten signierten Attribute fehlen.'],
  [
    /^The CMS is not encoded in DER, unlike in seals by Signet\.$/,
    `Die Daten der Unterschrift (CMS) sind nicht in DER codiert, ${LIKE_SIGNET}.`,
  ],
  [
    /^Something other than zeros follows the CMS in \/Contents\.$/,
    'Auf die Daten der Unterschrift (CMS) folgt in /Contents etwas anderes als Nullen.',
  ],
  [
    /^The CMS has unsigned attributes, which are not verified\.$/,
    `Die Daten der Unterschrift (CMS) enthalten Attribute ohne Unterschrift, ${NOT_VERIFIED}.`,
  ],
  [
    /^The CMS has more than one time-stamp of its signature\.$/,
    'Die Daten der Unterschrift (CMS) enthalten mehr als einen Zeitstempel.',
  ],
  [
    /^The CMS contains revocation lists, which are not verified\.$/,
    `Die Daten der Unterschrift (CMS) enthalten Sperrlisten, ${NOT_VERIFIED}.`,
  ],
  [
    /^A certificate in the (?:CMS|token) cannot be read: (.*)\.$/s,
    'Ein Zertifikat der Unterschrift oder des Zeitstempels lässt sich nicht lesen: $1.',
  ],
  [
    /^The \/DSS contains a revocation list of (.*), which no known certificate has signed\.$/s,
    'Das DSS enthält eine Sperrliste von $1, die von keinem bekannten Zertifikat signiert ist.',
  ],
  [/^The \/DSS refers to (\d+) objects that cannot be read\.$/, 'Das DSS verweist auf $1 Objekte, die sich nicht lesen lassen.'],
  [/^\/(ByteRange|Contents) is missing\.$/, '/$1 fehlt.'],
  [
    /^The bytes that \/ByteRange leaves out are not exactly the \/Contents of its signature dictionary\.$/,
    'Der von /ByteRange ausgelassene Teil ist nicht genau /Contents der Unterschrift.',
  ],
  [/^\/Contents holds something other than hexadecimal digits\.$/, '/Contents enthält etwas anderes als Hexadezimalziffern.'],
  [
    /^\/Contents mixes upper-case and lower-case digits: it was changed after it was written\.$/,
    '/Contents mischt Groß- und Kleinbuchstaben: Es wurde nachträglich verändert.',
  ],
  [/^\/Contents is not written in lower-case digits, .*$/, `/Contents ist nicht in Kleinbuchstaben geschrieben, ${LIKE_SIGNET}.`],
  [/^The signature dictionary cannot be read: (.*)\.$/s, 'Die Unterschrift lässt sich nicht lesen: $1.'],
  [/^The (signature dictionary|catalog|AcroForm) has the key (\/.*) twice\.$/s, 'Der Schlüssel $2 ist doppelt vorhanden ($1).'],
  [
    /^The signature type (\S+) is not supported(?:: it signs with SHA-1, .*)?\.$/s,
    'Die Art der Unterschrift ($1) wird nicht unterstützt.',
  ],
  [
    /^The signed bytes do not end at the end of a revision \(%%EOF\)\.$/,
    'Der signierte Teil endet nicht am Ende einer Fassung (%%EOF).',
  ],
  [
    /^The form of the signed revision does not contain this signature\.$/,
    'Das Formular der signierten Fassung enthält diese Unterschrift nicht.',
  ],
  [/^The signed bytes by themselves are not a PDF: (.*)\.$/s, 'Der signierte Teil ist für sich allein kein PDF: $1.'],
  [/^The signature claims no time \(\/M\), unlike seals by Signet\.$/, `Die Unterschrift nennt keine Zeit (/M), ${LIKE_SIGNET}.`],
  [/^The file has no page; .*$/, 'Die Datei hat keine Seite. Programme, die sie reparieren, könnten dennoch welche zeigen.'],
  [
    /^Object (\d+) of a signed revision or of the newest one cannot be read\.$/,
    'Objekt $1 der signierten oder der neuesten Fassung lässt sich nicht lesen.',
  ],
  [
    /^Object (\d+) is a signature dictionary that no signature field of the form refers to\.$/,
    'Objekt $1 ist eine Unterschrift, auf die kein Unterschriftsfeld verweist.',
  ],
  [
    /^The pages cannot be read, unlike those of a file sealed by Signet: (.*)\.$/s,
    'Die Seiten lassen sich nicht lesen, anders als in einer von Signet gesiegelten Datei: $1.',
  ],
  [
    /^Two signature fields have the same signature dictionary as their value\.$/,
    'Zwei Unterschriftsfelder haben dieselbe Unterschrift als Wert.',
  ],
  [/^The token is not encoded in DER\.$/, 'Der Zeitstempel ist nicht in DER codiert.'],
  [
    /^The token has unsigned attributes, which are not verified\.$/,
    `Der Zeitstempel enthält Attribute ohne Unterschrift, ${NOT_VERIFIED}.`,
  ],
  [/^The token contains revocation lists, which are not verified\.$/, `Der Zeitstempel enthält Sperrlisten, ${NOT_VERIFIED}.`],
  [/^The token has no signed attributes\.$/, 'Der Zeitstempel hat keine signierten Attribute.'],
  [/^The imprint of the token is not accepted: (.*)\.$/s, 'Der Hash im Zeitstempel wird nicht anerkannt: $1.'],
  [
    /^The token does not sign its TSTInfo \(message-digest\)\.$/,
    'Der Zeitstempel schützt seinen eigenen Inhalt nicht (message-digest).',
  ],
]
