/** Slows down password guessing without locking accounts: only the client that failed waits. */
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { subscriberNetwork } from '../lib/net-guard.ts'
import { sha256Hex } from '../lib/token.ts'
import * as queries from './queries.ts'

/** A device that signed in before, a session that confirms its password, or an unknown device. */
export type AttemptSource = { device: string } | { session: string } | { address: string | undefined }

interface Counter {
  sha256: string
  freeFailures: number
}

const FREE_FAILURES = 4
/** For all unknown devices of an account together: each further failure causes a pause. */
export const MAX_FAILURES_IN_A_ROW = 100
const MAX_PAUSE_MS = 15 * 60_000

/**
 * The counters of one attempt. A device or a session has its own, so that failures of others never
 * delay it. An unknown device has one for account and address, and shares one with all unknown
 * devices. The typed e-mail address identifies the account: attempts at unknown ones also count.
 */
function countersOf(email: string, source: AttemptSource): Counter[] {
  const account = sha256Hex(email.trim().toLowerCase())
  const own = (kind: string, value: string): Counter => ({
    sha256: sha256Hex(`${account}|${kind}|${value}`),
    freeFailures: FREE_FAILURES,
  })
  if ('device' in source) return [own('device', source.device)]
  if ('session' in source) return [own('session', source.session)]
  return [
    own('address', source.address === undefined ? '' : subscriberNetwork(source.address)),
    { sha256: sha256Hex(`${account}|unknown devices`), freeFailures: MAX_FAILURES_IN_A_ROW - 1 },
  ]
}

/** Call before verification: simultaneous attempts all count. @throws Refusal `rate_limited` */
export async function countFailure(tx: Tx, email: string, source: AttemptSource, now: Date): Promise<void> {
  const counters = countersOf(email, source)
  const known = await Promise.all(counters.map(({ sha256 }) => queries.failuresOf(tx, sha256)))
  const waitMs = Math.max(...known.map(({ blockedUntil }) => (blockedUntil?.getTime() ?? 0) - now.getTime()))
  if (waitMs > 0) {
    const waitS = Math.ceil(waitMs / 1000)
    throw new Refusal('rate_limited', `Too many failed sign-ins. Please wait ${readablePause(waitS)}.`, [], waitS)
  }
  for (const [i, { sha256, freeFailures }] of counters.entries()) {
    await queries.saveFailures(tx, sha256, withOneMore(known[i]?.failures ?? 0, freeFailures, now), now)
  }
}

/** Seconds up to a minute and a half, then minutes, rounded up. */
function readablePause(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The pause doubles from 2 s to 15 min; for all unknown devices together it is 15 min. */
function withOneMore(before: number, freeFailures: number, now: Date): queries.Failures {
  const failures = before + 1
  const over = failures - freeFailures
  if (over <= 0) return { failures, blockedUntil: undefined }
  const pauseMs = freeFailures === FREE_FAILURES ? 1000 * 2 ** Math.min(over, 20) : MAX_PAUSE_MS
  return { failures, blockedUntil: new Date(now.getTime() + Math.min(MAX_PAUSE_MS, pauseMs)) }
}

/** Call after the right password: resets the counters of the client. */
export async function forgetFailures(tx: Tx, email: string, source: AttemptSource): Promise<void> {
  for (const { sha256 } of countersOf(email, source)) await queries.dropFailures(tx, sha256)
}
