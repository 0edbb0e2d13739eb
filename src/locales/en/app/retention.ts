/** Settings → Retention, and the legal hold of a document. */
import type { RetainedStatus } from '../../../core/document/retention.ts'

const count = (n: number) => n.toLocaleString('en')
const documents = (n: number) => (n === 1 ? '1 document' : `${count(n)} documents`)
const are = (n: number) => (n === 1 ? 'is' : 'are')

export const retention = {
  title: 'Retention',
  lead: 'Documents whose retention period is over are erased each night, with their files and the personal data of everybody concerned. An entry without names remains in the audit log.',
  off: 'Nothing is erased automatically',
  offText: 'Documents are kept until somebody deletes them.',
  on: 'Retention is on',
  dueTonight: (n: number) => `${documents(n)} ${n === 1 ? 'has' : 'have'} reached the end of the retention period.`,
  nothingDue: 'No document has reached the end of its retention period.',
  notBefore: (day: string) => `Nothing is erased before ${day}. Administrators have been notified by e-mail.`,
  unreached: 'Nobody has received the e-mail that announces the erasure',
  unreachedText:
    'What it announces waits until an administrator has received it. Look for failed e-mails under Outbox, and check the mail server in the settings.',
  notAnnounced: (days: number) =>
    `Before the first document is erased, administrators receive an e-mail ${days} days in advance.`,
  waiting: (day: string) => `Your change takes effect on ${day}`,
  waitingText: 'Until then you can call it off. Nothing more is erased than before.',
  callOff: 'Call off the change',
  months: (n: number) => (n === 1 ? '1 month' : `${count(n)} months`),
  kept: 'kept',
  columns: { status: 'Documents', now: 'Now', next: (day: string) => `From ${day}` },
  periods: 'Retention periods',
  periodsText: 'In months after the end of a document. Leave a field empty to keep these documents.',
  statuses: {
    completed: 'Completed',
    declined: 'Declined',
    voided: 'Voided',
    expired: 'Expired',
    draft: 'Drafts nobody has changed',
  } satisfies Record<RetainedStatus, string> as Record<RetainedStatus, string>,
  monthsUnit: 'months',
  preview: 'Continue',
  previewHint: 'The next page shows which documents would be erased. Nothing is changed yet.',
  holds: 'Legal hold',
  holdsText: (n: number) =>
    n === 0
      ? 'No document is under legal hold. To keep a document from being erased, set a legal hold on its page.'
      : `${documents(n)} ${are(n)} under legal hold. ${n === 1 ? 'It is' : 'They are'} never erased, and nobody can delete ${n === 1 ? 'it' : 'them'}.`,
  holdsLink: 'Documents under legal hold',
  previewTitle: 'What would be erased',
  wouldErase: (n: number, day: string) => `${documents(n)} would be erased on ${day} or soon after`,
  wouldEraseNothing: (day: string) => `On ${day}, no document would be erased`,
  laterText: 'More documents follow as their retention periods end.',
  shorterText: (day: string) =>
    `Nobody can bring back an erased document. The change takes effect on ${day}; until then you can call it off on this page. Download sealed PDFs that must be kept elsewhere in time.`,
  notShorter: 'These periods erase nothing that would not have been erased anyway. They take effect at once.',
  keepsAll: 'Documents are then kept until somebody deletes them. This takes effect at once.',
  unchanged: 'These are the periods that are already set.',
  byMonth: 'By month of the end',
  month: 'Month',
  total: 'Total',
  first: (n: number) => `The first ${n} documents`,
  all: 'The documents',
  document: 'Document',
  ended: 'Ended or last changed',
  status: 'Status',
  csv: 'Download the whole list (CSV)',
  csvName: 'documents-to-erase.csv',
  csvColumns: ['id', 'title', 'status', 'ended', 'address'],
  passwordReason: 'Erasing documents cannot be undone.',
  switchOn: 'Erase documents after these periods',
  save: 'Save these periods',
  back: 'Change the periods',
  mail: (count: number, day: string) => {
    const documents = count === 1 ? '1 document' : `${count.toLocaleString('en')} documents`
    return {
      subject: `${documents} will be erased from ${day} on`,
      paragraphs: [
        `From ${day} on, ${documents} will be erased, with files and personal data, because their retention period is over.`,
        'Before then, download the sealed PDFs that must be kept elsewhere, and set a legal hold on what must stay.',
      ],
      link: 'See what will be erased',
    }
  },
  changeMail: (day: string) => ({
    subject: `From ${day} on, documents are kept for a shorter time`,
    paragraphs: [
      `An administrator has shortened the retention periods. From ${day} on, more documents are erased than before, with files and personal data.`,
      'Until then the change can be called off. Download the sealed PDFs that must be kept elsewhere, and set a legal hold on what must stay.',
    ],
    link: 'See what will be erased',
  }),
  notices: {
    saved: 'The retention periods were saved.',
    waiting: 'The retention periods were saved. They take effect after the waiting time.',
    'called-off': 'The change was called off.',
  } as Record<string, string>,
  hold: {
    name: 'Legal hold',
    set: 'Set a legal hold',
    setText: 'Nobody can delete the document until an administrator lifts the hold, and retention does not erase it.',
    lift: 'Lift the legal hold',
    liftText: 'The document can be deleted again. If its retention period is over, it is erased in one of the next nights.',
    reason: 'Reason',
    reasonHint: 'Shown to everybody in your organisation who can see the document. Recipients do not see it.',
    liftReasonHint: 'It is recorded in the history of the document.',
    held: 'Legal hold',
    heldSince: (day: string) => `Under legal hold since ${day}`,
    heldText: 'Nobody can delete this document, and retention does not erase it.',
  },
}
