/** Sign-in by an identity provider, on the pages: good ones, and every way in which one can lie. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { verifyChain } from '../../../src/audit/log.ts'
import { appTextsOf } from '../../../src/locales/app.ts'
import { addPerson } from '../../support/accounts.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { dumpOf } from '../../support/dump.ts'
import type { Lies } from '../../support/lying-provider.ts'
import { ADMIN, isIn, type OidcScene, openOidcScene } from '../../support/oidc-scene.ts'

let scene: OidcScene
let t: OidcScene['t']
let provider: OidcScene['provider']
beforeEach(async () => {
  scene = await openOidcScene()
  t = scene.t
  provider = scene.provider
})
afterEach(() => scene.close())

const configure: OidcScene['configure'] = changes => scene.configure(changes)
const leave: OidcScene['leave'] = (...visit) => scene.leave(...visit)
const signIn: OidcScene['signIn'] = (...visit) => scene.signIn(...visit)
const byPassword: OidcScene['byPassword'] = (...visit) => scene.byPassword(...visit)
const users = () => scene.users()
const identities = () => scene.identities()

/** The administrator of the tests, or everybody else. */
const disable = (which: '=' | '!=') =>
  t.sql(`UPDATE users SET disabled_at = '${t.clock.now.toISOString()}' WHERE email ${which} '${ADMIN.email}'`)

describe('a person of an entrusted domain', () => {
  test('who has a member’s account is linked by the verified address, and stays that person', async () => {
    const ada = await addPerson(t, 'Ada', 'member')
    await t.sql(`UPDATE users SET email = 'ada@acme.example' WHERE id = '${ada.id}'`)
    const visitor = openVisitor(t.fetch)
    expect((await visitor.get('/sign-in')).html).toContain('Sign in with Acme ID')
    await signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect(await identities()).toEqual([{ subject: 'ada-1', email: 'ada@acme.example', user_id: ada.id }])
    provider.person = { ...provider.person, email: 'ada.king@acme.example' }
    const page = await signIn()
    expect(textOf(page)).toContain('Your identity provider gives another e-mail address than before.')
    expect((await users()).map(({ email }) => email)).toEqual([ADMIN.email, 'ada@acme.example'])
    expect(await verifyChain(t.app.db)).toHaveProperty('head')
  })

  test('without an account is refused, made a member, or accepts an invitation, as it is set', async () => {
    expect(textOf(await signIn())).toContain('There is no account for ada@acme.example.')
    expect(await users()).toHaveLength(1)
    await configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(t.fetch)
    await signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect((await users())[1]).toEqual({ email: 'ada@acme.example', role: 'member', name: 'Ada Lovelace' })
  })

  test('opens the page that was wanted before', async () => {
    await configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(t.fetch)
    expect((await visitor.get('/sign-in?next=%2Fcontacts')).html).toContain('/sign-in/oidc?next=%2Fcontacts')
    expect((await signIn(visitor, '/sign-in/oidc?next=%2Fcontacts')).url).toBe('/contacts')
  })
})

describe('an administrator’s account', () => {
  test('is never linked by an address that the provider names, only in the profile', async () => {
    provider.person = { sub: 'mallory', email: ADMIN.email, email_verified: true }
    const visitor = openVisitor(t.fetch)
    expect(textOf(await signIn(visitor))).toContain('which is not linked yet: sign in as before, and link it under Profile.')
    expect(isIn(visitor)).toBe(false)
    expect(await identities()).toEqual([])
    await byPassword(visitor)
    const profile = await visitor.get('/profile')
    const [, link = ''] = /href="(\/profile\/identity\/link[^"]*)"/.exec(profile.html) ?? []
    expect(textOf(await signIn(visitor, link))).toContain('The account was linked.')
    const other = openVisitor(t.fetch)
    await signIn(other)
    expect(isIn(other)).toBe(true)
    await t.drain()
    expect(t.mails.map(({ subject }) => subject)).toContain('[TEST] Your account was linked to Acme ID')
  })

  test('is not linked by a foreign page, and not to somebody else’s identity', async () => {
    const visitor = await byPassword()
    const { page } = await leave(visitor, '/profile/identity/link')
    expect(page.headers.get('location')).toBe('/profile')
    expect(await identities()).toEqual([])
  })

  test('is linked in a session that has just proved who it is, and in that one alone', async () => {
    const visitor = await byPassword()
    const linkOf = async () => /href="(\/profile\/identity\/link[^"]*)"/.exec((await visitor.get('/profile')).html)?.[1] ?? ''
    const { address } = await leave(visitor, await linkOf())
    await visitor.submit(await visitor.get('/profile'), {}, '/sign-out')
    const theo = await addPerson(t, 'Theo', 'member', { signsIn: true })
    await visitor.submit(await visitor.get('/sign-in'), { email: theo.email, password: theo.password })
    expect(textOf(await visitor.get(provider.signIn(address)))).toContain('You were signed out meanwhile.')
    expect(await identities()).toEqual([])
    t.clock.pass({ minutes: 16 })
    const { page } = await leave(visitor, await linkOf())
    expect(page.headers.get('location')).toBe('/confirm?next=/profile')
  })
})

