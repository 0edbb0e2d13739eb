/** Sign-in by an identity provider: good ones, every way in which one can lie, and settings. */
import { describe, expect, test } from 'bun:test'
import { unlinkIdentity } from '../../../src/accounts/oidc-identity.ts'
import { insertPasskey, passkeysOf } from '../../../src/accounts/passkey-queries.ts'
import { removePasskey } from '../../../src/accounts/passkeys.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { verifyChain } from '../../../src/audit/log.ts'
import { appTextsOf } from '../../../src/locales/app.ts'
import { addPerson } from '../../support/accounts.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { dumpOf } from '../../support/dump.ts'
import type { Lies } from '../../support/lying-provider.ts'
import { ADMIN, isIn, useOidcScene } from '../../support/oidc-scene.ts'
import { withSecondFactor } from '../../support/second-factor.ts'

const scene = useOidcScene()

/** The administrator of the tests, or everybody else. */
const disable = (which: '=' | '!=') =>
  scene.t.sql(`UPDATE users SET disabled_at = '${scene.t.clock.now.toISOString()}' WHERE email ${which} '${ADMIN.email}'`)

describe('a person of an entrusted domain', () => {
  test('who has a member’s account is linked by the verified address, and stays that person', async () => {
    const ada = await addPerson(scene.t, 'Ada', 'member')
    await scene.t.sql(`UPDATE users SET email = 'ada@acme.example' WHERE id = '${ada.id}'`)
    const visitor = openVisitor(scene.t.fetch)
    expect((await visitor.get('/sign-in')).html).toContain('Sign in with Acme ID')
    await scene.signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect(await scene.identities()).toEqual([{ subject: 'ada-1', email: 'ada@acme.example', user_id: ada.id }])
    scene.provider.person = { ...scene.provider.person, email: 'ada.king@acme.example' }
    const page = await scene.signIn()
    expect(textOf(page)).toContain('Your identity provider gives another e-mail address than before.')
    expect((await scene.users()).map(({ email }) => email)).toEqual([ADMIN.email, 'ada@acme.example'])
    expect(await verifyChain(scene.t.app.db)).toHaveProperty('head')
  })

  test('without an account is refused, made a member, or accepts an invitation, as it is set', async () => {
    expect(textOf(await scene.signIn())).toContain('There is no account for ada@acme.example.')
    expect(await scene.users()).toHaveLength(1)
    await scene.configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(scene.t.fetch)
    await scene.signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect((await scene.users())[1]).toEqual({ email: 'ada@acme.example', role: 'member', name: 'Ada Lovelace' })
  })

  test('opens the page that was wanted before', async () => {
    await scene.configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(scene.t.fetch)
    expect((await visitor.get('/sign-in?next=%2Fcontacts')).html).toContain('/sign-in/oidc?next=%2Fcontacts')
    expect((await scene.signIn(visitor, '/sign-in/oidc?next=%2Fcontacts')).url).toBe('/contacts')
  })
})

