/**
 * Formats the POSIX shell commands of the evidence pack that check a sealed file without
 * Signet. FILE.pdf is the sealed file, seal.pem the seal certificates without their issuers.
 */

/** A continued line ends with a backslash. */
export interface Commands {
  fingerprint: string[]
  signet: string[]
  poppler: string[]
  openssl: string[]
}

/** The seal's dictionary is the first after the original (§12.8.1): signed uploads are refused. */
export function formatCheckCommands(originalByteLength: number): Commands {
  return {
    // openssl x509 reads only the first certificate of a file, so awk runs it for each.
    fingerprint: [`awk '/-BEGIN/,/-END/{print | c} /-END/{close(c)}' c='openssl x509 -outform DER | sha256sum' seal.pem`],
    signet: ['signet verify FILE.pdf --trust seal.pem'],
    poppler: ['pdfsig FILE.pdf'],
    openssl: [
      `set -- $(tail -c +${originalByteLength + 1} FILE.pdf | LC_ALL=C grep -a -o '/ByteRange *\\[[0-9 ]*\\]' \\`,
      "  | head -n 1 | LC_ALL=C tr -dc '0-9 ')",
      '(head -c $2 FILE.pdf; tail -c +$(($3+1)) FILE.pdf | head -c $4) > sealed.bin',
      'tail -c +$(($2+2)) FILE.pdf | head -c $(($3-$2-2)) | xxd -r -p > seal.der',
      'openssl cms -verify -binary -inform DER -in seal.der -content sealed.bin -CAfile seal.pem \\',
      '  -partial_chain -purpose any -signer signer.pem -out checked.bin',
      'openssl x509 -in signer.pem -outform DER | sha256sum',
    ],
  }
}
