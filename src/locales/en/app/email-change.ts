/** Texts of changing the e-mail address of an account, in English. */
export const emailChange = {
  label: 'E-mail address',
  change: 'Change…',
  title: 'Change your e-mail address',
  lead: (email: string) => `You sign in with ${email}, and e-mails about your documents go there.`,
  text: 'We send a link to the new address. It becomes yours when you open the link and confirm. The present address gets a notice.',
  newLabel: 'New e-mail address',
  reason: 'Whoever reads this mailbox can choose a new password.',
  submit: 'Send the link',
  waits: (email: string, until: string) => `${email} has to confirm until ${until}`,
  waitsText: 'Open the link in the e-mail that we sent there. Until then nothing changes.',
  withdraw: 'Withdraw the change',
  notices: {
    'email-sent': 'A link is on its way to the new address. It is yours once you confirm there.',
    'email-kept': 'The change was withdrawn. Your address stays as it is.',
  } as Record<string, string>,
  confirm: {
    title: 'Confirm the new address',
    text: (from: string, to: string) => `The account with the address ${from} will have the address ${to}.`,
    hint: 'From then on this address signs in, with the same password.',
    submit: 'Confirm',
    doneTitle: 'The address was changed',
    done: (to: string) => `${to} is the address of your account now. Sign in with it from now on.`,
    go: 'Continue',
  },
  stop: {
    title: 'Stop the change of the address?',
    takeBackTitle: 'Take the change of the address back?',
    text: (from: string, to: string) =>
      `The address of the account stays ${from}. The link that was sent to ${to} no longer works.`,
    takeBackText: (from: string, to: string) =>
      `The account gets the address ${from} again, in place of ${to}. Every session is ended: you sign in again.`,
    submit: 'Stop the change',
    takeBackSubmit: 'Take it back',
    doneTitle: 'The address stays as it is',
    takenBackTitle: 'The address is yours again',
    done: (from: string) => `The account has the address ${from}.`,
    advice: 'Did you not ask for this change? Then somebody else may know your password: choose a new one now.',
    reset: 'Choose a new password',
  },
  /** Of somebody else, by an administrator. */
  person: {
    subject: 'E-mail address',
    action: 'Change the address',
    text: 'The person confirms it with a link that goes to the new address.',
    title: (name: string) => `Change the e-mail address of ${name}`,
    detail:
      'We send a link to the new address: the account gets it once somebody there has confirmed. The present address gets a notice, with which the person can stop the change.',
    label: 'New e-mail address',
    submit: 'Send the link',
    waiting: 'New address, not confirmed yet',
  },
  withdrawal: {
    subject: 'Change of the address',
    action: 'Withdraw',
    text: 'The link that was sent to the new address no longer works.',
    title: (name: string) => `Withdraw the change of the address of ${name}?`,
    detail: (email: string) => `${email} has not confirmed yet. The address of the account stays as it is.`,
    submit: 'Withdraw the change',
  },
  mails: {
    confirm: (name: string, service: string, hours: number) => ({
      subject: 'Confirm your new e-mail address',
      paragraphs: [
        `The account of ${name} at ${service} is to have this e-mail address. Confirm it with the link below, within ${hours} hours.`,
        'If you do not know this account, ignore this e-mail: nothing changes then.',
      ],
      button: 'Confirm the address',
    }),
    requested: (service: string, to: string, days: number) => ({
      subject: 'Your e-mail address is to be changed',
      paragraphs: [
        `Your account at ${service} is to have the address ${to}. It has it once that address confirms.`,
        `If you do not want this, stop it with the link below. It also takes the change back once it is confirmed, within ${days} days.`,
      ],
      button: 'Stop the change',
    }),
    changed: (service: string, to: string, days: number) => ({
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `Your account at ${service} has the address ${to} now. E-mails about it no longer come here.`,
        `If this was not you, take it back with the link below within ${days} days, and choose a new password.`,
      ],
      button: 'Take the change back',
    }),
    takenBack: (service: string, to: string) => ({
      subject: 'The change of the e-mail address was taken back',
      paragraphs: [`The account at ${service} has the address ${to} again. This address no longer signs in there.`],
    }),
  },
}
