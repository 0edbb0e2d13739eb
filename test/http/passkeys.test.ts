/** Passkeys on the pages: the rule for everybody, an administrator's removal, addresses without. */
import { afterEach, expect, test } from 'bun:test'
import { passkeysOf } from '../../src/accounts/passkey-queries.ts'
import { register, startRegistration } from '../../src/accounts/passkeys.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { type User, userByEmail } from '../../src/accounts/queries.ts'
import { actorOfUser } from '../../src/accounts/rights.ts'
import { removeSecondFactor } from '../../src/accounts/second-factor.ts'
import { requireSecondFactor } from '../../src/accounts/second-factor-rule.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { openVisitor, textOf, type Visitor } from '../support/browser-less.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'
import { ORIGIN, openTestApp, type TestApp } from '../support/test-app.ts'

const SITE = 'http://localhost:3000'
const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }

let t: TestApp
afterEach(() => t.close())

async function openService(url: string): Promise<User> {
  t = await openTestApp({ env: { SIGNET_BASE_URL: url } })
  await createAdmin(t.app, ADMIN)
  return (await userByEmail(t.app.db, ADMIN.email)) as User
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
  const page = await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  return { visitor, text: textOf(page) }
}

test('a passkey satisfies the rule for everybody: the password alone then opens no session', async () => {
  const user = await withPasskey()
  expect((await byPassword(SITE)).visitor.cookies.has('signet_session')).toBe(true)
  await requireSecondFactor(t.app, true, originOf(user))
  const { visitor, text } = await byPassword(SITE)
  expect(visitor.cookies.has('signet_session')).toBe(false)
  expect(text).toContain('Your organisation requires a second factor: please sign in with your passkey.')
})

test('somebody else who removes the second factor removes the passkeys too', async () => {
  const user = await withPasskey()
  await removeSecondFactor(t.app, user, COMMAND_LINE)
  expect(await passkeysOf(t.app.db, user.id)).toEqual([])
})

test('at an IP address the profile says why there are none, and the sign-in offers none', async () => {
  await openService(ORIGIN)
  const { visitor } = await byPassword(ORIGIN)
  const text = textOf(await visitor.get('/profile'))
  expect(text).toContain('Passkeys are not possible at this address (127.0.0.1)')
  expect(text).not.toContain('Add a passkey')
  expect((await openVisitor(t.fetch).get('/sign-in')).html).not.toContain('passkey')
})
