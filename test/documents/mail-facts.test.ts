/** From whom e-mails come, and to whom replies go. */
import { expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { disablePerson } from '../../src/accounts/manage.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeOrganisation } from '../../src/settings/organisation.ts'
import { ADA, ONE, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const GRACE = { email: 'grace@acme.example', name: 'Grace Hopper', password: 'four sound words here' }
const OFFICE = { name: 'Acme Ltd', address: 'office@acme.example' }

function organisation(contact = OFFICE.address): Promise<void> {
  return changeOrganisation(t.app, SYSTEM, { name: OFFICE.name, contact, timeZone: 'Europe/Berlin', language: 'en' })
}

/** Sends a document that a key of Grace has made. */
async function sentByGrace(): Promise<string> {
  const userId = await createAdmin(t.app, GRACE)
  await createAdmin(t.app, { ...GRACE, email: 'other@acme.example' })
  const { key } = await createKey(t.app, { userId }, { name: 'k', scopes: [], expiresInDays: undefined })
  const own = (...[method, path, body]: Parameters<typeof t.api>) => t.api(method, path, body, { authorization: `Bearer ${key}` })
  await sentDocument({ ...t, api: own }, { ...ONE, message: 'As discussed.' })
  return userId
}

test('the organisation sends via Signet, unless a name is set', async () => {
  await organisation()
  await sentDocument(t, ONE)
  expect(t.mails[0]?.from).toEqual({ name: 'Acme Ltd via Signet', address: 'signet@localhost' })
  t.app.config.fixed.mailFrom = 'Contracts <sign@acme.example>'
  await sentDocument(t, ONE)
  expect(t.mails[1]?.from).toEqual({ name: 'Contracts', address: 'sign@acme.example' })
})

test('replies to a document of a program go to the contact, whom the letter names', async () => {
  await organisation()
  await sentDocument(t, ONE)
  expect(t.mails[0]?.replyTo).toEqual(OFFICE)
  expect(t.mails[0]?.text).toContain('Questions? Reply to this e-mail, or write to Acme Ltd (office@acme.example).')
  expect(t.mails[0]?.text).toStartWith(`Hello ${ADA.name},\n\nAcme Ltd asks you to sign “agreement”.`)
})

test('without a contact a letter of a program has nobody to reply to', async () => {
  await organisation('')
  await sentDocument(t, ONE)
  expect(t.mails[0]?.replyTo).toBeUndefined()
  expect(t.mails[0]?.text).not.toContain('Questions?')
})

test('the contact is not sent to its own address', async () => {
  await organisation()
  await sentDocument(t, { recipients: [{ ...ADA, email: OFFICE.address, fields: [SIGNATURE] }] })
  expect(t.mails[0]?.replyTo).toBeUndefined()
})

test('a person who sends is named, and gets the replies of recipients', async () => {
  await organisation()
  await sentByGrace()
  const mail = t.mails.find(({ to }) => to.address === ADA.email)
  expect(mail?.replyTo).toEqual({ name: GRACE.name, address: GRACE.email })
  expect(mail?.from.name).toBe('Acme Ltd via Signet')
  expect(mail?.text).toContain('Grace Hopper (Acme Ltd) asks you to sign “agreement”.')
  expect(mail?.text).toContain('Message from Grace Hopper:\n\n> As discussed.')
  expect(mail?.text).toContain('Questions? Reply to this e-mail, or write to Grace Hopper (grace@acme.example).')
})

test('once that person has left, the contact answers', async () => {
  await organisation()
  const userId = await sentByGrace()
  await disablePerson(t.app, userId, SYSTEM)
  t.clock.pass({ days: 4 })
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  const mail = t.mails.findLast(({ to }) => to.address === ADA.email)
  expect(mail?.subject).toContain('Completed')
  expect(mail?.replyTo).toEqual(OFFICE)
})
