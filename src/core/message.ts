/**
 * The messages to recipients, by key and arguments: in English here and in the API, translated on
 * the signer's pages. Pure.
 */
import type { FieldType } from './field.ts'

/** A message names a field by its label, or by its type if it has none. */
export interface NamedField {
  label: string | undefined
  type: FieldType
}

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Signature',
  initials: 'Initials',
  date: 'Date',
  name: 'Name',
  email: 'E-mail',
  text: 'Text',
  checkbox: 'Checkbox',
  dropdown: 'Choice',
  number: 'Number',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const characters = (max: number) => (max === 1 ? '1 character' : `${max} characters`)

export const ENGLISH = {
  // A field.
  required: (field: NamedField) => `${name(field)}: please fill this in`,
  tooLong: (field: NamedField, max: number) => `${name(field)}: please use at most ${characters(max)}`,
  notAChoice: (field: NamedField, options: string[]) => `${name(field)}: please choose one of ${options.join(', ')}`,
  notANumber: (field: NamedField) => `${name(field)}: please enter a number such as 1250 or 12.50`,
  notAnEmail: (field: NamedField) => `${name(field)}: please enter an e-mail address such as ada@example.com`,
  notTrueOrFalse: (field: NamedField) => `${name(field)}: must be true or false`,
  tickRequired: (field: NamedField) => `${name(field)}: please tick the box`,
  unprintable: (characters: string) =>
    `Your entry holds characters this service has no letters for: ${characters}. Please write it without them.`,
  // The act.
  consentMissing: () => 'Please agree to sign electronically by ticking the box.',
  signatureMissing: () => 'Please type your full name as your signature.',
  initialsMissing: () => 'Please type your initials.',
  drawingMissing: () => 'Please draw it, or choose another way.',
  drawingUnreadable: () => 'The drawing could not be read. Please draw it again.',
  pictureMissing: () => 'Please choose a picture, or choose another way.',
  pictureUnreadable: () =>
    'This file cannot be read as a PNG picture. Please choose a PNG file, or take a screenshot of the picture.',
  pictureTooLarge: (megabytes: number, megapixels: number) =>
    `This picture is too large. Please choose one of at most ${megabytes} MB and ${megapixels} megapixels.`,
  pictureEmpty: () => 'No ink was found in this picture. Please take it closer, on white paper, in good light.',
  markTooLong: (max: number) => `Please use at most ${characters(max)}.`,
  documentChanged: () => 'The document shown to you is not the one to be signed. Please reload the page.',
  consentChanged: () => 'The text you agreed to has changed meanwhile. Please reload the page and read it again.',
  notOpened: () => 'Please open the document before you finish.',
  signingPeriodOver: () => 'The time to sign this document is over.',
  nothingForViewers: () => 'You receive a copy of this document; there is nothing for you to sign.',
  notOpen: (status: string) => `The document is ${status}: it cannot be signed any more.`,
  // Declining and handing over.
  reasonMissing: () => 'Please say in a few words why you decline.',
  reasonTooLong: (max: number) => `Please use at most ${characters(max)}.`,
  nothingToDecline: () => 'You have nothing open in this document that could be declined.',
  nameMissing: () => 'Please enter the name of your colleague.',
  addressWrong: () => 'Please enter an e-mail address such as ada@example.com.',
  sameAddress: () => 'Please name somebody else: this is your own address.',
  addressInUse: () => 'This person already signs this document. Please name somebody else.',
  delegationForbidden: () => 'The sender wants nobody but you to do this. You can sign, or decline with a reason.',
  nothingToDelegate: () => 'You have nothing open in this document that could be handed over.',
  // The link and its code.
  linkUnknown: () => 'This link is not valid. Please use the link in the latest e-mail, or ask the person who sent it to you.',
  openByMail: () =>
    'Please open the document with the link in your e-mail; this page belongs to another browser or has been open too long.',
  tooManyLinks: () => 'Too many links that are not valid were opened from here. Please wait a minute.',
  withdrawn: () => 'The sender has withdrawn this document. There is nothing to sign any more.',
  expired: () => 'The time to sign this document is over. Please ask the sender to send it again.',
  declined: () => 'This document was declined. There is nothing to sign any more.',
  copyExpired: () =>
    'The document was completed more than 30 days ago and is not offered here any more. The sealed copy was e-mailed to you.',
  codeMissing: () => 'Please enter the access code.',
  codeWrong: (triesLeft: number) =>
    `This access code is not right. You have ${triesLeft === 1 ? 'one more try' : `${triesLeft} more tries`}.`,
  codePause: (seconds: number) =>
    `Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} before you try the access code again.`,
  codeLocked: () =>
    'The access code was entered wrongly too often. Please ask the sender for a reminder: it gives you new tries.',
  foreignForm: () => 'This form was not sent from our own page. Please go back, reload the page and try again.',
  // The machine.
  busy: () => 'The service is too busy at the moment. Please try again in a few seconds.',
}

/** All messages in one language. */
export type MessageCatalogue = typeof ENGLISH

/** One message: its key and the arguments of its sentence. */
export type MessageRef = {
  [K in keyof MessageCatalogue]: { key: K; args: Parameters<MessageCatalogue[K]> }
}[keyof MessageCatalogue]

/** A message in English, and the reference from which it is translated. */
export interface LocalizedMessage {
  message: string
  messageRef: MessageRef
}

export function localized<K extends keyof MessageCatalogue>(key: K, ...args: Parameters<MessageCatalogue[K]>): LocalizedMessage {
  const messageRef = { key, args } as MessageRef
  return { message: translate(ENGLISH, messageRef), messageRef }
}

/** The sentence in the catalogue's language. */
export function translate(messages: MessageCatalogue, { key, args }: MessageRef): string {
  return (messages[key] as (...args: unknown[]) => string)(...args)
}
