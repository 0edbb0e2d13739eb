/** Links that a sender hands out on the pages of the web app: choosing it, the review, creating. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../../src/ports.ts'
import { changeServiceSettings } from '../../../src/settings/service-settings.ts'
import { addPerson } from '../../support/accounts.ts'
import { formsOf, openVisitor, type Page, textOf } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { pathOf } from '../../support/template-pages.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'
import { createdTemplate } from '../../templates/scene.ts'

const t = useTestApp()
const visitor = useAdministrator(t)
beforeEach(async () => {
  await allow('on')
})

const allow = (signingLinks: 'on' | '') => t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks }))
const BY_LINK = { ...ADA, deliverBy: 'link', fields: [SIGNATURE] }
const BY_MAIL = { ...BOB, fields: [{ ...SIGNATURE, y: 40 }] }

async function created(recipients: unknown[], overrides: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await t.api('POST', '/documents', await newDocument({ title: 'Lease', recipients, ...overrides }))
  expect(status).toBe(201)
  return body.id
}

const document = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const typesOf = async (id: string): Promise<string[]> =>
  (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)
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
    expect((await document(id)).recipients).toMatchObject([{ deliverBy: 'link', verify: null }])
  })

  test('does not ask for it where it is not allowed; what was chosen before can still be changed', async () => {
    const [before, none] = [await created([BY_LINK]), await created([BY_MAIL])]
    await allow('')
    expect((await people(none)).html).not.toContain('deliverBy')
    const saved = await save(await people(before), { 'recipients[0].name': 'Ada King' })
    expect(saved.status).toBe(200)
    expect((await document(before)).recipients).toMatchObject([{ name: 'Ada King', deliverBy: 'link' }])
    await save(saved, { 'recipients[0].deliverBy': 'email' })
    expect((await document(before)).recipients).toMatchObject([{ deliverBy: 'email' }])
  })
})

describe('the review', () => {
  test('shows no e-mail to those who get none', async () => {
    const both = await review(await created([BY_LINK, BY_MAIL]))
    expect(textOf(both)).toContain('signs with a link that you or your program hand out')
    expect(textOf(both)).toContain('As Bob')
    const [{ id: ada }] = (await document(/doc_\w+/.exec(both.url)?.[0] ?? '')).recipients
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

describe('the review where no mail server is set', () => {
  const NOWHERE = 'the e-mails are written to the outbox folder and reach nobody.'

  test('says before sending that no e-mail reaches anybody, and where administrators mend it', async () => {
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
    const events = (await t.api('GET', `/documents/${id}/audit`)).body.events
    expect(events.at(-1)).toMatchObject({ type: 'recipient.link_created', actor: expect.stringMatching(/^user:usr_/) })
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
    const [{ id: ada }, { id: bob }] = (await document(id)).recipients
    const csrf = linkForms(page)[0]?.values.csrf ?? ''
    const post = (recipient: string) => visitor.post(`/documents/${id}/recipients/${recipient}/signing-link`, { csrf })
    expect((await post(bob)).status).toBe(409)
    expect(await typesOf(id)).not.toContain('recipient.link_created')
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
  const deliveries = async () => (await document(documentId)).recipients.map((r: { deliverBy: string }) => r.deliverBy)
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
