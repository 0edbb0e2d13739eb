/** What an attacker tries against a person with a passkey, where a second factor is required. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { countRecoveryCodes } from '../../../src/accounts/factor-queries.ts'
import { passkeysOf } from '../../../src/accounts/passkey-queries.ts'
import { register, startRegistration } from '../../../src/accounts/passkeys.ts'
import { createAdmin } from '../../../src/accounts/people.ts'
import { type User, userByEmail } from '../../../src/accounts/queries.ts'
import { issueResetLink, setPasswordByLink } from '../../../src/accounts/reset.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { renewRecoveryCodes, requireSecondFactor, secondFactorOf } from '../../../src/accounts/second-factor.ts'
import { COMMAND_LINE } from '../../../src/ports.ts'
import { formsOf, openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { SoftAuthenticator } from '../../support/soft-authenticator.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { GRACE } from '../../support/visitors.ts'

const SITE = 'http://localhost:3000'
let t: TestApp
let grace: User
let codes: string[]
let passkey: string
beforeEach(async () => {
  t = await openTestApp({ env: { SIGNET_BASE_URL: SITE } })
  await createAdmin(t.app, GRACE)
  grace = (await userByEmail(t.app.db, GRACE.email)) as User
  const by = { actor: actorOfUser(grace), ip: undefined, userAgent: undefined }
  const response = new SoftAuthenticator(SITE, 'localhost').create(await startRegistration(t.app, grace, { browser: 'token' }))
  await register(t.app, grace, { browser: 'token', name: 'Phone', response }, by)
  await requireSecondFactor(t.app, true, by)
  codes = await renewRecoveryCodes(t.app, grace, by)
  const [registered] = await passkeysOf(t.app.db, grace.id)
  passkey = `/profile/passkeys/${registered?.id}`
})
afterEach(() => t.close())

const CODE = '/sign-in/code'
const visit = () => openVisitor((path, init) => t.serve(new Request(new URL(path, SITE), init)), SITE)
const isIn = ({ cookies }: Visitor) => cookies.has('signet_session')

async function byPassword(password = GRACE.password): Promise<Visitor> {
  const visitor = visit()
  await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password })
  return visitor
}

async function signedIn(): Promise<Visitor> {
  const visitor = await byPassword()
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
    const thief = await byPassword()
    for (const path of ['/documents', '/profile', '/profile/passkeys/add', '/profile/second-factor', '/settings/people']) {
      expect([path, (await thief.get(path)).url.startsWith('/sign-in')]).toEqual([path, true])
    }
    expect(isIn(thief)).toBe(false)
  })

  test('recovery codes are guessed five times, then not even the right one counts, in any browser', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) {
      const thief = await byPassword()
      const page = await thief.submit(await thief.get(CODE), { code: `aaaa-bbbb-cccc-dddd-eee${i}` }, CODE)
      statuses.push(page.status)
      expect(isIn(thief)).toBe(false)
    }
    expect(statuses).toEqual([...Array(5).fill(422), ...Array(3).fill(429)])
    const last = await byPassword()
    expect((await last.submit(await last.get(CODE), { code: codes[0] ?? '' }, CODE)).status).toBe(429)
    expect([isIn(last), await countRecoveryCodes(t.app.db, grace.id)]).toEqual([false, 10])
  })

  test('a new one by the mailed link leads to the second step as well', async () => {
    const { token } = await issueResetLink(t.app, GRACE.email, COMMAND_LINE)
    await setPasswordByLink(t.app, token, 'other words of mine', { ip: undefined, userAgent: undefined })
    const thief = await byPassword('other words of mine')
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
