/** The page behind a signing link, what becomes of its session, and two people with one address. */
import { describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { finishForm, formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, BOB_SIGNS, newDocument, SIGNATURE } from '../../support/sample.ts'
import {
  configure,
  eventsOf,
  linkTo,
  openedDocument,
  openLinkAs,
  SIGNED,
  sentDocument,
  signAs,
  signedDocument,
} from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const ONE = { title: 'Lease', recipients: [{ ...ADA, fields: [SIGNATURE] }] }
const landing = async () => textOf(await openVisitor(t.fetch).get(linkTo(t, ADA.email)))

/** A document that a person of the organisation sends, or a program. */
async function sentByPerson(overrides: Record<string, unknown> = {}, isPerson = true): Promise<void> {
  const identity = { name: 'Acme Ltd', contact: undefined, timeZone: 'UTC', language: 'en' as const }
  await t.app.write(tx => saveOrganisation(tx, identity))
  await createAdmin(t.app, { name: 'Anna Weber', email: 'anna@acme.example', password: 'four sound words here' })
  const { id } = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { body } = await t.api('POST', '/documents', await newDocument(overrides))
  if (isPerson) await t.app.write(tx => tx.updateTable('documents').set({ owner_id: id }).where('id', '=', body.id).execute())
  await t.api('POST', `/documents/${body.id}/send`)
  await t.drain()
}

describe('who asks', () => {
  test.each([
    ['a person', true, 'Anna Weber (Acme Ltd)', 'Anna Weber'],
    ['a program', false, 'Acme Ltd', 'Acme Ltd'],
  ])('is named alike in the mail and on both pages: %s', async (_, isPerson, sender, author) => {
    await sentByPerson({ ...ONE, message: 'Please see clause 4.' }, isPerson)
    const mail = t.mails.findLast(({ to }) => to.address === ADA.email)?.text ?? ''
    const { page } = await openLinkAs(t, ADA.email)
    expect(mail).toContain(`${sender} asks you to sign`)
    expect(await landing()).toContain(`${sender} asks you to sign this document.`)
    for (const text of [mail, await landing()]) expect(text).toContain(`Message from ${author}:`)
    expect(textOf(page)).toContain(`From ${sender}`)
  })
})

describe('a link that is opened again', () => {
  test('after the own signature says so, and for whom the document waits', async () => {
    await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    const text = await landing()
    expect(text).toContain('You are done')
    expect(text).toContain(BOB.name)
    expect(text).not.toContain('asks you to sign')
  })

  test('after the seal says that the document is completed, and one press leads to the sealed file', async () => {
    await signedDocument(t, ONE)
    const visitor = openVisitor(t.fetch)
    const again = await visitor.get(linkTo(t, ADA.email))
    expect(textOf(again)).toMatch(/The document is completed.*Lease.*is sealed.*Open the sealed document/)
    const opened = await visitor.submit(again)
    expect(opened.html).toContain('data-sealed')
    const file = await visitor.get(`${opened.url}/file`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')])
  })

  test('tells nothing of it where a code is asked for first', async () => {
    await sentDocument(t, { ...ONE, recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(linkTo(t, ADA.email)), { accessCode: 'blue-horse' })
    await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    await t.drain()
    expect(await landing()).not.toMatch(/Lease|completed|sealed/)
  })
})

describe('the copy of the sealed document', () => {
  const done = async () => textOf(await signAs(t, ADA.email, 'Ada Lovelace'))

  test('is promised by e-mail only where a mail server is set; elsewhere the page offers it', async () => {
    await sentDocument(t, ONE)
    const here = await done()
    expect(here).toContain('you can download it on this page')
    expect(here).not.toContain('e-mail')
    await t.drain()
    t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    await sentDocument(t, ONE)
    expect(await done()).toContain('You will receive a copy by e-mail as soon as it is sealed.')
  })

  test('neither is the link for a colleague said to be e-mailed', async () => {
    const { visitor, page } = await openedDocument(t, ONE)
    const handed = textOf(await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate'))
    expect(handed).toContain('Carol King will get a signing link from the sender.')
  })

  test('is not promised to a reader by e-mail either', async () => {
    const viewer = { ...BOB, role: 'viewer' }
    await sentDocument(t, { ...ONE, recipients: [{ ...ADA, fields: [SIGNATURE] }, viewer] })
    const { page } = await openLinkAs(t, BOB.email)
    expect(textOf(page)).toContain('There is nothing for you to sign. When everyone has finished, you can download')
  })
})

const two = () => sentDocument(t)

/** A browser with the cookies that this one has now. */
function copyOf({ cookies }: Visitor): Visitor {
  const copy = openVisitor(t.fetch, t.app.config.baseUrl)
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

const READS = ['', '/file', '/pages', '/marks?page=1', '/picture?for=signature', '/hand?for=signature', '/live']

/** Each way in which the session could read or act. */
async function tried(old: Visitor, page: Page): Promise<[string, number][]> {
  const csrf = formsOf(page.html)[0]?.values.csrf ?? ''
  const finish = finishForm(page).values
  const acts: Record<string, Record<string, string>> = {
    finish: { ...finish, ...SIGNED },
    decline: { csrf, reason: 'No' },
    delegate: { csrf, name: 'Carol', email: 'carol@example.com' },
    'form-values': { csrf, signature: 'Eve' },
    hands: { csrf, for: 'signature', text: 'Eve' },
  }
  const answers: [string, number][] = []
  for (const path of READS) answers.push([`GET ${path}`, (await old.get(`${page.url}${path}`)).status])
  for (const [act, values] of Object.entries(acts)) answers.push([act, (await old.post(`${page.url}/${act}`, values)).status])
  return answers
}

describe('after the signature', () => {
  test('the session of before reads nothing and acts on nothing, in any of its addresses', async () => {
    const id = await two()
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const old = copyOf(visitor)
    expect((await old.get(page.url)).html).toContain('/finish')
    expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
    t.clock.pass({ minutes: 6 })
    const before = await eventsOf(t, id)
    const answers = await tried(old, page)
    expect(answers.filter(([, status]) => status !== 404)).toEqual([])
    expect(textOf(await old.get(page.url))).toContain('Your session has ended')
    expect(await eventsOf(t, id)).toEqual(before)
  })

  test('the browser that signed goes on to what became of it, and downloads the copy', async () => {
    const { id, visitor, page } = await openedDocument(t)
    const before = new Map(visitor.cookies)
    const done = await visitor.submit(page, SIGNED, '/finish')
    const name = [...before.keys()].find(each => each.startsWith('signet_link_')) ?? ''
    expect([done.url, visitor.cookies.get(name) === before.get(name)]).toEqual([page.url, false])
    await t.drain()
    expect(textOf(await visitor.get(page.url))).toContain('Everyone has finished')
    expect((await visitor.get(`${page.url}/file`)).html.slice(0, 5)).toBe('%PDF-')
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
  })

  test('the mailed link leads another browser to the same page, and to no form', async () => {
    await two()
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, SIGNED, '/finish')
    const other = await openLinkAs(t, ADA.email)
    expect([other.page.url, other.page.status, other.page.html.includes('/finish')]).toEqual([page.url, 200, false])
    expect((await other.visitor.get(`${page.url}/file`)).html.slice(0, 5)).toBe('%PDF-')
  })

  test('an access code is asked again where only the old session is, and not where it was signed', async () => {
    await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }, BOB_SIGNS] })
    const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
    const page = await visitor.submit(await visitor.get(linkTo(t, ADA.email)), { accessCode: 'blue-horse' })
    const old = copyOf(visitor)
    expect((await old.get(linkTo(t, ADA.email))).html).not.toContain('name="accessCode"')
    await visitor.submit(page, SIGNED, '/finish')
    expect((await old.get(linkTo(t, ADA.email))).html).toContain('name="accessCode"')
    expect((await visitor.get(linkTo(t, ADA.email))).html).not.toContain('name="accessCode"')
  })

  test('a form that is sent again because its answer was lost leads on, for five minutes and changing nothing', async () => {
    const id = await two()
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const [again, late] = [copyOf(visitor), copyOf(visitor)]
    await visitor.submit(page, SIGNED, '/finish')
    const repeated = await again.submit(page, { ...SIGNED, signature: 'Eve' }, '/finish')
    expect([repeated.status, repeated.url, repeated.html.includes('/finish')]).toEqual([200, page.url, false])
    t.clock.pass({ minutes: 5, seconds: 1 })
    expect((await late.submit(page, SIGNED, '/finish')).status).toBe(404)
    const signed = await eventsOf(t, id, 'recipient.signed')
    expect(signed.map((e: { personal: { signature: { text: string } } }) => e.personal.signature.text)).toEqual(['Ada Lovelace'])
  })

  test('a frame goes on under another address, and the one of before is over', async () => {
    await configure(t, { signingLinks: 'on' })
    const people = [{ ...ADA, deliverBy: 'link', fields: [SIGNATURE] }, BOB_SIGNS]
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: people, send: true }))
    const link = await t.api('POST', `/documents/${body.id}/recipients/${body.recipients[0].id}/signing-link`, {})
    const framed = openVisitor(t.fetch, ORIGIN, { 'sec-fetch-dest': 'iframe' })
    const page = await framed.submit(await framed.get(link.body.url.slice(ORIGIN.length)))
    expect(page.url).toStartWith('/s/frame/')
    const done = await framed.submit(page, SIGNED, '/finish')
    expect([done.status, done.url.startsWith('/s/frame/'), done.url === page.url]).toEqual([200, true, false])
    expect((await framed.get(`${done.url}/file`)).html.slice(0, 5)).toBe('%PDF-')
    for (const path of ['', '/file', '/pages']) expect((await framed.get(`${page.url}${path}`)).status).toBe(404)
  })
})

