/** The second factor: setting it up, signing in with it, and what an attacker tries. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { endSessions, listSessions } from '../../src/accounts/own-account.ts'
import { finishHeldSignIn, heldSignIn, holdSignIn } from '../../src/accounts/pending-sign-in.ts'
import { confirmIdentity, createAdmin, openSession, sessionUser, verifySignIn } from '../../src/accounts/people.ts'
import { type User, userByEmail } from '../../src/accounts/queries.ts'
import { issueResetLink, setPasswordByLink } from '../../src/accounts/reset.ts'
import {
  confirmEnrolment,
  enrolmentSecret,
  isSecondFactorRequired,
  removeSecondFactor,
  renewRecoveryCodes,
  requireSecondFactor,
  secondFactorOf,
  startEnrolment,
} from '../../src/accounts/second-factor.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { COMMAND_LINE, type Origin } from '../../src/ports.ts'
import { type Authenticator, authenticatorFor, withSecondFactor } from '../support/second-factor.ts'
import { useTestApp } from '../support/use-app.ts'

const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const OTHER = { email: 'theo@example.com', name: 'Theo', password: 'quite other words here' }
const CLIENT = { ip: '192.0.2.1', userAgent: 'Firefox' }

const t = useTestApp()
let grace: User
let phone: Authenticator
beforeEach(async () => {
  await createAdmin(t.app, ADMIN)
  grace = (await userByEmail(t.app.db, ADMIN.email)) as User
  phone = await withSecondFactor(t.app, ADMIN.email)
  t.clock.pass({ minutes: 1 })
})

const enter = (token: string, entered: string, deviceToken?: string, ip = CLIENT.ip) =>
  finishHeldSignIn(t.app, { token, entered, deviceToken }, { ...CLIENT, ip })
const held = () => holdSignIn(t.app, grace, 'password', '/documents')
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => (error instanceof Refusal ? error.reason : String(error)),
  )

async function events(): Promise<string[]> {
  const rows = await t.app.db.selectFrom('events').select('entry').where('document_id', 'is', null).orderBy('sequence').execute()
  return rows.map(row => (JSON.parse(row.entry) as { type: string }).type)
}

describe('setting it up', () => {
  test('takes effect with the first code, is in the audit chain, and is mailed', async () => {
    expect(await secondFactorOf(t.app.db, grace.id)).toMatchObject({ recoveryCodesLeft: 10 })
    expect(await events()).toContain('user.second_factor_added')
    expect('head' in (await verifyChain(t.app.db))).toBe(true)
    await t.drain()
    expect(t.mails.map(m => m.subject)).toEqual(['[TEST] A second factor was set up'])
  })

  test('stores neither the secret nor a recovery code in clear text', async () => {
    await startEnrolment(t.app, grace.id)
    const shown = await enrolmentSecret(t.app, grace)
    const tables = ['totp_secrets', 'totp_enrolments', 'recovery_codes'] as const
    const rows = await Promise.all(tables.map(table => t.app.db.selectFrom(table).selectAll().execute()))
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 10])
    const stored = JSON.stringify(rows.flat(), (_, value) => (value?.data ? Buffer.from(value.data).toString('latin1') : value))
    const { bytes } = (await import('otpauth')).Secret.fromBase32(shown?.text.replaceAll(' ', '') ?? '')
    expect(stored).not.toContain(Buffer.from(bytes).toString('latin1'))
    for (const code of phone.recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
  })

  test('a wrong code leaves it as it was; so does a secret shown too long ago', async () => {
    await startEnrolment(t.app, grace.id)
    const shown = await enrolmentSecret(t.app, grace)
    const newPhone = authenticatorFor(t.app, shown?.text ?? '')
    expect(await refusalOf(confirmEnrolment(t.app, grace, phone.code(), COMMAND_LINE))).toBe('validation_failed')
    t.clock.pass({ minutes: 31 })
    expect(await enrolmentSecret(t.app, grace)).toBeUndefined()
    expect(await refusalOf(confirmEnrolment(t.app, grace, newPhone.code(), COMMAND_LINE))).toBe('invalid_state')
    expect((await enter(await held(), phone.code())).token).toBeString()
  })

  test('another phone replaces the first, whose codes and recovery codes no longer count', async () => {
    const newPhone = await withSecondFactor(t.app, ADMIN.email)
    t.clock.pass({ minutes: 1 })
    expect(await refusalOf(enter(await held(), phone.code()))).toBe('validation_failed')
    expect(await refusalOf(enter(await held(), phone.recoveryCodes[0] ?? ''))).toBe('validation_failed')
    expect((await enter(await held(), newPhone.code())).token).toBeString()
  })
})

describe('signing in', () => {
  test('opens a session that knows both methods', async () => {
    const { token, next } = await enter(await held(), phone.code())
    expect(next).toBe('/documents')
    expect((await sessionUser(t.app, token))?.user.id).toBe(grace.id)
    expect((await listSessions(t.app, grace.id))[0]?.methods).toEqual(['password', 'totp'])
  })

  test('a code counts once, also for another sign-in and for the step-up, and no older one counts after it', async () => {
    const [code, before] = [phone.code(), phone.code(-30)]
    const { token } = await enter(await held(), code)
    expect(await refusalOf(enter(await held(), code))).toBe('validation_failed')
    expect(await refusalOf(confirmIdentity(t.app, token, grace, code))).toBe('validation_failed')
    expect(await refusalOf(enter(await held(), before))).toBe('validation_failed')
    t.clock.pass({ seconds: 30 })
    await confirmIdentity(t.app, token, grace, phone.code())
  })

  test('of two simultaneous sign-ins with one code, one succeeds', async () => {
    const [first, second] = [await held(), await held()]
    const code = phone.code()
    const results = await Promise.all([first, second].map(token => refusalOf(enter(token, code))))
    expect(results.toSorted()).toEqual([undefined, 'validation_failed'].toSorted())
  })

  test('a recovery code counts once, and its use is mailed with how many are left', async () => {
    const [code = ''] = phone.recoveryCodes
    expect((await enter(await held(), code.toLowerCase())).recoveryCodesLeft).toBe(9)
    expect(await refusalOf(enter(await held(), code))).toBe('validation_failed')
    expect(await secondFactorOf(t.app.db, grace.id)).toMatchObject({ recoveryCodesLeft: 9 })
    await t.drain()
    expect(t.mails.at(-1)?.subject).toBe('[TEST] A recovery code was used')
    expect(t.mails.at(-1)?.text).toContain('9 recovery codes left')
    expect(await events()).toContain('user.recovery_code_used')
  })

  test('new recovery codes end the earlier ones', async () => {
    const [fresh = ''] = await renewRecoveryCodes(t.app, grace, COMMAND_LINE)
    expect(await refusalOf(enter(await held(), phone.recoveryCodes[0] ?? ''))).toBe('validation_failed')
    expect((await enter(await held(), fresh)).recoveryCodesLeft).toBe(9)
  })

  test('what waits for the code ends after ten minutes, once used, and with the password', async () => {
    const used = await held()
    await enter(used, phone.code())
    expect(await refusalOf(heldSignIn(t.app, used))).toBe('invalid_state')
    const old = await held()
    t.clock.pass({ minutes: 10 })
    expect(await refusalOf(enter(old, phone.code()))).toBe('invalid_state')
    const waiting = await held()
    const { token } = await issueResetLink(t.app, ADMIN.email, COMMAND_LINE)
    await setPasswordByLink(t.app, token, 'a third set of words', CLIENT)
    expect(await refusalOf(enter(waiting, phone.code()))).toBe('invalid_state')
  })

  test('a new password does not remove the second factor', async () => {
    const { token } = await issueResetLink(t.app, ADMIN.email, COMMAND_LINE)
    await setPasswordByLink(t.app, token, 'a third set of words', CLIENT)
    expect(await secondFactorOf(t.app.db, grace.id)).toBeDefined()
  })
})

describe('an attacker who knows the password', () => {
  /** Different ones. None is by chance the code of this minute. */
  function wrongCode(i: number): string {
    const right = [-30, 0, 30].map(afterS => phone.code(afterS))
    const codes = Array.from({ length: i + 1 + right.length }, (_, n) => String(100_000 + n))
    return codes.filter(code => !right.includes(code))[i] ?? ''
  }

  test('gets five codes before the first pause, however often the password is entered again', async () => {
    const reasons: (string | undefined)[] = []
    for (let i = 0; i < 8; i++) {
      await verifySignIn(t.app, { ...ADMIN, deviceToken: undefined }, CLIENT)
      reasons.push(await refusalOf(enter(await held(), wrongCode(i))))
    }
    expect(reasons).toEqual([...Array(5).fill('validation_failed'), ...Array(3).fill('rate_limited')])
  })

  test('is slowed down when each code comes from another address, while a known browser is not', async () => {
    const { deviceToken } = await openSession(t.app, grace, ['password'], CLIENT)
    let limited = 0
    for (let i = 0; i < 110; i++) {
      const reason = await refusalOf(enter(await held(), wrongCode(i), undefined, `198.51.${i}.1`))
      if (reason === 'rate_limited') limited++
    }
    expect(limited).toBe(10)
    expect(await refusalOf(enter(await held(), phone.code(), undefined, '203.0.113.9'))).toBe('rate_limited')
    expect((await enter(await held(), phone.code(), deviceToken)).token).toBeString()
  })

  test('cannot use the app or the recovery codes of another account', async () => {
    await createAdmin(t.app, OTHER)
    const theirs = await withSecondFactor(t.app, OTHER.email)
    t.clock.pass({ minutes: 1 })
    expect(await refusalOf(enter(await held(), theirs.code()))).toBe('validation_failed')
    expect(await refusalOf(enter(await held(), theirs.recoveryCodes[0] ?? ''))).toBe('validation_failed')
  })

  test('cannot put the secret of an own account in the row of another', async () => {
    await createAdmin(t.app, OTHER)
    await withSecondFactor(t.app, OTHER.email)
    const theirs = await userByEmail(t.app.db, OTHER.email)
    const own = await t.app.db
      .selectFrom('totp_secrets')
      .selectAll()
      .where('user_id', '=', theirs?.id ?? '')
      .executeTakeFirstOrThrow()
    await t.app.write(async tx => {
      await tx.updateTable('totp_secrets').set({ sealed_secret: own.sealed_secret }).where('user_id', '=', grace.id).execute()
    })
    expect(await refusalOf(enter(await held(), phone.code()))).not.toBe('validation_failed')
  })

  test('cannot end the session of another account', async () => {
    await createAdmin(t.app, OTHER)
    const { token } = await openSession(t.app, grace, ['password'], CLIENT)
    const [session] = await listSessions(t.app, grace.id)
    const other = (await userByEmail(t.app.db, OTHER.email)) as User
    expect(await endSessions(t.app, other, { tokenSha256: session?.tokenSha256 ?? '' }, COMMAND_LINE)).toBe(0)
    expect(await sessionUser(t.app, token)).toBeDefined()
  })
})

