/** Signing links that a program hands out: who may have them, opening, frames, mails. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { LANGUAGES } from '../../../src/core/language.ts'
import { pageTime } from '../../../src/lib/clock-format.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { DEFAULT_SCOPES } from '../../../src/ports.ts'
import { readOrganisation } from '../../../src/settings/organisation.ts'
import type { SettingChanges } from '../../../src/settings/service-settings.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, BOB_SIGNS, newDocument, ONE, SIGNATURE } from '../../support/sample.ts'
import { configure, eventsOf, linkTo, openLinkAs, SIGNED, sentDocument, typesOf } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
beforeEach(() => allow({ signingLinks: 'on' }))

const allow = (settings: SettingChanges) => configure(t, settings)
const BY_LINK = { recipients: [{ ...ADA, deliverBy: 'link', fields: [SIGNATURE] }] }
const PORTAL = 'https://portal.example.com'

/** Created and sent in one step. */
async function sentByLink(overrides: Record<string, unknown> = {}) {
  const { status, body } = await t.api('POST', '/documents', await newDocument({ ...BY_LINK, send: true, ...overrides }))
  expect([status, body.status]).toEqual([201, 'sent'])
  return { id: body.id as string, recipients: body.recipients.map((r: { id: string }) => r.id) as string[] }
}

const linkCall = (id: string, recipientId = '', headers = {}) =>
  t.api('POST', `/documents/${id}/recipients/${recipientId}/signing-link`, {}, headers)

async function pathOfLink(id: string, recipientId = ''): Promise<string> {
  const { status, body } = await linkCall(id, recipientId)
  expect([status, body.url.startsWith(`${ORIGIN}/s/once/`)]).toEqual([201, true])
  return body.url.slice(ORIGIN.length)
}

const framersOf = ({ headers }: Page | Response) =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]

/** As a browser posts a form: in a frame, or in a window of its own. */
const from = (destination: 'iframe' | 'document') => ({ 'sec-fetch-dest': destination, 'sec-fetch-site': 'same-origin' })

const openIn = (destination: 'iframe' | 'document') => openVisitor(t.fetch, ORIGIN, from(destination))

async function openedIn(destination: 'iframe' | 'document', path: string): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = openIn(destination)
  return { visitor, page: await visitor.submit(await visitor.get(path)) }
}

