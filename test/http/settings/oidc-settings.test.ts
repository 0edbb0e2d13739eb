/** The identity provider beside other parts: its settings, invitations, the second factor. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { invitePerson } from '../../../src/accounts/invitations.ts'
import { unlinkIdentity } from '../../../src/accounts/oidc-identity.ts'
import { insertPasskey, passkeysOf } from '../../../src/accounts/passkey-queries.ts'
import { removePasskey } from '../../../src/accounts/passkeys.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { ADMIN, isIn, type OidcScene, openOidcScene } from '../../support/oidc-scene.ts'
import { withSecondFactor } from '../../support/second-factor.ts'

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

describe('the settings page', () => {
  const PATH = '/settings/sign-in/openid-connect'

  test('says what the provider calls itself, if that is something else', async () => {
    const visitor = await byPassword()
    provider.lies = { metadata: { issuer: 'https://login.acme.example' } }
    const page = await visitor.submit(await visitor.get(PATH), {}, '/test')
    expect(textOf(page)).toMatch(/Enter as issuer just what it says: .* https:\/\/login\.acme\.example/)
  })

  test('keeps the secret for the same provider only, and never shows it', async () => {
    const visitor = await byPassword()
    const form = await visitor.get(PATH)
    expect(form.html).not.toContain('a secret of the tests')
    expect(textOf(await visitor.submit(form, { oidcName: 'Acme' }, PATH))).toContain('The settings were saved.')
    const moved = await visitor.submit(await visitor.get(PATH), { oidcIssuer: 'https://evil.example' }, PATH)
    expect(textOf(moved)).toContain('Client secret must be entered for this provider and client ID.')
    expect((await visitor.get(PATH)).html).toContain(provider.url)
  })

  test('refuses what contradicts: new accounts without a domain, values without a claim', async () => {
    const visitor = await byPassword()
    const save = async (values: Record<string, string>) => textOf(await visitor.submit(await visitor.get(PATH), values, PATH))
    expect(await save({ oidcDomains: '', oidcUnknown: 'member' })).toContain('E-mail domains must be entered for what is chosen')
    expect(await save({ oidcDomains: '', oidcOnly: 'yes' })).toContain('E-mail domains must be entered for what is chosen')
    expect(await save({ oidcAdmins: 'Bosses' })).toContain('Claim must be entered, or all its values removed.')
    expect(await save({ oidcIssuer: 'http://login.example.com' })).toContain('Issuer must begin with https://.')
  })

  test('shows what the environment fixes, and leaves it alone', async () => {
    t.app.config.fixed.oidcDomains = 'fixed.example'
    const visitor = await byPassword()
    const form = await visitor.get(PATH)
    expect(textOf(form)).toContain('Set by SIGNET_OIDC_DOMAINS . Change it there.')
    expect(textOf(await visitor.submit(form, { oidcName: 'Acme' }, PATH))).toContain('The settings were saved.')
  })

  test('switches off after a question: the button goes, identities stay', async () => {
    const visitor = await byPassword()
    const question = await visitor.get(`${PATH}/remove`)
    expect(textOf(question)).toContain('Everybody has a password.')
    await visitor.submit(question)
    expect((await openVisitor(t.fetch).get('/sign-in')).html).not.toContain('/sign-in/oidc')
    expect((await leave(openVisitor(t.fetch))).page.status).toBe(404)
  })
})

describe('an invitation', () => {
  const invite = async (role: string) => {
    const grace = (await userByEmail(t.app.db, ADMIN.email)) as User
    const person = { name: 'Ada L.', email: 'ada@acme.example', role, language: 'de' }
    await invitePerson(t.app, person, 'mail', { actor: actorOfUser(grace), ip: undefined, userAgent: undefined })
  }

  test('to an address of an entrusted domain is accepted by the first sign-in', async () => {
    await invite('auditor')
    await t.drain()
    const [link = ''] = /\/invitation\/[\w-]+/.exec(t.mails.map(({ text }) => text).join()) ?? []
    expect((await openVisitor(t.fetch).get(link)).html).toContain('href="/sign-in/oidc"')
    const visitor = openVisitor(t.fetch)
    await signIn(visitor)
    expect((await users())[1]).toEqual({ email: 'ada@acme.example', role: 'auditor', name: 'Ada L.' })
    expect(await t.app.db.selectFrom('invitations').selectAll().execute()).toEqual([])
  })

  test('to become an administrator needs its link', async () => {
    await invite('admin')
    expect(textOf(await signIn())).toContain('There is an invitation for ada@acme.example: please open the link in it')
    expect(await users()).toHaveLength(1)
  })
})

describe('the second factor', () => {
  test('of a person is asked for after the provider, unless the provider is trusted with it', async () => {
    await configure({ oidcUnknown: 'member' })
    await signIn()
    await withSecondFactor(t.app, 'ada@acme.example')
    const visitor = openVisitor(t.fetch)
    expect((await signIn(visitor)).url).toBe('/sign-in/code')
    expect(isIn(visitor)).toBe(false)
    await configure({ oidcSecondFactor: 'provider' })
    const trusting = openVisitor(t.fetch)
    await signIn(trusting)
    expect(isIn(trusting)).toBe(true)
  })
})

test('the last passkey of somebody without a password stays', async () => {
  await configure({ oidcUnknown: 'member' })
  await signIn()
  const ada = (await userByEmail(t.app.db, 'ada@acme.example')) as User
  const origin = { actor: actorOfUser(ada), ip: undefined, userAgent: undefined }
  const times = { createdAt: t.clock.now, lastUsedAt: undefined }
  const key = { publicKey: new Uint8Array(1), counter: 0, transports: [], isBackedUp: false, name: 'Phone', ...times }
  await t.app.write(tx => insertPasskey(tx, { ...key, id: 'key-1', userId: ada.id }))
  await unlinkIdentity(t.app, ada, origin)
  expect(await refusalOf(removePasskey(t.app, ada, 'key-1', origin))).toContain('provider_only_way')
  expect(await passkeysOf(t.app.db, ada.id)).toHaveLength(1)
})

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => String(error),
  )
