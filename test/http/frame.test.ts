/** The frame of the web app, forms that ask again who a person is, what pages say of mails. */
import { describe, expect, test } from 'bun:test'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { addPerson } from '../support/accounts.ts'
import { formsOf, openVisitor, type Page, textOf } from '../support/browser-less.ts'
import { ADA, ONE } from '../support/sample.ts'
import { openedDocument, sentDocument, signAs, typesOf } from '../support/story.ts'
import { useAdministrator, useTestApp } from '../support/use-app.ts'
import { GRACE, signedIn } from '../support/visitors.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const languageOf = (page: Page) => /<html lang="(\w+)"/.exec(page.html)?.[1]

test('the browser’s language counts before sign-in; a language without a catalogue gives English', async () => {
  for (const [accepted, expected, words] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Anmelden'],
    ['fr-FR,de;q=0.5,en;q=0.4', 'de', 'Anmelden'],
    ['fr-FR', 'en', 'Sign in'],
  ] as const) {
    const response = await t.fetch('/sign-in', { headers: { 'accept-language': accepted } })
    const page = { status: 200, url: '', headers: response.headers, html: await response.text() }
    expect([accepted, languageOf(page)]).toEqual([accepted, expected])
    expect(textOf(page)).toContain(words)
  }
})

test('a person chooses the language, which is kept with the account and leads back to the page', async () => {
  const verify = await visitor.get('/verify')
  expect(languageOf(verify)).toBe('en')
  const back = await visitor.submit(verify, { language: 'de' }, '/language')
  expect([back.url, languageOf(back)]).toEqual(['/verify', 'de'])
  expect(textOf(back)).toContain('Unterschriebenes PDF prüfen')
  const other = openVisitor(t.fetch)
  const home = await other.submit(await other.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
  expect(languageOf(home)).toBe('de')
  const refused = await visitor.submit(back, { language: 'xx' }, '/language')
  expect([refused.status, languageOf(refused)]).toEqual([422, 'de'])
  expect(languageOf(await visitor.get('/verify'))).toBe('de')
})

test('after a choice of language no other site can be reached', async () => {
  for (const next of ['https://example.com/', '//example.com', '/\\example.com']) {
    const page = await visitor.submit(await visitor.get('/verify'), { language: 'de', next }, '/language')
    expect([next, page.url]).toEqual([next, '/documents'])
  }
})

test('an error in a form is German in the German app, with the name of its field', async () => {
  await visitor.submit(await visitor.get('/verify'), { language: 'de' }, '/language')
  const page = await visitor.submit(await visitor.get('/confirm'), { password: 'wrong' }, '/confirm')
  expect(textOf(page)).toContain('Passwort ist nicht richtig.')
})

test('the page of the parts shows both languages; in production there is none', async () => {
  for (const [language, words] of [
    ['en', 'New document'],
    ['de', 'Neues Dokument'],
  ] as const) {
    expect(await (await t.fetch(`/design?language=${language}`)).text()).toContain(words)
  }
  const instance = t.app.instance
  t.app.instance = { ...instance, isProduction: true }
  expect((await t.fetch('/design')).status).toBe(404)
})

test('a notice is one of the page, never what every object has', async () => {
  expect((await visitor.get('/settings/tokens?notice=revoked')).html).toContain('data-toast')
  const id = await sentDocument(t)
  for (const path of ['/settings/tokens', '/profile', '/settings/audit/checkpoints', `/documents/${id}`]) {
    expect((await visitor.get(`${path}?notice=toString`)).html).not.toContain('data-toast')
  }
})

describe('what asks again who a person is', () => {
  /** The ids of an invitation to an account and of one to sign. */
  async function mailsOfBoth(): Promise<{ account: string; document: string }> {
    await sentDocument(t, ONE)
    const { origin } = await addPerson(t, 'Theo', 'admin')
    await invitePerson(t.app, { email: 'eve@example.com', name: 'Eve', role: 'admin', language: 'en' }, 'mail', origin)
    await t.drain()
    const rows = await t.app.db.selectFrom('mails').select(['id', 'kind']).execute()
    const idOf = (kind: string) => rows.find(row => row.kind === kind)?.id ?? ''
    return { account: idOf('notice'), document: idOf('invitation') }
  }

  const isAsked = (html: string) => html.includes('autocomplete="current-password"')

  test('after a quarter of an hour a form asks for the password, and keeps what it contains', async () => {
    const page = await visitor.get('/settings/organisation')
    t.clock.pass({ minutes: 16 })
    const asked = await visitor.submit(page, { name: 'Other Ltd' }, '/settings/organisation')
    expect([asked.status, isAsked(asked.html)]).toEqual([403, true])
    expect((await readOrganisation(t.app.db)).name).not.toBe('Other Ltd')
    expect(formsOf(asked.html).some(({ values }) => values.name === 'Other Ltd')).toBe(true)
    const wrong = await visitor.submit(asked, { password: 'wrong' }, '/settings/organisation')
    expect([wrong.status, isAsked(wrong.html)]).toEqual([422, true])
    const done = await visitor.submit(wrong, { password: GRACE.password }, '/settings/organisation')
    expect(done.status).toBe(200)
    expect((await readOrganisation(t.app.db)).name).toBe('Other Ltd')
  })

  test('a mail with a link of an account is shown after the password, one of a document at once', async () => {
    const mails = await mailsOfBoth()
    for (const path of ['', '/html', '/attachments/1']) {
      t.clock.pass({ minutes: 16 })
      expect((await visitor.get(`/outbox/${mails.document}${path}`)).url).toBe(`/outbox/${mails.document}${path}`)
      const asked = await visitor.get(`/outbox/${mails.account}${path}`)
      expect([path, asked.url, isAsked(asked.html)]).toEqual([path, `/confirm?next=%2Foutbox%2F${mails.account}`, true])
      const shown = await visitor.submit(asked, { password: GRACE.password }, '/confirm')
      expect([shown.status, shown.url]).toEqual([200, `/outbox/${mails.account}`])
    }
  })
})

describe('what pages say of e-mails', () => {
  test('sealing begins by the service, whoever finished last', async () => {
    const id = await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
    const row = (await visitor.get(`/documents/${id}`)).html.split('<tr').find(part => part.includes('sealing started')) ?? ''
    expect(row).toContain('>Signet<')
    expect(row).not.toContain(ADA.name)
  })

  test('without a mail server no page, record or call says that one accepted a mail', async () => {
    t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
    const id = await sentDocument(t)
    const page = textOf(await visitor.get(`/documents/${id}`))
    expect(page).toContain('E-mail written to the outbox folder')
    expect(page).not.toContain('Written to the outbox folder as')
    expect(page).not.toMatch(/accepted by the mail server|Mailed\b/)
    const types = await typesOf(t, id)
    expect(types).toContain('recipient.email_written')
    expect(types).not.toContain('recipient.email_accepted')
    t.clock.pass({ hours: 2 })
    const again = await signedIn(t)
    const reminded = await again.submit(await again.get(`/documents/${id}`), {}, '/remind')
    expect(textOf(reminded)).toContain('was written to the outbox folder, because no mail server is set.')
  })

  test('without a mail server the mails can be read in the outbox', async () => {
    const folder = `${t.app.config.dataFolder}/outbox`
    t.app.mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    await sentDocument(t)
    const outbox = await visitor.get('/outbox')
    expect(textOf(outbox)).toContain('Bob Søndergård')
    const mail = /href="(\/outbox\/mail_[0-9a-z]+)"/.exec(outbox.html)?.[1] ?? ''
    expect(textOf(await visitor.get(mail))).toMatch(/Open the document: http:\/\/127\.0\.0\.1:3000\/s\//)
  })

  test('the events of a document name who did what, also when the place was handed over afterwards', async () => {
    const { id, visitor: signer, page } = await openedDocument(t)
    await signer.submit(page, { name: 'Carol Shaw', email: 'carol@example.com' }, '/delegate')
    const shown = textOf(await visitor.get(`/documents/${id}`))
    expect(shown).toMatch(/Opened by the recipient\s*Ada Lovelace/)
    expect(shown).toMatch(/Handed over to a colleague \(Carol Shaw <carol@example\.com>\)\s*Ada Lovelace/)
    expect(shown).not.toMatch(/Opened by the recipient\s*Carol Shaw/)
  })
})
