/** Texts of the page that verifies a PDF, in English. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'This file is unchanged since it was signed or sealed'
const CHANGED = 'This file was changed after it was signed or sealed, only as its author permitted'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'Ask the sender whether the file is genuine, at a telephone number or address that you already know.'

export const verify: VerifyTexts = {
  title: 'Verify a signed PDF',
  lead: 'Find out whether a PDF was changed after it was signed or sealed, and who signed it.',
  file: 'PDF file',
  choose: 'Choose a file',
  drop: 'or drop it here',
  notKept: organisation => `${organisation} verifies the file and does not keep it.`,
  submit: 'Verify',
  another: 'Verify another file',
  languages: 'Languages',
  documentTitle: 'Document',
  fileName: 'File',
  sealedBy: 'Sealed by',
  people: 'Who signed',
  signedOn: time => `signed on ${time}`,
  approvedOn: time => `approved on ${time}`,
  fromRecord: 'Names and times are from the record of this service. The audit certificate at the end of the file shows them too.',
  isInRecord: ({ sealer, time }) =>
    `The record of this service knows exactly this file: ${sealer} sealed it on ${time}, and it is unchanged since.`,
  quoted: name => `“${name}”`,
  verdicts: {
    validHere: {
      heading: 'Valid',
      sentence: ({ sealer, time }) => `This is exactly the file that ${sealer} sealed on ${time}.`,
      advice: [],
    },
    valid: {
      heading: 'Valid',
      sentence: ({ sealer }) => `This file is unchanged since ${sealer} sealed it.`,
      advice: [
        'This service has no record of this file, or no longer: a record is deleted when its retention period ends. Who signed, and when, is listed in the audit certificate at the end of the file.',
      ],
    },
    validChanged: {
      heading: 'Valid when signed, then changed',
      sentence: ({ signer }) =>
        `This file was validly signed by ${signer}, and afterwards changed visibly, as its author permitted.`,
      advice: ['Read each change in the list: those who signed before it have not signed it.'],
    },
    notValid: {
      heading: 'Not valid',
      sentence: () => 'This file was changed after it was signed or sealed, or a signature in it is not genuine.',
      advice: ['Do not rely on this file. Ask the sender for the original.'],
    },
    notChecked: {
      heading: 'Not checked',
      sentence: () => 'A signature in this file cannot be checked here, or uses a method that is too weak.',
      advice: [
        'This does not mean that the file was changed. Another program may be able to check it: the technical details say why it is not possible here.',
      ],
    },
    unreadable: {
      heading: 'Cannot be read',
      sentence: () => 'This file is not a PDF, is damaged, or opens only with a password.',
      advice: [
        'Download the file again, or ask the sender for it again. If it opens only with a password, ask for the original without one.',
      ],
    },
    unknown: {
      heading: 'Unchanged, but of unknown origin',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, but whether it really comes from ${signer} is not known here.`,
      advice: [
        'Anybody can make a certificate with any name.',
        'If the audit certificate at the end of the file names the address of another service, verify the file there, provided that you know whose address it is.',
        'Or ask the sender for the fingerprint of the certificate, at a telephone number that you already know, and compare it with the one in the technical details.',
      ],
    },
    revoked: {
      heading: 'Unchanged, but the certificate was revoked',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, but the certificate of ${signer} was revoked, and nothing proves that it was still valid then.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Unchanged, but the certificate has expired',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, but the certificate of ${signer} has expired, and no trusted time-stamp proves that it was still valid then.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Not signed',
      sentence: () => 'This file has no electronic signature and no seal: nothing shows who made it, or whether it was changed.',
      advice: [
        'Neither the picture of a signature nor a page that looks like an audit certificate protects a file. A copy that was printed, scanned or saved anew has lost its seal: ask the sender for the sealed file itself.',
      ],
    },
    onlyTimestamped: {
      heading: 'Not signed, only time-stamped',
      sentence: () => 'A time-stamp shows when this file existed, but not who made it.',
      advice: [],
    },
  },
  changes: {
    heading: 'Changes after signing',
    field: (name, before, after) => `Field ${name}: before ${before}, now ${after}`,
    comment: type => `Comment (${type})`,
    signature: name => `Visible signature ${name}`,
    property: (name, before, after) => `Document property ${name}: before ${before}, now ${after}`,
    empty: 'empty',
    page: n => `page ${n}`,
    noPage: 'on no page',
  },
  details: {
    heading: 'Technical details',
    sha256: 'Fingerprint of the file (SHA-256)',
    remarks: 'Remarks',
    additions: 'Permitted changes afterwards',
    signature: n => `Signature or seal ${n}`,
    timestamp: n => `Document time-stamp ${n}`,
    name: 'Name in the certificate',
    unknown: 'unknown',
    content: 'Signed content',
    certificate: 'Certificate',
    time: 'Time-stamp',
    timeBy: (time, authority) => `${time}, by ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, by ${authority}, not trusted here`,
    claimedTime: 'Time stated in the signature, without proof',
    fingerprint: 'Fingerprint of the certificate (SHA-256)',
    result: 'Result (ETSI EN 319 102-1)',
    level: 'Level',
    noLevel: 'no PAdES baseline signature',
    field: 'Field',
    none: 'none',
    integrity: {
      intact: 'Unchanged',
      broken: 'Changed, or not the one that was signed',
      'not-checked': 'Could not be checked',
    },
    trust: { trusted: 'Trusted here', unknown: 'Not trusted here', revoked: 'Revoked', expired: 'Expired' },
    certificates: 'Certificates of this service, for verifying its files offline',
    otherPrograms:
      'Other programs may say something else. Firefox says of every PAdES signature that it could not be verified, because it does not know this form. Acrobat calls the signer unknown until it is given the certificate. Neither says anything against the file.',
  },
}
