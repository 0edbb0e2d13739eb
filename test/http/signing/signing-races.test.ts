/** Concurrent and late requests: two windows, two persons for one recipient, a second tap. */
import { describe, expect, test } from 'bun:test'
import { inkText } from '../../../src/core/signing/ink.ts'
import { resolveSigningSession } from '../../../src/documents/signing/link.ts'
import { decline, delegate, finish, openDocument, type SigningForm } from '../../../src/documents/signing/signing.ts'
import { saveMarkPicture } from '../../../src/documents/signing/signing-progress.ts'
import type { App } from '../../../src/ports.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const CAROL = { name: 'Carol King', email: 'carol@example.com' }
const CLIENT = { ip: '127.0.0.1', userAgent: 'test' }
const one = { recipients: [{ ...ADA, fields: [SIGNATURE] }] }
const INK = inkText({ width: 600, height: 200, strokes: [[20, 150, 128, 100, 40, 128, 220, 160, 128, 560, 120, 128]] })
const SMALL = { ...PHOTO, width: 400, height: 300, pen: 5 }
const photo = (seed: number) => pngOfPhoto(photoOf(SMALL, seed))

/** The same App, with something done between what an action reads and what it writes. */
function meanwhile(work: () => Promise<unknown>): App {
  let isDone = false
  const write: App['write'] = async (change, how) => {
    if (!isDone) {
      isDone = true
      await work()
    }
    return t.app.write(change, how)
  }
  return { ...t.app, write }
}

const passOf = ({ cookies }: Visitor): string => [...cookies].find(([name]) => name.startsWith('signet_link_'))?.[1] ?? ''
const formOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/finish'))?.values ?? {}

function actOn(page: Page, mark: Partial<SigningForm['marks']['signature']>): SigningForm {
  const { consentVersion = '', sha256 = '' } = formOf(page)
  const none = { kind: 'typed' as const, text: '', ink: '' }
  return {
    values: {},
    marks: { signature: { ...none, ...mark }, initials: none },
    consent: true,
    consentId: consentVersion,
    shownSha256: sha256,
    language: 'en',
    shownFiles: {},
    changedFiles: [],
  }
}

const session = (pass: string) => resolveSigningSession(t.app, pass)
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    error => (error as { reason?: string }).reason ?? String(error),
  )
const kindsOf = async (id: string): Promise<string[]> =>
  (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)
const contents = () => t.app.db.selectFrom('mark_contents').select(['recipient_id', 'kind']).execute()
const drafts = () => t.app.db.selectFrom('drafts').selectAll().execute()

describe('a picture that is still being read', () => {
  test('when its person finishes with a drawing takes nothing of it away: the document is sealed', async () => {
    const id = await sentDocument(t, one)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const pass = passOf(visitor)
    const late = meanwhile(async () => finish(t.app, await session(pass), actOn(page, { kind: 'drawn', ink: INK }), CLIENT))
    expect(await outcomeOf(saveMarkPicture(late, pass, 'signature', photo(1)))).toBe('invalid_state')
    expect([await contents(), await drafts()]).toMatchObject([[{ kind: 'drawn' }], []])
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
  })

  test('when its person hands over does not reach the colleague', async () => {
    await sentDocument(t, one)
    const { visitor } = await openLinkAs(t, ADA.email)
    const pass = passOf(visitor)
    const late = meanwhile(async () => {
      await delegate(t.app, await session(pass), CAROL, CLIENT)
      await t.drain()
      await openLinkAs(t, CAROL.email)
    })
    expect(await outcomeOf(saveMarkPicture(late, pass, 'signature', photo(1)))).toBe('not_found')
    expect([await contents(), await drafts()]).toEqual([[], []])
  })

  test('and replaces the one that is being signed with: what was signed with is kept, and sealed', async () => {
    const id = await sentDocument(t, one)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const pass = passOf(visitor)
    await saveMarkPicture(t.app, pass, 'signature', photo(1))
    const late = meanwhile(() => saveMarkPicture(t.app, pass, 'signature', photo(2)))
    await finish(late, await session(pass), actOn(page, { kind: 'uploaded' }), CLIENT)
    expect(await contents()).toHaveLength(1)
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
  })
})

describe('finishing twice', () => {
  test('with a picture counts once, and is answered as done both times', async () => {
    const id = await sentDocument(t, one)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await saveMarkPicture(t.app, passOf(visitor), 'signature', photo(1))
    const values = { signatureKind: 'uploaded', signature: '', consent: 'on' }
    const both = await Promise.all([visitor.submit(page, values, '/finish'), visitor.submit(page, values, '/finish')])
    const later = await visitor.submit(page, values, '/finish')
    for (const answer of [...both, later]) {
      expect([answer.status, textOf(answer).includes('You are done')]).toEqual([200, true])
    }
    expect((await kindsOf(id)).filter(kind => kind === 'recipient.signed')).toHaveLength(1)
  })
})