describe('a signing link', () => {
  test('opens once within 15 minutes, signs, and is in the audit trail', async () => {
    const { id, recipients } = await sentByLink()
    const path = await pathOfLink(id, recipients[0])
    const { visitor, page } = await openedIn('document', path)
    expect(page.url).toBe(`/sign/${recipients[0]}`)
    expect(textOf(await openVisitor(t.fetch).get(path))).toContain('opened before')
    await visitor.submit(page, SIGNED, '/finish')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body).toMatchObject({ status: 'completed', recipients: [{ deliverBy: 'link', status: 'signed' }] })
    const [created] = await eventsOf(t, id, 'recipient.link_created')
    expect(created).toMatchObject({ recipientId: recipients[0], data: { linkId: expect.stringMatching(/^lnk_/) } })
    expect(created.actor).toMatch(/^key:key_/)
    const [opened] = await eventsOf(t, id, 'recipient.link_opened')
    expect(opened).toMatchObject({ actor: `recipient:${recipients[0]}`, data: { linkId: created.data.linkId } })
  })

  test('is lost by the second of two who open it at once', async () => {
    const { id, recipients } = await sentByLink()
    const path = await pathOfLink(id, recipients[0])
    const visitors = [openIn('document'), openIn('document')]
    const landings = await Promise.all(visitors.map(visitor => visitor.get(path)))
    const pages = await Promise.all(visitors.map((visitor, i) => visitor.submit(landings[i] as Page)))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await eventsOf(t, id, 'recipient.link_opened')).toHaveLength(1)
    expect(visitors.filter(({ cookies }) => [...cookies.keys()].some(name => name.startsWith('signet_link_')))).toHaveLength(1)
  })

  test('is not used up by being looked at, and a GET records nothing', async () => {
    const { id, recipients } = await sentByLink()
    const path = await pathOfLink(id, recipients[0])
    const before = await typesOf(t, id)
    for (let i = 0; i < 3; i++) expect((await openVisitor(t.fetch).get(path)).status).toBe(200)
    expect(await typesOf(t, id)).toEqual(before)
    expect((await openedIn('document', path)).page.status).toBe(200)
  })

  test('names nothing of a document with an access code before the code, and is used up by the right one alone', async () => {
    const people = [{ ...ADA, deliverBy: 'link', accessCode: 'blue-horse', fields: [SIGNATURE] }]
    const { id, recipients } = await sentByLink({ title: 'Merger', message: 'Dear Ada', recipients: people })
    const visitor = openIn('iframe')
    const gate = await visitor.get(await pathOfLink(id, recipients[0]))
    const wrong = await visitor.submit(gate, { accessCode: 'red-horse' })
    expect([gate.status, wrong.status]).toEqual([200, 422])
    for (const { html } of [gate, wrong]) expect(html).not.toMatch(/Merger|Ada|Lovelace/)
    expect((await visitor.submit(wrong, { accessCode: 'blue-horse' })).html).toContain('/finish')
  })

  test('asks a browser that entered the access code before for no code again', async () => {
    const people = [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }]
    const { id, recipients } = await sentByLink({ recipients: people })
    const visitor = openIn('document')
    await visitor.submit(await visitor.get(await pathOfLink(id, recipients[0])), { accessCode: 'blue-horse' })
    const landing = await visitor.get(await pathOfLink(id, recipients[0]))
    expect(landing.html).not.toContain('name="accessCode"')
    expect((await visitor.submit(landing)).html).toContain('/finish')
  })

  test('ends after 15 minutes, with a newer link, with a correction and with the document', async () => {
    const { id, recipients } = await sentByLink()
    const [ada = ''] = recipients
    const late = await pathOfLink(id, ada)
    t.clock.pass({ minutes: 15 })
    expect(textOf(await openVisitor(t.fetch).get(late))).toContain('15 minutes')
    const replaced = await pathOfLink(id, ada)
    const newer = await pathOfLink(id, ada)
    expect((await openVisitor(t.fetch).get(replaced)).status).toBe(409)
    await t.api('PATCH', `/documents/${id}/recipients/${ada}`, { name: 'Ada King' })
    expect((await openVisitor(t.fetch).get(newer)).status).toBe(404)
    const last = await pathOfLink(id, ada)
    await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
    expect(textOf(await openVisitor(t.fetch).get(last))).toContain('voided')
    expect((await linkCall(id, ada)).body.error.code).toBe('invalid_state')
  })

  test('is made only for those whose turn it is: not of a draft, not of a viewer, not after signing', async () => {
    const draft = (await t.api('POST', '/documents', await newDocument(BY_LINK))).body
    expect((await linkCall(draft.id, draft.recipients[0].id)).body.error.code).toBe('invalid_state')
    const people = [
      { ...ADA, order: 1, deliverBy: 'link', fields: [SIGNATURE] },
      { ...BOB, order: 2, deliverBy: 'link', fields: [SIGNATURE] },
      { name: 'Vera', email: 'vera@example.com', role: 'viewer', order: 1, deliverBy: 'link' },
    ]
    const { id, recipients } = await sentByLink({ signingOrder: 'sequential', recipients: people })
    const [ada = '', bob = '', vera = ''] = recipients
    for (const other of [bob, vera]) expect((await linkCall(id, other)).body.error.code).toBe('invalid_state')
    expect((await linkCall(id, 'rcp_0')).status).toBe(404)
    const pending = await pathOfLink(id, ada)
    const { visitor, page } = await openedIn('document', pending)
    const another = await pathOfLink(id, ada)
    await visitor.submit(page, SIGNED, '/finish')
    expect((await openVisitor(t.fetch).get(another)).status).toBe(409)
    expect((await linkCall(id, ada)).body.error.code).toBe('invalid_state')
    expect((await linkCall(id, bob)).status).toBe(201)
  })

  test('is not made for those who have to enter a one-time code, whichever way it comes', async () => {
    await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/codes', events: ['recipient.code_sent'] })
    for (const verify of ['email_code', 'webhook_code']) {
      const { id, recipients } = await sentByLink({ recipients: [{ ...ADA, verify, fields: [SIGNATURE] }] })
      const { body } = await linkCall(id, recipients[0])
      expect([verify, body.error?.code, body.error?.message]).toEqual([
        verify,
        'invalid_state',
        expect.stringContaining('one-time code'),
      ])
    }
  })

  test('asks for the access code, whose wrong tries do not use it up; a new link gives new tries after an hour', async () => {
    const recipients = [{ ...ADA, deliverBy: 'link', accessCode: 'tulip-42', fields: [SIGNATURE] }]
    const { id, recipients: ids } = await sentByLink({ recipients })
    const path = await pathOfLink(id, ids[0])
    const visitor = openIn('iframe')
    let page = await visitor.get(path)
    for (let i = 0; i < 5; i++) {
      page = await visitor.submit(page, { accessCode: 'wrong-1' })
      t.clock.pass({ seconds: [1, 6, 31, 301][i] ?? 0 })
    }
    expect(page.status).toBeGreaterThanOrEqual(400)
    const again = await openIn('iframe')
    // A portal makes a link at each visit: whoever visits it must not guess without end.
    const early = await again.get(await pathOfLink(id, ids[0]))
    expect([early.status, early.html.includes('name="accessCode"')]).toEqual([200, false])
    t.clock.pass({ minutes: 60 })
    const fresh = await again.get(await pathOfLink(id, ids[0]))
    const opened = await again.submit(fresh, { accessCode: 'tulip-42' })
    expect(opened.url).toStartWith('/s/frame/')
    expect(await typesOf(t, id)).toContain('recipient.access_code_accepted')
  })

  test('needs the scope by name and the permission of an administrator, who ends open ones by taking it back', async () => {
    const { id, recipients } = await sentByLink()
    const [ada = ''] = recipients
    const withDefaults = { authorization: `Bearer ${await t.key({ scopes: [...DEFAULT_SCOPES] })}` }
    const refused = await linkCall(id, ada, withDefaults)
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('links:create')])
    const open = await pathOfLink(id, ada)
    await allow({ signingLinks: '' })
    const off = await linkCall(id, ada)
    expect([off.status, off.body.error.message]).toEqual([403, expect.stringContaining('Settings → Organisation')])
    expect((await openVisitor(t.fetch).get(open)).status).toBe(404)
  })
})

