/** Texts of Settings → People, of invitations and of the mails about them, in English. */
import { INVITATION_DAYS } from '../../../core/service-limits.ts'
import { type Factors, factors } from './sign-in.ts'

type Role = 'admin' | 'member' | 'auditor'

const ROLES: Record<Role, string> = { admin: 'Administrator', member: 'Member', auditor: 'Auditor' }

const documents = (n: number) => (n === 1 ? '1 document' : `${n} documents`)
const templates = (n: number) => (n === 1 ? '1 template' : `${n} templates`)
const webhooks = (n: number) => (n === 1 ? '1 webhook' : `${n} webhooks`)
const keys = (n: number) => (n === 1 ? '1 API token' : `${n} API tokens`)

interface Counts {
  documents: number
  templates: number
  webhooks: number
}

/** What there is of them, as a list; documents if there is nothing. */
const all = (counts: Counts) => {
  const some = [
    counts.documents > 0 && documents(counts.documents),
    counts.templates > 0 && templates(counts.templates),
    counts.webhooks > 0 && webhooks(counts.webhooks),
  ].filter(text => text !== false)
  return LIST.format(some.length > 0 ? some : [documents(0)])
}

const LIST = new Intl.ListFormat('en')

export const people = {
  title: 'People',
  lead: 'Who may sign in here, and what they may do.',
  roles: ROLES,
  rolesText: {
    admin: 'Sees and changes everything, with people and settings.',
    member: 'Sends documents, and sees their own.',
    auditor: 'Reads every document and the audit log. Changes nothing.',
  } as Record<Role, string>,
  passwordReason: 'This decides who can sign in here, and what they may do.',
  columns: {
    person: 'Person',
    role: 'Role',
    factor: 'Second factor',
    lastSignIn: 'Last sign-in',
    lastSeen: 'Last seen',
    state: 'State',
    actions: 'Manage',
  },
  /** What somebody has. */
  factor: ({ hasApp, passkeys }: Factors) =>
    [hasApp && 'App', passkeys > 0 && (passkeys === 1 ? 'Passkey' : `${passkeys} passkeys`)].filter(Boolean).join(' + ') ||
    'None',
  filters: {
    search: 'Search people',
    searchHint: 'Name or e-mail address',
    fields: { role: 'Role', factor: 'Second factor', state: 'State', order: 'Order' },
    any: { role: 'Any', factor: 'Any', state: 'Any', order: 'By name' },
    factors: { none: 'None', app: 'Authenticator app', passkey: 'Passkey' },
    orders: { newest: 'Last sign-in: newest first', oldest: 'Last sign-in: oldest first' },
    chip: (text: string) => `“${text}”`,
    count: (count: number) => (count === 1 ? '1 person' : `${count} people`),
    none: 'Nobody matches',
    noneText: 'Try fewer filters, or a part of the name.',
    more: 'Next people',
    first: 'Back to the first',
  },
  you: 'you',
  never: 'Never',
  states: { active: 'Active', disabled: 'Disabled', invited: 'Invited', expired: 'Invitation expired', refused: 'Not delivered' },
  manage: (name: string) => `Manage ${name}`,
  alone: 'You are the only one here. Invite colleagues, and they choose their own passwords.',
  invitations: {
    title: 'Invitations',
    invitedBy: 'Invited by',
    until: 'Valid until',
    resend: 'Send again',
    resendTo: (name: string) => `Send again: invitation to ${name}`,
    withdraw: 'Withdraw',
    withdrawOf: (name: string) => `Withdraw the invitation to ${name}`,
  },
  invite: {
    action: 'Invite a person',
    title: 'Invite a person',
    lead: `The person chooses a password with a link, which is valid for ${INVITATION_DAYS} days. The account exists only then.`,
    name: 'Name',
    email: 'E-mail address',
    emailHint: 'The person signs in with it.',
    role: 'Role',
    language: 'Language',
    languageHint: 'Of the e-mail. The pages speak the language of the person’s browser.',
    delivery: 'How the link gets to the person',
    mail: 'Send it by e-mail',
    mailToFolder: 'No mail server is set up: the e-mail is written to the outbox, where you can open it.',
    link: 'Show it to me once',
    linkHint: 'You pass it on yourself, for example in a chat. Whoever has it can open the account.',
    submit: 'Invite',
  },
  link: {
    title: (name: string) => `Link for ${name}`,
    text: (name: string, until: string) => `Give this link to ${name} alone. It works once, until ${until}.`,
    once: 'It is shown only now.',
    done: 'Done',
  },
  resend: {
    title: (name: string) => `Send the invitation to ${name} again?`,
    text: `A new link is made, which is valid for ${INVITATION_DAYS} days. The earlier link no longer works.`,
    submit: 'Make a new link',
  },
  withdraw: {
    title: (name: string) => `Withdraw the invitation to ${name}?`,
    text: 'The link no longer works. You can invite the person again.',
    submit: 'Withdraw the invitation',
  },
  notices: {
    invited: 'The invitation is on its way.',
    invitedToFolder: 'The invitation is in the outbox.',
    withdrawn: 'The invitation was withdrawn.',
    renamed: 'The name was changed.',
    role: 'The role was changed.',
    disabled: 'The account is disabled. Its sessions and API tokens have ended.',
    enabled: 'The account is enabled.',
    removed: 'The account was removed.',
    'factor-removed': 'The second factor was removed, and the person gets an e-mail.',
    'email-sent': 'A link is on its way to the new address. The account has it once somebody there confirms.',
    'email-kept': 'The change of the address was withdrawn.',
    'handed-over': 'Everything was handed over.',
  } as Record<string, string>,
  person: {
    email: 'E-mail address',
    since: 'Account since',
    belongs: 'Belongs to this person',
    nothing: 'No documents, webhooks or API tokens',
    counts: (counts: Counts & { keys: number }) =>
      [
        counts.documents > 0 && documents(counts.documents),
        counts.templates > 0 && templates(counts.templates),
        counts.webhooks > 0 && webhooks(counts.webhooks),
        counts.keys > 0 && keys(counts.keys),
      ]
        .filter(text => text !== false)
        .join(', '),
    actions: 'What you can do',
    back: 'All people',
  },
  name: {
    subject: 'Name',
    action: 'Correct the name',
    text: 'As it is written on pages and in mails.',
    title: (name: string) => `Correct the name of ${name}`,
    detail: 'Entries of the audit log keep the person, not the name: they show the new one.',
    label: 'Name',
    submit: 'Save the name',
  },
  role: {
    subject: 'Role',
    action: 'Change the role',
    text: 'Decides what the person sees and changes.',
    title: (name: string) => `Change the role of ${name}`,
    detail:
      'The new role holds at once. API tokens of an auditor keep only their reading scopes. Open invitations from a person who is no longer an administrator are withdrawn.',
    label: 'Role',
    submit: 'Change the role',
  },
  secondFactor: {
    subject: 'Second factor',
    action: 'Remove',
    text: 'For somebody who has lost it, and the recovery codes.',
    title: (name: string) => `Remove the second factor of ${name}?`,
    detail: (email: string, had: Factors) =>
      `This removes ${factors(had)}, with the recovery codes. Make sure that it is really ${email} who asks: from then on the password alone is enough.`,
    ends: 'All sessions of this person are ended, and an e-mail says what you did.',
    submit: 'Remove second factor',
  },
  handOver: {
    subject: 'Documents and webhooks',
    action: 'Hand documents over',
    text: 'Gives all documents and webhooks to another person.',
    title: (name: string) => `Hand over what belongs to ${name}`,
    moves: (counts: Counts) =>
      `${all(counts)} will belong to the other person, who gets all further e-mails about them. Links that recipients have keep working.`,
    stays:
      'API tokens are not handed over. Contacts stay with their owner. Events that the API listed before stay listed for the former owner.',
    cannotUndo: 'To undo it, each document would have to be handed back.',
    nothing: 'Nothing belongs to this person that could be handed over.',
    nobody: 'There is nobody to hand it over to: invite a person, or enable one.',
    label: 'New owner',
    choose: 'Choose a person',
    submit: 'Hand everything over',
  },
  disable: {
    subject: 'Access',
    action: 'Disable',
    text: 'Ends all sessions and API tokens. Documents stay.',
    title: (name: string) => `Disable the account of ${name}?`,
    detail:
      'The person is signed out everywhere and cannot sign in. All API tokens of the person are revoked for good. Invitations the person has sent are withdrawn.',
    stays:
      'Documents stay and can still be signed. E-mails about them go to the contact of the organisation. Webhooks keep working.',
    submit: 'Disable the account',
  },
  enable: {
    subject: 'Access',
    action: 'Enable',
    text: 'Lets the person sign in again.',
    title: (name: string) => `Enable the account of ${name}?`,
    detail: 'The person can sign in with the password as before. Revoked API tokens stay revoked.',
    submit: 'Enable the account',
  },
  remove: {
    subject: 'Account',
    action: 'Remove',
    text: 'Deletes the account. Possible once nothing belongs to the person.',
    title: (name: string) => `Remove the account of ${name}?`,
    detail:
      'The account is deleted with its contacts, sessions and API tokens. This cannot be undone. Entries of the audit log stay, but no longer show the name.',
    notEmpty: (counts: Counts) =>
      `${all(counts)} still ${counts.documents + counts.templates + counts.webhooks === 1 ? 'belongs' : 'belong'} to this person. Hand them over first, or disable the account.`,
    submit: 'Remove the account',
  },
  yourself: 'This is your own account. Another administrator can disable or remove it.',
  accept: {
    pageTitle: 'Invitation',
    title: (organisation: string) => `Join ${organisation}`,
    lead: (by: string, role: string) => `${by} has invited you. Your role: ${role}.`,
    account: 'You sign in with',
    name: 'Your name',
    password: 'Password',
    submit: 'Create my account',
  },
  mails: {
    commandLine: 'The administrator of the server',
    openDocuments: 'Open the documents',
    invitation: (by: string, organisation: string, role: Role, days: number) => ({
      subject: `${by} invites you to ${organisation}`,
      paragraphs: [
        role === 'auditor'
          ? `${by} has invited you to read the documents of ${organisation}.`
          : `${by} has invited you to send documents for signature at ${organisation}.`,
        `Your role: ${ROLES[role]}.`,
        `Choose a password with the link below. It works once and is valid for ${days} days. Please do not forward it.`,
      ],
      button: 'Accept the invitation',
    }),
    renamed: (by: string, from: string, to: string) => ({
      subject: 'Your name was corrected',
      paragraphs: [`${by} has changed the name of your account from “${from}” to “${to}”.`],
    }),
    roleChanged: (by: string, role: Role) => ({
      subject: `Your role is now: ${ROLES[role]}`,
      paragraphs: [`${by} has changed the role of your account to: ${ROLES[role]}.`],
    }),
    disabled: (by: string, organisation: string) => ({
      subject: 'Your account was disabled',
      paragraphs: [
        `${by} has disabled your account at ${organisation}. You are signed out everywhere, and your API tokens no longer work.`,
        'Your documents are kept. If you did not expect this, ask an administrator.',
      ],
    }),
    enabled: (by: string, organisation: string, address: string) => ({
      subject: 'Your account is enabled again',
      paragraphs: [`${by} has enabled your account at ${organisation}. You can sign in at ${address} as before.`],
    }),
    removed: (by: string, organisation: string) => ({
      subject: 'Your account was removed',
      paragraphs: [`${by} has removed your account at ${organisation}. You can no longer sign in.`],
    }),
    handedOver: (by: string, to: string, counts: Counts) => ({
      subject: `Your documents were handed over to ${to}`,
      paragraphs: [`${by} has handed ${all(counts)} of yours over to ${to}.`],
    }),
    received: (by: string, from: string, counts: Counts) => ({
      subject: `You have received documents of ${from}`,
      paragraphs: [`${by} has handed ${all(counts)} of ${from} over to you. E-mails about them now come to you.`],
    }),
  },
}
