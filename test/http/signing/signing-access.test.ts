/** The addresses behind a signing link, and links that open nothing more. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { LANGUAGES } from '../../../src/core/language.ts'
import { find } from '../../../src/documents/queries.ts'
import { linkToken, signingSessionToken } from '../../../src/documents/signing/link.ts'
import { PAGES } from '../../../src/http/page-routes.ts'
import { messages } from '../../../src/locales/de/messages.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import {
  cookieOf,
  csrfOf,
  fetchAs,
  formsOf,
  openVisitor,
  type Page,
  postFile,
  textOf,
  type Visitor,
} from '../../support/browser-less.ts'
import { dumpOf } from '../../support/dump.ts'
import { openSigner, SCAN, withFiles } from '../../support/field-files.ts'
import { ADA, BOB, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { linkTo, openedDocument, openLinkAs, sentDocument, signAs, signedDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const DATE = { type: 'date', page: 1, x: 10, y: 20, width: 30, height: 4 }

const two = {
  recipients: [
    { ...ADA, fields: [SIGNATURE, DATE] },
    { ...BOB, fields: [{ ...SIGNATURE, x: 55 }, DATE] },
  ],
}

const marks = (url: string, visitor: Visitor) => fetchAs(t, visitor, `${url}/marks?page=1`)
const SEEN = PAGES.filter(({ path, method }) => path.startsWith('/sign/') && method === 'GET').map(({ path }) => path)
const DONE = PAGES.filter(({ path, method }) => path.startsWith('/sign/') && method === 'POST').map(({ path }) => path)
const takesFile = (path: string) => path.endsWith('/picture') || path.endsWith('/files/:field')
const SMALL = pngOfPhoto(photoOf({ ...PHOTO, width: 400, height: 300, pen: 5 }, 1))
const upload = (url: string, visitor: Visitor, csrf: string) => postFile(t, visitor, url, { csrf, for: 'signature' }, SMALL)
const EVE = { signature: 'Eve', consent: 'on', reason: 'no', name: 'Eve', email: 'eve@example.com' }

describe('the addresses behind a link', () => {
  test('open for nobody who opened another link, of this document or of another, nor for one who opened none', async () => {
    const ids = [await sentDocument(t, two), await sentDocument(t, two)]
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const csrf = formsOf(page.html).find(f => f.action.endsWith('/finish'))?.values.csrf ?? ''
    const own = page.url.split('/')[2] ?? ''
    const before = await dumpOf(t)
    const all = (await Promise.all(ids.map(id => t.api('GET', `/documents/${id}`)))).flatMap(({ body }) => body.recipients)
    const foreign = all.map(({ id }: { id: string }) => id).filter(id => id !== own)
    expect([foreign.length, SEEN.length, DONE.length]).toEqual([3, 9, 8])
    const pass = visitor.cookies.get(`signet_link_${own.slice(4)}`) ?? ''
    for (const id of foreign) {
      // The pass of one under the name of another leads to no one else's page either.
      visitor.cookies.set(`signet_link_${id.slice(4)}`, pass.replace(own.slice(4), id.slice(4)))
      for (const path of SEEN) {
        const url = `${path.replace(':recipient', id).replace(':field', 'fld_1')}?page=1&for=signature`
        expect([path, (await visitor.get(url)).status]).toEqual([path, 404])
        expect([path, (await openVisitor(t.fetch).get(url)).status]).toEqual([path, 404])
      }
      for (const path of DONE) {
        const url = path.replace(':recipient', id).replace(':field', 'fld_1')
        const answer = takesFile(path) ? await upload(url, visitor, csrf) : await visitor.post(url, { csrf, ...EVE })
        // Too many dead passes from one address are answered as such.
        expect([path, [404, 429].includes(answer.status)]).toEqual([path, true])
        t.clock.pass({ minutes: 1 })
      }
    }
    expect(await dumpOf(t)).toEqual(before)
  })

  test('change nothing when they are looked at, by GET or by HEAD, and take no form of another page', async () => {
    const { visitor, base, values: own, idOf, upload: addFile } = await openSigner(t, withFiles([SCAN, SIGNATURE, DATE]))
    const { csrf = '' } = own
    const addressOf = (path: string) => path.replace('/sign/:recipient', base).replace(':field', idOf(SCAN.label))
    expect((await upload(`${base}/picture`, visitor, csrf)).status).toBe(200)
    expect((await addFile(SCAN.label, Buffer.from(await samplePdf(1), 'base64'))).status).toBe(200)
    const before = await dumpOf(t)
    const headers = { cookie: cookieOf(visitor) }
    const receipt = SEEN.filter(path => path.endsWith('/receipt')).map(addressOf)
    for (const path of receipt) expect((await t.fetch(path, { headers, redirect: 'manual' })).headers.get('location')).toBe(base)
    const shown = SEEN.map(addressOf).filter(path => !receipt.includes(path))
    for (const path of [...shown, linkTo(t, ADA.email)]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await t.fetch(`${path}?page=1&for=signature`, { method, headers })
        expect([path, answer.status]).toEqual([path, 200])
        expect([path, answer.headers.get('cache-control')?.includes('no-store')]).toEqual([path, true])
        expect([path, answer.headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin'])
        expect([path, answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
        expect([path, answer.headers.get('x-robots-tag')]).toEqual([path, 'noindex'])
      }
    }
    const values = { csrf, ...EVE }
    for (const path of DONE.filter(path => !takesFile(path))) {
      const url = addressOf(path)
      const foreign = { origin: 'https://evil.example' }
      expect([path, (await visitor.post(url, values, foreign)).status]).toEqual([path, 403])
      expect([path, (await visitor.post(url, values, { 'sec-fetch-site': 'same-site' })).status]).toEqual([path, 403])
      const forged = await visitor.post(url, { ...values, csrf: 'x' }, { 'accept-language': 'de' })
      expect([path, forged.status, forged.html]).toEqual([path, 403, expect.stringContaining(messages.foreignForm())])
    }
    expect(await dumpOf(t)).toEqual(before)
  })
})

describe('a link', () => {
  test('is nobody’s before their turn has come, even to one who could make it', async () => {
    const [ada, bob] = two.recipients
    const id = await sentDocument(t, {
      signingOrder: 'sequential',
      recipients: [
        { ...ada, order: 1 },
        { ...bob, order: 2 },
      ],
    })
    const document = await find(t.app.db, id)
    const second = document?.recipients[1]
    if (!second) throw new Error('the document has no second recipient')
    const address = `/s/${linkToken(t.app, second)}`
    expect((await t.fetch(address)).status).toBe(404)
    const pass = { headers: { cookie: `signet_link_${second.id.slice(4)}=${signingSessionToken(t.app, second)}` } }
    expect((await t.fetch(`/sign/${second.id}/file`, pass)).status).toBe(404)
    await signAs(t, ADA.email, 'Ada')
    expect((await t.fetch(address)).status).toBe(200)
  })

  test('gives the sealed copy for thirty days after the end, and then nothing', async () => {
    await signedDocument(t, { title: 'Merger plan', recipients: [two.recipients[0]] })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    t.clock.pass({ days: 30 })
    expect((await visitor.get(`${page.url}/file`)).html.slice(0, 5)).toBe('%PDF-')
    t.clock.pass({ seconds: 1 })
    for (const url of [linkTo(t, ADA.email), page.url, `${page.url}/file`, `${page.url}/pages`, `${page.url}/marks?page=1`]) {
      const gone = await visitor.get(url)
      expect([url, gone.status, gone.html.includes('can no longer be downloaded here')]).toEqual([url, 409, true])
    }
  })

  test('takes the access code also after the end, in another browser, and leads to the sealed document', async () => {
    const recipients = [
      { ...ADA, fields: [SIGNATURE], accessCode: 'tulip-42' },
      { ...BOB, role: 'viewer', accessCode: 'rose-42' },
    ]
    await sentDocument(t, { recipients })
    const open = async (email: string, accessCode: string) => {
      const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
      return { visitor, page: await visitor.submit(await visitor.get(linkTo(t, email)), { accessCode }) }
    }
    const { visitor, page } = await open(ADA.email, 'tulip-42')
    await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    // While the document is being sealed, too.
    expect((await open(ADA.email, 'tulip-42')).page.html).toContain('You are done')
    await t.drain()
    expect((await open(ADA.email, 'tulip-4')).page.status).toBe(422)
    for (const [email, code] of [
      [ADA.email, 'tulip-42'],
      [BOB.email, 'rose-42'],
    ] as const)
      expect((await open(email, code)).page.html).toContain('Download the sealed document')
  })

  test('of a document that somebody declined leads nowhere, for those who had signed or opened it too', async () => {
    await sentDocument(t, two)
    await signAs(t, BOB.email, 'Bob')
    const bob = linkTo(t, BOB.email)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, { reason: 'no' }, '/decline')
    for (const url of [bob, page.url, `${page.url}/file`, `${page.url}/marks?page=1`]) {
      expect([url, (await visitor.get(url)).status]).toEqual([url, 409])
    }
  })
})

describe('one who asks for much at once', () => {
  /** How many marks are being drawn, and when the next begins. */
  let drawing = { now: 0, most: 0 }
  let begun = Promise.withResolvers<void>()
  let mayEnd: Promise<void> = Promise.resolve()
  beforeEach(() => {
    drawing = { now: 0, most: 0 }
    mayEnd = Promise.resolve()
    const { writeOverlay } = t.app.pdf
    t.app.pdf.writeOverlay = async order => {
      drawing = { now: drawing.now + 1, most: Math.max(drawing.most, drawing.now + 1) }
      begun.resolve()
      begun = Promise.withResolvers()
      await mayEnd
      return writeOverlay(order).finally(() => {
        drawing.now--
      })
    }
  })

  test('waits in a line of their own: nobody else waits behind them', async () => {
    await sentDocument(t, two)
    const [ada, bob] = [await openLinkAs(t, ADA.email), await openLinkAs(t, BOB.email)]
    const gate = Promise.withResolvers<void>()
    mayEnd = gate.promise
    const first = begun.promise
    const adas = Array.from({ length: 10 }, () => marks(ada.page.url, ada.visitor))
    await first
    const second = begun.promise
    const bobs = marks(bob.page.url, bob.visitor)
    await second
    expect(drawing.now).toBe(2)
    gate.resolve()
    const answers = await Promise.all([...adas, bobs])
    expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200))
    expect(drawing).toEqual({ now: 0, most: 2 })
  })

  test('is asked to come back when the line gets long; what comes later is answered', async () => {
    const { visitor, page } = await openedDocument(t, two)
    const all = await Promise.all(Array.from({ length: 60 }, () => marks(page.url, visitor)))
    const refused = all.filter(({ status }) => status === 503)
    expect([all.filter(({ status }) => status === 200).length, refused.length]).toEqual([50, 10])
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    expect((await marks(page.url, visitor)).status).toBe(200)
  })
})