describe('a recipient with deliverBy "link"', () => {
  test('gets no invitation, reminder or notice, but the sealed copy', async () => {
    const people = [{ ...ADA, deliverBy: 'link', fields: [SIGNATURE] }, BOB_SIGNS]
    const { id, recipients } = await sentByLink({ recipients: people })
    await t.drain()
    const mailsTo = (email: string) => t.mails.filter(m => m.to.address === email)
    expect([mailsTo(ADA.email).length, mailsTo(BOB.email).length]).toEqual([0, 1])
    t.clock.pass({ days: 1 })
    expect((await t.api('POST', `/documents/${id}/remind`)).body).toEqual({
      ok: true,
      notified: 1,
      skipped: [{ id: recipients[0], reason: 'deliver_by_link' }],
    })
    await t.drain()
    expect([mailsTo(ADA.email).length, mailsTo(BOB.email).length]).toEqual([0, 2])
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.recipients).toMatchObject([
      { deliverBy: 'link', status: 'sent', emailStatus: 'none' },
      { deliverBy: 'email', emailStatus: 'delivered' },
    ])
    const mine = await openedIn('document', await pathOfLink(id, recipients[0]))
    await mine.visitor.submit(mine.page, { signature: 'Ada', consent: 'on' }, '/finish')
    const his = await openLinkAs(t, BOB.email)
    await his.visitor.submit(his.page, { signature: 'Bob', consent: 'on' }, '/finish')
    await t.drain()
    await t.drain()
    expect(mailsTo(ADA.email).map(m => m.attachments?.length)).toEqual([2])
    const voided = await sentByLink()
    await t.api('POST', `/documents/${voided.id}/void`, { reason: 'x' })
    await t.drain()
    expect(mailsTo(ADA.email)).toHaveLength(1)
  })

  test('who hands over names a colleague, who gets an e-mail', async () => {
    const { id, recipients } = await sentByLink()
    const { visitor, page } = await openedIn('iframe', await pathOfLink(id, recipients[0]))
    await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate')
    await t.drain()
    expect(t.mails.filter(m => m.to.address === 'carol@example.com')).toHaveLength(1)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0]).toMatchObject({ deliverBy: 'email' })
  })

  test('is refused where the key or the setting does not permit it: on creation, edit, duplication and use of a template', async () => {
    const lacking = { authorization: `Bearer ${await t.key({ scopes: [...DEFAULT_SCOPES] })}` }
    const { id } = await sentByLink()
    const draft = (await t.api('POST', '/documents', await newDocument())).body
    const template = (await t.api('POST', '/templates', { documentId: draft.id })).body
    const people = [ADA, BOB].map((person, i) => ({ role: template.roles[i].name, ...person, deliverBy: 'link' }))
    const edit = { recipients: draft.recipients.map(({ id: r }: { id: string }) => ({ id: r, deliverBy: 'link' })) }
    const calls = (headers: Record<string, string> = {}) =>
      Promise.all(
        [
          async () => t.api('POST', '/documents', await newDocument(BY_LINK), headers),
          () => t.api('PATCH', `/documents/${draft.id}`, edit, headers),
          () => t.api('POST', `/documents/${id}/duplicate`, {}, headers),
          () => t.api('POST', `/templates/${template.id}/documents`, { recipients: people }, headers),
        ].map(async call => (await call()).status),
      )
    expect(await calls(lacking)).toEqual([403, 403, 403, 403])
    expect(await calls()).toEqual([201, 200, 201, 201])
    await allow({ signingLinks: '' })
    // A form repeats what the draft has already; its sending is refused.
    expect(await calls()).toEqual([403, 200, 403, 403])
    expect((await t.api('POST', `/documents/${draft.id}/send`)).status).toBe(403)
  })

  test('is refused in a batch, which sends by e-mail', async () => {
    const draft = (await t.api('POST', '/documents', await newDocument(BY_LINK))).body
    const template = (await t.api('POST', '/templates', { documentId: draft.id })).body
    const rows = [{ recipients: [{ role: template.roles[0].name, ...ADA, deliverBy: 'link' }] }]
    const { status, body } = await t.api('POST', `/templates/${template.id}/batches`, { rows })
    expect([status, body.error.details?.[0].path]).toEqual([422, 'rows[0].recipients[0].deliverBy'])
  })
})

