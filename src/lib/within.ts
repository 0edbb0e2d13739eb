/** Waits for work for a limited time. The work itself goes on. */
import type { Timers } from './machine.ts'

/** Settles as `work`, or throws `late()` when it takes longer. */
export async function within<T>(timers: Pick<Timers, 'after'>, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const cancel = timers.after(Math.max(0, ms), () => timeout.reject(late()))
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    cancel()
  }
}
