/**
 * English: the pages of a recipient. `client` and `view` are told by the page's script and go to the browser as they are: texts with {places},
 * no functions. Functions take what the sentence is about.
 */

import { FIELD_NAMES } from '../../core/message.ts'
import type { Role } from '../../core/routing.ts'

type ByRole<T> = Record<Role, T>

/** A sentence about a number `{n}`, by the plural categories of CLDR (`Intl.PluralRules`); `other` stands where one is missing. */
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
  notBinding: (environment: string) => `This is a ${environment} environment: nothing you do here is meant to bind you.`,
  fieldNames: FIELD_NAMES,
  /** Titles of the page that is shown in place of one that cannot be. */
  failure: {
    notFound: 'Not found',
    notPossible: 'Not possible',
    over: 'Not possible any more',
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
    theirMessage: 'Their message to you:',
    howItWorks: 'This is how it works:',
    steps: (button: string): string[] => [
      'You read the document.',
      'You fill in a few fields and make your signature.',
      `You press “${button}”. Until then, nothing is final.`,
    ],
    noAccount: 'You need no account.',
    binds: 'Your signature, made here, is meant to bind you like one on paper.',
    onlyRead:
      'You only read it; there is nothing to sign. You need no account. When everyone has finished, you get a copy by e-mail.',
    /** Before and after the moment. */
    doBy: ['Please finish by ', '.'] as [string, string],
    code: 'Access code',
    codeHint: 'The sender gives it to you in another way, for example by telephone.',
    codeWait: (seconds: number) =>
      `You can try again in ${seconds < 90 ? (seconds === 1 ? '1 second' : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`}.`,
    open: 'Open the document',
  },

  form: {
    read: 'Read the document',
    readAll: 'Please read all of it before you go on. You get it as a PDF file.',
    download: (pages: number) => `Download the PDF (${pages === 1 ? '1 page' : `${pages} pages`})`,
    fingerprint: 'Fingerprint of the file',
    fingerprintIs: 'Anyone can compute this number (SHA-256) from the file. If it is the same, the file is the same:',
    fillIn: 'Fill in',
    agree: 'Agree and finish',
    sign: 'Sign',
    choose: 'Please choose',
    ticked: 'ticked',
    notTicked: 'not ticked',
    filledByUs: 'filled in when you finish',
    fullName: 'Your full name, as your signature',
    initials: 'Your initials',
    initialsHint: 'The first letters of your names, such as AL for Ada Lovelace.',
    /** Where a mark goes; the pages are a list made by `Intl.ListFormat`. */
    standsOn: (pages: string, count: number) => (count === 1 ? `It goes on page ${pages}.` : `It goes on pages ${pages}.`),
    standsOnCertificate: 'It is shown on the certificate pages at the end of the sealed document.',
    consent: 'I have read this and agree.',
    refuse: {
      signer: 'I do not want to sign',
      approver: 'I do not want to approve',
      viewer: 'I do not want to read it',
    } as ByRole<string>,
    refuseMeans:
      'If you decline, nobody can sign this document any more, and it cannot be taken back. If you only have a question, please ask the sender first.',
    reason: 'Your reason',
    reasonHint: 'The sender reads it.',
    decline: 'Decline',
    delegate: 'Somebody else should do this',
    delegationMeaning:
      'We send your colleague a link of their own. The link in your e-mail stops working, and what you have entered here is deleted. The sender can see both names.',
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
      signer: 'Thank you. You have signed. The sealed document is e-mailed to you when everyone has finished.',
      approver: 'Thank you. You have approved. The sealed document is e-mailed to you when everyone has finished.',
      viewer: 'You receive the sealed document by e-mail when everyone has finished.',
    } as ByRole<string>,
    sealing: 'Thank you. Everyone has finished. The document is being sealed now; then you receive a copy by e-mail.',
    completed: 'Everyone has finished. The document is sealed, and you receive a copy by e-mail.',
    viewer: 'You receive the sealed document by e-mail when everyone has finished. There is nothing for you to sign.',
    declined: 'Nobody can sign this document any more. The sender can read your reason.',
    waitingFor: 'We are still waiting for:',
    sealedMeans:
      'Sealed means: an electronic seal protects it, so that later changes can be detected. The last pages tell who signed and when. Please keep a copy.',
    copyUntil: (moment: string) => `You can download it here until ${moment}.`,
    downloadSealed: 'Download the sealed document',
    downloadUnsealed: 'Download the document, not sealed yet',
    goOn: (host: string) => `Continue to ${host}`,
    close: 'You can close this page.',
  },

  delegated: {
    headline: 'Handed over',
    to: (name: string) => `We have sent ${name} a link of their own.`,
    dead: 'The link in your e-mail does not work any more, and what you had entered is deleted. There is nothing left for you to do.',
  },

  /** Told by the view of the document. */
  view: {
    document: 'The document',
    tools: 'Size and page',
    page: 'Page {page} of {pages}',
    goToPage: 'Page',
    ofPages: 'of {pages}',
    zoomIn: 'Larger',
    zoomOut: 'Smaller',
    fitWidth: 'Fit the width',
    loading: 'The document is being loaded…',
    failed: 'The document could not be loaded. Please check your connection.',
    pageFailed: 'This page could not be shown.',
    tryAgain: 'Try again',
  },

  /** Told by the page's script. */
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
    notSent: 'Nothing has been sent: there is no connection. Please try again.',
    gone: 'This page is out of date, and nothing more can be saved. Please reload it.',
    missing: { one: 'One thing is still missing:', other: '{n} things are still missing:' } as PluralForms,
    fillThisIn: '{field}: please fill this in.',
    tickThis: '{field}: please tick the box.',
    chooseThis: '{field}: please choose.',
    notANumber: '{field}: please enter a number such as 1250 or 12.50.',
    notAnEmail: '{field}: please enter an e-mail address such as ada@example.com.',
    makeSignature: 'Please make your signature.',
    makeInitials: 'Please make your initials.',
    consentField: 'Consent',
    agree: 'Please agree to sign electronically by ticking the box.',
    /** A marker on the page, read out. */
    marker: '{field}, page {page}: {state}',
    states: {
      required: 'required, still open',
      optional: 'optional, still open',
      done: 'filled in',
      error: 'please check',
    },
    mark: {
      signature: {
        name: 'Your signature',
        use: { one: 'Use this signature', other: 'Put my signature in all {n} places' } as PluralForms,
        chosen: { one: 'Your signature stands in its place.', other: 'Your signature stands in all {n} places.' } as PluralForms,
        chosenNowhere: 'This is your signature.',
        pad: 'Draw your signature here',
        picture: 'Your signature, from your picture',
      },
      initials: {
        name: 'Your initials',
        use: { one: 'Use these initials', other: 'Put my initials in all {n} places' } as PluralForms,
        chosen: { one: 'Your initials stand in their place.', other: 'Your initials stand in all {n} places.' } as PluralForms,
        chosenNowhere: 'These are your initials.',
        pad: 'Draw your initials here',
        picture: 'Your initials, from your picture',
      },
      how: 'How do you want to make it?',
      draw: 'Draw',
      type: 'Type',
      upload: 'Upload',
      padHint: 'Write with your finger, a pen or the mouse. With a keyboard, choose “Type”.',
      padFull: 'The drawing is full. Please use it as it is, or clear it and draw a simpler one.',
      undo: 'Undo',
      clear: 'Clear',
      tooLittle: 'Please draw a little more.',
      pictureHint: 'A photo or scan of it on white paper, up to 50 MB. The paper is removed from it.',
      choosePicture: 'Choose a picture',
      uploading: 'Uploading…',
      pictureUnreadable: 'This browser cannot read this picture. Choose a PNG or JPEG file, or take a screenshot of it.',
      pictureFailed: 'The picture could not be sent: there is no connection. Please try again.',
      later: 'You can still change this until you finish.',
    },
  },
}
