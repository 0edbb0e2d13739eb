/** Refusals of the pages under Settings in German, by their English text. `$1` is a part of it. */
export const SETTINGS_ERRORS: [english: RegExp, german: string][] = [
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
]
