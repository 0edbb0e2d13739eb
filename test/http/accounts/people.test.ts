/** Settings → People and invitations by forms alone. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { listInvitations, personById } from '../../../src/accounts/people-queries.ts'
import { setUserLanguage, userByEmail } from '../../../src/accounts/queries.ts'
import { issueResetLink } from '../../../src/accounts/reset.ts'
import { latestMails, setMailStatus } from '../../../src/outbox/queries.ts'
import { addPerson, type TestPerson } from '../../support/accounts.ts'
import { csrfOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'

const t = useTestApp()
let ada: TestPerson
let visitor: Visitor
beforeEach(async () => {
  ada = await addPerson(t, 'Ada', 'admin', { signsIn: true })
  visitor = await signedIn(t, ada)
})

const PEOPLE = '/settings/people'
const EVE = { name: 'Eve', email: 'eve@example.com', role: 'member', language: 'de' }

async function submit(path: string, values: Record<string, string> = {}): Promise<Page> {
  return visitor.submit(await visitor.get(path), values, path)
}

const linkIn = (page: Page) => /invitation\/[\w-]{43}/.exec(page.html)?.[0] ?? ''

test('the list is filtered and put in order by its address, page by page; what is wrong there is ignored', async () => {
  for (let i = 0; i < 60; i++) await addPerson(t, `Member${String(i).padStart(2, '0')}`, 'member')
  const first = await visitor.get(PEOPLE)
  expect(textOf(first)).toContain('61 people')
  const next = /href="([^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await visitor.get(next)
  expect([textOf(first).includes('Member55'), textOf(second).includes('Member55')]).toEqual([false, true])
  const found = await visitor.get(`${PEOPLE}?q=member0&role=member&state=active&factor=none&order=oldest`)
  expect(textOf(found)).toContain('10 people')
  expect(textOf(found)).toContain('Last sign-in: oldest first')
  expect(textOf(await visitor.get(`${PEOPLE}?q=nobody`))).toContain('Nobody matches')
  for (const wrong of ['after=x', 'after=WyJcdTAwMDAiLCJ4Il0', 'role=owner&order=up&factor=2']) {
    const page = await visitor.get(`${PEOPLE}?${wrong}`)
    expect([wrong, page.status, textOf(page).includes('Member00')]).toEqual([wrong, 200, true])
  }
  expect(textOf(await visitor.get(`${PEOPLE}?q=ada`))).toContain('(password)')
})

/** As `t.fetch`, by a browser that prefers this language. */
const speaking = (language: string) => openVisitor(t.fetch, ORIGIN, { 'accept-language': language })

describe('before the sign-in, pages speak', () => {
  test('the language of the browser to an invited person, who keeps it', async () => {
    const link = `/${linkIn(await submit(`${PEOPLE}/invite`, { ...EVE, language: 'en', delivery: 'link' }))}`
    const german = speaking('de-DE,de;q=0.9')
    const page = await german.get(link)
    expect(textOf(page)).toContain('Mein Konto erstellen')
    await german.submit(page, { name: 'Eve', password: 'four sound words here' }, link)
    expect((await userByEmail(t.app.db, EVE.email))?.language).toBe('de')
  })

  test('the language of the account to a person who has chosen one, else that of the browser', async () => {
    const mia = await addPerson(t, 'Mia', 'member')
    const { token } = await issueResetLink(t.app, mia.email, ada.origin)
    expect(textOf(await speaking('de').get(`/reset/${token}`))).toContain('Neues Passwort')
    await t.app.write(tx => setUserLanguage(tx, mia.id, 'en'))
    expect(textOf(await speaking('de').get(`/reset/${token}`))).toContain('New password')
    await t.app.write(tx => setUserLanguage(tx, mia.id, 'de'))
    expect(textOf(await speaking('en').get(`/reset/${token}`))).toContain('Neues Passwort')
  })
})

describe('an invitation', () => {
  test('by a link is shown once, and opens an account that is signed in', async () => {
    const shown = await submit(`${PEOPLE}/invite`, { ...EVE, delivery: 'link' })
    const link = `/${linkIn(shown)}`
    expect((await visitor.get(PEOPLE)).html).not.toContain(link)
    const stranger = openVisitor(t.fetch)
    const page = await stranger.get(link)
    expect(textOf(page)).toContain('eve@example.com')
    const weak = await stranger.submit(page, { name: 'Eve M', password: 'short' }, link)
    expect([weak.status, textOf(weak)]).toEqual([422, expect.stringContaining('at least 12 characters')])
    const opened = await stranger.submit(weak, { name: 'Eve M', password: 'four sound words here' }, link)
    expect(opened.url).toBe('/documents')
    expect((await openVisitor(t.fetch).get(link)).status).toBe(404)
    expect(textOf(await visitor.get(PEOPLE))).toContain('Eve M')
  })

  test('by e-mail is sent, can be sent again with a new link, and withdrawn', async () => {
    const list = await submit(`${PEOPLE}/invite`, { ...EVE, delivery: 'mail' })
    expect(textOf(list)).toContain('Invited by')
    const [{ id = '' } = {}] = await listInvitations(t.app.db)
    await submit(`${PEOPLE}/invitations/${id}/resend`)
    await t.drain()
    const [first, second] = t.mails.map(({ text }) => /\/invitation\/[\w-]+/.exec(text)?.[0] ?? '')
    expect((await openVisitor(t.fetch).get(first ?? '')).status).toBe(404)
    expect((await openVisitor(t.fetch).get(second ?? '')).status).toBe(200)
    await submit(`${PEOPLE}/invitations/${id}/withdraw`)
    expect((await openVisitor(t.fetch).get(second ?? '')).status).toBe(404)
  })

  test('that the mail server refuses says so in the list, with its answer, until it is sent again', async () => {
    await submit(`${PEOPLE}/invite`, { ...EVE, delivery: 'mail' })
    const [mail] = await latestMails(t.app.db, 1)
    await t.app.write(tx => setMailStatus(tx, mail?.id ?? '', 'failed', '550 5.1.1 no such user <eve>', t.app.now()))
    expect(textOf(await visitor.get(PEOPLE))).toContain('Not delivered 550 5.1.1 no such user <eve>')
    t.clock.pass({ minutes: 1 })
    const [invitation] = await listInvitations(t.app.db)
    await submit(`${PEOPLE}/invitations/${invitation?.id}/resend`)
    expect(textOf(await visitor.get(PEOPLE))).not.toContain('Not delivered')
  })

  test('that is not complete shows what was entered with the errors at their fields', async () => {
    const page = await submit(`${PEOPLE}/invite`, { ...EVE, email: 'ada@example.com', name: 'Eve', delivery: 'link' })
    expect(page.status).toBe(422)
    expect(page.html).toContain('value="Eve"')
    expect(textOf(page)).toContain('there is already an account with this address')
  })
})