describe('a link that dies while it is used', () => {
  const viewedByCarol = (pass: string) => async () => {
    await delegate(t.app, await session(pass), CAROL, CLIENT)
    await t.drain()
    await openLinkAs(t, CAROL.email)
  }

  test('lets nobody sign, decline or hand over in the place of the colleague who has come', async () => {
    const two = { recipients: [...one.recipients, { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }] }
    const acts: ((app: App, pass: string, page: Page) => Promise<unknown>)[] = [
      async (app, pass, page) => finish(app, await session(pass), actOn(page, { text: 'Ada' }), CLIENT),
      async (app, pass) => decline(app, await session(pass), 'no', CLIENT),
      async (app, pass) => delegate(app, await session(pass), { name: 'Dave', email: 'dave@example.com' }, CLIENT),
    ]
    for (const act of acts) {
      const id = await sentDocument(t, two)
      const { visitor, page } = await openLinkAs(t, ADA.email)
      const pass = passOf(visitor)
      expect(await outcomeOf(act(meanwhile(viewedByCarol(pass)), pass, page))).toBe('not_found')
      const { body } = await t.api('GET', `/documents/${id}`)
      expect([body.status, body.recipients[0].status, body.recipients[0].email]).toEqual(['sent', 'viewed', CAROL.email])
    }
  })

  test('counts neither as opened by the colleague nor as a try at their access code', async () => {
    for (const accessCode of [undefined, 'blue-horse']) {
      const coded = accessCode === undefined ? {} : { accessCode }
      const id = await sentDocument(t, { recipients: [{ ...ADA, ...coded, fields: [SIGNATURE] }] })
      const token = linkTo(t, ADA.email).slice(3)
      const visitor = openVisitor(t.fetch)
      await visitor.submit(await visitor.get(`/s/${token}`), accessCode === undefined ? {} : { accessCode })
      const late = meanwhile(async () => delegate(t.app, await session(passOf(visitor)), CAROL, CLIENT))
      expect(await outcomeOf(openDocument(late, token, { accessCode: 'wrong-1' }, CLIENT))).toBe('not_found')
      expect((await t.api('GET', `/documents/${id}`)).body.recipients[0]).toMatchObject({ status: 'sent', viewedAt: null })
      expect(await kindsOf(id)).not.toContain('recipient.access_code_failed')
    }
  })
})

describe('a mail that waits for its server', () => {
  test('never brings the colleague’s link to the one who handed over', async () => {
    const id = await sentDocument(t, one)
    t.clock.pass({ hours: 2 })
    t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 try later' })
    await t.api('POST', `/documents/${id}/remind`)
    await t.drain()
    const mailsToAda = t.mails.filter(m => m.to.address === ADA.email).length
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, CAROL, '/delegate')
    t.clock.pass({ hours: 2 })
    await t.drain()
    expect(t.mails.filter(m => m.to.address === ADA.email)).toHaveLength(mailsToAda)
    const token = linkTo(t, CAROL.email)
    expect(t.mails.filter(m => m.text.includes(token)).map(m => m.to.address)).toEqual([CAROL.email])
    const waiting = await t.app.db.selectFrom('mails').select('status').where('status', '=', 'queued').execute()
    expect(waiting).toEqual([])
  })

  test('whose server answers meanwhile says nothing of the colleague', async () => {
    const id = await sentDocument(t, one)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    t.clock.pass({ hours: 2 })
    expect((await t.api('POST', `/documents/${id}/remind`)).status).toBe(200)
    const { send } = t.app.mailer
    t.app.mailer.send = async () => {
      t.app.mailer.send = send
      await visitor.submit(page, CAROL, '/delegate')
      return { outcome: 'refused', permanent: true, reply: '550 has left the company' }
    }
    await t.drain()
    const { recipients } = (await t.api('GET', `/documents/${id}`)).body
    expect(recipients[0]).toMatchObject({ email: CAROL.email, emailStatus: 'delivered' })
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    expect(JSON.stringify(events)).not.toContain('has left the company')
  })
})

describe('when the time is over, before the clock has looked', () => {
  test('a link tells that and names the document, and nothing can be done behind it', async () => {
    const id = await sentDocument(t, { ...one, title: 'Merger plan', expiresInDays: 1 })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    t.clock.pass({ days: 2 })
    const landing = await openVisitor(t.fetch).get(linkTo(t, ADA.email))
    expect([landing.status, landing.html.includes('Merger'), landing.html.includes('/finish')]).toEqual([409, true, false])
    expect((await visitor.get(`${page.url}/file`)).status).toBe(409)
    for (const [values, action] of [[CAROL, '/delegate'] as const, [{ reason: 'no' }, '/decline'] as const]) {
      expect([action, (await visitor.submit(page, values, action)).status]).toEqual([action, 409])
    }
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'sent', recipients: [ADA] })
    await t.drain()
    expect(t.mails.map(m => m.to.address)).not.toContain(CAROL.email)
  })
})

test('who finishes last and who declines at once: one of both, never a document that is both', async () => {
  const id = await sentDocument(t, { recipients: [...one.recipients, { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }] })
  const [ada, bob] = [await openLinkAs(t, ADA.email), await openLinkAs(t, BOB.email)]
  const [declined] = await Promise.all([
    ada.visitor.submit(ada.page, { reason: 'no' }, '/decline'),
    bob.visitor.submit(bob.page, { signature: 'Bob', consent: 'on' }, '/finish'),
    ada.visitor.submit(ada.page, { signature: 'Ada', consent: 'on' }, '/finish'),
  ])
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  const kinds = await kindsOf(id)
  const ends = kinds.filter(kind => kind === 'document.declined' || kind === 'document.completed')
  expect(ends.map(String)).toEqual([`document.${body.status}`])
  expect(declined.status === 200).toBe(body.status === 'declined')
})
