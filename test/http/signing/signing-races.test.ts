/** Concurrent and late requests: two windows, two persons, files that arrive late. */
import { describe, expect, test } from 'bun:test'
import { inkText } from '../../../src/core/signing/ink.ts'
import { addFieldFile } from '../../../src/documents/signing/field-files.ts'
import { resolveSigningSession, type SigningContext } from '../../../src/documents/signing/link.ts'
import { decline, delegate, finish, openDocument, type SigningForm } from '../../../src/documents/signing/signing.ts'
import { saveMarkPicture } from '../../../src/documents/signing/signing-progress.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import type { App } from '../../../src/ports.ts'
import { plainPng } from '../../evidence/sample.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { finishForm, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { type FileSigner, openOnceMore, openSigner, storedFiles, withFiles } from '../../support/field-files.ts'
import { JPEG } from '../../support/jpegs.ts'
import { ADA, BOB, BOB_SIGNS, ONE, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openedDocument, openLinkAs, sentDocument, typesOf } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
const CLIENT = { ip: '127.0.0.1', userAgent: 'test' }

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

const CAROL = { name: 'Carol King', email: 'carol@example.com' }
const INK = inkText({ width: 600, height: 200, strokes: [[20, 150, 128, 100, 40, 128, 220, 160, 128, 560, 120, 128]] })
const SMALL = { ...PHOTO, width: 400, height: 300, pen: 5 }
const photo = (seed: number) => pngOfPhoto(photoOf(SMALL, seed))
const passOf = ({ cookies }: Visitor): string => [...cookies].find(([name]) => name.startsWith('signet_link_'))?.[1] ?? ''

/** The form of the page, with this signature. */
function actOn({ consentVersion = '', sha256 = '' }: Record<string, string>, mark: object, files: object = {}): SigningForm {
  const none = { kind: 'typed' as const, text: '', ink: '' }
  const marks = { signature: { ...none, ...mark }, initials: none }
  const shown = { consentId: consentVersion, shownSha256: sha256, shownFiles: {}, changedFiles: [], ...files }
  return { values: {}, marks, consent: true, language: 'en', ...shown }
}

const session = (pass: string) => resolveSigningSession(t.app, pass)

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    error => (error as { reason?: string }).reason ?? String(error),
  )

const contents = () => t.app.db.selectFrom('mark_contents').select(['recipient_id', 'kind']).execute()
const drafts = () => t.app.db.selectFrom('drafts').selectAll().execute()

describe('a picture that is still being read', () => {
  test('when its person finishes with a drawing takes nothing of it away: the document is sealed', async () => {
    const { id, visitor, page } = await openedDocument(t)
    const pass = passOf(visitor)
    const late = meanwhile(async () =>
      finish(t.app, await session(pass), actOn(finishForm(page).values, { kind: 'drawn', ink: INK }), CLIENT),
    )
    expect(await outcomeOf(saveMarkPicture(late, pass, 'signature', photo(1)))).toBe('invalid_state')
    expect([await contents(), await drafts()]).toMatchObject([[{ kind: 'drawn' }], []])
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
  })

  test('when its person hands over does not reach the colleague', async () => {
    const { visitor } = await openedDocument(t)
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
    const { id, visitor, page } = await openedDocument(t)
    const pass = passOf(visitor)
    await saveMarkPicture(t.app, pass, 'signature', photo(1))
    const late = meanwhile(() => saveMarkPicture(t.app, pass, 'signature', photo(2)))
    await finish(late, await session(pass), actOn(finishForm(page).values, { kind: 'uploaded' }), CLIENT)
    expect(await contents()).toHaveLength(1)
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
  })
})

test('finishing twice with a picture counts once, and is answered as done both times', async () => {
  const { id, visitor, page } = await openedDocument(t)
  await saveMarkPicture(t.app, passOf(visitor), 'signature', photo(1))
  const values = { signatureKind: 'uploaded', signature: '', consent: 'on' }
  const both = await Promise.all([visitor.submit(page, values, '/finish'), visitor.submit(page, values, '/finish')])
  const later = await visitor.submit(page, values, '/finish')
  for (const answer of [...both, later]) {
    expect([answer.status, textOf(answer).includes('You are done')]).toEqual([200, true])
  }
  expect((await typesOf(t, id)).filter(kind => kind === 'recipient.signed')).toHaveLength(1)
})

describe('a link that dies while it is used', () => {
  const viewedByCarol = (pass: string) => async () => {
    await delegate(t.app, await session(pass), CAROL, CLIENT)
    await t.drain()
    await openLinkAs(t, CAROL.email)
  }

  test('lets nobody sign, decline or hand over in the place of the colleague who has come', async () => {
    const two = { recipients: [...ONE.recipients, BOB_SIGNS] }
    const acts: ((app: App, pass: string, page: Page) => Promise<unknown>)[] = [
      async (app, pass, page) => finish(app, await session(pass), actOn(finishForm(page).values, { text: 'Ada' }), CLIENT),
      async (app, pass) => decline(app, await session(pass), 'no', CLIENT),
      async (app, pass) => delegate(app, await session(pass), { name: 'Dave', email: 'dave@example.com' }, CLIENT),
    ]
    for (const act of acts) {
      const { id, visitor, page } = await openedDocument(t, two)
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
      expect(await typesOf(t, id)).not.toContain('recipient.access_code_failed')
    }
  })
})