describe('removing it', () => {
  const byHer = (): Origin => ({ ...COMMAND_LINE, actor: { ...COMMAND_LINE.actor, userId: grace.id } })

  test('by the person keeps the sessions, ends the recovery codes, and is mailed', async () => {
    const { token } = await openSession(t.app, grace, ['password', 'totp'], CLIENT)
    await removeSecondFactor(t.app, grace, byHer())
    expect(await secondFactorOf(t.app.db, grace.id)).toBeUndefined()
    expect(await t.app.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
    expect(await sessionUser(t.app, token)).toBeDefined()
    expect(await refusalOf(removeSecondFactor(t.app, grace, byHer()))).toBe('invalid_state')
    await t.drain()
    expect(t.mails.at(-1)?.text).toContain('was removed under Profile')
  })

  test('by somebody else ends the sessions, and the mail says who', async () => {
    const { token } = await openSession(t.app, grace, ['password', 'totp'], CLIENT)
    await removeSecondFactor(t.app, grace, COMMAND_LINE)
    expect(await sessionUser(t.app, token)).toBeUndefined()
    await t.drain()
    expect(t.mails.at(-1)?.text).toContain('An administrator removed the second factor')
  })
})

describe('the rule that everybody needs one', () => {
  const by = (user: User): Origin => ({ ...COMMAND_LINE, actor: { ...COMMAND_LINE.actor, userId: user.id } })

  test('cannot be switched on by an administrator without one', async () => {
    await createAdmin(t.app, OTHER)
    const other = (await userByEmail(t.app.db, OTHER.email)) as User
    expect(await refusalOf(requireSecondFactor(t.app, true, by(other)))).toBe('invalid_state')
    expect(await isSecondFactorRequired(t.app.db)).toBe(false)
    await requireSecondFactor(t.app, true, by(grace))
    await requireSecondFactor(t.app, true, by(grace))
    expect((await events()).filter(type => type === 'sign_in.changed')).toHaveLength(1)
  })

  test('is met by whoever signed in with a second factor, or has one', async () => {
    await createAdmin(t.app, OTHER)
    const other = (await userByEmail(t.app.db, OTHER.email)) as User
    await requireSecondFactor(t.app, true, by(grace))
    const lacking = async (user: User, methods: Parameters<typeof openSession>[2]) =>
      (await sessionUser(t.app, (await openSession(t.app, user, methods, CLIENT)).token))?.lacksSecondFactor
    expect(await lacking(other, ['password'])).toBe(true)
    expect(await lacking(other, ['passkey'])).toBe(false)
    expect(await lacking(grace, ['password'])).toBe(false)
    await requireSecondFactor(t.app, false, by(grace))
    expect(await lacking(other, ['password'])).toBe(false)
  })
})

test('a code confirms a session, and a password still does', async () => {
  const { token } = await openSession(t.app, grace, ['password'], CLIENT)
  const confirmed = async () => (await sessionUser(t.app, token))?.confirmed
  t.clock.pass({ minutes: 14 })
  expect(await confirmed()).toBe(true)
  t.clock.pass({ minutes: 1 })
  expect(await confirmed()).toBe(false)
  await confirmIdentity(t.app, token, grace, phone.code())
  expect(await confirmed()).toBe(true)
  t.clock.pass({ minutes: 16 })
  await confirmIdentity(t.app, token, grace, ADMIN.password)
  expect(await confirmed()).toBe(true)
})