describe('an administrator’s account', () => {
  test('is never linked by an address that the provider names, only in the profile', async () => {
    scene.provider.person = { sub: 'mallory', email: ADMIN.email, email_verified: true }
    const visitor = openVisitor(scene.t.fetch)
    expect(textOf(await scene.signIn(visitor))).toContain(
      'which is not linked yet: sign in as before, and link it under Profile.',
    )
    expect(isIn(visitor)).toBe(false)
    expect(await scene.identities()).toEqual([])
    await scene.byPassword(visitor)
    const profile = await visitor.get('/profile')
    const [, link = ''] = /href="(\/profile\/identity\/link[^"]*)"/.exec(profile.html) ?? []
    expect(textOf(await scene.signIn(visitor, link))).toContain('The account was linked.')
    const other = openVisitor(scene.t.fetch)
    await scene.signIn(other)
    expect(isIn(other)).toBe(true)
    await scene.t.drain()
    expect(scene.t.mails.map(({ subject }) => subject)).toContain('[TEST] Your account was linked to Acme ID')
  })

  test('is not linked by a foreign page, and not to somebody else’s identity', async () => {
    const visitor = await scene.byPassword()
    const { page } = await scene.leave(visitor, '/profile/identity/link')
    expect(page.headers.get('location')).toBe('/profile')
    expect(await scene.identities()).toEqual([])
  })

  test('is linked in a session that has just proved who it is, and in that one alone', async () => {
    const visitor = await scene.byPassword()
    const linkOf = async () => /href="(\/profile\/identity\/link[^"]*)"/.exec((await visitor.get('/profile')).html)?.[1] ?? ''
    const { address } = await scene.leave(visitor, await linkOf())
    await visitor.submit(await visitor.get('/profile'), {}, '/sign-out')
    const theo = await addPerson(scene.t, 'Theo', 'member', { signsIn: true })
    await visitor.submit(await visitor.get('/sign-in'), { email: theo.email, password: theo.password })
    expect(textOf(await visitor.get(scene.provider.signIn(address)))).toContain('You were signed out meanwhile.')
    expect(await scene.identities()).toEqual([])
    scene.t.clock.pass({ minutes: 16 })
    const { page } = await scene.leave(visitor, await linkOf())
    expect(page.headers.get('location')).toBe('/confirm?next=/profile')
  })
})

test('a second identity with the address of a linked person is refused', async () => {
  await scene.configure({ oidcUnknown: 'member' })
  await scene.signIn()
  scene.provider.person = { ...scene.provider.person, sub: 'ada-2' }
  const visitor = openVisitor(scene.t.fetch)
  expect(textOf(await scene.signIn(visitor))).toContain('is linked to another account at the identity provider')
  expect(isIn(visitor)).toBe(false)
  expect(await scene.identities()).toHaveLength(1)
})

