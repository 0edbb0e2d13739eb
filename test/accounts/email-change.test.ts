/** Another e-mail address of an account: confirmed by the new one, stopped by the old one. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { requestEmailChange, withdrawEmailChange } from '../../src/accounts/email-change.ts'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { openSession } from '../../src/accounts/people.ts'
import { userById } from '../../src/accounts/queries.ts'
import { mailResetLinks, requestResetLink } from '../../src/accounts/reset.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { sweepAccounts } from '../../src/jobs/upkeep.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { openVisitor, type Page, textOf, type Visitor } from '../support/browser-less.ts'
import { useTestApp } from '../support/use-app.ts'

const NEW = 'mia@new.example'
const CLIENT = { ip: undefined, userAgent: undefined }

const t = useTestApp()
let mia: TestPerson
let ada: TestPerson
let visitor: Visitor
beforeEach(async () => {
  mia = await addPerson(t, 'Mia', 'member', { signsIn: true })
  ada = await addPerson(t, 'Ada', 'admin', { signsIn: true })
  visitor = await signedIn(mia)
})

async function signedIn({ email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<Visitor> {
  const opened = openVisitor(t.fetch)
  await opened.submit(await opened.get('/sign-in'), { email, password })
  return opened
}

const emailOf = async () => (await userById(t.app.db, mia.id))?.email

async function ask(email: string, values: Record<string, string> = {}): Promise<Page> {
  return visitor.submit(await visitor.get('/profile/email'), { email, ...values }, '/profile/email')
}

/** The path behind the link of the newest mail to this address. */
async function linkTo(address: string): Promise<string> {
  await t.drain()
  const mail = t.mails.findLast(({ to }) => to.address === address)
  return /\/email\/(confirm|stop)\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
}

async function follow(path: string): Promise<Page> {
  const stranger = openVisitor(t.fetch)
  return stranger.submit(await stranger.get(path), {}, path)
}

describe('a new address', () => {
  test('holds once it has confirmed, not when the link is opened; the old one gets a notice', async () => {
    expect(textOf(await ask(NEW))).toContain('A link is on its way to the new address')
    const confirm = await linkTo(NEW)
    expect(t.mails.find(({ to }) => to.address === mia.email)?.subject).toBe('[TEST] Your e-mail address is to be changed')
    await openVisitor(t.fetch).get(confirm)
    expect([await emailOf(), textOf(await visitor.get('/profile')).includes(`${NEW} has to confirm`)]).toEqual([mia.email, true])
    expect(textOf(await follow(confirm))).toContain('The address was changed')
    expect(await emailOf()).toBe(NEW)
    await t.drain()
    expect(t.mails.at(-1)).toMatchObject({ to: { address: mia.email }, subject: '[TEST] Your e-mail address was changed' })
    expect((await visitor.get('/documents')).url).toBe('/documents')
    expect((await signedIn({ ...mia, email: NEW })).cookies.has('signet_session')).toBe(true)
    expect((await signedIn(mia)).cookies.has('signet_session')).toBe(false)
    expect((await openVisitor(t.fetch).get(confirm)).status).toBe(404)
    expect('head' in (await verifyChain(t.app.db))).toBe(true)
  })

  test('needs the password again, and an address that nobody has', async () => {
    await invitePerson(t.app, { name: 'Eve', email: 'eve@example.com', role: 'member', language: 'en' }, 'link', ada.origin)
    const cases = [
      ['mia', 'must be an e-mail address'],
      ['mia@example.com', 'is the present address already'],
      ['ADA@example.com', 'there is already an account with this address'],
      ['eve@example.com', 'has an open invitation'],
    ] as const
    for (const [email, said] of cases) {
      const page = await ask(email)
      expect([email, page.status, textOf(page).includes(said)]).toEqual([email, 422, true])
    }
    t.clock.pass({ minutes: 16 })
    expect((await ask(NEW)).status).toBe(422)
    expect((await ask(NEW, { password: mia.password })).url).toStartWith('/profile')
  })

  test('is refused at the confirmation if it was taken meanwhile', async () => {
    await ask('eve@example.com')
    const confirm = await linkTo('eve@example.com')
    await addPerson(t, 'Eve', 'member')
    const page = await follow(confirm)
    expect([page.status, textOf(page).includes('belongs to another account')]).toEqual([403, true])
    expect(await emailOf()).toBe(mia.email)
  })

  test('ends a link for a new password that went to the old one', async () => {
    await requestResetLink(t.app, mia.email, CLIENT)
    await mailResetLinks(t.app)
    await t.drain()
    const reset = /\/reset\/[\w-]{43}/.exec(t.mails.at(-1)?.text ?? '')?.[0] ?? ''
    expect((await openVisitor(t.fetch).get(reset)).status).toBe(200)
    await ask(NEW)
    await follow(await linkTo(NEW))
    expect((await openVisitor(t.fetch).get(reset)).status).toBe(404)
  })

  test('can be asked for five times a day; the newest link alone works, for a day', async () => {
    await ask('one@new.example')
    const first = await linkTo('one@new.example')
    for (const name of ['two', 'three', 'four', 'five']) await ask(`${name}@new.example`)
    expect(textOf(await ask('six@new.example'))).toContain('An address can be changed 5 times a day')
    expect((await openVisitor(t.fetch).get(first)).status).toBe(404)
    const last = await linkTo('five@new.example')
    expect((await openVisitor(t.fetch).get(last)).status).toBe(200)
    t.clock.pass({ hours: 25 })
    expect((await openVisitor(t.fetch).get(last)).status).toBe(404)
  })

  test('is withdrawn under Profile', async () => {
    await ask(NEW)
    const confirm = await linkTo(NEW)
    expect(textOf(await visitor.submit(await visitor.get('/profile'), {}, '/profile/email/withdraw'))).toContain('was withdrawn')
    expect((await openVisitor(t.fetch).get(confirm)).status).toBe(404)
  })
})