describe('a second identity', () => {
  test('with the address of a linked person is refused', async () => {
    await configure({ oidcUnknown: 'member' })
    await signIn()
    provider.person = { ...provider.person, sub: 'ada-2' }
    const visitor = openVisitor(t.fetch)
    expect(textOf(await signIn(visitor))).toContain('is linked to another account at the identity provider')
    expect(isIn(visitor)).toBe(false)
    expect(await identities()).toHaveLength(1)
  })
})

const REFUSED: [what: string, lies: Lies, person: Record<string, unknown>, sentence: string][] = [
  ['another issuer in discovery', { metadata: { issuer: 'https://evil.example' } }, {}, 'gives another name than'],
  [
    'another issuer in the response',
    { response: { iss: 'https://evil.example' } },
    {},
    'it comes from another identity provider',
  ],
  ['no issuer in the response', { response: { iss: undefined } }, {}, 'it comes from another identity provider'],
  ['another issuer in the token', { claims: { iss: 'https://evil.example' } }, {}, 'another identity provider has issued it'],
  ['another audience', { claims: { aud: 'another' } }, {}, 'meant for another service'],
  ['another authorised party', { claims: { azp: 'another' } }, {}, 'meant for another service'],
  ['several audiences without azp', { claims: { aud: ['signet', 'another'] } }, {}, 'meant for another service'],
  ['another nonce', { claims: { nonce: 'x' } }, {}, 'belongs to another sign-in'],
  ['no nonce', { claims: { nonce: undefined } }, {}, 'refused'],
  ['an expired token', { claims: { exp: 1_700_000_000 } }, {}, 'it has expired or is not valid yet'],
  [
    'a token issued in the future',
    { claims: { iat: 4_000_000_000, exp: 4_000_000_300 } },
    {},
    'it has expired or is not valid yet',
  ],
  ['a token of the future', { claims: { nbf: 4_000_000_000 } }, {}, 'it has expired or is not valid yet'],
  ['alg none', { alg: 'none' }, {}, 'not signed with a key'],
  ['HS256 by the client secret', { alg: 'HS256' }, {}, 'not signed with a key'],
  ['an unknown key', { isForeignKey: true }, {}, 'not signed with a key'],
  [
    'a wrong secret',
    { token: { status: 401, body: { error: 'invalid_client' } } },
    {},
    'does not accept the client ID or secret',
  ],
  [
    'a wrong secret, as a challenge',
    { token: { status: 401, body: {}, headers: { 'www-authenticate': 'Basic realm="x"' } } },
    {},
    'does not accept the client ID or secret',
  ],
  ['a code that is over', { token: { status: 400, body: { error: 'invalid_grant' } } }, {}, 'no longer accepts this sign-in'],
  ['no ID token', { token: { status: 200, body: { access_token: 'at', token_type: 'Bearer' } } }, {}, 'not as the standard says'],
  [
    'an ID token that is not in base64url',
    { token: { status: 200, body: { access_token: 'at', token_type: 'Bearer', id_token: '!.!.!' } } },
    {},
    'not as the standard says',
  ],
  ['a signature that is not in base64url', { signature: '!' }, {}, 'not as the standard says'],
  ['an issuer that is no address', { metadata: { issuer: 'acme' } }, {}, 'does not answer as one should'],
  [
    'a list of addresses in place of one',
    { metadata: { authorization_endpoint: ['https://login.acme.example/authorize'] } },
    {},
    'does not answer as one should',
  ],
  ['a token endpoint that fails', { token: { status: 503, body: {} } }, {}, 'cannot be reached'],
  ['a visitor who cancelled', { response: { code: undefined, error: 'access_denied' } }, {}, 'You cancelled the sign-in'],
  ['another error', { response: { code: undefined, error: 'server_error' } }, {}, 'refused the request of this service'],
  [
    'an access token that no header can have, where a claim is asked for',
    { accessToken: 'a\nb', metadata: { userinfo_endpoint: 'http://127.0.0.1:9/userinfo' } },
    { email: undefined },
    'not as the standard says',
  ],
  ['an empty subject', { claims: { sub: '' } }, {}, 'not as the standard says'],
  ['a subject of 300 kB', { claims: { sub: 'x'.repeat(300_000) } }, {}, 'not as the standard says'],
  ['a subject that no database stores', { claims: { sub: 'ada\u0000' } }, {}, 'not as the standard says'],
  ['two addresses in one', {}, { email: 'ada@evil.example@acme.example' }, 'gives no e-mail address for you'],
  ['no address', {}, { email: undefined }, 'gives no e-mail address for you'],
  ['an address that is none', {}, { email: 'ada' }, 'gives no e-mail address for you'],
  ['an unverified address', {}, { email_verified: false }, 'does not say that the address ada@acme.example was verified'],
  ['an address without a mark', {}, { email_verified: undefined }, 'does not say that the address ada@acme.example was verified'],
  ['another domain', {}, { email: 'ada@evil.example' }, 'Addresses like ada@evil.example may not sign in here'],
  ['a domain that only ends alike', {}, { email: 'ada@not-acme.example' }, 'may not sign in here'],
]

