/** Waits for work for a limited time. The work itself goes on. */

/** Settles as `work`, or throws `late()` when it takes longer. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(late()), Math.max(0, ms))
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
