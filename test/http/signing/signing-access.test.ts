/** The addresses behind a signing link: access, changes, headers, and limits for one person. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { find } from '../../../src/documents/queries.ts'
import { linkToken, signingSessionToken } from '../../../src/documents/signing/link.ts'
import { PAGES } from '../../../src/http/page-routes.ts'
import { messages } from '../../../src/locales/de/messages.ts'
import type { PdfTools } from '../../../src/sandbox/pdf-tools.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { cookieOf, formsOf, openVisitor, type Visitor } from '../../support/browser-less.ts'
import { openSigner, SCAN, withFiles } from '../../support/field-files.ts'
import { pdfTools } from '../../support/pdf-tools.ts'
import { ADA, BOB, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

/** How many marks are being drawn, and when the next begins. */
let drawing = { now: 0, most: 0 }
let begun = Promise.withResolvers<void>()
let mayEnd: Promise<void> = Promise.resolve()

function watchedTools(): PdfTools {
  const tools = pdfTools()
  return {
    ...tools,
    async writeOverlay(order) {
      drawing = { now: drawing.now + 1, most: Math.max(drawing.most, drawing.now + 1) }
      begun.resolve()
      begun = Promise.withResolvers()
      await mayEnd
      return tools.writeOverlay(order).finally(() => {
        drawing.now--
      })
    },
  }
}

let t: TestApp
beforeEach(async () => {
  drawing = { now: 0, most: 0 }
  mayEnd = Promise.resolve()
  t = await openTestApp({ pdf: watchedTools() })
})
afterEach(() => t.close())

const DATE = { type: 'date', page: 1, x: 10, y: 20, width: 30, height: 4 }
const two = {
  recipients: [
    { ...ADA, fields: [SIGNATURE, DATE] },
    { ...BOB, fields: [{ ...SIGNATURE, x: 55 }, DATE] },
  ],
}

const marks = (url: string, visitor: Visitor) => t.fetch(`${url}/marks?page=1`, { headers: { cookie: cookieOf(visitor) } })
const SEEN = PAGES.filter(({ path, method }) => path.startsWith('/sign/') && method === 'GET').map(({ path }) => path)
const DONE = PAGES.filter(({ path, method }) => path.startsWith('/sign/') && method === 'POST').map(({ path }) => path)

const takesFile = (path: string) => path.endsWith('/picture') || path.endsWith('/files/:field')

async function upload(url: string, visitor: Visitor, csrf: string): Promise<Response> {
  const body = new FormData()
  body.set('csrf', csrf)
  body.set('for', 'signature')
  body.set(
    'file',
    new File([pngOfPhoto(photoOf({ ...PHOTO, width: 400, height: 300, pen: 5 }, 1)) as Uint8Array<ArrayBuffer>], 'a'),
  )
  return t.fetch(url, {
    method: 'POST',
    body,
    headers: { cookie: cookieOf(visitor), origin: 'http://127.0.0.1:3000' },
  })
}

/** Everything there is in the database. */
function dump(): Promise<unknown[]> {
  const tables = [
    'documents',
    'recipients',
    'fields',
    'drafts',
    'mark_contents',
    'field_files',
    'events',
    'mails',
    'jobs',
  ] as const
  return Promise.all(
    tables.map(table =>
      t.app.db
        .selectFrom(table as 'drafts')
        .selectAll()
        .execute(),
    ),
  )
}

describe('the addresses behind a link', () => {
  test('open for nobody who opened another link, of this document or of another, nor for one who opened none', async () => {
    const ids = [await sentDocument(t, two), await sentDocument(t, two)]
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const csrf = formsOf(page.html).find(f => f.action.endsWith('/finish'))?.values.csrf ?? ''
    const own = page.url.split('/')[2] ?? ''
    const before = await dump()
    const all = (await Promise.all(ids.map(id => t.api('GET', `/documents/${id}`)))).flatMap(({ body }) => body.recipients)
    const foreign = all.map(({ id }: { id: string }) => id).filter(id => id !== own)
    expect([foreign.length, SEEN.length, DONE.length]).toEqual([3, 8, 8])
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
        const answer = takesFile(path)
          ? await upload(url, visitor, csrf)
          : await visitor.post(url, {
              csrf,
              signature: 'Eve',
              consent: 'on',
              reason: 'no',
              name: 'Eve',
              email: 'eve@example.com',
            })
        // Too many dead passes from one address are answered as such.
        expect([path, [404, 429].includes(answer.status)]).toEqual([path, true])
        t.clock.pass({ minutes: 1 })
      }
    }
    expect(await dump()).toEqual(before)
  })

  test('change nothing when they are looked at, by GET or by HEAD, and take no form of another page', async () => {
    const { visitor, base, values: own, idOf, upload: addFile } = await openSigner(t, withFiles([SCAN, SIGNATURE, DATE]))
    const { csrf = '' } = own
    const addressOf = (path: string) => path.replace('/sign/:recipient', base).replace(':field', idOf(SCAN.label))
    expect((await upload(`${base}/picture`, visitor, csrf)).status).toBe(200)
    expect((await addFile(SCAN.label, Buffer.from(await samplePdf(1), 'base64'))).status).toBe(200)
    const before = await dump()
    const headers = { cookie: cookieOf(visitor) }
    for (const path of [...SEEN.map(addressOf), linkTo(t, ADA.email)]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await t.fetch(`${path}?page=1&for=signature`, { method, headers })
        expect([path, answer.status]).toEqual([path, 200])
        expect([path, answer.headers.get('cache-control')?.includes('no-store')]).toEqual([path, true])
        expect([path, answer.headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin'])
        expect([path, answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
        expect([path, answer.headers.get('x-robots-tag')]).toEqual([path, 'noindex'])
      }
    }
    const values = { csrf, signature: 'Ada', consent: 'on', reason: 'no', name: 'Eve', email: 'eve@example.com' }
    for (const path of DONE.filter(path => !takesFile(path))) {
      const url = addressOf(path)
      const foreign = { origin: 'https://evil.example' }
      expect([path, (await visitor.post(url, values, foreign)).status]).toEqual([path, 403])
      expect([path, (await visitor.post(url, values, { 'sec-fetch-site': 'same-site' })).status]).toEqual([path, 403])
      const forged = await visitor.post(url, { ...values, csrf: 'x' }, { 'accept-language': 'de' })
      expect([path, forged.status, forged.html]).toEqual([path, 403, expect.stringContaining(messages.foreignForm())])
    }
    expect(await dump()).toEqual(before)
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
    await sentDocument(t, { title: 'Merger plan', recipients: [two.recipients[0]] })
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
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
    await sentDocument(t, two)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const all = await Promise.all(Array.from({ length: 60 }, () => marks(page.url, visitor)))
    const refused = all.filter(({ status }) => status === 503)
    expect([all.filter(({ status }) => status === 200).length, refused.length]).toEqual([50, 10])
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    expect((await marks(page.url, visitor)).status).toBe(200)
  })
})
