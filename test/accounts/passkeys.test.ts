/** Passkeys: registering, signing in, confirming, and what an attacker tries. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { passkeysOf } from '../../src/accounts/passkey-queries.ts'
import {
  confirmByPasskey,
  register,
  removePasskey,
  renamePasskey,
  startConfirmation,
  startRegistration,
  startSignIn,
  verifyPasskeySignIn,
} from '../../src/accounts/passkeys.ts'
import { createAdmin, openSession, sessionUser } from '../../src/accounts/people.ts'
import { type User, userByEmail } from '../../src/accounts/queries.ts'
import { actorOfUser } from '../../src/accounts/rights.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { passkeySiteOf } from '../../src/lib/web-authn.ts'
import type { Origin } from '../../src/ports.ts'
import { type Deviation, SoftAuthenticator } from '../support/soft-authenticator.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const SITE = 'http://localhost:3000'
const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const OTHER = { email: 'theo@example.com', name: 'Theo', password: 'quite other words here' }
const CLIENT = { ip: '192.0.2.1', userAgent: 'Firefox' }
const HERE = { browser: 'token of this browser' }
const ELSEWHERE = { browser: 'token of another browser' }

let t: TestApp
let grace: User
let theo: User
let phone: SoftAuthenticator
beforeEach(async () => {
  t = await openTestApp({ env: { SIGNET_BASE_URL: SITE } })
  await createAdmin(t.app, ADMIN)
  await createAdmin(t.app, OTHER)
  grace = (await userByEmail(t.app.db, ADMIN.email)) as User
  theo = (await userByEmail(t.app.db, OTHER.email)) as User
  phone = await registered(grace)
})
afterEach(() => t.close())

const originOf = (user: User): Origin => ({ actor: actorOfUser(user), ...CLIENT })

async function registered(user: User, name = 'Phone'): Promise<SoftAuthenticator> {
  const made = new SoftAuthenticator(SITE, 'localhost')
  const response = made.create(await startRegistration(t.app, user, HERE))
  await register(t.app, user, { ...HERE, name, response }, originOf(user))
  return made
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => (error instanceof Refusal ? `${error.reason}: ${error.message}` : String(error)),
  )

const NOT_ACCEPTED = 'unauthorized: passkey_refused'

async function signIn(device = phone, deviation: Deviation = {}): Promise<User> {
  const response = device.get(await startSignIn(t.app, HERE), deviation)
  return verifyPasskeySignIn(t.app, { ...HERE, response }, CLIENT)
}

async function events(): Promise<string[]> {
  const rows = await t.app.db.selectFrom('events').select('entry').where('document_id', 'is', null).orderBy('sequence').execute()
  return rows.map(row => (JSON.parse(row.entry) as { type: string }).type)
}

test('each change is in the audit chain and mailed', async () => {
  const [{ id = '' } = {}] = await passkeysOf(t.app.db, grace.id)
  await renamePasskey(t.app, grace, id, 'Old phone', originOf(grace))
  await renamePasskey(t.app, grace, id, 'Old phone', originOf(grace))
  await removePasskey(t.app, grace, id, originOf(grace))
  const own = (await events()).filter(type => type.startsWith('user.passkey'))
  expect(own).toEqual(['user.passkey_added', 'user.passkey_renamed', 'user.passkey_removed'])
  expect('head' in (await verifyChain(t.app.db))).toBe(true)
  await t.drain()
  expect(t.mails.map(m => m.subject)).toEqual(
    ['A passkey was added', 'A passkey was renamed', 'A passkey was removed'].map(subject => `[TEST] ${subject}`),
  )
  expect(await refusalOf(signIn())).toBe(NOT_ACCEPTED)
})

test('the options ask for a resident key and the user’s verification, and exclude what is registered', async () => {
  const options = await startRegistration(t.app, grace, HERE)
  expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  expect(options.excludeCredentials?.map(({ id }) => id)).toEqual([phone.id])
  expect(await startSignIn(t.app, HERE)).toMatchObject({ userVerification: 'required', rpId: 'localhost' })
})

test('nobody can rename or remove a passkey of somebody else', async () => {
  expect(await refusalOf(removePasskey(t.app, theo, phone.id, originOf(theo)))).toStartWith('not_found')
  expect(await refusalOf(renamePasskey(t.app, theo, phone.id, 'Mine', originOf(theo)))).toStartWith('not_found')
})

describe('a registration is refused', () => {
  const attempt = async (deviation: Deviation, asked = HERE, answered = HERE) => {
    const made = new SoftAuthenticator(SITE, 'localhost')
    const response = made.create(await startRegistration(t.app, grace, asked), deviation)
    return refusalOf(register(t.app, grace, { ...answered, name: 'Key', response }, originOf(grace)))
  }
  const cases: [string, () => Promise<string | undefined>][] = [
    ['of another origin', () => attempt({ origin: 'https://evil.example' })],
    ['for another host', () => attempt({ host: 'evil.example' })],
    ['without verification of the user', () => attempt({ isVerified: false })],
    ['from another browser', () => attempt({}, HERE, ELSEWHERE)],
    ['that is no JSON', () => refusalOf(register(t.app, grace, { ...HERE, name: 'Key', response: '{' }, originOf(grace)))],
  ]
  for (const [name, run] of cases) {
    test(name, async () => {
      expect(await run()).toBe('validation_failed: passkey_not_registered')
      expect((await passkeysOf(t.app.db, grace.id)).length).toBe(1)
    })
  }

  test('for the challenge of another person, and a second time', async () => {
    const made = new SoftAuthenticator(SITE, 'localhost')
    const response = made.create(await startRegistration(t.app, grace, HERE))
    const by = (user: User) => refusalOf(register(t.app, user, { ...HERE, name: 'Key', response }, originOf(user)))
    expect(await by(theo)).toStartWith('validation_failed')
    expect(await by(grace)).toBeUndefined()
    expect(await by(grace)).toStartWith('validation_failed')
  })
})

describe('a sign-in', () => {
  test('names the person, and notes the use', async () => {
    expect((await signIn()).id).toBe(grace.id)
    const [passkey] = await passkeysOf(t.app.db, grace.id)
    expect(passkey).toMatchObject({ counter: 1, lastUsedAt: t.clock.now, isBackedUp: false })
  })

  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const deviations: [string, Deviation][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { host: 'evil.example' }],
    ['no verification of the user', { isVerified: false }],
    ['the handle of another user', { userHandle: Buffer.from('usr_other').toString('base64url') }],
    ['a wrong signature', { key }],
  ]
  for (const [name, deviation] of deviations) {
    test(`is refused with ${name}, in one sentence`, async () => {
      expect(await refusalOf(signIn(phone, deviation))).toBe(NOT_ACCEPTED)
      expect((await signIn()).id).toBe(grace.id)
    })
  }

  test('is refused with an unknown passkey in the same sentence', async () => {
    expect(await refusalOf(signIn(new SoftAuthenticator(SITE, 'localhost')))).toBe(NOT_ACCEPTED)
  })

  test('is refused with a forged challenge, with one of another browser, of another purpose, and too late', async () => {
    const verify = (response: string, where = HERE) => refusalOf(verifyPasskeySignIn(t.app, { ...where, response }, CLIENT))
    expect(await verify(phone.get({ challenge: 'Zm9yZ2Vk' }))).toBe(NOT_ACCEPTED)
    expect(await verify(phone.get(await startSignIn(t.app, ELSEWHERE)))).toBe(NOT_ACCEPTED)
    expect(await verify(phone.get(await startConfirmation(t.app, grace, HERE)))).toBe(NOT_ACCEPTED)
    const late = phone.get(await startSignIn(t.app, HERE))
    t.clock.pass({ minutes: 5 })
    expect(await verify(late)).toBe(NOT_ACCEPTED)
  })

  test('counts once: the same response is refused the second time', async () => {
    const response = phone.get(await startSignIn(t.app, HERE))
    await verifyPasskeySignIn(t.app, { ...HERE, response }, CLIENT)
    expect(await refusalOf(verifyPasskeySignIn(t.app, { ...HERE, response }, CLIENT))).toBe(NOT_ACCEPTED)
  })

  test('is refused, recorded and mailed when the counter went back', async () => {
    await signIn(phone, { counter: 10 })
    for (const counter of [10, 9, 0]) expect(await refusalOf(signIn(phone, { counter }))).toBe(NOT_ACCEPTED)
    expect((await events()).filter(type => type === 'user.passkey_refused').length).toBe(3)
    await t.drain()
    expect(t.mails.map(m => m.subject)).toContain('[TEST] A passkey was refused')
    expect((await signIn(phone, { counter: 11 })).id).toBe(grace.id)
  })

  test('a forged response with a low counter reports nothing', async () => {
    await signIn(phone, { counter: 10 })
    expect(await refusalOf(signIn(phone, { counter: 1, key }))).toBe(NOT_ACCEPTED)
    expect(await events()).not.toContain('user.passkey_refused')
  })

  test('an authenticator without a counter always sends zero', async () => {
    for (let i = 0; i < 3; i++) expect((await signIn(phone, { counter: 0 })).id).toBe(grace.id)
  })

  test('of a disabled person is refused', async () => {
    const disabled_at = t.clock.now.toISOString()
    await t.app.write(tx => tx.updateTable('users').set({ disabled_at }).where('id', '=', grace.id).execute())
    expect(await refusalOf(signIn())).toBe('forbidden: account_disabled')
  })
})

describe('the proof before sensitive changes', () => {
  test('is given by a passkey of the same person only', async () => {
    const { token } = await openSession(t.app, grace, ['passkey'], CLIENT)
    t.clock.pass({ minutes: 16 })
    expect(await sessionUser(t.app, token)).toMatchObject({ confirmed: false, hasPasskey: true })
    const confirm = async (device: SoftAuthenticator) => {
      const response = device.get(await startConfirmation(t.app, grace, HERE))
      return refusalOf(confirmByPasskey(t.app, { user: grace, token }, { ...HERE, response }, CLIENT))
    }
    expect(await confirm(await registered(theo))).toStartWith('validation_failed')
    const { challenge } = await startRegistration(t.app, grace, HERE)
    const response = phone.get({ challenge })
    const other = confirmByPasskey(t.app, { user: grace, token }, { ...HERE, response }, CLIENT)
    expect(await refusalOf(other)).toStartWith('validation_failed')
    expect((await sessionUser(t.app, token))?.confirmed).toBe(false)
    expect(await confirm(phone)).toBeUndefined()
    expect((await sessionUser(t.app, token))?.confirmed).toBe(true)
  })
})

test('passkeys belong to hosts with https, and to localhost: never to an IP address', () => {
  const host = (url: string) => passkeySiteOf(url)?.host
  expect(['https://sign.example.com', 'http://localhost:3000', 'https://localhost'].map(host)).toEqual([
    'sign.example.com',
    'localhost',
    'localhost',
  ])
  expect(['http://sign.example.com', 'https://192.0.2.7', 'https://[2001:db8::1]', 'http://127.0.0.1:3000'].map(host)).toEqual(
    Array(4).fill(undefined),
  )
})