describe('refused with a sentence, and nobody is made or signed in:', () => {
  for (const [what, lies, person, sentence] of REFUSED) {
    test(what, async () => {
      await configure({ oidcUnknown: 'member' })
      const visitor = openVisitor(t.fetch)
      // Discovery is cached with the first visit.
      if (lies.accessToken) provider.lies = lies
      const { address, page } = lies.metadata && !lies.accessToken ? { address: '', page: undefined } : await leave(visitor)
      provider.lies = lies
      provider.person = { ...provider.person, ...person }
      const refused = page ? await visitor.get(provider.signIn(address)) : (await leave(visitor)).page
      expect(textOf(refused)).toContain(sentence)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(isIn(visitor)).toBe(false)
      expect(await users()).toHaveLength(1)
      expect(await identities()).toEqual([])
      expect(isIn(await byPassword())).toBe(true)
      const shown = JSON.stringify(t.logged) + refused.html
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
      provider.lies = answer ? { answer } : {}
      expect(textOf((await leave(openVisitor(t.fetch))).page)).toContain('does not answer as one should')
    }
    await provider.close()
    const { page } = await leave(openVisitor(t.fetch))
    expect(textOf(page)).toContain('The identity provider cannot be reached.')
    expect(page.html).toContain('name="password"')
  })

  test('endpoints in a private network, or without https', async () => {
    const { url } = provider
    for (const [address, detail] of [
      ['http://10.0.0.1/token', 'without https'],
      ['https://10.0.0.1/jwks', 'a private address'],
    ] as const) {
      provider.lies = { metadata: address.endsWith('jwks') ? { jwks_uri: address } : { token_endpoint: address } }
      const visitor = openVisitor(t.fetch)
      const { address: to, page } = await leave(visitor)
      const refused = to.startsWith(url) ? await visitor.get(provider.signIn(to)) : page
      expect(refused.status).toBe(401)
      expect(JSON.stringify(t.logged)).toContain(detail)
    }
  })
})

