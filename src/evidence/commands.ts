/**
 * The commands by which anybody can check a sealed file, as the certificate pages print them: for a
 * POSIX shell, with tools that are not ours. They must work as they stand; FILE.pdf is the sealed
 * file, seal.pem the certificates of the seals, each with its issuers. A line that goes on ends
 * with a backslash.
 */

/** Each is a list of lines, short enough to be printed unbroken. */
export interface Commands {
  fingerprint: string[]
  signet: string[]
  poppler: string[]
  original: string[]
  openssl: string[]
}

/**
 * `originalBytes`: how many bytes at the beginning of the file are the original. The seal's
 * dictionary is the first one behind them (ISO 32000-2 §12.8.1), whatever was added to the file
 * later: an original that carried signatures itself is not accepted.
 */
export function checkCommands(originalBytes: number): Commands {
  return {
    // awk hands each certificate to a command of its own: openssl x509 alone reads the first of a
    // file.
    fingerprint: [`awk '/-BEGIN/,/-END/{print | c} /-END/{close(c)}' c='openssl x509 -outform DER | sha256sum' seal.pem`],
    signet: ['signet verify FILE.pdf --trust seal.pem'],
    poppler: ['pdfsig FILE.pdf'],
    original: [`head -c ${originalBytes} FILE.pdf | sha256sum`, `head -c ${originalBytes} FILE.pdf > original.pdf`],
    openssl: [
      `set -- $(tail -c +${originalBytes + 1} FILE.pdf | LC_ALL=C grep -a -o '/ByteRange *\\[[0-9 ]*\\]' \\`,
      "  | head -n 1 | LC_ALL=C tr -dc '0-9 ')",
      '(head -c $2 FILE.pdf; tail -c +$(($3+1)) FILE.pdf | head -c $4) > sealed.bin',
      'tail -c +$(($2+2)) FILE.pdf | head -c $(($3-$2-2)) | xxd -r -p > seal.der',
      'openssl cms -verify -binary -inform DER -in seal.der -content sealed.bin -CAfile seal.pem \\',
      '  -partial_chain -purpose any -signer signer.pem -out checked.bin',
      'openssl x509 -in signer.pem -outform DER | sha256sum',
    ],
  }
}