describe('a mail that waits for its server', () => {
  test('never brings the colleague’s link to the one who handed over', async () => {
    const id = await sentDocument(t, ONE)
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
    const { id, visitor, page } = await openedDocument(t)
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

test('when the time is over, before the clock has looked a link tells that and names the document, and nothing can be done behind it', async () => {
  const { id, visitor, page } = await openedDocument(t, { ...ONE, title: 'Merger plan', expiresInDays: 1 })
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

test('who finishes last and who declines at once: one of both, never a document that is both', async () => {
  const id = await sentDocument(t, { recipients: [...ONE.recipients, BOB_SIGNS] })
  const [ada, bob] = [await openLinkAs(t, ADA.email), await openLinkAs(t, BOB.email)]
  const [declined] = await Promise.all([
    ada.visitor.submit(ada.page, { reason: 'no' }, '/decline'),
    bob.visitor.submit(bob.page, { signature: 'Bob', consent: 'on' }, '/finish'),
    ada.visitor.submit(ada.page, { signature: 'Ada', consent: 'on' }, '/finish'),
  ])
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  const kinds = await typesOf(t, id)
  const ends = kinds.filter(kind => kind === 'document.declined' || kind === 'document.completed')
  expect(ends.map(String)).toEqual([`document.${body.status}`])
  expect(declined.status === 200).toBe(body.status === 'declined')
})

const RED = plainPng(40, 30, [200, 30, 30, 255])

const contextOf = ({ cookie }: FileSigner): Promise<SigningContext> =>
  resolveSigningSession(t.app, /signet_link_\w+=([^;]+)/.exec(cookie)?.[1] ?? '')

/** Ada's signature, under the files that her page shows. */
const withShown = ({ values, shown }: FileSigner) => actOn(values, { text: 'Ada' }, { shownFiles: { ...shown } })

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => [error.reason, error.details?.[0]?.message].join(' '),
  )

const rows = async () => (await t.app.db.selectFrom('field_files').select('sha256').execute()).map(row => row.sha256)
const claims = () => t.app.db.selectFrom('file_claims').selectAll().execute()

async function add(ada: FileSigner, app: App, bytes: Uint8Array): Promise<string> {
  const upload = await t.app.storage.writeTemporary(bytes)
  return reasonOf(addFieldFile(app, await contextOf(ada), ada.idOf('Passport'), { fileName: 'late.png', upload }))
}

test('a file that another window has added, replaced or removed is not signed unseen', async () => {
  const ada = await openSigner(t)
  const other = await openOnceMore(t, ada.documentId)
  const refused = 'this file was changed in another window. Please check it, then finish again'
  await other.upload('Passport', RED, 'a.png')
  await other.upload('Photo', RED, 'b.png')
  const page = await (await ada.finish()).text()
  expect([page.includes(`Passport: ${refused}`), page.includes(`Photo: ${refused}`)]).toEqual([true, true])
  await ada.upload('Passport', JPEG)
  await ada.upload('Photo', JPEG)
  await other.remove('Photo')
  expect(await (await ada.finish()).text()).toContain(`Photo: ${refused}`)
  // The page that was sent back shows what there is now.
  const again = await openOnceMore(t, ada.documentId)
  expect((await again.finish()).status).toBe(303)
  expect(await rows()).toEqual([sha256Hex(JPEG)])
})

test('a file that is replaced at the moment of the signature is not signed unseen', async () => {
  const ada = await openSigner(t)
  await ada.upload('Passport', RED, 'seen.png')
  const app = meanwhile(() => ada.upload('Passport', JPEG, 'unseen.jpg'))
  expect(await reasonOf(finish(app, await contextOf(ada), withShown(ada), CLIENT))).toBe(
    'validation_failed Passport: this file was changed in another window. Please check it, then finish again',
  )
  expect((await t.api('GET', `/documents/${ada.documentId}`)).body.recipients[0].status).toBe('viewed')
  expect(await rows()).toEqual([sha256Hex(JPEG)])
  expect(await reasonOf(finish(t.app, await contextOf(ada), withShown(ada), CLIENT))).toBe('done')
  expect(await rows()).toEqual([sha256Hex(JPEG)])
})

test('a file that arrives after the signature is refused, and changes nothing of what was signed', async () => {
  const ada = await openSigner(t)
  await ada.upload('Passport', RED)
  expect(
    await add(
      ada,
      meanwhile(() => ada.finish()),
      JPEG,
    ),
  ).toStartWith('invalid_state')
  expect([await rows(), await claims()]).toEqual([[sha256Hex(RED)], []])
  expect(storedFiles(t)).not.toContain(sha256Hex(JPEG))
})

test('a file that arrives after the document was handed over is not the next person’s', async () => {
  const ada = await openSigner(t, { ...withFiles(), allowDelegation: true })
  const context = await contextOf(ada)
  const to = { name: 'Carol King', email: 'carol@example.com' }
  expect(
    await add(
      ada,
      meanwhile(() => delegate(t.app, context, to, CLIENT)),
      RED,
    ),
  ).toStartWith('not_found')
  expect([await rows(), await claims()]).toEqual([[], []])
  expect(storedFiles(t)).not.toContain(sha256Hex(RED))
})

test('of two files for one field at once one is kept, with its bytes', async () => {
  const ada = await openSigner(t)
  const before = storedFiles(t)
  const answers = await Promise.all([ada.upload('Passport', RED), ada.upload('Passport', JPEG)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const kept = await rows()
  expect(kept).toHaveLength(1)
  expect(storedFiles(t).filter(name => !before.includes(name))).toEqual(kept)
  expect(await claims()).toEqual([])
})
