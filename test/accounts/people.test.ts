/** Users: the set-up link, sign-in with growing pauses, sessions. */
import { beforeEach, describe, expect, test } from 'bun:test'
import {
  confirmIdentity,
  createAdmin,
  isSetupTokenValid,
  issueSetupToken,
  sessionUser,
  setUp,
  signOut,
  verifySignIn,
} from '../../src/accounts/people.ts'
import { chainEvent } from '../../src/audit/log.ts'
import { eventsAfter } from '../../src/audit/queries.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { createFirstSealCertificate, describeSealCertificate } from '../../src/settings/seal-certificate.ts'
import { signIn } from '../support/sign-in.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp({ SIGNET_SEAL_KEY: 'ec-p256' })
const CLIENT = { ip: '192.0.2.7', userAgent: 'Firefox' }
const PASSWORD = 'four words make sense'
const ADA = { email: 'ada@example.com', name: 'Ada Lovelace', password: PASSWORD }
const SETUP = { ...ADA, organisation: 'Example Ltd', timeZone: 'Europe/Berlin', language: 'de' }

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const outcome = await work.then(
    () => undefined,
    error => error as unknown,
  )
  if (outcome instanceof Refusal) return outcome
  throw outcome ?? new Error('nothing was refused')
}

const rows = (sql: string) => t.database.sql(sql)
const enter = (email: string, password: string, ip = CLIENT.ip, deviceToken?: string) =>
  signIn(t.app, { email, password, deviceToken }, { ...CLIENT, ip })
const wrong = (email = ADA.email, ip = CLIENT.ip, deviceToken?: string) =>
  refusalOf(enter(email, 'not the password', ip, deviceToken))

describe('the set-up link', () => {
  test('creates the first administrator and the organisation, once', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    expect(await isSetupTokenValid(t.app, token)).toBe(true)
    expect(JSON.stringify(await rows('SELECT * FROM setup_links'))).not.toContain(token)
    const { id } = await setUp(t.app, token, SETUP, CLIENT)
    expect(await rows('SELECT id, email, name, role FROM users')).toEqual([
      { id, email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin' },
    ])
    expect(await readOrganisation(t.app.db)).toMatchObject({
      name: 'Example Ltd',
      contact: 'ada@example.com',
      timeZone: 'Europe/Berlin',
      language: 'de',
      logoSha256: undefined,
    })
    expect(await isSetupTokenValid(t.app, token)).toBe(false)
    expect((await refusalOf(setUp(t.app, token, { ...SETUP, email: 'eve@example.com' }, CLIENT))).reason).toBe('not_found')
    expect(await rows('SELECT id FROM users')).toHaveLength(1)
  })

  test('is in the audit log with the person who used it, and so is the first certificate, which replaces the one of the start', async () => {
    await createFirstSealCertificate(t.app)
    const token = (await issueSetupToken(t.app)) ?? ''
    const before = await describeSealCertificate(t.app.db)
    const { id } = await setUp(t.app, token, SETUP, CLIENT)
    const { sha256 } = await describeSealCertificate(t.app.db)
    const events = (await eventsAfter(t.app.db, 0, 10)).map(chainEvent)
    expect(events.map(({ type, actor, ip }) => ({ type, actor, ip })).slice(1)).toEqual([
      { type: 'instance.set_up', actor: `user:${id}`, ip: CLIENT.ip },
      { type: 'seal_certificate.created', actor: `user:${id}`, ip: CLIENT.ip },
    ])
    expect(events.at(-1)?.data).toEqual({ sha256, previousSha256: before.sha256 })
    expect(sha256).not.toBe(before.sha256)
  })

  test('used twice at the same time creates one administrator', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    const both = await Promise.allSettled([
      setUp(t.app, token, SETUP, CLIENT),
      setUp(t.app, token, { ...SETUP, email: 'eve@example.com' }, CLIENT),
    ])
    expect(both.map(b => b.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await rows('SELECT id FROM users')).toHaveLength(1)
  })

  test('creates administrator, organisation and seal certificate in one transaction, or none of them', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    const before = t.writes()
    await rows('ALTER TABLE seal_certificates RENAME COLUMN chain TO renamed')
    expect(await setUp(t.app, token, SETUP, CLIENT).catch(String)).toContain('chain')
    for (const table of ['users', 'settings', 'secrets']) expect(await rows(`SELECT * FROM ${table}`)).toEqual([])
    expect(await isSetupTokenValid(t.app, token)).toBe(true)
    await rows('ALTER TABLE seal_certificates RENAME COLUMN renamed TO chain')
    await setUp(t.app, token, SETUP, CLIENT)
    expect(t.writes() - before).toBe(2)
    expect(await rows('SELECT active FROM seal_certificates')).toEqual([{ active: 1 }])
  })

  test('that is used or wrong creates no certificate', async () => {
    await refusalOf(setUp(t.app, 'x', SETUP, CLIENT))
    expect(await rows('SELECT id FROM seal_certificates')).toEqual([])
  })

  test('is valid for thirty minutes', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    t.clock.pass({ minutes: 29, seconds: 59 })
    expect(await isSetupTokenValid(t.app, token)).toBe(true)
    t.clock.pass({ seconds: 1 })
    expect(await isSetupTokenValid(t.app, token)).toBe(false)
    expect((await refusalOf(setUp(t.app, token, SETUP, CLIENT))).reason).toBe('not_found')
  })

  test('is replaced by that of a new start', async () => {
    const old = (await issueSetupToken(t.app)) ?? ''
    const fresh = (await issueSetupToken(t.app)) ?? ''
    expect(await isSetupTokenValid(t.app, old)).toBe(false)
    expect(await isSetupTokenValid(t.app, fresh)).toBe(true)
  })

  test('is not created once there is an administrator, and an earlier one becomes invalid', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    await createAdmin(t.app, ADA)
    expect(await isSetupTokenValid(t.app, token)).toBe(false)
    expect(await issueSetupToken(t.app)).toBeUndefined()
  })

  test('with a wrong token is not found', async () => {
    await issueSetupToken(t.app)
    expect((await refusalOf(setUp(t.app, 'x', SETUP, CLIENT))).reason).toBe('not_found')
  })

  test('stays valid after a refused form, which reports every error', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    const empty = { email: 'ada', name: '', password: 'short', organisation: ' ', timeZone: 'Mars/Olympus', language: 'xx' }
    const refusal = await refusalOf(setUp(t.app, token, empty, CLIENT))
    expect(refusal.details.map(f => f.path)).toEqual(['email', 'name', 'password', 'organisation', 'timeZone', 'language'])
    expect(await isSetupTokenValid(t.app, token)).toBe(true)
  })

  test('names are stored without invisible characters', async () => {
    const token = (await issueSetupToken(t.app)) ?? ''
    await setUp(t.app, token, { ...SETUP, name: 'Ada\u202e Lovelace', organisation: 'Example\u202e Ltd' }, CLIENT)
    expect(await rows('SELECT name FROM users')).toEqual([{ name: 'Ada Lovelace' }])
    expect((await readOrganisation(t.app.db)).name).toBe('Example Ltd')
  })
})

