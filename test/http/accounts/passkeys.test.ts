/** Passkeys on the pages: the rule for everybody, an administrator's removal, addresses without. */
import { afterEach, expect, test } from 'bun:test'
import { countRecoveryCodes } from '../../../src/accounts/factor-queries.ts'
import { passkeysOf } from '../../../src/accounts/passkey-queries.ts'
import { register, removePasskey, startRegistration } from '../../../src/accounts/passkeys.ts'
import { createAdmin } from '../../../src/accounts/people.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { removeSecondFactor, renewRecoveryCodes, requireSecondFactor } from '../../../src/accounts/second-factor.ts'
import { COMMAND_LINE } from '../../../src/ports.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { SoftAuthenticator } from '../../support/soft-authenticator.ts'
import { ORIGIN, openTestApp, type TestApp } from '../../support/test-app.ts'
import { GRACE } from '../../support/visitors.ts'

const SITE = 'http://localhost:3000'
let t: TestApp
afterEach(() => t.close())

async function openService(url: string): Promise<User> {
  t = await openTestApp({ env: { SIGNET_BASE_URL: url } })
  await createAdmin(t.app, GRACE)
  return (await userByEmail(t.app.db, GRACE.email)) as User
}

const originOf = (user: User) => ({ actor: actorOfUser(user), ip: undefined, userAgent: undefined })

async function withPasskey(): Promise<User> {
  const user = await openService(SITE)
  const browser = 'token'
  const response = new SoftAuthenticator(SITE, 'localhost').create(await startRegistration(t.app, user, { browser }))
  await register(t.app, user, { browser, name: 'Phone', response }, originOf(user))
  return user
}

async function byPassword(url: string): Promise<{ visitor: Visitor; text: string }> {
  const visitor = openVisitor((path, init) => t.serve(new Request(new URL(path, url), init)), url)
  const page = await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
  return { visitor, text: textOf(page) }
}

test('a passkey satisfies the rule for everybody: the password alone then opens no session', async () => {
  const user = await withPasskey()
  expect((await byPassword(SITE)).visitor.cookies.has('signet_session')).toBe(true)
  await requireSecondFactor(t.app, true, originOf(user))
  const { visitor, text } = await byPassword(SITE)
  expect(visitor.cookies.has('signet_session')).toBe(false)
  expect(text).toContain('Your organisation requires a second factor. That of grace@example.com is a passkey')
  expect(text).not.toContain('Recovery code')
  const codes = await renewRecoveryCodes(t.app, user, originOf(user))
  const step = await visitor.get('/sign-in/code')
  const page = await visitor.submit(step, { code: codes[0] ?? '' }, '/sign-in/code')
  expect(textOf(page)).toContain('You have 9 recovery codes left.')
  expect(visitor.cookies.has('signet_session')).toBe(true)
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
  const { visitor, text } = await byPassword(SITE)
  expect(text).toContain('Choose your second factor')
  expect(textOf(await visitor.get('/profile/passkeys/add'))).toContain('Create passkey')
  expect((await visitor.get('/documents')).url).toBe('/profile/second-factor')
})

test('an attempt that failed elsewhere looks like an error on the sign-in page', async () => {
  await openService(SITE)
  const visitor = openVisitor((path, init) => t.serve(new Request(new URL(path, SITE), init)), SITE)
  expect((await visitor.get('/sign-in?notice=code-expired')).html).toContain('class="callout bad" role="alert"')
  expect((await visitor.get('/sign-in?notice=password')).html).toContain('callout toast good')
})

test('at an IP address the profile says why there are none, and the sign-in offers none', async () => {
  await openService(ORIGIN)
  const { visitor } = await byPassword(ORIGIN)
  const text = textOf(await visitor.get('/profile'))
  expect(text).toContain('Passkeys are not possible at this address (127.0.0.1)')
  expect(text).not.toContain('Add a passkey')
  expect((await openVisitor(t.fetch).get('/sign-in')).html).not.toContain('passkey')
})
