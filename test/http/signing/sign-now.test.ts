/** "Needs you" shows what the signed-in person has to sign; "Sign now" opens it for her alone. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { disablePerson } from '../../../src/accounts/manage.ts'
import { LANGUAGES } from '../../../src/core/language.ts'
import { documentsToSign, resolveOwnTurn, signNow } from '../../../src/documents/signing/sign-now.ts'
import { describePack } from '../../../src/evidence/pack/report.ts'
import { verifyPack } from '../../../src/evidence/pack/verify-pack.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { addPerson, type TestPerson } from '../../support/accounts.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { signedIn } from '../../support/visitors.ts'

let t: TestApp
let grace: TestPerson
let visitor: Visitor
beforeEach(async () => {
  t = await openTestApp()
  grace = await addPerson(t, 'Grace', 'admin', { signsIn: true })
  visitor = await signedIn(t, grace)
})
afterEach(() => t.close())

const asRecipient = ({ name, email }: { name: string; email: string }, more: Record<string, unknown> = {}) => ({
  name,
  email,
  fields: [{ ...SIGNATURE, y: 20 }],
  ...more,
})
const bob = { ...BOB, fields: [{ ...SIGNATURE, y: 50 }] }

/** Sent by Grace to herself and others. */
async function sentByGrace(recipients: unknown[] = [asRecipient(grace), bob], more: Record<string, unknown> = {}) {
  const id = await sentDocument(t, { title: 'Office lease', recipients, ...more })
  await t.sql('UPDATE documents SET owner_id = ?, version = version + 1 WHERE id = ?', grace.id, id)
  const { body } = await t.api('GET', `/documents/${id}`)
  return { id, own: body.recipients[0].id as string, recipients: body.recipients.map((r: { id: string }) => r.id) as string[] }
}

const needsYou = (who = visitor) => who.get('/documents?view=attention')
const signNowForms = ({ html }: Page) => formsOf(html).filter(({ action }) => action.startsWith('/sign-now/'))
const countOf = ({ html }: Page) =>
  /view=attention"[^>]*>(.*?)<\/a>/s
    .exec(html)?.[1]
    ?.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const eventsOf = async (id: string) => (await t.api('GET', `/documents/${id}/audit`)).body.events
const openings = async (id: string) =>
  (await eventsOf(id)).filter(({ type }: { type: string }) => type === 'recipient.opened_from_app')
const SIGNED = { signature: 'Grace', consent: 'on' }

describe('“Needs you”', () => {
  test('shows and counts what waits for the sender herself, and the page of the document offers “Sign now”', async () => {
    const { id, own } = await sentByGrace()
    const page = await needsYou()
    expect(countOf(page)).toBe('Needs you 1')
    expect(signNowForms(page).map(({ action }) => action)).toEqual([`/sign-now/${own}`])
    expect(textOf(page)).toMatch(/Waiting for your signature Office lease From Grace/)
    expect(textOf(page)).not.toContain('Nothing needs you')
    expect(signNowForms(await visitor.get(`/documents/${id}`)).map(({ action }) => action)).toEqual([`/sign-now/${own}`])
    expect(signNowForms(await visitor.get('/documents'))).toEqual([])
    expect(signNowForms(await visitor.get('/documents?view=attention&q=lease'))).toEqual([])
  })

  test('counts a document once that needs its sender and waits for her', async () => {
    await sentByGrace([asRecipient(grace), bob], { expiresInDays: 2 })
    expect(countOf(await needsYou())).toBe('Needs you 1')
  })

  test('shows people without a document of their own what they sign, and nothing else of it', async () => {
    for (const role of ['member', 'auditor'] as const) {
      const person = await addPerson(t, `Mo${role}`, role, { signsIn: true })
      const own = await signedIn(t, person)
      const { id } = await sentByGrace([asRecipient(person), bob])
      // A member without a document of their own finds it in any view.
      const page = await own.get(role === 'member' ? '/documents' : '/documents?view=attention')
      expect([role, signNowForms(page).length, textOf(page).includes('From Grace')]).toEqual([role, 1, true])
      expect([role, page.html.includes(`/documents/${id}`)]).toEqual([role, role === 'auditor'])
      expect((await own.get(`/documents/${id}`)).status).toBe(role === 'auditor' ? 200 : 404)
    }
  })

  test('does not show what waits for others, for a turn before, for nobody any more, or for a viewer', async () => {
    const cases: [string, unknown[], Record<string, unknown>?][] = [
      ['of others', [asRecipient(ADA), bob]],
      ['a turn before', [{ ...bob, order: 1 }, asRecipient(grace, { order: 2 })], { signingOrder: 'sequential' }],
      ['a viewer', [bob, { name: 'Grace', email: grace.email, role: 'viewer' }]],
    ]
    for (const [what, recipients, more] of cases) {
      const { recipients: ids } = await sentByGrace(recipients, more)
      expect([what, signNowForms(await needsYou()).length]).toEqual([what, 0])
      for (const own of ids) expect([what, (await post(own)).status]).toEqual([what, 409])
    }
    const { id } = await sentByGrace()
    await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong' })
    const late = await sentByGrace([asRecipient(grace), bob], { expiresInDays: 1 })
    t.clock.pass({ days: 1, minutes: 1 })
    visitor = await signedIn(t, grace)
    expect(signNowForms(await needsYou())).toEqual([])
    expect((await post(late.own)).status).toBe(409)
  })

  test('lists and counts the newest fifty', async () => {
    const many = await newDocument({ recipients: [asRecipient(grace)], send: true })
    for (let i = 0; i < 52; i++) expect((await t.api('POST', '/documents', many)).status).toBe(201)
    const page = await needsYou()
    expect([countOf(page), signNowForms(page).length]).toEqual(['Needs you 50', 50])
  })
})