describe('an administrator', () => {
  test('has a unique address, whatever its case', async () => {
    await createAdmin(t.app, ADA)
    const refusal = await refusalOf(createAdmin(t.app, { ...ADA, email: 'ADA@example.com' }))
    expect(refusal.details.map(f => f.path)).toEqual(['email'])
  })

  test('has a password that is stored as argon2id and is not a common one', async () => {
    await createAdmin(t.app, ADA)
    const [{ password_hash } = {}] = await rows('SELECT password_hash FROM users')
    // The costs are those of the hasher, which has tests of its own.
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$/)
    for (const password of ['elevenchars', 'passwordpassword', 'aaaaaaaaaaaaaaaa']) {
      const refusal = await refusalOf(createAdmin(t.app, { ...ADA, email: 'ben@example.com', password }))
      expect([password, refusal.details.map(f => f.path)]).toEqual([password, ['password']])
    }
  })
})

describe('signing in', () => {
  beforeEach(() => createAdmin(t.app, ADA))

  test('opens a session, whatever the case of the address', async () => {
    const { token } = await enter('Ada@Example.com', PASSWORD)
    const session = await sessionUser(t.app, token)
    expect(session).toMatchObject({ user: { email: 'ada@example.com' }, actor: { seesAll: true }, confirmed: true })
    expect(await rows('SELECT token_sha256, ip, user_agent FROM sessions')).toEqual([
      { token_sha256: sha256Hex(token), ip: '192.0.2.7', user_agent: 'Firefox' },
    ])
  })

  test('gives each sign-in its own token', async () => {
    const { token: one } = await enter(ADA.email, PASSWORD)
    const { token: two } = await enter(ADA.email, PASSWORD)
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[\w-]{43}$/)
  })

  test('gives the same error for a wrong password and an unknown address', async () => {
    const known = await wrong()
    const unknown = await wrong('nobody@example.com')
    expect([known.reason, known.message]).toEqual([unknown.reason, unknown.message])
    expect(known.reason).toBe('unauthorized')
    expect(JSON.stringify(t.logged)).not.toContain('not the password')
  })

  test('demands growing pauses from the fifth failure on', async () => {
    const pauses: (number | undefined)[] = []
    for (let i = 0; i < 5; i++) expect((await wrong()).reason).toBe('unauthorized')
    for (let i = 0; i < 6; i++) {
      const refusal = await wrong()
      expect(refusal.reason).toBe('rate_limited')
      pauses.push(refusal.retryAfterS)
      t.clock.pass({ seconds: refusal.retryAfterS ?? 0 })
      expect((await wrong()).reason).toBe('unauthorized')
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64])
  })

  test('demands at most fifteen minutes, and never locks an account', async () => {
    await wrong()
    await rows('UPDATE sign_in_failures SET failures = 5000')
    expect((await wrong()).reason).toBe('unauthorized')
    expect((await wrong()).retryAfterS).toBe(900)
    t.clock.pass({ minutes: 15 })
    await enter(ADA.email, PASSWORD)
    expect(await rows('SELECT * FROM sign_in_failures')).toEqual([])
  })

  test('refuses even the right password during a pause', async () => {
    for (let i = 0; i < 5; i++) await wrong()
    expect((await refusalOf(enter(ADA.email, PASSWORD))).reason).toBe('rate_limited')
    expect(await rows('SELECT * FROM sessions')).toEqual([])
  })

  test('counts each of many simultaneous attempts', async () => {
    await Promise.all(Array.from({ length: 8 }, () => wrong()))
    const [{ failures } = {}] = await rows('SELECT failures FROM sign_in_failures')
    expect(failures).toBeGreaterThanOrEqual(5)
    expect((await wrong()).reason).toBe('rate_limited')
  })

  test('does not reveal by its pauses whether an address is known', async () => {
    const reasons = async (email: string) => {
      const errors: string[] = []
      for (let i = 0; i < 7; i++) errors.push((await wrong(email)).reason)
      return errors
    }
    expect(await reasons('nobody@example.com')).toEqual(await reasons(ADA.email))
  })

  test('nor by its work: each attempt commits as often for an unknown address', async () => {
    const commits = async (email: string) => {
      const counts: number[] = []
      for (let i = 0; i < 7; i++) {
        let count = 0
        const write: App['write'] = (work, options) => {
          count++
          return t.app.write(work, options)
        }
        await verifySignIn({ ...t.app, write }, { ...ADA, email, password: 'x', deviceToken: undefined }, CLIENT).catch(() => {})
        counts.push(count)
      }
      return counts
    }
    const known = await commits(ADA.email)
    expect(await commits('nobody@example.com')).toEqual(known)
    expect(Math.max(...known)).toBe(2)
  })
})

