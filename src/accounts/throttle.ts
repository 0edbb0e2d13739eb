/** Slows down guessing. Failures of others never delay a device that signed in before. */
import { appendInstanceEvent } from '../audit/log.ts'
import { pauseLeftS } from '../core/pause.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { subscriberNetwork } from '../lib/net-guard.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { isSameSecret, keyedToken, randomToken } from '../lib/token.ts'
import { type App, SYSTEM } from '../ports.ts'
import type { User } from './queries.ts'
import * as queries from './queries.ts'

/** A device that signed in before, a session that confirms its password, or an unknown device. */
export type AttemptSource = { device: string } | { session: string } | { address: string | undefined }

/** Counted apart: who guesses codes knows the password, which resets its counters each time. */
export type Guessed = 'password' | 'code'
const PREFIXES: Record<Guessed, string> = { password: '', code: 'code|' }

interface Counter {
  sha256: string
  failuresWithoutPause: number
}

const FAILURES_WITHOUT_PAUSE = 4
/** For all unknown devices of an account together: from this failure on, each causes a pause. */
export const MAX_FAILURES_IN_A_ROW = 100
const MAX_PAUSE_MS = 15 * MINUTE_MS

/**
 * The counters of one attempt. A device or a session has its own, so that failures of others never
 * delay it. An unknown device has one for account and IP network, and shares one with all unknown
 * devices. The e-mail address entered identifies the account, even if no such account exists.
 */
function countersOf(guessed: Guessed, email: string, source: AttemptSource): Counter[] {
  const account = PREFIXES[guessed] + sha256Hex(email.trim().toLowerCase())
  const counterFor = (kind: string, value: string): Counter => ({
    sha256: sha256Hex(`${account}|${kind}|${value}`),
    failuresWithoutPause: FAILURES_WITHOUT_PAUSE,
  })
  if ('device' in source) return [counterFor('device', source.device)]
  if ('session' in source) return [counterFor('session', source.session)]
  return [
    counterFor('address', source.address === undefined ? '' : subscriberNetwork(source.address)),
    { sha256: sha256Hex(`${account}|unknown devices`), failuresWithoutPause: MAX_FAILURES_IN_A_ROW - 1 },
  ]
}

/**
 * Call before verifying: all simultaneous attempts then count. Returns whether this is the first
 * failure that delays the next attempt. @throws Refusal `rate_limited`
 */
export async function countFailure(tx: Tx, guessed: Guessed, email: string, source: AttemptSource, now: Date): Promise<boolean> {
  const counters = countersOf(guessed, email, source)
  const saved = await Promise.all(counters.map(({ sha256 }) => queries.failuresOf(tx, sha256)))
  const waitS = Math.max(...saved.map(({ blockedUntil }) => pauseLeftS(blockedUntil, now, MAX_PAUSE_MS / 1000)))
  if (waitS > 0) {
    throw new Refusal('rate_limited', violation('sign_in_delayed', { seconds: waitS }), [], waitS)
  }
  for (const [i, { sha256, failuresWithoutPause }] of counters.entries()) {
    await queries.saveFailures(tx, sha256, addFailure(saved[i]?.failures ?? 0, failuresWithoutPause, now), now)
  }
  return counters.some(({ failuresWithoutPause }, i) => saved[i]?.failures === failuresWithoutPause)
}

/**
 * Call when such an attempt has failed. Single failures are not recorded: anybody could make the
 * audit log grow. An unknown address takes as long, so that the time does not tell which it is.
 */
export async function recordDelay(
  app: App,
  { email, user }: { email: string; user: Pick<queries.User, 'id'> | undefined },
  guessed: Guessed,
  source: AttemptSource,
): Promise<void> {
  const ip = 'address' in source ? source.address : undefined
  await app.write(
    async tx => {
      if (!user) return touchCounters(tx, countersOf(guessed, email, source), app.now())
      const event = { type: 'user.sign_in_delayed' as const, data: { userId: user.id, guessed } }
      await appendInstanceEvent(tx, app, event, { ...SYSTEM, ip })
    },
    { wake: false },
  )
}

async function touchCounters(tx: Tx, counters: readonly Counter[], now: Date): Promise<void> {
  for (const { sha256 } of counters) await queries.saveFailures(tx, sha256, await queries.failuresOf(tx, sha256), now)
}

/** The pause doubles from 2 s to 15 min; for all unknown devices together it is 15 min. */
function addFailure(before: number, failuresWithoutPause: number, now: Date): queries.Failures {
  const failures = before + 1
  const excess = failures - failuresWithoutPause
  if (excess <= 0) return { failures, blockedUntil: undefined }
  const pauseMs = failuresWithoutPause === FAILURES_WITHOUT_PAUSE ? 1000 * 2 ** Math.min(excess, 20) : MAX_PAUSE_MS
  return { failures, blockedUntil: new Date(now.getTime() + Math.min(MAX_PAUSE_MS, pauseMs)) }
}

/** Call after the right one: resets every counter of the attempt, the shared one too. */
export async function resetFailures(tx: Tx, guessed: Guessed, email: string, source: AttemptSource): Promise<void> {
  for (const { sha256 } of countersOf(guessed, email, source)) await queries.dropFailures(tx, sha256)
}

// Recognises a browser by a cookie, so that failures of other clients do not delay it.

/** Browsers delete cookies after 400 days. */
export const DEVICE_COOKIE_S = 400 * 86_400

type Account = Pick<User, 'id' | 'passwordHash'>

/** `<random>.<HMAC>`, bound to the account and its password: a new password invalidates it. */
export function newDeviceToken(app: Pick<App, 'linkKey' | 'random'>, account: Account): string {
  const random = randomToken(app.random)
  return `${random}.${macOf(app, account, random)}`
}

/** The id that counts the device's failures; `undefined` without a token of the account. */
export function deviceOf(app: Pick<App, 'linkKey'>, account: Account | undefined, token: string | undefined): string | undefined {
  const [random = '', mac = ''] = token?.split('.') ?? []
  // Also computed for an unknown account, so that both take the same time.
  const expected = macOf(app, account ?? { id: '', passwordHash: '' }, random)
  return isSameSecret(mac, expected) && account !== undefined && random !== '' ? random : undefined
}

function macOf({ linkKey }: Pick<App, 'linkKey'>, { id, passwordHash }: Account, random: string): string {
  return keyedToken(linkKey, 'device', id, sha256Hex(passwordHash), random)
}
