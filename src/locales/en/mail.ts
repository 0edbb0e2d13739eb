/** E-mails in English. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { Role } from '../../core/signing/routing.ts'

type ByRole<T> = Record<Role, T>

export const mail = {
  greeting: (name: string) => `Hello ${name},`,
  messageFrom: (name: string) => `Message from ${name}:`,
  reasonGiven: 'Reason given:',
  open: 'Open the document',
  opens: {
    signer:
      'The link opens the document in your web browser. You read it there, then sign or decline. You need no account and no password.',
    approver:
      'The link opens the document in your web browser. You read it there, then approve or decline. You need no account and no password.',
    viewer: 'The link opens the document in your web browser for you to read. You need no account and no password.',
  } as ByRole<string>,
  linkHint: 'If the button does not work, open this address in your web browser:',
  doBy: (time: string) => `Please do this by ${time}.`,
  handedOverBy: (name: string) => `${name} was asked first and has handed this over to you.`,
  forYouAlone: 'This link is for you only. Please do not forward it.',
  invitation: {
    subject: {
      signer: (title: string) => `Please sign: ${title}`,
      approver: (title: string) => `Please approve: ${title}`,
      viewer: (title: string) => `Please read: ${title}`,
    } as ByRole<(title: string) => string>,
    asks: {
      signer: (organisation: string, title: string) => `${organisation} asks you to sign “${title}”.`,
      approver: (organisation: string, title: string) => `${organisation} asks you to approve “${title}”.`,
      viewer: (organisation: string, title: string) => `${organisation} asks you to read “${title}”.`,
    } as ByRole<(organisation: string, title: string) => string>,
  },
  reminder: {
    subject: {
      signer: (title: string) => `Reminder: please sign ${title}`,
      approver: (title: string) => `Reminder: please approve ${title}`,
      viewer: (title: string) => `Reminder: please read ${title}`,
    } as ByRole<(title: string) => string>,
    waits: {
      signer: (organisation: string, title: string) => `${organisation} is still waiting for you to sign “${title}”.`,
      approver: (organisation: string, title: string) => `${organisation} is still waiting for you to approve “${title}”.`,
      viewer: (organisation: string, title: string) => `${organisation} is still waiting for you to read “${title}”.`,
    } as ByRole<(organisation: string, title: string) => string>,
  },
  completed: {
    subject: (title: string) => `Completed: ${title}`,
    everyone: (title: string) => `Everyone has finished “${title}”. It is now sealed.`,
    sealMeans:
      'The electronic seal protects the document, so that later changes can be detected. The audit certificate at its end shows who signed and when.',
    attached: 'The sealed PDF is attached. Please keep it.',
    tooLarge: 'The sealed PDF is too large to attach. Please download it with the link.',
    thirtyDays: `You can download it with the link for ${COPY_DAYS} days.`,
    open: 'Open the sealed document',
  },
  /** To who has signed or approved while others have not. `attached` is also said when all have. */
  receipt: {
    subject: (title: string) => `Your receipt: ${title}`,
    signed: (title: string) => `You have signed “${title}”.`,
    approved: (title: string) => `You have approved “${title}”.`,
    attached:
      'Your receipt is attached, a file that ends in “.eml”. It proves what you have confirmed, and when. Please keep it: it can be verified without this service.',
    whenAll: 'You will receive the sealed document when everyone has finished.',
  },
  declined: {
    subject: (title: string) => `Declined: ${title}`,
    has: (name: string | undefined, title: string) =>
      `${name ?? 'A recipient'} has declined “${title}”. It can no longer be signed.`,
  },
  voided: {
    subject: (title: string) => `Voided: ${title}`,
    toSender: (title: string) => `“${title}” was voided.`,
    toRecipient: (organisation: string, title: string) =>
      `${organisation} has voided “${title}”. You do not have to do anything.`,
  },
  expired: {
    subject: (title: string) => `Expired: ${title}`,
    inTime: (title: string) => `“${title}” was not signed by everyone in time and has expired. Its signing links no longer work.`,
    ask: (whom: string) => `If the document is still needed, please contact ${whom}.`,
  },
  /** To those who have signed or approved what then ended otherwise. */
  finishedBefore: {
    signed: 'You have already signed this document. It will not be completed or sealed.',
    approved: 'You have already approved this document. It will not be completed or sealed.',
  },
  delegated: {
    subject: (title: string) => `Handed over: ${title}`,
    has: (from: string, to: string, title: string) =>
      `${from} has handed “${title}” over to ${to}. The first signing link no longer works; a new one was e-mailed to ${to}.`,
    notMeant: 'If you do not want this, you can void the document.',
  },
  linkRequested: {
    subject: (title: string) => `Asks for a new link: ${title}`,
    has: (name: string, title: string) => `${name} opened the link to “${title}”, which has expired, and asks for a new one.`,
    whatToDo: 'The document can be duplicated on its page and sent again.',
  },
  oneTimeCode: {
    subject: (organisation: string) => `Your code for the document from ${organisation}`,
    is: (code: string) => `Your code is ${code}`,
    minutes: (minutes: number) =>
      `Enter it on the page where you asked for it. It is valid for ${minutes} minutes and only in that browser.`,
    tellNobody:
      'Tell nobody this code, not even the sender. If you did not ask for it, you can ignore this e-mail: without the code nobody can open the document.',
  },
  codeLocked: {
    subject: (title: string) => `Too many wrong codes: ${title}`,
    has: (name: string, title: string) =>
      `A wrong code was entered too many times for “${title}” with the signing link of ${name}. No further tries are accepted.`,
    whatToDo: {
      accessCode:
        'Please ask this person whether it was them. If so, tell them the access code again and unlock it on the page of the document: after that they can try again.',
      oneTimeCode:
        'Please ask this person whether it was them. If so, unlock it for them on the page of the document: after that they can ask for a new code.',
      signingLink:
        'Please ask this person whether it was them. If so, tell them the access code again. One hour after the last try, a new signing link allows more.',
    },
  },
  mailFailed: {
    subject: (title: string) => `E-mail not delivered: ${title}`,
    has: (name: string, title: string) =>
      `The e-mail to ${name} about “${title}” could not be delivered. It will not be tried again.`,
    answer: 'The mail server replied:',
    whatToDo: 'Please check the address. If it is wrong, correct it on the page of the document: the e-mail is then sent again.',
  },
  sealingFailed: {
    subject: (title: string) => `Not sealed yet: ${title}`,
    has: (title: string) =>
      `Everyone has finished “${title}”, but it could not be sealed yet. Nobody has to sign again: sealing is tried again automatically.`,
    cause: 'Cause:',
  },
  foot: {
    sentFor: (organisation: string) => `Sent for ${organisation} by Signet, its service for signing documents.`,
    sent: 'Sent by Signet, a service for signing documents.',
    linksLead: (host: string) => `Links in this e-mail lead only to ${host}.`,
    questions: (whom: string) => `Questions? Reply to this e-mail, or write to ${whom}.`,
    notBinding: (environment: string) =>
      `This e-mail comes from the environment “${environment}”, which is not for production. Nothing signed there is meant to bind anybody.`,
  },
  /** Of the e-mail that the settings show. */
  sample: {
    document: 'Service agreement',
    message: 'This is the agreement that we discussed.',
  },
}

export type MailTexts = typeof mail
