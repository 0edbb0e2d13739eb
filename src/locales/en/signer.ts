/** The recipient's pages in English. `script` and `view` go to the browser: no functions. */
import { FIELD_NAMES } from '../../core/message.ts'
import type { Role } from '../../core/routing.ts'

type ByRole<T> = Record<Role, T>

/** Plural categories of CLDR; `other` replaces a missing one. `{n}` is the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export const signer = {
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
    /** Before and after the name of the organisation. */
    ended: ['here is the document from ', '. There is nothing left for you to do.'] as [string, string],
    theirMessage: 'Message from the sender:',
    howItWorks: 'How it works:',
    steps: (button: string): string[] => [
      'Read the document.',
      'Fill in your fields and add your signature.',
      `Press “${button}”. Until then, nothing is final.`,
    ],
    noAccount: 'You do not need an account.',
    binds: 'Your electronic signature is meant to bind you like a handwritten one.',
    onlyRead:
      'You only need to read it; there is nothing to sign. You do not need an account. When everyone has finished, you will receive a copy by e-mail.',
    /** Before and after the moment. */
    doBy: ['Please finish by ', '.'] as [string, string],
    code: 'Access code',
    codeHint: 'The sender gives you this code separately, for example by telephone.',
    codeWait: (seconds: number) =>
      `You can try again in ${seconds < 90 ? (seconds === 1 ? '1 second' : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`}.`,
    open: 'Open the document',
  },

  form: {
    read: 'Read the document',
    readAll: 'Please download the PDF and read all of it before you continue.',
    download: (pages: number) => `Download the PDF (${pages === 1 ? '1 page' : `${pages} pages`})`,
    fingerprint: 'Fingerprint of the file (SHA-256)',
    fingerprintIs: 'You can compute this fingerprint from your copy. If the two are equal, your copy is the document you sign:',
    fillIn: 'Fill in your fields',
    agree: 'Agree and finish',
    sign: 'Sign',
    choose: 'Please choose',
    ticked: 'ticked',
    notTicked: 'not ticked',
    filledByUs: 'filled in when you finish',
    fullName: 'Your full name as your signature',
    initials: 'Your initials',
    initialsHint: 'The first letters of your names, for example AL for Ada Lovelace.',
    /** `pages` is a list made by `Intl.ListFormat`. */
    placedOn: (pages: string, count: number) =>
      count === 1 ? `Position in the document: page ${pages}.` : `Positions in the document: pages ${pages}.`,
    shownInCertificate: 'It will be shown in the audit certificate at the end of the sealed document.',
    consent: 'I have read this and agree.',
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
      'Your colleague will receive a signing link by e-mail. Your own link will stop working, and what you have entered here will be deleted. The sender can see both names.',
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
    done: {
      signer: 'Thank you for signing. You will receive the sealed document by e-mail when everyone has finished.',
      approver: 'Thank you for approving. You will receive the sealed document by e-mail when everyone has finished.',
      viewer: 'You will receive the sealed document by e-mail when everyone has finished.',
    } as ByRole<string>,
    sealing: 'Thank you. Everyone has finished, and the document is being sealed. You will then receive a copy by e-mail.',
    completed: 'Everyone has finished. The document is sealed, and you will receive a copy by e-mail.',
    viewer: 'You will receive the sealed document by e-mail when everyone has finished. There is nothing for you to sign.',
    declined: 'This document can no longer be signed. The sender can read your reason.',
    waitingFor: 'Still waiting for:',
    sealedMeaning:
      'An electronic seal protects the document, so that later changes can be detected. The audit certificate at its end shows who signed and when. Please keep a copy.',
    copyUntil: (moment: string) => `You can download it here until ${moment}.`,
    downloadSealed: 'Download the sealed document',
    downloadUnsealed: 'Download the document (not sealed yet)',
    continueTo: (host: string) => `Continue to ${host}`,
    close: 'You can close this page.',
  },

  delegated: {
    headline: 'Handed over',
    to: (name: string) => `We have sent ${name} a signing link.`,
    linkEnded: 'Your own link no longer works, and what you had entered has been deleted. There is nothing left for you to do.',
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
    next: 'Next field',
    all: 'All fields',
    close: 'Close',
    sending: 'Sending…',
    saving: 'Saving…',
    saved: 'Saved',
    notSaved: 'Not saved: no connection. Trying again…',
    notSent: 'Not sent: no connection. Please try again.',
    gone: 'This page is out of date and can no longer save your entries. Please reload it.',
    missing: { one: 'One entry is missing or wrong:', other: '{n} entries are missing or wrong:' } as PluralForms,
    fillThisIn: '{field}: please fill this in.',
    tickThis: '{field}: please tick the box.',
    chooseThis: '{field}: please choose.',
    notANumber: '{field}: please enter a number such as 1250 or 12.50.',
    notAnEmail: '{field}: please enter an e-mail address such as ada@example.com.',
    makeSignature: 'Please add your signature.',
    makeInitials: 'Please add your initials.',
    consentField: 'Consent',
    agree: 'Please agree to sign electronically by ticking the box.',
    /** A marker, for screen readers. */
    marker: '{field}, page {page}: {state}',
    states: {
      required: 'required, not filled in yet',
      optional: 'optional, not filled in',
      done: 'filled in',
      error: 'please check',
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
      how: 'How do you want to add it?',
      draw: 'Draw',
      type: 'Type',
      upload: 'Upload',
      padHint: 'Draw with your finger, a pen or the mouse. If you use a keyboard, choose “Type”.',
      padFull: 'The drawing cannot get any larger. Please use it as it is, or clear it and draw a simpler one.',
      undo: 'Undo',
      clear: 'Clear',
      tooLittle: 'Please draw a little more.',
      pictureHint: 'A photo or scan of it on white paper, up to 50 MB. The paper is removed from it.',
      choosePicture: 'Choose a picture',
      uploading: 'Uploading…',
      pictureUnreadable: 'This browser cannot read this picture. Choose a PNG or JPEG file, or take a screenshot of it.',
      pictureFailed: 'The picture could not be sent: there is no connection. Please try again.',
      later: 'You can make changes until you finish.',
    },
  },
}
