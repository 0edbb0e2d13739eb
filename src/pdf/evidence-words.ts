/** The fixed sentences of the certificate pages. What is claimed here must be true of every sealed file. Pure. */

/** What these pages are. */
export function introduction(organisation: string): string {
  return `These pages belong to the document before them. They state how it was sent, seen and signed, as the audit log of ${organisation} recorded it.`
}

export function testNotice(environment: string): string {
  return `TEST: made in the environment “${environment}”, which is not for production. Not meant to bind anybody.`
}

/** What the seal is, and what it is not. */
export function aboutSeal(organisation: string): string[] {
  return [
    `Each signer made a simple electronic signature (Regulation (EU) No 910/2014, article 3(10) and article 25(1); 15 U.S.C. 7001 and 7006(5)). ` +
      `On top of that, ${organisation} sealed the whole file with the certificate above, in the format PAdES (ETSI EN 319 142-1), so that any later change can be found.`,
    'The seal speaks for the organisation, not for a signer: it vouches that this file and this record are the ones it kept. ' +
      'It is not a signer’s own certificate, and no claim is made that it is an advanced or qualified electronic signature or seal.',
    'An IP address is the one the server saw; no place and no person is concluded from it. “Accepted by the mail server” means that the ' +
      'next mail server took the message over, not that anybody read it. Time comes from the clock of the server unless the seal carries a time-stamp.',
  ]
}

export interface Step {
  title: string
  text?: string
  commands: string[]
}

/** Ways to check a sealed file, from the easiest to the one that needs nothing of ours. */
export function verifySteps(verifyUrl: string): Step[] {
  return [
    { title: 'On the web', text: `Give the file to ${verifyUrl}`, commands: [] },
    {
      title: 'Without a network, with this software',
      text: 'root.pem is the certificate of the seal’s issuer; compare its fingerprint by a way you trust.',
      commands: ['signet verify FILE.pdf --trust root.pem'],
    },
    {
      title: 'With Poppler',
      text: 'It must say that the signature is valid and the total document signed.',
      commands: ['pdfsig FILE.pdf'],
    },
    {
      title: 'With OpenSSL alone',
      text:
        'The first command reads the seal’s ByteRange, [0 A B C]: sealed are the first A bytes and C bytes from byte B on. The seal itself stands ' +
        'between them in hexadecimal. Where a time-stamp was added later, its ByteRange is the last: take the one before. Without xxd, ' +
        '“tr a-f A-F | basenc --base16 -d” does the same. Once the certificate has run out, add -no_check_time to the last command.',
      commands: [
        "set -- $(grep -a -o '/ByteRange *\\[[^]]*\\]' FILE.pdf | tail -n 1 | tr -dc '0-9 ')",
        '(head -c $2 FILE.pdf; tail -c +$(($3+1)) FILE.pdf | head -c $4) > sealed.bin',
        'tail -c +$(($2+2)) FILE.pdf | head -c $(($3-$2-2)) | xxd -r -p > seal.der',
        'openssl cms -verify -binary -inform DER -in seal.der -content sealed.bin -CAfile root.pem -purpose any -out checked.bin',
      ],
    },
  ]
}
