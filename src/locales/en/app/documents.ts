/** Texts of the list of documents and a document's page, in English. */
import type { AttentionCause } from '../../../core/document/attention.ts'
import type { DocumentStatus, EmailStatus, RecipientStatus } from '../../../core/document/document.ts'
import { MAX_LABELS } from '../../../core/document/document-limits.ts'
import type { EventType } from '../../../core/document/event.ts'
import { LINK_MINUTES } from '../../../core/service-limits.ts'
import type { Role, SigningOrder } from '../../../core/signing/routing.ts'
import type { Day } from '../../../lib/relative-time.ts'

const since = ({ text }: Day) => `since ${text}`
const on = ({ kind, text }: Day) => (kind === 'date' || kind === 'weekday' ? `on ${text}` : text)
const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`)

/** How many of the chosen documents took part in an action on several. */
interface Bulk {
  done: number
  none: number
  refused: number
}

/** The parts of a result that happened, as one sentence. */
function result(parts: [n: number, text: string][]): string {
  return `${parts
    .filter(([n]) => n > 0)
    .map(([, text]) => text)
    .join(', ')}.`
}

export const documents = {
  title: 'Documents',
  views: { attention: 'Needs you', waiting: 'Waiting', drafts: 'Drafts', completed: 'Completed', all: 'All' },
  viewsLabel: 'Views',
  live: 'This page was updated.',
  status: {
    draft: 'Draft',
    sent: 'Waiting',
    sealing: 'Being sealed',
    completed: 'Completed',
    declined: 'Declined',
    voided: 'Voided',
    expired: 'Expired',
    template: 'Template',
  } as Record<DocumentStatus, string>,
  sealingFailed: 'Sealing failed',
  recipientStatus: {
    created: 'Not asked yet',
    sent: 'Not opened yet',
    viewed: 'Opened',
    signed: 'Signed',
    declined: 'Declined',
    voided: 'Voided',
    expired: 'Expired',
  } as Record<RecipientStatus, string>,
  approved: 'Approved',
  read: 'Read',
  roles: { signer: 'Signer', approver: 'Approver', viewer: 'Viewer' } as Record<Role, string>,
  untitled: 'Untitled document',
  nameless: 'No name yet',
  noEmail: 'No e-mail address yet',

  list: {
    heading: 'Your documents',
    search: 'Search',
    searchHint: 'Title, file name, name or e-mail',
    person: 'E-mail address of a recipient',
    label: 'Label',
    anyLabel: 'Any label',
    hold: 'Under legal hold',
    from: 'Created from',
    to: 'Created until',
    chips: {
      q: (text: string) => `“${text}”`,
      email: (text: string) => text,
      label: (text: string) => text,
      from: (day: string) => `from ${day}`,
      to: (day: string) => `until ${day}`,
      hold: () => 'Legal hold',
    },
    invalidDay: 'must be a date such as 2026-11-30',
    columns: { title: 'Document', people: 'People', status: 'Status' },
    actions: 'Actions',
    choose: (title: string) => `Choose ${title}`,
    chooseAll: 'Choose all on this page',
    menu: (title: string) => `Actions for ${title}`,
    progress: (done: number, all: number) => `${done} of ${all}`,
    progressLabel: (done: number, all: number) => `${done} of ${all} have finished`,
    noPeople: 'Nobody yet',
    older: 'Older documents',
    newest: 'Newest documents',
    noNewer: 'No newer document matches.',
  },
  /** What waits for the person who reads the page. */
  toSign: {
    title: 'Waiting for your signature',
    from: (name: string) => `From ${name}`,
    sign: 'Sign now',
    approve: 'Approve now',
    yourTurn: 'It is your turn to sign',
    yourTurnToApprove: 'It is your turn to approve',
    how: 'You open the document here, without the link in your e-mail, which stays valid. The audit certificate says so.',
  },
  empty: {
    first: 'Send your first document',
    firstText: 'Upload a PDF, name the people who sign it, and send it. They need no account.',
    send: 'Send a document',
    setUp: 'Before others use the service, set up:',
    attention: 'Nothing needs you',
    attentionText:
      'Documents come here that wait for your signature, were declined, are about to expire, or whose e-mails did not arrive.',
    waiting: 'Nothing is waiting',
    waitingText: 'Documents are here from when you send them until everyone has finished.',
    drafts: 'No drafts',
    draftsText: 'A document that you have begun and not yet sent is kept here.',
    completed: 'Nothing completed yet',
    completedText: 'Sealed documents are kept here.',
    all: 'No documents',
    allText: 'What you send is listed here.',
    toRead: 'What the people of this organisation send is listed here.',
    noMatch: 'No document matches',
    noMatchText: 'Change the search, or remove a filter.',
  },
  bulk: {
    bar: 'Actions for the chosen documents',
    /** `{n}` is replaced by the script. */
    chosen: '{n} chosen',
    remind: 'Remind',
    void: 'Void',
    download: 'Download as ZIP',
    label: 'Add label',
    labelName: 'Label',
    nothingChosen: 'Choose at least one document first: tick the box before its title.',
    noReason: 'Nothing was voided: enter a reason, which everyone who is informed can read.',
    noLabel: 'Nothing was labelled: enter a label.',
    voidTitle: 'Void the chosen documents',
    voidText:
      'Their signing links stop working, and everyone who was asked by e-mail is informed by e-mail, also those who have signed. Documents that have ended stay as they are. This cannot be undone.',
    reminded: ({ done, none, refused }: Bulk) =>
      result([
        [done, `${done} reminded`],
        [none, `${none} had nobody due`],
        [refused, `${refused} ${refused === 1 ? 'is' : 'are'} not waiting for anybody`],
      ]),
    voided: ({ done, refused }: Bulk) =>
      result([
        [done, `${done} voided`],
        [refused, `${refused} could not be voided`],
      ]),
    labelled: ({ done, refused }: Bulk) =>
      result([
        [done, `${done} labelled`],
        [refused, `${refused} could not be labelled`],
      ]),
    noneDue: 'Everyone whose turn it is was e-mailed within the last hour.',
    noneMailed: 'Those whose turn it is get their link from you or your program, not by e-mail.',
    notWaiting: (status: string) => `Not reminded: ${status}.`,
    notVoided: (status: string) => `Not voided: ${status}.`,
    notLabelled: `It has ${MAX_LABELS} labels already.`,
  },
  attention: {
    sealing_failed: 'It could not be sealed yet.',
    email_failed: (name: string) => `The e-mail to ${name} could not be delivered.`,
    access_code_locked: (name: string) => `${name} entered a wrong code too often.`,
    declined: (name: string) => `${name} declined.`,
    expired: 'It expired.',
    expires_soon: (day: Day) => `It expires ${on(day)}.`,
  } satisfies Record<AttentionCause, unknown>,

  advice: {
    email_failed: 'Correct the e-mail address: a new link is then sent.',
    access_code_locked:
      'Ask by telephone whether it was them, and give the access code again if there is one. “Unlock” beside the person then allows new tries.',
  },

  /** What happened last, or a line of the history; `name` is the recipient. */
  acts: {
    'document.created': () => 'Created',
    'document.updated': () => 'Draft edited',
    'document.sent': () => 'Sent',
    'document.viewed': (name: string) => `${name} opened the document`,
    'document.completed': () => 'Completed and sealed',
    'document.declined': (name: string) => `${name} declined`,
    'document.voided': () => 'Voided',
    'document.expired': () => 'Expired',
    'document.sealing_failed': () => 'Sealing failed',
    'recipient.notified': (name: string) => `${name} was asked to sign`,
    'recipient.link_created': (name: string) => `A signing link for ${name} was created`,
    'recipient.signed': (name: string) => `${name} signed`,
    'recipient.email_failed': (name: string) => `The e-mail to ${name} could not be delivered`,
    'recipient.reminded': (name: string) => `${name} was reminded`,
    'recipient.corrected': (name: string) => `${name} was corrected`,
    'recipient.delegated': (name: string) => `Handed over to ${name}`,
    'recipient.access_code_locked': (name: string) => `${name} entered a wrong code too often`,
    'recipient.code_sent': (name: string) => `${name} asked for a one-time code`,
  } satisfies Partial<Record<EventType, (name: string) => string>>,
  approvedAct: (name: string) => `${name} approved`,
  turnOf: (name: string) => `It is the turn of ${name}, whose link is handed out`,
  sentTo: (names: string) => `Sent to ${names}`,
  delegatedFromTo: (from: string, to: string) => `${from} handed over to ${to}`,
  correctedFromTo: (from: string, to: string) => `${from} was corrected to ${to}`,
  correctedAddress: (name: string, from: string, to: string) =>
    `The e-mail address of ${name} was corrected from ${from} to ${to}`,
  actors: {
    you: 'You',
    system: 'Signet',
    apiKey: (name: string) => `API token “${name}”`,
    unknown: 'An earlier user',
    commandLine: 'Command line',
  },

  page: {
    back: 'Documents',
    /** The state in one sentence. */
    state: {
      draft: 'This is a draft. Nobody has received it yet.',
      waitingFor: (names: string, day: Day) => `Waiting for ${names} ${since(day)}.`,
      people: (n: number) => `${n} people`,
      expires: (day: Day) => `Expires ${on(day)}.`,
      sealing: 'Everyone has finished. The document is being sealed.',
      sealingFailed: 'Everyone has finished, but the document could not be sealed yet.',
      completed: (day: Day) => `Everyone has finished. Sealed ${on(day)}.`,
      declined: (name: string, day: Day) => `${name} declined ${on(day)}.`,
      voided: (day: Day) => `Voided ${on(day)}.`,
      expired: (day: Day, names: string) => `Expired ${on(day)} before ${names} had finished.`,
    },
    reason: 'Reason',
    continue: 'Continue',
    missing: 'Before you can send it:',
    ready: 'Nothing is missing: review it and send it.',
    lookAt: 'Look at this before you send it:',
    moreFindings: (n: number) => `and ${n} more`,
    remind: 'Remind',
    more: 'More',
    download: 'Download',
    downloadSealed: 'Download sealed PDF',
    downloadOriginal: 'Download original',
    downloadNow: 'Download with signatures so far',
    evidence: 'Download evidence pack',
    duplicate: 'Duplicate',
    saveAsTemplate: 'Save as template',
    void: 'Void',
    voidTitle: 'Void the document',
    voidText:
      'When you void the document, its signing links stop working, and everyone who was asked by e-mail is informed by e-mail, also those who have signed. This cannot be undone.',
    voidReason: 'Reason',
    voidReasonHint: 'Everyone who is informed can read it.',
    delete: 'Delete',
    deleteTitle: 'Delete permanently',
    deleteText: 'Deleting removes the document and its files permanently. Only the record of the deletion remains.',
    deleteNow: 'Delete permanently',
    sealingTrouble: 'Why it could not be sealed',
    sealingAgain: 'Sealing is tried again automatically.',
    tryAgain: 'Try again',
    expiresSoon: (day: Day) => `It expires ${on(day)}. A reminder may help.`,
    document: 'Document',
    openDocument: (pages: number) => `Download the PDF (${count(pages, 'page', 'pages')})`,
    showPerson: 'Show the person',
    people: 'People',
    order: { parallel: 'All at the same time', sequential: 'One after another' } as Record<SigningOrder, string>,
    did: {
      asked: 'Asked',
      opened: 'Opened',
      signed: 'Signed',
      approved: 'Approved',
      read: 'Read',
      declined: 'Declined',
    },
    reminders: (n: number) => (n === 1 ? 'Reminded once' : `Reminded ${n} times`),
    mail: {
      none: 'Not e-mailed yet',
      queued: 'The e-mail is about to be sent',
      delivered: 'The e-mail was accepted by the mail server',
      failed: 'The e-mail could not be delivered',
    } as Record<EmailStatus, string>,
    mailWritten: 'The e-mail is in the outbox folder',
    reply: 'Reply of the mail server',
    codeLocked: 'Locked after too many wrong codes.',
    unlock: 'Unlock',
    asksCode: 'with an access code',
    byLink: 'link handed out, sealed copy by e-mail',
    link: {
      create: 'Create a signing link',
      before: `It opens only once, within ${LINK_MINUTES} minutes: create it when you hand it out.`,
      title: (name: string) => `Signing link for ${name}`,
      hint: (name: string, time: string) =>
        `It opens once, until ${time}. Whoever opens it can sign as ${name}: hand it out to nobody else. A newer link replaces it.`,
      notAllowed: 'Links can no longer be handed out: an administrator can allow it under Settings → Organisation.',
    },
    asksOneTimeCode: 'with a one-time code',
    /** What a person entered in the fields. */
    entries: (n: number): string => (n === 1 ? '1 entry' : `${n} entries`),
    senderEntries: (n: number): string => (n === 1 ? '1 entry of the sender' : `${n} entries of the sender`),
    activeContent: 'This PDF may contain scripts or attached files. Open it only if you trust the person.',
    ticked: 'ticked',
    notTicked: 'not ticked',
    correct: 'Correct',
    correctText: 'The link that was sent stops working. A new one is e-mailed.',
    correctTextByLink: 'A link that was handed out stops working. Create a new one afterwards.',
    correctNow: 'Correct and send again',
    correctTextBefore: 'Nothing has been sent to this person yet.',
    correctNowBefore: 'Correct',
    name: 'Name',
    email: 'E-mail address',
    labels: 'Labels',
    labelsHint: 'Words to find the document by, with commas between. Recipients do not see them.',
    editLabels: 'Edit labels',
    saveLabels: 'Save labels',
    message: 'Message',
    details: 'Details',
    history: 'History',
    record: 'Technical record',
    recordText: 'Every entry of the audit log, each with its hash. The hashes are in the evidence pack too.',
    columns: { time: 'Time', event: 'Entry', by: 'By', hash: 'Audit hash' },
    facts: {
      file: 'File',
      pages: (n: number) => count(n, 'page', 'pages'),
      order: 'Signing order',
      created: 'Created',
      sent: 'Sent',
      expires: 'Expires',
      completed: 'Completed',
      language: 'Language',
      reminders: 'Reminders',
      remindersAre: (first: number, every: number, max: number) =>
        `after ${count(first, 'day', 'days')}, then every ${every === 1 ? 'day' : `${every} days`}, at most ${max}`,
      noReminders: 'none',
      id: 'Document ID',
      original: 'SHA-256 of the original',
      sealed: 'SHA-256 of the sealed file',
      level: 'Level of the seal',
      noLevel: 'none: its form is PKCS#7',
      metadata: 'Metadata',
    },
  },
  notices: {
    alreadySent: 'This document has already been sent.',
    sent: 'The document was sent.',
    sentByLink:
      'The document is out for signature. Those who get a link from you or your program have received nothing yet: you can create their links here.',
    voided: 'The document was voided.',
    deleted: 'The document was deleted.',
    labels: 'The labels were saved.',
    held: 'A legal hold was set.',
    holdLifted: 'The legal hold was lifted.',
    unlocked: (name: string) => `${name} can enter the code again. Nothing was e-mailed: the link stays as it was.`,
    sealing: 'Sealing was started again. This page shows the result.',
    reminded: (names: string) => `A reminder is being e-mailed to ${names}.`,
    quietHours: 'Quiet hours hold back only the reminders that are sent automatically.',
    remindedInFolder: (names: string) =>
      `A reminder to ${names} was written to the outbox folder, because no mail server is set.`,
    nobodyDue: 'No reminder was sent: the recipients whose turn it is were e-mailed within the last hour.',
    nobodyMailed: 'No reminder was sent: those whose turn it is get their link from you or your program, not by e-mail.',
    correctedByLink: (person: string) => `The recipient is now ${person}. Create a new link to hand out.`,
    corrected: (person: string) => `The recipient is now ${person}. A new link is being e-mailed.`,
    correctedBefore: (person: string) => `The recipient is now ${person}. The e-mail follows when it is their turn.`,
    unchanged: 'Nothing was changed, and no e-mail was sent. To send the link again, use Remind.',
    duplicated: 'This is a copy: change what differs, then send it.',
    duplicatedWithoutCodes: 'This is a copy. Access codes were not copied: set new ones for the people, then send it.',
  },
}
