/** A link that opens nothing more: what it says to whom, and who may ask for a new one. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { LANGUAGES } from '../../../src/core/language.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp({ env: { SIGNET_SMTP_URL: 'smtp://127.0.0.1:1' } })
beforeEach(async () => {
  const identity = { name: 'Acme Ltd', contact: undefined, timeZone: 'UTC', language: 'en' as const }
  await t.app.write(tx => saveOrganisation(tx, identity))
  await createAdmin(t.app, { name: 'Anna Weber', email: 'anna@acme.example', password: 'four sound words here' })
})

const ASK = 'Ask for a new link'
const FROM = 'From Anna Weber (Acme Ltd)'

interface Sent {
  id: string
  ada: string
  link: string
}

/** By Anna Weber, to Ada alone. */
async function sent(ada: Record<string, unknown> = {}, overrides: Record<string, unknown> = {}): Promise<Sent> {
  const { id: owner } = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const recipients = [{ ...ADA, fields: [SIGNATURE], ...ada }]
  const { body } = await t.api('POST', '/documents', await newDocument({ title: 'Lease of the mill', recipients, ...overrides }))
  await t.app.write(tx => tx.updateTable('documents').set({ owner_id: owner }).where('id', '=', body.id).execute())
  await t.api('POST', `/documents/${body.id}/send`)
  await t.drain()
  return { id: body.id, ada: body.recipients[0].id, link: linkTo(t, ADA.email) }
}

async function correct({ id, ada }: Sent, to: Record<string, string>): Promise<void> {
  expect((await t.api('PATCH', `/documents/${id}/recipients/${ada}`, to)).status).toBe(200)
  await t.drain()
}

async function see(
  link: string,
  visitor: Visitor = openVisitor(t.fetch),
): Promise<{ visitor: Visitor; page: Page; text: string }> {
  const page = await visitor.get(link)
  return { visitor, page, text: textOf(page) }
}

async function ask(link: string): Promise<{ status: number; text: string }> {
  const { visitor, page } = await see(link)
  const answer = await visitor.submit(page, {}, '/new-link')
  await t.drain()
  return { status: answer.status, text: textOf(answer) }
}