describe('a response', () => {
  test('is accepted once, by the browser that asked, within ten minutes', async () => {
    await configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(t.fetch)
    const { address } = await leave(visitor)
    const back = provider.signIn(address)
    const stolen = openVisitor(t.fetch)
    await stolen.get('/sign-in')
    expect(textOf(await stolen.get(back))).toContain('This sign-in is no longer open')
    expect(isIn(stolen)).toBe(false)
    await visitor.get(back)
    expect(isIn(visitor)).toBe(true)
    const again = await visitor.get(back)
    expect([again.status, textOf(again)]).toEqual([401, expect.stringContaining('This sign-in is no longer open')])
    const late = openVisitor(t.fetch)
    const { address: old } = await leave(late)
    t.clock.pass({ minutes: 11 })
    expect(textOf(await late.get(provider.signIn(old)))).toContain('more than 10 minutes ago')
    expect(isIn(late)).toBe(false)
  })

  test('after the provider was changed is refused', async () => {
    const visitor = openVisitor(t.fetch)
    const { address } = await leave(visitor)
    await configure({ oidcIssuer: 'https://other.example' })
    expect(textOf(await visitor.get(provider.signIn(address)))).toContain('has changed the identity provider meanwhile')
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
    provider.person = { ...provider.person, realm_access: { roles } }
  }

  test('are taken at each sign-in, and mailed to the person; without a value as for unknown people', async () => {
    await configure(rule)
    withRoles('Bosses', 'Auditors')
    await signIn()
    expect((await users())[1]?.role).toBe('admin')
    withRoles('Auditors')
    await signIn()
    expect((await users())[1]?.role).toBe('auditor')
    withRoles('Cooks')
    await signIn()
    expect((await users())[1]?.role).toBe('member')
    await configure({ oidcUnknown: '' })
    expect(textOf(await signIn())).toContain('The identity provider gives you no role in this service.')
    await t.drain()
    expect(t.mails.map(({ text }) => text).join()).toContain('Acme ID has changed the role of your account')
  })

  test('never demote the last active administrator', async () => {
    await configure(rule)
    withRoles('Bosses')
    await signIn()
    await disable('=')
    withRoles('Auditors')
    const visitor = openVisitor(t.fetch)
    await signIn(visitor)
    expect(isIn(visitor)).toBe(true)
    expect((await users())[1]?.role).toBe('admin')
  })
})

describe('somebody without a password', () => {
  async function passwordless(): Promise<Visitor> {
    await configure({ oidcUnknown: 'member' })
    const visitor = openVisitor(t.fetch)
    await signIn(visitor)
    return visitor
  }

  test('confirms sensitive changes at the provider, by a new sign-in there', async () => {
    const visitor = await passwordless()
    t.clock.pass({ minutes: 20 })
    const page = await visitor.get('/profile/identity/unlink')
    expect(page.html).not.toContain('type="password"')
    expect(page.html).toContain('/confirm/oidc?next=%2Fprofile%2Fidentity%2Funlink')
    const { address } = await leave(visitor, '/confirm/oidc?next=%2Fprofile%2Fidentity%2Funlink')
    expect(new URL(address).searchParams.get('prompt')).toBe('login')
    expect((await visitor.get(provider.signIn(address))).html).not.toContain('/confirm/oidc')
  })

  test('does not confirm with an old sign-in there, none, or that of somebody else', async () => {
    const visitor = await passwordless()
    const lies: [Lies, Record<string, unknown>, string][] = [
      [{ claims: { auth_time: 1_700_000_000 } }, {}, 'did not ask you to sign in again'],
      [{ claims: { auth_time: undefined } }, {}, 'does not say when you signed in there'],
      [{}, { sub: 'bob-1' }, 'as somebody else'],
    ]
    t.clock.pass({ minutes: 20 })
    for (const [lie, person, sentence] of lies) {
      provider.lies = lie
      const { address } = await leave(visitor, '/confirm/oidc')
      const before = provider.person
      provider.person = { ...before, ...person }
      expect(textOf(await visitor.get(provider.signIn(address)))).toContain(sentence)
      provider.person = before
      expect((await visitor.get('/profile/identity/unlink')).html).toContain('/confirm/oidc')
    }
  })

  test('cannot unlink the only way in, nor sign in with an empty password', async () => {
    const visitor = await passwordless()
    const page = await visitor.submit(await visitor.get('/profile/identity/unlink'))
    expect(textOf(page)).toContain('This is your only way to sign in.')
    expect(await identities()).toHaveLength(1)
    const other = openVisitor(t.fetch)
    await other.submit(await other.get('/sign-in'), { email: 'ada@acme.example', password: '' })
    expect(isIn(other)).toBe(false)
  })

  test('who is disabled stays out', async () => {
    await passwordless()
    await disable('!=')
    const visitor = openVisitor(t.fetch)
    expect(textOf(await signIn(visitor))).toContain('This account is disabled.')
    expect(isIn(visitor)).toBe(false)
  })
})

test('where the provider is the only way, a member’s password opens no session, an administrator’s does', async () => {
  const ada = await addPerson(t, 'Ada', 'member', { signsIn: true })
  await configure({ oidcOnly: 'yes' })
  const visitor = openVisitor(t.fetch)
  const page = await visitor.submit(await visitor.get('/sign-in'), { email: ada.email, password: ada.password })
  expect(textOf(page)).toContain('In your organisation you sign in with the identity provider')
  expect(isIn(visitor)).toBe(false)
  expect(isIn(await byPassword())).toBe(true)
})

test('a refused identity is in the audit log, without the token', async () => {
  await signIn()
  const rows = await t.app.db.selectFrom('events').select('entry').execute()
  expect(rows.map(({ entry }) => JSON.parse(entry).type)).toContain('sign_in.refused')
  expect(await dumpOf(t)).not.toContain('eyJ')
})

test('a refusal is German where the browser is', () => {
  expect(appTextsOf('de').errors('You cancelled the sign-in at the identity provider.')).toBe(
    'Sie haben die Anmeldung beim Identitätsanbieter abgebrochen.',
  )
})
