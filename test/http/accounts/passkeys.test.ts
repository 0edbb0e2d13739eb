/** Passkeys on the pages: the rule for everybody, and what an attacker tries against it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { countRecoveryCodes } from '../../../src/accounts/factor-queries.ts'
import { passkeysOf } from '../../../src/accounts/passkey-queries.ts'
import { register, removePasskey, startRegistration } from '../../../src/accounts/passkeys.ts'
import { createAdmin } from '../../../src/accounts/people.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { issueResetLink, setPasswordByLink } from '../../../src/accounts/reset.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import {
  removeSecondFactor,
  renewRecoveryCodes,
  requireSecondFactor,
  secondFactorOf,
} from '../../../src/accounts/second-factor.ts'
import { COMMAND_LINE } from '../../../src/ports.ts'
import { formsOf, openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { SoftAuthenticator } from '../../support/soft-authenticator.ts'
import { openTestApp } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, newAdministrator } from '../../support/visitors.ts'

const SITE = 'http://localhost:3000'
const t = useTestApp({ env: { SIGNET_BASE_URL: SITE } })
beforeEach(() => createAdmin(t.app, GRACE))

const originOf = (user: User) => ({ actor: actorOfUser(user), ip: undefined, userAgent: undefined })
const visit = () => openVisitor((path, init) => t.serve(new Request(new URL(path, SITE), init)), SITE)
const isIn = ({ cookies }: Visitor) => cookies.has('signet_session')

async function withPasskey(): Promise<User> {
  const user = (await userByEmail(t.app.db, GRACE.email)) as User
  const browser = 'token'
  const response = new SoftAuthenticator(SITE, 'localhost').create(await startRegistration(t.app, user, { browser }))
  await register(t.app, user, { browser, name: 'Phone', response }, originOf(user))
  return user
}

async function byPassword(password = GRACE.password): Promise<{ visitor: Visitor; text: string }> {
  const visitor = visit()
  const page = await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password })
  return { visitor, text: textOf(page) }
}

test('a passkey satisfies the rule for everybody: the password alone then opens no session', async () => {
  const user = await withPasskey()
  expect(isIn((await byPassword()).visitor)).toBe(true)
  await requireSecondFactor(t.app, true, originOf(user))
  const { visitor, text } = await byPassword()
  expect(isIn(visitor)).toBe(false)
  expect(text).toContain('Your organisation requires a second factor. That of grace@example.com is a passkey')
  expect(text).not.toContain('Recovery code')
  const codes = await renewRecoveryCodes(t.app, user, originOf(user))
  const step = await visitor.get('/sign-in/code')
  const page = await visitor.submit(step, { code: codes[0] ?? '' }, '/sign-in/code')
  expect(textOf(page)).toContain('You have 9 recovery codes left.')
  expect(isIn(visitor)).toBe(true)
})

test('recovery codes come with the passkey that is the required second factor, and go with it', async () => {
  const user = await withPasskey()
  const browser = 'token'
  const another = async (name: string) => {
    const response = new SoftAuthenticator(SITE, 'localhost').create(await startRegistration(t.app, user, { browser }))
    return register(t.app, user, { browser, name, response }, originOf(user))
  }
  expect(await another('Not required')).toBeUndefined()
  await requireSecondFactor(t.app, true, originOf(user))
  expect(await another('Laptop')).toHaveLength(10)
  expect(await another('Key')).toBeUndefined()
  for (const { id } of await passkeysOf(t.app.db, user.id)) {
    expect(await countRecoveryCodes(t.app.db, user.id)).toBe(10)
    await removePasskey(t.app, user, id, originOf(user))
  }
  expect(await countRecoveryCodes(t.app.db, user.id)).toBe(0)
})

test('somebody else who removes the second factor removes the passkeys too, and the mail says so', async () => {
  const user = await withPasskey()
  expect(await removeSecondFactor(t.app, user, COMMAND_LINE)).toEqual({ hasApp: false, passkeys: 1 })
  expect(await passkeysOf(t.app.db, user.id)).toEqual([])
  await t.drain()
  expect(t.mails.at(-1)?.text).toContain(`removed the second factor of your account at ${SITE} (1 passkey)`)
  expect(t.mails.at(-1)?.text).toContain('delete it on your device too')
})

test('where a second factor is required, a passkey is offered beside the app', async () => {
  const user = await withPasskey()
  await requireSecondFactor(t.app, true, originOf(user))
  await removeSecondFactor(t.app, user, COMMAND_LINE)
  const { visitor, text } = await byPassword()
  expect(text).toContain('Choose your second factor')
  expect(textOf(await visitor.get('/profile/passkeys/add'))).toContain('Create passkey')
  expect((await visitor.get('/documents')).url).toBe('/profile/second-factor')
})

test('an attempt that failed elsewhere looks like an error on the sign-in page', async () => {
  const visitor = visit()
  expect((await visitor.get('/sign-in?notice=code-expired')).html).toContain('class="callout bad" role="alert"')
  expect((await visitor.get('/sign-in?notice=password')).html).toContain('callout toast good')
})

test('at an IP address the profile says why there are none, and the sign-in offers none', async () => {
  await using other = await openTestApp()
  const text = textOf(await (await newAdministrator(other)).get('/profile'))
  expect(text).toContain('Passkeys are not possible at this address (127.0.0.1)')
  expect(text).not.toContain('Add a passkey')
  expect((await openVisitor(other.fetch).get('/sign-in')).html).not.toContain('passkey')
})

describe('an attacker, where a second factor is required,', () => {
  const CODE = '/sign-in/code'
  let grace: User
  let codes: string[]
  let passkey: string
  beforeEach(async () => {
    grace = await withPasskey()
    await requireSecondFactor(t.app, true, originOf(grace))
    codes = await renewRecoveryCodes(t.app, grace, originOf(grace))
    const [registered] = await passkeysOf(t.app.db, grace.id)
    passkey = `/profile/passkeys/${registered?.id}`
  })

  async function signedIn(): Promise<Visitor> {
    const { visitor } = await byPassword()
    await visitor.submit(await visitor.get(CODE), { code: codes[0] ?? '' }, CODE)
    expect(isIn(visitor)).toBe(true)
    return visitor
  }

  /** All that opens the account beside the password. */
  const factors = async () => ({
    passkeys: await passkeysOf(t.app.db, grace.id),
    codes: await t.app.db.selectFrom('recovery_codes').selectAll().execute(),
    app: await secondFactorOf(t.app.db, grace.id),
    begun: await t.app.db.selectFrom('totp_enrolments').selectAll().execute(),
  })

  describe('with the password', () => {
    test('no page opens but that of the second step, whatever address is asked for', async () => {
      const thief = (await byPassword()).visitor
      for (const path of ['/documents', '/profile', '/profile/passkeys/add', '/profile/second-factor', '/settings/people']) {
        expect([path, (await thief.get(path)).url.startsWith('/sign-in')]).toEqual([path, true])
      }
      expect(isIn(thief)).toBe(false)
    })

    test('recovery codes are guessed five times, then not even the right one counts, in any browser', async () => {
      const statuses: number[] = []
      for (let i = 0; i < 8; i++) {
        const thief = (await byPassword()).visitor
        const page = await thief.submit(await thief.get(CODE), { code: `aaaa-bbbb-cccc-dddd-eee${i}` }, CODE)
        statuses.push(page.status)
        expect(isIn(thief)).toBe(false)
      }
      expect(statuses).toEqual([...Array(5).fill(422), ...Array(3).fill(429)])
      const last = (await byPassword()).visitor
      expect((await last.submit(await last.get(CODE), { code: codes[0] ?? '' }, CODE)).status).toBe(429)
      expect([isIn(last), await countRecoveryCodes(t.app.db, grace.id)]).toEqual([false, 10])
    })

    test('a new one by the mailed link leads to the second step as well', async () => {
      const { token } = await issueResetLink(t.app, GRACE.email, COMMAND_LINE)
      await setPasswordByLink(t.app, token, 'other words of mine', { ip: undefined, userAgent: undefined })
      const thief = (await byPassword('other words of mine')).visitor
      expect(textOf(await thief.get(CODE))).toContain('passkey')
      expect([isIn(thief), (await passkeysOf(t.app.db, grace.id)).length]).toEqual([false, 1])
    })
  })

  test.each([
    ['the removal of the passkey', () => `${passkey}/remove`],
    ['new recovery codes', () => '/profile/second-factor/codes'],
    ['the start of an authenticator app', () => '/profile/second-factor'],
    ['the end of setting up an app', () => '/profile/second-factor/set-up'],
    ['another passkey', () => '/profile/passkeys/add'],
  ])('%s is not had without a proof', async (_, pathOf) => {
    const stolen = await signedIn()
    const csrf = formsOf((await stolen.get('/profile')).html)[0]?.values.csrf ?? ''
    const before = await factors()
    t.clock.pass({ minutes: 16 })
    const answer = await stolen.post(pathOf(), { csrf, name: 'Mine', code: '123456' })
    expect(await factors()).toEqual(before)
    expect([answer.url.startsWith('/confirm'), /password/i.test(textOf(answer))]).toContain(true)
  })

  test('with a stolen session, 15 minutes after the proof the same forms count just after it', async () => {
    const visitor = await signedIn()
    await visitor.submit(await visitor.get('/profile/second-factor/codes'), {}, '/codes')
    expect(await countRecoveryCodes(t.app.db, grace.id)).toBe(10)
    await visitor.submit(await visitor.get(`${passkey}/remove`), {}, '/remove')
    expect((await factors()).passkeys).toEqual([])
  })
})