const mailsTo = (email: string) => t.mails.filter(({ to }) => to.address === email)
/** The path that a page would post to, whether it offers it or not. */
const askPath = (link: string) => `${link}/new-link`
async function askUnoffered(link: string): Promise<Page> {
  const visitor = openVisitor(t.fetch)
  const { values } = formIn(
    await visitor.get(await sent({ email: 'other@example.com' }).then(() => linkTo(t, 'other@example.com'))),
  )
  return visitor.post(askPath(link), values)
}
const formIn = ({ html }: Page) => ({ values: { csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' } })

describe('a link that was replaced for the same mailbox', () => {
  test('names document and sender, and sends the new link to the stored address alone', async () => {
    const document = await sent()
    await correct(document, { name: 'Ada King' })
    const before = t.mails.length
    const { page, text } = await see(document.link)
    expect(page.status).toBe(404)
    expect(text).toContain('This link was replaced by a newer one.')
    for (const part of ['Lease of the mill', FROM, ASK]) expect(text).toContain(part)
    expect(text).not.toMatch(/Ada|example\.com/)
    const { visitor } = await see(document.link)
    const answer = await visitor.submit(
      await visitor.get(document.link),
      { email: 'mallory@example.com', name: 'Mallory' },
      '/new-link',
    )
    expect(textOf(answer)).toContain('A new link is on its way to the address that the document was sent to.')
    await t.drain()
    expect(t.mails.slice(before).map(({ to }) => to.address)).toEqual([ADA.email])
    expect(linkTo(t, ADA.email)).not.toBe(document.link)
    expect((await openLinkAs(t, ADA.email)).page.html).toContain('id="sign"')
    const { body } = await t.api('GET', `/documents/${document.id}/audit`)
    expect(body.events.findLast(({ type }: { type: string }) => type.startsWith('recipient.link'))).toMatchObject({
      type: 'recipient.link_requested',
      recipientId: document.ada,
    })
  })

  test('is mailed at most once an hour and three times a day, also to a thousand requests at once', async () => {
    const document = await sent()
    await correct(document, { name: 'Ada King' })
    const before = mailsTo(ADA.email).length
    expect((await ask(document.link)).status).toBe(200)
    const again = await ask(document.link)
    expect([again.status, again.text.includes('was asked for a short while ago')]).toEqual([429, true])
    const { visitor, page } = await see(document.link)
    t.clock.pass({ minutes: 61 })
    await Promise.all(Array.from({ length: 8 }, () => visitor.submit(page, {}, '/new-link')))
    await t.drain()
    expect(mailsTo(ADA.email)).toHaveLength(before + 2)
    for (let i = 0; i < 4; i++) {
      t.clock.pass({ minutes: 61 })
      await ask(document.link)
    }
    expect(mailsTo(ADA.email)).toHaveLength(before + 3)
    t.clock.pass({ hours: 24 })
    await ask(document.link)
    expect(mailsTo(ADA.email)).toHaveLength(before + 4)
  })

  test('says nothing of the document where a code is asked for first, and sends the link all the same', async () => {
    const document = await sent({ accessCode: 'blue-horse' })
    await correct(document, { name: 'Ada King' })
    const { text } = await see(document.link)
    expect(text).not.toMatch(/Lease|Anna Weber/)
    expect((await ask(document.link)).text).not.toMatch(/Lease|Anna Weber/)
    expect(linkTo(t, ADA.email)).not.toBe(document.link)
  })

  test('offers nothing after the document has ended', async () => {
    const document = await sent()
    await correct(document, { name: 'Ada King' })
    await t.api('POST', `/documents/${document.id}/void`, { reason: 'wrong file' })
    const { text } = await see(document.link)
    expect(text).toContain('The sender has voided this document.')
    expect(text).not.toContain(ASK)
    await t.drain()
    const before = t.mails.length
    expect((await askUnoffered(document.link)).status).toBe(404)
    await t.drain()
    expect(t.mails.slice(before).filter(({ to }) => to.address === ADA.email)).toEqual([])
  })
})

test('after the address was corrected, its old holder reads the title alone and gets nothing sent to anybody', async () => {
  const document = await sent()
  await correct(document, { name: 'Carol King', email: 'carol@example.com' })
  const { page, text } = await see(document.link)
  expect(page.status).toBe(404)
  expect(text).toContain('the sender has changed whom it is for')
  expect(text).toContain('Lease of the mill')
  expect(text).not.toMatch(/Anna Weber|Carol|carol@|Ada/)
  expect(text).not.toContain(ASK)
  const refused = await askUnoffered(document.link)
  await t.drain()
  expect(refused.status).toBe(404)
  expect(mailsTo('carol@example.com')).toHaveLength(1)
})

describe('who has handed over', () => {
  const handOver = async (email: string, to: { name: string; email: string }) => {
    const { visitor, page } = await openLinkAs(t, email)
    await visitor.submit(page, to, '/delegate')
    await t.drain()
    return visitor
  }

  test('reads so by the link and in the open page, with the name that was entered, and no later one', async () => {
    const document = await sent({}, { allowDelegation: true })
    const visitor = await handOver(ADA.email, { name: 'Carol King', email: 'carol@example.com' })
    await handOver('carol@example.com', { name: 'Dora Smith', email: 'dora@example.com' })
    const handedOver = 'You have handed this document over to Carol King.'
    const byLink = (await see(document.link)).text
    const inPage = textOf(await visitor.get(`/sign/${document.ada}`))
    for (const text of [byLink, inPage]) {
      expect(text).toContain(handedOver)
      expect(text).not.toMatch(/Dora|not valid/)
      expect(text).not.toContain(ASK)
    }
    expect((await askUnoffered(document.link)).status).toBe(404)
    expect(mailsTo('dora@example.com')).toHaveLength(1)
  })

  test('names nobody to a stranger with the link where a code is asked for first', async () => {
    const document = await sent({ accessCode: 'blue-horse' }, { allowDelegation: true })
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(document.link), { accessCode: 'blue-horse' })
    await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate')
    const { text } = await see(document.link)
    expect(text).toContain('This document was handed over to somebody else.')
    expect(text).not.toMatch(/Lease|Carol|Anna Weber/)
    expect(textOf(await visitor.get(`/sign/${document.ada}`))).toContain('over to Carol King.')
  })
})

describe('the link of a document that has ended', () => {
  test('expired: names document and sender, and informs the sender once a day, nobody else', async () => {
    const document = await sent({}, { expiresInDays: 3 })
    t.clock.pass({ days: 4 })
    const before = t.mails.length
    const { text } = await see(document.link)
    for (const part of ['Lease of the mill', FROM, 'The deadline for signing', ASK]) expect(text).toContain(part)
    expect((await ask(document.link)).text).toContain('The sender has been informed that you ask for the document.')
    expect((await ask(document.link)).status).toBe(429)
    t.clock.pass({ hours: 25 })
    expect((await ask(document.link)).status).toBe(200)
    const mails = t.mails.slice(before)
    expect(mails.map(({ to }) => to.address)).toEqual(['anna@acme.example', 'anna@acme.example'])
    expect(mails[0]?.subject).toContain('Asks for a new link: Lease of the mill')
    expect(mails[0]?.text).toContain('Ada Lovelace opened the link')
    expect(mails[0]?.text).not.toContain('/s/')
  })

  test('voided or declined: says so, names the sender, and offers nothing', async () => {
    const voided = await sent()
    await t.api('POST', `/documents/${voided.id}/void`, { reason: 'secret reason' })
    const declined = await sent()
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, { reason: 'secret reason' }, '/decline')
    for (const [link, words] of [
      [voided.link, 'has voided this document'],
      [declined.link, 'was declined'],
    ] as const) {
      const { text } = await see(link)
      for (const part of ['Lease of the mill', FROM, words, 'Questions? Ask Anna Weber.']) expect(text).toContain(part)
      expect(text).not.toMatch(/secret reason|Ada/)
      expect(text).not.toContain(ASK)
    }
  })

  test('voided or expired, where a code is asked for first: names no document and no person', async () => {
    const voided = await sent({ accessCode: 'blue-horse' })
    await t.api('POST', `/documents/${voided.id}/void`, { reason: 'x' })
    const expired = await sent({ accessCode: 'blue-horse' }, { expiresInDays: 3 })
    t.clock.pass({ days: 4 })
    for (const { link } of [voided, expired]) {
      const { page, text } = await see(link)
      expect([page.status, /Lease|Anna Weber|Ada/.test(text)]).toEqual([409, false])
    }
  })

  test('erased: is as unknown as a link that never was', async () => {
    const document = await sent()
    await t.api('POST', `/documents/${document.id}/void`, { reason: 'x' })
    await t.drain()
    expect((await t.api('DELETE', `/documents/${document.id}`)).status).toBeLessThan(300)
    const unknown = await see(`/s/${'0'.repeat(26)}.${'a'.repeat(43)}`)
    for (const { page, text } of [await see(document.link), unknown]) {
      expect(page.status).toBe(404)
      expect(text).toContain('This link is not valid.')
      expect(text).not.toMatch(/Lease|Anna Weber/)
    }
  })
})

test('a guessed link of a known recipient says nothing, and is not asked a new one with', async () => {
  const document = await sent()
  await correct(document, { name: 'Ada King' })
  const guessed = `${document.link.slice(0, -4)}aaaa`
  const { page, text } = await see(guessed)
  expect([page.status, /Lease|Anna Weber/.test(text)]).toEqual([404, false])
  expect((await askUnoffered(guessed)).status).toBe(404)
  const visitor = openVisitor(t.fetch)
  await visitor.get(document.link)
  expect((await visitor.post(askPath(document.link), { csrf: 'wrong' })).status).toBe(403)
})

test('a person who no longer is known from the log by name reads of no hand-over', async () => {
  const document = await sent({}, { allowDelegation: true })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate')
  await t.app.write(tx => tx.deleteFrom('event_details').where('document_id', '=', document.id).execute())
  expect((await see(document.link)).text).toContain('This link is not valid.')
})

test.each(LANGUAGES.map(language => [language]))('the page and its answer are in the reader’s language: %s', async language => {
  const document = await sent({ locale: language })
  await correct(document, { name: 'Ada King' })
  const { ended } = catalogueOf(language).signer
  expect((await see(document.link)).text).toContain(ended.ask)
  expect((await ask(document.link)).text).toContain(ended.mailed)
})
