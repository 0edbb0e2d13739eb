/** Errors in the format of signatures and key files in German, by their English text. */

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
]
