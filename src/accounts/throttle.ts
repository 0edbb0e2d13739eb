/** Slows down guessing of passwords without locking an account: who has failed waits, others do not. */
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { subscriberNetwork } from '../lib/net-guard.ts'
import { sha256Hex } from '../lib/token.ts'
import * as queries from './queries.ts'

/** Who tries a password: a device that signed in before, a session (asked again), or an unknown device at an address. */
export type Client = { device: string } | { session: string } | { address: string | undefined }

interface Counter {
  sha256: string
  /** Failures that bring no pause. */
  freeFailures: number
}

const FREE_FAILURES = 4
/** All unknown devices together: after so many failures in a row each further one brings a pause. */
export const MAX_FAILURES_IN_A_ROW = 100
const LONGEST_PAUSE_MS = 15 * 60_000

/**
 * The counters of one attempt. Those of a device or a session are its own, so that failures of others never stop it. An unknown device has
 * one for account and address, and shares one with all unknown devices. Accounts are named by the address as typed: unknown ones count alike.
 */
function countersOf(email: string, client: Client): Counter[] {
  const account = sha256Hex(email.trim().toLowerCase())
  const own = (kind: string, value: string): Counter => ({
    sha256: sha256Hex(`${account}|${kind}|${value}`),
    freeFailures: FREE_FAILURES,
  })
  if ('device' in client) return [own('device', client.device)]
  if ('session' in client) return [own('session', client.session)]
  return [
    own('address', client.address === undefined ? '' : subscriberNetwork(client.address)),
    { sha256: sha256Hex(`${account}|unknown devices`), freeFailures: MAX_FAILURES_IN_A_ROW - 1 },
  ]
}

/**
 * Counts an attempt as failed before the password is verified, so that attempts made at once all count.
 * @throws Refusal `rate_limited` during a pause; then nothing is counted
 */
export async function countFailure(tx: Tx, email: string, client: Client, now: Date): Promise<void> {
  const counters = countersOf(email, client)
  const known = await Promise.all(counters.map(({ sha256 }) => queries.failuresOf(tx, sha256)))
  const waitMs = Math.max(...known.map(({ blockedUntil }) => (blockedUntil?.getTime() ?? 0) - now.getTime()))
  if (waitMs > 0) {
    const waitS = Math.ceil(waitMs / 1000)
    throw new Refusal('rate_limited', `Too many failed sign-ins. Please wait ${pauseWords(waitS)}.`, [], waitS)
  }
  for (const [i, { sha256, freeFailures }] of counters.entries()) {
    await queries.saveFailures(tx, sha256, oneMore(known[i]?.failures ?? 0, freeFailures, now), now)
  }
}

/** A pause as a person reads it: seconds up to a minute and a half, then minutes, rounded up. */
function pauseWords(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The pause doubles from 2 s to 15 min. For all unknown devices together it is 15 min at once. */
function oneMore(before: number, freeFailures: number, now: Date): queries.Failures {
  const failures = before + 1
  const over = failures - freeFailures
  if (over <= 0) return { failures, blockedUntil: undefined }
  const pauseMs = freeFailures === FREE_FAILURES ? 1000 * 2 ** Math.min(over, 20) : LONGEST_PAUSE_MS
  return { failures, blockedUntil: new Date(now.getTime() + Math.min(LONGEST_PAUSE_MS, pauseMs)) }
}

/** After the right password: this client's counters start again. */
export async function forgetFailures(tx: Tx, email: string, client: Client): Promise<void> {
  for (const { sha256 } of countersOf(email, client)) await queries.dropFailures(tx, sha256)
}
