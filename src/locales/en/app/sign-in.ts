/** Texts of profile, second factor, forgotten password and Settings → Sign-in, in English. */
import { CONFIRMED_MINUTES, MAX_SESSION_HOURS, RESET_MAIL_PAUSE_MINUTES } from '../../../core/service-limits.ts'

const NOT_YOU =
  'If this was not you, somebody else may know your password: choose a new one under Profile at once, and tell your administrator.'
const codes = (count: number) => (count === 1 ? '1 recovery code' : `${count} recovery codes`)
const passkeys = (count: number) => (count === 1 ? '1 passkey' : `${count} passkeys`)

export interface Factors {
  hasApp: boolean
  passkeys: number
}

export const factors = (had: Factors) =>
  [had.hasApp && 'the authenticator app', had.passkeys > 0 && passkeys(had.passkeys)].filter(Boolean).join(' and ')

export const signIn = {
  code: {
    title: 'Enter your code',
    lead: (email: string) => `Open your authenticator app and enter the code that it shows for ${email}.`,
    label: 'Code',
    hint: 'Six digits. If you do not have your phone, enter one of your recovery codes.',
    submit: 'Sign in',
    other: 'Sign in as somebody else',
    lost: 'Lost your phone and your recovery codes? Ask an administrator to remove your second factor.',
    passkeyTitle: 'Use your passkey',
    passkeyLead: (email: string) =>
      `Your organisation requires a second factor. That of ${email} is a passkey: it takes the place of the password.`,
    passkeyMissing: 'You do not have your passkey with you?',
    recoveryLabel: 'Recovery code',
    recoveryHint: 'One of the codes that you kept when you added the passkey.',
    passkeyLost: 'Lost your passkey and have no recovery code? Ask an administrator to remove your second factor.',
    used: (left: number) => `You signed in with a recovery code. You have ${codes(left)} left.`,
  },
  forgot: {
    link: 'Forgotten your password?',
    title: 'Forgotten your password?',
    lead: 'Enter the e-mail address of your account. We will send you a link with which you can choose a new password.',
    submit: 'Send the link',
    sentTitle: 'Check your e-mail',
    sent: (email: string, minutes: number) =>
      `If there is an account for ${email}, an e-mail with a link is on its way. The link can be used once, within ${minutes} minutes.`,
    notArrived: `Nothing arrived? Look in your spam folder. If you asked several times, at most one e-mail is sent every ${RESET_MAIL_PAUSE_MINUTES} minutes. Otherwise ask an administrator.`,
    back: 'Back to sign-in',
  },
  profile: {
    title: 'Profile',
    lead: (email: string) => `Your account: ${email}`,
    you: 'About you',
    name: 'Name',
    nameHint: 'Recipients of your documents see it.',
    language: 'Language',
    languageHint: 'Of these pages, and of e-mails about your account.',
    warningMails: 'E-mail me warnings about the service',
    warningMailsHint: 'For example before the seal certificate ends, or when backups fail.',
    save: 'Save',
    password: 'Password',
    passwordText: 'A new password ends all your other sessions.',
    current: 'Current password',
    new: 'New password',
    change: 'Change password',
    sessions: 'Sessions',
    sessionsText: (idle: string) =>
      `The browsers in which you are signed in. A session ends after ${idle} without use, at the latest after ${MAX_SESSION_HOURS} hours.`,
    sessionColumns: { device: 'Device', address: 'IP address', lastUsed: 'Last used', signedIn: 'Signed in' },
    thisSession: 'this one',
    unknownAddress: 'unknown',
    end: 'End',
    endNamed: (device: string) => `End the session: ${device}`,
    endOthers: 'End all others',
    onlyThis: 'You are signed in nowhere else.',
    methods: {
      password: 'password',
      totp: 'code',
      recovery_code: 'recovery code',
      passkey: 'passkey',
      oidc: 'identity provider',
      oidc_with_factor: 'identity provider with second factor',
    },
    device: (browser: string | undefined, system: string | undefined) =>
      browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown program'),
    notices: {
      saved: 'Your profile was saved.',
      password: 'Your password was changed. All your other sessions were ended.',
      ended: 'The session was ended.',
      'others-ended': 'All your other sessions were ended.',
      removed: 'The second factor was removed.',
    } as Record<string, string>,
  },
  factor: {
    title: 'Second factor',
    app: 'Authenticator app',
    none: 'Off',
    noneText: 'With it, your password alone is not enough to sign in: you also enter a code that an app on your phone shows.',
    on: 'On',
    onText: (since: string) => `Set up on ${since}. You enter a code of your authenticator app when you sign in.`,
    left: (count: number) => `${codes(count)} left.`,
    fewLeft: 'Create new ones before you need them.',
    setUp: 'Set up',
    setUpAgain: 'Set up another phone',
    renew: 'New recovery codes…',
    remove: 'Remove…',
    setUpTitle: 'Set up an authenticator app',
    required: 'Your organisation requires a second factor',
    requiredText: 'Set one up now. After that you can continue.',
    chooseTitle: 'Choose your second factor',
    passkeyTitle: 'A passkey',
    passkeyText:
      'Your fingerprint, your face or the PIN of your device. From then on you sign in with it, without a password and without a code.',
    appTitle: 'Codes of an app',
    appText:
      'An authenticator app on your phone shows a code, which you enter after your password: for example Aegis, 2FAS, Google Authenticator, Microsoft Authenticator or a password manager.',
    appStart: 'Set up an app',
    passkeyOn: 'The passkey was added. It is your second factor.',
    passkeyNoCodes: 'Your organisation requires a second factor, and your passkey is the only one you have.',
    startText:
      'You need an app that shows codes, for example Aegis, 2FAS, Google Authenticator, Microsoft Authenticator or a password manager.',
    startReason: 'This changes how you sign in.',
    start: 'Continue',
    scan: 'Scan this code with your app',
    qrName: 'QR code for your authenticator app',
    orType: 'Cannot scan it? Enter this key in your app, with the type “time-based”:',
    enter: 'Enter the code that the app shows',
    code: 'Code',
    codeHint: 'Six digits. A new code appears every 30 seconds.',
    confirm: 'Switch on',
    cancel: 'Cancel',
    codesTitle: 'Your recovery codes',
    codesLead:
      'Keep them where you find them when you have lost your phone or your passkey, for example printed or in a password manager. Each code signs you in once. They will not be shown again.',
    codesOn: 'The second factor is on.',
    codesRenewed: 'Your new recovery codes are ready. The earlier ones no longer work.',
    download: 'Download',
    fileName: 'signet-recovery-codes.txt',
    fileHead: (email: string, service: string) => `Recovery codes of ${email} for ${service}. Each one can be used once.`,
    print: 'Or print this page with your browser.',
    done: 'I have kept them',
    renewTitle: 'Create new recovery codes?',
    renewText: 'You get ten new codes. The earlier ones stop working at once.',
    renewReason: 'Recovery codes sign you in without your phone.',
    renewSubmit: 'Create new codes',
    removeTitle: 'Remove your second factor?',
    removeText:
      'You are no longer asked for a code of your app when you sign in. Your recovery codes stop working. You can set up a second factor again at any time.',
    removeRequired: 'Your organisation requires one: you will have to set up a new one when you sign in next.',
    removeReason: 'Removing the second factor makes your account less secure.',
    removeSubmit: 'Remove second factor',
  },
  settings: {
    title: 'Sign-in',
    lead: 'How the people of your organisation sign in.',
    rule: 'Second factor for everybody',
    isOn: 'On: everybody needs a second factor.',
    isOff: 'Off: everybody decides for themselves.',
    lacking: (count: number, all: number) =>
      count === 0 ? 'Everybody has one.' : `${count} of ${all} ${all === 1 ? 'person has' : 'people have'} none.`,
    mustSetUp: 'They have to set one up before they can do anything else, at once if they are signed in.',
    apiNote: 'API tokens are not affected.',
    ownFirst: 'Set up your own second factor first: otherwise you would lock yourself out.',
    ownLink: 'Set it up',
    switchOn: 'Require a second factor…',
    switchOff: 'No longer require it…',
    onTitle: 'Require a second factor of everybody?',
    offTitle: 'No longer require a second factor?',
    offText: 'People who have one keep it, until they remove it themselves.',
    reason: 'This changes how everybody signs in.',
    onSubmit: 'Require a second factor',
    offSubmit: 'No longer require it',
    who: 'Show who',
    sessions: 'Sessions',
    idleMinutes: 'Without use for',
    idleIs: (time: string) =>
      `A session of the web app ends after ${time} without use, and after ${MAX_SESSION_HOURS} hours in any case.`,
    idleHint: `A shorter time counts at once, a longer one from the next sign-in. Sensitive changes ask who you are after ${CONFIRMED_MINUTES} minutes in any case.`,
    idleChange: 'Change…',
    idleTitle: 'When a session ends',
    /** After "for" and "after". */
    duration: (minutes: number) =>
      minutes % 60 === 0
        ? minutes === 60
          ? '1 hour'
          : `${minutes / 60} hours`
        : minutes === 1
          ? '1 minute'
          : `${minutes} minutes`,
    idleFixed: (variable: string) => `This setting is set by \`${variable}\`: change it there.`,
    notices: {
      on: 'Everybody now needs a second factor.',
      off: 'A second factor is no longer required.',
      sessions: 'The time was saved.',
    } as Record<string, string>,
  },
  mails: {
    passwordChanged: (service: string) => ({
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your account at ${service} was changed under Profile. All other sessions were ended.`,
        NOT_YOU,
      ],
    }),
    passwordReset: (service: string, kind: 'command_line' | 'mail') => ({
      subject: 'Your password was changed',
      paragraphs: [
        kind === 'mail'
          ? `The password of your account at ${service} was changed with a one-time link that was sent to this address. Every session was ended.`
          : `The password of your account at ${service} was changed with a one-time link that signet admin reset printed. Every session was ended.`,
        'If this was not you, contact the administrator of the server at once.',
      ],
    }),
    resetLink: (service: string, minutes: number) => ({
      subject: 'Choose a new password',
      paragraphs: [
        `Somebody, probably you, asked for a new password of your account at ${service}. The link below can be used once, within ${minutes} minutes. If you have a second factor, you still need it to sign in.`,
        'If you did not ask for it, ignore this e-mail: your password stays as it is.',
      ],
      link: 'Choose a new password',
    }),
    factorAdded: (service: string) => ({
      subject: 'A second factor was set up',
      paragraphs: [
        `An authenticator app was set up for your account at ${service}. You will be asked for its code when you sign in.`,
        NOT_YOU,
      ],
    }),
    factorRemoved: (service: string, { isOwn, ...had }: Factors & { isOwn: boolean }) => ({
      subject: 'Your second factor was removed',
      paragraphs: [
        isOwn
          ? `The authenticator app of your account at ${service} was removed under Profile, with its recovery codes. You are no longer asked for its code when you sign in.`
          : `An administrator removed the second factor of your account at ${service} (${factors(had)}) and ended your sessions. Your password alone is enough to sign in now. Please set up a second factor again under Profile.`,
        ...(had.passkeys > 0 ? ['A passkey that was removed no longer signs in: delete it on your device too.'] : []),
        isOwn ? NOT_YOU : 'If you did not ask for this, contact your administrator at once.',
      ],
    }),
    codesRenewed: (service: string) => ({
      subject: 'You have new recovery codes',
      paragraphs: [`New recovery codes were created for your account at ${service}. The earlier ones no longer work.`, NOT_YOU],
    }),
    codeUsed: (service: string, left: number) => ({
      subject: 'A recovery code was used',
      paragraphs: [
        `Somebody signed in to your account at ${service} with a recovery code. You have ${codes(left)} left. You can create new ones under Profile.`,
        NOT_YOU,
      ],
    }),
  },
}