describe('a session', () => {
  let token: string
  beforeEach(async () => {
    await createAdmin(t.app, ADA)
    token = (await signIn(t.app, { ...ADA, deviceToken: undefined }, CLIENT)).token
  })
  const lives = async () => (await sessionUser(t.app, token)) !== undefined

  test('ends after eight hours without use', async () => {
    t.clock.pass({ hours: 2 })
    expect(await lives()).toBe(true)
    t.clock.pass({ hours: 8 })
    expect(await lives()).toBe(true)
    const other = (await signIn(t.app, { ...ADA, deviceToken: undefined }, CLIENT)).token
    t.clock.pass({ hours: 8, seconds: 1 })
    expect(await sessionUser(t.app, other)).toBeUndefined()
  })

  test('is kept alive by use, but not beyond twelve hours', async () => {
    for (let hour = 0; hour < 24; hour++) {
      expect([hour, await lives()]).toEqual([hour, true])
      t.clock.pass({ minutes: 30 })
    }
    expect(await lives()).toBe(true)
    t.clock.pass({ seconds: 1 })
    expect(await lives()).toBe(false)
  })

  test('is stored as used at most once a minute', async () => {
    const before = t.writes()
    t.clock.pass({ seconds: 60 })
    await lives()
    expect(t.writes()).toBe(before)
    t.clock.pass({ seconds: 1 })
    await lives()
    expect(t.writes()).toBe(before + 1)
  })

  test('ends with its sign-out, and other sessions stay', async () => {
    const { token: other } = await enter(ADA.email, PASSWORD)
    await signOut(t.app, token, SYSTEM)
    expect(await lives()).toBe(false)
    expect(await sessionUser(t.app, other)).toBeDefined()
  })

  test('ends with its user', async () => {
    await rows('DELETE FROM users')
    expect(await lives()).toBe(false)
  })

  test('that is unknown has no user', async () => {
    expect(await sessionUser(t.app, 'x')).toBeUndefined()
  })

  test('is confirmed for 15 minutes, and again after the password was entered', async () => {
    const user = (await sessionUser(t.app, token))?.user
    if (!user) throw new Error('no session')
    t.clock.pass({ minutes: 15 })
    expect((await sessionUser(t.app, token))?.confirmed).toBe(false)
    expect((await refusalOf(confirmIdentity(t.app, token, user, 'not the password'))).details[0]?.path).toBe('password')
    expect((await sessionUser(t.app, token))?.confirmed).toBe(false)
    await confirmIdentity(t.app, token, user, PASSWORD)
    expect((await sessionUser(t.app, token))?.confirmed).toBe(true)
  })

  test('does not allow guessing the password: wrong confirmations count as failures', async () => {
    const user = (await sessionUser(t.app, token))?.user
    if (!user) throw new Error('no session')
    for (let i = 0; i < 6; i++) await refusalOf(confirmIdentity(t.app, token, user, 'not the password'))
    expect((await refusalOf(confirmIdentity(t.app, token, user, PASSWORD))).reason).toBe('rate_limited')
  })
})
