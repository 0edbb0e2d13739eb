/** Detects that the system clock was set, by comparing it with a monotonic clock. */
import type { App } from '../ports.ts'

const JUMP_MS = 3_600_000
const WAIT_MS = 60_000

/**
 * Returns a function that tells whether the clock can be trusted; call it often. A jump forward by
 * more than an hour is trusted after a minute. A jump back is safe: each due action happens once.
 */
export function clockGuard(app: Pick<App, 'now' | 'steadyMs' | 'log'>): () => boolean {
  let last = { clock: app.now().getTime(), steady: app.steadyMs() }
  let untrustedUntil = -Infinity
  return () => {
    const now = { clock: app.now().getTime(), steady: app.steadyMs() }
    const jumpedMs = now.clock - last.clock - (now.steady - last.steady)
    last = now
    if (Math.abs(jumpedMs) > JUMP_MS) {
      app.log('warn', 'clock.jump', { seconds: Math.round(jumpedMs / 1000), now: new Date(now.clock).toISOString() })
      untrustedUntil = jumpedMs > 0 ? now.steady + WAIT_MS : -Infinity
    }
    return now.steady >= untrustedUntil
  }
}
