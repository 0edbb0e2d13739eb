/** What administrators change about people. */
import { describe, expect, test } from 'bun:test'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { authenticate, createKey } from '../../src/accounts/keys.ts'
import { changeRole, disablePerson, enablePerson, removePerson, renamePerson } from '../../src/accounts/manage.ts'
import { openSession, sessionUser } from '../../src/accounts/people.ts'
import { belongingsOf, listInvitations, listPeople, personById } from '../../src/accounts/people-queries.ts'
import { issueResetLink } from '../../src/accounts/reset.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { COMMAND_LINE, type SYSTEM } from '../../src/ports.ts'
import { addPerson } from '../support/accounts.ts'
import { signIn } from '../support/sign-in.ts'
import type { TestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const CLIENT = { ip: undefined, userAgent: undefined }
const PLAIN = { name: 'CRM', scopes: [], expiresInDays: undefined }

const t = useTestApp()

async function newest(): Promise<{ type: string; actor: string; data: unknown }> {
  const { entry } = await t.app.db.selectFrom('events').select('entry').orderBy('sequence', 'desc').executeTakeFirstOrThrow()
  const { type, actor, data } = JSON.parse(entry)
  return { type, actor, data }
}

async function lastMail() {
  await t.drain()
  return t.mails.at(-1)
}

describe('disabling', () => {
  test('ends sessions, keys and reset links at once, is in the audit log, and the person gets a mail', async () => {
    const ada = await addPerson(t, 'Ada', 'admin')
    const mia = await addPerson(t, 'Mia', 'member', { signsIn: true })
    const { token } = await openSession(t.app, mia, ['password'], CLIENT)
    const { key } = await createKey(t.app, { userId: mia.id }, PLAIN)
    await issueResetLink(t.app, mia.email, COMMAND_LINE)
    await disablePerson(t.app, mia.id, ada.origin)
    expect(await newest()).toEqual({ type: 'user.disabled', actor: `user:${ada.id}`, data: { userId: mia.id } })
    expect(await sessionUser(t.app, token)).toBeUndefined()
    expect(authenticate(t.app, key)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect(await t.app.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
    const credentials = { email: mia.email, password: mia.password, deviceToken: undefined }
    expect(signIn(t.app, credentials, CLIENT)).rejects.toMatchObject({ reason: 'forbidden' })
    expect(issueResetLink(t.app, mia.email, COMMAND_LINE)).rejects.toMatchObject({ reason: 'forbidden' })
    expect(await lastMail()).toMatchObject({ to: { address: mia.email }, subject: expect.stringContaining('was disabled') })
    await enablePerson(t.app, mia.id, ada.origin)
    expect(await signIn(t.app, credentials, CLIENT)).toMatchObject({ token: expect.any(String) })
    expect(authenticate(t.app, key)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect('head' in (await verifyChain(t.app.db))).toBe(true)
  })

  test('mails about documents of a disabled person go to the administrators', async () => {
    const ada = await addPerson(t, 'Ada', 'admin')
    const mia = await addPerson(t, 'Mia', 'member')
    const { addressesForOwner } = await import('../../src/accounts/notified.ts')
    expect(await t.app.write(tx => addressesForOwner(tx, mia.id))).toMatchObject([{ email: mia.email }])
    await disablePerson(t.app, mia.id, ada.origin)
    expect<unknown>(await t.app.write(tx => addressesForOwner(tx, mia.id))).toEqual([{ name: 'Ada', email: ada.email }])
  })

  test('withdraws the invitations of the person', async () => {
    const ada = await addPerson(t, 'Ada', 'admin')
    const bob = await addPerson(t, 'Bob', 'admin')
    const eve = { name: 'Eve', email: 'eve@example.com', role: 'admin', language: 'en' }
    await invitePerson(t.app, eve, 'link', bob.origin)
    await disablePerson(t.app, bob.id, ada.origin)
    expect(await listInvitations(t.app.db)).toEqual([])
  })
})

test('who is an administrator no more has no invitations open, nor a way back in by one', async () => {
  const [ada, bob] = [await addPerson(t, 'Ada', 'admin'), await addPerson(t, 'Bob', 'admin')]
  const eve = { name: 'Eve', email: 'eve@example.com', role: 'admin', language: 'en' }
  await invitePerson(t.app, eve, 'link', bob.origin)
  await changeRole(t.app, bob.id, 'member', ada.origin)
  expect(await listInvitations(t.app.db)).toEqual([])
})

describe('the last active administrator', () => {
  test('cannot be demoted, disabled or removed, also by the command line', async () => {
    const ada = await addPerson(t, 'Ada', 'admin')
    const bob = await addPerson(t, 'Bob', 'admin')
    await disablePerson(t.app, bob.id, ada.origin)
    for (const origin of [ada.origin, COMMAND_LINE]) {
      const attempts = [
        changeRole(t.app, ada.id, 'member', origin),
        disablePerson(t.app, ada.id, origin),
        removePerson(t.app, ada.id, origin),
      ]
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({ status: 'rejected', reason: { violation: { code: 'last_administrator' } } })
      }
    }
    expect(await personById(t.app.db, ada.id)).toMatchObject({ role: 'admin', disabledAt: undefined })
  })

  for (const [name, act] of Object.entries({
    disable: disablePerson,
    demote: (app: TestApp['app'], id: string, origin: typeof SYSTEM) => changeRole(app, id, 'member', origin),
    remove: removePerson,
  })) {
    test(`two administrators who ${name} each other at the same moment leave one`, async () => {
      const ada = await addPerson(t, 'Ada', 'admin')
      const bob = await addPerson(t, 'Bob', 'admin')
      const both = await Promise.allSettled([act(t.app, bob.id, ada.origin), act(t.app, ada.id, bob.origin)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const active = (await listPeople(t.app.db)).filter(({ role, disabledAt }) => role === 'admin' && !disabledAt)
      expect(active).toHaveLength(1)
    })

    test(`two administrators who ${name} themselves at the same moment leave one`, async () => {
      const ada = await addPerson(t, 'Ada', 'admin')
      const bob = await addPerson(t, 'Bob', 'admin')
      await Promise.allSettled([act(t.app, ada.id, ada.origin), act(t.app, bob.id, bob.origin)])
      const active = (await listPeople(t.app.db)).filter(({ role, disabledAt }) => role === 'admin' && !disabledAt)
      expect(active.length).toBeGreaterThan(0)
    })
  }
})

test('nobody disables or removes themself', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  await addPerson(t, 'Bob', 'admin')
  expect(disablePerson(t.app, ada.id, ada.origin)).rejects.toMatchObject({ reason: 'forbidden' })
  expect(removePerson(t.app, ada.id, ada.origin)).rejects.toMatchObject({ reason: 'forbidden' })
})

test('members and auditors change nobody', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  for (const role of ['member', 'auditor'] as const) {
    const { origin } = await addPerson(t, role, role)
    const attempts = [
      renamePerson(t.app, ada.id, 'X', origin),
      changeRole(t.app, ada.id, 'member', origin),
      disablePerson(t.app, ada.id, origin),
      enablePerson(t.app, ada.id, origin),
      removePerson(t.app, ada.id, origin),
    ]
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { reason: 'forbidden' } })
    }
  }
  expect(await personById(t.app.db, ada.id)).toMatchObject({ name: 'Ada', role: 'admin' })
})

