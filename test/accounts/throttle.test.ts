/** Pauses after wrong passwords: they delay the client that guesses, and no other. */
import { beforeEach, expect, test } from 'bun:test'
import { confirmIdentity, createAdmin, knownDevice, type SessionTokens, sessionUser } from '../../src/accounts/people.ts'
import { MAX_FAILURES_IN_A_ROW } from '../../src/accounts/throttle.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import { signIn } from '../support/sign-in.ts'
import { useSmallApp } from '../support/use-app.ts'

const PASSWORD = 'four words make sense'
const ADA = { email: 'ada@example.com', name: 'Ada Lovelace', password: PASSWORD }
const HOME = '192.0.2.7'
const STRANGER = '198.51.100.66'

const t = useSmallApp({ SIGNET_SEAL_KEY: 'ec-p256' })
let device: SessionTokens

beforeEach(async () => {
  await createAdmin(t.app, ADA)
  device = await enter({})
})

interface Try {
  password?: string
  ip?: string
  deviceToken?: string
  email?: string
}

function enter({ password = PASSWORD, ip = HOME, deviceToken, email = ADA.email }: Try): Promise<SessionTokens> {
  return signIn(t.app, { email, password, deviceToken }, { ip, userAgent: 'Firefox' })
}

/** `undefined` if the attempt opened a session. */
async function refusalOf(values: Try): Promise<Refusal | undefined> {
  try {
    await enter(values)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Makes so many verified wrong attempts, waiting for each pause. Returns the longest pause. */
async function failTimes(count: number, values: (i: number) => Try): Promise<number> {
  let longestS = 0
  for (let verified = 0; verified < count; ) {
    const refusal = await refusalOf({ password: 'wrong', ...values(verified) })
    if (refusal?.reason === 'unauthorized') verified++
    longestS = Math.max(longestS, refusal?.retryAfterS ?? 0)
    t.clock.pass({ seconds: refusal?.retryAfterS ?? 0 })
  }
  return longestS
}

test('200 failures at one address delay neither a known device nor another address', async () => {
  expect(await failTimes(200, () => ({ ip: STRANGER }))).toBe(900)
  expect(await refusalOf({ deviceToken: device.deviceToken })).toBeUndefined()
  const fresh = await refusalOf({ ip: '203.0.113.9' })
  expect(fresh?.retryAfterS ?? 0).toBeLessThanOrEqual(900)
  t.clock.pass({ seconds: fresh?.retryAfterS ?? 0 })
  expect(await refusalOf({ ip: '203.0.113.9' })).toBeUndefined()
}, 60_000)

test('of 200 simultaneous attempts from one address five are verified, and another address signs in at once', async () => {
  const reasons: (string | undefined)[] = []
  for (let i = 0; i < 200; i++) reasons.push((await refusalOf({ password: 'wrong', ip: STRANGER }))?.reason)
  expect(reasons.filter(reason => reason === 'unauthorized')).toHaveLength(5)
  expect(await refusalOf({ ip: HOME })).toBeUndefined()
})

test('a pause of a year that a clock far ahead has noted is over when the clock is right again', async () => {
  const { now } = t.clock
  t.clock.now = new Date(now.getTime() + 365 * 86_400_000)
  for (let i = 0; i < 6; i++) await refusalOf({ password: 'wrong', ip: STRANGER })
  expect((await refusalOf({ ip: STRANGER }))?.reason).toBe('rate_limited')
  t.clock.now = now
  expect(await refusalOf({ ip: STRANGER })).toBeUndefined()
})

test('many addresses together have a hundred attempts in a row, then one per quarter of an hour', async () => {
  const addresses = (i: number) => ({ ip: `198.51.${Math.floor(i / 4)}.1` })
  expect(await failTimes(MAX_FAILURES_IN_A_ROW, addresses)).toBe(0)
  expect(await refusalOf({ password: 'wrong', ip: '203.0.113.1' })).toMatchObject({ reason: 'rate_limited', retryAfterS: 900 })
  expect(await refusalOf({ ip: HOME })).toMatchObject({ reason: 'rate_limited' })
  expect(await refusalOf({ deviceToken: device.deviceToken })).toBeUndefined()
  t.clock.pass({ minutes: 15 })
  expect(await refusalOf({ ip: HOME })).toBeUndefined()
}, 60_000)

test('the right password from an unknown device resets the count of all unknown devices', async () => {
  await failTimes(MAX_FAILURES_IN_A_ROW - 1, i => ({ ip: `198.51.${Math.floor(i / 4)}.1` }))
  await enter({})
  expect(await failTimes(2, i => ({ ip: `203.0.113.${i}` }))).toBe(0)
}, 60_000)

test('an IPv6 subscriber has one count for the whole network', async () => {
  for (let i = 0; i < 5; i++) await refusalOf({ password: 'wrong', ip: `2001:db8:1:2::${i + 1}` })
  expect((await refusalOf({ ip: '2001:db8:1:2:ffff::1' }))?.reason).toBe('rate_limited')
  expect(await refusalOf({ ip: '2001:db8:1:3::1' })).toBeUndefined()
})

test('failures of other clients do not delay the confirmation of the password in a session', async () => {
  await failTimes(MAX_FAILURES_IN_A_ROW, i => ({ ip: `198.51.${Math.floor(i / 4)}.1` }))
  const user = (await sessionUser(t.app, device.token))?.user
  if (!user) throw new Error('no session')
  await confirmIdentity(t.app, device.token, user, PASSWORD)
}, 60_000)

test('a known device has its own pauses, so a stolen one does not allow guessing', async () => {
  for (let i = 0; i < 5; i++) {
    expect((await refusalOf({ password: 'wrong', deviceToken: device.deviceToken }))?.reason).toBe('unauthorized')
  }
  expect((await refusalOf({ deviceToken: device.deviceToken }))?.reason).toBe('rate_limited')
})

test('a device token is valid only for its own account and unchanged', async () => {
  await createAdmin(t.app, { ...ADA, email: 'ben@example.com' })
  const { deviceToken } = device
  expect(await knownDevice(t.app, ADA.email, deviceToken)).toBeDefined()
  const [random = '', mac = ''] = deviceToken.split('.')
  for (const [email, token] of [
    ['ben@example.com', deviceToken],
    ['nobody@example.com', deviceToken],
    [ADA.email, `x${random}.${mac}`],
    [ADA.email, `${random}.`],
    [ADA.email, `.${mac}`],
    [ADA.email, ''],
    [ADA.email, undefined],
  ] as const) {
    expect([email, token, await knownDevice(t.app, email, token)]).toEqual([email, token, undefined])
  }
})

test('an unknown account gets the same errors and pauses as a known one', async () => {
  const answers = async (email: string) => {
    const errors: unknown[] = []
    for (let i = 0; i < 8; i++) {
      const refusal = await refusalOf({ email, password: 'wrong', ip: STRANGER, deviceToken: device.deviceToken.slice(1) })
      errors.push([refusal?.reason, refusal?.message])
    }
    return errors
  }
  expect(await answers('nobody@example.com')).toEqual(await answers(ADA.email))
})

test('a pause is given in seconds, and a long one in minutes', async () => {
  const pause = async () => englishOfRefusal((await refusalOf({})) as Refusal)
  await failTimes(5, () => ({}))
  expect(await pause()).toBe('Too many failed sign-ins. Please wait 2 seconds.')
  t.clock.pass({ seconds: 1 })
  expect(await pause()).toBe('Too many failed sign-ins. Please wait 1 second.')
  await failTimes(15, () => ({}))
  expect(await pause()).toBe('Too many failed sign-ins. Please wait 15 minutes.')
})
