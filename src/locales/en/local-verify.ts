/** Texts of the page that verifies files on the reader's device, in English. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'See who signed a document, when, and whether it was changed since.',
  files: 'Signed PDF, evidence pack (ZIP) or receipt (EML)',
  choose: 'Choose files',
  drop: 'or drop them here',
  stays: 'Your files stay on this device. This page works without the internet, and sends and stores nothing.',
  staysHere: organisation => `Your browser verifies the file itself: it is not sent to ${organisation}.`,
  keep: 'Save the verify page (verify.html), which works without this service and without the internet',
  language: 'Language',
  reading: (name, percent) => `Reading ${name}: ${percent} %`,
  checking: (name, seconds) => `Checking ${name}: ${seconds} s`,
  cancel: 'Cancel',
  cancelled: 'Cancelled.',
  clear: 'Clear',
  print: 'Print',
  problems: {
    empty: { heading: 'Empty file', sentence: 'This file has no content. Download it again, or ask the sender for it again.' },
    tooLarge: {
      heading: 'Too large for this page',
      sentence: 'This page takes files of up to 100 MB. Verify this one with the program: signet verify FILE.',
    },
    unknownKind: {
      heading: 'Not a PDF and no evidence pack',
      sentence:
        'This page verifies signed PDF files, evidence packs (ZIP) and receipts (EML). Choose the file that you were sent, not a picture or a copy in another format.',
    },
    locked: {
      heading: 'Opens only with a password',
      sentence: 'This PDF is encrypted and cannot be verified. Ask the sender for the file without a password.',
    },
    damagedPack: {
      heading: 'Not a whole evidence pack',
      sentence:
        'This ZIP is damaged, or it is no evidence pack. Download it again. If it only contains a signed PDF, unpack it and choose the PDF.',
    },
    wrongCertificate: {
      heading: 'Not a certificate',
      sentence: 'This file contains no certificate that can be read. Certificates are files in PEM or DER, such as seal.pem.',
    },
    unreadable: {
      heading: 'Cannot be opened',
      sentence: 'The browser cannot read this file. It may have been moved or changed since you chose it: choose it again.',
    },
    memory: {
      heading: 'Not enough memory',
      sentence: 'This file needs more memory than the browser has. Close other windows, or use a larger device.',
    },
    stopped: {
      heading: 'Stopped',
      sentence: 'The check ended unexpectedly, so nothing is known about this file. Try again, or use another browser.',
    },
    tooLong: {
      heading: 'Took too long',
      sentence:
        'The check was stopped after 5 minutes, so nothing is known about this file. Verify it with the program: signet verify FILE.',
    },
  },
  trust: {
    label: 'Trust comes from',
    given: names => `Certificates that you gave: ${names}`,
    pack: 'The certificate in the pack itself. Compare its fingerprint with one that you have from the organisation by another way.',
    instance: organisation => `The certificates of this service, ${organisation}`,
    none: 'Nothing yet: no certificate of the sender was given. Choose it together with the file, such as seal.pem.',
    heading: 'Certificates that you trust',
    hint: 'Certificates (PEM or DER) that you choose or drop here count as trusted. Take them only from somebody whom you know.',
    purpose: name => `What ${name} is trusted for`,
    signers: 'signatures and seals',
    timestamps: 'time-stamps',
    remove: name => `Remove ${name}`,
    fingerprint: 'Fingerprint of the seal’s certificate (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Valid', sentence: title => `The evidence of ${title} is complete and unchanged.`, advice: [] },
      validByPack: {
        heading: 'Complete and unchanged, by its own certificate',
        sentence: title =>
          `The evidence of ${title} is complete and agrees with itself, but only the pack says whose certificate it is.`,
        advice: [
          'Anybody can make a certificate with any name. Compare the fingerprint below with one that the organisation gave you, or choose its certificate together with the pack.',
        ],
      },
      notValid: {
        heading: 'Not valid',
        sentence: title => `The evidence of ${title} was changed, is incomplete, or contradicts itself.`,
        advice: ['Do not rely on this pack. What failed is in the technical details. Ask the sender for a new pack.'],
      },
      unknown: {
        heading: 'Unchanged, but of unknown origin',
        sentence: title => `The evidence of ${title} agrees, but its seal is not by a certificate that you trust.`,
        advice: [
          'Anybody can make a certificate with any name. Ask the sender for the certificate, by a way that you already know.',
        ],
      },
      notChecked: {
        heading: 'Not fully checked',
        sentence: title => `A part of the evidence of ${title} cannot be checked here.`,
        advice: ['This does not mean that it was changed. The technical details say which part, and why.'],
      },
    },
    source: 'Names and times are from the audit trail in the pack, which the seal covers. Times are by the clock of the service.',
    erased: 'A person whose name was erased',
    person: {
      openedFromApp: 'opened from the web app by the signed-in person, not from a mailed link',
      from: address => `from ${address}`,
      consent: version => `consent ${version}`,
      deviceKey: 'and in addition with a key of their own device',
      deviceKeyUnverified: 'and in addition with a key of their own device, whose user the device did not verify',
      sealedEntry: number => `entry ${number} of the log, which the seal covers`,
      entry: number => `entry ${number} of the log`,
    },
    checks: 'What was checked',
    outcomes: { passed: 'Passed', failed: 'Failed', 'not-checked': 'Not checked', note: 'Note' },
    sealedFile: 'The sealed PDF in the pack',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Valid receipt',
        sentence: ({ organisation, name, title, time }) => `${organisation} confirmed that ${name} signed ${title} on ${time}.`,
        advice: [
          'Choose the evidence pack of the document as well: the page then says whether the log still contains this signature.',
        ],
      },
      validWithLog: {
        heading: 'Valid receipt, and the log agrees',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} confirmed that ${name} signed ${title} on ${time}, and its log still contains this signature.`,
        advice: [],
      },
      notValid: {
        heading: 'Not valid',
        sentence: () => 'This receipt was changed, or it contradicts itself or the file that was chosen with it.',
        advice: [
          'The technical details say what failed. If the receipt is genuine and the log contradicts it, the log was changed: keep both files.',
        ],
      },
      unknown: {
        heading: 'Unchanged, but of unknown origin',
        sentence: ({ organisation, name, title, time }) =>
          `This receipt says that ${name} signed ${title} on ${time}, but whether it really comes from ${organisation} is not known here.`,
        advice: [
          'Anybody can make a certificate with any name. Choose the certificate of the organisation as well, or compare the fingerprint below with one that it gave you.',
        ],
      },
      notChecked: {
        heading: 'Not fully checked',
        sentence: ({ name, title, time }) =>
          `This receipt says that ${name} signed ${title} on ${time}, but a part of it cannot be checked here.`,
        advice: ['The technical details say which part, and why.'],
      },
    },
    source: 'The receipt says so: its signer got it from the service when they signed.',
    itself: 'The receipt',
  },
  validAdvice: 'Who signed, and when, is listed in the audit certificate at the end of the file.',
  about: {
    heading: 'Is this page genuine?',
    version: version => `Verify page of Signet ${version}.`,
    check:
      'A forged page could call anything valid. The audit certificate of a document prints the SHA-256 of its verify page. Compare it with what one of these commands prints for this file:',
    limits:
      'The page needs no service. What it cannot know: certificates that were revoked after the file was made, and what is in the records of the organisation.',
  },
  record: {
    ask: organisation => `Ask ${organisation} for its record of this file`,
    sends: 'Only the fingerprint of the file (SHA-256) is sent.',
    known: (organisation, time) => `The record of ${organisation} has exactly this file: it was completed on ${time}.`,
    unknown: 'The record has no such file, or no longer: a record is deleted when its retention period ends.',
    failed: 'The service did not answer. Try again later.',
    upload: 'Send the file to see the names in the record',
  },
}