const FORM = 'not as the standard says'
const KEY = 'not signed with a key'
const AUDIENCE = 'meant for another service'
const TIME = 'it has expired or is not valid yet'
const ISSUER = 'it comes from another identity provider'
const SECRET = 'does not accept the client ID or secret'
const REFUSED: [what: string, sentence: string, lies: Lies, person?: Record<string, unknown>][] = [
  ['another issuer in discovery', 'gives another name than', { metadata: { issuer: 'https://evil.example' } }],
  ['another issuer in the response', ISSUER, { response: { iss: 'https://evil.example' } }],
  ['no issuer in the response', ISSUER, { response: { iss: undefined } }],
  ['another issuer in the token', 'another identity provider has issued it', { claims: { iss: 'https://evil.example' } }],
  ['another audience', AUDIENCE, { claims: { aud: 'another' } }],
  ['another authorised party', AUDIENCE, { claims: { azp: 'another' } }],
  ['several audiences without azp', AUDIENCE, { claims: { aud: ['signet', 'another'] } }],
  ['another nonce', 'belongs to another sign-in', { claims: { nonce: 'x' } }],
  ['no nonce', 'refused', { claims: { nonce: undefined } }],
  ['an expired token', TIME, { claims: { exp: 1_700_000_000 } }],
  ['a token issued in the future', TIME, { claims: { iat: 4_000_000_000, exp: 4_000_000_300 } }],
  ['a token of the future', TIME, { claims: { nbf: 4_000_000_000 } }],
  ['alg none', KEY, { alg: 'none' }],
  ['HS256 by the client secret', KEY, { alg: 'HS256' }],
  ['an unknown key', KEY, { isForeignKey: true }],
  ['a wrong secret', SECRET, { token: { status: 401, body: { error: 'invalid_client' } } }],
  [
    'a wrong secret, as a challenge',
    SECRET,
    { token: { status: 401, body: {}, headers: { 'www-authenticate': 'Basic realm="x"' } } },
  ],
  ['a code that is over', 'no longer accepts this sign-in', { token: { status: 400, body: { error: 'invalid_grant' } } }],
  ['no ID token', FORM, { token: { status: 200, body: { access_token: 'at', token_type: 'Bearer' } } }],
  [
    'an ID token that is not in base64url',
    FORM,
    { token: { status: 200, body: { access_token: 'at', token_type: 'Bearer', id_token: '!.!.!' } } },
  ],
  ['a signature that is not in base64url', FORM, { signature: '!' }],
  ['an issuer that is no address', 'does not answer as one should', { metadata: { issuer: 'acme' } }],
  [
    'a list of addresses in place of one',
    'does not answer as one should',
    { metadata: { authorization_endpoint: ['https://login.acme.example/authorize'] } },
  ],
  ['a token endpoint that fails', 'cannot be reached', { token: { status: 503, body: {} } }],
  ['a visitor who cancelled', 'You cancelled the sign-in', { response: { code: undefined, error: 'access_denied' } }],
  ['another error', 'refused the request of this service', { response: { code: undefined, error: 'server_error' } }],
  [
    'an access token that no header can have, where a claim is asked for',
    FORM,
    { accessToken: 'a\nb', metadata: { userinfo_endpoint: 'http://127.0.0.1:9/userinfo' } },
    { email: undefined },
  ],
  ['an empty subject', FORM, { claims: { sub: '' } }],
  ['a subject of 300 kB', FORM, { claims: { sub: 'x'.repeat(300_000) } }],
  ['a subject that no database stores', FORM, { claims: { sub: 'ada\u0000' } }],
  ['two addresses in one', 'gives no e-mail address for you', {}, { email: 'ada@evil.example@acme.example' }],
  ['no address', 'gives no e-mail address for you', {}, { email: undefined }],
  ['an address that is none', 'gives no e-mail address for you', {}, { email: 'ada' }],
  ['an unverified address', 'does not say that the address ada@acme.example was verified', {}, { email_verified: false }],
  ['an address without a mark', 'does not say that the address ada@acme.example was verified', {}, { email_verified: undefined }],
  ['another domain', 'Addresses like ada@evil.example may not sign in here', {}, { email: 'ada@evil.example' }],
  ['a domain that only ends alike', 'may not sign in here', {}, { email: 'ada@not-acme.example' }],
]

describe('refused with a sentence, and nobody is made or signed in:', () => {
  for (const [what, sentence, lies, person] of REFUSED) {
    test(what, async () => {
      await scene.configure({ oidcUnknown: 'member' })
      const visitor = openVisitor(scene.t.fetch)
      // Discovery is cached with the first visit.
      if (lies.accessToken) scene.provider.lies = lies
      const { address, page } = lies.metadata && !lies.accessToken ? { address: '', page: undefined } : await scene.leave(visitor)
      scene.provider.lies = lies
      scene.provider.person = { ...scene.provider.person, ...person }
      const refused = page ? await visitor.get(scene.provider.signIn(address)) : (await scene.leave(visitor)).page
      expect(textOf(refused)).toContain(sentence)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(isIn(visitor)).toBe(false)
      expect(await scene.users()).toHaveLength(1)
      expect(await scene.identities()).toEqual([])
      expect(isIn(await scene.byPassword())).toBe(true)
      const shown = JSON.stringify(scene.t.logged) + refused.html
      expect(shown).not.toContain('a secret of the tests')
    })
  }

  test('a provider that is down, redirects, sends pages, or too much', async () => {
    const answers: Lies['answer'][] = [
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'x'.repeat(600_000)}"}`),
      (_, response) => response.writeHead(404).end(),
    ]
    for (const answer of answers) {
      scene.provider.lies = answer ? { answer } : {}
      expect(textOf((await scene.leave(openVisitor(scene.t.fetch))).page)).toContain('does not answer as one should')
    }
    await scene.provider.close()
    const { page } = await scene.leave(openVisitor(scene.t.fetch))
    expect(textOf(page)).toContain('The identity provider cannot be reached.')
    expect(page.html).toContain('name="password"')
  })

  test('endpoints in a private network, or without https', async () => {
    const { url } = scene.provider
    for (const [address, detail] of [
      ['http://10.0.0.1/token', 'without https'],
      ['https://10.0.0.1/jwks', 'a private address'],
    ] as const) {
      scene.provider.lies = { metadata: address.endsWith('jwks') ? { jwks_uri: address } : { token_endpoint: address } }
      const visitor = openVisitor(scene.t.fetch)
      const { address: to, page } = await scene.leave(visitor)
      const refused = to.startsWith(url) ? await visitor.get(scene.provider.signIn(to)) : page
      expect(refused.status).toBe(401)
      expect(JSON.stringify(scene.t.logged)).toContain(detail)
    }
  })
})

