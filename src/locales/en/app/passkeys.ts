/** Texts of passkeys, in English. */
const NOT_YOU =
  'If this was not you, somebody else may use your account: end all other sessions and choose a new password under Profile at once, and tell your administrator.'

export const passkeys = {
  title: 'Passkeys',
  lead: 'A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password or a code.',
  none: 'You have no passkey yet.',
  /** `host`: of the base URL. */
  impossible: (host: string) =>
    `Passkeys are not possible at this address (${host}): browsers require https and a host name. The person who runs the server sets it with SIGNET_BASE_URL.`,
  columns: { name: 'Name', created: 'Added', lastUsed: 'Last used' },
  neverUsed: 'not yet',
  synced: 'synchronised',
  add: 'Add a passkey',
  rename: 'Rename',
  renameNamed: (name: string) => `Rename the passkey ${name}`,
  remove: 'Remove…',
  removeNamed: (name: string) => `Remove the passkey ${name}`,
  addTitle: 'Add a passkey',
  addLead: 'Your browser asks you where to keep it: on this device, on your phone, on a security key or in a password manager.',
  name: 'Name',
  nameHint: 'So that you recognise it later, for example “Work laptop”.',
  create: 'Create passkey',
  renameTitle: 'Rename passkey',
  removeTitle: (name: string) => `Remove the passkey “${name}”?`,
  removeText: 'You can no longer sign in with it. Your password stays as it is. Delete the passkey on your device too.',
  removeRequired:
    'It is your only second factor, and your organisation requires one: you will have to set up a new one when you sign in next.',
  removeReason: 'This changes how you sign in.',
  removeSubmit: 'Remove passkey',
  noScript: 'Passkeys need JavaScript, which is switched off in your browser.',
  signIn: 'Sign in with a passkey',
  confirm: 'Use a passkey instead',
  accepted: 'Your passkey was accepted. Now press the button that you want.',
  failures: {
    unsupported: 'This browser has no passkeys.',
    cancelled: 'No passkey was used: you cancelled, or it took too long.',
    known: 'This device already holds a passkey for your account.',
    failed: 'Your browser could not use a passkey. Please try again.',
    offline: 'Signet could not be reached. Please try again.',
  },
  notices: {
    'passkey-added': 'The passkey was added. You can now sign in with it.',
    'passkey-renamed': 'The passkey was renamed.',
    'passkey-removed': 'The passkey was removed.',
  } as Record<string, string>,
  mails: {
    added: (service: string, name: string) => ({
      subject: 'A passkey was added',
      paragraphs: [`The passkey “${name}” was added to your account at ${service}. It signs in without your password.`, NOT_YOU],
    }),
    renamed: (service: string, from: string, to: string) => ({
      subject: 'A passkey was renamed',
      paragraphs: [`The passkey “${from}” of your account at ${service} is now called “${to}”.`, NOT_YOU],
    }),
    removed: (service: string, name: string) => ({
      subject: 'A passkey was removed',
      paragraphs: [`The passkey “${name}” was removed from your account at ${service}. It no longer signs in.`, NOT_YOU],
    }),
    refused: (service: string, name: string) => ({
      subject: 'A passkey was refused',
      paragraphs: [
        `The passkey “${name}” of your account at ${service} was refused: its counter of signatures went back. This can mean that somebody has copied it.`,
        'Remove this passkey under Profile, add a new one, and tell your administrator.',
      ],
    }),
  },
}
