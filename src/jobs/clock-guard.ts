/**
 * Tells a clock that was set from time that passed, by a second clock nobody sets. What happens by
 * the clock waits until a jump forward has stood a minute.
 */
import type { App } from '../ports.ts'

const JUMP_MS = 3_600_000
const REST_MS = 60_000

/**
 * Answers whether the clock may be acted upon; to be asked often. A step of more than an hour
 * forward is logged, and only when the clock still stands there a minute later is it believed. A
 * step back needs no care: what happened is stored, and happens once.
 */
export function clockGuard(app: Pick<App, 'now' | 'log'>, steadyMs: () => number = () => performance.now()): () => boolean {
  let last = { clock: app.now().getTime(), steady: steadyMs() }
  let restsUntil = -Infinity
  return () => {
    const now = { clock: app.now().getTime(), steady: steadyMs() }
    const jumpedMs = now.clock - last.clock - (now.steady - last.steady)
    last = now
    if (Math.abs(jumpedMs) > JUMP_MS) {
      app.log('warn', 'clock.jump', { seconds: Math.round(jumpedMs / 1000), now: new Date(now.clock).toISOString() })
      restsUntil = jumpedMs > 0 ? now.steady + REST_MS : -Infinity
    }
    return now.steady >= restsUntil
  }
}
