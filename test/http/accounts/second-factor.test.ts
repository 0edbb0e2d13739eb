/** Sign-in with a second factor, its set-up, and the rule for everybody, by forms alone. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { insertUser } from '../../../src/accounts/queries.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { type Authenticator, authenticatorFor, withSecondFactor } from '../../support/second-factor.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const MEMBER = { email: 'mia@example.com', name: 'Mia', password: 'quite other words here' }
const CODE = '/sign-in/code'
const FACTOR = '/profile/second-factor'
const RULE = '/settings/sign-in/second-factor'
const PENDING = 'signet_pending_sign_in'

const t = useTestApp()
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
})

async function addMember(): Promise<string> {
  const { email, name, password } = MEMBER
  const id = t.app.newId('usr')
  const user = { id, email, name, role: 'member' as const, passwordHash: await t.app.passwords.hash(password) }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  return id
}

async function byPassword(visitor: Visitor, { email, password } = GRACE, next = ''): Promise<Page> {
  return visitor.submit(await visitor.get(`/sign-in${next}`), { email, password })
}

async function signedIn(person = GRACE): Promise<Visitor> {
  const visitor = openVisitor(t.fetch)
  await byPassword(visitor, person)
  return visitor
}

async function phoneOf(email = GRACE.email): Promise<Authenticator> {
  const phone = await withSecondFactor(t.app, email)
  t.clock.pass({ minutes: 1 })
  return phone
}

describe('the page for the code', () => {
  test('follows the password, opens no session before, and leads to the wanted page after the code', async () => {
    const phone = await phoneOf()
    const visitor = openVisitor(t.fetch)
    const asked = await byPassword(visitor, GRACE, '?next=%2Fcontacts')
    expect([asked.url, visitor.cookies.has('signet_session')]).toEqual([CODE, false])
    expect(textOf(asked)).toContain('the code that it shows for grace@example.com')
    expect(textOf(await visitor.get('/documents'))).toContain('Forgotten your password?')
    const wrong = await visitor.submit(await visitor.get(CODE), { code: '000 000' })
    expect([wrong.status, textOf(wrong).includes('Code is not right, or was used before.')]).toEqual([422, true])
    const entered = await visitor.submit(wrong, { code: phone.code() })
    expect([entered.url, visitor.cookies.has(PENDING)]).toEqual(['/contacts', false])
  })

  test('accepts a recovery code, and says how many are left', async () => {
    const phone = await phoneOf()
    const visitor = openVisitor(t.fetch)
    const entered = await visitor.submit(await byPassword(visitor), { code: phone.recoveryCodes[3] ?? '' })
    expect(textOf(entered)).toContain('You signed in with a recovery code. You have 9 recovery codes left.')
  })

  test('without a sign-in that waits leads to the first page', async () => {
    expect((await openVisitor(t.fetch).get(CODE)).url).toBe('/sign-in?notice=code-expired')
    await phoneOf()
    const visitor = openVisitor(t.fetch)
    const asked = await byPassword(visitor)
    t.clock.pass({ minutes: 11 })
    const late = await visitor.submit(asked, { code: '123456' })
    expect(textOf(late)).toContain('You have 10 minutes to enter the code. Please sign in again.')
  })

  test('with the pending cookie of somebody else leads into the account of nobody else', async () => {
    const phone = await phoneOf()
    await addMember()
    const theirs = await phoneOf(MEMBER.email)
    const [victim, attacker] = [openVisitor(t.fetch), openVisitor(t.fetch)]
    await byPassword(victim)
    const asked = await byPassword(attacker, MEMBER)
    victim.cookies.set(PENDING, attacker.cookies.get(PENDING) ?? '')
    expect(textOf(await victim.get(CODE))).toContain('mia@example.com')
    expect((await victim.submit(await victim.get(CODE), { code: phone.code() })).status).toBe(422)
    attacker.cookies.set(PENDING, 'x'.repeat(43))
    expect((await attacker.submit(asked, { code: theirs.code() })).url).toBe('/sign-in?notice=code-expired')
  })

  test('never takes over a session that was planted before, and stays on this service', async () => {
    const phone = await phoneOf()
    const visitor = openVisitor(t.fetch)
    visitor.cookies.set('signet_session', 'planted'.padEnd(43, '0'))
    const asked = await byPassword(visitor, GRACE, '?next=https%3A%2F%2Fevil.example%2F')
    const entered = await visitor.submit(asked, { code: phone.code() })
    expect(entered.url).toBe('/documents')
    expect(visitor.cookies.get('signet_session')).toMatch(/^(?!planted)[\w-]{43}$/)
    for (const next of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', '/documents?x=//evil']) {
      t.clock.pass({ minutes: 1 })
      const again = openVisitor(t.fetch)
      const page = await again.submit(await byPassword(again, GRACE, `?next=${encodeURIComponent(next)}`), { code: phone.code() })
      expect([next, page.url]).toEqual([next, '/documents'])
    }
  })
})

describe('setting it up', () => {
  const keyIn = (page: Page) => /<pre class="key">([A-Z2-7 ]+)<\/pre>/.exec(page.html)?.[1] ?? ''

  test('shows QR code and key, is confirmed by a code, and shows ten recovery codes once', async () => {
    const visitor = await signedIn()
    const shown = await visitor.submit(await visitor.get(FACTOR), {}, FACTOR)
    expect(shown.url).toBe(`${FACTOR}/set-up`)
    expect(shown.html).toContain('aria-label="QR code for your authenticator app"')
    const phone = authenticatorFor(t.app, keyIn(shown))
    const wrong = await visitor.submit(shown, { code: '000000' }, '/set-up')
    expect([wrong.status, keyIn(wrong)]).toEqual([422, keyIn(shown)])
    expect(textOf(await visitor.get('/profile'))).toContain('With it, your password alone is not enough')
    const done = await visitor.submit(wrong, { code: phone.code() }, '/set-up')
    const codes = [...done.html.matchAll(/<code>([0-9A-Z-]{29})<\/code>/g)].map(([, code]) => code)
    expect(new Set(codes).size).toBe(10)
    const file = decodeURIComponent(
      /href="data:text\/plain;charset=utf-8,([^"]+)" download="signet-recovery-codes.txt"/.exec(done.html)?.[1] ?? '',
    )
    for (const code of codes) expect(file).toContain(`\n${code}\n`)
    expect((await visitor.get(`${FACTOR}/set-up`)).url).toBe(FACTOR)
    const profile = await visitor.get('/profile')
    expect(textOf(profile)).toContain('10 recovery codes left.')
    for (const code of codes) expect(profile.html).not.toContain(code ?? '?')
  })

  test('a GET shows no secret and changes nothing', async () => {
    const visitor = await signedIn()
    for (const path of [FACTOR, `${FACTOR}/set-up`, `${FACTOR}/codes`, `${FACTOR}/remove`]) await visitor.get(path)
    expect(await t.app.db.selectFrom('totp_enrolments').selectAll().execute()).toEqual([])
  })

  test('everything about it asks for the password again after 15 minutes, or a code', async () => {
    const phone = await phoneOf()
    const visitor = openVisitor(t.fetch)
    await visitor.submit(await byPassword(visitor), { code: phone.code() })
    for (const path of [FACTOR, `${FACTOR}/codes`, `${FACTOR}/remove`]) {
      t.clock.pass({ minutes: 16 })
      const question = await visitor.get(path)
      const refused = await visitor.submit(question, { password: '' }, path)
      expect([path, refused.status]).toEqual([path, 422])
      const accepted = await visitor.submit(question, { password: phone.code() }, path)
      expect([path, accepted.status]).toEqual([path, 200])
    }
    expect(textOf(await visitor.get('/profile'))).toContain('Set up')
    expect((await byPassword(openVisitor(t.fetch))).url).toBe('/documents')
  })
})

describe('the rule for everybody', () => {
  async function ruled(): Promise<{ visitor: Visitor; phone: Authenticator }> {
    const phone = await phoneOf()
    const visitor = openVisitor(t.fetch)
    await visitor.submit(await byPassword(visitor), { code: phone.code() })
    const question = await visitor.get(RULE)
    expect(textOf(question)).toContain('1 of 2 people have none.')
    expect(textOf(await visitor.submit(question, {}, RULE))).toContain('Everybody now needs a second factor.')
    return { visitor, phone }
  }

  test('needs an administrator who has one', async () => {
    const visitor = await signedIn()
    const page = await visitor.get('/settings/sign-in')
    expect(textOf(page)).toContain('Set up your own second factor first')
    expect(page.html).not.toContain(`href="${RULE}"`)
    const csrf = formsOf(page.html)[0]?.values.csrf ?? ''
    expect((await visitor.post(RULE, { csrf, rule: 'on' })).status).toBe(409)
    expect(textOf(await visitor.get('/settings/sign-in'))).toContain('Off: everybody decides for themselves.')
  })

  test('leads people without one to its set-up, at once, and they can do nothing else before', async () => {
    await addMember()
    const open = await signedIn(MEMBER)
    expect((await open.get('/documents')).url).toBe('/documents')
    await ruled()
    for (const path of ['/documents', '/profile', '/contacts', '/settings/tokens', `${FACTOR}/remove`]) {
      expect([path, (await open.get(path)).url]).toEqual([path, FACTOR])
    }
    const csrf = formsOf((await open.get(FACTOR)).html)[0]?.values.csrf ?? ''
    expect((await open.post('/settings/tokens', { csrf, name: 'x' })).url).toBe(FACTOR)
    expect((await open.post('/profile/password', { csrf, current: MEMBER.password, password: 'a third set of words' })).url).toBe(
      FACTOR,
    )
    const fresh = await signedIn(MEMBER)
    const asked = await fresh.get('/')
    expect([asked.url, textOf(asked).includes('Your organisation requires a second factor')]).toEqual([FACTOR, true])
    const shown = await fresh.submit(asked, {}, FACTOR)
    const phone = authenticatorFor(t.app, /<pre class="key">([A-Z2-7 ]+)</.exec(shown.html)?.[1] ?? '')
    await fresh.submit(shown, { code: phone.code() }, '/set-up')
    expect((await fresh.get('/documents')).url).toBe('/documents')
    expect((await open.get('/documents')).url).toBe('/documents')
  })

  test('lets people sign out and choose their language before', async () => {
    await addMember()
    await ruled()
    const visitor = await signedIn(MEMBER)
    expect(textOf(await visitor.submit(await visitor.get(FACTOR), {}, '/sign-out'))).toContain('Sign in')
  })

  test('an administrator removes the second factor of a colleague, after a question; nobody else does', async () => {
    const id = await addMember()
    const theirs = await phoneOf(MEMBER.email)
    const mia = openVisitor(t.fetch)
    await mia.submit(await byPassword(mia, MEMBER), { code: theirs.code() })
    const remove = `/settings/people/${id}/second-factor`
    expect((await mia.get(remove)).status).toBe(403)
    const visitor = await signedIn()
    const question = await visitor.get(remove)
    expect(textOf(question)).toContain('Remove the second factor of Mia?')
    t.clock.pass({ minutes: 16 })
    expect((await visitor.submit(question, {}, remove)).status).toBe(422)
    const done = await visitor.submit(question, { password: GRACE.password }, remove)
    expect(textOf(done)).toContain('The second factor was removed')
    expect((await mia.get('/documents')).url).toStartWith('/sign-in')
    expect((await byPassword(openVisitor(t.fetch), MEMBER)).url).toBe('/documents')
    expect((await visitor.get(remove)).status).toBe(404)
    await t.drain()
    expect(t.mails.at(-1)).toMatchObject({ to: { address: MEMBER.email }, subject: '[TEST] Your second factor was removed' })
  })
})
