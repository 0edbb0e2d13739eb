/** Messages to recipients. English is here: refusals of core carry it. The rest is in `locales`. */
import type { FieldType } from '../field/field.ts'
import { fileSize } from '../field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../service-limits.ts'

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
  paragraph: 'Paragraph',
  radio: 'Choice',
  image: 'Image',
  attachment: 'Attachment',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const size = (bytes: number) => fileSize(bytes, 'en')

const characters = (max: number) => (max === 1 ? '1 character' : `${max} characters`)

export const ENGLISH = {
  // A field.
  required: (field: NamedField) => `${name(field)}: please fill this in`,
  tooLong: (field: NamedField, max: number) => `${name(field)}: please use at most ${characters(max)}`,
  tooLongForPlace: (field: NamedField, about: number) =>
    `${name(field)}: this is too long for its place in the document. Please use at most about ${characters(about)}`,
  notAChoice: (field: NamedField, options: string[]) => `${name(field)}: please choose one of ${options.join(', ')}`,
  notANumber: (field: NamedField) => `${name(field)}: please enter a number such as 1250 or 12.50`,
  /** `larger` and `smaller` are what the entry could be. */
  numberUnclear: (field: NamedField, larger: string, smaller: string) =>
    `${name(field)}: this can be two numbers. Please enter ${larger} or ${smaller}`,
  tooSmall: (field: NamedField, min: number) => `${name(field)}: please enter at least ${min}`,
  tooLarge: (field: NamedField, max: number) => `${name(field)}: please enter at most ${max}`,
  notADate: (field: NamedField) => `${name(field)}: please enter a date such as 2026-12-31`,
  notAnEmail: (field: NamedField) => `${name(field)}: please enter an e-mail address such as ada@example.com`,
  notTrueOrFalse: (field: NamedField) => `${name(field)}: must be true or false`,
  tickRequired: (field: NamedField) => `${name(field)}: please tick the box`,
  fileMissing: (field: NamedField) => `${name(field)}: please choose a file`,
  fileEmpty: (field: NamedField) => `${name(field)}: this file is empty. Please choose another one`,
  fileTooLarge: (field: NamedField, max: number) =>
    `${name(field)}: this file is too large. Please choose one of at most ${size(max)}`,
  fileWrongType: (field: NamedField, types: string[]) =>
    `${name(field)}: please choose a file of one of these types: ${types.join(', ')}`,
  fileUnreadable: (field: NamedField, type: string) =>
    `${name(field)}: this ${type} file is damaged or incomplete. Please choose another one, or save it again`,
  fileNeedsPassword: (field: NamedField) =>
    `${name(field)}: this PDF can only be opened with a password. Please choose one without a password`,
  fileTooManyPixels: (field: NamedField, megapixels: number) =>
    `${name(field)}: this picture is too large. Please choose one of at most ${megapixels} megapixels`,
  fileTooComplex: (field: NamedField) =>
    `${name(field)}: this file takes too long to read. Please choose another one, or print it to a new PDF`,
  tooManyFiles: () => 'Too many files were sent in a short time. Please wait a minute and try again.',
  fileChanged: (field: NamedField) =>
    `${name(field)}: this file was changed in another window. Please check it, then finish again`,
  filesTooLarge: (field: NamedField, max: number) =>
    `${name(field)}: your files are together larger than ${size(max)}. Please remove one, or choose a smaller one`,
  unprintable: (characters: string) =>
    `Your entry contains characters that cannot be printed: ${characters}. Please remove or replace them.`,
  // Signing.
  consentMissing: () => 'Please agree by ticking the box.',
  deviceKeyMissing: () => 'The sender asks you to sign with a key of your device too. Please sign again, and use it then.',
  deviceKeyImpossible: () =>
    'The sender asks for a key of your device, which this service cannot use: its address is no name with https. Please tell the sender.',
  deviceKeyWrong: () =>
    'The signature of your device does not fit: the document, your entries or the time have changed since. Please use the key once more.',
  signatureMissing: () => 'Please type your full name as your signature.',
  initialsMissing: () => 'Please type your initials.',
  drawingMissing: () => 'The drawing is empty. Please draw, or choose another method.',
  drawingUnreadable: () => 'The drawing could not be read. Please draw it again.',
  pictureMissing: () => 'Please choose a picture, or choose another method.',
  pictureUnreadable: () =>
    'This file cannot be read as a PNG picture. Please choose a PNG file, or take a screenshot of the picture.',
  pictureTooLarge: (megabytes: number, megapixels: number) =>
    `This picture is too large. Please choose one of at most ${megabytes} MB and ${megapixels} megapixels.`,
  pictureEmpty: () => 'No handwriting was found in this picture. Please take a closer photo on white paper, in good light.',
  markTooLong: (max: number) => `Please use at most ${characters(max)}.`,
  documentChanged: () => 'The document is not the one this page showed you. Please reload the page.',
  consentChanged: () =>
    'The text you agreed to has changed since you opened this page. Please reload the page and read it again.',
  receiptLater: () => 'Your receipt cannot be made at the moment. Please try again later.',
  notOpened: () => 'Please open the document before you finish.',
  signingPeriodOver: () => 'The deadline for signing this document has passed.',
  nothingForViewers: () => 'You receive a copy of this document. There is nothing for you to sign.',
  notOpen: (status: string) => `This document can no longer be signed. Its status is “${status}”.`,
  // Declining and delegating.
  reasonMissing: () => 'Please say in a few words why you decline.',
  reasonTooLong: (max: number) => `Please use at most ${characters(max)}.`,
  nothingToDecline: () => 'There is nothing left for you to decline in this document.',
  nameMissing: () => 'Please enter the name of your colleague.',
  addressWrong: () => 'Please enter an e-mail address such as ada@example.com.',
  sameAddress: () => 'This is your own address. Please enter the address of a colleague.',
  addressInUse: () => 'This person is already asked to sign this document. Please choose somebody else.',
  delegationForbidden: () =>
    'The sender does not allow you to hand this document over. You can sign it, or decline it with a reason.',
  nothingToDelegate: () => 'There is nothing left for you to hand over in this document.',
  delegatedOften: () =>
    'This document was handed over too often today. Please try again tomorrow, or ask the sender to name the right person.',
  // The link and the access code.
  linkUnknown: () => 'This link is not valid. Please use the link in the latest e-mail, or ask the person who sent it to you.',
  linkReplaced: () => 'This link was replaced by a newer one. Please use the link in the latest e-mail.',
  linkReaddressed: () =>
    'This link does not work any more: the sender has changed whom it is for. If you still expect the document, please ask the sender.',
  /** `to`: the person whom the reader named. */
  linkHandedOver: (to: string | undefined) =>
    to === undefined
      ? 'This document was handed over to somebody else. This link no longer works, and there is nothing left to do here.'
      : `You have handed this document over to ${to}. Your own link no longer works, and there is nothing left for you to do.`,
  linkAsked: () =>
    'A new link was asked for a short while ago. Please look into your mailbox, also into the spam folder. You can ask again later.',
  senderAsked: () => 'The sender was asked for a new link a short while ago. You can ask again later.',
  linkUsed: () =>
    'This link opens only once and was opened before, or there is a newer one. Go on in the window in which you opened it, or go back to where you found it and ask there for a new one.',
  linkTooOld: () =>
    `This link has expired: it is valid for ${LINK_MINUTES} minutes. Please go back to where you found it and open the document from there.`,
  sessionOver: () => 'Your session has ended. Please go back to where you found the link and open the document from there.',
  openByLink: () =>
    'Your session has ended, or this page belongs to another browser. Please open the document with the link that you were given. If it opens only once, ask for a new one where you got it.',
  tooManyLinks: () => 'Too many invalid links were opened from your network. Please wait a minute and try again.',
  withdrawn: () => 'The sender has voided this document. There is nothing left to sign.',
  expired: () => 'The deadline for signing this document has passed. Please ask the sender to send it again.',
  declined: () => 'This document was declined. There is nothing left to sign.',
  copyExpired: () =>
    `The document was completed more than ${COPY_DAYS} days ago and can no longer be downloaded here. The sealed copy was e-mailed to you.`,
  codeMissing: () => 'Please enter the access code.',
  codeWrong: (attemptsLeft: number) =>
    `The access code is not correct. You have ${attemptsLeft === 1 ? 'one try' : `${attemptsLeft} tries`} left.`,
  codePause: (seconds: number) =>
    `Please wait ${seconds === 1 ? '1 second' : `${seconds} seconds`} before you enter the access code again.`,
  codeLocked: () =>
    'The access code was entered incorrectly too many times. Please ask the sender to unlock it: after that you can try again.',
  oneTimeCodeMissing: () => 'Please enter the six digits of the code.',
  oneTimeCodeWrong: (attemptsLeft: number) =>
    `This code is not correct. You have ${attemptsLeft === 1 ? 'one try' : `${attemptsLeft} tries`} left with it.`,
  oneTimeCodeDead: () => 'This code was entered incorrectly five times and is no longer valid. Please ask for a new code.',
  oneTimeCodeUsed: () => 'This code was used before: each code is valid once. Please ask for a new code.',
  oneTimeCodeExpired: () => `This code has expired: it is valid for ${CODE_MINUTES} minutes. Please ask for a new code.`,
  oneTimeCodeElsewhere: () =>
    'No code that was asked for in this browser is valid here. A code works only where it was asked for. Please ask for a new code.',
  oneTimeCodeWait: (seconds: number) =>
    `Please wait ${seconds < 90 ? (seconds === 1 ? '1 second' : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`} before you ask for another code.`,
  oneTimeCodeLocked: () =>
    'Wrong codes were entered too many times. Please ask the sender to unlock the document for you: after that you can try again.',
  oneTimeCodeUndeliverable: () =>
    'A code cannot be sent to you at the moment. Please tell the sender, who has to connect the program that passes on the codes.',
  foreignForm: () => 'This form was not sent from our own page. Please go back, reload the page and try again.',
  // The service.
  busy: () => 'The service is busy at the moment. Please try again in a few seconds.',
  notStored: () => 'Data cannot be stored right now. Nothing of this was stored; try again in a minute.',
  notReachable: () => 'The service cannot reach its data at the moment. Nothing was stored. Please try again in a few seconds.',
  notConfirmed: () =>
    'The connection was lost before the service could confirm the change. It may have been stored: please check before you repeat it.',
}

export type MessageCatalogue = typeof ENGLISH

/** What the value of a field may be refused for. */
export const VALUE_MESSAGES = [
  'required',
  'tooLong',
  'tooLongForPlace',
  'notAChoice',
  'notANumber',
  'numberUnclear',
  'tooSmall',
  'tooLarge',
  'notADate',
  'notAnEmail',
  'notTrueOrFalse',
  'tickRequired',
] as const satisfies (keyof MessageCatalogue)[]

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

export function translate(messages: MessageCatalogue, { key, args }: MessageRef): string {
  return (messages[key] as (...args: unknown[]) => string)(...args)
}