test('after a decline the session of before reads nothing and acts on nothing', async () => {
  const id = await two()
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const old = copyOf(visitor)
  expect((await visitor.submit(page, { reason: 'Too dear' }, '/decline')).status).toBe(200)
  const before = await eventsOf(t, id)
  expect((await tried(old, page)).filter(([, status]) => status < 400)).toEqual([])
  expect(textOf(await old.get(page.url))).toContain('This document was declined')
  expect(await eventsOf(t, id)).toEqual(before)
})

test('while the release before may serve, the session goes on as it does there', async () => {
  await t.sql('UPDATE cluster SET feature_level = 0')
  await two()
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const before = new Map(visitor.cookies)
  expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
  expect(visitor.cookies).toEqual(before)
  await t.sql('UPDATE cluster SET feature_level = 1')
  expect((await visitor.get(page.url)).status).toBe(404)
  expect((await openLinkAs(t, ADA.email)).page.status).toBe(200)
})

const ANNA = { name: 'Anna Berg', email: 'family@example.com' }
const BEN = { name: 'Ben Berg', email: 'Family@example.com' }
const fields = [SIGNATURE]

const create = async (recipients: unknown[], more = {}) =>
  t.api('POST', '/documents', await newDocument({ recipients, send: true, ...more }))

const mailsFor = ({ name }: { name: string }) => t.mails.filter(({ to }) => to.name === name)
const linkFor = (person: { name: string }) => /https?:\/\/\S+?(\/s\/\S+)/.exec(mailsFor(person).at(-1)?.text ?? '')?.[1] ?? ''