describe('a response', () => {
  test('is accepted once, by the browser that asked, within ten minutes', async () => {
    await scene.configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(scene.t.fetch)
    const { address } = await scene.leave(visitor)
    const back = scene.provider.signIn(address)
    const stolen = openVisitor(scene.t.fetch)
    await stolen.get('/sign-in')
    expect(textOf(await stolen.get(back))).toContain('This sign-in is no longer open')
    expect(isIn(stolen)).toBe(false)
    await visitor.get(back)
    expect(isIn(visitor)).toBe(true)
    const again = await visitor.get(back)
    expect([again.status, textOf(again)]).toEqual([401, expect.stringContaining('This sign-in is no longer open')])
    const late = openVisitor(scene.t.fetch)
    const { address: old } = await scene.leave(late)
    scene.t.clock.pass({ minutes: 11 })
    expect(textOf(await late.get(scene.provider.signIn(old)))).toContain('more than 10 minutes ago')
    expect(isIn(late)).toBe(false)
  })

  test('after the provider was changed is refused', async () => {
    const visitor = openVisitor(scene.t.fetch)
    const { address } = await scene.leave(visitor)
    await scene.configure({ oidcIssuer: 'https://other.example' })
    expect(textOf(await visitor.get(scene.provider.signIn(address)))).toContain('has changed the identity provider meanwhile')
  })
})

describe('roles by a claim', () => {
  const rule = {
    oidcUnknown: 'member',
    oidcRoleClaim: 'realm_access.roles',
    oidcAdmins: 'Chiefs, Bosses',
    oidcAuditors: 'Auditors',
  }
  const withRoles = (...roles: string[]) => {
    scene.provider.person = { ...scene.provider.person, realm_access: { roles } }
  }

  test('are taken at each sign-in, and mailed to the person; without a value as for unknown people', async () => {
    await scene.configure(rule)
    withRoles('Bosses', 'Auditors')
    await scene.signIn()
    expect((await scene.users())[1]?.role).toBe('admin')
    withRoles('Auditors')
    await scene.signIn()
    expect((await scene.users())[1]?.role).toBe('auditor')
    withRoles('Cooks')
    await scene.signIn()
    expect((await scene.users())[1]?.role).toBe('member')
    await scene.configure({ oidcUnknown: '' })
    expect(textOf(await scene.signIn())).toContain('The identity provider gives you no role in this service.')
    await scene.t.drain()
    expect(scene.t.mails.map(({ text }) => text).join()).toContain('Acme ID has changed the role of your account')
  })

  test('never demote the last active administrator', async () => {
    await scene.configure(rule)
    withRoles('Bosses')
    await scene.signIn()
    await disable('=')
    withRoles('Auditors')
    const visitor = openVisitor(scene.t.fetch)
    await scene.signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect((await scene.users())[1]?.role).toBe('admin')
  })
})

