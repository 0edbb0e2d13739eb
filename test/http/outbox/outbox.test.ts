/** The e-mails of the instance: filtered, read with their parts, sent again, marked as bounced. */
import { describe, expect, test } from 'bun:test'
import { THIS_FILE_SYSTEM } from '../../../src/lib/this-file-system.ts'
import { folderMailer } from '../../../src/mailer/outbox-folder.ts'
import { latestMails } from '../../../src/outbox/queries.ts'
import { cookieOf, type Page, textOf } from '../../support/browser-less.ts'
import { ADA, ONE } from '../../support/sample.ts'
import { eventsOf, sentDocument, signAs } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

const SENDER = ONE

const t = useTestApp({ env: { SIGNET_SMTP_URL: 'smtp://127.0.0.1:1' } })
const visitor = useAdministrator(t)

const REFUSED = { outcome: 'refused', permanent: true, reply: '550 5.1.1 User unknown' } as const
const newestMail = async () => {
  const [mail] = await latestMails(t.app.db, 1)
  if (!mail) throw new Error('no mail')
  return mail
}
const invitation = async () => {
  const mails = await latestMails(t.app.db, 20)
  const found = mails.find(({ kind }) => kind === 'invitation')
  if (!found) throw new Error('no invitation')
  return found
}
const emailStatus = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.recipients[0].emailStatus
const fetched = (path: string) => t.fetch(path, { headers: { cookie: cookieOf(visitor) } })
const rows = (page: Page) => page.html.match(/<tr[ >]/g)?.length ?? 0

test('the list shows the e-mails of one state, and says so when there is none', async () => {
  t.mailVerdicts.push(REFUSED)
  await sentDocument(t, SENDER)
  await t.drain()
  const failed = textOf(await visitor.get('/outbox?state=failed'))
  expect(failed).toContain('550 5.1.1 User unknown')
  const waiting = await visitor.get('/outbox?state=queued')
  expect(textOf(waiting)).toContain('No e-mail is in this state.')
  expect(rows(await visitor.get('/outbox'))).toBeGreaterThan(rows(waiting))
})

describe('a failed e-mail', () => {
  test('is sent again on demand, and the recipient counts as reached', async () => {
    t.mailVerdicts.push(REFUSED)
    const id = await sentDocument(t, SENDER)
    await t.drain()
    expect(await emailStatus(id)).toBe('failed')
    const { id: mailId } = await invitation()
    const page = await visitor.submit(await visitor.get(`/outbox/${mailId}`), {}, '/retry')
    expect(textOf(page)).toContain('The e-mail is being sent again.')
    await t.drain()
    expect(await invitation()).toMatchObject({ status: 'accepted' })
    expect(await emailStatus(id)).toBe('delivered')
  })

  test('that became pointless meanwhile is not sent', async () => {
    t.mailVerdicts.push(REFUSED)
    const id = await sentDocument(t, SENDER)
    await t.drain()
    const page = await visitor.get(`/outbox/${(await invitation()).id}`)
    await t.api('POST', `/documents/${id}/void`, { reason: 'a mistake' })
    await t.drain()
    const before = t.mails.length
    await visitor.submit(page, {}, '/retry')
    await t.drain()
    expect(t.mails).toHaveLength(before)
  })
})

describe('an e-mail that bounced', () => {
  test('is marked after a question, and document, record and sender learn of it', async () => {
    const id = await sentDocument(t, SENDER)
    await t.drain()
    const { id: mailId } = await invitation()
    const question = await visitor.get(`/outbox/${mailId}/fail`)
    expect(textOf(question)).toContain('Did the e-mail to ada@example.com come back?')
    expect(await emailStatus(id)).toBe('delivered')
    const empty = await visitor.submit(question, { reason: ' ' }, '/fail')
    expect(textOf(empty)).toContain('What the message says must not be empty.')
    const marked = await visitor.submit(question, { reason: '550 5.1.1 User unknown' }, '/fail')
    expect(textOf(marked)).toContain('The e-mail was marked as not delivered.')
    expect(textOf(marked)).toContain('Marked as not delivered: 550 5.1.1 User unknown')
    expect(await emailStatus(id)).toBe('failed')
    const [event] = await eventsOf(t, id, 'recipient.email_failed')
    expect(event.actor).toMatch(/^user:usr_/)
  })

  test('cannot be marked twice, nor before it was sent', async () => {
    await sentDocument(t, SENDER)
    const queued = await visitor.get(`/outbox/${(await invitation()).id}/fail`)
    await t.app.write(tx => tx.updateTable('mails').set({ status: 'queued' }).execute())
    expect((await visitor.submit(queued, { reason: 'back' }, '/fail')).status).toBe(409)
  })
})

describe('an e-mail in the outbox folder', () => {
  test('has its text, its HTML part in a frame that can do nothing, and its attachments', async () => {
    await sentDocument(t, SENDER)
    t.app.config.fixed = {}
    t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
    const { id } = await newestMail()
    const page = await visitor.get(`/outbox/${id}`)
    expect(page.html).toMatch(new RegExp(`<iframe[^>]*src="/outbox/${id}/html" sandbox`))
    const html = await fetched(`/outbox/${id}/html`)
    expect(html.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
    expect(await html.text()).toContain('<html')
    const file = await fetched(`/outbox/${id}/attachments/1`)
    expect(file.headers.get('content-disposition')).toStartWith('attachment;')
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
    expect((await fetched(`/outbox/${id}/attachments/2`)).status).toBe(404)
  })

  test('that went to a server shows no text, which would hold the link of its recipient', async () => {
    await sentDocument(t, SENDER)
    await t.drain()
    const { id } = await invitation()
    const page = await visitor.get(`/outbox/${id}`)
    expect(textOf(page)).toContain('The text of an e-mail that was sent is not kept')
    expect(page.html).not.toContain('/s/')
    expect((await fetched(`/outbox/${id}/html`)).status).toBe(404)
  })
})