async function post(own: string, who = visitor, values: Record<string, string> = {}): Promise<Page> {
  const csrf = formsOf((await who.get('/documents')).html).find(form => form.values.csrf)?.values.csrf ?? ''
  return who.post(`/sign-now/${own}`, { csrf, ...values })
}

describe('“Sign now”', () => {
  test('opens the document, which is signed there; the mailed link works as before', async () => {
    const { id, own } = await sentByGrace([asRecipient(grace)])
    const page = await visitor.submit(await needsYou(), {}, `/sign-now/${own}`)
    expect([page.status, page.url]).toEqual([200, `/sign/${own}`])
    expect((await openLinkAs(t, grace.email)).page.html).toContain('/finish')
    expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    expect(countOf(await needsYou())).toBe('Needs you 0')
    const [entry] = await openings(id)
    expect(entry).toMatchObject({ actor: `recipient:${own}`, recipientId: own, data: { userId: grace.id } })
    const viewed = (await eventsOf(id)).find(({ type }: { type: string }) => type === 'document.viewed')
    expect(viewed.data).toEqual({ userId: grace.id })
  })

  test('asks first who it is, where that was proven more than a quarter of an hour ago', async () => {
    const { id, own } = await sentByGrace()
    const list = await needsYou()
    t.clock.pass({ minutes: 16 })
    const asked = await visitor.submit(list, {}, `/sign-now/${own}`)
    expect([asked.status, asked.html.includes('autocomplete="current-password"')]).toEqual([403, true])
    const wrong = await visitor.submit(asked, { password: 'wrong' }, `/sign-now/${own}`)
    expect([wrong.status, await openings(id)]).toEqual([422, []])
    expect([...visitor.cookies.keys()].filter(name => name.startsWith('signet_link_'))).toEqual([])
    const opened = await visitor.submit(wrong, { password: grace.password }, `/sign-now/${own}`)
    expect([opened.status, opened.url]).toEqual([200, `/sign/${own}`])
  })

  test('opens nothing without the token of the form, by GET, or for who is not signed in', async () => {
    const { id, own } = await sentByGrace()
    expect((await visitor.post(`/sign-now/${own}`, { csrf: 'x' })).status).toBe(403)
    expect((await visitor.get(`/sign-now/${own}`)).html).toContain(`action="/sign-now/${own}"`)
    expect((await openVisitor(t.fetch).get(`/sign-now/${own}`)).url).toStartWith('/sign-in')
    expect((await openVisitor(t.fetch).post(`/sign-now/${own}`, { csrf: 'x' })).url).toStartWith('/sign-in')
    expect(await openings(id)).toEqual([])
  })

  test('refuses everybody else, and what does not exist, alike', async () => {
    const { id, own, recipients } = await sentByGrace()
    const mia = await signedIn(t, await addPerson(t, 'Mia', 'admin', { signsIn: true }))
    const answers = [
      await post(own, mia),
      await post(recipients[1] ?? ''),
      await post(own.replace(/.$/, '0')),
      await post('rcp_x'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    const [first = ''] = answers.map(textOf)
    expect(first).toContain('does not wait for you, or no longer does')
    for (const path of [own, recipients[1], 'rcp_x'])
      expect((await (path === own ? mia : visitor).get(`/sign-now/${path}`)).status).toBe(409)
    expect(await openings(id)).toEqual([])
  })

  test('is in the log once, of clicks at once and of many', async () => {
    const { id, own } = await sentByGrace()
    const pages = await Promise.all([1, 2, 3].map(() => post(own)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    for (let i = 0; i < 40; i++) await post(own)
    const types = (await eventsOf(id)).map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type === 'recipient.opened_from_app' || type === 'document.viewed')).toHaveLength(2)
  })

  test('takes the codes of the recipient too: the access code, and the one-time code', async () => {
    const coded = await sentByGrace([asRecipient(grace, { accessCode: 'blue-horse' }), bob])
    const gate = await post(coded.own)
    expect([gate.status, gate.html.includes('name="accessCode"'), await openings(coded.id)]).toEqual([200, true, []])
    expect((await visitor.submit(gate, { accessCode: 'red-horse' }, `/sign-now/${coded.own}`)).status).toBe(422)
    expect((await visitor.submit(gate, { accessCode: 'blue-horse' }, `/sign-now/${coded.own}`)).url).toBe(`/sign/${coded.own}`)
    const once = await sentByGrace([asRecipient(grace, { verify: 'email_code' }), bob])
    const ask = await visitor.submit(await visitor.get(`/sign-now/${once.own}`), {}, `/sign-now/${once.own}/code`)
    await t.drain()
    const mail = t.mails.findLast(({ to }) => to.address === grace.email)?.text ?? ''
    const code = (/(\d{3})\s(\d{3})/.exec(mail) ?? []).slice(1).join('')
    expect([code === '', await openings(once.id)]).toEqual([false, []])
    expect((await visitor.submit(ask, { code }, `/sign-now/${once.own}`)).url).toBe(`/sign/${once.own}`)
    expect(await openings(once.id)).toHaveLength(1)
  })

  test('of two who share the address, the name decides; without it neither is opened', async () => {
    const both = [
      asRecipient(grace),
      { ...asRecipient({ name: 'Ben', email: 'GRACE@example.com' }), fields: [{ ...SIGNATURE, y: 60 }] },
    ]
    const shared = await sentByGrace(both)
    expect(signNowForms(await needsYou()).map(({ action }) => action)).toEqual([`/sign-now/${shared.own}`])
    expect((await post(shared.recipients[1] ?? '')).status).toBe(409)
    const others = await sentByGrace([{ ...both[0], name: 'Anna' }, both[1]])
    for (const id of others.recipients) expect((await post(id)).status).toBe(409)
    const alone = await sentByGrace([asRecipient({ name: 'G. Hopper', email: 'Grace@Example.com' }), bob])
    expect((await post(alone.own)).url).toBe(`/sign/${alone.own}`)
  })

  test('ends with a hand-over, and is in the log again for who gets the document back', async () => {
    const { id, own } = await sentByGrace()
    const page = await post(own)
    await visitor.submit(page, { name: 'Carol', email: 'carol@example.com' }, '/delegate')
    await t.drain()
    expect(signNowForms(await needsYou())).toEqual([])
    expect((await post(own)).status).toBe(409)
    expect((await visitor.get(page.url)).status).toBe(404)
    const carol = await openLinkAs(t, 'carol@example.com')
    await carol.visitor.submit(carol.page, { name: 'Grace', email: grace.email }, '/delegate')
    expect((await post(own)).url).toBe(`/sign/${own}`)
    expect(await openings(id)).toHaveLength(2)
  })

  test('opens nothing for an account that is disabled, or has another address, between the page and the click', async () => {
    const mo = await addPerson(t, 'Mo', 'member', { signsIn: true })
    const { id, own } = await sentByGrace([asRecipient(mo), bob])
    const context = await resolveOwnTurn(t.app, mo, own)
    const client = { ip: undefined, userAgent: undefined }
    const outcome = () =>
      signNow(t.app, mo, context, {}, client).then(
        () => 'opened',
        error => error.reason,
      )
    await t.sql('UPDATE users SET email = ? WHERE id = ?', 'other@example.com', mo.id)
    expect(await outcome()).toBe('invalid_state')
    await t.sql('UPDATE users SET email = ? WHERE id = ?', mo.email, mo.id)
    const own2 = await signedIn(t, mo)
    await disablePerson(t.app, mo.id, grace.origin)
    expect([await outcome(), (await own2.get('/documents')).url]).toEqual(['forbidden', '/sign-in?next=%2Fdocuments'])
    expect(await openings(id)).toEqual([])
  })

  test('of a document that was voided or signed meanwhile says so, and opens nothing', async () => {
    const voided = await sentByGrace()
    const list = await needsYou()
    await t.api('POST', `/documents/${voided.id}/void`, { reason: 'Wrong' })
    const answer = await visitor.submit(list, {}, `/sign-now/${voided.own}`)
    expect([answer.status, textOf(answer).includes('voided this document')]).toEqual([409, true])
    const signed = await sentByGrace()
    const before = await needsYou()
    const { visitor: other, page } = await openLinkAs(t, grace.email)
    await other.submit(page, SIGNED, '/finish')
    expect((await visitor.submit(before, {}, `/sign-now/${signed.own}`)).status).toBe(409)
    expect(await openings(signed.id)).toEqual([])
  })

  test('waits until the upgrade is finished: the release before would call it a mailed link', async () => {
    await t.close()
    t = await openTestApp()
    await t.sql('UPDATE cluster SET feature_level = 0')
    grace = await addPerson(t, 'Grace', 'admin', { signsIn: true })
    visitor = await signedIn(t, grace)
    const { id, own } = await sentByGrace()
    expect([signNowForms(await needsYou()), signNowForms(await visitor.get(`/documents/${id}`))]).toEqual([[], []])
    const refused = await post(own)
    expect([refused.status, textOf(refused).includes('when the upgrade is finished')]).toEqual([409, true])
    expect(await documentsToSign(t.app, grace)).toEqual([])
  })
})

describe('the record', () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function signedHere(locale = 'en') {
    const { id, own } = await sentByGrace([asRecipient(grace)], { locale })
    await visitor.submit(await post(own), SIGNED, '/finish')
    await t.drain()
    return id
  }

  test('names it in the history, on the certificate, in audit.json, and in what “evidence verify” prints', async () => {
    const id = await signedHere()
    expect(textOf(await visitor.get(`/documents/${id}`))).toContain('Opened from the web app by the signed-in person')
    const path = join(folder, 'sealed.pdf')
    writeFileSync(path, (await t.api('GET', `/documents/${id}/file?version=sealed`)).body)
    const text = Bun.spawnSync(['pdftotext', '-layout', path, '-']).stdout.toString().replace(/\s+/g, ' ')
    expect(text).toMatch(/Signed in to the sender’s web app with an account of .*this address, not by a mailed link/)
    expect(text).not.toMatch(/Personal link|Opened by the recipient/)
    const pack = (await t.api('GET', `/documents/${id}/evidence`)).body
    const audit = JSON.parse(new TextDecoder().decode(unzipSync(pack)['audit.json']))
    expect(audit.events.map(({ type }: { type: string }) => type)).toContain('recipient.opened_from_app')
    const report = verifyPack(pack)
    expect(report).toMatchObject({ people: [{ openedFromApp: true }] })
    expect(describePack(report)).toContain('opened from the web app by the signed-in person, not from a mailed link')
  })

  test('says nothing of it where the mailed link opened the document', async () => {
    const { id } = await sentByGrace([asRecipient(grace)])
    const { visitor: other, page } = await openLinkAs(t, grace.email)
    await other.submit(page, SIGNED, '/finish')
    await t.drain()
    const report = verifyPack((await t.api('GET', `/documents/${id}/evidence`)).body)
    expect(report).toMatchObject({ people: [{ openedFromApp: false }] })
    expect(describePack(report)).not.toContain('web app')
  })

  test.each(LANGUAGES)('has words of its own for it: %s', async language => {
    const { events, identified } = catalogueOf(language).evidence
    const others = Object.entries(identified).filter(([name]) => name !== 'app_account')
    expect(others.map(([, words]) => words)).not.toContain(identified.app_account)
    expect(events['recipient.opened_from_app']).not.toBe(events['document.viewed'])
  })
})