test('a new role holds at once, and an auditor’s keys keep reading scopes only', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  const mia = await addPerson(t, 'Mia', 'member')
  const all = await createKey(t.app, { userId: mia.id }, PLAIN)
  const writing = await createKey(t.app, { userId: mia.id }, { ...PLAIN, scopes: ['documents:write'] })
  const { token } = await openSession(t.app, mia, ['password'], CLIENT)
  await changeRole(t.app, mia.id, 'auditor', ada.origin)
  expect(await newest()).toMatchObject({ type: 'user.role_changed', data: { from: 'member', to: 'auditor' } })
  expect((await authenticate(t.app, all.key)).scopes).toEqual(['documents:read', 'templates:read', 'webhooks:read'])
  expect(authenticate(t.app, writing.key)).rejects.toMatchObject({ reason: 'unauthorized' })
  expect((await sessionUser(t.app, token))?.actor).toMatchObject({ seesAll: true, isAdmin: false })
  expect(await lastMail()).toMatchObject({ subject: '[TEST] Your role is now: Auditor' })
})

test('a corrected name is personal data of the audit log, and the person gets a mail', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  const mia = await addPerson(t, 'Mia', 'member')
  await renamePerson(t.app, mia.id, '  Mia Maier ', ada.origin)
  expect(await personById(t.app.db, mia.id)).toMatchObject({ name: 'Mia Maier' })
  expect(await newest()).toEqual({ type: 'user.renamed', actor: `user:${ada.id}`, data: { userId: mia.id } })
  expect((await lastMail())?.text).toContain('from “Mia” to “Mia Maier”')
  expect(renamePerson(t.app, mia.id, ' ', ada.origin)).rejects.toMatchObject({ reason: 'validation_failed' })
})

test('a person without documents and webhooks can be removed, with everything else of theirs', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  const mia = await addPerson(t, 'Mia', 'member')
  await createKey(t.app, { userId: mia.id }, PLAIN)
  await openSession(t.app, mia, ['password'], CLIENT)
  expect(await belongingsOf(t.app.db, mia.id)).toEqual({ documents: 0, templates: 0, webhooks: 0, keys: 1 })
  await removePerson(t.app, mia.id, ada.origin)
  expect(await newest()).toMatchObject({ type: 'user.removed', data: { userId: mia.id } })
  expect(await personById(t.app.db, mia.id)).toBeUndefined()
  for (const table of ['sessions', 'api_keys'] as const) {
    expect(await t.app.db.selectFrom(table).selectAll().execute()).toEqual([])
  }
  expect(await lastMail()).toMatchObject({ to: { address: mia.email }, subject: '[TEST] Your account was removed' })
})

test('a change that changes nothing leaves no entry and sends no mail', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  const mia = await addPerson(t, 'Mia', 'member')
  const before = await t.app.db.selectFrom('events').select('id').execute()
  await changeRole(t.app, mia.id, 'member', ada.origin)
  await renamePerson(t.app, mia.id, 'Mia', ada.origin)
  await enablePerson(t.app, mia.id, ada.origin)
  expect(await t.app.db.selectFrom('events').select('id').execute()).toEqual(before)
  expect(await lastMail()).toBeUndefined()
})
