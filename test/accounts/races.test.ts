/** Changes of an account while a step of somebody who knows its old password is not finished. */
import { beforeEach, expect, test } from 'bun:test'
import { acceptInvitation, invitePerson } from '../../src/accounts/invitations.ts'
import { changePassword, listSessions } from '../../src/accounts/own-account.ts'
import { finishHeldSignIn, holdSignIn } from '../../src/accounts/pending-sign-in.ts'
import { createAdmin, openSession, verifySignIn } from '../../src/accounts/people.ts'
import { listPeople } from '../../src/accounts/people-queries.ts'
import { type User, userByEmail } from '../../src/accounts/queries.ts'
import { issueResetLink, setPasswordByLink } from '../../src/accounts/reset.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { type App, COMMAND_LINE, type Origin } from '../../src/ports.ts'
import { addPerson } from '../support/accounts.ts'
import { withSecondFactor } from '../support/second-factor.ts'
import { signIn } from '../support/sign-in.ts'
import { useTestApp } from '../support/use-app.ts'

const OLD = 'four sound words here'
const NEW = 'other words of the owner'
const THIEVES = 'words that a thief chose'
const CLIENT = { ip: '192.0.2.1', userAgent: 'Firefox' }
const GRACE = { email: 'grace@example.com', name: 'Grace Hopper', password: OLD }

const t = useTestApp()
let grace: User
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
  grace = (await userByEmail(t.app.db, GRACE.email)) as User
})

const ownOrigin = (): Origin => ({ ...COMMAND_LINE, ...CLIENT })
const verified = () => verifySignIn(t.app, { ...GRACE, deviceToken: undefined }, CLIENT)
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => (error instanceof Refusal ? error.reason : Promise.reject(error)),
  )

async function resetPassword(password = NEW): Promise<void> {
  const { token } = await issueResetLink(t.app, GRACE.email, COMMAND_LINE)
  await setPasswordByLink(t.app, token, password, CLIENT)
}

/** The app, with something else that happens while a new password is hashed. */
function whileHashing(work: () => Promise<void>): App {
  const passwords = {
    verify: t.app.passwords.verify.bind(t.app.passwords),
    async hash(password: string) {
      await work()
      return t.app.passwords.hash(password)
    },
  }
  return { ...t.app, passwords: passwords as unknown as App['passwords'] }
}

test('the old password opens no session once there is a new one, though it was verified before', async () => {
  const user = await verified()
  await resetPassword()
  expect(await refusalOf(openSession(t.app, user, ['password'], CLIENT))).toBe('unauthorized')
  expect(await listSessions(t.app, grace.id)).toEqual([])
})

test('nor does it with a code that was entered after it', async () => {
  const phone = await withSecondFactor(t.app, GRACE.email)
  const user = await verified()
  await resetPassword()
  const token = await holdSignIn(t.app, user, 'password', '/documents').catch(() => 'none')
  t.clock.pass({ minutes: 1 })
  const step = { token, entered: phone.code(), deviceToken: undefined }
  expect(await refusalOf(finishHeldSignIn(t.app, step, CLIENT))).not.toBe(undefined)
  expect(await listSessions(t.app, grace.id)).toEqual([])
})

test('a thief who is changing the password loses against the owner who resets it', async () => {
  const { token } = await signIn(t.app, { ...GRACE, deviceToken: undefined }, CLIENT)
  const change = { sessionToken: token, current: OLD, password: THIEVES }
  const app = whileHashing(() => resetPassword())
  expect(await refusalOf(changePassword(app, grace, change, ownOrigin()))).toBe('unauthorized')
  await signIn(t.app, { ...GRACE, password: NEW, deviceToken: undefined }, CLIENT)
})

test('an invitation to an address that got an account in another way says so, and changes nothing', async () => {
  const admin = await addPerson(t, 'Ada', 'admin')
  const mia = { name: 'Mia', email: 'mia@example.com', role: 'admin', language: 'en' }
  const link = await invitePerson(t.app, mia, 'link', admin.origin)
  await addPerson(t, 'Mia', 'member')
  const before = await listPeople(t.app.db)
  const accepted = acceptInvitation(t.app, link?.split('/').at(-1) ?? '', { name: 'Mia', password: NEW, language: 'en' }, CLIENT)
  expect(await refusalOf(accepted)).toBe('invalid_state')
  expect(await listPeople(t.app.db)).toEqual(before)
})