async function opened(person: { name: string }) {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  const landing = await visitor.get(linkFor(person))
  return { visitor, landing, page: await visitor.submit(landing) }
}

test('each gets a mail that says for whom it is, and a link of their own', async () => {
  const { status } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  expect(status).toBe(201)
  await t.drain()
  expect(t.mails.map(({ to, text }) => [to.address, to.name, /Hello (.*),/.exec(text)?.[1]])).toEqual([
    [ANNA.email, ANNA.name, ANNA.name],
    [BEN.email, BEN.name, BEN.name],
  ])
  expect(linkFor(ANNA)).not.toBe(linkFor(BEN))
  const { landing } = await opened(BEN)
  expect([textOf(landing).includes(BEN.name), textOf(landing).includes(ANNA.name)]).toEqual([true, false])
})

test('one signs while the other has not: sessions, marks and states are apart, also in one browser', async () => {
  const { body } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  await t.drain()
  const anna = await opened(ANNA)
  const landing = await anna.visitor.get(linkFor(BEN))
  const page = await anna.visitor.submit(landing)
  expect(page.url).not.toBe(anna.page.url)
  await anna.visitor.submit(page, { signature: 'Ben Berg', consent: 'on' }, '/finish')
  const states = async () =>
    (await t.api('GET', `/documents/${body.id}`)).body.recipients.map((r: { status: string }) => r.status)
  expect(await states()).toEqual(['viewed', 'signed'])
  expect((await anna.visitor.get(anna.page.url)).html).toContain('/finish')
  await anna.visitor.submit(anna.page, { signature: 'Anna Berg', consent: 'on' }, '/finish')
  await t.drain()
  expect(await states()).toEqual(['signed', 'signed'])
  const done = [ANNA, BEN].map(person => mailsFor(person).filter(({ subject }) => subject.includes('Completed')).length)
  expect(done).toEqual([1, 1])
})

