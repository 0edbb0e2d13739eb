/** English: the mails. */
import type { Role } from '../../core/routing.ts'

type ByRole<T> = Record<Role, T>

export const mail = {
  greeting: (name: string) => `Hello ${name},`,
  theirMessage: 'Their message to you:',
  reasonGiven: 'The reason given:',
  open: 'Open the document',
  noAccount: 'The link opens the document in your web browser. You need no account.',
  doBy: (time: string) => `Please do this by ${time}.`,
  forYouAlone: 'The link is for you alone: please do not pass it on.',
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
    everyone: (title: string) =>
      `Everyone has finished “${title}”. An electronic seal now protects the document, so that later changes can be detected. Its last pages tell who signed and when.`,
    attached: 'The sealed PDF is attached. Please keep it.',
    tooLarge: 'The sealed PDF is too large for an e-mail: please download it with the link below.',
    thirtyDays: 'You can download it with the link below for 30 days.',
    open: 'Open the sealed document',
  },
  declined: {
    subject: (title: string) => `Declined: ${title}`,
    has: (name: string | undefined, title: string) =>
      `${name ?? 'A recipient'} has declined “${title}”. Nobody needs to sign it any more.`,
  },
  voided: {
    subject: (title: string) => `Voided: ${title}`,
    toSender: (title: string) => `“${title}” was voided.`,
    toRecipient: (organisation: string, title: string) =>
      `${organisation} has voided “${title}”. You need not do anything any more.`,
  },
  expired: {
    subject: (title: string) => `Expired: ${title}`,
    inTime: (title: string) => `“${title}” was not signed by everyone in time and has expired. Its links do not work any more.`,
    ask: (whom: string) => `If you still want to sign, please ask ${whom}.`,
  },
  delegated: {
    subject: (title: string) => `Handed over: ${title}`,
    has: (from: string, to: string, title: string) =>
      `${from} has handed “${title}” over to ${to}. The first link does not work any more; a new one was e-mailed to ${to}.`,
    notMeant: 'If you do not want this, you can void the document.',
  },
  codeLocked: {
    subject: (title: string) => `Access code wrong too often: ${title}`,
    has: (name: string, title: string) =>
      `The access code for “${title}” was entered wrongly too often with the link of ${name}. No further tries are accepted.`,
    whatToDo:
      'Please ask that person whether it was them. If so, tell them the code once more and send them a reminder of the document: that gives new tries.',
  },
  mailFailed: {
    subject: (title: string) => `E-mail not delivered: ${title}`,
    has: (name: string, title: string) =>
      `The e-mail to ${name} about “${title}” could not be delivered. No further attempt is made.`,
    answer: 'The mail server’s answer:',
    whatToDo: 'Please check the address. If it is wrong, void the document and send it again with the right one.',
  },
  sealingFailed: {
    subject: (title: string) => `Not sealed yet: ${title}`,
    has: (title: string) =>
      `Everyone has finished “${title}”, but it could not be sealed yet. Nobody has to sign again: the service tries again by itself.`,
    cause: 'The cause:',
  },
  foot: {
    sentFor: (organisation: string) => `Sent by Signet for ${organisation}.`,
    questions: (contact: string) => `Questions? Ask ${contact}.`,
    notBinding: (environment: string) =>
      `This comes from a ${environment} environment: nothing signed here is meant to bind anyone.`,
  },
}

export type MailTexts = typeof mail