describe('a person', () => {
  let mia: TestPerson
  beforeEach(async () => {
    mia = await addPerson(t, 'Mia', 'member', { signsIn: true })
  })
  const page = (verb: string) => `${PEOPLE}/${mia.id}/${verb}`

  test('is renamed, gets another role, is disabled and enabled, each after a question', async () => {
    expect(textOf(await submit(page('name'), { name: 'Mia Maier' }))).toContain('The name was changed.')
    expect(textOf(await submit(page('role'), { role: 'auditor' }))).toContain('The role was changed.')
    const theirs = await signedIn(t, mia)
    expect((await theirs.get('/documents')).status).toBe(200)
    expect(textOf(await submit(page('disable')))).toContain('The account is disabled.')
    expect((await theirs.get('/documents')).url).toStartWith('/sign-in')
    const refused = await theirs.submit(await theirs.get('/sign-in'), { email: mia.email, password: mia.password })
    expect([refused.status, textOf(refused)]).toEqual([403, expect.stringContaining('This account is disabled.')])
    expect(textOf(await submit(page('enable')))).toContain('The account is enabled.')
    expect(await personById(t.app.db, mia.id)).toMatchObject({ name: 'Mia Maier', role: 'auditor', disabledAt: undefined })
  })

  test('with documents is removed only after they were handed over', async () => {
    const { actor } = mia.origin
    await t.api('POST', '/documents', await newDocument())
    await t.app.write(tx =>
      tx
        .updateTable('documents')
        .set({ owner_id: actor.userId ?? null })
        .execute(),
    )
    expect(textOf(await visitor.get(page('remove')))).toContain('1 document still belongs to this person')
    const blocked = await visitor.post(page('remove'), { csrf: csrfOf(await visitor.get(page('disable'))) })
    expect(blocked.status).toBe(403)
    const nobody = await submit(page('hand-over'), { to: '' })
    expect([nobody.status, textOf(nobody)]).toEqual([422, expect.stringContaining('must be chosen first')])
    expect(textOf(await submit(page('hand-over'), { to: ada.id }))).toContain('Everything was handed over.')
    const list = await submit(page('remove'))
    expect([list.url, textOf(list)]).toEqual([`${PEOPLE}?notice=removed`, expect.stringContaining('The account was removed.')])
    expect(await personById(t.app.db, mia.id)).toBeUndefined()
  })

  test('who is oneself cannot be disabled or removed, and the last administrator not be demoted', async () => {
    const own = `${PEOPLE}/${ada.id}`
    const overview = await visitor.get(own)
    for (const verb of ['disable', 'remove']) expect(overview.html).not.toContain(`${own}/${verb}`)
    const demoted = await submit(`${own}/role`, { role: 'member' })
    expect([demoted.status, textOf(demoted)]).toEqual([403, expect.stringContaining('only active administrator')])
    const disabled = await submit(`${own}/disable`)
    expect(disabled.status).toBe(403)
    expect(await personById(t.app.db, ada.id)).toMatchObject({ role: 'admin', disabledAt: undefined })
  })

  test('that does not exist is not found', async () => {
    for (const verb of ['', '/name', '/remove']) expect((await visitor.get(`${PEOPLE}/usr_0${verb}`)).status).toBe(404)
  })
})

test('the list says when and how each person signed in last, in German too', async () => {
  await addPerson(t, 'Mia', 'auditor')
  t.clock.pass({ minutes: 5 })
  expect(textOf(await visitor.get(PEOPLE))).toMatch(
    /Ada \( ?you ?\).*Administrator.*5 minutes ago \(password\).*Mia.*Auditor.*None Never/,
  )
  await visitor.submit(await visitor.get(PEOPLE), { language: 'de', next: PEOPLE }, '/language')
  expect(textOf(await visitor.get(PEOPLE))).toMatch(/Personen.*Ada \( ?Sie ?\).*Mia.*Prüfung.*Nie/)
})

test('the invitation names this service and nothing else', async () => {
  const shown = await submit(`${PEOPLE}/invite`, { ...EVE, delivery: 'link' })
  expect(shown.html).toContain(`${ORIGIN}/invitation/`)
})
