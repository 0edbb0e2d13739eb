/** The profile: name, language, password and sessions; and a forgotten password. By forms alone. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { issueResetLink, mailResetLinks } from '../../../src/accounts/reset.ts'
import { COMMAND_LINE } from '../../../src/ports.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const NEW_PASSWORD = 'quite another set of words'
const PROFILE = '/profile'

const t = useTestApp()
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
})

async function enter(visitor: Visitor, password = GRACE.password): Promise<Page> {
  return visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password })
}

async function signedIn(): Promise<Visitor> {
  const visitor = openVisitor(t.fetch)
  await enter(visitor)
  return visitor
}

async function events(): Promise<string[]> {
  const rows = await t.app.db.selectFrom('events').select('entry').where('document_id', 'is', null).orderBy('sequence').execute()
  return rows.map(row => (JSON.parse(row.entry) as { type: string }).type)
}

test('administrators turn the mails about warnings off and on; others have no such choice', async () => {
  const visitor = await signedIn()
  const wanted = async () =>
    (await t.app.db.selectFrom('users').select('warning_mails').executeTakeFirstOrThrow()).warning_mails === 1
  const form = formsOf((await visitor.get(PROFILE)).html).find(({ action }) => action === PROFILE)
  expect([form?.values.warningMails, await wanted()]).toEqual(['on', true])
  const { warningMails: _, ...without } = form?.values ?? {}
  await visitor.post(PROFILE, without)
  expect(await wanted()).toBe(false)
  expect((await visitor.get(PROFILE)).html).not.toMatch(/name="warningMails"[^>]* checked/)
  await visitor.submit(await visitor.get(PROFILE), { warningMails: 'on' }, PROFILE)
  expect(await wanted()).toBe(true)
  await t.app.write(tx => tx.updateTable('users').set({ role: 'member' }).execute())
  expect((await visitor.get(PROFILE)).html).not.toContain('warningMails')
})

describe('name and language', () => {
  test('are saved, and shown in the new language; an error is shown at its field', async () => {
    const visitor = await signedIn()
    const refused = await visitor.submit(await visitor.get(PROFILE), { name: ' ' }, PROFILE)
    expect([refused.status, textOf(refused).includes('Name must not be empty.')]).toEqual([422, true])
    const saved = await visitor.submit(refused, { name: 'Grace B. Hopper', language: 'de' }, PROFILE)
    expect(textOf(saved)).toContain('Ihr Profil wurde gespeichert.')
    expect(textOf(saved)).toContain('Grace B. Hopper')
    expect(await events()).toContain('user.renamed')
  })

  test('the menu of the person leads there, from every page', async () => {
    const page = await (await signedIn()).get('/documents')
    expect(page.html).toContain('href="/profile"')
  })
})

describe('the password', () => {
  const change = async (visitor: Visitor, current: string, password = NEW_PASSWORD) =>
    visitor.submit(await visitor.get(PROFILE), { current, password }, '/password')

  test('needs the old one; then other sessions end, this one stays, and a mail says so', async () => {
    const [visitor, other] = [await signedIn(), await signedIn()]
    const refused = await change(visitor, 'not this one')
    expect([refused.status, textOf(refused).includes('Current password is not right.')]).toEqual([422, true])
    expect(refused.html).not.toContain(NEW_PASSWORD)
    expect(textOf(await change(visitor, GRACE.password, 'short'))).toContain('New password must have at least 12 characters')
    expect(textOf(await other.get(PROFILE))).toContain('Sessions')
    expect(textOf(await change(visitor, GRACE.password))).toContain('Your password was changed.')
    expect((await other.get(PROFILE)).url).toStartWith('/sign-in')
    expect((await visitor.get(PROFILE)).url).toBe(PROFILE)
    expect((await enter(openVisitor(t.fetch))).status).toBe(401)
    expect((await enter(openVisitor(t.fetch), NEW_PASSWORD)).url).toBe('/documents')
    expect(await events()).toContain('user.password_changed')
    await t.drain()
    expect(t.mails.at(-1)).toMatchObject({ to: { address: GRACE.email }, subject: '[TEST] Your password was changed' })
  })

  test('is not guessed faster than at sign-in', async () => {
    const visitor = await signedIn()
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await change(visitor, `wrong ${i}`)).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
  })
})

describe('the sessions', () => {
  const rowsOf = (page: Page) => [...page.html.matchAll(/<tr><td class="title">(.*?)<\/td>/gs)].map(([, text = '']) => text)

  test('name browser and system, and which one this is; each is ended, and all others at once', async () => {
    const [visitor, second, third] = [await signedIn(), await signedIn(), await signedIn()]
    const page = await visitor.get(PROFILE)
    expect(rowsOf(page)).toHaveLength(3)
    expect(page.html.match(/this one/g)).toHaveLength(1)
    // Both times in one manner, to the minute.
    expect(textOf(page).match(/20 Nov 2026, 17:25 UTC/g)?.length).toBeGreaterThanOrEqual(6)
    const ends = formsOf(page.html).filter(form => form.action === '/profile/sessions/end')
    expect(ends).toHaveLength(2)
    await visitor.post('/profile/sessions/end', ends[0]?.values ?? {})
    const alive = await Promise.all([second, third].map(async each => (await each.get(PROFILE)).url === PROFILE))
    expect(alive.filter(Boolean)).toHaveLength(1)
    await signedIn()
    const ended = await visitor.submit(await visitor.get(PROFILE), {}, '/end-others')
    expect(textOf(ended)).toContain('All your other sessions were ended.')
    expect(textOf(ended)).toContain('You are signed in nowhere else.')
    expect(rowsOf(ended)).toHaveLength(1)
    expect((await events()).filter(type => type === 'user.sessions_ended')).toHaveLength(2)
  })

  test('of somebody else are not ended by a forged form', async () => {
    await createAdmin(t.app, { email: 'theo@example.com', name: 'Theo', password: NEW_PASSWORD })
    const victim = await signedIn()
    const session = formsOf((await (await signedIn()).get(PROFILE)).html).find(f => f.action.endsWith('/end'))?.values.session
    const attacker = openVisitor(t.fetch)
    await attacker.submit(await attacker.get('/sign-in'), { email: 'theo@example.com', password: NEW_PASSWORD })
    const csrf = formsOf((await attacker.get(PROFILE)).html)[0]?.values.csrf ?? ''
    await attacker.post('/profile/sessions/end', { csrf, session: session ?? '' })
    expect((await victim.get(PROFILE)).url).toBe(PROFILE)
  })
})

describe('a forgotten password', () => {
  const ask = async (email: string, visitor = openVisitor(t.fetch)) => visitor.submit(await visitor.get('/forgot'), { email })

  test('the answer is the same for every address, and only a person with an account gets a mail', async () => {
    const known = await ask(GRACE.email)
    const unknown = await ask('nobody@example.com')
    const words = (page: Page, email: string) => textOf(page).replaceAll(email, 'ADDRESS')
    expect(words(known, GRACE.email)).toBe(words(unknown, 'nobody@example.com'))
    expect(known.status).toBe(200)
    expect(await mailResetLinks(t.app)).toBe(2)
    expect(await mailResetLinks(t.app)).toBe(0)
    await t.drain()
    expect(t.mails.map(m => m.to.address)).toEqual([GRACE.email])
  })

  test('the request does the same work for a known and an unknown address', async () => {
    const rows = async () =>
      Promise.all(
        (['password_reset_requests', 'password_resets', 'mails', 'jobs', 'events'] as const).map(
          async table => (await t.app.db.selectFrom(table).selectAll().execute()).length,
        ),
      )
    const before = await rows()
    await ask(GRACE.email)
    const afterKnown = await rows()
    await ask('nobody@example.com')
    const afterUnknown = await rows()
    const added = (from: number[], to: number[]) => to.map((count, i) => count - (from[i] ?? 0))
    expect(added(before, afterKnown)).toEqual([1, 0, 0, 0, 0])
    expect(added(afterKnown, afterUnknown)).toEqual([1, 0, 0, 0, 0])
  })

  test('the mailed link sets a password once; no row contains it', async () => {
    await ask(GRACE.email)
    await mailResetLinks(t.app)
    await t.drain()
    const link = /http\S+(\/reset\/[\w-]{43})/.exec(t.mails[0]?.text ?? '')?.[1] ?? ''
    const rows = JSON.stringify(await t.app.db.selectFrom('mails').selectAll().execute())
    expect([link.length > 40, rows.includes(link.slice(7))]).toEqual([true, false])
    const visitor = openVisitor(t.fetch)
    expect(textOf(await visitor.submit(await visitor.get(link), { password: NEW_PASSWORD }))).toContain(
      'Your new password is set.',
    )
    expect((await visitor.get(link)).status).toBe(404)
    expect((await enter(visitor, NEW_PASSWORD)).url).toBe('/documents')
    await t.drain()
    expect(t.mails.at(-1)?.text).toContain('that was sent to this address')
  })

  test('asking again sends at most one mail in five minutes, and never ends a link of the command line', async () => {
    const again = async () => {
      await ask(GRACE.email)
      await mailResetLinks(t.app)
      await t.drain()
      return t.mails.length
    }
    expect([await again(), await again()]).toEqual([1, 1])
    t.clock.pass({ minutes: 5 })
    expect(await again()).toBe(2)
    const { token } = await issueResetLink(t.app, GRACE.email, COMMAND_LINE)
    t.clock.pass({ minutes: 6 })
    expect(await again()).toBe(2)
    expect((await openVisitor(t.fetch).get(`/reset/${token}`)).status).toBe(200)
  })

  test('is throttled by address, and says what is wrong with an address', async () => {
    const visitor = openVisitor(t.fetch)
    expect((await ask('no address', visitor)).status).toBe(422)
    const statuses: number[] = []
    for (let i = 0; i < 22; i++) statuses.push((await ask(`person${i}@example.com`, visitor)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  })
})
