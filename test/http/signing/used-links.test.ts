/** What a handed-out link says before it opens, and does when it is opened again or elsewhere. */
import { beforeEach, expect, test } from 'bun:test'
import { LANGUAGES } from '../../../src/core/language.ts'
import { pageTime } from '../../../src/lib/clock-format.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { readOrganisation } from '../../../src/settings/organisation.ts'
import { changeServiceSettings } from '../../../src/settings/service-settings.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
beforeEach(async () => {
  await t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks: 'on' }))
})

const BY_LINK = { ...ADA, deliverBy: 'link', fields: [SIGNATURE] }

async function sentByLink(recipients: unknown[] = [BY_LINK]): Promise<{ id: string; ada: string }> {
  const { status, body } = await t.api('POST', '/documents', await newDocument({ recipients, send: true }))
  expect(status).toBe(201)
  return { id: body.id, ada: body.recipients[0].id }
}

async function linkOf({ id, ada }: { id: string; ada: string }): Promise<{ path: string; expiresAt: string }> {
  const { body } = await t.api('POST', `/documents/${id}/recipients/${ada}/signing-link`, {})
  return { path: body.url.slice(ORIGIN.length), expiresAt: body.expiresAt }
}

/** As browsers ask: in a window of its own, or in a frame. */
function openIn(destination: 'iframe' | 'document'): Visitor {
  const said = { 'sec-fetch-dest': destination, 'sec-fetch-site': 'same-origin' }
  return openVisitor((path, init) =>
    t.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...said } }),
  )
}

const sessionIn = ({ cookies }: Visitor) => [...cookies].find(([name]) => name.includes('signet_link_')) ?? ['', '']

test('a used link leads the browser that opened it back to the document, and after signing to the page that says so', async () => {
  const sent = await sentByLink([BY_LINK, { ...BOB, fields: [{ ...SIGNATURE, y: 40 }] }])
  const { path } = await linkOf(sent)
  const visitor = openIn('document')
  const landing = await visitor.get(path)
  expect((await visitor.submit(landing)).url).toBe(`/sign/${sent.ada}`)
  // As after the button that goes back.
  expect((await visitor.submit(landing)).url).toBe(`/sign/${sent.ada}`)
  const again = await visitor.get(path)
  expect([again.status, again.url]).toEqual([200, `/sign/${sent.ada}`])
  const done = await visitor.submit(again, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  expect(textOf(await visitor.get(path))).toBe(textOf(await visitor.get(done.url)))
  expect((await visitor.get(`${path.slice(0, -3)}xyz`)).status).toBe(404)
})

test('a used link lets nobody in without the session of its own recipient, whatever their cookie says', async () => {
  const sent = await sentByLink()
  const { path } = await linkOf(sent)
  const visitor = openIn('document')
  await visitor.submit(await visitor.get(path))
  const [name, own] = sessionIn(visitor)
  const other = openIn('document')
  await other.submit(await other.get((await linkOf(await sentByLink())).path))
  const [, session] = sessionIn(other)
  expect([name, own, session].every(text => text.length > 20)).toBe(true)
  const forger = openIn('document')
  forger.cookies.set(name, session)
  const guesser = openIn('document')
  guesser.cookies.set(name, `${sent.ada.slice(4)}.${session.split('.')[1]}`)
  const framed = openIn('iframe')
  framed.cookies.set(name, own)
  for (const stranger of [openIn('document'), other, forger, guesser, framed]) {
    const refused = await stranger.get(path)
    expect([refused.status, textOf(refused)]).toEqual([409, expect.stringContaining('was opened before')])
  }
})

test('the page of a link says that it opens once, and until when, in every language; that of an e-mail does not', async () => {
  const { path, expiresAt } = await linkOf(await sentByLink())
  const { timeZone } = await readOrganisation(t.app.db)
  expect(textOf(await openVisitor(t.fetch).get(path))).toContain(
    `This link opens only once, and only until ${pageTime(new Date(expiresAt), { timeZone, language: 'en' })}.`,
  )
  const sentences = LANGUAGES.map(language => catalogueOf(language).signer.landing.onlyOnce('T'))
  expect([new Set(sentences).size, sentences.every(text => text.includes('T'))]).toEqual([LANGUAGES.length, true])
  await sentByLink([{ ...BOB, fields: [SIGNATURE] }])
  await t.drain()
  expect(textOf(await openVisitor(t.fetch).get(linkTo(t, BOB.email)))).not.toContain('only once')
})

test('the page of another browser names the link that one was given, which need not have come by e-mail', async () => {
  const { ada } = await sentByLink()
  const page = await openVisitor(t.fetch).get(`/sign/${ada}`)
  expect([page.status, textOf(page)]).toEqual([404, expect.stringContaining('with the link that you were given')])
  for (const language of LANGUAGES)
    expect(catalogueOf(language).messages.openByLink()).not.toMatch(/mail|correo|wiadomości|بريد/i)
})