test('send: true makes and sends in one step, or makes nothing', async () => {
  const { id } = await sentByLink(ONE)
  expect((await typesOf(t, id)).slice(0, 3)).toEqual(['document.created', 'document.sent', 'recipient.notified'])
  const viewer = { recipients: [{ ...ADA, role: 'viewer' }], send: true }
  expect((await t.api('POST', '/documents', await newDocument(viewer))).body.error.code).toBe('nothing_to_sign')
  const long = { type: 'text', page: 1, x: 10, y: 10, width: 3, height: 2, readOnly: true, value: 'W'.repeat(200) }
  const unfit = { recipients: [{ ...ADA, fields: [SIGNATURE, long] }], send: true }
  const { status, body } = await t.api('POST', '/documents', await newDocument(unfit))
  expect([status, body.error.details[0].path]).toEqual([422, 'recipients[0].fields[1].value'])
  expect((await t.api('GET', '/documents')).body.data).toHaveLength(1)
})

describe('in a frame of another site', () => {
  const opened = async () => {
    await allow({ embedOrigins: `${PORTAL}, http://localhost:8080` })
    const { id, recipients } = await sentByLink()
    const path = await pathOfLink(id, recipients[0])
    return { id, path, recipient: recipients[0] ?? '' }
  }

  test('everything is done without a cookie: reading, signing, the page after it, the file and the receipt', async () => {
    const { id, path } = await opened()
    const { visitor, page } = await openedIn('iframe', path)
    expect([page.url.startsWith('/s/frame/'), visitor.cookies.size]).toEqual([true, 0])
    expect((await visitor.get(`${page.url}/file`)).status).toBe(200)
    const done = await visitor.submit(page, SIGNED, '/finish')
    expect([done.url.startsWith('/s/frame/'), visitor.cookies.size]).toEqual([true, 0])
    expect((await visitor.get(`${done.url}/file`)).status).toBe(200)
    expect(done.html).toContain(`href="${done.url}/receipt"`)
    const receipt = await visitor.get(`${done.url}/receipt`)
    expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'message/rfc822'])
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    t.clock.pass({ hours: 13 })
    expect((await visitor.get(done.url)).status).toBe(404)
  })

  test('only listed origins are named, only for pages of a signing link', async () => {
    const { path, recipient } = await opened()
    const listed = `${PORTAL} http://localhost:8080`
    const visitor = openIn('iframe')
    const landing = await visitor.get(path)
    const page = await visitor.submit(landing)
    expect([landing, page].map(framersOf)).toEqual([listed, listed])
    const unknown = [`${page.url.slice(0, -3)}xyz`, '/s/frame/zzz', '/s/once/zzz', '/s/frame/zzz/file']
    for (const other of unknown) {
      const stranger = await visitor.get(other)
      expect([other, stranger.status, framersOf(stranger)]).toEqual([other, 404, "'none'"])
      expect(stranger.html).not.toContain(PORTAL)
    }
    expect(framersOf(await visitor.post('/s/frame/zzz/decline', { csrf: 'x' }))).toBe("'none'")
    for (const other of ['/sign-in', '/verify', `/sign/${recipient}`, '/s/xyz'])
      expect([other, framersOf(await t.fetch(other))]).toEqual([other, "'none'"])
    await allow({ embedOrigins: '' })
    expect(framersOf(await visitor.get(page.url))).toBe("'none'")
  })

  test('the session of an e-mailed link is none in the address of a frame', async () => {
    await allow({ embedOrigins: PORTAL })
    await sentDocument(t, ONE)
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(linkTo(t, ADA.email)))
    expect(page.url).toStartWith('/sign/')
    const [, session = ''] = [...visitor.cookies].find(([name]) => name.startsWith('signet_link_')) ?? []
    expect(session).toMatch(/^[0-9a-z]{26}\.[\w-]{43}$/)
    for (const path of ['', '/file', '/pages']) {
      const framed = await openIn('iframe').get(`/s/frame/${session}${path}`)
      expect([path, framed.status, framersOf(framed)]).toEqual([path, 404, "'none'"])
    }
  })

  test('ends, with all its routes, with the first request after signing links were forbidden', async () => {
    const { id, path } = await opened()
    const { visitor, page } = await openedIn('iframe', path)
    await allow({ signingLinks: '' })
    const gone = [await visitor.get(page.url), await visitor.get(`${page.url}/file`), await visitor.get(`${page.url}/pages`)]
    const signed = await visitor.submit(page, SIGNED, '/finish')
    expect([...gone, signed].map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(textOf(signed)).toContain('Your session has ended')
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sent')
  })

  test('a form needs the token of its page, and comes from our own page', async () => {
    const { path } = await opened()
    const { visitor, page } = await openedIn('iframe', path)
    const other = formsOf((await openedIn('iframe', (await opened()).path)).page.html)[0]?.values.csrf ?? ''
    expect(other).toMatch(/^[\w-]{43}$/)
    const decline = (csrf: string) => visitor.post(`${page.url}/decline`, { reason: 'x', csrf }, from('iframe'))
    const strange = [await decline('x'), await decline(other)]
    const foreign = await t.fetch(`${page.url}/decline`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: 'reason=x',
    })
    expect([...strange, foreign].map(({ status }) => status)).toEqual([403, 403, 403])
  })

  test('no address with a secret is logged, none is sent on as a referrer', async () => {
    const { path } = await opened()
    const { page } = await openedIn('iframe', path)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const log = JSON.stringify(t.logged)
    for (const address of [path, page.url]) expect(log).not.toContain(address.split('/').at(-1) ?? '?')
    expect(log).toContain('/s/once/…')
  })
})