describe('somebody without a password', () => {
  async function passwordless(): Promise<Visitor> {
    await scene.configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(scene.t.fetch)
    await scene.signIn(visitor)
    return visitor
  }

  test('confirms sensitive changes at the provider, by a new sign-in there', async () => {
    const visitor = await passwordless()
    scene.t.clock.pass({ minutes: 20 })
    const page = await visitor.get('/profile/identity/unlink')
    expect(page.html).not.toContain('type="password"')
    expect(page.html).toContain('/confirm/oidc?next=%2Fprofile%2Fidentity%2Funlink')
    const { address } = await scene.leave(visitor, '/confirm/oidc?next=%2Fprofile%2Fidentity%2Funlink')
    expect(new URL(address).searchParams.get('prompt')).toBe('login')
    expect((await visitor.get(scene.provider.signIn(address))).html).not.toContain('/confirm/oidc')
  })

  test('does not confirm with an old sign-in there, none, or that of somebody else', async () => {
    const visitor = await passwordless()
    const lies: [Lies, Record<string, unknown>, string][] = [
      [{ claims: { auth_time: 1_700_000_000 } }, {}, 'did not ask you to sign in again'],
      [{ claims: { auth_time: undefined } }, {}, 'does not say when you signed in there'],
      [{}, { sub: 'bob-1' }, 'as somebody else'],
    ]
    scene.t.clock.pass({ minutes: 20 })
    for (const [lie, person, sentence] of lies) {
      scene.provider.lies = lie
      const { address } = await scene.leave(visitor, '/confirm/oidc')
      const before = scene.provider.person
      scene.provider.person = { ...before, ...person }
      expect(textOf(await visitor.get(scene.provider.signIn(address)))).toContain(sentence)
      scene.provider.person = before
      expect((await visitor.get('/profile/identity/unlink')).html).toContain('/confirm/oidc')
    }
  })

  test('cannot unlink the only way in, nor sign in with an empty password', async () => {
    const visitor = await passwordless()
    const page = await visitor.submit(await visitor.get('/profile/identity/unlink'))
    expect(textOf(page)).toContain('This is your only way to sign in.')
    expect(await scene.identities()).toHaveLength(1)
    const other = openVisitor(scene.t.fetch)
    await other.submit(await other.get('/sign-in'), { email: 'ada@acme.example', password: '' })
    expect(isIn(other)).toBe(false)
  })

  test('who is disabled stays out', async () => {
    await passwordless()
    await disable('!=')
    const visitor = openVisitor(scene.t.fetch)
    expect(textOf(await scene.signIn(visitor))).toContain('This account is disabled.')
    expect(isIn(visitor)).toBe(false)
  })
})

test('where the provider is the only way, a member’s password opens no session, an administrator’s does', async () => {
  const ada = await addPerson(scene.t, 'Ada', 'member', { signsIn: true })
  await scene.configure({ oidcOnly: 'yes' })
  const visitor = openVisitor(scene.t.fetch)
  const page = await visitor.submit(await visitor.get('/sign-in'), { email: ada.email, password: ada.password })
  expect(textOf(page)).toContain('In your organisation you sign in with the identity provider')
  expect(isIn(visitor)).toBe(false)
  expect(isIn(await scene.byPassword())).toBe(true)
})

test('a refused identity is in the audit log, without the token', async () => {
  await scene.signIn()
  const rows = await scene.t.app.db.selectFrom('events').select('entry').execute()
  expect(rows.map(({ entry }) => JSON.parse(entry).type)).toContain('sign_in.refused')
  expect(await dumpOf(scene.t)).not.toContain('eyJ')
})

test('a refusal is German where the browser is', () => {
  expect(appTextsOf('de').storedText('You cancelled the sign-in at the identity provider.')).toBe(
    'Sie haben die Anmeldung beim Identitätsanbieter abgebrochen.',
  )
})