test('a reminder goes to who has not signed, and a correction of one leaves the link of the other', async () => {
  const { body } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  await t.drain()
  const { visitor, page } = await opened(ANNA)
  await visitor.submit(page, { signature: 'Anna', consent: 'on' }, '/finish')
  t.clock.pass({ hours: 2 })
  await t.api('POST', `/documents/${body.id}/remind`)
  await t.drain()
  // Anna has her receipt, Ben the reminder.
  expect([mailsFor(ANNA).length, mailsFor(BEN).length]).toEqual([2, 2])
  expect(t.mails.filter(({ subject }) => subject.includes('Reminder')).map(({ to }) => to.name)).toEqual([BEN.name])
  const link = linkFor(BEN)
  const moved = await t.api('PATCH', `/documents/${body.id}/recipients/${body.recipients[1].id}`, { email: 'ben@example.com' })
  expect(moved.status).toBe(200)
  expect((await openVisitor(t.fetch).get(link)).status).toBe(404)
})

test('in turn, the second is asked at the shared address once the first has signed', async () => {
  await create(
    [ANNA, BEN].map((person, i) => ({ ...person, order: i + 1, fields })),
    { signingOrder: 'sequential' },
  )
  await t.drain()
  expect(t.mails.map(({ to }) => to.name)).toEqual([ANNA.name])
  const { visitor, page } = await opened(ANNA)
  await visitor.submit(page, { signature: 'Anna', consent: 'on' }, '/finish')
  await t.drain()
  expect(mailsFor(BEN)).toHaveLength(1)
})

test('one person twice is refused: the same address and the same name, however they are written', async () => {
  const { status, body } = await create([ANNA, { name: ' anna  BERG', email: 'FAMILY@example.com' }].map(p => ({ ...p, fields })))
  expect([status, body.error.details]).toEqual([
    422,
    [
      {
        path: 'recipients[1].email',
        code: 'mailbox_of_recipient',
        message: 'is already used by recipients[0] with the same name: two people at one address need different names',
      },
    ],
  ])
})

test('who hands over to the other of the shared address is refused: that person signs already', async () => {
  const cleo = { name: 'Cleo', email: 'cleo@example.com' }
  await create([ANNA, BEN, cleo].map(person => ({ ...person, fields })))
  await t.drain()
  const { visitor, page } = await opened(cleo)
  const refused = await visitor.submit(page, { name: BEN.name, email: BEN.email }, '/delegate')
  expect([refused.status, textOf(refused).includes('already asked to sign')]).toEqual([422, true])
  const third = await visitor.submit(page, { name: 'Dora Berg', email: BEN.email }, '/delegate')
  expect([third.status, textOf(third).includes('Handed over')]).toEqual([200, true])
})

test('while the release before may serve, which could not send it, no such document is made; one that there is goes on', async () => {
  const both = [ANNA, BEN].map(person => ({ ...person, fields }))
  await t.sql('UPDATE cluster SET feature_level = 0')
  const { body: before } = await create([both[0], { ...both[1], email: 'ben@example.com' }], { send: false })
  await t.sql('UPDATE recipients SET email = ? WHERE id = ?', ANNA.email, before.recipients[1].id)
  const { status, body } = await create(both)
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    'upgrade_unfinished',
    expect.stringContaining('One address for two people who sign can be used when the upgrade is finished'),
  ])
  expect((await create([{ ...ANNA, fields }])).status).toBe(201)
  const edited = await t.api('PATCH', `/documents/${before.id}`, { title: 'Another title' })
  expect([edited.status, (await t.api('POST', `/documents/${before.id}/send`)).status]).toEqual([200, 200])
})
