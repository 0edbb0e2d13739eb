/** The recipient's pages in English. `script` and `view` go to the browser: no functions. */
import { CODE_MINUTES } from '../../core/service-limits.ts'
import { FIELD_NAMES } from '../../core/signing/message.ts'
import type { Role } from '../../core/signing/routing.ts'
import { MAX_PHOTO_BYTES } from '../../core/signing/signature-mark.ts'
import { deviceKey } from './device-key.ts'

type ByRole<T> = Record<Role, T>

/** Plural categories of CLDR; `other` replaces a missing one. `{n}` is the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export const signer = {
  deviceKey,
  skip: 'Skip to content',
  skipToForm: 'Skip to the fields',
  greeting: (name: string) => `Hello ${name},`,
  from: (organisation: string) => `From ${organisation}`,
  questions: (contact: string) => `Questions? Ask ${contact}.`,
  check: 'Please check:',
  required: 'required',
  optional: 'optional',
  onPage: (page: number) => `page ${page}`,
  /** Of a test or development instance. */
  notBinding: (environment: string) =>
    `This is the environment “${environment}”, which is not for production. Nothing you sign here is meant to bind you.`,
  fieldNames: FIELD_NAMES,
  /** Titles of the page that is shown in place of one that cannot be. */
  failure: {
    notFound: 'Not found',
    notPossible: 'Not possible',
    over: 'No longer possible',
    wait: 'Please wait',
    ask: (contact: string) => `Questions? Ask ${contact}.`,
  },
  finish: {
    signer: 'Sign and finish',
    approver: 'Approve and finish',
    viewer: 'Finish',
  } as ByRole<string>,

  landing: {
    asks: {
      signer: 'asks you to sign this document.',
      approver: 'asks you to approve this document.',
      viewer: 'asks you to read this document.',
    } as ByRole<string>,
    messageFrom: (name: string) => `Message from ${name}:`,
    howItWorks: 'How it works:',
    /** The second of the steps. */
    act: {
      signer: 'Fill in your fields and add your signature.',
      approver: 'Fill in your fields, if you have any, and agree. You place no signature.',
      viewer: '',
    } as ByRole<string>,
    steps: (button: string, act: string): string[] => [
      'Read the document.',
      act,
      `Press “${button}”. Until then, nothing is final.`,
    ],
    noAccount: 'You do not need an account.',
    binds: {
      signer: 'Your electronic signature is meant to bind you like a handwritten one.',
      approver: 'Your approval, given with your name, is meant to bind you.',
      viewer: '',
    } as ByRole<string>,
    onlyRead: 'You only need to read it; there is nothing to sign. You do not need an account.',
    /** Before and after the moment. */
    doBy: ['Please finish by ', '.'] as [string, string],
    /** Of a link that was handed out. */
    onlyOnce: (time: string) => `This link opens only once, and only until ${time}.`,
    code: 'Access code',
    codeHint: 'The sender gives you this code separately, for example by telephone.',
    codeWait: (seconds: number) =>
      `You can try again in ${seconds < 90 ? (seconds === 1 ? '1 second' : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`}.`,
    open: 'Open the document',
    openSealed: 'Open the sealed document',
  },

  /** Before a document that the link alone does not open. */
  gate: {
    heading: 'Confirm that it is you',
    why: (organisation: string) =>
      `${organisation} has sent you a document. It is protected: before it is shown, please confirm that you are the person it was sent to.`,
    sendTo: (address: string) => `We send a code of six digits by e-mail to ${address}.`,
    /** No mail server is set. */
    bySender: (address: string) =>
      `This service sends no e-mails. The sender can read the code for ${address} and gives it to you.`,
    sendOther: 'The sender’s own service passes a code of six digits on to you, for example as a text message.',
    ask: 'Send me the code',
    askAgain: 'Send a new code',
    sentTo: (address: string) => `We have sent a code to ${address}. It can take a minute.`,
    sentOther: 'A code was passed to the sender’s service, which sends it on to you. It can take a minute.',
    code: 'Code',
    codeHint: `Six digits. The code is valid for ${CODE_MINUTES} minutes, in this browser.`,
    missing: 'The code does not come?',
    missingEmail:
      'Look into the spam folder, and check that you read the mailbox of this address. If the address is not yours any more, ask the sender to correct it.',
    missingOther: 'Ask the sender whether their service has your present number or address.',
    again: (seconds: number) =>
      `You can ask for a new code in ${seconds < 90 ? (seconds === 1 ? '1 second' : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`}.`,
    open: 'Open the document',
  },

  form: {
    read: 'Read the document',
    readAll: 'Please download the PDF and read all of it before you continue.',
    download: (pages: number) => `Download the PDF (${pages === 1 ? '1 page' : `${pages} pages`})`,
    fingerprint: 'Fingerprint of the file (SHA-256)',
    fingerprintIs: 'You can compute this fingerprint from your copy. If the two are equal, your copy is the document you sign:',
    /** Where the upload has active content, the download has an update that disables it. */
    fingerprintOfFirst: (bytes: number) =>
      `If your copy has more than ${bytes} bytes, compute it from the first ${bytes}. What follows only disables scripts, attached files and other active content.`,
    fillIn: 'Fill in your fields',
    agree: 'Agree and finish',
    sign: 'Sign',
    choose: 'Please choose',
    ticked: 'ticked',
    notTicked: 'not ticked',
    filledByUs: 'filled in when you finish',
    givenBySender: 'Filled in by the sender',
    /** A field that is asked only if another one has a value. */
    onlyIf: (field: string, value: string) => `Only if “${field}” is “${value}”.`,
    onlyIfTicked: (field: string) => `Only if “${field}” is ticked.`,
    onlyIfNotTicked: (field: string) => `Only if “${field}” is not ticked.`,
    noChoice: 'No choice',
    range: {
      between: (min: string, max: string) => `A number from ${min} to ${max}.`,
      atLeast: (min: string) => `A number of at least ${min}.`,
      atMost: (max: string) => `A number of at most ${max}.`,
    },
    /** `max` is above 100. */
    characters: (max: string) => `At most ${max} characters.`,
    /** `types` is a list such as “PDF or PNG”, `size` has its unit. */
    file: (types: string, size: string) => `${types}, up to ${size}.`,
    photo: (types: string, size: string) => `A photo or picture: ${types}, up to ${size}.`,
    received: 'Received:',
    replaceFile: 'Another file in its place',
    removeFile: 'Remove this file',
    fullName: 'Your full name as your signature',
    initials: 'Your initials',
    initialsHint: 'The first letters of your names, for example AL for Ada Lovelace.',
    handwriting: 'Handwriting',
    hand: (n: number) => `Handwriting ${n}`,
    /** `pages` is a list made by `Intl.ListFormat`. */
    placedOn: (pages: string, count: number) =>
      count === 1 ? `Position in the document: page ${pages}.` : `Positions in the document: pages ${pages}.`,
    shownInCertificate: 'It will be shown in the audit certificate at the end of the sealed document.',
    /** Before the name of an approver. */
    approvesAs: 'You approve as',
    noSignature:
      'You place no signature. The audit certificate at the end of the sealed document will show that you approved, with your name and your consent.',
    consent: 'I have read this and agree.',
    /** A menu of what can be done besides signing. */
    more: 'More',
    declineHeading: {
      signer: 'I do not want to sign',
      approver: 'I do not want to approve',
      viewer: 'I do not want to read it',
    } as ByRole<string>,
    declineMeaning:
      'If you decline, nobody can sign this document any more. This cannot be undone. If you only have a question, please ask the sender first.',
    reason: 'Your reason',
    reasonHint: 'The sender can read your reason.',
    decline: 'Decline',
    delegate: 'Hand over to a colleague',
    delegationMeaning:
      'Your colleague will receive a signing link of their own. Your own link will stop working, and what you have entered here will be deleted. This cannot be undone. The sender can see both names.',
    colleague: 'Name of your colleague',
    colleagueEmail: 'E-mail address of your colleague',
    delegateNow: 'Hand over',
  },

  done: {
    headline: {
      done: 'You are done',
      completed: 'The document is completed',
      declined: 'You have declined',
    },
    /** Of those who have signed or approved. */
    thanks: {
      signer: 'Thank you for signing.',
      approver: 'Thank you for approving.',
    },
    sealing: 'Thank you. Everyone has finished, and the document is being sealed.',
    completed: 'Everyone has finished. The document is sealed.',
    viewer: 'There is nothing for you to sign.',
    declined: 'This document can no longer be signed. The sender can read your reason.',
    sealingLate:
      'Thank you. Everyone has finished, but the document could not be sealed yet. This is tried again automatically: you do not have to sign again or do anything else.',
    /** How the sealed document reaches them: `here` where no mail server is set. */
    copy: {
      mailed: {
        whenAll: 'You will receive the sealed document by e-mail when everyone has finished.',
        whenSealed: 'You will receive a copy by e-mail as soon as it is sealed.',
        now: 'You will receive a copy by e-mail.',
      },
      here: {
        whenAll: 'When everyone has finished, you can download the sealed document on this page or ask the sender for a copy.',
        whenSealed: 'As soon as it is sealed, you can download it on this page or ask the sender for a copy.',
      },
    },
    /** Only where a mail about it is queued for the sender. */
    informed: (organisation: string) => `An e-mail about this goes to ${organisation}.`,
    /** With a script; without it there is a link to look again. */
    updates: 'This page updates itself.',
    lookAgain: 'Look again',
    /** For screen readers. */
    updated: 'This page has been updated.',
    waitingFor: 'Still waiting for:',
    sealedMeaning:
      'An electronic seal protects the document, so that later changes can be detected. The audit certificate at its end shows who signed and when. Please keep a copy.',
    copyUntil: (moment: string) => `You can download it here until ${moment}.`,
    downloadSealed: 'Download the sealed document',
    downloadUnsealed: 'Download the document (not sealed yet)',
    /** Of those who have signed or approved. */
    receipt: {
      download: 'Download your receipt',
      meaning:
        'Your receipt proves what you have confirmed here, and when. Please keep it: it can be verified without this service.',
    },
    continueTo: (host: string) => `Continue to ${host}`,
    close: 'You can close this page.',
  },

  delegated: {
    headline: 'Handed over',
    to: (name: string) => `We have sent ${name} a signing link.`,
    /** No mail server is set. */
    toBySender: (name: string) => `${name} will get a signing link from the sender.`,
    linkEnded: 'Your own link no longer works, and what you had entered has been deleted. There is nothing left for you to do.',
  },

  /** In place of a document whose link opens nothing more. */
  ended: {
    asked: 'You have asked for a new link',
    ask: 'Ask for a new link',
    willBeMailed: 'A new link goes by e-mail to the address that the document was sent to.',
    willBeInformed: 'We tell the sender that you ask for the document. They can send it again.',
    mailed:
      'A new link is on its way to the address that the document was sent to. Please look into your mailbox, also into the spam folder.',
    /** No mail server is set. */
    bySender: 'You will get the new link from the sender.',
    informed: 'The sender has been informed that you ask for the document.',
  },

  view: {
    document: 'The document',
    tools: 'Zoom and page',
    page: 'Page {page} of {pages}',
    goToPage: 'Page',
    ofPages: 'of {pages}',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fitWidth: 'Fit to width',
    loading: 'Loading the document…',
    failed: 'The document could not be loaded. Please check your connection.',
    pageFailed: 'This page could not be displayed.',
    tryAgain: 'Try again',
  },

  script: {
    fields: 'Your fields',
    progressBar: 'Progress',
    progress: '{done} of {all} done',
    allDone: 'Everything is filled in.',
    consentLeft: 'Last step: your consent.',
    /** A place of a field. */
    place: '{field}, page {page}',
    next: 'Next field',
    all: 'All fields',
    close: 'Close',
    sending: 'Sending…',
    waitingForFile: 'Your file is still being sent. We will finish as soon as it has arrived.',
    saving: 'Saving…',
    saved: 'Saved',
    notSaved: 'Not saved: no connection. Trying again…',
    notSent: 'Not sent: no connection. Please try again.',
    /** `time`: seconds with their unit. */
    trouble: {
      busy: {
        entries: 'Not saved: too many requests. Trying again in {time}.',
        form: 'Not sent: too many requests. Please try again in {time}.',
        file: 'Too many requests. It is sent again in {time}.',
      },
      failed: {
        entries: 'Not saved: the service has an error. Your entries stay in this window. Trying again in {time}.',
        form: 'Not sent: the service has an error. Your entries stay in this window. Please try again in {time}.',
        file: 'The service has an error. The file stays in this window and is sent again in {time}.',
      },
      later: '{field}: the service could not do this now. Please try again in a minute.',
    },
    gone: 'This page is out of date and can no longer save your entries. Please reload it.',
    missing: { one: 'One entry is missing or wrong:', other: '{n} entries are missing or wrong:' } as PluralForms,
    fillThisIn: '{field}: please fill this in.',
    tickThis: '{field}: please tick the box.',
    chooseThis: '{field}: please choose.',
    notANumber: '{field}: please enter a number such as 1250 or 12.50.',
    numberUnclear: '{field}: this can be two numbers. Which one do you mean?',
    notAnEmail: '{field}: please enter an e-mail address such as ada@example.com.',
    chooseOne: '{field}: please choose one.',
    option: '{field}, {option}',
    range: {
      between: '{field}: please enter a number from {min} to {max}.',
      atLeast: '{field}: please enter a number of at least {min}.',
      atMost: '{field}: please enter a number of at most {max}.',
    },
    tooLong: '{field}: please use at most {max} characters.',
    charactersLeft: { one: 'One character left', other: '{n} characters left' } as PluralForms,
    charactersOver: { one: 'One character too many', other: '{n} characters too many' } as PluralForms,
    appeared: { one: 'A field has been added: {fields}.', other: '{n} fields have been added: {fields}.' } as PluralForms,
    disappeared: {
      one: 'A field is no longer needed: {fields}.',
      other: '{n} fields are no longer needed: {fields}.',
    } as PluralForms,
    file: {
      choose: 'Choose a file',
      choosePhoto: 'Choose or take a photo',
      replace: 'Replace',
      remove: 'Remove',
      cancel: 'Cancel',
      sending: 'Sending {file}: {percent}',
      examining: '{file} is being checked…',
      added: '{file} has been added.',
      removed: '{file} has been removed.',
      preview: 'Preview of {file}',
      missing: '{field}: please add a file.',
      photoMissing: '{field}: please add a photo or picture.',
      tooLarge: '{field}: this file is larger than {size}. Please choose a smaller one.',
      wrongType: '{field}: please choose a file of this type: {types}.',
      failed: '{field}: the file could not be sent. Please check your connection and try again.',
      underway: '{field}: the file is still being sent. Please wait a moment.',
    },
    makeSignature: 'Please add your signature.',
    makeInitials: 'Please add your initials.',
    agree: 'Please agree by ticking the box.',
    /** A marker, for screen readers. */
    marker: '{field}, page {page}: {state}',
    states: {
      required: 'required, not filled in yet',
      optional: 'optional, not filled in',
      done: 'filled in',
      error: 'please check',
      chosen: 'chosen',
      notChosen: 'not chosen',
    },
    mark: {
      signature: {
        name: 'Your signature',
        use: { one: 'Use this signature', other: 'Use this signature in {n} places' } as PluralForms,
        chosen: {
          one: 'Your signature has been placed.',
          other: 'Your signature has been placed in {n} places.',
        } as PluralForms,
        chosenNowhere: 'This is your signature.',
        pad: 'Draw your signature here',
        picture: 'Your signature, from your picture',
      },
      initials: {
        name: 'Your initials',
        use: { one: 'Use these initials', other: 'Use these initials in {n} places' } as PluralForms,
        chosen: {
          one: 'Your initials have been placed.',
          other: 'Your initials have been placed in {n} places.',
        } as PluralForms,
        chosenNowhere: 'These are your initials.',
        pad: 'Draw your initials here',
        picture: 'Your initials, from your picture',
      },
      useOwn: 'Use “{name}”',
      how: 'How do you want to add it?',
      draw: 'Draw',
      type: 'Type',
      upload: 'Upload',
      padHint: 'Draw with your finger, a pen or the mouse. If you use a keyboard, choose “Type”.',
      padFull: 'The drawing cannot get any larger. Please use it as it is, or clear it and draw a simpler one.',
      undo: 'Undo',
      clear: 'Clear',
      tooLittle: 'Please draw a little more.',
      pictureHint: `A photo or scan of it on white paper, up to ${MAX_PHOTO_BYTES / 1_000_000} MB. The paper is removed from it.`,
      choosePicture: 'Choose a picture',
      uploading: 'Uploading…',
      pictureUnreadable: 'This browser cannot read this picture. Choose a PNG or JPEG file, or take a screenshot of it.',
      pictureFailed: 'The picture could not be sent: there is no connection. Please try again.',
      later: 'You can make changes until you finish.',
    },
  },
}
