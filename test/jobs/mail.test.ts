/** Mails: outcomes are recorded, failures are retried, a real SMTP server gets all parts. */
import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { parseSmtpUrl, smtpMailer } from '../../src/mailer/smtp.ts'
import { outboxFolder, sweepMailFiles } from '../../src/outbox/outbox.ts'
import { ADA, BOB, newDocument, ONE } from '../support/sample.ts'
import { openSmtpSink } from '../support/smtp-sink.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const recipient = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.recipients[0]

test('an accepted mail is recorded with the reply of the server', async () => {
  const id = await sentDocument(t, ONE)
  expect((await recipient(id)).emailStatus).toBe('delivered')
  const { body } = await t.api('GET', `/documents/${id}/audit`)
  expect(body.events.at(-1)).toMatchObject({
    type: 'recipient.email_accepted',
    personal: { reply: '250 2.0.0 Ok: queued as TEST' },
  })
})

test('a permanently refused mail is recorded with the reason and not retried', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 5.1.1 no such user' })
  const id = await sentDocument(t, ONE)
  expect((await recipient(id)).emailStatus).toBe('failed')
  t.clock.pass({ days: 2 })
  await t.drain()
  expect(t.mails.filter(m => m.subject.includes('Please'))).toEqual([])
  const { body } = await t.api('GET', `/documents/${id}/audit`)
  expect(body.events.find((e: { type: string }) => e.type === 'recipient.email_failed').personal.reply).toContain('550 5.1.1')
})

test('a mail that is not delivered is in the log at once, without an address or the words of the server', async () => {
  const said = { reply: '550 5.1.1 <ada@example.com> no such user', problem: 'recipient_refused' } as const
  t.mailVerdicts.push({ outcome: 'refused', permanent: false, ...said }, { outcome: 'refused', permanent: true, ...said })
  await sentDocument(t, ONE)
  t.clock.pass({ hours: 1 })
  await t.drain()
  const lines = t.logged.filter(({ what }) => what === 'mail not delivered')
  const facts = { mailId: expect.stringMatching(/^mail_/), kind: 'invitation', problem: 'recipient_refused' }
  expect(lines).toEqual([
    { level: 'warn', what: 'mail not delivered', facts: { ...facts, attempt: 1, willRetry: true } },
    { level: 'warn', what: 'mail not delivered', facts: { ...facts, attempt: 2, willRetry: false } },
  ])
})

test('an unavailable server is retried until it accepts the mail, with the same Message-ID', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 try later' })
  const id = await sentDocument(t, ONE)
  expect((await recipient(id)).emailStatus).toBe('queued')
  expect(t.mails).toEqual([])
  t.clock.pass({ minutes: 1 })
  await t.drain()
  expect((await recipient(id)).emailStatus).toBe('delivered')
  expect(t.mails).toHaveLength(1)
})

test('an outdated mail is not sent', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 try later' })
  const id = await sentDocument(t, ONE)
  await t.api('POST', `/documents/${id}/void`, { reason: 'wrong' })
  t.clock.pass({ hours: 1 })
  await t.drain()
  expect(t.mails.map(m => m.subject)).toEqual(['[TEST] Voided: agreement'])
})

test('the sender’s text keeps its own direction in a right-to-left mail', async () => {
  await sentDocument(t, { ...ONE, locale: 'ar', message: 'Hello!' })
  expect(t.mails[0]?.html).toContain('dir="rtl"')
  expect(t.mails[0]?.html).toMatch(/<p [^>]*dir="auto"[^>]*>Hello!</)
})

test('the reminder has the same link as the invitation', async () => {
  const id = await sentDocument(t, ONE)
  t.clock.pass({ hours: 2 })
  await t.api('POST', `/documents/${id}/remind`)
  await t.drain()
  const links = t.mails.map(m => /\/s\/\S+/.exec(m.text)?.[0])
  expect(links).toHaveLength(2)
  expect(links[0]).toBe(links[1] ?? '')
})

test('a real SMTP server gets text, HTML, one button and the sealed PDF', async () => {
  const sink = await openSmtpSink({})
  const own = await openTestApp({
    mailer: smtpMailer(parseSmtpUrl(`smtp://127.0.0.1:${sink.port}?security=none`), THIS_MACHINE.timers),
  })
  try {
    const created = await own.api('POST', '/documents', await newDocument({ ...ONE, title: 'Vertrag für Ådne' }))
    await own.api('POST', `/documents/${created.body.id}/send`)
    await own.drain()
    const invitation = await PostalMime.parse(sink.messages[0]?.raw ?? '')
    expect(invitation.subject).toBe('[TEST] Please sign: Vertrag für Ådne')
    expect(invitation.to?.[0]?.address).toBe(ADA.email)
    expect(invitation.text).toContain('http://127.0.0.1:3000/s/')
    const link = /href="(http[^"]+\/s\/[^"]+)"/.exec(invitation.html ?? '')?.[1]
    expect(invitation.html).toContain(`>${link}</a>`)
    await signAs({ ...own, mails: [{ to: { address: ADA.email }, text: invitation.text }] as never }, ADA.email, 'Ada')
    await own.drain()
    const completed = await PostalMime.parse(sink.messages[1]?.raw ?? '')
    const [attached] = completed.attachments
    expect(attached?.filename).toBe('agreement (signed).pdf')
    const sealed = await own.api('GET', `/documents/${created.body.id}/file`)
    expect(Buffer.from(attached?.content as ArrayBuffer).equals(Buffer.from(sealed.body))).toBe(true)
  } finally {
    await own.close()
    await sink.close()
  }
})

