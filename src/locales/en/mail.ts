/** E-mails in English. */
import type { Role } from '../../core/routing.ts'

type ByRole<T> = Record<Role, T>

export const mail = {
  greeting: (name: string) => `Hello ${name},`,
  theirMessage: 'Message from the sender:',
  reasonGiven: 'Reason given:',
  open: 'Open the document',
  noAccount: 'The link opens the document in your web browser. You do not need an account.',
  doBy: (time: string) => `Please do this by ${time}.`,
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
    everyone: (title: string) =>
      `Everyone has finished “${title}”. An electronic seal now protects the document, so that later changes can be detected. The audit certificate at its end shows who signed and when.`,
    attached: 'The sealed PDF is attached. Please keep it.',
    tooLarge: 'The sealed PDF is too large to attach. Please download it with the link below.',
    thirtyDays: 'You can download it with the link below for 30 days.',
    open: 'Open the sealed document',
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
    ask: (whom: string) => `If you still want to sign, please ask ${whom}.`,
  },
  delegated: {
    subject: (title: string) => `Handed over: ${title}`,
    has: (from: string, to: string, title: string) =>
      `${from} has handed “${title}” over to ${to}. The first signing link no longer works; a new one was e-mailed to ${to}.`,
    notMeant: 'If you do not want this, you can void the document.',
  },
  codeLocked: {
    subject: (title: string) => `Access code locked: ${title}`,
    has: (name: string, title: string) =>
      `The access code for “${title}” was entered incorrectly too many times with the signing link of ${name}. No further tries are accepted.`,
    whatToDo:
      'Please ask this person whether it was them. If so, tell them the code again and send them a reminder: after that they can try again.',
  },
  mailFailed: {
    subject: (title: string) => `E-mail not delivered: ${title}`,
    has: (name: string, title: string) =>
      `The e-mail to ${name} about “${title}” could not be delivered. It will not be tried again.`,
    answer: 'The mail server replied:',
    whatToDo: 'Please check the address. If it is wrong, void the document and send it again with the correct one.',
  },
  sealingFailed: {
    subject: (title: string) => `Not sealed yet: ${title}`,
    has: (title: string) =>
      `Everyone has finished “${title}”, but it could not be sealed yet. Nobody has to sign again: sealing is tried again automatically.`,
    cause: 'Cause:',
  },
  foot: {
    sentFor: (organisation: string) => `Sent by Signet for ${organisation}.`,
    questions: (contact: string) => `Questions? Ask ${contact}.`,
    notBinding: (environment: string) =>
      `This e-mail comes from the environment “${environment}”, which is not for production. Nothing signed there is meant to bind anybody.`,
  },
}

export type MailTexts = typeof mail