const sessionIn = ({ cookies }: Visitor) => [...cookies].find(([name]) => name.includes('signet_link_')) ?? ['', '']

test('a used link leads the browser that opened it back to the document, and after signing to the page that says so', async () => {
  const { id, recipients } = await sentByLink({ recipients: [...BY_LINK.recipients, BOB_SIGNS] })
  const path = await pathOfLink(id, recipients[0])
  const visitor = openIn('document')
  const landing = await visitor.get(path)
  expect((await visitor.submit(landing)).url).toBe(`/sign/${recipients[0]}`)
  // As after the button that goes back.
  expect((await visitor.submit(landing)).url).toBe(`/sign/${recipients[0]}`)
  const again = await visitor.get(path)
  expect([again.status, again.url]).toEqual([200, `/sign/${recipients[0]}`])
  const done = await visitor.submit(again, SIGNED, '/finish')
  expect(textOf(await visitor.get(path))).toBe(textOf(await visitor.get(done.url)))
  expect((await visitor.get(`${path.slice(0, -3)}xyz`)).status).toBe(404)
})

test('a used link lets nobody in without the session of its own recipient, whatever their cookie says', async () => {
  const { id, recipients } = await sentByLink()
  const path = await pathOfLink(id, recipients[0])
  const visitor = openIn('document')
  await visitor.submit(await visitor.get(path))
  const [name, own] = sessionIn(visitor)
  const other = openIn('document')
  const another = await sentByLink()
  await other.submit(await other.get(await pathOfLink(another.id, another.recipients[0])))
  const [, session] = sessionIn(other)
  expect([name, own, session].every(text => text.length > 20)).toBe(true)
  const forger = openIn('document')
  forger.cookies.set(name, session)
  const guesser = openIn('document')
  guesser.cookies.set(name, `${recipients[0]?.slice(4)}.${session.split('.')[1]}`)
  const framed = openIn('iframe')
  framed.cookies.set(name, own)
  for (const stranger of [openIn('document'), other, forger, guesser, framed]) {
    const refused = await stranger.get(path)
    expect([refused.status, textOf(refused)]).toEqual([409, expect.stringContaining('was opened before')])
  }
})

