/** Invitations: an account exists only after the invited person has chosen a password. */
import { beforeEach, expect, test } from 'bun:test'
import {
  acceptInvitation,
  invitationOfLink,
  invitePerson,
  renewInvitation,
  withdrawInvitation,
} from '../../src/accounts/invitations.ts'
import { listInvitations, listPeople } from '../../src/accounts/people-queries.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { signIn } from '../support/sign-in.ts'
import { ORIGIN } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const CLIENT = { ip: undefined, userAgent: undefined }
const EVE = { name: 'Eve', email: 'eve@example.com', role: 'auditor', language: 'de' }
const CHOICE = { name: 'Eve Moneypenny', password: 'four sound words here', language: 'de' as const }

const t = useTestApp()
let ada: TestPerson
beforeEach(async () => {
  ada = await addPerson(t, 'Ada', 'admin')
})

const tokenIn = (link: string | undefined) => link?.slice(`${ORIGIN}/invitation/`.length) ?? ''
const invite = async () => tokenIn(await invitePerson(t.app, EVE, 'link', ada.origin))
const gone = { reason: 'not_found' }

test('the link creates the account with the chosen name and password, once', async () => {
  const token = await invite()
  expect(await listPeople(t.app.db)).toHaveLength(1)
  const user = await acceptInvitation(t.app, token, CHOICE, CLIENT)
  expect(user).toMatchObject({ name: 'Eve Moneypenny', email: EVE.email, role: 'auditor', language: 'de' })
  expect(await listInvitations(t.app.db)).toEqual([])
  await signIn(t.app, { email: EVE.email, password: CHOICE.password, deviceToken: undefined }, CLIENT)
  expect(acceptInvitation(t.app, token, CHOICE, CLIENT)).rejects.toMatchObject(gone)
})

test('two who accept at the same moment make one account', async () => {
  const token = await invite()
  const both = await Promise.allSettled([1, 2].map(() => acceptInvitation(t.app, token, CHOICE, CLIENT)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await listPeople(t.app.db)).toHaveLength(2)
})

test('a refused password leaves the link valid', async () => {
  const token = await invite()
  const weak = acceptInvitation(t.app, token, { ...CHOICE, password: 'short' }, CLIENT)
  expect(weak).rejects.toMatchObject({ reason: 'validation_failed', details: [{ path: 'password' }] })
  expect(acceptInvitation(t.app, token, { ...CHOICE, name: '' }, CLIENT)).rejects.toMatchObject({ details: [{ path: 'name' }] })
  expect(await invitationOfLink(t.app, token)).toMatchObject({ email: EVE.email })
})

test('the link is valid for seven days', async () => {
  const token = await invite()
  t.clock.pass({ days: 7, seconds: -1 })
  expect(await invitationOfLink(t.app, token)).toMatchObject({ email: EVE.email })
  t.clock.pass({ seconds: 1 })
  expect(invitationOfLink(t.app, token)).rejects.toMatchObject(gone)
  expect(acceptInvitation(t.app, token, CHOICE, CLIENT)).rejects.toMatchObject(gone)
})

test('a renewed invitation has a new link, and the earlier one is void', async () => {
  const first = await invite()
  const [{ id = '' } = {}] = await listInvitations(t.app.db)
  const second = tokenIn(await renewInvitation(t.app, id, 'link', ada.origin))
  expect(second).not.toBe(first)
  expect(invitationOfLink(t.app, first)).rejects.toMatchObject(gone)
  await acceptInvitation(t.app, second, CHOICE, CLIENT)
})

test('a withdrawn invitation is void, and the address can be invited again', async () => {
  const token = await invite()
  const [{ id = '' } = {}] = await listInvitations(t.app.db)
  await withdrawInvitation(t.app, id, ada.origin)
  expect(invitationOfLink(t.app, token)).rejects.toMatchObject(gone)
  expect(withdrawInvitation(t.app, id, ada.origin)).rejects.toMatchObject(gone)
  await invite()
})

test('the mail has the link in the person’s language, and no row of the database contains it', async () => {
  expect(await invitePerson(t.app, EVE, 'mail', ada.origin)).toBeUndefined()
  await t.drain()
  const [mail] = t.mails
  expect(mail).toMatchObject({ to: { address: EVE.email }, subject: '[TEST] Ada lädt Sie zu Signet ein' })
  const [, token = ''] = /invitation\/([\w-]{43})/.exec(mail?.text ?? '') ?? []
  for (const table of ['mails', 'invitations', 'events', 'jobs'] as const) {
    expect(JSON.stringify(await t.app.db.selectFrom(table).selectAll().execute())).not.toContain(token)
  }
  await acceptInvitation(t.app, token, CHOICE, CLIENT)
})

test('an address that has an account or an invitation is refused', async () => {
  const known = invitePerson(t.app, { ...EVE, email: 'ADA@example.com' }, 'link', ada.origin)
  expect(known).rejects.toMatchObject({ details: [{ path: 'email' }] })
  await invite()
  const twice = invitePerson(t.app, { ...EVE, email: 'Eve@Example.com' }, 'link', ada.origin)
  expect(twice).rejects.toMatchObject({ details: [{ path: 'email', code: 'invited_already' }] })
  const unknown = invitePerson(t.app, { ...EVE, email: 'x@example.com', role: 'root' }, 'link', ada.origin)
  expect(unknown).rejects.toMatchObject({ details: [{ path: 'role' }] })
})

test('only an administrator invites', async () => {
  for (const role of ['member', 'auditor'] as const) {
    const { origin } = await addPerson(t, role, role)
    expect(invitePerson(t.app, EVE, 'link', origin)).rejects.toMatchObject({ reason: 'forbidden' })
  }
})
