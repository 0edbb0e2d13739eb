/** Limits attempts by IP address where guessing must be slow. */
import { Refusal } from '../core/refusal.ts'
import type { App } from '../ports.ts'

/** Throws `rate_limited` with the time to wait after too many attempts of a kind. */
export function countAttempt(app: App, kind: string, ipAddress: string | undefined, message: string): void {
  const { allowed, resetS } = app.attempts.take(`${kind} ${ipAddress}`, app.now().getTime())
  if (!allowed) throw new Refusal('rate_limited', message, [], resetS)
}
