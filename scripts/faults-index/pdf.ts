/** What holds for uploads, seals and the verifier. */
import { type Requirement, script, test } from './requirement.ts'

export const PDF: readonly Requirement[] = [
  {
    id: 'R-PDF-1',
    promise: 'Uploads are read by child processes alone, which are bounded in time, memory and rights.',
    tried: [
      test('layers', 'code that reads uploads is loaded by the child process alone'),
      test('sandbox/hostile', 'after all of them the pool inspects a valid file'),
      test('sandbox/confinement', 'the real child reports the measures in force'),
      test(
        'sandbox/pool',
        'no child can read is unsupported_pdf as an upload and unreadable to the verifier, not an internal error',
      ),
      script('faults-slow', 'two slow uploads: uploads of others within 5 s'),
    ],
    untried: 'The memory of the serving process and the time of its answers are not bounded by a test while bombs are read.',
  },
  {
    id: 'R-PDF-2',
    promise: 'Pages, objects, depth, streams and pictures of an upload are bounded.',
    tried: [
      test('pdf/inspect/inspect', 'more pages than allowed, with both numbers'),
      test('pdf/inspect/inspect', 'too many form fields, too much content and too large images, each with its own message'),
      test('pdf/parser/filters', 'content of more than 128 MiB is not decoded, whatever the filter'),
      test('pdf/parser/file', 'a decompression bomb in it is refused'),
    ],
  },
  {
    id: 'R-PDF-3',
    promise: 'A PDF is what its bytes are, whatever its name says.',
    tried: [
      test('pdf/inspect/inspect', 'a file that is not a PDF, empty, truncated or without pages'),
      test('http/signing/signing-files', 'the name ends as the content is: a PDF named .png is a PDF'),
    ],
  },
  {
    id: 'R-PDF-4',
    promise: 'What cannot be sealed is refused when it is uploaded, with the reason.',
    tried: [
      test('pdf/inspect/inspect', 'that needs a password is encrypted_pdf'),
      test('pdf/inspect/inspect', 'a dynamic XFA form, but not one that also has ordinary fields'),
      test('pdf/inspect/inspect', 'a certified file without signature field'),
      test('pdf/inspect/inspect', 'every message is one complete sentence'),
    ],
  },
  {
    id: 'R-PDF-5',
    promise: 'The upload stays as it is, and nothing in it acts after the update of the seal.',
    tried: [
      test('evidence/prepare', 'is unreachable in the sealed file, and all other content is kept'),
      test('evidence/prepare', 'starts with the source, is readable by its owner only, and has the returned digest'),
      test('http/documents/file', 'the signer gets the upload, byte for byte, and after it an update without anything active'),
      test('pdf/inspect/active-places', 'an action'),
      test('pdf/inspect/active-places', 'attachments and media:'),
    ],
    untried: 'Sealed files with disarmed content are not opened in other readers to see that nothing is called.',
  },
  {
    id: 'R-PDF-6',
    promise: 'The signer, the record and the sealed file show the same pages.',
    tried: [
      test('evidence/prepare', 'do not change the content of this page or other pages'),
      test('pdf/inspect/inspect', 'a hybrid file that shows different objects to old and new readers is rewritten'),
      test(
        'http/signing/signing-marks',
        'are what others have finished and what this person has entered, as the seal will draw them',
      ),
    ],
    untried: 'Files that readers draw differently are not compared pixel by pixel between two readers.',
  },
  {
    id: 'R-PDF-7',
    promise: 'The sender is warned of content that a reader does not see.',
    tried: [test('pdf/inspect/inspect', 'attachments, media and hidden layers')],
    untried: 'Text in the colour of the paper, outside of the page or below an annotation is not looked for.',
  },
  {
    id: 'R-PDF-8',
    promise: 'A picture of a signature is read in a child, bounded, and made anew.',
    tried: [
      test('sandbox/pdf-tools', 'the real child extracts the ink of a picture, and fails with a code'),
      test('http/signing/signing-marks', 'from a picture: the paper goes, the ink is sealed, what was tried before is gone'),
      test(
        'http/signing/signing-marks',
        'that is no picture, or an empty sheet, is refused with what to do; a missing picture gets an error at its field',
      ),
    ],
  },
  {
    id: 'R-PDF-9',
    promise: 'Real files are accepted and can be sealed, or are refused with a reason of their own.',
    tried: [
      test('pdf/inspect/corpus', 'every real file'),
      script(
        'judges',
        'return judgeForeign(',
        'of 189 files of other products 183 are valid here; of 475 manipulated files none is',
      ),
    ],
  },
  {
    id: 'R-PDF-10',
    promise: 'The seal is a PAdES certification that allows no change, over all but its own bytes.',
    tried: [
      test(
        'evidence/prepare',
        'is a certification that allows no change, by an invisible locked field in page 1 and in the form',
      ),
      test(
        'pades/cms',
        'has exactly content-type, message-digest and signing-certificate-v2 under its signature, and no signing-time',
      ),
      test('verify/tamper', 'bytes after the seal are refused'),
    ],
  },
  {
    id: 'R-PDF-11',
    promise: 'A seal is verified from the disk before anybody gets it.',
    tried: [
      test('documents/sealing', 'a sealed file that does not pass the check is a sentence for the sender, without the verdict'),
      test('documents/sealing', 'an original that changed on disk is never sealed'),
      test('verify/verify', 'a file is read from disk, and must begin with the document that was sent'),
    ],
  },
  {
    id: 'R-PDF-12',
    promise: 'The verifier calls nothing valid that was changed, forged or is of somebody else, and says why.',
    tried: [
      test('verify/tamper', 'is not valid, and never only unknown, after a change of any single byte'),
      test('verify/forged-files', 'with a certification (P=%d)'),
      test('verify/forged-files', 'no table expects a forgery to be valid'),
      test('verify/verify', 'by a stranger is reported apart from integrity, and is never valid'),
      test('verify/tamper', 'the CMS of another sealed file'),
      script('judges', 'return judgeAttacks(', 'of 475 manipulated files none is valid here'),
    ],
  },
  {
    id: 'R-PDF-13',
    promise: 'Other products accept what is sealed here.',
    tried: [
      test('binary', 'from an empty folder to a sealed file that pdfsig, qpdf and openssl accept'),
      test('evidence/prepare', 'is valid according to qpdf and pdfsig'),
      script('judges', 'return judgeSealed('),
    ],
  },
]