describe('the settings page', () => {
  const PATH = '/settings/sign-in/openid-connect'

  test('says what the provider calls itself, if that is something else', async () => {
    const visitor = await scene.byPassword()
    scene.provider.lies = { metadata: { issuer: 'https://login.acme.example' } }
    const page = await visitor.submit(await visitor.get(PATH), {}, '/test')
    expect(textOf(page)).toMatch(/Enter as issuer just what it says: .* https:\/\/login\.acme\.example/)
  })

  test('keeps the secret for the same provider only, and never shows it', async () => {
    const visitor = await scene.byPassword()
    const form = await visitor.get(PATH)
    expect(form.html).not.toContain('a secret of the tests')
    expect(textOf(await visitor.submit(form, { oidcName: 'Acme' }, PATH))).toContain('The settings were saved.')
    const moved = await visitor.submit(await visitor.get(PATH), { oidcIssuer: 'https://evil.example' }, PATH)
    expect(textOf(moved)).toContain('Client secret must be entered for this provider and client ID.')
    expect((await visitor.get(PATH)).html).toContain(scene.provider.url)
  })

  test('refuses what contradicts: new accounts without a domain, values without a claim', async () => {
    const visitor = await scene.byPassword()
    const save = async (values: Record<string, string>) => textOf(await visitor.submit(await visitor.get(PATH), values, PATH))
    expect(await save({ oidcDomains: '', oidcUnknown: 'member' })).toContain('E-mail domains must be entered for what is chosen')
    expect(await save({ oidcDomains: '', oidcOnly: 'yes' })).toContain('E-mail domains must be entered for what is chosen')
    expect(await save({ oidcAdmins: 'Bosses' })).toContain('Claim must be entered, or all its values removed.')
    expect(await save({ oidcIssuer: 'http://login.example.com' })).toContain('Issuer must begin with https://.')
  })

  test('shows what the environment fixes, and leaves it alone', async () => {
    scene.t.app.config.fixed.oidcDomains = 'fixed.example'
    const visitor = await scene.byPassword()
    const form = await visitor.get(PATH)
    expect(textOf(form)).toContain('Set by SIGNET_OIDC_DOMAINS . Change it there.')
    expect(textOf(await visitor.submit(form, { oidcName: 'Acme' }, PATH))).toContain('The settings were saved.')
  })

  test('switches off after a question: the button goes, identities stay', async () => {
    const visitor = await scene.byPassword()
    const question = await visitor.get(`${PATH}/remove`)
    expect(textOf(question)).toContain('Everybody has a password.')
    await visitor.submit(question)
    expect((await openVisitor(scene.t.fetch).get('/sign-in')).html).not.toContain('/sign-in/oidc')
    expect((await scene.leave(openVisitor(scene.t.fetch))).page.status).toBe(404)
  })
})

test('the second factor of a person is asked for after the provider, unless the provider is trusted with it', async () => {
  await scene.configure({ oidcUnknown: 'member' })
  await scene.signIn()
  await withSecondFactor(scene.t.app, 'ada@acme.example')
  const visitor = openVisitor(scene.t.fetch)
  expect((await scene.signIn(visitor)).url).toBe('/sign-in/code')
  expect(isIn(visitor)).toBe(false)
  await scene.configure({ oidcSecondFactor: 'provider' })
  const trusting = openVisitor(scene.t.fetch)
  await scene.signIn(trusting)
  expect(isIn(trusting)).toBe(true)
})

test('the last passkey of somebody without a password stays', async () => {
  await scene.configure({ oidcUnknown: 'member' })
  await scene.signIn()
  const ada = (await userByEmail(scene.t.app.db, 'ada@acme.example')) as User
  const origin = { actor: actorOfUser(ada), ip: undefined, userAgent: undefined }
  const times = { createdAt: scene.t.clock.now, lastUsedAt: undefined }
  const key = { publicKey: new Uint8Array(1), counter: 0, transports: [], isBackedUp: false, name: 'Phone', ...times }
  await scene.t.app.write(tx => insertPasskey(tx, { ...key, id: 'key-1', userId: ada.id }))
  await unlinkIdentity(scene.t.app, ada, origin)
  expect(await refusalOf(removePasskey(scene.t.app, ada, 'key-1', origin))).toContain('provider_only_way')
  expect(await passkeysOf(scene.t.app.db, ada.id)).toHaveLength(1)
})

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => String(error),
  )
