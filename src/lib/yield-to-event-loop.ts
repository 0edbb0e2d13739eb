/**
 * Lets other work run between the slices of long work. Awaiting the database does not: its results
 * are ready at once.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
