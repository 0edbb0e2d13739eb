/** Limits attempts by IP address where guessing must be slow, and work in child processes. */
import { Refusal } from '../core/refusal.ts'
import type { LocalizedMessage } from '../core/signing/message.ts'
import { type Violation, violation } from '../core/violation.ts'
import { subscriberNetwork } from '../lib/net-guard.ts'
import type { App } from '../ports.ts'

/**
 * Throws `rate_limited` with the time to wait after too many attempts of a kind. `who`: an IP
 * address, which counts for its subscriber's network, or an id.
 */
export function countAttempt(
  app: Pick<App, 'attempts' | 'now'>,
  kind: string,
  who: string | undefined,
  says: Violation | LocalizedMessage,
): void {
  const key = who === undefined ? '' : subscriberNetwork(who)
  const { allowed, resetS } = app.attempts.take(`${kind} ${key}`, app.now().getTime())
  if (!allowed) throw new Refusal('rate_limited', says, [], resetS)
}

/** A browser requests the visible pages at once, and sometimes a picture. */
const MAX_QUEUE = 50
const RETRY_S = 5

/** One task at a time for each recipient or user: many requests delay only their sender. */
export async function runQueued<T>({ recipientQueue }: App, personId: string, work: () => Promise<T>): Promise<T> {
  if (recipientQueue.lengthOf(personId) >= MAX_QUEUE) {
    throw new Refusal('overloaded', violation('requests_at_once'), [], RETRY_S)
  }
  return recipientQueue.run(personId, work)
}
