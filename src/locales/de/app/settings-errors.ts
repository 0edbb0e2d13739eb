/** Refusals of the pages under Settings in German, by their English text. `$1` is a part of it. */
export const SETTINGS_ERRORS: [english: RegExp, german: string][] = [
  [
    /^The level (\S+) needs a time-stamp authority: .*$/,
    'Für die Stufe $1 braucht es einen Zeitstempeldienst: Tragen Sie einen ein, oder wählen Sie B-B.',
  ],
  [/^must be an address such as (https:\/\/tsa\S+)$/, 'muss eine Adresse sein, zum Beispiel $1'],
  [/^must not hold a login: enter it .*$/, 'darf keine Anmeldung enthalten: Geben Sie sie in den Feldern daneben ein'],
  [/^must be entered for this address and user name$/, 'muss für diese Adresse und diesen Benutzernamen eingegeben werden'],
  [/^must hold certificates in PEM or DER$/, 'muss Zertifikate in PEM oder DER enthalten'],
  [/^must be a number from 1 to 65535$/, 'muss eine Zahl von 1 bis 65535 sein'],
  [/^must be STARTTLS, TLS or none$/, 'muss STARTTLS, TLS oder keine sein'],
  [/^must be entered with the password$/, 'muss zusammen mit dem Passwort eingegeben werden'],
  [/^must be entered for this server and user name$/, 'muss für diesen Server und Benutzernamen eingegeben werden'],
  [
    /^must be a host name such as mail\.example\.com, without .*$/,
    'muss ein Rechnername sein, zum Beispiel mail.example.com, ohne smtp:// und ohne Port',
  ],
  [/^must be one or more certificates in PEM$/, 'müssen ein oder mehrere Zertifikate in PEM sein'],
  [/^must have at most 200 characters, without < > and "$/, 'darf höchstens 200 Zeichen haben, ohne <, > und Anführungszeichen'],
  [/^must be set first: there is no mail server yet$/, 'muss zuerst eingetragen werden: Es gibt noch keinen Mailserver'],
  [/^Too many tests were sent\. .*$/, 'Es wurden zu viele Tests gesendet. Bitte warten Sie eine Minute.'],
  [
    /^This setting is set by (\S+): .*$/,
    'Diese Einstellung ist durch $1 festgelegt: Ändern Sie sie dort, oder entfernen Sie zuerst die Variable.',
  ],
  [
    /^There are (\d+) API tokens already: .*$/,
    'Es gibt bereits $1 API-Tokens: Bitte widerrufen Sie eines, das nicht mehr verwendet wird.',
  ],
  [/^must be chosen: say what the program may do$/, 'müssen gewählt werden: Sagen Sie, was das Programm darf'],
  [/^must be ticked: choose at least one$/, 'müssen angekreuzt werden: Wählen Sie mindestens eine'],
  [
    /^must be chosen: say when it expires, or that it never does$/,
    'muss gewählt werden: Sagen Sie, wann oder dass es nie abläuft',
  ],
  [/^must be a day from today on, within ten years$/, 'muss ein Tag ab heute und innerhalb von zehn Jahren sein'],
  [/^API token not found\.$/, 'Das API-Token wurde nicht gefunden.'],
  [/^This e-mail is not in the outbox folder\.$/, 'Diese E-Mail ist nicht im Postausgangsordner.'],
  [/^There is no logo\.$/, 'Es gibt kein Logo.'],
  [/^must be one of .*$/, 'muss ein Eintrag der Liste sein'],
  [
    /^is damaged, or in a format that PDF readers do not show: .*$/,
    'ist beschädigt oder hat ein Format, das PDF-Programme nicht anzeigen: Bitte speichern Sie es in einem Bildprogramm als PNG',
  ],
  [
    /^There is no seal certificate with this SHA-256 fingerprint\.$/,
    'Es gibt kein Siegelzertifikat mit diesem Fingerabdruck (SHA-256).',
  ],
  [
    /^The certificate was imported: only its issuer can revoke it\.$/,
    'Das Zertifikat wurde importiert: Nur sein Aussteller kann es widerrufen.',
  ],
  [/^The certificate was revoked on .*$/, 'Das Zertifikat wurde bereits widerrufen.'],
  [
    /^The certificate is active: renew it first, then revoke it\.$/,
    'Das Zertifikat ist in Gebrauch: Erneuern Sie es zuerst, und widerrufen Sie es dann.',
  ],
  [
    /^The certificate that seals was imported, so its successor must be imported too\.$/,
    'Das aktuelle Zertifikat wurde importiert. Daher muss auch sein Nachfolger importiert werden.',
  ],
  [
    /^Another certificate has become active meanwhile\. Nothing was changed\.$/,
    'Inzwischen ist ein anderes Zertifikat in Gebrauch. Nichts wurde geändert.',
  ],
  [
    /^This certificate was revoked here: it cannot seal again\.$/,
    'Dieses Zertifikat wurde hier widerrufen und kann nicht wieder siegeln.',
  ],
  [/^Choose a reason for the revocation\.$/, 'Wählen Sie einen Grund für den Widerruf.'],
  [/^Too many import attempts\. .*$/, 'Es gab zu viele Importversuche. Bitte warten Sie eine Minute.'],
  [/^Too many test pages were sealed\. .*$/, 'Es wurden zu viele Testseiten gesiegelt. Bitte warten Sie eine Minute.'],
  [/^The sealed page is not valid: (.*)$/, 'Die gesiegelte Seite ist nicht gültig: $1'],
  [/^The seal certificate cannot be used: (.*)$/, 'Das Siegelzertifikat lässt sich nicht verwenden: $1'],
  [/^No time-stamp authority gave a time-stamp: (.*)$/, 'Kein Zeitstempeldienst hat einen Zeitstempel ausgestellt: $1'],
  [/^The page could not be sealed: (.*)$/, 'Die Seite ließ sich nicht siegeln: $1'],
  [/^The pass-phrase is wrong, or the file is damaged\.$/, 'Die Passphrase ist falsch, oder die Datei ist beschädigt.'],
  [
    /^The file holds no private key: .*$/,
    'Die Datei enthält keinen privaten Schlüssel: Exportieren Sie sie zusammen mit dem Schlüssel.',
  ],
  [
    /^The file holds several private keys: .*$/,
    'Die Datei enthält mehrere private Schlüssel: Exportieren Sie nur den, der siegeln soll.',
  ],
  [/^The file holds no certificate for its private key\.$/, 'Die Datei enthält kein Zertifikat zu ihrem privaten Schlüssel.'],
  [/^The file is larger than 1 MB: .*$/, 'Die Datei ist größer als 1 MB: Sie ist keine PKCS#12-Datei mit einem Schlüssel.'],
  [/^The file is damaged or no PKCS#12 file: (.*)$/, 'Die Datei ist beschädigt oder keine PKCS#12-Datei: $1'],
  [
    /^The file is (?:encrypted for|signed by) a certificate, .*$/,
    'Die Datei ist nicht durch eine Passphrase geschützt: Exportieren Sie sie mit einer Passphrase.',
  ],
  [
    /^The private key in the file is of a kind or on a curve that is not accepted: .*$/,
    'Der private Schlüssel der Datei wird nicht unterstützt: Verwenden Sie RSA, P-256 oder P-384.',
  ],
  [
    /^A test page sealed with this key is not valid: (.*)$/,
    'Eine mit diesem Schlüssel gesiegelte Testseite ist nicht gültig: $1',
  ],
  [/^Choose a format for the export\.$/, 'Wählen Sie ein Format für den Export.'],
  [/^The audit log has no entry with this number\.$/, 'Das Protokoll hat keinen Eintrag mit dieser Nummer.'],
]
