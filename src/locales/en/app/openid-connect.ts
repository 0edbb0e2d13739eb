/** Texts of sign-in by an identity provider, in English. Names between backticks are code. */
const NOT_YOU = 'If this was not you, tell your administrator at once.'
const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)

export const openIdConnect = {
  signInWith: (provider: string) => `Sign in with ${provider}`,
  orAccept: 'You need no password here if you sign in with the account of your organisation.',
  administrators: 'For administrators: sign in with a password',
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  confirmFirst: (reason: string) => `${reason} Please confirm first that it is you. You come back to this page.`,
  confirmNoWay:
    'Your account has no password and no other way to confirm. Set a password: sign out, and follow “Forgotten your password?”.',
  noPassword: 'Your account has no password. To set one, sign out and follow “Forgotten your password?”.',
  section: {
    title: 'Identity provider',
    on: (provider: string) => `On: people can sign in with ${provider}.`,
    onlyWay: (provider: string) => `On: everybody but administrators signs in with ${provider} alone.`,
    off: 'Off: people sign in with a password or a passkey.',
    change: 'Change or test',
    setUp: 'Set up',
  },
  profile: {
    linked: 'Linked',
    linkedText: (provider: string, email: string, since: string) =>
      `Your account at ${provider} is ${email}, linked on ${since}.`,
    none: 'Not linked',
    noneText: (provider: string) => `Link your account at ${provider}, and you can sign in with it.`,
    link: (provider: string) => `Link ${provider}`,
    unlink: 'Unlink…',
    unlinkTitle: (provider: string) => `Unlink ${provider}?`,
    unlinkText: (email: string) => `You can no longer sign in with ${email}. Your account and your documents stay as they are.`,
    unlinkReason: 'This changes how you sign in.',
    unlinkSubmit: 'Unlink',
    notices: {
      linked: 'The account was linked. You can now sign in with it.',
      unlinked: 'The account was unlinked.',
      'identity-email':
        'Your identity provider gives another e-mail address than before. You are signed in to the same account, and your address here stays as it was.',
    } as Record<string, string>,
  },
  person: {
    label: 'Signs in with',
    ways: { password: 'password', passkey: 'passkey' },
  },
  settings: {
    title: 'OpenID Connect',
    back: 'Sign-in',
    lead: 'People sign in with the account that they have at your identity provider, for example Entra ID, Google Workspace or Keycloak.',
    unset: 'Not set up yet',
    steps: [
      'Register Signet at your provider as a web application with a client secret, with the redirect URI below.',
      'Enter the issuer, the client ID and the client secret here, and save.',
      'Test the connection. Then the button appears on the sign-in page.',
    ],
    isOn: (provider: string) => `The sign-in page has the button “Sign in with ${provider}”.`,
    redirectUri: 'Redirect URI',
    redirectUriHint: 'Your provider asks for it, and sends people back to this address only.',
    fixed: (variable: string) => `Set by \`${variable}\`. Change it there.`,
    provider: 'Provider',
    labels: {
      oidcIssuer: 'Issuer',
      oidcClientId: 'Client ID',
      oidcClientSecret: 'Client secret',
      oidcName: 'Name on the button',
      oidcDomains: 'E-mail domains',
      oidcEmails: 'Addresses that the provider does not mark as verified',
      oidcUnknown: 'People without an account',
      oidcRoleClaim: 'Claim',
      oidcAdmins: 'Values for administrators',
      oidcMembers: 'Values for members',
      oidcAuditors: 'Values for auditors',
      oidcScopes: 'Further scopes',
      oidcSecondFactor: 'Second factor',
      oidcOnly: 'Other ways to sign in',
    },
    hints: {
      oidcIssuer: 'As your provider writes it, for example https://login.example.com/realms/office.',
      oidcClientSecret: 'It is stored encrypted and not shown again.',
      oidcSecretStored: 'A secret is stored. Leave it empty to keep it.',
      oidcName: 'Empty: the host of the issuer.',
      oidcDomains:
        'Separated by commas. List only domains in which your provider alone gives out addresses: accounts with such an address are linked at the first sign-in, but not those of administrators, who link theirs under Profile. Other addresses are refused. Empty: any address, but only accounts that were linked under Profile.',
      oidcRoleClaim: 'For example groups, or realm_access.roles for one inside another.',
      oidcValues: 'Separated by commas.',
      oidcScopes: 'Only if your provider needs one for the claim.',
    },
    people: 'People',
    emails: {
      verified: 'Refuse them',
      all: 'Accept them: the provider knows its addresses (Entra ID)',
    },
    unknown: {
      refuse: 'Refuse them, unless they were invited',
      member: 'Create an account as a member',
      auditor: 'Create an account as an auditor',
    },
    secondFactor: {
      signet: 'Signet asks people who have one, as after a password',
      provider: 'The provider asks: Signet does not ask again',
    },
    only: {
      no: 'Passwords and passkeys stay possible for everybody',
      yes: 'Only administrators may still use them',
    },
    onlyNote: 'Administrators can always sign in with their password, also while the provider is down.',
    roles: 'Roles by the provider',
    rolesText:
      'Optional. With a claim, the provider decides the role of everybody at each sign-in. Somebody with none of the values is treated like people without an account. The last administrator always stays one.',
    saveReason: 'This changes how everybody signs in.',
    save: 'Save',
    testTitle: 'Test',
    testText: 'Asks the provider what it offers, with the saved settings. Nobody is signed in.',
    test: 'Test the connection',
    testGood: 'The provider answers',
    testBad: 'The connection does not work',
    testFailures: {
      unreachable: 'The provider cannot be reached. Check the address, and whether this server may connect to it.',
      'no provider':
        'There is no OpenID Connect provider at this address. Check the issuer: with /.well-known/openid-configuration behind it, it must open in a browser.',
      'another issuer': 'The provider gives another name than the one entered here. Enter as issuer just what it says:',
    },
    testDetail: 'In detail',
    facts: { issuer: 'Issuer', authorization: 'Sign-in page', token: 'Token endpoint', namesItself: 'Says who it is (RFC 9207)' },
    yes: 'yes',
    no: 'no',
    testNext: 'The client secret is used for the first time when somebody signs in: link your own account under Profile.',
    offTitle: 'Switch off',
    offText: 'People then sign in with a password or a passkey only.',
    off: 'Switch off…',
    offQuestion: (provider: string) => `Switch off the sign-in with ${provider}?`,
    offDetail: 'The settings are deleted, the secret too. Accounts stay linked, in case you set up the same provider again.',
    offLocked: (count: number) =>
      count === 0
        ? 'Everybody has a password.'
        : `${people(count)} without a password will have to set one, with the link “Forgotten your password?” on the sign-in page.`,
    offReason: 'This changes how everybody signs in.',
    offSubmit: 'Switch off',
    notices: {
      saved: 'The settings were saved. Test the connection now.',
      removed: 'The sign-in by the identity provider is off.',
    } as Record<string, string>,
  },
  mails: {
    linked: (service: string, provider: string, email: string) => ({
      subject: `Your account was linked to ${provider}`,
      paragraphs: [`The account ${email} at ${provider} can now sign in to your account at ${service}.`, NOT_YOU],
    }),
    unlinked: (service: string, provider: string, email: string) => ({
      subject: `Your account is no longer linked to ${provider}`,
      paragraphs: [`The account ${email} at ${provider} can no longer sign in to your account at ${service}.`, NOT_YOU],
    }),
  },
}
