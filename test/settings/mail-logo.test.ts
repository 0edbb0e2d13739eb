/** The logo in e-mails: small, a part of the e-mail itself, and never a reason not to send. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { createAdmin } from '../../src/accounts/people.ts'
import { pngSize } from '../../src/image/png-read.ts'
import { sha256Hex } from '../../src/lib/token.ts'
import { compose, MessageError } from '../../src/mailer/message.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeLogo } from '../../src/settings/logo.ts'
import { plainPng } from '../evidence/sample.ts'
import { openVisitor } from '../support/browser-less.ts'
import { JPEG } from '../support/jpegs.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const LOGO = plainPng(1200, 300, [200, 30, 30, 255])
const one = { recipients: [{ ...ADA, fields: [SIGNATURE] }] }
const change = (bytes: Uint8Array) => changeLogo(t.app, SYSTEM, bytes)
const contentId = (bytes: Uint8Array) => `logo.${sha256Hex(bytes).slice(0, 16)}@signet`

test('is scaled down, and shown by the part of the e-mail that holds it', async () => {
  await change(LOGO)
  await sentDocument(t, one)
  const [mail] = t.mails
  const [logo, ...others] = mail?.attachments ?? []
  expect(others).toEqual([])
  expect(logo).toMatchObject({ fileName: 'logo.png', contentType: 'image/png', contentId: contentId(LOGO) })
  expect(pngSize(Buffer.from(logo && 'content' in logo ? logo.content : []))).toEqual({ width: 384, height: 96 })
  expect(mail?.html).toMatch(new RegExp(`<img[^>]*src="cid:${contentId(LOGO)}" alt="Signet" width="192" height="48"`))
  const { raw } = await compose(mail!)
  expect(raw.length).toBeLessThan(40_000)
  const [part] = (await PostalMime.parse(raw)).attachments
  expect(part).toMatchObject({ contentId: `<${contentId(LOGO)}>`, disposition: 'inline', related: true })
})

test('a JPEG is sent without its metadata', async () => {
  await change(JPEG)
  await sentDocument(t, one)
  expect(t.mails[0]?.attachments?.[0]).toMatchObject({ fileName: 'logo.jpg', contentType: 'image/jpeg' })
})

test('where it cannot be made, the name is shown in its place, and the next e-mail tries again', async () => {
  await change(LOGO)
  const { shrinkLogo } = t.app.pdf
  t.app.pdf.shrinkLogo = () => Promise.reject(new Error('too busy'))
  await sentDocument(t, one)
  expect(t.mails[0]?.attachments).toEqual([])
  expect(t.mails[0]?.html).not.toContain('<img')
  expect(t.logged.map(({ what }) => what)).toContain('logo for mails not made')
  t.app.pdf.shrinkLogo = shrinkLogo
  await sentDocument(t, one)
  expect(t.mails[1]?.attachments).toHaveLength(1)
})

test('is made once for many e-mails', async () => {
  await change(LOGO)
  const { shrinkLogo } = t.app.pdf
  let made = 0
  t.app.pdf.shrinkLogo = request => {
    made++
    return shrinkLogo(request)
  }
  await sentDocument(t)
  await sentDocument(t)
  expect([made, t.mails.length]).toEqual([1, 4])
})

test('the outbox shows it in the e-mail, and does not list it among what is attached', async () => {
  await change(LOGO)
  t.app.mailer = folderMailer(`${t.app.config.dataFolder}/outbox`)
  const admin = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
  await createAdmin(t.app, admin)
  await sentDocument(t, one)
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get('/sign-in'), { email: admin.email, password: admin.password })
  const path = /href="(\/outbox\/mail_[0-9a-z]+)"/.exec((await visitor.get('/outbox')).html)?.[1] ?? ''
  expect((await visitor.get(path)).html).not.toContain('/attachments/')
  const { html } = await visitor.get(`${path}/html`)
  expect(html).toContain('src="data:image/png;base64,iVBORw0KGgo')
  expect(html).not.toContain('cid:')
})

test('a content ID that could add a header is refused', async () => {
  const message = { messageId: '<a@b>', from: { name: '', address: 'a@b.example' }, to: { name: '', address: 'a@b.example' } }
  const attachments = [{ fileName: 'a', contentType: 'image/png', contentId: 'a@b>\r\nBcc: c', content: new Uint8Array() }]
  const sent = compose({ ...message, subject: '', text: '', html: '', date: new Date(), attachments })
  await expect(sent).rejects.toBeInstanceOf(MessageError)
})
