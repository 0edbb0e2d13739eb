/** Texts of the page that verifies a PDF, in English. */
const ASK_AGAIN = 'Ask the sender for the original file, and do not rely on this one until you know what happened.'
const UNCHANGED = 'Nothing in this file was changed after it was signed.'

export const verify = {
  title: 'Verify a signed PDF',
  lead: 'Find out whether a PDF was changed after it was signed, and who signed it.',
  file: 'PDF file',
  subject: 'The file',
  notKept: (organisation: string) => `${organisation} verifies the file and does not keep it.`,
  submit: 'Verify',
  another: 'Verify another file',
  nameOfFile: 'File',
  record: 'Sealed by this service',
  recordYes: (time: string) => `Yes. The document was completed on ${time}.`,
  recordNo: 'No, not in exactly this form.',
  documentTitle: 'Document',
  people: 'Who signed',
  signedOn: (time: string) => `signed on ${time}`,
  approvedOn: (time: string) => `approved on ${time}`,
  fromRecord: 'Names and times are from the record of this service. The audit certificate at the end of the file shows them too.',
  problems: 'Problems',
  fileProblems: 'Problems with the file',
  additions: 'Permitted changes after the signature',
  unreadable: (reason: string) => `The file cannot be read: ${reason}.`,
  details: 'Technical details',
  notes: 'Notes',
  signature: (n: number) => `Signature ${n}`,
  timestamp: (n: number) => `Document time-stamp ${n}`,
  seal: 'Electronic seal',
  sealedBy: 'Sealed by',
  signedBy: 'Signed by',
  madeBy: 'Made by',
  unknown: 'unknown',
  noName: 'no name',
  quoted: (name: string) => `“${name}”`,
  content: 'Signed content',
  certificate: 'Certificate',
  time: 'Time-stamp',
  timeBy: (time: string, authority: string, isTrusted: boolean) =>
    `${time}, by ${authority}${isTrusted ? '' : ', which is not trusted here'}`,
  claimedTime: 'Time according to the signer',
  fingerprint: 'Fingerprint of the certificate (SHA-256)',
  result: 'Result (ETSI EN 319 102-1)',
  level: 'Level',
  noLevel: 'no PAdES baseline signature',
  field: 'Field',
  none: 'none',
  whyNotTrusted: 'Why it is not trusted',
  integrity: {
    intact: 'Unchanged',
    broken: 'Changed, or not the one that was signed',
    'not-checked': 'Could not be checked',
  },
  trust: {
    trusted: 'Trusted here',
    unknown: 'Not trusted here',
    revoked: 'Revoked',
    expired: 'Expired',
  },
  /** What each result means. `signer`: the name in the certificate. */
  verdicts: {
    valid: {
      heading: 'Valid',
      meaning: (signer: string) => [`${UNCHANGED} The signer’s certificate, ${signer}, is trusted here.`],
    },
    /** Exactly this file is in the record. */
    validHere: {
      heading: 'Valid',
      meaning: (_: string) => [
        'Nothing in this file was changed since this service sealed it. Who signed it, and when, is listed below.',
      ],
    },
    notValid: {
      heading: 'Not valid',
      meaning: (_: string) => [`This file was changed after it was signed, or a signature in it is not genuine. ${ASK_AGAIN}`],
    },
    notChecked: {
      heading: 'Not checked',
      meaning: (_: string) => [
        'A signature in this file cannot be checked here, or uses an algorithm that is too weak. This does not mean that the file was changed.',
        'Another program may be able to check it. The reasons are listed below.',
      ],
    },
    unreadable: {
      heading: 'The file cannot be read',
      meaning: (_: string) => [
        'The file is not a PDF, or it is damaged or protected by a password. Download it again, or ask the sender to send it again.',
      ],
    },
    unknown: {
      heading: 'Unchanged, but the signer is unknown',
      meaning: (signer: string) => [
        `${UNCHANGED} But the certificate, which names ${signer}, is not trusted here. Anybody can create a certificate with any name.`,
        'Ask the signer for the fingerprint of the certificate, for example by telephone. Compare it with the fingerprint in the technical details below.',
      ],
    },
    revoked: {
      heading: 'Unchanged, but the certificate was revoked',
      meaning: (signer: string) => [
        `${UNCHANGED} But the certificate of ${signer} was revoked, and nothing proves that the signature was made before that.`,
        'Ask the signer whether the file is genuine.',
      ],
    },
    expired: {
      heading: 'Unchanged, but the certificate has expired',
      meaning: (signer: string) => [
        `${UNCHANGED} But the certificate of ${signer} has expired, and no trusted time-stamp proves that the signature was made before that.`,
        'Ask the signer whether the file is genuine.',
      ],
    },
    notSigned: {
      heading: 'Not signed',
      meaning: (_: string) => [
        'This file has no electronic signature, so nothing shows who made it or whether it was changed. A picture of a signature does not protect a file.',
      ],
    },
    onlyTimestamped: {
      heading: 'Not signed, but time-stamped',
      meaning: (_: string) => ['A time-stamp proves when a file existed. It does not show who made it.'],
    },
  },
}