test('the refusal of a real SMTP server is quoted in the document', async () => {
  const sink = await openSmtpSink({ refuseRecipient: { code: 550, message: '5.1.1 mailbox unknown' } })
  const own = await openTestApp({
    mailer: smtpMailer(parseSmtpUrl(`smtp://127.0.0.1:${sink.port}?security=none`), THIS_MACHINE.timers),
  })
  try {
    const created = await own.api('POST', '/documents', await newDocument(ONE))
    await own.api('POST', `/documents/${created.body.id}/send`)
    await own.drain()
    const { body } = await own.api('GET', `/documents/${created.body.id}`)
    expect(body.recipients[0].emailStatus).toBe('failed')
  } finally {
    await own.close()
    await sink.close()
  }
})

test('all recipients get the sealed copy, and no one else', async () => {
  await sentDocument(t)
  await signAs(t, ADA.email, 'Ada')
  await signAs(t, BOB.email, 'Bob')
  await t.drain()
  expect(
    t.mails
      .filter(m => m.subject.includes('Completed'))
      .map(m => m.to.address)
      .sort(),
  ).toEqual([ADA.email, BOB.email])
})

test('an invalid mail is refused permanently, with the reason', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 try later' })
  const id = await sentDocument(t, ONE)
  t.clock.pass({ minutes: 1 })
  const email = 'ada@ex\nample.com'
  await t.app.write(async tx => {
    await tx.updateTable('recipients').set({ email }).execute()
    await tx.updateTable('mails').set({ recipient_email: email }).execute()
  })
  const folder = folderMailer(THIS_FILE_SYSTEM, join(t.folder, 'outbox'))
  t.app.mailer.send = message => folder.send(message)
  await t.drain()
  const mail = await t.app.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  expect([mail.status, mail.reply]).toEqual(['failed', 'This cannot be a mail: to.address: must not contain line breaks or NUL.'])
  expect((await recipient(id)).emailStatus).toBe('failed')
})

test('a mail that cannot be composed is retried like any other, and then given up', async () => {
  t.app.mailer.send = () => Promise.reject(new Error('no memory'))
  await sentDocument(t, ONE)
  for (let tries = 0; tries < 12; tries++) {
    t.clock.pass({ days: 2 })
    await t.drain()
  }
  const mail = await t.app.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  expect([mail.status, mail.reply]).toEqual(['failed', 'The mail could not be made: no memory'])
})

test('deleting a document deletes its mail files only, and the nightly sweep deletes what a crash left', async () => {
  const folder = outboxFolder(t.app)
  const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
  t.app.mailer.send = message => mailer.send(message)
  const id = await sentDocument(t, ONE)
  await sentDocument(t, ONE)
  expect(readdirSync(folder)).toHaveLength(2)
  await t.api('POST', `/documents/${id}/void`, { reason: 'over' })
  await t.drain()
  expect(readdirSync(folder)).toHaveLength(3)
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
  expect(readdirSync(folder)).toHaveLength(1)
  writeFileSync(join(folder, `2026-01-01T00-00-00-000Z_${'a'.repeat(32)}.eml`), 'left over')
  writeFileSync(join(folder, 'notes.txt'), 'of somebody else')
  expect(await sweepMailFiles(t.app)).toBe(1)
  expect(readdirSync(folder)).toHaveLength(2)
})

test('a mail that timed out is retried in the slow lane, and in the first lane again after a response', async () => {
  const lane = async () => (await t.app.db.selectFrom('jobs').select('lane').where('kind', '=', 'mail').executeTakeFirst())?.lane
  const later = { outcome: 'refused', permanent: false } as const
  t.mailVerdicts.push({ ...later, reply: 'did not answer', timedOut: true }, { ...later, reply: '451 later' })
  await sentDocument(t, ONE)
  expect(await lane()).toBe('mail:slow')
  t.clock.pass({ minutes: 1 })
  await t.drain()
  expect(await lane()).toBe('mail')
  t.clock.pass({ minutes: 3 })
  await t.drain()
  expect(t.mails).toHaveLength(1)
})
