/** The page behind a signing link: who asks, what became of it, and how the copy comes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const ONE = { title: 'Lease', recipients: [{ ...ADA, fields: [SIGNATURE] }] }
const landing = async () => textOf(await openVisitor(t.fetch).get(linkTo(t, ADA.email)))

/** A document that a person of the organisation sends, or a program. */
async function sentByPerson(overrides: Record<string, unknown> = {}, isPerson = true): Promise<void> {
  const identity = { name: 'Acme Ltd', contact: undefined, timeZone: 'UTC', language: 'en' as const }
  await t.app.write(tx => saveOrganisation(tx, identity))
  await createAdmin(t.app, { name: 'Anna Weber', email: 'anna@acme.example', password: 'four sound words here' })
  const { id } = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { body } = await t.api('POST', '/documents', await newDocument(overrides))
  if (isPerson) await t.app.write(tx => tx.updateTable('documents').set({ owner_id: id }).where('id', '=', body.id).execute())
  await t.api('POST', `/documents/${body.id}/send`)
  await t.drain()
}

describe('who asks', () => {
  test.each([
    ['a person', true, 'Anna Weber (Acme Ltd)', 'Anna Weber'],
    ['a program', false, 'Acme Ltd', 'Acme Ltd'],
  ])('is named alike in the mail and on both pages: %s', async (_, isPerson, sender, author) => {
    await sentByPerson({ ...ONE, message: 'Please see clause 4.' }, isPerson)
    const mail = t.mails.findLast(({ to }) => to.address === ADA.email)?.text ?? ''
    const { page } = await openLinkAs(t, ADA.email)
    expect(mail).toContain(`${sender} asks you to sign`)
    expect(await landing()).toContain(`${sender} asks you to sign this document.`)
    for (const text of [mail, await landing()]) expect(text).toContain(`Message from ${author}:`)
    expect(textOf(page)).toContain(`From ${sender}`)
  })
})

describe('a link that is opened again', () => {
  test('after the own signature says so, and for whom the document waits', async () => {
    await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    const text = await landing()
    expect(text).toContain('You are done')
    expect(text).toContain(BOB.name)
    expect(text).not.toContain('asks you to sign')
  })

  test('after the seal says that the document is completed, and one press leads to the sealed file', async () => {
    await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada Lovelace')
    await t.drain()
    const visitor = openVisitor(t.fetch)
    const again = await visitor.get(linkTo(t, ADA.email))
    expect(textOf(again)).toMatch(/The document is completed.*Lease.*is sealed.*Open the sealed document/)
    const opened = await visitor.submit(again)
    expect(opened.html).toContain('data-sealed')
    const file = await visitor.get(`${opened.url}/file`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')])
  })

  test('tells nothing of it where a code is asked for first', async () => {
    await sentDocument(t, { ...ONE, recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(linkTo(t, ADA.email)), { accessCode: 'blue-horse' })
    await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    await t.drain()
    expect(await landing()).not.toMatch(/Lease|completed|sealed/)
  })
})

describe('the copy of the sealed document', () => {
  const done = async () => textOf(await signAs(t, ADA.email, 'Ada Lovelace'))

  test('is promised by e-mail only where a mail server is set; elsewhere the page offers it', async () => {
    await sentDocument(t, ONE)
    const here = await done()
    expect(here).toContain('you can download it on this page')
    expect(here).not.toContain('e-mail')
    await t.close()
    t = await openTestApp({ env: { SIGNET_SMTP_URL: 'smtp://127.0.0.1:1' } })
    await sentDocument(t, ONE)
    expect(await done()).toContain('You will receive a copy by e-mail as soon as it is sealed.')
  })

  test('neither is the link for a colleague said to be e-mailed', async () => {
    await sentDocument(t, ONE)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const handed = textOf(await visitor.submit(page, { name: 'Carol King', email: 'carol@example.com' }, '/delegate'))
    expect(handed).toContain('Carol King will get a signing link from the sender.')
  })

  test('is not promised to a reader by e-mail either', async () => {
    const viewer = { ...BOB, role: 'viewer' }
    await sentDocument(t, { ...ONE, recipients: [{ ...ADA, fields: [SIGNATURE] }, viewer] })
    const { page } = await openLinkAs(t, BOB.email)
    expect(textOf(page)).toContain('There is nothing for you to sign. When everyone has finished, you can download')
  })
})