describe('the old address', () => {
  test('stops a change before it is confirmed', async () => {
    await ask(NEW)
    const confirm = await linkTo(NEW)
    expect(textOf(await follow(await linkTo(mia.email)))).toContain('The address stays as it is')
    expect((await openVisitor(t.fetch).get(confirm)).status).toBe(404)
    expect((await visitor.get('/documents')).url).toBe('/documents')
  })

  test('takes a change back for 7 days, with every session and with later changes', async () => {
    await ask(NEW)
    await follow(await linkTo(NEW))
    const stop = await linkTo(mia.email)
    t.clock.pass({ days: 6 })
    const thief = await openSession(t.app, mia, ['password'], CLIENT)
    await requestEmailChange(t.app, mia.id, 'thief@new.example', mia.origin)
    await follow(await linkTo('thief@new.example'))
    const later = await linkTo(NEW)
    await sweepAccounts(t.app)
    expect(textOf(await follow(stop))).toContain('The address is yours again')
    expect(await emailOf()).toBe(mia.email)
    const headers = { cookie: `signet_session=${thief.token}` }
    expect((await t.fetch('/documents', { headers, redirect: 'manual' })).headers.get('location')).toContain('/sign-in')
    for (const path of [stop, later]) expect((await openVisitor(t.fetch).get(path)).status).toBe(404)
  })

  test('ends a link for a new password that went to the new one', async () => {
    await ask(NEW)
    await follow(await linkTo(NEW))
    const stop = await linkTo(mia.email)
    await requestResetLink(t.app, NEW, CLIENT)
    await mailResetLinks(t.app)
    await t.drain()
    const reset = /\/reset\/[\w-]{43}/.exec(t.mails.at(-1)?.text ?? '')?.[0] ?? ''
    expect((await openVisitor(t.fetch).get(reset)).status).toBe(200)
    await follow(stop)
    expect((await openVisitor(t.fetch).get(reset)).status).toBe(404)
  })

  test('no longer does after 7 days, and the row is deleted', async () => {
    await ask(NEW)
    await follow(await linkTo(NEW))
    const stop = await linkTo(mia.email)
    t.clock.pass({ days: 7, minutes: 1 })
    expect((await openVisitor(t.fetch).get(stop)).status).toBe(404)
    await sweepAccounts(t.app)
    expect(await t.app.db.selectFrom('email_changes').selectAll().execute()).toEqual([])
  })
})

test('an administrator changes it by the same links, and withdraws it; others may not', async () => {
  const path = `/settings/people/${mia.id}/email`
  expect((await visitor.get(path)).status).toBe(403)
  const admin = await signedIn(ada)
  const asked = await admin.submit(await admin.get(path), { email: NEW }, path)
  expect(textOf(asked)).toContain('New address, not confirmed yet')
  const confirm = await linkTo(NEW)
  const withdraw = `/settings/people/${mia.id}/withdraw-email`
  await admin.submit(await admin.get(withdraw), {}, withdraw)
  expect((await openVisitor(t.fetch).get(confirm)).status).toBe(404)
  await admin.submit(await admin.get(path), { email: NEW }, path)
  await follow(await linkTo(NEW))
  expect(await emailOf()).toBe(NEW)
  const audit = textOf(await admin.get('/settings/audit'))
  expect(audit).toContain('The e-mail address of Mia was changed')
})

test('whoever is an administrator no more changes and withdraws nobody’s address, whatever page is still open', async () => {
  await ask(NEW)
  const { origin } = await addPerson(t, 'Theo', 'member')
  const forbidden = { reason: 'forbidden' }
  await expect(requestEmailChange(t.app, mia.id, 'x@new.example', origin)).rejects.toMatchObject(forbidden)
  await expect(withdrawEmailChange(t.app, mia.id, origin)).rejects.toMatchObject(forbidden)
  await follow(await linkTo(NEW))
  expect(await emailOf()).toBe(NEW)
})
