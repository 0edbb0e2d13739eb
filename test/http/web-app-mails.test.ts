/** What the sender's pages say of e-mails: reminders, and e-mails without a mail server. */
import { beforeEach, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { textOf } from '../support/browser-less.ts'
import { ADA, BOB, newDocument, ONE } from '../support/sample.ts'
import { openedDocument, sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'
import { GRACE, signedIn } from '../support/visitors.ts'

const t = useTestApp()
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
})

test('a reminder names whom it goes to, and says so when nobody was due', async () => {
  t.app.config.fixed.smtpUrl = 'smtp://mail.example.com'
  const visitor = await signedIn(t)
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada')
  const early = await visitor.submit(await visitor.get(`/documents/${id}`), {}, '/remind')
  expect(textOf(early)).toContain('No reminder was sent: the recipients whose turn it is were e-mailed within the last hour.')
  await t.drain()
  expect(t.mails.filter(m => m.subject.includes('Reminder'))).toEqual([])
  t.clock.pass({ hours: 2 })
  const again = await signedIn(t)
  const reminded = await again.submit(await again.get(`/documents/${id}`), {}, '/remind')
  expect(textOf(reminded)).toContain('A reminder is being e-mailed to Bob Søndergård.')
  await t.drain()
  expect(t.mails.filter(m => m.subject.includes('Reminder')).map(m => m.to.address)).toEqual([BOB.email])
})

test('sealing begins by the service, whoever finished last', async () => {
  const visitor = await signedIn(t)
  const id = await sentDocument(t, ONE)
  await signAs(t, ADA.email, 'Ada')
  const row = (await visitor.get(`/documents/${id}`)).html.split('<tr').find(part => part.includes('sealing started')) ?? ''
  expect(row).toContain('>Signet<')
  expect(row).not.toContain(ADA.name)
})

test('without a mail server no page, record or call says that one accepted a mail', async () => {
  t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
  const visitor = await signedIn(t)
  const id = await sentDocument(t)
  const page = textOf(await visitor.get(`/documents/${id}`))
  expect(page).toContain('E-mail written to the outbox folder')
  expect(page).not.toContain('Written to the outbox folder as')
  expect(page).not.toMatch(/accepted by the mail server|Mailed\b/)
  const { body } = await t.api('GET', `/documents/${id}/audit`)
  const types = body.events.map((e: { type: string }) => e.type)
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
  const visitor = await signedIn(t)
  const { body } = await t.api('POST', '/documents', await newDocument())
  await t.api('POST', `/documents/${body.id}/send`)
  await t.drain()
  const outbox = await visitor.get('/outbox')
  expect(textOf(outbox)).toContain('Bob Søndergård')
  const mail = /href="(\/outbox\/mail_[0-9a-z]+)"/.exec(outbox.html)?.[1] ?? ''
  expect(textOf(await visitor.get(mail))).toMatch(/Open the document: http:\/\/127\.0\.0\.1:3000\/s\//)
})

test('the events of a document name who did what, also when the place was handed over afterwards', async () => {
  const { id, visitor, page } = await openedDocument(t)
  await visitor.submit(page, { name: 'Carol Shaw', email: 'carol@example.com' }, '/delegate')
  const shown = textOf(await (await signedIn(t)).get(`/documents/${id}`))
  expect(shown).toMatch(/Opened by the recipient\s*Ada Lovelace/)
  expect(shown).toMatch(/Handed over to a colleague \(Carol Shaw <carol@example\.com>\)\s*Ada Lovelace/)
  expect(shown).not.toMatch(/Opened by the recipient\s*Carol Shaw/)
})
