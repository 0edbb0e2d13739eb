/** Reasons and notes of a verification in German, by their English text. `$1` is a part of it. */

const NO_PROOF = 'kein vertrauenswürdiger Zeitstempel belegt, dass die Unterschrift vorher entstanden ist'
const UNSIGNED = 'das von keinem bekannten Zertifikat signiert ist'

export const VERIFY_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The document was changed after it was signed: its (?:SHA-1 )?digest is not the signed one(?: \(message-digest\))?\.$/,
    'Das Dokument wurde nach dem Unterschreiben verändert: Sein Hash ist nicht der signierte.',
  ],
  [
    /^The document was changed: a certification \(DocMDP\) was removed from the form\.$/,
    'Das Dokument wurde verändert: Eine Zertifizierung (DocMDP) wurde aus dem Formular entfernt.',
  ],
  [
    /^The signature does not verify with the key of its certificate\.$/,
    'Die Unterschrift passt nicht zum Schlüssel ihres Zertifikats.',
  ],
  [/^The signature cannot be checked: (.*)\.$/s, 'Die Unterschrift lässt sich nicht prüfen: $1.'],
  [/^The signature is not accepted: (.*)\.$/s, 'Die Unterschrift wird nicht anerkannt: $1.'],
  [/^The key of the signer is not accepted: (.*)\.$/s, 'Der Schlüssel zur Unterschrift wird nicht anerkannt: $1.'],
  [
    /^The signature covers the SHA-1 digest of the document \(adbe\.pkcs7\.sha1\): (.*)\.$/s,
    'Die Unterschrift schützt nur den SHA-1-Hash des Dokuments (adbe.pkcs7.sha1): $1.',
  ],
  [
    /^(\S+) is too weak: another document can be made to match it$/,
    '$1 ist zu schwach: Ein anderes Dokument lässt sich passend dazu herstellen',
  ],
  [/^RSA of (\d+) bits is too short$/, 'RSA mit $1 Bit ist zu kurz'],
  [/^The CMS is invalid: (.*)\.$/s, 'Die Daten der Unterschrift (CMS) sind ungültig: $1.'],
  [/^Time-stamp of the signature: (.*)$/s, 'Zeitstempel der Unterschrift: $1'],
  [/^The time-stamp of the signature does not count\. (.*)$/s, 'Der Zeitstempel der Unterschrift zählt nicht. $1'],
  [/^The time-stamp of (\S+) does not count\.$/, 'Der Zeitstempel von $1 zählt nicht.'],
  [/^The document time-stamp of (\S+) does not count\.$/, 'Der Dokument-Zeitstempel von $1 zählt nicht.'],
  [
    /^The validation data \(DSS\) is incomplete\. Missing: (.*)\.$/s,
    'Die Prüfdaten (DSS) sind unvollständig. Es fehlen (technische Angabe): $1.',
  ],
  [
    /^The signer is not known: no path leads from (.*) to a trusted certificate\.$/s,
    'Die Herkunft der Unterschrift ist nicht bekannt: Kein Pfad führt von $1 zu einem vertrauenswürdigen Zertifikat.',
  ],
  [
    /^The time-stamp authority is not trusted: no path leads from (.*) to a trusted certificate\.$/s,
    'Der Zeitstempeldienst ist nicht vertrauenswürdig: Kein Pfad führt von $1 zu einem vertrauenswürdigen Zertifikat.',
  ],
  [/^The certificate of the time-stamp authority is missing\.$/, 'Das Zertifikat des Zeitstempeldienstes fehlt.'],
  [
    /^The certificate of the signer is neither in the CMS nor among the known certificates\.$/,
    'Das Zertifikat zur Unterschrift fehlt in der Datei und ist hier nicht bekannt.',
  ],
  [
    /^The certificate (.*) was revoked on (\S+), and no trusted time-stamp shows that the signature was made before\.$/s,
    `Das Zertifikat $1 wurde am $2 widerrufen, und ${NO_PROOF}.`,
  ],
  [
    /^The certificate (.*) was revoked on (\S+), before the time-stamped time of the signature, (\S+)\.$/s,
    'Das Zertifikat $1 wurde am $2 widerrufen, also vor der Unterschrift, deren Zeitstempel $3 nennt.',
  ],
  [
    /^The certificate (.*) was revoked on (\S+), after the time-stamped time of the signature, (\S+)\.$/s,
    'Das Zertifikat $1 wurde am $2 widerrufen, also nach der Unterschrift, deren Zeitstempel $3 nennt.',
  ],
  [
    /^The certificate (.*) was revoked on (\S+), before the time of its token, (\S+)\.$/s,
    'Das Zertifikat $1 wurde am $2 widerrufen, also vor der Zeit seines Zeitstempels, $3.',
  ],
  [
    /^The certificate (.*) was revoked on (\S+) without a reason: no time-stamp by it proves anything \(RFC 3161 §4\)\.$/s,
    'Das Zertifikat $1 wurde am $2 ohne Angabe eines Grundes widerrufen: Keiner seiner Zeitstempel beweist etwas (RFC 3161 §4).',
  ],
  [
    /^The certificate (.*) was revoked on (\S+) because its key was compromised: no time-stamp by it proves anything \(RFC 3161 §4\)\.$/s,
    'Das Zertifikat $1 wurde am $2 widerrufen, weil sein Schlüssel in falsche Hände kam: Keiner seiner Zeitstempel beweist etwas (RFC 3161 §4).',
  ],
  [
    /^The certificate (.*) expired on (\S+), and no later time-stamp still shows that this one was made before\.$/s,
    'Das Zertifikat $1 ist am $2 abgelaufen, und kein späterer Zeitstempel belegt noch, dass dieser vorher entstanden ist.',
  ],
  [
    /^The time-stamp is dated (\S+), more than 5 minutes in the future: it proves no time\.$/,
    'Der Zeitstempel nennt den $1, mehr als 5 Minuten in der Zukunft: Er beweist keine Zeit.',
  ],
  [/^The level (\S+) could be proven until (\S+)\.$/, 'Die Stufe $1 ließ sich bis zum $2 beweisen.'],
  [
    /^The certificate (.*) has a name that (.*) may not certify \((.*), nameConstraints\)\.$/s,
    'Das Zertifikat $1 hat einen Namen, den $2 nicht bestätigen darf ($3, nameConstraints).',
  ],
  [
    /^The path does not have the certificate policies that it requires\.$/,
    'Der Zertifikatspfad hat die Richtlinien nicht, die er verlangt (certificatePolicies).',
  ],
  [/^A constraint of the path cannot be read: (.*)\.$/s, 'Eine Beschränkung im Zertifikatspfad ist nicht lesbar: $1.'],
  [
    /^The certificate (.*) expired on (\S+), and no trusted time-stamp shows that the signature was made before\.$/s,
    `Das Zertifikat $1 ist am $2 abgelaufen, und ${NO_PROOF}.`,
  ],
  [
    /^The certificate (.*) was not yet valid at the (?:time-stamped|claimed) time of signing\.$/s,
    'Das Zertifikat $1 war zur Zeit der Unterschrift noch nicht gültig.',
  ],
  [
    /^The certificate (.*) had expired at the (?:time-stamped|claimed) time of signing\.$/s,
    'Das Zertifikat $1 war zur Zeit der Unterschrift schon abgelaufen.',
  ],
  [
    /^The certificate (.*) was not valid at the time of the token, (\S+)\.$/s,
    'Das Zertifikat $1 war zur Zeit des Zeitstempels, $2, nicht gültig.',
  ],
  [
    /^The certificate (.*) issued another one, but is no certification authority \(basicConstraints\)\.$/s,
    'Mit dem Zertifikat $1 wurde ein anderes ausgestellt, obwohl es keiner Zertifizierungsstelle gehört (basicConstraints).',
  ],
  [
    /^The certificate (.*) has a critical extension that is not understood \((.*)\)\.$/s,
    'Das Zertifikat $1 hat eine kritische Erweiterung, die hier nicht bekannt ist ($2).',
  ],
  [
    /^The key usage of (.*) does not allow signing certificates \(keyCertSign\)\.$/s,
    'Die Schlüsselverwendung von $1 erlaubt es nicht, Zertifikate auszustellen (keyCertSign).',
  ],
  [
    /^The key usage of the signing certificate allows neither digitalSignature nor nonRepudiation\.$/,
    'Die Schlüsselverwendung des Zertifikats erlaubt weder digitalSignature noch nonRepudiation.',
  ],
  [
    /^The extended key usage of the signing certificate does not allow signing documents\.$/,
    'Die erweiterte Schlüsselverwendung des Zertifikats erlaubt es nicht, Dokumente zu signieren.',
  ],
  [/^The path below (.*) is longer than it allows\.$/s, 'Der Zertifikatspfad unter $1 ist länger als erlaubt.'],
  [/^The key of (.*) is not accepted: (.*)\.$/s, 'Der Schlüssel von $1 wird nicht anerkannt: $2.'],
  [
    /^The self-issued certificate (.*) is not signed by its own key\.$/s,
    'Das selbst ausgestellte Zertifikat $1 ist nicht mit seinem eigenen Schlüssel signiert.',
  ],
  [
    /^The CMS holds a certificate that is not part of the verified path \((.*)\)\.$/s,
    'Die Daten der Unterschrift (CMS) enthalten ein Zertifikat, das nicht zum geprüften Pfad gehört ($1).',
  ],
  [/^The token is invalid: (.*)\.$/s, 'Der Zeitstempel ist ungültig: $1.'],
  [/^The token cannot be checked: (.*)\.$/s, 'Der Zeitstempel lässt sich nicht prüfen: $1.'],
  [/^The token is not accepted: (.*)\.$/s, 'Der Zeitstempel wird nicht anerkannt: $1.'],
  [/^The token is for other bytes \(messageImprint\)\.$/, 'Der Zeitstempel gehört zu anderen Daten (messageImprint).'],
  [
    /^The token contains the certificate (.*), which no known certificate has signed\.$/s,
    `Der Zeitstempel enthält das Zertifikat $1, ${UNSIGNED}.`,
  ],
  [
    /^The signature of the token does not verify with the key of its authority\.$/,
    'Der Zeitstempel passt nicht zum Schlüssel seines Dienstes.',
  ],
  [
    /^The \/DSS contains the certificate (.*), which no known certificate has signed\.$/s,
    `Das DSS enthält das Zertifikat $1, ${UNSIGNED}.`,
  ],

  [/^The file holds no signature\.$/, 'Die Datei enthält keine Unterschrift.'],
  [/^The file cannot be read: (.*)\.$/s, 'Die Datei kann nicht gelesen werden: $1.'],
  [/^The file ends before the end of the signed bytes\.$/, 'Die Datei endet vor dem Ende des signierten Teils.'],
  [
    /^The bytes of the file contain a signature that its form does not refer to\.$/,
    'Die Datei enthält eine Unterschrift, auf die ihr Formular nicht verweist.',
  ],
  [
    /^The file does not begin with the document that was sent\.$/,
    'Die Datei beginnt nicht mit dem Dokument, das gesendet wurde.',
  ],
  [
    /^The document contains active content \((.*)\), which no file sealed by Signet has\.$/s,
    'Das Dokument enthält aktive Inhalte ($1), die keine von Signet gesiegelte Datei hat.',
  ],
  [/^it does not begin with “%PDF-”, as every PDF does$/, 'Sie beginnt nicht mit „%PDF-“ wie jedes PDF'],
  [/^it has no catalog$/, 'Ihr fehlt der Katalog'],
  [/^it is larger than (\d+) bytes$/, 'Sie ist größer als $1 Byte'],
  [
    /^(\d+) bytes follow the signed revision; what they change is not covered by this signature\.$/,
    'Auf die signierte Fassung folgen $1 Byte; was sie ändern, ist durch diese Unterschrift nicht geschützt.',
  ],
  [
    /^(\d+) bytes follow the signed revision and cannot be read\.$/,
    'Auf die signierte Fassung folgen $1 Byte, die sich nicht lesen lassen.',
  ],
  [/^And (\d+) more changes after signing\.$/, 'Und $1 weitere Änderungen nach dem Unterschreiben.'],
  [
    /^More than (\d+) revisions follow the signature, more than are checked\.$/,
    'Auf die Unterschrift folgen mehr als $1 Fassungen. So viele werden nicht geprüft.',
  ],
  [/^Changed after signing in revision (\d+): (.*)\.$/s, 'Nach dem Unterschreiben geändert, in Fassung $1: $2.'],
  [/^Changed after signing: (.*)\.$/s, 'Nach dem Unterschreiben geändert: $1.'],
  [/^(.*), which an earlier signature does not allow$/s, '$1, was eine frühere Unterschrift nicht erlaubt'],
  [
    /^The part after the signed revision is not a valid update: (.*)\.$/s,
    'Der Teil nach der signierten Fassung ist keine gültige Änderung: $1.',
  ],
  [/^the signature field "(.*)" was added$/s, 'Das Unterschriftsfeld „$1“ wurde hinzugefügt'],
  [/^the signature "(.*)" was added$/s, 'Die Unterschrift „$1“ wurde hinzugefügt'],
  [/^the document time-stamp "(.*)" was added$/s, 'Der Dokument-Zeitstempel „$1“ wurde hinzugefügt'],
  [/^the form field "(.*)" was filled in$/s, 'Das Formularfeld „$1“ wurde ausgefüllt'],
  [
    /^the form field "(.*)" was filled in, and (.*)$/s,
    'Das Formularfeld „$1“ wurde ausgefüllt, aber es ist nicht sicher, dass es genau seinen Wert zeigt ($2)',
  ],
  [
    /^the form field "(.*)" was filled in and covers signed content: .* on page (\d+)$/s,
    'Das Formularfeld „$1“ wurde ausgefüllt und verdeckt auf Seite $2, was unterschrieben wurde',
  ],
  [
    /^the visible signature field "(.*)" covers signed content: .* on page (\d+)$/s,
    'Das sichtbare Unterschriftsfeld „$1“ verdeckt auf Seite $2, was unterschrieben wurde',
  ],
  [
    /^a comment \((.*)\) was added that covers signed content: .* on page (\d+)$/s,
    'Ein Kommentar ($1) wurde hinzugefügt, der auf Seite $2 verdeckt, was unterschrieben wurde',
  ],
  [
    /^(?:the visible signature field "|a comment \()(.*)[")] was added that, with all other additions, covers more than half of page (\d+)$/s,
    'Alle Ergänzungen zusammen, zuletzt „$1“, bedecken mehr als die Hälfte von Seite $2',
  ],
  [
    /^the signature field "(.*)" showed something before it was signed, and shows something else$/s,
    'Das Unterschriftsfeld „$1“ zeigte schon vor dem Unterschreiben etwas und zeigt jetzt etwas anderes',
  ],
  [
    /^a comment \((.*)\) was added to page (\d+) that .*$/s,
    'Auf Seite $2 kam ein Kommentar ($1) hinzu, der etwas verdecken kann',
  ],
  [
    /^Revision (\d+) added the visible signature field "(.*)" to page (\d+) \(.*\)\.$/s,
    'Mit Fassung $1 wurde auf Seite $3 das sichtbare Unterschriftsfeld „$2“ hinzugefügt.',
  ],
  [
    /^Revision (\d+) added a comment \((.*)\) to page (\d+) \(.*\)\.$/s,
    'Mit Fassung $1 wurde auf Seite $3 ein Kommentar ($2) hinzugefügt.',
  ],
  [/^Revision (\d+) added the signature "(.*)"\.$/s, 'Mit Fassung $1 wurde die Unterschrift „$2“ hinzugefügt.'],
  [/^Revision (\d+) added the document time-stamp "(.*)"\.$/s, 'Mit Fassung $1 wurde der Dokument-Zeitstempel „$2“ hinzugefügt.'],
  [
    /^Revision (\d+) added the empty signature field "(.*)"\.$/s,
    'Mit Fassung $1 wurde das leere Unterschriftsfeld „$2“ hinzugefügt.',
  ],
  [/^Revision (\d+) filled in the form field "(.*)"\.$/s, 'Mit Fassung $1 wurde das Formularfeld „$2“ ausgefüllt.'],
  [/^Revision (\d+) added validation data \(DSS\): (.*)\.$/s, 'Mit Fassung $1 wurden Prüfdaten (DSS) hinzugefügt.'],
  [
    /^Revision (\d+) changed the metadata \(XMP\), which no page shows\.$/,
    'Mit Fassung $1 wurden Metadaten (XMP) geändert, die keine Seite zeigt.',
  ],
  [
    /^Revision (\d+) changed the document information \((.*)\), which no page shows\.$/s,
    'Mit Fassung $1 wurden Angaben zum Dokument ($2) geändert, die keine Seite zeigt.',
  ],
  [
    /^Revision (\d+) changed the structure for assistive technology \(\/StructTreeRoot\), which no page shows\.$/,
    'Mit Fassung $1 wurde die Struktur für Hilfsmittel geändert, die keine Seite zeigt.',
  ],
]