test('the page of a link says that it opens once, and until when, in every language; that of an e-mail does not', async () => {
  const { id, recipients } = await sentByLink()
  const { url, expiresAt } = (await linkCall(id, recipients[0])).body
  const { timeZone } = await readOrganisation(t.app.db)
  expect(textOf(await openVisitor(t.fetch).get(url.slice(ORIGIN.length)))).toContain(
    `This link opens only once, and only until ${pageTime(new Date(expiresAt), { timeZone, language: 'en' })}.`,
  )
  const sentences = LANGUAGES.map(language => catalogueOf(language).signer.landing.onlyOnce('T'))
  expect([new Set(sentences).size, sentences.every(text => text.includes('T'))]).toEqual([LANGUAGES.length, true])
  await sentByLink({ recipients: [BOB_SIGNS] })
  await t.drain()
  expect(textOf(await openVisitor(t.fetch).get(linkTo(t, BOB.email)))).not.toContain('only once')
})

test('the page of another browser names the link that one was given, which need not have come by e-mail', async () => {
  const [ada] = (await sentByLink()).recipients
  const page = await openVisitor(t.fetch).get(`/sign/${ada}`)
  expect([page.status, textOf(page)]).toEqual([404, expect.stringContaining('with the link that you were given')])
  for (const language of LANGUAGES)
    expect(catalogueOf(language).messages.openByLink()).not.toMatch(/mail|correo|wiadomości|بريد/i)
})