describe('a link that opens nothing more', () => {
  beforeEach(async () => {
    t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    const identity = { name: 'Acme Ltd', contact: undefined, timeZone: 'UTC', language: 'en' as const }
    await t.app.write(tx => saveOrganisation(tx, identity))
    await createAdmin(t.app, { name: 'Anna Weber', email: 'anna@acme.example', password: 'four sound words here' })
  })

  const ASK = 'Ask for a new link'
  const FROM = 'From Anna Weber (Acme Ltd)'

  interface Sent {
    id: string
    ada: string
    link: string
  }

  /** By Anna Weber, to Ada alone. */
  async function sent(ada: Record<string, unknown> = {}, overrides: Record<string, unknown> = {}): Promise<Sent> {
    const { id: owner } = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const recipients = [{ ...ADA, fields: [SIGNATURE], ...ada }]
    const { body } = await t.api(
      'POST',
      '/documents',
      await newDocument({ title: 'Lease of the mill', recipients, ...overrides }),
    )
    await t.app.write(tx => tx.updateTable('documents').set({ owner_id: owner }).where('id', '=', body.id).execute())
    await t.api('POST', `/documents/${body.id}/send`)
    await t.drain()
    return { id: body.id, ada: body.recipients[0].id, link: linkTo(t, ADA.email) }
  }

  async function correct({ id, ada }: Sent, to: Record<string, string>): Promise<void> {
    expect((await t.api('PATCH', `/documents/${id}/recipients/${ada}`, to)).status).toBe(200)
    await t.drain()
  }

  async function see(
    link: string,
    visitor: Visitor = openVisitor(t.fetch),
  ): Promise<{ visitor: Visitor; page: Page; text: string }> {
    const page = await visitor.get(link)
    return { visitor, page, text: textOf(page) }
  }

  async function ask(link: string): Promise<{ status: number; text: string }> {
    const { visitor, page } = await see(link)
    const answer = await visitor.submit(page, {}, '/new-link')
    await t.drain()
    return { status: answer.status, text: textOf(answer) }
  }

  const mailsTo = (email: string) => t.mails.filter(({ to }) => to.address === email)

  /** The path that a page would post to, whether it offers it or not. */
  const askPath = (link: string) => `${link}/new-link`

  async function askUnoffered(link: string): Promise<Page> {
    const visitor = openVisitor(t.fetch)
    await sent({ email: 'other@example.com' })
    return visitor.post(askPath(link), { csrf: csrfOf(await visitor.get(linkTo(t, 'other@example.com'))) })
  }

  describe('a link that was replaced for the same mailbox', () => {
    test('names document and sender, and sends the new link to the stored address alone', async () => {
      const document = await sent()
      await correct(document, { name: 'Ada King' })
      const before = t.mails.length
      const { page, text } = await see(document.link)
      expect(page.status).toBe(404)
      expect(text).toContain('This link was replaced by a newer one.')
      for (const part of ['Lease of the mill', FROM, ASK]) expect(text).toContain(part)
      expect(text).not.toMatch(/Ada|example\.com/)
      const { visitor } = await see(document.link)
      const answer = await visitor.submit(
        await visitor.get(document.link),
        { email: 'mallory@example.com', name: 'Mallory' },
        '/new-link',
      )
      expect(textOf(answer)).toContain('A new link is on its way to the address that the document was sent to.')
      await t.drain()
      expect(t.mails.slice(before).map(({ to }) => to.address)).toEqual([ADA.email])
      expect(linkTo(t, ADA.email)).not.toBe(document.link)
      expect((await openLinkAs(t, ADA.email)).page.html).toContain('id="sign"')
      const { body } = await t.api('GET', `/documents/${document.id}/audit`)
      expect(body.events.findLast(({ type }: { type: string }) => type.startsWith('recipient.link'))).toMatchObject({
        type: 'recipient.link_requested',
        recipientId: document.ada,
      })
    })

    test('is mailed at most once an hour and three times a day, also to a thousand requests at once', async () => {
      const document = await sent()
      await correct(document, { name: 'Ada King' })
      const before = mailsTo(ADA.email).length
      expect((await ask(document.link)).status).toBe(200)
      const again = await ask(document.link)
      expect([again.status, again.text.includes('was asked for a short while ago')]).toEqual([429, true])
      const { visitor, page } = await see(document.link)
      t.clock.pass({ minutes: 61 })
      await Promise.all(Array.from({ length: 8 }, () => visitor.submit(page, {}, '/new-link')))
      await t.drain()
      expect(mailsTo(ADA.email)).toHaveLength(before + 2)
      for (let i = 0; i < 4; i++) {
        t.clock.pass({ minutes: 61 })
        await ask(document.link)
      }
      expect(mailsTo(ADA.email)).toHaveLength(before + 3)
      t.clock.pass({ hours: 24 })
      await ask(document.link)
      expect(mailsTo(ADA.email)).toHaveLength(before + 4)
    })

    test('says nothing of the document where a code is asked for first, and sends the link all the same', async () => {
      const document = await sent({ accessCode: 'blue-horse' })
      await correct(document, { name: 'Ada King' })
      const { text } = await see(document.link)
      expect(text).not.toMatch(/Lease|Anna Weber/)
      expect((await ask(document.link)).text).not.toMatch(/Lease|Anna Weber/)
      expect(linkTo(t, ADA.email)).not.toBe(document.link)
    })

    test('offers nothing after the document has ended', async () => {
      const document = await sent()
      await correct(document, { name: 'Ada King' })
      await t.api('POST', `/documents/${document.id}/void`, { reason: 'wrong file' })
      const { text } = await see(document.link)
      expect(text).toContain('The sender has voided this document.')
      expect(text).not.toContain(ASK)
      await t.drain()
      const before = t.mails.length
      expect((await askUnoffered(document.link)).status).toBe(404)
      await t.drain()
      expect(t.mails.slice(before).filter(({ to }) => to.address === ADA.email)).toEqual([])
    })
  })

  test('after the address was corrected, its old holder reads the title alone and gets nothing sent to anybody', async () => {
    const document = await sent()
    await correct(document, { name: 'Carol King', email: 'carol@example.com' })
    const { page, text } = await see(document.link)
    expect(page.status).toBe(404)
    expect(text).toContain('the sender has changed whom it is for')
    expect(text).toContain('Lease of the mill')
    expect(text).not.toMatch(/Anna Weber|Carol|carol@|Ada/)
    expect(text).not.toContain(ASK)
    const refused = await askUnoffered(document.link)
    await t.drain()
    expect(refused.status).toBe(404)
    expect(mailsTo('carol@example.com')).toHaveLength(1)
  })

  describe('who has handed over', () => {
    const handOver = async (email: string, to: { name: string; email: string }) => {
      const { visitor, page } = await openLinkAs(t, email)
      await visitor.submit(page, to, '/delegate')
      await t.drain()
      return visitor
    }

    test('reads so by the link and in the open page, with the name that was entered, and no later one', async () => {
      const document = await sent({}, { allowDelegation: true })
      const visitor = await handOver(ADA.email, { name: 'Carol King', email: 'carol@example.com' })
      await handOver('carol@example.com', { name: 'Dora Smith', email: 'dora@example.com' })
      const handedOver = 'You have handed this document over to Carol King.'
      const byLink = (await see(document.link)).text
      const inPage = textOf(await visitor.get(`/sign/${document.ada}`))
      for (const text of [byLink, inPage]) {
        expect(text).toContain(handedOver)
        expect(text).not.toMatch(/Dora|not valid/)
        expect(text).not.toContain(ASK)
      }
      expect((await askUnoffered(document.link)).status).toBe(404)
      expect(mailsTo('dora@example.com')).toHaveLength(1)
    })

    test('names nobody to a stranger with the link where a code is asked for first', async () => {
      const document = await sent({ accessCode: 'blue-horse' }, { allowDelegation: true })
      const visitor = openVisitor(t.fetch)
      const page = await visitor.submit(await visitor.get(document.link), { accessCode: 'blue-horse' })
      await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate')
      const { text } = await see(document.link)
      expect(text).toContain('This document was handed over to somebody else.')
      expect(text).not.toMatch(/Lease|Carol|Anna Weber/)
      expect(textOf(await visitor.get(`/sign/${document.ada}`))).toContain('over to Carol King.')
    })
  })

  describe('the link of a document that has ended', () => {
    test('expired: names document and sender, and informs the sender once a day, nobody else', async () => {
      const document = await sent({}, { expiresInDays: 3 })
      t.clock.pass({ days: 4 })
      const before = t.mails.length
      const { text } = await see(document.link)
      for (const part of ['Lease of the mill', FROM, 'The deadline for signing', ASK]) expect(text).toContain(part)
      expect((await ask(document.link)).text).toContain('The sender has been informed that you ask for the document.')
      expect((await ask(document.link)).status).toBe(429)
      t.clock.pass({ hours: 25 })
      expect((await ask(document.link)).status).toBe(200)
      const mails = t.mails.slice(before)
      expect(mails.map(({ to }) => to.address)).toEqual(['anna@acme.example', 'anna@acme.example'])
      expect(mails[0]?.subject).toContain('Asks for a new link: Lease of the mill')
      expect(mails[0]?.text).toContain('Ada Lovelace opened the link')
      expect(mails[0]?.text).not.toContain('/s/')
    })

    test('voided or declined: says so, names the sender, and offers nothing', async () => {
      const voided = await sent()
      await t.api('POST', `/documents/${voided.id}/void`, { reason: 'secret reason' })
      const declined = await sent()
      const { visitor, page } = await openLinkAs(t, ADA.email)
      await visitor.submit(page, { reason: 'secret reason' }, '/decline')
      for (const [link, words] of [
        [voided.link, 'has voided this document'],
        [declined.link, 'was declined'],
      ] as const) {
        const { page, text } = await see(link)
        expect(page.status).toBe(409)
        for (const part of ['Lease of the mill', FROM, words, 'Questions? Ask Anna Weber.']) expect(text).toContain(part)
        expect(text).not.toMatch(/secret reason|Ada/)
        expect(text).not.toContain(ASK)
      }
    })

    test('voided or expired, where a code is asked for first: names no document and no person', async () => {
      const voided = await sent({ accessCode: 'blue-horse' })
      await t.api('POST', `/documents/${voided.id}/void`, { reason: 'x' })
      const expired = await sent({ accessCode: 'blue-horse' }, { expiresInDays: 3 })
      t.clock.pass({ days: 4 })
      for (const { link } of [voided, expired]) {
        const { page, text } = await see(link)
        expect([page.status, /Lease|Anna Weber|Ada/.test(text)]).toEqual([409, false])
      }
    })

    test('erased: is as unknown as a link that never was', async () => {
      const document = await sent()
      await t.api('POST', `/documents/${document.id}/void`, { reason: 'x' })
      await t.drain()
      expect((await t.api('DELETE', `/documents/${document.id}`)).status).toBeLessThan(300)
      const unknown = await see(`/s/${'0'.repeat(26)}.${'a'.repeat(43)}`)
      for (const { page, text } of [await see(document.link), unknown]) {
        expect(page.status).toBe(404)
        expect(text).toContain('This link is not valid.')
        expect(text).not.toMatch(/Lease|Anna Weber/)
      }
    })
  })

  test('a guessed link of a known recipient says nothing, and is not asked a new one with', async () => {
    const document = await sent()
    await correct(document, { name: 'Ada King' })
    const guessed = `${document.link.slice(0, -4)}aaaa`
    const { page, text } = await see(guessed)
    expect([page.status, /Lease|Anna Weber/.test(text)]).toEqual([404, false])
    expect((await askUnoffered(guessed)).status).toBe(404)
    const visitor = openVisitor(t.fetch)
    await visitor.get(document.link)
    expect((await visitor.post(askPath(document.link), { csrf: 'wrong' })).status).toBe(403)
  })

  test('a person who no longer is known from the log by name reads of no hand-over', async () => {
    const document = await sent({}, { allowDelegation: true })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate')
    await t.app.write(tx => tx.deleteFrom('event_details').where('document_id', '=', document.id).execute())
    expect((await see(document.link)).text).toContain('This link is not valid.')
  })

  test.each(LANGUAGES.map(language => [language]))('the page and its answer are in the reader’s language: %s', async language => {
    const document = await sent({ locale: language })
    await correct(document, { name: 'Ada King' })
    const { ended } = catalogueOf(language).signer
    expect((await see(document.link)).text).toContain(ended.ask)
    expect((await ask(document.link)).text).toContain(ended.mailed)
  })
})
