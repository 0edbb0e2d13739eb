/** A signer's session ends with the signature; another right shows what became of it. */
import { describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../../src/ports.ts'
import { changeServiceSettings } from '../../../src/settings/service-settings.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const SIGNED = { signature: 'Ada Lovelace', consent: 'on' }
const two = () =>
  sentDocument(t, { recipients: [ADA, BOB].map((each, i) => ({ ...each, fields: [{ ...SIGNATURE, y: 20 + 30 * i }] })) })

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
  const finish = formsOf(page.html).find(({ action }) => action.endsWith('/finish'))?.values ?? {}
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
    const entries = (await t.api('GET', `/documents/${id}/audit`)).body.events.length
    const answers = await tried(old, page)
    expect(answers.filter(([, status]) => status !== 404)).toEqual([])
    expect(textOf(await old.get(page.url))).toContain('Your session has ended')
    expect((await t.api('GET', `/documents/${id}/audit`)).body.events).toHaveLength(entries)
  })

  test('the browser that signed goes on to what became of it, and downloads the copy', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
    const { visitor, page } = await openLinkAs(t, ADA.email)
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
    await sentDocument(t, {
      recipients: [
        { ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] },
        { ...BOB, fields: [{ ...SIGNATURE, y: 50 }] },
      ],
    })
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
    const signed = (await t.api('GET', `/documents/${id}/audit`)).body.events.filter(
      (e: { type: string }) => e.type === 'recipient.signed',
    )
    expect(signed.map((e: { personal: { signature: { text: string } } }) => e.personal.signature.text)).toEqual(['Ada Lovelace'])
  })

  test('a frame goes on under another address, and the one of before is over', async () => {
    await t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks: 'on' }))
    const people = [
      { ...ADA, deliverBy: 'link', fields: [SIGNATURE] },
      { ...BOB, fields: [{ ...SIGNATURE, y: 50 }] },
    ]
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: people, send: true }))
    const link = await t.api('POST', `/documents/${body.id}/recipients/${body.recipients[0].id}/signing-link`, {})
    const framed = openVisitor((path, init) =>
      t.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), 'sec-fetch-dest': 'iframe' } }),
    )
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
  const entries = (await t.api('GET', `/documents/${id}/audit`)).body.events.length
  expect((await tried(old, page)).filter(([, status]) => status < 400)).toEqual([])
  expect(textOf(await old.get(page.url))).toContain('This document was declined')
  expect((await t.api('GET', `/documents/${id}/audit`)).body.events).toHaveLength(entries)
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
