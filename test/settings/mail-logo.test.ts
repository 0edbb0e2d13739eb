/** The logo in e-mails: small, a part of the e-mail itself, and never a reason not to send. */
import { expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { createAdmin } from '../../src/accounts/people.ts'
import { pngSize, readPng } from '../../src/image/png-read.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { compose, MessageError } from '../../src/mailer/message.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeLogo } from '../../src/settings/logo.ts'
import { plainPng } from '../evidence/sample.ts'
import { openVisitor } from '../support/browser-less.ts'
import { CMYK_JPEG, exifSegment, JPEG, PROGRESSIVE_JPEG, withSegments } from '../support/jpegs.ts'
import { ONE } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const LOGO = plainPng(1200, 300, [200, 30, 30, 255])
const change = (bytes: Uint8Array) => changeLogo(t.app, SYSTEM, bytes)
const contentId = (bytes: Uint8Array) => `logo.${sha256Hex(bytes).slice(0, 16)}@signet`

test('is scaled down, and shown by the part of the e-mail that holds it', async () => {
  await change(LOGO)
  await sentDocument(t, ONE)
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

/** What the e-mail shows of a picture, as colours of the corners, upright. */
async function shown(bytes: Buffer) {
  await change(bytes)
  await sentDocument(t, ONE)
  const logo = t.mails[0]?.attachments?.[0]
  expect(logo).toMatchObject({ fileName: 'logo.png', contentType: 'image/png' })
  const { width, height, channels, colour } = (await readPng(Buffer.from(logo && 'content' in logo ? logo.content : []), 4000))!
  const at = (x: number, y: number) => nameOf([...colour.subarray((y * width + x) * channels, (y * width + x) * channels + 3)])
  return { width, height, corners: [at(4, 4), at(width - 5, 4), at(4, height - 5), at(width - 5, height - 5)] }
}

const nameOf = ([r = 0, g = 0, b = 0]: number[]) => {
  if (Math.max(r, g, b) - Math.min(r, g, b) < 20) return 'grey'
  if (r > 180 && g > 150) return 'yellow'
  if (r > g && r > b) return 'red'
  return g > b ? 'green' : 'blue'
}

const CORNERS = ['red', 'green', 'blue', 'yellow']

test.each([
  ['of three colours', JPEG],
  ['in CMYK, inverted', CMYK_JPEG],
])('a JPEG %s is shown in its colours', async (_, bytes) => {
  expect(await shown(bytes)).toEqual({ width: 48, height: 32, corners: CORNERS })
})

test('a grey JPEG in several scans is shown', async () => {
  expect((await shown(PROGRESSIVE_JPEG)).corners).toEqual(['grey', 'grey', 'grey', 'grey'])
})

test.each([
  [2, [1, 0, 3, 2]],
  [3, [3, 2, 1, 0]],
  [4, [2, 3, 0, 1]],
  [5, [0, 2, 1, 3]],
  [6, [2, 0, 3, 1]],
  [7, [3, 1, 2, 0]],
  [8, [1, 3, 0, 2]],
])('a JPEG of a camera, turned as %i, is shown upright', async (orientation, from) => {
  const [width, height] = orientation >= 5 ? [32, 48] : [48, 32]
  const corners = from.map(i => CORNERS[i])
  expect(await shown(withSegments(JPEG, [exifSegment(orientation)]))).toEqual({ width, height, corners } as never)
})

test('a JPEG of two megabytes is shown, as small as any other', async () => {
  const large = withSegments(
    JPEG,
    Array.from({ length: 30 }, () => [0xfe, Buffer.alloc(65_000)]),
  )
  expect(large.length).toBeGreaterThan(1_900_000)
  expect((await shown(large)).corners).toEqual(CORNERS)
  expect((await compose(t.mails[0]!)).raw.length).toBeLessThan(40_000)
})

test('where a JPEG cannot be decoded, the name is shown in its place', async () => {
  const broken = Buffer.from(JPEG)
  // Of the first Huffman table: more codes than 16 bits can have.
  const table = broken.indexOf(Buffer.of(0xff, 0xc4))
  broken.fill(0xff, table + 5, table + 21)
  await change(broken)
  await sentDocument(t, ONE)
  expect(t.mails[0]?.attachments).toEqual([])
  expect(t.mails[0]?.html).not.toContain('<img')
})

test('where it cannot be made, the name is shown in its place, and the next e-mail tries again', async () => {
  await change(LOGO)
  const { shrinkLogo } = t.app.pdf
  t.app.pdf.shrinkLogo = () => Promise.reject(new Error('too busy'))
  await sentDocument(t, ONE)
  expect(t.mails[0]?.attachments).toEqual([])
  expect(t.mails[0]?.html).not.toContain('<img')
  expect(t.logged.map(({ what }) => what)).toContain('logo for mails not made')
  t.app.pdf.shrinkLogo = shrinkLogo
  await sentDocument(t, ONE)
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
  t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
  const admin = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
  await createAdmin(t.app, admin)
  await sentDocument(t, ONE)
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
