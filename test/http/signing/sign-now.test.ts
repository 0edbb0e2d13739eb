/** Documents to sign of signed-in people, and links that a sender hands out on pages. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { disablePerson } from '../../../src/accounts/manage.ts'
import { LANGUAGES } from '../../../src/core/language.ts'
import { FeatureLevels } from '../../../src/db/feature-level.ts'
import { documentsToSign, resolveOwnTurn, signNow } from '../../../src/documents/signing/sign-now.ts'
import { describePack, writePackReport } from '../../../src/evidence/pack/report.ts'
import { verifyPack } from '../../../src/evidence/pack/verify-pack.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { addPerson, type TestPerson } from '../../support/accounts.ts'
import { formsOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { configure, documentOf, eventsOf, openLinkAs, sentDocument, typesOf } from '../../support/story.ts'
import { pathOf } from '../../support/template-pages.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'
import { createdTemplate } from '../../templates/scene.ts'

const t = useTestApp()

describe('what waits for the signed-in person', () => {
  let grace: TestPerson
  let visitor: Visitor

  beforeEach(async () => {
    grace = await addPerson(t, 'Grace', 'admin', { signsIn: true })
    visitor = await signedIn(t, grace)
  })

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

  const openings = (id: string) => eventsOf(t, id, 'recipient.opened_from_app')
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
      const [viewed] = await eventsOf(t, id, 'document.viewed')
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
        await post(own.replace(/.$/, last => (last === '0' ? '1' : '0'))),
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
      const types = await typesOf(t, id)
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
      await t.sql('UPDATE cluster SET feature_level = 0')
      // As in a process that has read no level yet.
      t.app.features = new FeatureLevels()
      const { id, own } = await sentByGrace()
      expect([signNowForms(await needsYou()), signNowForms(await visitor.get(`/documents/${id}`))]).toEqual([[], []])
      const refused = await post(own)
      expect([refused.status, textOf(refused).includes('when the upgrade is finished')]).toEqual([409, true])
      expect(await documentsToSign(t.app, grace)).toEqual([])
    })
  })

  describe('the record', () => {
    async function signedHere(locale = 'en') {
      const { id, own } = await sentByGrace([asRecipient(grace)], { locale })
      await visitor.submit(await post(own), SIGNED, '/finish')
      await t.drain()
      return id
    }

    test('names it in the history, on the certificate, in audit.json, and in what “evidence verify” prints', async () => {
      const id = await signedHere()
      expect(textOf(await visitor.get(`/documents/${id}`))).toContain('Opened from the web app by the signed-in person')
      const sealed = (await t.api('GET', `/documents/${id}/file?version=sealed`)).body
      const text = (await pdfText(sealed, '-layout')).replace(/\s+/g, ' ')
      expect(text).toMatch(/Signed in to the sender’s web app with an account of .*this address, not by a mailed link/)
      expect(text).not.toMatch(/Personal link|Opened by the recipient/)
      const pack = (await t.api('GET', `/documents/${id}/evidence`)).body
      const audit = JSON.parse(new TextDecoder().decode(unzipSync(pack)['audit.json']))
      expect(audit.events.map(({ type }: { type: string }) => type)).toContain('recipient.opened_from_app')
      const report = verifyPack(pack)
      expect(report).toMatchObject({ people: [{ openedFromApp: true }] })
      expect(describePack(writePackReport(report))).toContain(
        'opened from the web app by the signed-in person, not from a mailed link',
      )
    })

    test('says nothing of it where the mailed link opened the document', async () => {
      const { id } = await sentByGrace([asRecipient(grace)])
      const { visitor: other, page } = await openLinkAs(t, grace.email)
      await other.submit(page, SIGNED, '/finish')
      await t.drain()
      const report = verifyPack((await t.api('GET', `/documents/${id}/evidence`)).body)
      expect(report).toMatchObject({ people: [{ openedFromApp: false }] })
      expect(describePack(writePackReport(report))).not.toContain('web app')
    })

    test.each(LANGUAGES)('has words of its own for it: %s', async language => {
      const { events, identified } = catalogueOf(language).evidence
      const others = Object.entries(identified).filter(([name]) => name !== 'app_account')
      expect(others.map(([, words]) => words)).not.toContain(identified.app_account)
      expect(events['recipient.opened_from_app']).not.toBe(events['document.viewed'])
    })
  })
})

describe('a link that is handed out', () => {
  const visitor = useAdministrator(t)

  beforeEach(async () => {
    await allow('on')
  })

  const allow = (signingLinks: 'on' | '') => configure(t, { signingLinks })
  const BY_LINK = { ...ADA, deliverBy: 'link', fields: [SIGNATURE] }
  const BY_MAIL = { ...BOB, fields: [{ ...SIGNATURE, y: 40 }] }

  async function created(recipients: unknown[], overrides: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await t.api('POST', '/documents', await newDocument({ title: 'Lease', recipients, ...overrides }))
    expect(status).toBe(201)
    return body.id
  }

  const people = (id: string) => visitor.get(`/documents/${id}/people`)
  const review = (id: string) => visitor.get(`/documents/${id}/review`)
  const save = (page: Page, values: Record<string, string>) => visitor.submit(page, { do: 'save', ...values }, '/people')
  const linkForms = (page: Page) => formsOf(page.html).filter(({ action }) => action.endsWith('/signing-link'))
  const linkIn = (page: Page) => />\s*http:\/\/[^<]*(\/s\/once\/[^<\s]+)/.exec(page.html)?.[1]

  describe('the page of people', () => {
    test('hands out the link of a person, and tells that a one-time code does not go with it', async () => {
      const id = await created([BY_MAIL])
      const page = await people(id)
      expect(textOf(page)).toContain('If you or your program hand it out')
      expect(textOf(page)).toContain('The sealed copy is e-mailed at the end.')
      const refused = await save(page, { 'recipients[0].deliverBy': 'link', 'recipients[0].verify': 'email_code' })
      expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('Choose either a link that is handed out')])
      await save(refused, { 'recipients[0].verify': '' })
      expect((await documentOf(t, id)).recipients).toMatchObject([{ deliverBy: 'link', verify: null }])
    })

    test('does not ask for it where it is not allowed; what was chosen before can still be changed', async () => {
      const [before, none] = [await created([BY_LINK]), await created([BY_MAIL])]
      await allow('')
      expect((await people(none)).html).not.toContain('deliverBy')
      const saved = await save(await people(before), { 'recipients[0].name': 'Ada King' })
      expect(saved.status).toBe(200)
      expect((await documentOf(t, before)).recipients).toMatchObject([{ name: 'Ada King', deliverBy: 'link' }])
      await save(saved, { 'recipients[0].deliverBy': 'email' })
      expect((await documentOf(t, before)).recipients).toMatchObject([{ deliverBy: 'email' }])
    })
  })

  describe('the review', () => {
    test('shows no e-mail to those who get none', async () => {
      const both = await review(await created([BY_LINK, BY_MAIL]))
      expect(textOf(both)).toContain('signs with a link that you or your program hand out')
      expect(textOf(both)).toContain('As Bob')
      const [{ id: ada }] = (await documentOf(t, /doc_\w+/.exec(both.url)?.[0] ?? '')).recipients
      expect(both.html).not.toContain(`mail=${ada}`)
      const alone = await review(await created([BY_LINK]))
      expect(textOf(alone)).toContain('No e-mail is sent now.')
      expect(alone.html).not.toContain('mail-paper')
    })

    test('names before sending what keeps a link or a code from its recipient, and where to mend it', async () => {
      const id = await created([BY_LINK, { ...BY_MAIL, verify: 'webhook_code' }])
      await allow('')
      const page = await review(id)
      expect(textOf(page)).toContain(`${ADA.name} gets a link that is handed out, which is not allowed here`)
      expect(textOf(page)).toContain(`Nobody passes on the one-time code of ${BOB.name}`)
      expect(page.html).toContain(`href="/documents/${id}/people#recipients[0].deliverBy"`)
      expect(page.html).toContain(`href="/documents/${id}/people#recipients[1].verify"`)
      expect(page.html).not.toContain('value="send"')
      expect(textOf(await visitor.get(`/documents/${id}`))).toContain('Nobody passes on the one-time code')
      await allow('on')
      const webhook = { url: 'https://codes.example.com/hook', events: ['recipient.code_sent'] }
      expect((await t.api('POST', '/webhooks', webhook)).status).toBe(201)
      expect((await review(id)).html).toContain('value="send"')
    })
  })

  const NOWHERE = 'the e-mails are written to the outbox folder and reach nobody.'

  test('the review where no mail server is set says before sending that no e-mail reaches anybody, and where administrators mend it', async () => {
    const id = await created([BY_MAIL])
    const page = await review(id)
    expect(textOf(page)).toContain(`${NOWHERE} Set up a mail server`)
    expect(page.html).toContain('<a href="/settings/email">Set up a mail server</a>')
    const mo = await addPerson(t, 'Mo', 'member', { signsIn: true })
    await t.app.write(tx => tx.updateTable('documents').set({ owner_id: mo.id }).execute())
    const asMember = await (await signedIn(t, mo)).get(page.url)
    expect(textOf(asMember)).toContain(`${NOWHERE} An administrator can set one up.`)
    expect(asMember.html).not.toContain('/settings/email')
    t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    expect(textOf(await review(id))).not.toContain('outbox folder')
  })

  describe('the page of a document', () => {
    test('creates the link of a person on request, shows it to who asked, and until it is opened', async () => {
      const id = await created([BY_LINK, BY_MAIL], { send: true })
      const page = await visitor.get(`/documents/${id}`)
      expect(textOf(page)).toContain(`Waiting for ${ADA.name} and ${BOB.name}`)
      expect(linkForms(page)).toHaveLength(1)
      expect(textOf(page)).toContain('It opens only once, within 15 minutes')
      const shown = await visitor.submit(page, {}, '/signing-link')
      expect(linkIn(shown)).toStartWith('/s/once/')
      expect(shown.url).not.toContain('once')
      expect((await eventsOf(t, id)).at(-1)).toMatchObject({
        type: 'recipient.link_created',
        actor: expect.stringMatching(/^user:usr_/),
      })
      expect(linkIn(await visitor.get(shown.url))).toBe(linkIn(shown) as string)
      expect(linkIn(await visitor.get(`/documents/${id}`))).toBeUndefined()
      const mia = await addPerson(t, 'Mia', 'admin', { signsIn: true })
      const colleague = await signedIn(t, mia)
      expect(linkIn(await colleague.get(shown.url))).toBeUndefined()
      const signer = openVisitor(t.fetch)
      await signer.submit(await signer.get(linkIn(shown) ?? ''))
      expect(linkIn(await visitor.get(shown.url))).toBeUndefined()
      expect(textOf(await visitor.get(`/documents/${id}`))).toContain(`A signing link for ${ADA.name} was created`)
    })

    test('creates none for a recipient whose mailbox is the proof', async () => {
      const id = await created([BY_LINK, BY_MAIL], { send: true })
      const page = await visitor.get(`/documents/${id}`)
      const [{ id: ada }, { id: bob }] = (await documentOf(t, id)).recipients
      const csrf = linkForms(page)[0]?.values.csrf ?? ''
      const post = (recipient: string) => visitor.post(`/documents/${id}/recipients/${recipient}/signing-link`, { csrf })
      expect((await post(bob)).status).toBe(409)
      expect(await typesOf(t, id)).not.toContain('recipient.link_created')
      expect((await post(ada)).status).toBe(200)
      await allow('')
      expect(textOf(await visitor.get(`/documents/${id}`))).toContain('Links can no longer be handed out')
      expect((await post(ada)).status).toBe(403)
    })

    test('offers no reminder that would reach nobody, and says so after one', async () => {
      const id = await created([BY_LINK], { send: true })
      const page = await visitor.get(`/documents/${id}`)
      expect(formsOf(page.html).map(({ action }) => action)).not.toContain(`/documents/${id}/remind`)
      expect(textOf(page)).not.toContain('Asked')
      const csrf = linkForms(page)[0]?.values.csrf ?? ''
      const reminded = await visitor.post(`/documents/${id}/remind`, { csrf })
      expect(textOf(reminded)).toContain('get their link from you or your program, not by e-mail')
      await t.drain()
      expect(t.mails).toEqual([])
    })
  })

  test('a person in a role of a template gets the link as chosen there, also after a second thought', async () => {
    const id = await createdTemplate(t)
    const first = await visitor.get(`/templates/${id}/use`)
    const label = (text: string) => new RegExp(`<label for="([^"]+)">${text}`).exec(first.html)?.[1] ?? ''
    const entries = {
      'recipients[0].name': 'Anna Berg',
      'recipients[0].email': 'anna@example.com',
      'recipients[0].deliverBy': 'link',
      'recipients[1].name': 'Bo Chen',
      'recipients[1].email': 'bo@example.com',
      [label('Rent')]: '1200',
      [label('Begin')]: '2027-01-01',
      [label('Unit')]: '4b',
    }
    const made = await visitor.submit(first, { do: 'continue', ...entries }, pathOf(first))
    const documentId = /doc_[0-9a-z]{26}/.exec(made.url)?.[0] ?? ''
    const deliveries = async () => (await documentOf(t, documentId)).recipients.map((r: { deliverBy: string }) => r.deliverBy)
    expect(await deliveries()).toEqual(['link', 'email'])
    const again = await visitor.get(`/templates/${id}/use?document=${documentId}`)
    const kept = await visitor.submit(again, { do: 'continue' }, pathOf(again))
    expect([kept.status, await deliveries()]).toEqual([200, ['link', 'email']])
    await visitor.submit(again, { do: 'continue', 'recipients[0].deliverBy': 'email' }, pathOf(again))
    expect(await deliveries()).toEqual(['email', 'email'])
  })

  test('a template that is made of a document tells that its roles do not keep the handing out', async () => {
    const [byLink, byMail] = [await created([BY_LINK]), await created([BY_MAIL])]
    const made = async (id: string) => {
      const page = await visitor.get(`/documents/${id}`)
      return textOf(await visitor.submit(page, {}, `/documents/${id}/template`))
    }
    expect(await made(byLink)).toContain('Its roles do not keep that a link is handed out')
    const other = await made(byMail)
    expect(other).toContain('The template was made.')
    expect(other).not.toContain('handed out: choose it again')
  })

  test('the page of a completed document does not deny the e-mail with the sealed copy', async () => {
    const id = await created([BY_LINK], { send: true })
    const shown = await visitor.submit(await visitor.get(`/documents/${id}`), {}, '/signing-link')
    const signer = openVisitor(t.fetch)
    const page = await signer.submit(await signer.get(linkIn(shown) ?? ''))
    await signer.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    await t.drain()
    await t.drain()
    expect(t.mails.map(({ to }) => to.address)).toContain(ADA.email)
    const completed = textOf(await visitor.get(`/documents/${id}`))
    expect(completed).toContain('link handed out, sealed copy by e-mail')
    expect(completed).not.toContain('no e-mail')
  })
})
