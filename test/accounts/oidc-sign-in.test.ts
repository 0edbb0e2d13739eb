/** Whom verified claims of the identity provider sign in, and what they never give. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { linkOwnIdentity } from '../../src/accounts/oidc-identity.ts'
import { signInByProvider } from '../../src/accounts/oidc-sign-in.ts'
import { verifySignIn } from '../../src/accounts/people.ts'
import { listInvitations, listPeople } from '../../src/accounts/people-queries.ts'
import { userByEmail } from '../../src/accounts/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { readOpenIdConnect } from '../../src/settings/openid-connect.ts'
import { changeServiceSettings, type SettingChanges } from '../../src/settings/service-settings.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { useTestApp } from '../support/use-app.ts'

const CLIENT = { ip: '192.0.2.1', userAgent: 'Firefox' }
const EVE = { name: 'Eve', email: 'eve@example.com', language: 'en' }

const t = useTestApp()
let grace: TestPerson
beforeEach(async () => {
  grace = await addPerson(t, 'Grace', 'admin')
  const provider = { oidcIssuer: 'https://login.example.com', oidcClientId: 'signet', oidcClientSecret: 'x', oidcName: 'ID' }
  await configure({ ...provider, oidcDomains: 'example.com' })
})

const configure = (changes: SettingChanges) => t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, changes))

async function proofOf(email: string, sub = email) {
  const settings = await readOpenIdConnect(t.app)
  if (!settings) throw new Error('there is a provider')
  return { settings, claims: { sub, email, email_verified: true, name: 'Somebody' } }
}

const signIn = async (email: string, sub = email) => signInByProvider(t.app, await proofOf(email, sub), CLIENT)

/** The reason of a refusal after which accounts, invitations and identities are as before. */
async function refusalOf(email: string): Promise<string> {
  const state = async () =>
    JSON.stringify([
      await listPeople(t.app.db),
      await listInvitations(t.app.db),
      await t.app.db.selectFrom('oidc_identities').selectAll().execute(),
    ])
  const before = await state()
  const refused = await signIn(email).then(
    () => 'signed in',
    error => `${error.reason}: ${error.message}`,
  )
  expect(await state()).toBe(before)
  return refused
}

describe('an invitation', () => {
  test('is accepted by the person whom the provider names, with its role and name, once', async () => {
    await invitePerson(t.app, { ...EVE, role: 'auditor' }, 'mail', grace.origin)
    const { user } = await signIn('EVE@example.com')
    expect(user).toMatchObject({ name: 'Eve', role: 'auditor', passwordHash: '' })
    expect(await listInvitations(t.app.db)).toEqual([])
    expect((await signIn('eve@example.com', 'EVE@example.com')).user.id).toBe(user.id)
  })

  test('for an administrator needs its link, and one that has expired is none', async () => {
    await invitePerson(t.app, { ...EVE, role: 'admin' }, 'mail', grace.origin)
    expect(await refusalOf(EVE.email)).toBe('forbidden: provider_invitation_open')
    await invitePerson(t.app, { ...EVE, email: 'bob@example.com', role: 'member' }, 'mail', grace.origin)
    t.clock.pass({ days: 8 })
    expect(await refusalOf('bob@example.com')).toBe('forbidden: provider_invitation_open')
  })
})

describe('without entrusted domains', () => {
  beforeEach(() => configure({ oidcDomains: '' }))

  test('no account and no invitation is taken by its address', async () => {
    await addPerson(t, 'Mia', 'member')
    await invitePerson(t.app, { ...EVE, role: 'member' }, 'mail', grace.origin)
    expect(await refusalOf('mia@example.com')).toBe('forbidden: provider_account_unlinked')
    expect(await refusalOf(EVE.email)).toBe('forbidden: provider_invitation_open')
    expect(await refusalOf('nobody@example.com')).toBe('forbidden: provider_account_missing')
  })
})

describe('a disabled person', () => {
  const disable = (id: string) =>
    t.app.write(tx => tx.updateTable('users').set({ disabled_at: 'x' }).where('id', '=', id).execute())

  test('is not linked', async () => {
    await disable((await addPerson(t, 'Mia', 'member')).id)
    expect(await refusalOf('mia@example.com')).toBe('forbidden: account_disabled')
  })

  test('who is linked gets no role and leaves no trace of a use', async () => {
    const { user } = await signIn((await addPerson(t, 'Mia', 'member')).email)
    await configure({ oidcRoleClaim: 'name', oidcAuditors: 'Somebody' })
    await disable(user.id)
    t.clock.pass({ minutes: 5 })
    expect(await refusalOf('mia@example.com')).toBe('forbidden: account_disabled')
  })
})

test('the provider counts as a second factor only where an administrator says so', async () => {
  await addPerson(t, 'Mia', 'member')
  expect((await signIn('mia@example.com')).method).toBe('oidc')
  await configure({ oidcSecondFactor: 'provider' })
  expect((await signIn('mia@example.com')).method).toBe('oidc_with_factor')
})

test('an identity belongs to one person: nobody else links it, whoever signs in there', async () => {
  await addPerson(t, 'Mia', 'member')
  const { user } = await signIn('mia@example.com')
  const admin = await userByEmail(t.app.db, grace.email)
  const proof = await proofOf('mia@example.com')
  expect(linkOwnIdentity(t.app, admin ?? user, proof, grace.origin)).rejects.toMatchObject({ reason: 'forbidden' })
  await linkOwnIdentity(t.app, user, proof, SYSTEM)
})

test('an account without a password opens with none, as an unknown one', async () => {
  await invitePerson(t.app, { ...EVE, role: 'member' }, 'mail', grace.origin)
  await signIn(EVE.email)
  for (const password of ['', 'nobody has this password']) {
    const entered = { email: EVE.email, password, deviceToken: undefined }
    expect(verifySignIn(t.app, entered, CLIENT)).rejects.toMatchObject({ reason: 'unauthorized' })
  }
})
